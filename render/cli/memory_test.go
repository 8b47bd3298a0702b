package cli

import (
	"runtime"
	"sync/atomic"
	"testing"

	"achilles/sim/longtest"
)

// TestHeapGrowth checks by how much heaps may grow: small ones by 64 MB, larger ones by as much as they have, up to 128 MB, and the largest by a
// quarter.
func TestHeapGrowth(t *testing.T) {
	for _, c := range []struct {
		megabytes uint64
		percent   int
	}{{0, 1600}, {1, 1600}, {4, 1600}, {16, 400}, {64, 100}, {100, 100}, {128, 100}, {256, 50}, {384, 33}, {512, 25}, {64 << 10, 25}} {
		if got := growth(c.megabytes << 20); got != c.percent {
			t.Errorf("a heap of %d MB may grow by %d %%, want %d", c.megabytes, got, c.percent)
		}
	}
}

// TestAfterEachCollection checks that a function is called after more than the first collection.
func TestAfterEachCollection(t *testing.T) {
	longtest.Only(t, "measures the heap")
	var called atomic.Int32
	afterEachCollection(func() { called.Add(1) })
	for range 1000 { // a collection may be over before the function is set to be called after it
		if runtime.GC(); called.Load() >= 3 {
			return
		}
	}
	t.Errorf("%d calls after 1000 collections", called.Load())
}
