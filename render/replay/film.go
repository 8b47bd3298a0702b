package replay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"achilles/gridworld"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// A Film is an episode in a grid world, tick by tick.
type Film struct {
	World  *gridworld.World // at tick 0; only read
	Brief  string           // what the subject was told; may be empty
	Places []gridworld.Pos  // in which a reward could lie
	Frames []Frame          // by tick
	Viewer string           // who was looking where trajectories were published; Eyes says whose sight Frames have
	Eyes   *seal.Eyes       // those of the actor, which Frames see with; nil where they are not known: then perfect ones

	text string // of the world
}

// A Frame is the state at one tick.
type Frame struct {
	Actor        gridworld.Actor
	Things       []gridworld.Thing // by index
	Dark, Frozen bool
	Open         bool            // the lock was opened: locks and barriers are gone
	Seen         gridworld.Board // the cells in sight
	InSight      []bool          // by thing: the actor could make it out
	Visible      []bool          // by thing: perfect eyes could
	Outcome      gridworld.Outcome
	Action       gridworld.Action // what the actor does next
	Happened     []gridworld.Event
	Belief       *seal.Belief // what the actor holds about the reward; nil while sealed, and where nothing is known
}

// believe fills in what the actor held.
func (f *Film) believe(list []seal.Belief) {
	next := 0
	for t := range f.Frames {
		for next < len(list) && list[next].Tick <= t {
			next++
		}
		if next > 0 {
			f.Frames[t].Belief = &list[next-1]
		}
	}
}

// Path is where the actor stands, by tick.
func (f *Film) Path() []gridworld.Pos {
	path := make([]gridworld.Pos, len(f.Frames))
	for i := range f.Frames {
		path[i] = f.Frames[i].Actor.Pos
	}
	return path
}

// Last is the last tick.
func (f *Film) Last() int { return len(f.Frames) - 1 }

// shoot replays a trajectory in the text of its trial's world, seen with eyes, nil for perfect ones. It refuses one that
// the world does not bear out.
func shoot(text string, t *record.Trajectory, eyes *seal.Eyes) (*Film, error) {
	w, err := gridworld.Parse(text)
	if err != nil {
		return nil, err
	}
	f := &Film{World: w.Clone(), Viewer: t.Viewer, Eyes: eyes, text: text}
	if f.Brief, f.Places, err = comments(text); err != nil {
		return nil, err
	}
	look := newLook(eyes)
	var happened []gridworld.Event
	open := false
	next := 0
	for tick, last := int32(0), t.Steps[len(t.Steps)-1].Tick; tick <= last; tick++ {
		fr := look.frame(w)
		fr.Happened, fr.Open = happened, open
		if next < len(t.Steps) && t.Steps[next].Tick == tick {
			if fr.Action, err = actionOf(&t.Steps[next], fr.Actor.Pos); err != nil {
				return nil, err
			}
			next++
		}
		f.Frames = append(f.Frames, fr)
		happened = slices.Clone(w.Step(fr.Action))
		open = open || slices.ContainsFunc(happened, func(e gridworld.Event) bool { return e.Kind == gridworld.Unlocked })
	}
	return f, nil
}

// actionOf is what the actor does at a step, which the world must have at the same place.
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

// A look sees a world twice: with the actor's eyes and with perfect ones.
type look struct {
	own, perfect gridworld.Viewer
	smallest     int
	view         gridworld.View
}

func newLook(eyes *seal.Eyes) *look {
	l := &look{own: gridworld.Viewer{Watch: gridworld.Everywhere()}}
	if eyes != nil {
		l.own.HalfAngle, l.own.Acuity, l.smallest = eyes.HalfAngle, eyes.Acuity, eyes.Smallest
	}
	return l
}

// frame is the state of the world at its tick, as it is and as it is seen.
func (l *look) frame(w *gridworld.World) Frame {
	f := Frame{Actor: w.Actor(), Dark: w.Dark(), Frozen: w.Frozen(), Outcome: w.Outcome(), InSight: make([]bool, w.Len()), Visible: make([]bool, w.Len())}
	for i := range w.Len() {
		f.Things = append(f.Things, w.Thing(i))
	}
	w.View(l.perfect, &l.view)
	for _, s := range l.view.Things {
		f.Visible[s.Index] = true
	}
	w.View(l.own, &l.view)
	f.Seen = l.view.Seen
	for _, s := range l.view.Things {
		f.InSight[s.Index] = s.Size >= l.smallest
	}
	return f
}

// comments reads the brief and the places from the comment lines above a world (docs/reference/format.md).
func comments(text string) (brief string, places []gridworld.Pos, err error) {
	for line := range strings.Lines(text) {
		c, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "// ")
		if !ok {
			return brief, places, nil
		}
		list, ok := strings.CutPrefix(c, "places ")
		if !ok {
			brief = c
			continue
		}
		for word := range strings.FieldsSeq(list) {
			x, y, _ := strings.Cut(word, ",")
			px, err1 := strconv.Atoi(x)
			py, err2 := strconv.Atoi(y)
			if err1 != nil || err2 != nil {
				return "", nil, fmt.Errorf("place %q is not X,Y", word)
			}
			places = append(places, gridworld.Pos{X: px, Y: py})
		}
	}
	return brief, places, nil
}
