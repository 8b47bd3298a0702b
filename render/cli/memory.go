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

// SaveMemory sets, as long as the program runs, by how much the heap may grow before memory is collected: by as much as is in use, but by 64
// MB at least, because two jobs wait for each other at each collection, and by 128 MB or a quarter at most. If users have set GOGC, and not to
// 100, theirs counts. Nothing but memory and time depends on it.
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
