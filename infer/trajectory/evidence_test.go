package trajectory_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/infer/trajectory"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

func weigh(list []trajectory.Episode) []trajectory.Evidence {
	return trajectory.NewWeigher(list).Evidence()
}

func given(t *testing.T, list []trajectory.Evidence, b trajectory.Behaviour) float64 {
	t.Helper()
	for _, e := range list {
		if e.Behaviour == b {
			return e.Given
		}
	}
	t.Fatalf("no behaviour %s", b)
	return 0
}

// TestEvidenceByHand checks Given of one episode against a calculation by hand. The reward moves in the dark, and the
// subject goes to the place where it last saw the reward, which is the behaviour last-seen.
func TestEvidenceByHand(t *testing.T) {
	s := read(t, moved)
	f := s.Forecast(rng.Stream(1))
	at := s.Statistics(s.Rollout(policy.LastSeen).Path)
	if at.First != 0 || at.Success {
		t.Fatalf("who goes to where it was last seen: %+v", at)
	}
	cells, sights := 0, 3.0 // number of possible values of First: two places, and none
	w := s.World()
	for range reachable(w) {
		cells++
	}
	uniform := 1 / (float64(cells) * sights)
	joint, outcome := 0.0, 0.0
	for _, lapses := range []float64{0.02, 0.05, 0.1, 0.2, 0.3} {
		joint += (1 - lapses) + lapses*(0.2/2.2)*uniform/2
		outcome += (1 - lapses) + lapses*(1/2.2+(0.2/2.2)*0.5) // an informed subject would succeed; one that stays fails
	}
	list := weigh([]trajectory.Episode{{Item: "i", Forecast: f, Statistics: at}})
	if got, want := given(t, list, "last-seen"), math.Log(joint/outcome); math.Abs(got-want) > 1e-12 {
		t.Errorf("log probability %v, want %v", got, want)
	}
	if list[0].Behaviour != trajectory.Seeker || given(t, list, "last-seen") < list[0].Given+0.5 {
		t.Errorf("a seeker is taken to go there too: %+v", list)
	}
}

func reachable(w *gridworld.World) map[gridworld.Pos]bool {
	b := w.Reachable(w.Actor().Pos)
	out := map[gridworld.Pos]bool{}
	for p := range b.All() {
		out[p] = true
	}
	return out
}

// TestEvidenceIsAProbability checks that the probabilities of all possible statistics, given success or failure, sum to
// 1 for every behaviour. For random walks, whose ends are spread over neighbouring cells, the sum may be below 1. With -long all worlds
// are looked at.
func TestEvidenceIsAProbability(t *testing.T) {
	names := []string{"gap", "moved", "cups", "chick", "climb"}
	if longtest.On() {
		names = slices.Collect(maps.Keys(worlds()))
	}
	for _, name := range names {
		s := read(t, worlds()[name])
		f := s.Forecast(rng.Stream(2, name))
		for _, success := range []bool{true, false} {
			sum := map[trajectory.Behaviour]float64{}
			for p := range reachable(s.World()) {
				for first := -1; first < len(s.Places); first++ {
					for _, e := range weigh([]trajectory.Episode{{Forecast: f, Statistics: trajectory.Statistics{First: first, Stop: p, Success: success}}}) {
						sum[e.Behaviour] += math.Exp(e.Given)
					}
				}
			}
			for _, b := range trajectory.Behaviours() {
				if math.Abs(sum[b]-1) > 1e-9 && !(b == trajectory.RandomWalk && sum[b] < 1 && sum[b] > 0.3) {
					t.Errorf("%s, success %v: %s gives %v to all that could be seen", name, success, b, sum[b])
				}
			}
		}
	}
}

// TestBehavioursAreRecognised checks that the paths of each shortcut, and of the plain policy, favour the behaviour that
// made them.
func TestBehavioursAreRecognised(t *testing.T) {
	type trial struct {
		s *trajectory.Scene
		f *trajectory.Forecast
	}
	var trials []trial
	for _, name := range []string{"gap", "moved", "cups", "holes", "chick", "room", "climb", "lake"} {
		s := read(t, worlds()[name])
		trials = append(trials, trial{s, s.Forecast(rng.Stream(3, name))})
	}
	shortcuts, names := trajectory.Shortcuts()
	for i, who := range append(shortcuts, policy.Reward) {
		name, walk := trajectory.Plain, func(s *trajectory.Scene) *trajectory.Rollout { return s.Rollout(who) }
		if who != policy.Reward {
			name, walk = names[i], func(s *trajectory.Scene) *trajectory.Rollout { return s.Taking(i) }
		}
		var list []trajectory.Episode
		for _, at := range trials {
			for range 3 {
				list = append(list, trajectory.Episode{Forecast: at.f, Statistics: at.s.Statistics(walk(at.s).Path)})
			}
		}
		all := weigh(list)
		mine := given(t, all, name)
		for _, e := range all {
			if e.Given > mine+4 {
				t.Errorf("%s: %s has %.1f, it has %.1f", name, e.Behaviour, e.Given, mine)
			}
		}
		if who != policy.Reward && who != policy.NearestVisible && mine < all[0].Given+1 {
			t.Errorf("%s: %.1f, a seeker %.1f", name, mine, all[0].Given)
		}
	}
}

// TestWeaknessesAreRecognised checks that failures in one way favour the behaviour with this way of failing.
func TestWeaknessesAreRecognised(t *testing.T) {
	for _, c := range []struct {
		worlds []string
		limits func(m *trajectory.Abilities)
		want   trajectory.Behaviour
	}{
		{[]string{"lake", "holes", "room"}, func(m *trajectory.Abilities) { m.Lava = 0 }, trajectory.Burns},
		{[]string{"slope", "climb"}, func(m *trajectory.Abilities) { m.Ramp = 0 }, trajectory.Sticks},
		{[]string{"ledge", "room"}, func(m *trajectory.Abilities) { m.Platform = 0 }, trajectory.Falls},
		{[]string{"gap", "lake", "room", "climb", "cups"}, func(m *trajectory.Abilities) { m.FlatNav = 8 }, trajectory.Tires},
		{[]string{"gap", "climb", "room"}, func(m *trajectory.Abilities) { m.OP = 0 }, trajectory.Mistakes},
		{[]string{"chick", "gap", "room"}, func(m *trajectory.Abilities) { m.Memory = 0.07 }, trajectory.Forgets},
		{[]string{"gap", "chick", "slope"}, func(m *trajectory.Abilities) { m.Visual = -9 }, trajectory.Plain},
	} {
		var list []trajectory.Episode
		for _, name := range append(c.worlds, "gap", "moved") {
			s := read(t, worlds()[name])
			f := s.Forecast(rng.Stream(4, name))
			p, _ := s.Certainly(able(c.limits), 1)
			for range 3 {
				list = append(list, trajectory.Episode{Forecast: f, Statistics: s.Statistics(p)})
			}
		}
		all := weigh(list)
		mine := given(t, all, c.want)
		for _, e := range all {
			if !e.Behaviour.Degenerate() && e.Given > mine+1e-9 {
				t.Errorf("%s: %s has %.1f, it has %.1f", c.want, e.Behaviour, e.Given, mine)
			}
		}
	}
}

// TestTogether checks the names of joint behaviours, and that a cheat which walks into lava on the way to where its shortcut leads
// is recognised as both.
func TestTogether(t *testing.T) {
	for want, list := range map[trajectory.Behaviour][]trajectory.Behaviour{
		"burns + sticks":     {trajectory.Sticks, trajectory.Plain, trajectory.Burns},
		"plain":              {trajectory.Plain, trajectory.Plain},
		"seeker":             {trajectory.Burns, trajectory.Seeker},
		"seeker + last-seen": {trajectory.Seeker, "last-seen"},
		"plain + last-seen":  {"last-seen", trajectory.Plain},
	} {
		if got := trajectory.Together(list...); got != want {
			t.Errorf("%v: %s; want %s", list, got, want)
		}
	}
	var list []trajectory.Episode
	for name, text := range map[string]string{"moved": moved, "lake": worlds()["lake"], "holes": worlds()["holes"], "room": worlds()["room"]} {
		s := read(t, text)
		f := s.Forecast(rng.Stream(5, name))
		for range 3 {
			list = append(list, trajectory.Episode{Forecast: f, Statistics: s.Statistics(s.Burning(policy.LastSeen))})
		}
	}
	w := trajectory.NewWeigher(list)
	both := trajectory.Together("last-seen", trajectory.Burns)
	for _, e := range w.Evidence() {
		if w.Given(both) < e.Given+3 {
			t.Errorf("%s: %.1f, but %s has %.1f", both, w.Given(both), e.Behaviour, e.Given)
		}
	}
	if !both.Degenerate() || trajectory.Together(trajectory.Burns, trajectory.Sticks).Degenerate() {
		t.Error("what contains a shortcut is degenerate, and nothing else is")
	}
}

// TestLapsesAreLearnt checks that a lapse is less probable after twenty episodes without one.
func TestLapsesAreLearnt(t *testing.T) {
	s := read(t, moved)
	f := s.Forecast(rng.Stream(1))
	usual := trajectory.Episode{Forecast: f, Statistics: s.Statistics(s.Rollout(policy.LastSeen).Path)}
	lapse := trajectory.Episode{Forecast: f, Statistics: s.Statistics(s.Rollout(policy.Nothing).Path)}
	of := func(list ...trajectory.Episode) float64 { return given(t, weigh(list), "last-seen") }
	var many []trajectory.Episode
	for range 20 {
		many = append(many, usual)
	}
	first := of(lapse)
	later := of(append(many, lapse)...) - of(many...)
	if later > first-0.5 {
		t.Errorf("a lapse has log probability %.2f at first and %.2f after twenty episodes without", first, later)
	}
}
