package generate_test

import (
	"slices"
	"testing"

	"achilles/battery/bib"
	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// eachPair calls visit for the episodes of a task, with both test trials x (expected) and u (unexpected), and the
// familiarisation trials f of the expected outcome.
func eachPair(t *testing.T, task bib.Task, split bib.Split, visit func(fail complaint, e *bib.Episode, f []*shown, x, u *shown)) {
	t.Helper()
	for _, e := range make12(t, task, split, episodesOf(task), 2) {
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%s, episode %d (%s): "+format, append([]any{split, e.Index, e.Variant}, args...)...)
		}
		var f []*shown
		for k := range e.Expected.Familiarisation {
			f = append(f, show(&e.Expected.Familiarisation[k]))
		}
		visit(fail, &e, f, show(&e.Expected.Test), show(&e.Unexpected.Test))
	}
}

// counts has numbers of episodes of a task by kind, to check what must be balanced exactly.
type counts map[string]int

func (c counts) balanced(t *testing.T, a, b string) {
	t.Helper()
	if c[a] == 0 || c[a] != c[b] {
		t.Errorf("%s %d times, %s %d times; want them equally often", a, c[a], b, c[b])
	}
}

// wasted returns whether an excess, as a cost, is at least the cost of a straight way of that many pixels.
func wasted(excess, pixels int) bool { return excess >= pixels*lattice.Straight }

// preferredNearer returns "nearer" if the cheapest way to the preferred object, object 0, costs less than that to
// object 1, else "farther". It complains if the distances as the crow flies say the opposite.
func preferredNearer(fail complaint, s *shown) string {
	way := s.cost(s.object(0), true) - s.cost(s.object(1), true)
	air := lattice.Square(s.start(), s.object(0)) - lattice.Square(s.start(), s.object(1))
	if way == 0 || (way < 0) != (air < 0) {
		fail("nearer by way (%d) and as the crow flies (%d) do not agree", way, air)
	}
	if way < 0 {
		return "nearer"
	}
	return "farther"
}

// TestPreferenceEpisodes checks that in the test trial the two objects have exchanged the places that they had in some
// familiarisation trial, and that the actor's path in the unexpected outcome is that of this familiarisation trial.
func TestPreferenceEpisodes(t *testing.T) {
	for _, split := range []bib.Split{bib.Telling, bib.Collinear} {
		count := counts{}
		eachPair(t, bib.Preference, split, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
			count[preferredNearer(fail, x)]++
			near, exchanged := 0, false
			for _, s := range f {
				if !touches(s.end(), s.object(0)) {
					fail("the actor does not go to the preferred object")
				}
				if preferredNearer(func(string, ...any) {}, s) == "nearer" {
					near++
				}
				exchanged = exchanged || s.object(0) == x.object(1) && s.object(1) == x.object(0) && samePath(s, u)
			}
			if near == 0 || near == 8 || !exchanged {
				fail("the preferred object is nearer in %d familiarisation trials; a trial is exchanged: %v", near, exchanged)
			}
			if !touches(x.end(), x.object(0)) || !touches(u.end(), u.object(1)) {
				fail("the outcomes do not end where they should")
			}
			if x.excess(x.object(0), true) != 0 || u.excess(u.object(1), true) != 0 {
				fail("the ways waste something")
			}
			checkTelling(fail, split, u, u.object(1), u.object(0))
			checkMisleading(fail, f, x, u)
		})
		count.balanced(t, "nearer", "farther")
	}
}

// checkMisleading checks that an observer that expects the actor where it ended before is wrong about the pair, and that
// one that expects the object that is nearer as the crow flies is right exactly if this is the preferred object.
func checkMisleading(fail complaint, f []*shown, x, u *shown) {
	sum := lattice.Point{}
	for _, s := range f {
		sum = sum.Add(s.end())
	}
	times8 := func(p lattice.Point) lattice.Point { return lattice.Point{X: 8 * p.X, Y: 8 * p.Y} }
	if lattice.Square(sum, times8(x.end())) <= lattice.Square(sum, times8(u.end())) {
		fail("the expected trial ends closer to where the actor ended before")
	}
	nearest := 0
	if lattice.Square(x.start(), x.object(1)) < lattice.Square(x.start(), x.object(0)) {
		nearest = 1
	}
	crow := func(s *shown) int {
		to, worst, spent := s.object(nearest), 0, 0
		for i := 1; i < len(s.track); i++ {
			spent += lattice.Octile(s.track[i-1], s.track[i])
			worst = max(worst, spent+lattice.Octile(s.track[i], to)-lattice.Octile(s.start(), to))
		}
		return worst
	}
	if e, v := crow(x), crow(u); (nearest == 0) != (e < v) || e == v {
		fail("as the crow flies the outcomes waste %d and %d; object %d is nearer", e, v, nearest)
	}
}

// checkTelling checks that the two goals can be told apart by the way. In default layouts the way to the unexpected
// goal must be wasteful as a way to the expected one. In collinear layouts the nearer goal must be on a cheapest way to
// the farther one.
func checkTelling(fail complaint, split bib.Split, u *shown, goal, rival lattice.Point) {
	if split == bib.Telling {
		if !wasted(u.excess(rival, true), bib.MinExcess) {
			fail("the unexpected way wastes %.1f pixels on the way to the expected goal", lattice.Length(u.excess(rival, true)))
		}
		return
	}
	near, far := goal, rival
	if u.cost(rival, true) < u.cost(goal, true) {
		near, far = rival, goal
	}
	c, ok := u.way(far, true).Cost(near)
	if !ok || u.cost(near, true)+c > u.cost(far, true)+2*lattice.Straight {
		fail("neither goal is on the way to the other")
	}
}

// TestMultiAgentEpisodes checks that within a pair only the looks of the actor differ.
func TestMultiAgentEpisodes(t *testing.T) {
	for _, split := range []bib.Split{bib.Telling, bib.Collinear} {
		count := counts{}
		eachPair(t, bib.MultiAgent, split, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
			checkVaried(fail, f)
			if !samePath(x, u) || !slices.Equal(x.Scene.Walls, u.Scene.Walls) || !slices.Equal(x.Scene.Objects, u.Scene.Objects) {
				fail("something other than the actor differs")
			}
			known := sameShape(x.Scene.Agent, f[0].Scene.Agent)
			if known == sameShape(u.Scene.Agent, f[0].Scene.Agent) {
				fail("the actor must be familiar in one outcome")
			}
			goal := 1
			if e.Variant == "A" {
				goal = 0
			}
			if !touches(x.end(), x.object(goal)) || known != (goal == 0) {
				fail("the actor goes elsewhere, or is not who it should be")
			}
			count[e.Variant]++
			count[e.Variant+preferredNearer(fail, x)]++
			checkTelling(fail, split, u, u.object(goal), u.object(1-goal))
		})
		count.balanced(t, "A", "B")
		count.balanced(t, "Anearer", "Afarther")
		count.balanced(t, "Bnearer", "Bfarther")
	}
}

// checkVaried checks that the preferred object is always the goal, and that it is farther in four trials of eight.
func checkVaried(fail complaint, f []*shown) {
	far := 0
	for _, s := range f {
		if !touches(s.end(), s.object(0)) {
			fail("the actor does not go to the preferred object")
		}
		if preferredNearer(fail, s) == "farther" {
			far++
		}
	}
	if far != 4 {
		fail("the preferred object is farther in %d trials", far)
	}
}

// TestInaccessibleEpisodes checks that the actor takes the same path to the other object in both outcomes, and that
// walls make the preferred object unreachable in the expected outcome only.
func TestInaccessibleEpisodes(t *testing.T) {
	for _, split := range []bib.Split{bib.Telling, bib.Collinear} {
		count := counts{}
		eachPair(t, bib.InaccessibleGoal, split, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
			checkVaried(fail, f)
			count[preferredNearer(fail, u)]++
			if x.cost(x.object(0), true) >= 0 || u.cost(u.object(0), true) < 0 || x.cost(x.object(1), true) < 0 || u.cost(u.object(1), true) < 0 {
				fail("the wrong objects are within reach")
			}
			if !samePath(x, u) || !slices.Equal(x.Scene.Objects, u.Scene.Objects) || !touches(x.end(), x.object(1)) {
				fail("the outcomes differ in more than walls, or end elsewhere")
			}
			if x.excess(x.object(1), true) != 0 || u.excess(u.object(1), true) != 0 {
				fail("the way wastes something")
			}
		})
		count.balanced(t, "nearer", "farther")
	}
}

// TestEfficiencyPathEpisodes checks that in familiarisation a bar of walls makes a detour the cheapest way, and that
// the same path is wasteful in the test, where the bar is removed or moved.
func TestEfficiencyPathEpisodes(t *testing.T) {
	count := counts{}
	eachPair(t, bib.EfficiencyPath, bib.Telling, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
		count[e.Variant]++
		k := slices.IndexFunc(f, func(s *shown) bool { return samePath(s, u) && s.object(0) == u.object(0) })
		if k < 0 || !slices.Equal(x.Scene.Walls, u.Scene.Walls) || x.object(0) != u.object(0) {
			fail("the unexpected trial does not repeat a familiar one, or the scenes differ")
			return
		}
		checkDetour(fail, f[k], u)
		if x.excess(x.object(0), true) != 0 || 5*(u.spent()-x.spent()) < x.spent() || !wasted(u.excess(u.object(0), true), bib.MinExcess) {
			fail("the expected way wastes %d, the unexpected one is %d instead of %d long", x.excess(x.object(0), true), u.spent(), x.spent())
		}
		moved := len(cellsOf(u.Scene.Walls)) == len(cellsOf(f[k].Scene.Walls))
		if moved != (e.Variant == "moved") {
			fail("the bar is moved: %v", moved)
		}
	})
	if !testing.Short() && count["removed"] != 2*count["moved"] {
		t.Errorf("the bar is removed %d times and moved %d times; want two to one", count["removed"], count["moved"])
	}
}

// checkDetour checks that the path of the familiarisation trial s is a cheapest way in the scene of s, and a detour
// compared with the cheapest way in the scene of `without`, where the bar of walls is removed or moved.
func checkDetour(fail complaint, s, without *shown) {
	if s.excess(s.object(0), true) != 0 {
		fail("the familiar way wastes something in its own scene")
	}
	if s.cost(s.object(0), true) < without.cost(s.object(0), true)+bib.MinExcess*lattice.Straight {
		fail("the familiar way is hardly a detour")
	}
}

// TestEfficiencyTimeEpisodes checks that the straight way to a more distant object takes as long as the familiar
// detour.
func TestEfficiencyTimeEpisodes(t *testing.T) {
	eachPair(t, bib.EfficiencyTime, bib.Telling, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
		k := slices.IndexFunc(f, func(s *shown) bool { return samePath(s, u) && s.object(0) == u.object(0) })
		if k < 0 || !slices.Equal(x.Scene.Walls, u.Scene.Walls) {
			fail("the unexpected trial does not repeat a familiar one, or the scenes differ")
			return
		}
		checkDetour(fail, f[k], u)
		if x.moving() != u.moving() || x.excess(x.object(0), true) != 0 || x.cost(x.object(0), true) != lattice.Octile(x.start(), x.object(0)) {
			fail("%d and %d frames; the expected way wastes %d", x.moving(), u.moving(), x.excess(x.object(0), true))
		}
		if lattice.Square(x.start(), x.object(0)) <= lattice.Square(u.start(), u.object(0)) || 5*u.excess(u.object(0), true) < u.cost(u.object(0), true) {
			fail("the object is not farther off, or the detour is short")
		}
	})
}

// TestIrrationalEpisodes checks that both outcomes show the same test trial, and differ in familiarisation only.
func TestIrrationalEpisodes(t *testing.T) {
	for _, task := range []bib.Task{bib.EfficiencyIrrational, bib.EfficiencyIrrationalControl} {
		eachPair(t, task, bib.Telling, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
			if !x.same(u) {
				fail("the test trials differ")
			}
			if !wasted(x.excess(x.object(0), true), bib.MinExcess) {
				fail("the test trial is not wasteful")
			}
			for k, s := range f {
				r := show(&e.Unexpected.Familiarisation[k])
				if r.excess(r.object(0), true) != 0 || !wasted(s.excess(s.object(0), true), bib.MinExcess) {
					fail("familiarisation trial %d: the rational actor wastes %d, the other one %d", k, r.excess(r.object(0), true), s.excess(s.object(0), true))
				}
				if task == bib.EfficiencyIrrationalControl {
					a, b := unshared(s.Scene.Walls, x.Scene.Walls), unshared(r.Scene.Walls, x.Scene.Walls)
					if a != b || a == 0 || samePath(s, x) {
						fail("familiarisation trial %d: the test scene differs by %d and by %d cells", k, a, b)
					}
				}
			}
			if task == bib.EfficiencyIrrational && !slices.ContainsFunc(f, func(s *shown) bool { return s.same(x) }) {
				fail("the test repeats no familiar trial")
			}
		})
	}
}

func (s *shown) same(o *shown) bool {
	return samePath(s, o) && slices.Equal(s.Scene.Walls, o.Scene.Walls) && slices.Equal(s.Scene.Objects, o.Scene.Objects) && s.Scene.Agent == o.Scene.Agent
}

func unshared(a, b []record.Rect) int {
	x, y, n := cellsOf(a), cellsOf(b), 0
	for r := range x {
		if !y[r] {
			n++
		}
	}
	for r := range y {
		if !x[r] {
			n++
		}
	}
	return n
}

// TestInstrumentalEpisodes checks that the actor fetches the key in familiarisation, where a barrier bars the object,
// and that fetching the key is the unexpected outcome of a test in which nothing bars the object.
func TestInstrumentalEpisodes(t *testing.T) {
	for _, split := range []bib.Split{bib.Telling, bib.Collinear} {
		for _, task := range []bib.Task{bib.InstrumentalNoBarrier, bib.InstrumentalInconsequential, bib.InstrumentalBlocking} {
			count := counts{}
			eachPair(t, task, split, func(fail complaint, e *bib.Episode, f []*shown, x, u *shown) {
				for _, s := range f {
					checkUnlocking(fail, s)
				}
				if !touches(u.end(), u.key()) || u.excess(u.key(), true) != 0 || u.cost(u.object(0), true) != u.cost(u.object(0), false) {
					fail("the unexpected trial does not end at the key on a cheapest way, or the object is barred")
				}
				checkTelling(fail, split, u, u.key(), u.object(0))
				if task == bib.InstrumentalBlocking {
					if !samePath(x, u) || x.object(0) != u.object(0) || x.key() != u.key() || x.cost(x.object(0), true) >= 0 || x.excess(x.key(), true) != 0 {
						fail("the outcomes must differ in the place of the barrier only, which bars the object in one")
					}
					return
				}
				if x.object(0) != u.object(0) || x.key() != u.key() || !slices.Equal(x.Scene.Barrier, u.Scene.Barrier) || !touches(x.end(), x.object(0)) || x.excess(x.object(0), true) != 0 {
					fail("the scenes differ, or the expected trial does not go straight to the object")
				}
				if barrier := len(x.Scene.Barrier) > 0 && len(x.Scene.Locks) > 0; barrier != (task == bib.InstrumentalInconsequential) {
					fail("there is a barrier: %v", barrier)
				}
				if x.moving() < u.moving() {
					count["object faster"]++
				} else if x.moving() > u.moving() {
					count["key faster"]++
				}
			})
			if task != bib.InstrumentalBlocking {
				count.balanced(t, "object faster", "key faster")
			}
		}
	}
}

// checkUnlocking checks that the actor fetches the key, brings it to the lock, waits until the barrier is gone, and
// goes on.
func checkUnlocking(fail complaint, s *shown) {
	if s.cost(s.object(0), true) >= 0 || s.cost(s.key(), true) < 0 || len(s.Changes) == 0 {
		fail("the object must be barred and the key within reach, and something must change")
		return
	}
	took, last := s.Changes[0].Frame, s.Changes[len(s.Changes)-1]
	if !touches(s.track[took], s.key()) || len(last.Barrier)+len(last.Keys)+len(last.Locks) > 0 {
		fail("the key is not taken at a touch, or something of the barrier is left")
	}
	opened := slices.IndexFunc(s.Changes, func(c record.Change) bool { return len(c.Barrier) < len(s.Scene.Barrier) })
	at := s.track[s.Changes[opened].Frame]
	if reach := lattice.Chebyshev(at, centre(s.Scene.Locks[0])); reach != 20 {
		fail("the lock is opened from %d pixels away", reach)
	}
	for i, c := range s.Changes {
		if i < opened && centre(c.Keys[0]) != s.track[c.Frame] {
			fail("frame %d: the key is not where the actor is", c.Frame)
		}
		if i >= opened && (s.track[c.Frame] != at || len(c.Barrier) != len(s.Scene.Barrier)-1-(i-opened)) {
			fail("frame %d: the actor does not wait, or the barrier does not vanish piece by piece", c.Frame)
		}
	}
	if !touches(s.end(), s.object(0)) {
		fail("the actor does not go to the object")
	}
}

// TestGoOn checks the variant of the task instrumental_blocking_barrier in which the actor goes on from the key to the
// object.
func TestGoOn(t *testing.T) {
	episodes := makeGoOn(t)
	for _, e := range episodes {
		x, u := show(&e.Expected.Test), show(&e.Unexpected.Test)
		checkUnlocking(func(format string, args ...any) { t.Errorf("episode %d: "+format, append([]any{e.Index}, args...)...) }, x)
		n := x.Changes[0].Frame
		if n != u.Changes[0].Frame || !slices.Equal(x.Path[:n], u.Path[:n]) || !touches(u.end(), u.object(0)) {
			t.Errorf("episode %d: the ways to the key differ, or the actor does not go on", e.Index)
		}
	}
}

// TestBackgroundEpisodes checks what observers can learn from background episodes, and what these must not contain.
func TestBackgroundEpisodes(t *testing.T) {
	for _, task := range bib.Background() {
		for _, e := range make12(t, task, bib.Telling, episodesOf(task), 2) {
			changed := 0
			for k := range 9 {
				tr := &e.Expected.Test
				if k < 8 {
					tr = &e.Expected.Familiarisation[k]
				}
				s := show(tr)
				if k > 0 && !sameShape(tr.Scene.Agent, e.Expected.Familiarisation[k-1].Scene.Agent) {
					changed++
				}
				if !touches(s.end(), s.object(0)) {
					t.Errorf("%s, episode %d, trial %d: the actor does not go to its object", task, e.Index, k)
				}
				if task == bib.InstrumentalAction {
					checkUnlocking(func(format string, args ...any) {
						t.Errorf("%s, episode %d, trial %d: "+format, append([]any{task, e.Index, k}, args...)...)
					}, s)
				} else if len(tr.Scene.Keys)+len(tr.Scene.Locks)+len(tr.Scene.Barrier) > 0 {
					t.Errorf("%s, episode %d, trial %d: keys or barriers", task, e.Index, k)
				}
				if near := task == bib.BackgroundPreference || task == bib.BackgroundMultiAgent; near && s.moving() > 21 {
					t.Errorf("%s, episode %d, trial %d: %d frames to an object close by", task, e.Index, k, s.moving())
				}
			}
			if want := map[bool]int{true: 1}[task == bib.BackgroundMultiAgent]; changed != want {
				t.Errorf("%s, episode %d: the actor changes %d times", task, e.Index, changed)
			}
		}
	}
}
