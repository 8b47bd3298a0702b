package gridworld_test

import (
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

// TestBinary checks that the binary form gives back a world in every state, into a world that was another before, and that both go on
// in the same way.
func TestBinary(t *testing.T) {
	var again gridworld.World
	laws(t, "binary", 100, 14, func(t *testing.T, w *gridworld.World, r *rng.Rand) {
		for range 20 {
			b, err := w.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := again.UnmarshalBinary(b); err != nil {
				t.Fatal(err)
			}
			if !again.Equal(w) {
				t.Fatalf("%s\ncomes back as\n%s", w, &again)
			}
			var head gridworld.Head
			if err := head.UnmarshalBinary(b); err != nil || head != w.Head() || head.Tick != w.Tick() || head.Inside(w.Actor().Pos) != w.Inside(w.Actor().Pos) {
				t.Fatalf("the head is %+v, want %+v (%v)", head, w.Head(), err)
			}
			if err := again.Check(); err != nil {
				t.Fatal(err)
			}
			for range r.IntN(4) {
				a := likely(w, r)
				w.Step(a)
				again.Step(a)
			}
			if !again.Equal(w) {
				t.Fatalf("%s\ngoes on as\n%s", w, &again)
			}
		}
	})
}

// FuzzBinary checks that what is no binary form is refused, and that what is accepted is a world that can be used.
func FuzzBinary(f *testing.F) {
	for i := range 20 {
		r := rng.Stream(1, "binary")
		b, _ := gridtest.Random(&r, gridworld.Mode(i%2), 1+i, i%3 == 0).AppendBinary(nil)
		f.Add(b)
		f.Add(b[:len(b)-1])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var w, again gridworld.World
		if w.UnmarshalBinary(b) != nil {
			return
		}
		if err := w.Check(); err != nil {
			t.Fatal(err)
		}
		b, _ = w.AppendBinary(nil)
		if err := again.UnmarshalBinary(b); err != nil || !again.Equal(&w) {
			t.Fatalf("%s\ncomes back as\n%s\n%v", &w, &again, err)
		}
		for range 5 {
			w.Step(gridworld.Stay)
		}
	})
}
