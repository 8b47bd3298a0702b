package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Bytes by which a heap may grow before memory is collected, and per cent by which it may at least.
const (
	leastHeadroom = 64 << 20
	mostHeadroom  = 128 << 20
	leastMore     = 25
	smallestHeap  = 4 << 20 // a heap counts as that large
)

// SaveMemory makes memory be collected when what is in use has doubled, but a small heap less often, so that two jobs do not wait for each
// other every few milliseconds, and a large one before: at 128 MB and a quarter more at the latest. It does so as long as the program runs. If
// users have set GOGC, theirs counts. Nothing but memory and time depends on it.
func SaveMemory() {
	const usual = 100
	if set := debug.SetGCPercent(usual); set != usual {
		debug.SetGCPercent(set)
		return
	}
	percent := growth(0)
	debug.SetGCPercent(percent)
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
	live = max(live, smallestHeap)
	return int(max(leastMore, 100*min(max(live, leastHeadroom), mostHeadroom)/live))
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
