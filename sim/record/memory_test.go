package record_test

import (
	"fmt"
	"runtime"
	"testing"

	"achilles/sim/longtest"
	"achilles/sim/record"
)

// bytesOfValue is the limit of what a value of a feature with few values takes once it is read; it would be 8 were it not packed.
const bytesOfValue = 0.6

// TestPackedValues limits the sizes of the slices that have the values of features with few values.
func TestPackedValues(t *testing.T) {
	const items, features = 4000, 6
	got, err := record.Read(mapFS(encode(t, fewValues(items, features))))
	if err != nil {
		t.Fatal(err)
	}
	if each := float64(record.ValuesSize(&got.Items)) / (items * features); each > bytesOfValue || each < 1./8 {
		t.Errorf("a value takes %.2f bytes, the limit is %v", each, bytesOfValue)
	}
}

// TestMemory limits the memory that a value of a feature with few values takes once it is read.
func TestMemory(t *testing.T) {
	longtest.Only(t, "measures the heap")
	read(t, 100, 1) // fills what the program keeps
	const items, features = 4000, 40
	each := (read(t, items, 1+features) - read(t, items, 1)) / (items * features)
	if t.Logf("%.2f bytes a value", each); each > bytesOfValue {
		t.Errorf("a value takes %.2f bytes, the limit is %v", each, bytesOfValue)
	}
}

// fewValues returns a data set whose features have two to six values.
func fewValues(items, features int) *record.Dataset {
	d := sampleOf(1, 1, items, 1)
	d.Items.Columns, d.Manifest.Features = nil, nil
	for k := range features {
		c := record.Column{Feature: record.Feature{Name: fmt.Sprint("column-", k), Kind: record.Number, Role: record.Demand}}
		for i := range items {
			c.Number = append(c.Number, float64(i%(k%5+2)))
		}
		d.Items.Columns, d.Manifest.Features = append(d.Items.Columns, c), append(d.Manifest.Features, c.Feature)
	}
	return d
}

// read returns the number of bytes that a data set takes when it was read.
func read(t *testing.T, items, features int) float64 {
	t.Helper()
	files := mapFS(encode(t, fewValues(items, features)))
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

// inUse returns the number of bytes on the heap that are in use.
func inUse() float64 {
	runtime.GC()
	runtime.GC() // what a sync.Pool has survives one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// limited calls f, and checks in the long suite that it asks for at most limit bytes, whatever becomes of them.
func limited(t *testing.T, what string, limit uint64, f func()) {
	t.Helper()
	if !longtest.On() {
		f()
		return
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > limit {
		t.Errorf("%s: %d bytes of memory are taken, the limit is %d", what, took, limit)
	}
}
