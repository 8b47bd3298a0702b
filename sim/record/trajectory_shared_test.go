package record_test

import (
	"testing"
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
