package record_test

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"achilles/sim/record"
)

// TestSharedTrajectories checks that trajectories of an item that share steps or sightings, or have as many, are read back as they were.
func TestSharedTrajectories(t *testing.T) {
	sharing := someTrajectories(6, 3000)
	for i, tr := range sharing[:len(sharing)-1] {
		other := sharing[i+1]
		if other.Item != tr.Item {
			continue
		}
		switch i % 4 {
		case 0:
			n := min(len(tr.Steps), len(other.Steps))
			tr.Steps, other.Steps, tr.Seen, other.Seen = tr.Steps[:n], other.Steps[:n], nil, nil
		case 1:
			other.Steps, other.Seen = tr.Steps, nil
		default:
			other.Steps, other.Seen = tr.Steps, tr.Seen
		}
	}
	i, shared := 0, 0
	files, list := writeTrajectories(t, sharing)
	for tr, err := range open(t, files, list).All() {
		if err != nil {
			t.Fatal(err)
		}
		if !same(tr, sharing[i]) {
			t.Fatalf("trajectory %d is read back as %+v, not %+v", i, tr, sharing[i])
		}
		if i > 0 && &sharing[i].Steps[0] == &sharing[i-1].Steps[0] {
			shared++
		}
		i++
	}
	if i != len(sharing) || shared < 1000 {
		t.Errorf("only %d of %d trajectories share their steps", shared, len(sharing))
	}
}

// TestManyShapes checks trajectories of one item that have more shapes than are kept, each of which two subjects share: they are read back
// as they were, few shapes are kept, and a fault is found in whatever comes after them.
func TestManyShapes(t *testing.T) {
	all := someTrajectories(7, 100)
	for i, tr := range all {
		tr.Key = record.Key{Item: "i", Subject: fmt.Sprintf("s-%03d", i)}
		if k := len(all) / 2; i >= k {
			tr.Steps, tr.Seen = all[i-k].Steps, all[i-k].Seen
		}
	}
	files, list := writeTrajectories(t, all)
	i := 0
	for tr, err := range open(t, files, list).All() {
		if err != nil || !same(tr, all[i]) {
			t.Fatalf("trajectory %d is read back as %+v, not %+v (%v)", i, tr, all[i], err)
		}
		i++
	}
	w := record.NewTrajectoryWriter(func(string) (io.WriteCloser, error) { return new(buffer), nil })
	for i, tr := range all {
		if err := w.Write(tr); err != nil {
			t.Fatal(err)
		}
		if kept := record.Shapes(w); kept != min(i+1, record.MostShapes) {
			t.Fatalf("%d shapes are kept of %d trajectories", kept, i+1)
		}
	}
	bad := *all[99]
	bad.Subject, bad.Steps = "t", slices.Clone(bad.Steps)
	if bad.Steps[0].Heading = "up"; w.Write(&bad) == nil {
		t.Error("an unknown heading is not noticed after many trajectories of the item")
	}
	w.Close()
}
