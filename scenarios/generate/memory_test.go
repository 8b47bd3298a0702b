package generate_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"achilles/scenarios/generate"
	"achilles/sim/longtest"
)

// TestMemory limits the memory that a further response takes, and a further item, from the time when bodies act until
// everything is published. docs/performance.md states both.
func TestMemory(t *testing.T) {
	longtest.Only(t, "measures the heap")
	if testing.Short() {
		t.Skip("short runs look for races, and the race detector empties a sync.Pool at random, so what is in use varies")
	}
	const perResponse, perItem = 110, 1250 // bytes; an item took 1490 when its labels and some columns waited for all others
	held(t, 20, 30)                        // fills what the program keeps
	each := (held(t, 100, 130) - held(t, 100, 30)) / (100 * 100)
	if t.Logf("%d bytes a response", each); each > perResponse {
		t.Errorf("a response takes %d bytes, the limit is %d", each, perResponse)
	}
	each = (held(t, 4000, 1) - held(t, 1500, 1)) / 2500 // both fill the buffers of the files
	if t.Logf("%d bytes an item", each); each > perItem {
		t.Errorf("an item takes %d bytes, the limit is %d", each, perItem)
	}
}

// TestResponsesAreBytes checks that a response takes one byte and a choice twelve from when a body acts until they are published
// (docs/performance.md).
func TestResponsesAreBytes(t *testing.T) {
	s := run(t, open(t, "embodied", "battery.items=20", "population[0].count=3"), generate.Config{Seed: 1})
	if n := generate.Recorded(s); n != 13 {
		t.Errorf("a response takes %d bytes", n)
	}
}

// held lets bodies act, publishes what they did, and returns the largest number of bytes that were in use when a file was
// begun, or a part of a table was written.
func held(t *testing.T, items, subjects int) (most int) {
	t.Helper()
	s := run(t, open(t, "embodied", fmt.Sprintf("battery.items=%d", items), fmt.Sprintf("population[0].count=%d", subjects)), generate.Config{Seed: 1})
	measure := func() {
		runtime.GC()
		runtime.GC() // what a sync.Pool has survives one
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, int(m.HeapAlloc))
	}
	err := generate.PublishTo(context.Background(), s, 1, nil, func(part, path string) (io.WriteCloser, error) {
		measure()
		if path == "items.parquet" || path == "responses.parquet" {
			return watched{io.Discard, measure}, nil
		}
		return watched{io.Discard, func() {}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return most
}

// A watched writer calls a function before everything that it writes.
type watched struct {
	io.Writer
	before func()
}

func (w watched) Write(p []byte) (int, error) {
	w.before()
	return w.Writer.Write(p)
}

// Close implements io.Closer.
func (watched) Close() error { return nil }
