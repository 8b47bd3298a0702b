package policy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/rng"
)

// goals returns all goals.
func goals() []policy.Goal {
	return []policy.Goal{
		policy.Reward, policy.Oracle, policy.Nothing, policy.LastSeen, policy.NearestVisible, policy.NearestPlace, policy.Left, policy.Right,
		policy.Motion, policy.Habit, policy.Cover, policy.Search, policy.Sweep, policy.Ahead, policy.Random,
	}
}

// trials returns the trials of both lists of package gridtest.
func trials() []gridtest.Trial { return append(gridtest.Trials(), gridtest.Displacements()...) }

func newAgent(w *gridworld.World, places []gridworld.Pos, p policy.Parameters) *policy.Agent {
	room := &policy.Room{}
	room.Enter(w, places, policy.DefaultUnits())
	return &policy.Agent{Room: room, Parameters: p}
}

// play runs an episode in a copy of w. It returns the actions, the demands after each action, and the world at the end.
func play(t testing.TB, a *policy.Agent, w *gridworld.World, places []gridworld.Pos, key rng.Key) (actions []gridworld.Action, asked []policy.Demands, end *gridworld.World) {
	t.Helper()
	env := &gridworld.Env{World: w.Clone(), Places: places, Key: key}
	_, err := sim.Run(context.Background(), env, a, gridworld.Options{Record: func(_ gridworld.Observation, action gridworld.Action) {
		actions = append(actions, action)
		asked = append(asked, *a.Demands())
	}})
	if err != nil && !errors.Is(err, sim.ErrLeft) {
		t.Fatal(err)
	}
	return actions, asked, env.World
}

// impaired returns random parameters in which every ability is limited.
func impaired(r *rng.Rand, g policy.Goal) policy.Parameters {
	p := policy.Perfect(g)
	p.Fallback = []policy.Fallback{policy.StayPut, policy.GuessPlace, policy.SearchPlaces}[r.IntN(3)]
	p.Visual, p.Acuity, p.HalfAngle = 6*r.Float64(), 1+9*r.Float64(), r.IntN(2)*60
	p.Memory, p.Exclude, p.Capacity, p.Endurance, p.RightLeft = r.Float64(), 4*r.Float64(), float64(r.IntN(3)), 40*r.Float64(), r.Norm()
	p.Persists, p.Alike, p.Lava, p.Ramp, p.Edge = r.IntN(3) > 0, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0
	p.Slip = r.Float64()
	p.Follow, p.Inhibit, p.Tubes, p.Timing = 3*r.Float64(), 3*r.Float64(), r.IntN(2) == 0, r.IntN(2) == 0
	return p
}

// TestAgentsConform checks that agents with every goal conform to gridtest.Conform: without limits and with them, with
// and without Leaves. It checks the same of a Replay, and that an agent with the goal Oracle passes every trial.
func TestAgentsConform(t *testing.T) {
	trials := trials()
	for i, g := range goals() {
		r := rng.Stream(uint64(i), "impaired")
		for k, p := range []policy.Parameters{policy.Perfect(g), impaired(&r, g), impaired(&r, g), impaired(&r, g)} {
			gridtest.Conform(t, fmt.Sprint(g, " ", k), trials, 3, func(x gridtest.Trial, w *gridworld.World) gridworld.Agent {
				a := newAgent(w, x.Places, p)
				a.Leaves = k%2 == 1
				return a
			})
		}
	}
	for _, x := range trials {
		if _, _, end := play(t, newAgent(x.Open(), x.Places, policy.Perfect(policy.Oracle)), x.Open(), x.Places, rng.NewKey(1)); end.Outcome() != gridworld.Finished {
			t.Errorf("trial %s: with full information: %s", x.Name, end.Outcome())
		}
	}
	gridtest.Conform(t, "replay", trials, 1, func(x gridtest.Trial, w *gridworld.World) gridworld.Agent {
		actions, _, _ := play(t, newAgent(w, x.Places, policy.Perfect(policy.Reward)), w, x.Places, rng.NewKey(1))
		return &policy.Replay{Actions: actions}
	})
}

// random returns a random world with places; ok is false unless the world has an actor, a time limit and an episode
// that is not over.
func random(r *rng.Rand) (w *gridworld.World, places []gridworld.Pos, ok bool) {
	w = gridtest.Random(r, gridworld.Mode(r.IntN(2)), 12, r.IntN(2) == 0)
	for p := range gridtest.Cells(w) {
		if w.At(p).Kind.Passable() && r.IntN(12) == 0 && len(places) < 10 {
			places = append(places, p)
		}
	}
	return w, places, w.Inside(w.Actor().Pos) && w.Rules().Limit > 0 && w.Outcome() == gridworld.Running
}

// TestLimitsBreakOff checks the law on which predictions rest: an agent with less memory or endurance does what an
// agent without limits does, until the episode asks for more of it than the agent has. Then the agent stays where it
// is.
func TestLimitsBreakOff(t *testing.T) {
	forgot, tired := 0, 0
	check := func(name string, w *gridworld.World, places []gridworld.Pos, r *rng.Rand) {
		u := policy.DefaultUnits()
		whole, asked, _ := play(t, newAgent(w, places, policy.Perfect(policy.Reward)), w, places, rng.NewKey(1))
		for range 5 {
			p := policy.Perfect(policy.Reward)
			ticks, steps := r.IntN(12), r.IntN(12)
			p.Memory, p.Endurance = (float64(ticks)+0.5)/u.TicksPerTime, (float64(steps)+0.5)*u.PerCell
			want := slices.Clone(whole)
			for i, d := range asked {
				if d.Unseen > ticks || d.Steps > steps {
					clear(want[i:])
					if d.Unseen > ticks {
						forgot++
					} else {
						tired++
					}
					break
				}
			}
			got, _, _ := play(t, newAgent(w, places, p), w, places, rng.NewKey(1))
			n := min(len(got), len(want)) // the agent that breaks off may stay for more or fewer ticks than the other needs
			if !slices.Equal(got[:n], want[:n]) || slices.ContainsFunc(got[n:], func(a gridworld.Action) bool { return a != gridworld.Stay }) {
				t.Fatalf("%s: memory of %d ticks, %d steps: %v, want %v\nwithout limits %v\n%s", name, ticks, steps, got, want, whole, w)
			}
		}
	}
	for _, x := range trials() {
		r := rng.Stream(1, "limits", x.Name)
		if x.Name != "choice" {
			check(x.Name, x.Open(), x.Places, &r)
		}
	}
	for k := range 1500 {
		r := rng.Stream(uint64(k), "limits")
		w, places, ok := random(&r)
		rewards := 0
		for i := range w.Len() {
			if w.Thing(i).Kind == gridworld.Reward {
				rewards++
			}
		}
		if ok && rewards < 2 { // an agent that forgets one of several rewards goes for another
			check(fmt.Sprint("world ", k), w, places, &r)
		}
	}
	if forgot < 50 || tired < 50 {
		t.Errorf("%d forgot and %d were tired: the law is not tried", forgot, tired)
	}
}

// TestLeavingChangesNothing checks that an agent that leaves would otherwise have stayed where it was, and that staying
// would not have changed the outcome.
func TestLeavingChangesNothing(t *testing.T) {
	left := 0
	for k := range 3000 {
		r := rng.Stream(uint64(k), "leaves")
		w, places, ok := random(&r)
		if !ok {
			continue
		}
		p := policy.Perfect(goals()[r.IntN(len(goals()))])
		if k%2 == 0 {
			p.Goal = policy.Reward
		}
		stays, leaves := newAgent(w, places, p), newAgent(w, places, p)
		leaves.Leaves = true
		want, _, end := play(t, stays, w, places, rng.NewKey(1))
		got, _, early := play(t, leaves, w, places, rng.NewKey(1))
		if early.Outcome() == gridworld.Running {
			left++
		}
		rest := want[min(len(got), len(want)):]
		if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) || slices.ContainsFunc(rest, func(a gridworld.Action) bool { return a != gridworld.Stay }) ||
			(end.Outcome() == gridworld.Finished) != (early.Outcome() == gridworld.Finished) {
			t.Fatalf("world %d, %s: %v and %s, staying %v and %s\n%s", k, p.Goal, got, early.Outcome(), want, end.Outcome(), w)
		}
	}
	if left < 200 {
		t.Errorf("%d leave: the law is not tried", left)
	}
}

// TestDemands checks what five trials ask of an agent without limits; the numbers were found by hand.
func TestDemands(t *testing.T) {
	for _, c := range []struct {
		trial string
		want  policy.Demands
		most  int // largest number of ticks for which the agent had to remember the reward
	}{
		{"open", policy.Demands{Steps: 5, Side: 1}, 0},
		{"cups", policy.Demands{Steps: 9, Side: 1, Hidden: true, Others: []int{0, 1}}, 16},     // last seen at tick 2, seen again from tick 19 on
		{"holes", policy.Demands{Steps: 6, Side: 1, Hidden: true, Others: []int{0, 1, 3}}, 10}, // seen again in the hole
		{"dark", policy.Demands{Steps: 9, Side: -1, Hidden: true}, 13},                         // only one place can hide the reward
		{"box", policy.Demands{Steps: 8, Side: 1, Hidden: true, Others: []int{0, 1}}, 51},      // the third well is seen to be empty
	} {
		for _, x := range trials() {
			if x.Name != c.trial {
				continue
			}
			_, asked, _ := play(t, newAgent(x.Open(), x.Places, policy.Perfect(policy.Reward)), x.Open(), x.Places, rng.NewKey(1))
			most := 0
			for _, d := range asked {
				most = max(most, d.Unseen)
			}
			got := asked[len(asked)-1]
			if got.Unseen = 0; fmt.Sprint(got) != fmt.Sprint(c.want) || most != c.most {
				t.Errorf("%s: %+v, memory for %d ticks; want %+v, %d", c.trial, got, most, c.want, c.most)
			}
		}
	}
}

// TestTiesOfSearches checks that Search and Sweep differ if places are equally near: Search takes the first, Sweep
// turns left.
func TestTiesOfSearches(t *testing.T) {
	w, err := gridworld.Parse("world 1\nlimit 20\nmap\n...T\nTTT.\n....\n.A..\n....\n\nthing 0 0,4 reward hidden\n")
	if err != nil {
		t.Fatal(err)
	}
	places := []gridworld.Pos{{X: 2, Y: 2}, {X: 0, Y: 2}} // each a turn and two steps away
	first := func(g policy.Goal) gridworld.Pos {
		a := newAgent(w, places, policy.Perfect(g))
		env := &gridworld.Env{World: w.Clone(), Places: places, Key: rng.NewKey(1)}
		at := gridworld.Nowhere()
		_, err := sim.Run(context.Background(), env, a, gridworld.Options{Record: func(now gridworld.Observation, _ gridworld.Action) {
			if p := now.Self().Pos; at == gridworld.Nowhere() && slices.Contains(places, p) {
				at = p
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if p, q := first(policy.Search), first(policy.Sweep); p != places[0] || q != places[1] {
		t.Errorf("search comes to %s first and sweep to %s", p, q)
	}
}

// TestRoutes checks that a route ends at its goals, and begins with the turn that is asked for.
func TestRoutes(t *testing.T) {
	w, err := gridworld.Parse("world 1\nlimit 20\nmap\n...\nT.T\n.A.\n")
	if err != nil {
		t.Fatal(err)
	}
	var r policy.Route
	both := gridworld.BoardOf(gridworld.Pos{X: 0, Y: 0}, gridworld.Pos{X: 2, Y: 0})
	if !r.Plan(w, &both, w.Actor()) {
		t.Fatal("there is no way")
	}
	left, _ := r.Next(w.Actor(), false)
	right, d := r.Next(w.Actor(), true)
	if left != gridworld.TurnLeft || right != gridworld.TurnRight || d != gridworld.East {
		t.Errorf("%s, or %s to the %s", left, right, d)
	}
	if end, _ := r.Next(gridworld.Actor{Pos: gridworld.Pos{X: 2, Y: 0}}, false); end != gridworld.Stay {
		t.Errorf("at its end: %s", end)
	}
	walled := gridworld.BoardOf(gridworld.Pos{X: 0, Y: 1})
	if r.Plan(w, &walled, w.Actor()) {
		t.Error("there is a way into a wall")
	}
}
