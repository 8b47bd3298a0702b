package trajectory

import (
	"achilles/gridworld"
	"achilles/sim/rng"
)

// A manner is one way in which an episode can come about.
type manner uint8

// The manners. The first ones are those of somebody who goes for the reward, with all that can go wrong; the others are
// the degenerate walkers, in the order of Walker from LastSeen on.
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
	manners = degenerate + manner(walkers-LastSeen)
)

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

// strolls is how many random walks a forecast rests on, and blur how far around their ends others are expected.
const (
	strolls = 200
	blur    = 2
)

// Forecast works out where every manner of behaving leads. Random walks are drawn from r.
func (s *Scene) Forecast(r rng.Rand) *Forecast {
	f := &Forecast{}
	one := func(m manner, k courseKey) { f.manner[m] = []weighted{{s.Seen(s.course(k).Path), 1}} }
	plain := courseKey{walker: Capable, wrong: -1}
	one(seeks, plain)
	one(informed, courseKey{walker: Informed, wrong: -1})
	one(stays, courseKey{walker: Still, wrong: -1})
	for i, w := range [...]Walker{AlwaysLeft, AlwaysRight} {
		if s.Course(w).Path.Moves() { // else there is no place on that side
			one(pullsLeft+manner(i), courseKey{walker: w, wrong: -1})
		}
	}
	for w := LastSeen; w < walkers; w++ {
		one(degenerate+manner(w-LastSeen), courseKey{walker: w, wrong: -1})
	}
	for i, there := range [...]bool{s.hasLava, s.hasRamp, s.hasLedge} {
		if there {
			one(burns+manner(i), courseKey{walker: Capable, wrong: -1, lava: i == 0, ramp: i == 1, platform: i == 2})
		}
	}
	c := s.course(plain)
	f.manner[breaksOff] = s.prefixes(c.Path)
	f.manner[forgets] = s.lapses(c)
	f.manner[mistakes] = s.toPlaces(c.others, false)
	var all []int
	for k, p := range s.Places {
		if p != s.final {
			all = append(all, k)
		}
	}
	f.manner[strays] = s.toPlaces(all, true)
	f.manner[walks] = s.strolls(&r)
	can := s.layout.Reachable(s.start.Pos)
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
func (s *Scene) lapses(c *Course) (out []weighted) {
	before := 0
	for t, gap := range c.gap {
		if gap > before {
			out = append(out, weighted{s.Seen(trimmed(c.Path[:min(t+1, len(c.Path))])), float64(gap-before) / float64(c.gap[len(c.gap)-1])})
			before = gap
		}
	}
	return out
}

// toPlaces are the sights of going to one of some places, each as likely: by mistake, or even if the reward is in sight.
func (s *Scene) toPlaces(places []int, blindly bool) (out []weighted) {
	for _, k := range places {
		out = append(out, weighted{s.Seen(s.course(courseKey{walker: Capable, wrong: k, blindly: blindly}).Path), 1})
	}
	return even(out)
}

func even(list []weighted) []weighted {
	for i := range list {
		list[i].p = 1 / float64(len(list))
	}
	return list
}

// strolls are the ends of random walks: ahead half of the time, else a turn to either side.
func (s *Scene) strolls(r *rng.Rand) (out []weighted) {
	var w gridworld.World
	for range strolls {
		w.CopyFrom(s.world)
		path := Path{s.start.Pos}
		for w.Outcome() == gridworld.Running {
			w.Step(s.stroll(r))
			path = append(path, w.Actor().Pos)
		}
		out = append(out, weighted{s.Seen(trimmed(path)), 1})
	}
	return even(out)
}

func (s *Scene) stroll(r *rng.Rand) gridworld.Action {
	if !s.turns {
		return gridworld.Go(gridworld.Dir(r.IntN(gridworld.Directions)))
	}
	return [...]gridworld.Action{gridworld.Forward, gridworld.Forward, gridworld.TurnLeft, gridworld.TurnRight}[r.IntN(4)]
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
