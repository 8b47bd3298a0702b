package generate_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"achilles/scenarios/generate"
)

// TestMemory limits the memory that a further response takes, and a further item, from the time when bodies act until
// everything is published. docs/performance.md states both.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("short runs look for races, and the race detector empties a sync.Pool at random, so what is in use varies")
	}
	const perResponse, perItem = 150, 2000 // bytes; a response took 341 when lists of responses and episodes waited for publication, an item 3200 with a list of values
	const few, many, items = 5, 85, 100
	held(t, 20, few)                                                             // fills what the program keeps
	a, b := held(t, items, few), min(held(t, items, many), held(t, items, many)) // what a goroutine has not yet let go varies
	if each := (b - a) / (items * (many - few)); each > perResponse {
		t.Errorf("a response takes %d bytes, the limit is %d", each, perResponse)
	}
	each := (held(t, 1800, 1) - held(t, 1200, 1)) / 600 // both fill the buffers of the files
	if t.Logf("%d bytes an item", each); each > perItem {
		t.Errorf("an item takes %d bytes, the limit is %d", each, perItem)
	}
}

// held lets bodies act, publishes what they did, and returns the largest number of bytes that were in use when a file was
// begun.
func held(t *testing.T, items, subjects int) (most int) {
	t.Helper()
	s := run(t, open(t, "embodied", fmt.Sprintf("battery.items=%d", items), fmt.Sprintf("population[0].count=%d", subjects)), generate.Config{Seed: 1})
	err := generate.PublishTo(context.Background(), s, 1, nil, func(part, path string) (io.WriteCloser, error) {
		runtime.GC()
		runtime.GC() // what a sync.Pool has survives one
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, int(m.HeapAlloc))
		return discard{io.Discard}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return most
}

type discard struct{ io.Writer }

// Close implements io.Closer.
func (discard) Close() error { return nil }
