package trajectory

import (
	"context"
	"errors"
	"math"
	"slices"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/rng"
)

// A Rollout is what an agent of one kind, with unlimited endurance and memory, does in a scene, and what this demands of
// the agent. An agent with less endurance or memory does the same up to the tick at which more is demanded.
type Rollout struct {
	Path    Path
	Success bool // the agent reaches the reward in time

	depart []int    // [step that demands endurance] tick at which the agent decides on the step
	unseen []int    // [tick] longest time that memory had to last until this tick, in ticks
	mark   []uint64 // [tick] digest of the path until this tick; unchanged while the actor stands still
	hidden bool     // the reward was out of sight when the agent set off
	others []int    // indices of the wrong places where the reward could have been when the agent set off
	side   float64  // side to which the agent went first: −1 left, 1 right
}

// lacks is a set of kinds of ground on which an agent fails.
type lacks uint8

const (
	lacksLava lacks = 1 << iota
	lacksRamp
	lacksEdge
	grounds
)

// A kind says which agent a rollout is of: the goal of the agent and the ways in which it fails.
type kind struct {
	goal   policy.Goal
	direct bool // it never goes away from where it wants to go
	lacks  lacks
	want   int // 1 + index in wants of the ability that it lacks; 0: none
	level  int // with a want, how much of the ability it has
	wrong  int // index of the place that the agent mistakes for the reward's; policy.NoPlace: none
	pull   int // index of the place to which the agent goes even if the reward is in sight; policy.NoPlace: none
	lost   lost
	pick   int // stream of what the agent decides at random; 0: that of the episode
}

// kindOf returns the kind of agent that pursues a goal and never fails.
func kindOf(goal policy.Goal) kind {
	return kind{goal: goal, wrong: policy.NoPlace, pull: policy.NoPlace}
}

// lacking returns the kind of agent that goes for the reward and fails on some kinds of ground.
func lacking(l lacks) kind {
	k := kindOf(policy.Reward)
	k.lacks = l
	return k
}

func (k kind) parameters() policy.Parameters {
	p := policy.Perfect(k.goal)
	p.Lava, p.Ramp, p.Edge = k.lacks&lacksLava == 0, k.lacks&lacksRamp == 0, k.lacks&lacksEdge == 0
	if k.direct {
		p.Retreat = 0
	}
	if k.want > 0 {
		wants()[k.want-1].lose(&p, float64(k.level))
	}
	k.lost.set(&p)
	if p.Pull = k.pull; k.wrong != policy.NoPlace {
		p.Exclude, p.Wrong = math.Inf(-1), k.wrong
	}
	return p
}

// Rollout returns the rollout of an agent with unlimited abilities that pursues a goal. It simulates each rollout once.
func (s *Scene) Rollout(goal policy.Goal) *Rollout {
	return s.rollout(kindOf(goal))
}

func (s *Scene) rollout(k kind) *Rollout {
	if k.lost != (lost{}) {
		if s.lacking == nil {
			s.lacking = map[kind]*Rollout{}
		}
		if s.lacking[k] == nil {
			s.lacking[k] = s.simulate(k)
		}
		return s.lacking[k]
	}
	list := &s.others
	if k.goal == policy.Reward && k.pull == policy.NoPlace {
		list = &s.seekers[k.lacks]
	}
	for i := range *list {
		if (*list)[i].kind == k {
			return (*list)[i].Rollout
		}
	}
	c := s.simulate(k)
	*list = append(*list, known{k, c})
	return c
}

func (s *Scene) simulate(k kind) *Rollout {
	if k.pick == 0 {
		return s.acts(k.parameters(), nil, nil)
	}
	r := rng.Stream(uint64(k.pick), "pick")
	return s.acts(k.parameters(), nil, &r)
}

// acts returns what an agent with these parameters does. draws is the source of its random choices; nil: that of the episode.
func (s *Scene) acts(p policy.Parameters, past *policy.Past, draws *rng.Rand) *Rollout {
	c := &Rollout{}
	s.agent.Parameters, s.agent.Past, s.agent.Draws = p, past, draws
	defer func() { s.agent.Past, s.agent.Draws = nil, nil }()
	d := s.agent.Demands()
	s.run(func(now gridworld.Observation, _ gridworld.Action) {
		c.Path = append(c.Path, now.Self().Pos)
		c.unseen = append(c.unseen, d.Unseen)
		if d.Steps > len(c.depart) {
			c.depart = append(c.depart, now.Tick())
		}
	})
	c.Path = trimmed(append(c.Path, s.work.Actor().Pos))
	c.Success = s.work.Outcome() == gridworld.Finished
	c.hidden, c.others, c.side = d.Hidden, slices.Clone(d.Others), d.Side
	for t := 1; t < len(c.unseen); t++ {
		c.unseen[t] = max(c.unseen[t], c.unseen[t-1])
	}
	c.sign()
	return c
}

// run lets the scene's agent act in a copy of its world until the agent leaves or the episode ends, and calls record before
// every action.
func (s *Scene) run(record func(now gridworld.Observation, action gridworld.Action)) {
	s.work.CopyFrom(s.world)
	_, err := sim.Run(context.Background(), &gridworld.Env{World: &s.work, Places: s.Places}, &s.agent, gridworld.Options{Record: record})
	if err != nil && !errors.Is(err, sim.ErrLeft) {
		panic("trajectory: a policy fails") // policies return no error but ErrLeft
	}
}

// sign computes the digests. Paths that differ only in the time for which they stand still at their end have equal
// digests.
func (c *Rollout) sign() {
	h := uint64(14695981039346656037) // FNV-1a, over words
	for t, p := range c.Path {
		if t > 0 && p != c.Path[t-1] {
			for _, x := range [...]int{t, p.X, p.Y} {
				h = (h ^ uint64(x)) * 1099511628211
				h ^= h >> 29
			}
		}
		c.mark = append(c.mark, h)
	}
}

// ticks returns the number of ticks in which the agent acted.
func (c *Rollout) ticks() int { return len(c.unseen) }

// longest returns the longest time that memory had to last, in ticks.
func (c *Rollout) longest() int {
	if len(c.unseen) == 0 {
		return 0
	}
	return c.unseen[len(c.unseen)-1]
}

// forgets returns the tick at which an agent forgets if its memory lasts for a number of ticks, lasts. It returns ticks()
// if the agent does not forget.
func (c *Rollout) forgets(lasts float64) int {
	n, _ := slices.BinarySearchFunc(c.unseen, max(lasts, 0), // with max, no agent forgets while there is nothing to remember
		func(unseen int, lasts float64) int {
			if float64(unseen) > lasts {
				return 1
			}
			return -1
		})
	return n
}

// tires returns the tick at which an agent stops if it can walk this number of steps. It returns ticks() if the steps are
// enough for the whole rollout.
func (c *Rollout) tires(steps float64) int {
	steps = max(steps, 0)
	if steps >= float64(len(c.depart)) {
		return c.ticks()
	}
	return c.depart[int(math.Floor(steps))]
}
