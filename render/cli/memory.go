package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	headroom  = 128 << 20 // bytes by which a large heap may grow before memory is collected
	leastMore = 25        // per cent by which every heap may grow
)

// SaveMemory makes a large heap be collected before it has doubled, as long as the program runs: what is in use and 128 MB, not twice
// what is in use. Small heaps, and those of users who have set GOGC, are collected as always. Nothing but memory and time depends on it.
func SaveMemory() {
	const usual = 100
	if set := debug.SetGCPercent(usual); set != usual {
		debug.SetGCPercent(set)
		return
	}
	percent := usual
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	afterEachCollection(func() {
		metrics.Read(live)
		if p := growth(live[0].Value.Uint64()); p != percent {
			percent = p
			debug.SetGCPercent(p)
		}
	})
}

// growth returns by how many per cent a heap may grow of which so many bytes are in use.
func growth(live uint64) int {
	return int(max(leastMore, 100*headroom/max(live, headroom)))
}

// afterEachCollection calls f after every collection of memory, one call at a time.
func afterEachCollection(f func()) {
	type sentinel struct{ f func() }
	var again func(s *sentinel)
	again = func(s *sentinel) {
		s.f()
		runtime.SetFinalizer(s, again)
	}
	runtime.SetFinalizer(&sentinel{f}, again)
}
