package trajectory

import (
	"fmt"

	"achilles/gridworld"
	"achilles/gridworld/policy"
)

// A Scene is the world of one trial at tick 0, with the places where a reward could be, and the rollouts that have been
// simulated in it.
type Scene struct {
	Places []gridworld.Pos

	world  *gridworld.World // the world at tick 0
	room   policy.Room
	units  policy.Units
	goal   int           // index of the reward that ends the episode
	final  gridworld.Pos // where that reward comes to rest
	ground lacks         // kinds of ground in the scene on which a subject may fail

	agent   policy.Agent
	work    gridworld.World   // copy of world in which the agent acts
	seekers [grounds][]known  // rollouts of agents that go for the reward, by the kinds of ground on which they fail
	lacking map[kind]*Rollout // rollouts of agents that lack skills
	needs   map[int]need      // by skill: what the scene asks of it
	choices map[kind][]int    // streams of agents that choose at random
	others  []known           // all other rollouts
}

// A known is a rollout that has been simulated, with the kind of agent.
type known struct {
	kind
	*Rollout
}

// An Unfit error says why no path can be predicted in a world that is otherwise valid.
type Unfit struct{ Reason string }

// Error returns the reason.
func (e *Unfit) Error() string { return e.Reason }

// ReadScene reads the text of a trial's public world, whose comment lines name the places. The error is an *Unfit if the
// world has no actor or no time limit, does not start at tick 0, or has no reward that comes to rest on the ground and
// ends the episode.
func ReadScene(text string) (*Scene, error) {
	s := &Scene{units: policy.DefaultUnits()}
	var err error
	if s.world, err = gridworld.Parse(text); err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	if s.Places, err = gridworld.Places(text); err != nil {
		return nil, err
	}
	for _, p := range s.Places {
		if !s.world.Inside(p) {
			return nil, fmt.Errorf("place %s lies outside the world", p)
		}
	}
	if !s.world.Inside(s.world.Actor().Pos) || s.world.Rules().Limit == 0 || s.world.Tick() != 0 {
		return nil, &Unfit{"paths are predicted from tick 0 on, of an actor, up to a time limit"}
	}
	s.room.Enter(s.world, s.Places, s.units)
	s.agent.Room, s.agent.Leaves = &s.room, true
	s.findGround()
	var ok bool
	if s.goal, s.final, ok = s.room.Goal(); !ok || s.world.Thing(s.goal).Kind != gridworld.Reward {
		return nil, &Unfit{"no reward comes to rest on the ground and ends the episode"}
	}
	return s, nil
}

// findGround sets the kinds of ground in the scene on which a subject may fail.
func (s *Scene) findGround() {
	layout := s.room.Layout()
	for _, g := range []struct {
		kind  gridworld.Kind
		lacks lacks
	}{
		{gridworld.Lava, lacksLava}, {gridworld.Ramp, lacksRamp}, {gridworld.Climb, lacksRamp}, {gridworld.Slide, lacksRamp}, {gridworld.Platform, lacksEdge},
	} {
		if b := layout.Where(g.kind); !b.Empty() {
			s.ground |= g.lacks
		}
	}
}

// size returns the size of the reward that ends the episode.
func (s *Scene) size() float64 { return float64(s.world.Thing(s.goal).Size) / 100 }

// Free returns the first tick at which an action has an effect. Every path stands still until then.
func (s *Scene) Free() int { return s.room.Free() }
