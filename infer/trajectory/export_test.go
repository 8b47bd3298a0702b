package trajectory

import (
	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// Certainly returns the episode of a subject whose logistic latent variables are 0, their median. The subject fails on
// every kind of ground with which it copes with a probability below 1. If it mistakes a wrong place for the right one, it
// takes the first wrong place that is possible.
func (s *Scene) Certainly(m Abilities, place float64) (Path, bool) {
	p := &Profile{Place: place}
	h := latent{lapse: m.Noise > 0.5, informed: p.Chance > 0.5}
	for i, copes := range [...]float64{m.Lava, m.Ramp, m.Platform} {
		if copes < 1 {
			h.lacks |= 1 << i
		}
	}
	e := s.episode(&m, p, h)
	return e.path(), e.success()
}

// Marks returns the digest of the rollout for a goal up to every tick, and the path up to the same tick.
func (s *Scene) Marks(goal policy.Goal) (marks []uint64, paths []Path) {
	c := s.Rollout(goal)
	for t := range c.mark {
		marks, paths = append(marks, c.mark[t]), append(paths, trimmed(c.Path[:t+1]))
	}
	return marks, paths
}

// Shortcuts returns the goals of the shortcuts and the names of their behaviours.
func Shortcuts() (goals []policy.Goal, names []Behaviour) {
	for _, x := range shortcuts() {
		goals, names = append(goals, x.goal), append(names, x.behaviour)
	}
	return goals, names
}

// Taking returns the rollout of an agent that takes shortcut i and never fails.
func (s *Scene) Taking(i int) *Rollout { return s.rollout(shortcuts()[i].kind()) }

// Burning returns the path of an agent that pursues a goal and does not cope with lava.
func (s *Scene) Burning(goal policy.Goal) Path {
	k := kindOf(goal)
	k.lacks = lacksLava
	return s.rollout(k).Path
}

// World returns a copy of the world at tick 0.
func (s *Scene) World() *gridworld.World { return s.world.Clone() }

// Goal returns the cell where the reward that ends the episode comes to rest.
func (s *Scene) Goal() gridworld.Pos { return s.final }
