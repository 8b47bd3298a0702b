package record_test

import (
	"fmt"
	"runtime"
	"testing"

	"achilles/sim/record"
)

// TestMemory limits the memory that a value of a feature with few values takes once it is read.
func TestMemory(t *testing.T) {
	const limit = 0.6 // bytes; 8 if it were not packed
	read(t, 100, 1)   // fills what the program keeps
	const items, features = 4000, 40
	each := (read(t, items, 1+features) - read(t, items, 1)) / (items * features)
	if t.Logf("%.2f bytes a value", each); each > limit {
		t.Errorf("a value takes %.2f bytes, the limit is %v", each, limit)
	}
}

// read returns the number of bytes that a data set takes when it was read.
func read(t *testing.T, items, features int) float64 {
	t.Helper()
	d := sample(1, 1, items)
	d.Items.Columns, d.Manifest.Features = nil, nil
	for k := range features {
		c := record.Column{Feature: record.Feature{Name: fmt.Sprint("column-", k), Kind: record.Number, Role: record.Demand}}
		for i := range items {
			c.Number = append(c.Number, float64(i%(k%5+2)))
		}
		d.Items.Columns, d.Manifest.Features = append(d.Items.Columns, c), append(d.Manifest.Features, c.Feature)
	}
	files := mapFS(encode(t, d))
	before := inUse()
	got, err := record.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	after := inUse()
	runtime.KeepAlive(got)
	runtime.KeepAlive(files)
	return after - before
}

func inUse() float64 {
	runtime.GC()
	runtime.GC() // what a sync.Pool has survives one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
