package misfit_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"achilles/infer/misfit"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// TestMemory limits the bytes that the checks of a subject allocate for a further response, all together: hundreds of groupings and
// products of features are computed where they are needed. Nothing is collected meanwhile, because what a sync.Pool has would be lost
// to a collection, and allocated again.
func TestMemory(t *testing.T) {
	longtest.Only(t, "measures the heap")
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const limit = 900
	allocated := func(items int) float64 {
		it, r := battery(items), rng.Stream(1, "memory")
		d := models[1].subject(it, &r, nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		misfit.Check(d, 0.01, &r)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	allocated(100) // fills what the program keeps
	each := (allocated(30_000) - allocated(10_000)) / 20_000
	if t.Logf("%.0f bytes a response", each); each > limit {
		t.Errorf("a response takes %.0f bytes, the limit is %d", each, limit)
	}
}
