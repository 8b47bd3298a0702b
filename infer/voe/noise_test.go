package voe_test

import (
	"math"
	"slices"
	"testing"

	"achilles/gridworld/lattice"
	"achilles/infer/voe"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestNoisyWalks checks that achilles is not sure of wrong goals where actors zigzag: of walks by the noise of package lattice, two pixels,
// to one of two objects by a coin, of which a fifth is shown, the mean loss of its belief about the goal is less than half of that of no
// belief, log 2. Who takes all actors to keep their heading loses more.
func TestNoisyWalks(t *testing.T) {
	s := hall()
	goal := []lattice.Point{{X: 150, Y: 130}, {X: 150, Y: 60}}
	s.Objects = []record.Shape{object("one", 150, 130), object("two", 150, 60)}
	m := lattice.NewMap(201, 201)
	for _, w := range s.Walls {
		m.Block(int(w.X)-10, int(w.Y)-10, int(w.X+w.W)+10, int(w.Y+w.H)+10)
	}
	var l lattice.Planner
	r := rng.Stream(881, "noisy walks")
	noisy := func(to int, shown float64) record.SceneTrial {
		at := lattice.Point{X: 40, Y: 95}
		tr := walk(s, "actor", 40, 95)
		for lattice.Square(at, goal[to]) > 12*12 {
			u := r.Float64()
			for _, c := range l.From(m, goal[to]).Noisily(nil, at, 2) {
				if at = c.Point; u < c.P {
					break
				}
				u -= c.P
			}
			tr.Path = append(tr.Path, record.Point{X: int16(at.X) - 6, Y: int16(at.Y) - 6})
		}
		if shown < 1 {
			tr.Path = tr.Path[:10+int(shown*float64(len(tr.Path)-10))]
			return tr
		}
		tr.Path = append(tr.Path, slices.Repeat(tr.Path[len(tr.Path)-1:], 5)...)
		return tr
	}
	const n = 40
	loss := 0.0
	var studio voe.Studio
	for range n {
		var v record.Video
		for k := range 8 {
			v.Familiarisation = append(v.Familiarisation, noisy(k%2, 1))
		}
		to := r.IntN(2)
		v.Test = noisy(to, 0.2)
		b := voe.DefaultPlanner().Watch(studio.Prepare(&record.Watched{Videos: []record.Video{v}})[0]).Beliefs[8]
		loss -= math.Log(b.Goals[to].P) / n
	}
	if loss > math.Ln2/2 {
		t.Errorf("the mean loss is %.3f nats", loss)
	}
}

// TestBerth checks that an actor which has come so near to an object that it must touch it is not taken to go on to another one behind it,
// and that it may where it has not.
func TestBerth(t *testing.T) {
	s := hall()
	s.Objects = []record.Shape{object("near", 100, 102), object("far", 160, 100)}
	for _, c := range []struct {
		frames    int16
		low, high float64
	}{{20, 0.2, 0.8}, {27, 0.8, 1}} {
		v := record.Video{Test: walk(s, "actor", 40, 100, [3]int16{2, 0, c.frames})}
		v.Test.Path = v.Test.Path[:len(v.Test.Path)-5] // unfinished
		if p := watch(t, "achilles", v).Beliefs[0].Goals[0].P; p < c.low || p > c.high {
			t.Errorf("after %d pixels the goal is the near object with probability %.3f, want %v to %v", 2*c.frames, p, c.low, c.high)
		}
	}
}

// TestNothingWasted checks that a way which wastes nothing surprises no more where an efficient actor passes an object so near that their
// squares overlap, or turns with almost every step, than where it keeps its heading far from other objects.
func TestNothingWasted(t *testing.T) {
	scene := func(x, y int16) record.Scene {
		s := hall()
		s.Objects = []record.Shape{object("usual", 150, 130), object("other", x, y)}
		return s
	}
	straight, turns := [3]int16{2, 1, 10}, [][3]int16{}
	for range 5 {
		turns = append(turns, [3]int16{2, 0, 1}, [3]int16{2, 2, 1})
	}
	surprise := func(x, y int16, steps ...[3]int16) float64 {
		var v record.Video
		for range 8 {
			v.Familiarisation = append(v.Familiarisation, walk(scene(150, 70), "actor", 80, 95, [3]int16{2, 1, 30}))
		}
		v.Test = walk(scene(x, y), "actor", 124, 117, steps...)
		return watch(t, "achilles", v).Surprise
	}
	want := surprise(150, 70, straight)
	near, turning := surprise(140, 112, straight), surprise(150, 70, turns...)
	if near > want+0.1 || turning > want+0.1 {
		t.Errorf("surprise is %.3f past an object, %.3f with turns, else %.3f", near, turning, want)
	}
}
