package goaldirected_test

import (
	"slices"
	"testing"

	"achilles/agents/goaldirected"
	"achilles/gridworld/lattice"
)

// room returns an open map of 101 by 101 nodes with the given walls, each left, bottom, right and top.
func room(walls ...[4]int) *lattice.Map {
	m := lattice.NewMap(101, 101)
	for _, w := range walls {
		m.Block(w[0], w[1], w[2], w[3])
	}
	return m
}

func at(x, y int) lattice.Point { return lattice.Point{X: x, Y: y} }

func walk(t *testing.T, manner goaldirected.Manner, s *lattice.Problem) lattice.Walk {
	t.Helper()
	a := goaldirected.Default("actor", manner)
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	var l lattice.Planner
	w, ok := a.Walk(&l, s)
	if !ok {
		t.Fatal("the actor does nothing")
	}
	return w
}

// TestStraight checks a walk worked out by hand: one step in the first frame, then two in each further frame, until the
// centres are at most 12 apart.
func TestStraight(t *testing.T) {
	w := walk(t, goaldirected.Direct, &lattice.Problem{Start: at(10, 10), Open: room(), Things: []lattice.Point{at(40, 10)}, Wants: []int{0}})
	var x []int
	for _, p := range w.Track {
		if p.Y != 10 {
			t.Fatalf("it leaves the straight line at %v", p)
		}
		x = append(x, p.X)
	}
	if want := []int{11, 13, 15, 17, 19, 21, 23, 25, 27, 29}; !slices.Equal(x, want) {
		t.Errorf("it walks %v, want %v", x, want)
	}
	if w.Took != -1 || w.Opened != -1 || w.Thing != 0 || w.Excess != 0 {
		t.Errorf("it reports %+v", w)
	}
}

// TestPreference checks that the actor goes to the thing that it wants most of those it can reach, and goes round others.
func TestPreference(t *testing.T) {
	s := &lattice.Problem{Start: at(10, 50), Open: room(), Things: []lattice.Point{at(45, 50), at(85, 50)}, Wants: []int{1, 0}}
	w := walk(t, goaldirected.Direct, s)
	if w.Thing != 1 || w.Excess <= 0 {
		t.Errorf("it goes to %d and wastes %d; it should go round the first thing to the second", w.Thing, w.Excess)
	}
	for _, p := range w.Track {
		if lattice.Square(p, at(45, 50)) <= 144 {
			t.Errorf("it touches the thing it does not want, at %v", p)
		}
	}
	s.Open = room([4]int{65, -1, 69, 102})
	if w := walk(t, goaldirected.Direct, s); w.Thing != 0 {
		t.Errorf("it goes to %d, where only 0 is within reach", w.Thing)
	}
}

// TestDetour checks that an actor with Detour goes round an imagined wall exactly as one with Direct round a real wall.
func TestDetour(t *testing.T) {
	open, ghost := room(), room([4]int{40, 20, 60, 80})
	s := &lattice.Problem{Start: at(20, 50), Open: open, Ghost: ghost, Things: []lattice.Point{at(85, 45)}, Wants: []int{0}}
	round := walk(t, goaldirected.Detour, s)
	straight := walk(t, goaldirected.Direct, s)
	s.Open = ghost
	if had := walk(t, goaldirected.Direct, s); !slices.Equal(had.Track, round.Track) {
		t.Error("it does not go as if the wall were there")
	}
	if len(round.Track) <= len(straight.Track) || round.Excess <= 0 || straight.Excess != 0 {
		t.Errorf("the detour takes %d frames, the direct way %d; excess %d, %d", len(round.Track), len(straight.Track), round.Excess, straight.Excess)
	}
}

// TestLock checks that the actor takes the key, opens the lock and reaches the goal in this order, and that it stays out
// of the barrier until the lock is open. It must not fetch a key that it does not need, unless the problem has Fetch.
func TestLock(t *testing.T) {
	shut := room([4]int{50, -1, 70, 102})
	s := &lattice.Problem{Start: at(20, 50), Open: room(), Shut: shut, Things: []lattice.Point{at(90, 50), at(20, 90)}, Wants: []int{0},
		Key: at(20, 90), Lock: at(60, 20), Reach: 10, Locked: true}
	w := walk(t, goaldirected.Direct, s)
	if !(0 < w.Took && w.Took < w.Opened && w.Opened < len(w.Track)) {
		t.Fatalf("it takes the key after %d frames, opens after %d and ends after %d", w.Took, w.Opened, len(w.Track))
	}
	if lattice.Square(w.Track[w.Took-1], s.Key) > 144 || lattice.Chebyshev(w.Track[w.Opened-1], s.Lock) != s.Reach {
		t.Error("it does not touch key and lock when it should")
	}
	for i, p := range w.Track[:w.Opened] {
		if !shut.Open(p) {
			t.Errorf("it is inside the barrier after %d frames", i+1)
		}
	}
	if lattice.Square(w.Track[len(w.Track)-1], at(90, 50)) > 144 {
		t.Error("it does not reach its goal")
	}
	s.Shut = room([4]int{50, -1, 70, 40}) // bars the lower half only
	if w := walk(t, goaldirected.Direct, s); w.Took != -1 {
		t.Error("it fetches a key that it does not need")
	}
	if s.Fetch = true; walk(t, goaldirected.Direct, s).Took < 0 {
		t.Error("it does not fetch the key although it is to")
	}
}

// TestNothing checks that there is no walk if the actor can reach nothing, or wants nothing.
func TestNothing(t *testing.T) {
	a := goaldirected.Default("actor", goaldirected.Direct)
	var l lattice.Planner
	s := &lattice.Problem{Start: at(20, 50), Open: room([4]int{50, -1, 70, 102}), Things: []lattice.Point{at(90, 50)}, Wants: []int{0}}
	if _, ok := a.Walk(&l, s); ok {
		t.Error("it walks to a thing out of reach")
	}
	if _, ok := a.Walk(&l, &lattice.Problem{Start: at(1, 1), Open: room()}); ok {
		t.Error("it walks although it wants nothing")
	}
}

// TestCheckActor checks that Check returns an error for every kind of fault in an actor.
func TestCheckActor(t *testing.T) {
	for name, change := range map[string]func(a *goaldirected.Actor){
		"no name": func(a *goaldirected.Actor) { a.Name = "" },
		"manner":  func(a *goaldirected.Actor) { a.Manner = "drunk" },
		"contact": func(a *goaldirected.Actor) { a.Contact = 16 },
		"pace":    func(a *goaldirected.Actor) { a.Pace = 0 },
	} {
		a := goaldirected.Default("actor", goaldirected.Direct)
		if change(&a); a.Check() == nil {
			t.Errorf("%s: nothing is wrong with %+v", name, a)
		}
	}
}
