package battery

import (
	"sync"
	"sync/atomic"
)

const (
	makers = 8   // goroutines that make things: enough for the processors of a workstation
	wave   = 512 // things that are kept until they are used
)

// InOrder makes n things in several goroutines, and uses them in order in the calling goroutine. Each goroutine has a
// maker of its own, created by newMaker; what it makes for an index must depend on the index alone. The error is the first
// one of use, after which nothing else is used.
func InOrder[M, T any](n int, newMaker func() M, produce func(maker M, i int) T, use func(i int, thing T) error) error {
	var pool [makers]*M
	var things [wave]T
	for from := 0; from < n; from += wave {
		some := things[:min(n-from, wave)]
		var group sync.WaitGroup
		var next atomic.Int64
		for k := range min(makers, len(some)) {
			group.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(some); i = int(next.Add(1)) - 1 {
					if pool[k] == nil {
						m := newMaker()
						pool[k] = &m
					}
					some[i] = produce(*pool[k], from+i)
				}
			})
		}
		group.Wait()
		for i, thing := range some {
			if err := use(from+i, thing); err != nil {
				return err
			}
		}
	}
	return nil
}
