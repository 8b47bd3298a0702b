package generate

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"achilles/gridworld"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// viewerName is who looks in public trajectories: perfect eyes where the actor stands, that see all round, at any
// distance, along free lines, in light. What the subject itself made out is nobody's business.
const viewerName = "eyes"

// publishTrajectories replays the episodes and writes what was seen in them, in so many goroutines.
func publishTrajectories(ctx context.Context, s *Session, list []acted, id *identity, jobs int, create Create) ([]record.File, error) {
	var groups [][]acted // of one item and trial
	for i, x := range list {
		if i == 0 || x.Item != list[i-1].Item || x.trial != list[i-1].trial {
			groups = append(groups, nil)
		}
		last := &groups[len(groups)-1]
		*last = append(*last, x)
	}
	w := record.NewTrajectoryWriter(func(path string) (io.WriteCloser, error) { return create(seal.PublicPart, path) })
	err := ordered(ctx, len(groups), jobs, func(i int) ([]record.Trajectory, error) {
		return s.shoot(groups[i], id)
	}, func(group []record.Trajectory) error {
		for i := range group {
			if err := w.Write(&group[i]); err != nil {
				return err
			}
		}
		return nil
	})
	files, err2 := w.Close()
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b record.File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// shoot makes the trajectories of episodes in one world.
func (s *Session) shoot(group []acted, id *identity) ([]record.Trajectory, error) {
	start, err := open(&s.Battery.Items[group[0].Item], group[0].Trial)
	if err != nil {
		return nil, err
	}
	out := make([]record.Trajectory, len(group))
	var c camera
	for i, x := range group {
		t := &out[i]
		t.Key = record.Key{Item: id.item[x.Item], Trial: x.trial, Subject: id.subject[x.Subject], Repetition: x.Repetition}
		t.Viewer, t.Movement, t.Scale = viewerName, movementOf(start.Rules().Move), 1
		if c.moves, err = seal.DecodeMoves(c.moves[:0], x.Moves); err != nil {
			return nil, fmt.Errorf("item %q, subject %q: %w", s.Battery.Items[x.Item].Name, s.Subjects[x.Subject].Name, err)
		}
		c.world.CopyFrom(start)
		if !c.film(t) {
			return nil, fmt.Errorf("item %q, subject %q: moves go on after the episode is over", s.Battery.Items[x.Item].Name, s.Subjects[x.Subject].Name)
		}
	}
	return out, nil
}

// A camera films one episode after the other.
type camera struct {
	world gridworld.World
	view  gridworld.View
	moves []gridworld.Action
	shown []glimpse // how each thing was last seen, by index
}

// A glimpse is a thing as it was seen, or that it was not.
type glimpse struct {
	gridworld.Thing
	seen bool
}

// film fills in the steps and sightings of an episode. Ticks at which the actor does nothing and nothing changes are
// left out. It is false where moves are left when the episode is over.
func (c *camera) film(t *record.Trajectory) bool {
	c.shown = slices.Grow(c.shown[:0], c.world.Len())[:c.world.Len()]
	clear(c.shown)
	changed := true
	for i := 0; ; i++ {
		over := i == len(c.moves) || c.world.Outcome() != gridworld.Running
		if changed || over || c.moves[i] != gridworld.Stay {
			a := c.world.Actor()
			step := record.Step{Tick: int32(c.world.Tick()), X: int32(a.Pos.X), Y: int32(a.Pos.Y), Heading: headingOf(a.Heading)}
			if !over && c.moves[i] != gridworld.Stay {
				step.Action = c.moves[i].String()
			}
			t.Steps = append(t.Steps, step)
			c.see(t)
		}
		if over {
			return i == len(c.moves)
		}
		dark := c.world.Dark()
		changed = len(c.world.Step(c.moves[i])) > 0 || dark != c.world.Dark()
	}
}

// see adds what is seen in another way than before, by the names of things.
func (c *camera) see(t *record.Trajectory) {
	c.world.View(gridworld.Viewer{}, &c.view)
	first := len(t.Seen)
	next := 0
	for i := range c.shown {
		var now glimpse
		if next < len(c.view.Things) && c.view.Things[next].Index == i {
			now = glimpse{c.view.Things[next].Thing, true}
			next++
		}
		if now == c.shown[i] {
			continue
		}
		c.shown[i] = now
		g := record.Sighting{Step: int32(len(t.Steps) - 1), Entity: entityOf(c.world.Thing(i), i)}
		if now.seen {
			g.X, g.Y, g.As = int32(now.Pos.X), int32(now.Pos.Y), lookOf(&now.Thing)
		}
		t.Seen = append(t.Seen, g)
	}
	slices.SortFunc(t.Seen[first:], func(a, b record.Sighting) int { return strings.Compare(a.Entity, b.Entity) })
}

// entityOf names a thing: by its kind and index.
func entityOf(t gridworld.Thing, i int) string { return fmt.Sprintf("%s %d", t.Kind, i) }

// lookOf says how a thing looks.
func lookOf(t *gridworld.Thing) string {
	look := fmt.Sprintf("%s size %g", t.Kind, float64(t.Size)/100)
	if _, _, _, ok := t.Colour.RGB(); ok {
		look += " colour " + t.Colour.String()
	}
	if t.State == gridworld.Air {
		look += " in the air"
	}
	return look
}

func headingOf(d gridworld.Dir) record.Heading {
	return [gridworld.Directions]record.Heading{
		record.North, record.NorthEast, record.East, record.SouthEast, record.South, record.SouthWest, record.West, record.NorthWest,
	}[d]
}
