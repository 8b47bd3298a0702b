package embodied_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/agenttest"
	"achilles/agents/embodied"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/rng"
)

// An arena lets bodies take one trial.
type arena struct {
	trial gridtest.Trial
	world *gridworld.World
	room  policy.Room
	actor embodied.Actor
	moves []gridworld.Action
	last  gridworld.World
	env   gridworld.Env
	notes gridworld.Options
}

// trials returns all trials of package gridtest.
func trials() []gridtest.Trial { return append(gridtest.Trials(), gridtest.Displacements()...) }

func open(t testing.TB, name string) *arena {
	t.Helper()
	for _, s := range trials() {
		if s.Name == name {
			h := &arena{trial: s, world: s.Open()}
			h.room.Enter(h.world, s.Places, policy.DefaultUnits())
			return h
		}
	}
	t.Fatalf("no trial %s", name)
	return nil
}

func disposition(t testing.TB, b embodied.Body) *embodied.Disposition {
	t.Helper()
	p, err := embodied.New(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (h *arena) play(d *embodied.Disposition, k rng.Key) policy.Cause {
	h.actor.Disposition, h.actor.Room = d, &h.room
	h.run(&h.actor, k)
	return h.actor.Cause(&h.last)
}

func (h *arena) run(a gridworld.Agent, k rng.Key) {
	h.last.CopyFrom(h.world)
	h.moves = h.moves[:0]
	h.env = gridworld.Env{World: &h.last, Places: h.trial.Places, Key: k}
	if h.notes.Record == nil {
		h.notes.Record = func(_ gridworld.Observation, action gridworld.Action) { h.moves = append(h.moves, action) }
	}
	if _, err := sim.Run(context.Background(), &h.env, a, h.notes); err != nil {
		panic(err)
	}
}

// able is an actor whose capabilities have the given values in every episode instead of drawn ones.
type able struct {
	*embodied.Actor
	memory, op, visual, endurance float64
}

func (a able) Reset(ctx context.Context, first gridworld.Observation) error {
	err := a.Actor.Reset(ctx, first)
	a.Memory, a.Exclude, a.Visual, a.Endurance = a.memory, a.op, a.visual, a.endurance
	return err
}

// words returns the moves as text, with equal moves in a row counted: forward 3, right 1.
func (h *arena) words() string {
	var out []string
	for i := 0; i < len(h.moves); {
		n := 1
		for i+n < len(h.moves) && h.moves[i+n] == h.moves[i] {
			n++
		}
		out = append(out, fmt.Sprintf("%s %d", h.moves[i], n))
		i += n
	}
	return strings.Join(out, ", ")
}

func with(pairs ...any) embodied.Body {
	b := embodied.Body{Trait: map[string]float64{}}
	for i := 0; i < len(pairs); i += 2 {
		b.Trait[pairs[i].(string)] = pairs[i+1].(float64)
	}
	return b
}

const never = -1e6 // a level so low that no draw reaches any demand

// TestWorkedExamples checks the moves of a body in a trial, and the cause of its failure, against examples by hand.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		trial string
		body  embodied.Body
		moves string
		cause policy.Cause
	}{
		{"open", embodied.Body{}, "forward 3, right 1, forward 2", policy.None},
		{"open", with("visual", never), "stay 40", policy.NotSeen},
		{"open", with("flatNav", never), "stay 40", policy.Tired},
		{"open", with("noise", 1.0), "stay 40", policy.Lapsed},
		{"open", with("noise", 1.0, "chance", 1.0, "visual", never), "forward 3, right 1, forward 2", policy.None},
		// A reward in sight demands neither memory nor op.
		{"open", with("memory", never, "op", never), "forward 3, right 1, forward 2", policy.None},
		{"open", with("acuity", 2.0), "stay 40", policy.NotSeen}, // √13 cells are too far
		{"open", with("acuity", 4.0), "forward 3, right 1, forward 2", policy.None},
		{"far", with("fieldOfView", 45.0), "right 3, forward 13, right 1, forward 1", policy.None}, // the body turns round first, to look
		{"open", embodied.Body{Goal: policy.Nothing}, "stay 40", policy.Lapsed},
		{"open", embodied.Body{Goal: policy.Ahead}, "forward 40", policy.TimeOut},

		// The body is held until tick 10 and then walks round the eastern wall.
		{"cups", embodied.Body{}, "stay 10, forward 3, right 1, forward 2, left 1, forward 2, right 1, forward 2", policy.None},
		{"cups", with("memory", never), "stay 80", policy.Forgot},
		{"cups", with("persistence", 0.0), "stay 80", policy.OutOfMind},
		{"cups", with("capacity", 0.0), "stay 80", policy.Forgot},
		{"cups", with("shyGreen", 1.0), "stay 80", policy.Shy},
		{"cups", with("shyBlue", 1.0), "stay 80", policy.Shy},
		{"cups", with("pullLeft", 1.0), "stay 10, forward 3, left 1, forward 2, right 1, forward 2, left 1, forward 2, stay 58", policy.Wrong},
		{"cups", with("pullRight", 1.0, "memory", 9.0), "stay 10, forward 3, right 1, forward 2, left 1, forward 2, right 1, forward 2", policy.None},
		{"cups", embodied.Body{Goal: policy.NearestVisible}, "stay 80", policy.OutOfMind},
		{"cups", embodied.Body{Goal: policy.LastSeen}, "stay 10, forward 3, right 1, forward 2, left 1, forward 2, right 1, forward 2", policy.None},
		{"cups", embodied.Body{Trait: with("memory", never).Trait, Fallback: policy.SearchPlaces},
			"stay 10, forward 3, left 1, forward 2, right 1, forward 2, right 1, forward 6", policy.None},

		// A body that is in a hole cannot leave it.
		{"holes", embodied.Body{}, "stay 6, forward 4, right 1, forward 2", policy.None},
		{"holes", embodied.Body{Goal: policy.Left}, "stay 6, forward 4, left 1, forward 1, stay 48", policy.Wrong},
		{"holes", embodied.Body{Goal: policy.Right}, "stay 6, forward 4, right 1, forward 2", policy.None},
		{"holes", embodied.Body{Goal: policy.Search}, "stay 6, forward 4, left 1, forward 1, stay 48", policy.Wrong},
		{"holes", with("slip", 1.0), "stay 6, forward 4, left 1, forward 1, stay 48", policy.Slipped},

		// A body that has chosen a place walks round the other places and does not look into them.
		{"corridor", embodied.Body{}, "stay 4, forward 2, right 1, forward 3, right 1, forward 1, left 1, forward 2", policy.None},
		{"corridor", with("op", never), "stay 4, forward 2, right 1, forward 3, right 1, forward 2, left 1, forward 4, left 1, forward 1, stay 40", policy.Wrong},

		// The body sees that all other places are empty. It infers that the reward is at the last one or, without op, does
		// not have the reward in mind.
		{"dark", embodied.Body{}, "stay 12, forward 5, left 1, forward 4", policy.None},
		{"dark", with("op", never), "stay 80", policy.OutOfMind},

		{"lava", embodied.Body{}, "forward 1, left 1, forward 3, right 1, forward 3, right 1, forward 3", policy.None},
		{"lava", with("lava", 0.0), "forward 2", policy.Burnt},
		{"lava", embodied.Body{Goal: policy.Ahead}, "forward 2", policy.Burnt},
		{"ramp", embodied.Body{}, "forward 4", policy.None},
		{"ramp", with("ramp", 0.0), "forward 2, stay 38", policy.Stuck},
		{"ledge", embodied.Body{}, "forward 3", policy.None},
		{"ledge", with("platform", 0.0), "forward 2, stay 38", policy.Fell},

		// A reward that was hidden elsewhere before demands inhibition. A reward that is moved on under a cover demands
		// tracking.
		{"habit", embodied.Body{}, "stay 59, forward 5, right 1, forward 1, left 1, forward 2", policy.None},
		{"habit", with("inhibition", never), "stay 59, forward 5, left 1, forward 1, right 1, forward 2, stay 45", policy.Wrong},
		{"habit", embodied.Body{Goal: policy.Habit}, "stay 59, forward 5, left 1, forward 1, right 1, forward 2, stay 45", policy.Wrong},
		{"cover", embodied.Body{}, "stay 44, forward 5, right 1, forward 1, left 1, forward 2", policy.None},
		{"cover", with("tracking", never), "stay 44, forward 5, left 1, forward 3, right 1, forward 2, stay 43", policy.Wrong},
		{"cover", embodied.Body{Goal: policy.Cover}, "stay 44, forward 5, right 1, forward 1, left 1, forward 2", policy.None},

		// The body knows where the reward is, and goes elsewhere because it is not rational.
		{"cups", with("rationality", never), "stay 10, forward 3, left 1, forward 2, right 1, forward 2, left 1, forward 2, stay 58", policy.Wrong},

		{"choice", embodied.Body{}, "right 1, forward 2", policy.None}, // the right reward is worth more than the left one
		{"choice", embodied.Body{Goal: policy.NearestVisible}, "left 1, forward 2", policy.None},
		{"eight", embodied.Body{}, "south 1, east 2, north-east 1, north 2", policy.None},
	} {
		h := open(t, c.trial)
		cause := h.play(disposition(t, c.body), rng.NewKey(1, "worked"))
		if got := h.words(); got != c.moves || cause != c.cause {
			t.Errorf("%s, %v: %s (%s), want %s (%s)", c.trial, c.body, got, cause, c.moves, c.cause)
		}
	}
}

// z is the largest deviation of a frequency that passes, in standard deviations: with a probability of about 1e-6, a
// correct body fails one of 60 checks.
const z = 5.8

// hidden returns the largest number of ticks in a row at which the reward cannot be seen from where the actor stands, along
// the moves of a body without limits.
func (h *arena) hidden(t testing.TB) int {
	h.play(disposition(t, embodied.Body{}), rng.NewKey(1, "measure"))
	w := h.world.Clone()
	longest, n := 0, 0
	for _, a := range h.moves {
		thing := w.Thing(0)
		if n++; !w.Dark() && thing.State <= gridworld.Air && (thing.State == gridworld.Air || w.Sees(w.Actor().Pos, thing.Pos)) {
			n = 0
		}
		longest = max(longest, n)
		w.Step(a)
	}
	return longest
}

// reward returns the index of the last reward. No other reward of a trial is worth more.
func (h *arena) reward() (i int) {
	for k := range h.world.Len() {
		if h.world.Thing(k).Kind == gridworld.Reward {
			i = k
		}
	}
	return i
}

func (h *arena) steps() (n int) {
	for _, a := range h.moves {
		if a == gridworld.Forward {
			n++
		}
	}
	return n
}

// TestBodiesConform applies agenttest.Acts to bodies with every goal, with every fallback, with every trait at its bounds,
// and with all traits limited at once.
func TestBodiesConform(t *testing.T) {
	conform := func(name string, b embodied.Body) {
		agenttest.Acts(t, agents.Spec{Name: name, Body: []agents.Body{{Body: b}}}, trials(), nil)
	}
	for _, g := range embodied.Goals() {
		conform(string(g), embodied.Body{Goal: g})
		conform(string(g)+" lapsing", embodied.Body{Goal: g, Trait: map[string]float64{"noise": 0.5, "chance": 0.5, "slip": 0.2, "fieldOfView": 60, "acuity": 8}})
	}
	for _, l := range embodied.Fallbacks() {
		conform(string(l), embodied.Body{Fallback: l, Trait: map[string]float64{"memory": 0.2}})
	}
	all := map[string]float64{}
	for _, trait := range embodied.Traits() {
		for _, x := range []float64{max(trait.Low, -2), min(trait.High, 3)} {
			conform(trait.Name, with(trait.Name, x))
		}
		all[trait.Name] = max(trait.Low, min(trait.High, 1.5)) / 2
	}
	all["fieldOfView"], all["acuity"] = 70, 4
	conform("everything", embodied.Body{Trait: all})
}

// TestRoomsAreShared checks that an episode does not depend on the trials and bodies that the room was used for before.
func TestRoomsAreShared(t *testing.T) {
	p := disposition(t, with("memory", 0.3, "op", 2.0, "lava", 0.5, "slip", 0.1))
	var room policy.Room // used for all trials, one after the other
	last := embodied.Actor{Disposition: p}
	last.Room = &room
	for _, s := range trials() {
		h := open(t, s.Name)
		room.Enter(h.world, s.Places, policy.DefaultUnits())
		h.run(&last, rng.NewKey(1, "shared"))
		moves := slices.Clone(h.moves)
		h.play(p, rng.NewKey(1, "shared"))
		if !slices.Equal(moves, h.moves) {
			t.Fatalf("trial %s: another trial before makes a difference", s.Name)
		}
		for root := range uint64(50) {
			cause := h.play(p, rng.NewKey(root, "shared"))
			words := h.words()
			for _, g := range embodied.Goals() {
				h.play(disposition(t, embodied.Body{Goal: g}), rng.NewKey(root, "others"))
			}
			if again := h.play(p, rng.NewKey(root, "shared")); again != cause || h.words() != words {
				t.Fatalf("trial %s, root %d: %s (%s), and after others %s (%s)", s.Name, root, words, cause, h.words(), again)
			}
		}
	}
}

// TestMirroredWorld checks that in a mirrored world a body without limits takes as many ticks and ends with the same cause.
func TestMirroredWorld(t *testing.T) {
	for _, s := range trials() {
		h := open(t, s.Name)
		cause := h.play(disposition(t, embodied.Body{}), rng.NewKey(1, "mirror"))
		ticks := len(h.moves)
		m := &arena{world: h.world.Transform(gridworld.Mirror)}
		var places []gridworld.Pos
		for _, p := range s.Places {
			places = append([]gridworld.Pos{gridworld.Mirror.Pos(p, h.world.Width(), h.world.Height())}, places...)
		}
		m.room.Enter(m.world, places, policy.DefaultUnits())
		if got := m.play(disposition(t, embodied.Body{}), rng.NewKey(1, "mirror")); got != cause || len(m.moves) != ticks {
			t.Errorf("trial %s: %q after %d ticks, mirrored %q after %d", s.Name, cause, ticks, got, len(m.moves))
		}
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, c := range []struct {
		body      embodied.Body
		key, says string
	}{
		{with("memry", 1.0), "memry", "unknown trait: did you mean memory?"},
		{with("lava", 1.1), "lava", "want a number from 0 to 1, not 1.1"},
		{with("acuity", 0.0), "acuity", "want a number from 0.01, not 0"},
		{with("memory", math.NaN()), "memory", "want a number, not NaN"},
		{embodied.Body{Goal: "lastseen"}, "goal", "did you mean last-seen?"},
		{embodied.Body{Fallback: "gues"}, "lost", "did you mean guess?"},
	} {
		err := c.body.Check()
		var fe *embodied.FieldError
		if !errors.As(err, &fe) || fe.Key != c.key || !strings.Contains(fe.Msg, c.says) {
			t.Errorf("%v: error %v does not say %s: %s", c.body, err, c.key, c.says)
		}
	}
}

// TestNoAllocation checks that an episode allocates no memory after the first two.
func TestNoAllocation(t *testing.T) {
	for _, s := range trials() {
		h, p := open(t, s.Name), disposition(t, with("memory", 0.3, "lava", 0.5, "slip", 0.1))
		h.play(p, rng.NewKey(1, "warm"))
		h.play(p, rng.NewKey(2, "warm"))
		i := uint64(0)
		if n := testing.AllocsPerRun(100, func() { i++; h.play(p, rng.NewKey(i, "alloc")) }); n > 0 {
			t.Errorf("trial %s: %v allocations an episode", s.Name, n)
		}
	}
}

func BenchmarkPlay(b *testing.B) {
	for _, name := range []string{"open", "cups", "lava"} {
		b.Run(name, func(b *testing.B) {
			h, p := open(b, name), disposition(b, embodied.Body{})
			b.ReportAllocs()
			for i := range b.N {
				h.play(p, rng.NewKey(uint64(i), "bench"))
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "episodes/s")
		})
	}
}
