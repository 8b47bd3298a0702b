package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"achilles/gridworld"
	"achilles/render/board"
	"achilles/scenarios/seal"
	"achilles/sim"
	"achilles/sim/record"
)

// A Trajectory is an episode in a grid world, tick by tick.
type Trajectory struct {
	World  *gridworld.World // the world at tick 0; the caller must not change it
	Places []gridworld.Pos  // cells where the reward could be
	States []State          // by tick
	Eyes   *seal.Eyes       // the actor's eyes; nil if they are sealed; States then assumes perfect eyes

	text string // text of the world
}

// A State is the world at one tick, and what the actor sees and believes.
type State struct {
	board.State
	Visible  []bool           // thing → whether perfect eyes would see it
	Action   gridworld.Action // the actor's action at this tick
	Happened []gridworld.Event
	Belief   *seal.Belief // the actor's belief about the reward; nil if it is sealed or was not recorded
}

// addBeliefs gives every state the last belief at or before its tick.
func (tr *Trajectory) addBeliefs(list []seal.Belief) {
	next := 0
	for t := range tr.States {
		for next < len(list) && list[next].Tick <= t {
			next++
		}
		if next > 0 {
			tr.States[t].Belief = &list[next-1]
		}
	}
}

// HasBeliefs says whether the actor's belief is known at any tick.
func (tr *Trajectory) HasBeliefs() bool {
	return slices.ContainsFunc(tr.States, func(s State) bool { return s.Belief != nil })
}

// At returns the world at a tick.
func (tr *Trajectory) At(tick int) *gridworld.World {
	w := tr.World.Clone()
	for t := range tick {
		w.Step(tr.States[t].Action)
	}
	return w
}

// Path returns the actor's position at each tick.
func (tr *Trajectory) Path() []gridworld.Pos {
	path := make([]gridworld.Pos, len(tr.States))
	for i := range tr.States {
		path[i] = tr.States[i].Actor.Pos
	}
	return path
}

// last returns the last tick.
func (tr *Trajectory) last() int { return len(tr.States) - 1 }

// replay repeats the recorded steps in the world that text describes. eyes are the actor's eyes; nil means perfect
// eyes. If the world and the record disagree, the error gives the tick.
func replay(text string, t *record.Trajectory, eyes *seal.Eyes) (*Trajectory, error) {
	w, err := gridworld.Parse(text)
	if err != nil {
		return nil, err
	}
	tr := &Trajectory{World: w.Clone(), Eyes: eyes, text: text}
	if tr.Places, err = gridworld.Places(text); err != nil {
		return nil, err
	}
	sight, open := newSight(eyes), false
	env := &gridworld.Env{World: w}
	add := func(_ gridworld.Observation, action gridworld.Action) {
		s := sight.state(w)
		open = open || slices.ContainsFunc(env.Happened, func(e gridworld.Event) bool { return e.Kind == gridworld.Unlocked })
		s.Action, s.Happened, s.Open = action, slices.Clone(env.Happened), open
		tr.States = append(tr.States, s)
	}
	r := &retracer{steps: t.Steps}
	if _, err := sim.Run(context.Background(), env, r, gridworld.Options{Record: add}); errors.Is(err, sim.ErrLeft) {
		return tr, nil
	} else if err != nil {
		return nil, err
	}
	last, _ := env.Observe() // the episode is over
	action, err := r.action(last)
	if err == nil && len(r.steps) > 0 {
		err = fmt.Errorf("tick %d: the record goes on, and in its world the episode is over", last.Tick())
	}
	add(last, action)
	return tr, err
}

// A retracer is an agent that repeats recorded steps.
type retracer struct{ steps []record.Step }

func (r *retracer) Reset(context.Context, gridworld.Observation) error { return nil }

func (r *retracer) Act(_ context.Context, now gridworld.Observation) (gridworld.Action, error) {
	if len(r.steps) == 0 {
		return gridworld.Stay, sim.ErrLeft
	}
	return r.action(now)
}

// action returns the recorded action of the present tick, or gridworld.Stay if none was recorded.
func (r *retracer) action(now gridworld.Observation) (gridworld.Action, error) {
	if len(r.steps) == 0 || int(r.steps[0].Tick) > now.Tick() {
		return gridworld.Stay, nil
	}
	s := &r.steps[0]
	r.steps = r.steps[1:]
	return actionOf(s, now.Self().Pos)
}

// actionOf returns the action of a recorded step. It returns an error if the recorded position of the step differs from
// at, the actor's position in the replayed world.
func actionOf(s *record.Step, at gridworld.Pos) (gridworld.Action, error) {
	if p := (gridworld.Pos{X: int(s.X), Y: int(s.Y)}); p != at {
		return gridworld.Stay, fmt.Errorf("tick %d: the actor is recorded at %s, in its world it is at %s", s.Tick, p, at)
	}
	if s.Action == "" {
		return gridworld.Stay, nil
	}
	action, err := gridworld.ParseAction(s.Action)
	if err != nil {
		return action, fmt.Errorf("tick %d: %w", s.Tick, err)
	}
	return action, nil
}

// A sight views a world twice: with the actor's eyes and with perfect ones.
type sight struct {
	own, perfect gridworld.Viewer
	smallest     int
	view         gridworld.View
}

func newSight(eyes *seal.Eyes) *sight {
	s := &sight{own: gridworld.Viewer{Watch: gridworld.Everywhere()}}
	if eyes != nil {
		s.own.HalfAngle, s.own.Acuity, s.smallest = eyes.HalfAngle, eyes.Acuity, eyes.Smallest
	}
	return s
}

// state returns the state of the world at its present tick.
func (v *sight) state(w *gridworld.World) State {
	s := State{State: board.State{Actor: w.Actor(), Dark: w.Dark(), Frozen: w.Frozen(), Outcome: w.Outcome(), InSight: make([]bool, w.Len())}, Visible: make([]bool, w.Len())}
	for i := range w.Len() {
		s.Things = append(s.Things, w.Thing(i))
	}
	w.View(v.perfect, &v.view)
	for _, thing := range v.view.Things {
		s.Visible[thing.Index] = true
	}
	w.View(v.own, &v.view)
	s.Seen = v.view.Seen
	for _, thing := range v.view.Things {
		s.InSight[thing.Index] = thing.Size >= v.smallest
	}
	return s
}
