package trajectory

import (
	"slices"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/rng"
)

// A component is one way in which an episode can come about. A behaviour is a mixture of components.
type component uint8

// The components. The first are those of a subject that goes for the reward, with its failures. From degenerate on there
// is one for each element of shortcuts(), in the same order, and then the failures on the way of each (see failing).
const (
	seeks      component = iota // goes to where the reward must be
	informed                    // goes to the reward with full information
	stays                       // does not set off
	breaksOff                   // stops on the way, because it is tired
	forgets                     // stops when it has not seen the reward for too long, perhaps before it sets off
	mistakes                    // goes to one of the other places in which the reward could lie
	strays                      // goes to any wrong place
	pullsLeft                   // goes to the nearest place on the left
	pullsRight                  // goes to the nearest place on the right
	burns                       // walks into lava
	sticks                      // gets stuck on a ramp
	falls                       // falls off a ledge
	walks                       // walks at random
	unable                      // lacks an ability: one for each element of wants(), in the same order
	degenerate = unable + abilities
	abilities  = 17 // number of wants
	policies   = 16 // number of shortcuts
	components = degenerate + policies*(1+failures)
)

// failures is the number of ways in which a subject that takes a shortcut may fail before it gets there: it walks into lava,
// gets stuck on a ramp, falls off a ledge, or stops. tiring is the last of them.
const (
	failures = 4
	tiring   = failures - 1
)

// failing returns the component of a subject that takes shortcut i and fails in this way.
func failing(i, way int) component { return degenerate + policies + component(i*failures+way) }

// A shortcut is a degenerate behaviour with its policy. The policies are described in docs/reference/worlds.md.
type shortcut struct {
	behaviour Behaviour
	goal      policy.Goal
	direct    bool // it never goes away from where it wants to go
}

func shortcuts() [policies]shortcut {
	return [...]shortcut{
		{behaviour: "last-seen", goal: policy.LastSeen}, {behaviour: "nearest-visible", goal: policy.NearestVisible},
		{behaviour: "nearest-place", goal: policy.NearestPlace}, {behaviour: "always-left", goal: policy.Left},
		{behaviour: "always-right", goal: policy.Right}, {behaviour: "motion-follower", goal: policy.Motion},
		{behaviour: "search", goal: policy.Search}, {behaviour: "straight-ahead", goal: policy.Ahead},
		{behaviour: "perseverate", goal: policy.Habit}, {behaviour: "cover", goal: policy.Cover},
		{behaviour: "largest-cover", goal: policy.LargestCover}, {behaviour: "direct", goal: policy.LastSeen, direct: true},
		{behaviour: "largest-area", goal: policy.LargestArea}, {behaviour: "most-pieces", goal: policy.MostPieces},
		{behaviour: "last-gone", goal: policy.LastGone}, {behaviour: "best-seen", goal: policy.BestSeen},
	}
}

// kind returns the kind of agent that takes the shortcut and never fails.
func (x shortcut) kind() kind {
	k := kindOf(x.goal)
	k.direct = x.direct
	return k
}

// A want is the lack of one ability to infer where the reward is, or to go there. Who lacks it is sure of a wrong place, which may
// be that of a shortcut, or does not get away from where it is.
type want struct {
	behaviour Behaviour
	lose      func(p *policy.Parameters, level float64) // level: how much of it there is left, where that makes a difference
	graded    bool                                      // it does: who has more goes to another place, or farther
}

func wants() [abilities]want {
	lose := func(set func(p *policy.Parameters)) func(*policy.Parameters, float64) {
		return func(p *policy.Parameters, _ float64) { set(p) }
	}
	return [...]want{
		{LacksInhibition, lose(func(p *policy.Parameters) { p.Inhibit = 0 }), false},
		{LacksTracking, lose(func(p *policy.Parameters) { p.Follow = 0 }), false},
		{LacksTubes, lose(func(p *policy.Parameters) { p.Tubes = false }), false},
		{LacksTiming, lose(func(p *policy.Parameters) { p.Timing = false }), false},
		{LacksOpenings, lose(func(p *policy.Parameters) { p.Openings = false }), false},
		{LacksSizes, lose(func(p *policy.Parameters) { p.Sizes = false }), false},
		{LacksWhen, lose(func(p *policy.Parameters) { p.When = false }), false},
		{LacksNumber, lose(func(p *policy.Parameters) { p.Number = 0 }), false},
		{LacksRetreat, func(p *policy.Parameters, cells float64) { p.Retreat = cells }, true},
		{LacksRatio, func(p *policy.Parameters, n float64) { p.Ratio = n }, true},
		{LacksArea, lose(func(p *policy.Parameters) { p.Area = false }), false},
		{LacksCohesion, lose(func(p *policy.Parameters) { p.Cohesion = false }), false},
		{LacksReach, lose(func(p *policy.Parameters) { p.Reach = false }), false},
		{LacksGone, lose(func(p *policy.Parameters) { p.Gone = false }), false},
		{LacksDecoys, lose(func(p *policy.Parameters) { p.Decoys = false }), false},
		{LacksBoards, lose(func(p *policy.Parameters) { p.Boards = false }), false},
		{LacksTools, lose(func(p *policy.Parameters) { p.Tools = false }), false},
	}
}

// Statistics has the features of an episode that are compared with a forecast.
type Statistics struct {
	First   int           // index of the place visited first; −1: none
	Stop    gridworld.Pos // cell in which the episode ended
	Success bool          // whether it ended at the reward
}

// Statistics returns the statistics of a path in the scene.
func (s *Scene) Statistics(p Path) Statistics {
	sum := s.Summarise(p)
	return Statistics{sum.First(), sum.Stop, sum.Ending == Rewarded}
}

// A weighted has the statistics of one possible episode, with its probability.
type weighted struct {
	Statistics
	p float64
}

// A Forecast has the distribution of an episode's statistics in one scene, under every component. It is small, safe for
// concurrent use, and does not refer to the scene.
type Forecast struct {
	component [components][]weighted // probabilities sum to 1; empty if the component is not possible in the scene
	uniform   float64                // probability of each pair of First and Stop under the uniform distribution
}

const (
	randomWalks = 200 // number of random walks simulated for a forecast
	maxLevel    = 12  // largest level of a graded ability that is tried, such as cells away from the reward
	spread      = 2   // a simulated end of a random walk stands for all cells at most this far from it, with equal probability
)

// Forecast computes the forecast of the scene. It draws random walks with r.
func (s *Scene) Forecast(r rng.Rand) *Forecast {
	f := &Forecast{}
	one := func(m component, c *Rollout) { f.component[m] = []weighted{{s.Statistics(c.Path), 1}} }
	plain := s.Rollout(policy.Reward)
	one(seeks, plain)
	one(informed, s.Rollout(policy.Oracle))
	one(stays, s.Rollout(policy.Nothing))
	for i, goal := range [...]policy.Goal{policy.Left, policy.Right} {
		if c := s.Rollout(goal); c.Path.Moves() { // the agent does not move if there is no place on that side
			one(pullsLeft+component(i), c)
		}
	}
	for i := range 3 { // burns, sticks, falls
		if l := lacks(1) << i; s.ground&l != 0 {
			one(burns+component(i), s.rollout(lacking(l)))
		}
	}
	for i := range abilities {
		f.component[unable+component(i)] = s.without(i, plain)
	}
	f.component[breaksOff] = s.prefixes(plain.Path)
	for i, x := range shortcuts() {
		c := s.rollout(x.kind())
		one(degenerate+component(i), c)
		for way := range tiring {
			if l := lacks(1) << way; s.ground&l != 0 {
				k := x.kind()
				k.lacks = l
				one(failing(i, way), s.rollout(k))
			}
		}
		if f.component[failing(i, tiring)] = f.component[breaksOff]; !slices.Equal(c.Path, plain.Path) {
			f.component[failing(i, tiring)] = s.prefixes(c.Path)
		}
	}
	f.component[forgets] = s.lapses(plain)
	f.component[mistakes] = s.toPlaces(plain.others, func(k *kind, place int) { k.wrong = place })
	f.component[strays] = s.toPlaces(s.wrongPlaces(), func(k *kind, place int) { k.pull = place })
	f.component[walks] = s.randomWalks(&r)
	can := s.room.Layout().Reachable(s.room.Start().Pos)
	f.uniform = 1 / float64(can.Len()*(len(s.Places)+1))
	return f
}

// without returns the statistics of agents that lack ability i of wants, or nil if they do the same as plain. Each level of a graded one
// that makes a difference is as probable: of going away from the reward, each number of cells.
func (s *Scene) without(i int, plain *Rollout) (out []weighted) {
	for k := kindOf(policy.Reward); ; k.level++ {
		k.want = i + 1
		at := s.Statistics(s.rollout(k).Path)
		if at == s.Statistics(plain.Path) {
			return even(out)
		}
		if out = append(out, weighted{at, 1}); !wants()[i].graded || k.level == maxLevel {
			return even(out)
		}
	}
}

// prefixes returns the statistics of a path that stops before one of its steps, each step with equal probability.
func (s *Scene) prefixes(p Path) (out []weighted) {
	for t := 1; t < len(p); t++ {
		if p[t] != p[t-1] {
			out = append(out, weighted{s.Statistics(p[:t]), 1})
		}
	}
	return even(out)
}

// lapses returns the statistics of a subject that forgets during rollout c. The time that its memory lasts is uniform from
// 0 to the longest time that the rollout demands.
func (s *Scene) lapses(c *Rollout) (out []weighted) {
	before := 0
	for t, unseen := range c.unseen {
		if unseen > before {
			out = append(out, weighted{s.Statistics(trimmed(c.Path[:min(t+1, len(c.Path))])), float64(unseen-before) / float64(c.longest())})
			before = unseen
		}
	}
	return out
}

// toPlaces returns the statistics of agents that go to one of these places, each with equal probability. set changes a
// kind of agent so that it goes to a place.
func (s *Scene) toPlaces(places []int, set func(k *kind, place int)) (out []weighted) {
	for _, place := range places {
		k := kindOf(policy.Reward)
		set(&k, place)
		out = append(out, weighted{s.Statistics(s.rollout(k).Path), 1})
	}
	return even(out)
}

// even gives every element of list the same probability.
func even(list []weighted) []weighted {
	for i := range list {
		list[i].p = 1 / float64(len(list))
	}
	return list
}

// randomWalks returns the statistics of simulated random walks.
func (s *Scene) randomWalks(r *rng.Rand) (out []weighted) {
	s.agent.Parameters, s.agent.Draws = policy.Perfect(policy.Random), r
	defer func() { s.agent.Draws = nil }()
	for range randomWalks {
		var path Path
		s.run(func(now gridworld.Observation, _ gridworld.Action) { path = append(path, now.Self().Pos) })
		out = append(out, weighted{s.Statistics(trimmed(append(path, s.work.Actor().Pos))), 1})
	}
	return even(out)
}

// likelihood returns the probability of the statistics under a component.
func (f *Forecast) likelihood(m component, at Statistics) float64 {
	p := 0.0
	for _, w := range f.component[m] {
		switch {
		case m != walks:
			if w.Statistics == at {
				p += w.p
			}
		case w.First == at.First && w.Success == at.Success && w.Stop.Chebyshev(at.Stop) <= spread:
			p += w.p / ((2*spread + 1) * (2*spread + 1))
		}
	}
	return p
}

// outcome returns the probability of success, or of failure if success is false, under a component.
func (f *Forecast) outcome(m component, success bool) float64 {
	p := 0.0
	for _, w := range f.component[m] {
		if w.Success == success {
			p += w.p
		}
	}
	return p
}
