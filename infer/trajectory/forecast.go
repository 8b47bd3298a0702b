package trajectory

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/rng"
)

// A manner is one way in which an episode can come about.
type manner uint8

// The manners. The first ones are those of somebody who goes for the reward, with all that can go wrong; the others are
// the shortcuts, in their order.
const (
	seeks     manner = iota // goes to where the reward must be
	informed                // walks to it with full information
	stays                   // does not set off
	breaksOff               // stops somewhere on the way, tired
	forgets                 // stops when it has not seen the reward for too long, which may be before it sets off
	mistakes                // goes to one of the other places in which the reward could lie
	strays                  // goes to any wrong place
	pullsLeft               // goes to the nearest place on the left
	pullsRight
	burns  // walks into lava
	sticks // on a ramp
	falls  // off a ledge
	walks  // at random
	degenerate
	manners = degenerate + 8
)

// A shortcut is a degenerate way to behave, named as the policies of docs/reference/worlds.md.
type shortcut struct {
	behaviour Behaviour
	goal      policy.Goal
}

func shortcuts() [manners - degenerate]shortcut {
	return [...]shortcut{
		{"last-seen", policy.LastSeen}, {"nearest-visible", policy.NearestVisible}, {"nearest-place", policy.NearestPlace}, {"always-left", policy.Left},
		{"always-right", policy.Right}, {"motion-follower", policy.Motion}, {"search", policy.Search}, {"straight-ahead", policy.Ahead},
	}
}

// A Sight is what of an episode is compared: the place searched first, where it ended, and whether that was at the
// reward.
type Sight struct {
	First   int // −1: none
	Stop    gridworld.Pos
	Success bool
}

// Seen is what of a path in the scene is compared.
func (s *Scene) Seen(p Path) Sight {
	sum := s.Summarise(p)
	return Sight{sum.First(), sum.Stop, sum.Ending == Rewarded}
}

// A weighted sight is one of those to which a manner leads.
type weighted struct {
	Sight
	p float64
}

// A Forecast is where every manner of behaving leads in one scene. It is small, safe for concurrent use, and refers to
// nothing of the scene.
type Forecast struct {
	manner [manners][]weighted // probabilities sum to 1; none where the scene has no occasion for it
	anyhow float64             // probability of any one sight where nothing is known
}

// randomWalks is how many a forecast rests on, and blur how far around their ends others are expected.
const (
	randomWalks = 200
	blur        = 2
)

// Forecast works out where every manner of behaving leads. Random walks are drawn from r.
func (s *Scene) Forecast(r rng.Rand) *Forecast {
	f := &Forecast{}
	one := func(m manner, c *Rollout) { f.manner[m] = []weighted{{s.Seen(c.Path), 1}} }
	plain := s.Rollout(policy.Reward)
	one(seeks, plain)
	one(informed, s.Rollout(policy.Oracle))
	one(stays, s.Rollout(policy.Nothing))
	for i, goal := range [...]policy.Goal{policy.Left, policy.Right} {
		if c := s.Rollout(goal); c.Path.Moves() { // else there is no place on that side
			one(pullsLeft+manner(i), c)
		}
	}
	for i, x := range shortcuts() {
		one(degenerate+manner(i), s.Rollout(x.goal))
	}
	for i := range 3 { // burns, sticks, falls
		if l := lacks(1) << i; s.ground&l != 0 {
			one(burns+manner(i), s.rollout(kind{goal: policy.Reward, lacks: l, wrong: policy.NoPlace, pull: policy.NoPlace}))
		}
	}
	f.manner[breaksOff] = s.prefixes(plain.Path)
	f.manner[forgets] = s.lapses(plain)
	f.manner[mistakes] = s.toPlaces(plain.others, func(k *kind, place int) { k.wrong = place })
	var all []int
	for k, p := range s.Places {
		if p != s.final {
			all = append(all, k)
		}
	}
	f.manner[strays] = s.toPlaces(all, func(k *kind, place int) { k.pull = place })
	f.manner[walks] = s.randomWalks(&r)
	can := s.room.Layout().Reachable(s.room.Start().Pos)
	f.anyhow = 1 / float64(can.Len()*(len(s.Places)+1))
	return f
}

// prefixes are the sights of a path that breaks off before one of its steps, each as likely.
func (s *Scene) prefixes(p Path) (out []weighted) {
	for t := 1; t < len(p); t++ {
		if p[t] != p[t-1] {
			out = append(out, weighted{s.Seen(p[:t]), 1})
		}
	}
	return even(out)
}

// lapses are the sights of forgetting, each time span up to the longest that it must be remembered as likely.
func (s *Scene) lapses(c *Rollout) (out []weighted) {
	before := 0
	for t, unseen := range c.unseen {
		if unseen > before {
			out = append(out, weighted{s.Seen(trimmed(c.Path[:min(t+1, len(c.Path))])), float64(unseen-before) / float64(c.longest())})
			before = unseen
		}
	}
	return out
}

// toPlaces are the sights of going to one of some places, each as likely, in the way that is set.
func (s *Scene) toPlaces(places []int, set func(k *kind, place int)) (out []weighted) {
	for _, place := range places {
		k := kind{goal: policy.Reward, wrong: policy.NoPlace, pull: policy.NoPlace}
		set(&k, place)
		out = append(out, weighted{s.Seen(s.rollout(k).Path), 1})
	}
	return even(out)
}

func even(list []weighted) []weighted {
	for i := range list {
		list[i].p = 1 / float64(len(list))
	}
	return list
}

// randomWalks are the sights of some.
func (s *Scene) randomWalks(r *rng.Rand) (out []weighted) {
	s.agent.Parameters, s.agent.Draws = policy.Perfect(policy.Random), r
	defer func() { s.agent.Draws = nil }()
	for range randomWalks {
		var path Path
		s.run(func(now gridworld.Observation, _ gridworld.Action) { path = append(path, now.Self().Pos) })
		out = append(out, weighted{s.Seen(trimmed(append(path, s.work.Actor().Pos))), 1})
	}
	return even(out)
}

// likelihood is the probability that a manner leads to a sight.
func (f *Forecast) likelihood(m manner, at Sight) float64 {
	p := 0.0
	for _, w := range f.manner[m] {
		switch {
		case m != walks:
			if w.Sight == at {
				p += w.p
			}
		case w.First == at.First && w.Success == at.Success && w.Stop.Chebyshev(at.Stop) <= blur:
			p += w.p / ((2*blur + 1) * (2*blur + 1))
		}
	}
	return p
}

// outcome is the probability that a manner leads to success, or to failure.
func (f *Forecast) outcome(m manner, success bool) float64 {
	p := 0.0
	for _, w := range f.manner[m] {
		if w.Success == success {
			p += w.p
		}
	}
	return p
}
