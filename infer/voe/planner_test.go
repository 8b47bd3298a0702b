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

func close(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*max(1, math.Abs(b)) }

// TestOptions checks the waste of options by hand. The goal is 40 pixels to the east.
func TestOptions(t *testing.T) {
	s := hall()
	s.Objects = []record.Shape{object("o", 140, 100)}
	v := view(walk(s, "a", 100, 100, [3]int16{2, 0, 3}))
	o, ok := v.Consider(0, 0, 0)
	if !ok || len(o.Waste) != 16 || o.Heading[o.Taken] != 0 || o.Waste[o.Taken] != 0 {
		t.Fatalf("options %+v, %v", o, ok)
	}
	d := math.Sqrt2 - 1
	for k, want := range map[int]float64{
		4:  (2 + 40 + 2*d - 40) / 10,            // two up: 40 across and 2 down remain
		2:  (2*math.Sqrt2 + 38 + 2*d - 40) / 10, // two up and across
		1:  (1 + math.Sqrt2 + 38 + d - 40) / 10, // one up, two across
		8:  (2.0 + 42 - 40) / 10,                // two back
		10: (2*math.Sqrt2 + 42 + 2*d - 40) / 10, // two back and down
	} {
		if !close(o.Waste[k], want, 1e-5) {
			t.Errorf("option %d wastes %.6f half cells, want %.6f", k, o.Waste[k], want)
		}
	}
	if _, ok := view(walk(s, "a", 100, 100, [3]int16{9, 0, 1})).Consider(0, 0, 0); ok {
		t.Error("a jump has options")
	}
	if o, _ := view(walk(s, "a", 30, 100, [3]int16{0, 2, 1})).Consider(0, 0, 0); len(o.Waste) != 9 {
		t.Errorf("%d options beside a wall, want 9", len(o.Waste))
	}
}

// TestRational checks probabilities at the temperatures against the definition.
func TestRational(t *testing.T) {
	waste := []float64{0, 0.05, 0.3, 1.5}
	for k := range waste {
		steady, loose := voe.Rational(waste, k)
		for i, p := range steady {
			temperature, sum := 0.03*math.Pow(2, float64(i)), 0.0
			for _, w := range waste {
				sum += math.Exp(-w / temperature)
			}
			if want := math.Exp(-waste[k]/temperature) / sum; !close(p, want, 1e-12) || !close(loose[i], want, 1e-12) {
				t.Errorf("option %d at temperature %.2f: steady %v, loose %v, want %v", k, temperature, p, loose[i], want)
			}
		}
	}
	total := 0.0
	for _, p := range voe.PriorManner() {
		total += p
	}
	if !close(total, 1, 1e-12) {
		t.Errorf("the prior of manners adds up to %v", total)
	}
}

// TestInertia checks that the option that keeps the heading is the most probable one, and that equal turns to the left
// and to the right are equally probable.
func TestInertia(t *testing.T) {
	all := make([]int, 16)
	for i := range all {
		all[i] = i
	}
	w := voe.Inertia(all, 3)
	sum := 0.0
	for k := range w {
		sum += w[k]
		if mirrored := w[((6-k)%16+16)%16]; !close(w[k], mirrored, 1e-15) {
			t.Errorf("heading %d weighs %v, its mirror image %v", k, w[k], mirrored)
		}
		if k != 3 && w[k] >= w[3] {
			t.Errorf("heading %d weighs more than going on", k)
		}
	}
	if !close(sum, 1, 1e-12) {
		t.Errorf("the weights add up to %v", sum)
	}
	for _, p := range voe.Inertia(all, voe.NoHeading) {
		if !close(p, 1.0/16, 1e-15) {
			t.Errorf("without a heading an option weighs %v", p)
		}
	}
}

// TestLearning compares the exact posterior with a sum over every history of goals, every manner and every slip.
func TestLearning(t *testing.T) {
	r := rng.Stream(1, "learning")
	const things, trials = 3, 4
	prior := voe.PriorManner()
	wishes := []voe.Wish{{0, true}, {1, true}, {2, true}}
	var likelihood [trials][][voe.Manners]float64
	l := voe.NewLearner(things)
	for n := range likelihood {
		likelihood[n] = make([][voe.Manners]float64, things)
		for i := range things {
			for k := range voe.Manners {
				likelihood[n][i][k] = r.Float64()
			}
		}
		l.Learn(wishes, likelihood[n])
	}
	slip := voe.DefaultPlanner().Slip
	want := make([][voe.Manners]float64, things)
	preference := make([]float64, things)
	total := 0.0
	for history := range int(math.Pow(things, trials)) {
		for own := range voe.Manners {
			p, count := prior[own], [things]float64{}
			for n, h := 0, history; n < trials; n, h = n+1, h/things {
				g := h % things
				mixed := (1 - slip) * likelihood[n][g][own]
				for k := range voe.Manners {
					mixed += slip * prior[k] * likelihood[n][g][k]
				}
				p *= (1 + count[g]) / (things + float64(n)) * mixed
				count[g]++
			}
			total += p
			for g := range things {
				share := (1 + count[g]) / (things + trials)
				preference[g] += p * share
				for k := range voe.Manners {
					want[g][k] += p * share * slip * prior[k]
				}
				want[g][own] += p * share * (1 - slip)
			}
		}
	}
	got := l.Expect(wishes)
	for g := range things {
		for k := range voe.Manners {
			if !close(got[g][k], want[g][k]/total, 1e-12) {
				t.Fatalf("goal %d, manner %d: %v, brute force says %v", g, k, got[g][k], want[g][k]/total)
			}
		}
		if s := l.Preference()[g]; !close(s.P, preference[g]/total, 1e-12) {
			t.Errorf("preference for %s: %v, brute force says %v", s.Name, s.P, preference[g]/total)
		}
	}
	if n := l.Histories(); n != 15 { // number of ways to write 4 as a sum of 3 counts
		t.Errorf("%d histories are kept, want 15", n)
	}
}

// TestCertainGoals checks that after eight trials with a certain goal the preference is 9 : 1 (Laplace's rule), and that
// trials in which only one goal could be reached teach nothing.
func TestCertainGoals(t *testing.T) {
	certain := [][voe.Manners]float64{{}, {}}
	for k := range voe.Manners {
		certain[0][k] = 1
	}
	l, barred := voe.NewLearner(2), voe.NewLearner(2)
	for range 8 {
		l.Learn([]voe.Wish{{0, true}, {1, true}}, certain)
		barred.Learn([]voe.Wish{{0, true}, {1, false}}, certain)
	}
	if p := l.Preference()[0].P; !close(p, 0.9, 1e-12) {
		t.Errorf("after eight trials the preference is %v", p)
	}
	if p := barred.Preference()[0].P; !close(p, 0.5, 1e-12) {
		t.Errorf("after eight trials without a choice the preference is %v", p)
	}
}

// TestBarred checks that an actor which sets out for its usual object surprises where walls enclose it, and hardly where it is free, and that
// it is believed to want that object; to the other object the reverse. The walks end on the way.
func TestBarred(t *testing.T) {
	free := hall()
	free.Objects = []record.Shape{object("usual", 150, 150), object("other", 150, 50)}
	shut := free
	for _, r := range []record.Rect{{X: 120, Y: 120, W: 60, H: 20}, {X: 120, Y: 140, W: 20, H: 40}} { // with the border, all round the usual object
		shut.Walls = append(slices.Clip(shut.Walls), r)
	}
	video := record.Video{}
	for range 8 {
		video.Familiarisation = append(video.Familiarisation, walk(free, "a", 50, 100, [3]int16{2, 1, 45}))
	}
	surprise := func(s record.Scene, dy int16) (float64, float64) {
		test := walk(s, "a", 50, 100, [3]int16{2, dy, 20})
		test.Path = test.Path[:len(test.Path)-5]
		v := video
		v.Test = test
		r := watch(t, "achilles", v)
		return r.Surprise, r.Beliefs[8].Goals[0].P
	}
	usualFree, p := surprise(free, 1)
	usualShut, q := surprise(shut, 1)
	if p < 0.95 || q < 0.95 {
		t.Errorf("an actor on the way to the usual object wants it with probability %.3f where it is free, %.3f where it is enclosed", p, q)
	}
	if usualFree > 0.3 || usualShut < 3 {
		t.Errorf("the way to the usual object surprises by %.3f where it is free, by %.3f where it is enclosed", usualFree, usualShut)
	}
	otherFree, _ := surprise(free, -1)
	otherShut, _ := surprise(shut, -1)
	if otherFree < 1.5 || otherShut > 0.3 {
		t.Errorf("the way to the other object surprises by %.3f where the usual one is free, by %.3f where it is enclosed", otherFree, otherShut)
	}
}

// TestStranger checks that the prior of a new actor's manner is the known actor's posterior with weight 0.9.
func TestStranger(t *testing.T) {
	l := voe.NewLearner(1)
	var cold [voe.Manners]float64
	cold[0] = 1
	for range 3 {
		l.Learn([]voe.Wish{{0, true}}, [][voe.Manners]float64{cold})
	}
	own, prior, stranger := l.Manner(), voe.PriorManner(), l.Stranger()
	if own[0] < 0.9 {
		t.Fatalf("after three cold trials an actor is cold with probability %v", own[0])
	}
	for k := range stranger {
		if want := 0.9*own[k] + 0.1*prior[k]; !close(stranger[k], want, 1e-12) {
			t.Errorf("manner %d: %v, want %v", k, stranger[k], want)
		}
	}
}

// ring adds a barrier round cell (5, 5), with a lock on its left side, and a key.
func ring(s *record.Scene) {
	for y := int16(4); y <= 6; y++ {
		for x := int16(4); x <= 6; x++ {
			if (x != 5 || y != 5) && (x != 4 || y != 5) {
				s.Barrier = append(s.Barrier, record.Rect{X: 20 * x, Y: 20 * y, W: 20, H: 20})
			}
		}
	}
	s.Locks = []record.Shape{{X: 80, Y: 100, Half: 10, Icon: "lock"}}
	s.Keys = []record.Shape{{X: 42, Y: 142, Half: 8, Icon: "key"}}
}

// TestSubgoals checks the costs of a plan by way of key and lock by hand. The key is at (50, 150). The lock's left side
// can be touched at (70, 90…130). The object is at (110, 110).
func TestSubgoals(t *testing.T) {
	s := hall()
	s.Objects = []record.Shape{object("o", 110, 110)}
	ring(&s)
	v := view(walk(s, "a", 50, 50, [3]int16{0, 2, 10}))
	octile := func(x, y float64) float64 { return max(x, y) + (math.Sqrt2-1)*min(x, y) }
	over := octile(20, 20) + 2 + octile(40, 20) // cost from the key over (70, 130), where the lock is opened, to the object
	for _, c := range []struct {
		phase int
		at    lattice.Point
		want  float64
	}{
		{2, lattice.Point{X: 50, Y: 110}, 60},
		{1, lattice.Point{X: 50, Y: 110}, 20 + 2 + 40},
		{0, lattice.Point{X: 50, Y: 150}, 2 + over}, // at the key
		{0, lattice.Point{X: 50, Y: 50}, 100 + 2 + over},
	} {
		if got := v.Value(0, 0, c.at, c.phase); !close(got, c.want, 1e-5) {
			t.Errorf("phase %d, from %v: %.4f pixels, want %.4f", c.phase, c.at, got, c.want)
		}
	}
	if !v.ThroughKey(0, 0, lattice.Point{X: 50, Y: 50}) || v.Value(0, voe.Key, lattice.Point{X: 50, Y: 50}, 0) != 100 {
		t.Error("the way to the object does not lead to the key first")
	}
	s.Keys = nil
	if got := view(walk(s, "a", 50, 50)).Value(0, 0, lattice.Point{X: 50, Y: 50}, 0); got != -1 {
		t.Errorf("without a key the object costs %v", got)
	}
}

// TestStopTells checks a trial with two objects in a line, in which only the actor's stop shows which one it wanted.
// achilles infers the near one; HBToM cannot.
func TestStopTells(t *testing.T) {
	s := hall()
	s.Objects = []record.Shape{object("near", 100, 100), object("far", 160, 100)}
	trial := walk(s, "a", 40, 100, [3]int16{2, 0, 24}) // to (88, 100)
	for name, want := range map[string]float64{"achilles": 0.98, "hbtom": 0.5} {
		r := watch(t, name, record.Video{Test: trial})
		p := r.Beliefs[0].Goals[0].P
		if !close(p, want, 0.03) {
			t.Errorf("%s: the near object was wanted with probability %.3f, want about %.2f", name, p, want)
		}
	}
	s.Objects = s.Objects[1:]
	if p := watch(t, "achilles", record.Video{Test: walk(s, "a", 40, 100, [3]int16{2, 0, 24})}).Beliefs[0].Goals[0].P; !close(p, 1, 1e-12) {
		t.Errorf("the only object was wanted with probability %v", p)
	}
}

// TestMoments checks the moments of a trial: one for each move and one for the stop, probabilities that sum to 1, a
// shift that ends at the surprise, and regret in pixels if the actor turns back.
func TestMoments(t *testing.T) {
	s := hall()
	s.Objects = []record.Shape{object("o", 160, 100)}
	trial := walk(s, "a", 40, 100, [3]int16{2, 0, 5}, [3]int16{-2, 0, 1}, [3]int16{2, 0, 50})
	v := view(trial)
	v.Moments = true
	b := voe.DefaultPlanner().Watch(v).Beliefs[0]
	if len(b.Moments) != 57 {
		t.Fatalf("%d moments", len(b.Moments))
	}
	for i, m := range b.Moments {
		want := 0.0
		if i == 5 {
			want = 4
		}
		if !close(m.Regret, want, 1e-4) || m.Frame != i+5 || !close(m.Goals[0], 1, 1e-12) {
			t.Errorf("moment %d: %+v", i, m)
		}
	}
	if last := b.Moments[56]; last.Shift != b.Surprise {
		t.Errorf("the shift ends at %v, the surprise is %v", last.Shift, b.Surprise)
	}
	v.Moments = false
	if again := voe.DefaultPlanner().Watch(v).Beliefs[0]; again.Moments != nil || again.Surprise != b.Surprise {
		t.Error("asking for moments changes what is thought, or they come unasked")
	}
}
