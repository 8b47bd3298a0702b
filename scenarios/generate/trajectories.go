package generate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"achilles/battery"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/scenarios/seal"
	"achilles/sim"
	"achilles/sim/record"
)

// viewerName is the name of the viewer of public trajectories. This viewer sees from the actor's place, in every
// direction, at any distance, along free lines and in light. What the subject itself saw is sealed.
const viewerName = "eyes"

// trajectories replays a group of episodes, which are all of the trial whose world r.start is, and adds what could be seen in them
// to out. Episodes of the same moves look the same and are replayed once.
func (r *recorder) trajectories(ctx context.Context, h *history, group []acted, out *itemTrials) error {
	s, start := h.session, &r.start
	r.prepare()
	out.trajectories = slices.Grow(out.trajectories, len(group))
	for _, x := range group {
		t := record.Trajectory{
			Key:    record.Key{Item: h.id.item[x.Item], Trial: x.trial, Subject: h.id.subject[x.Subject], Repetition: x.Repetition},
			Viewer: viewerName, Movement: movementOf(start.Rules().Move), Scale: 1,
		}
		if like, ok := r.same[x.Moves]; ok {
			t.Steps, t.Seen = out.trajectories[like].Steps, out.trajectories[like].Seen
		} else if err := r.record(ctx, &t, x.Moves); err != nil {
			return fmt.Errorf("item %q, subject %q: %w", s.Battery.Items.Name(x.Item), s.Subjects[x.Subject].Name, err)
		} else {
			r.same[x.Moves] = len(out.trajectories)
		}
		out.trajectories = append(out.trajectories, t)
	}
	return nil
}

// prepare makes r ready to record episodes in the trial whose world r.start is.
func (r *recorder) prepare() {
	allSteps(&r.start)
	r.quiet = quietOf(&r.start)
	r.texts = r.texts[:0]
	for i := range r.start.Len() {
		r.texts = append(r.texts, texts{entity: r.entityOf(r.start.Thing(i), i)})
	}
	clear(r.same)
}

// A recorder replays episodes, one after another, and records their trajectories.
type recorder struct {
	worker  *worker // lets bodies act
	item    battery.Item
	text    []byte          // memory for the text of a world
	strings strings.Builder // for texts of worlds
	start   gridworld.World // of the trial
	world   gridworld.World
	env     gridworld.Env
	replay  policy.Replay
	quiet   quiet // of the trial
	moves   []gridworld.Action
	options gridworld.Options
	same    map[string]int // by moves in the trial: the first trajectory of such an episode

	t     *record.Trajectory // the trajectory that is being recorded
	dark  bool               // whether it was dark at the last tick
	view  gridworld.View
	shown []glimpse // by index of a thing: how it was last seen
	texts []texts   // by index of a thing: what trajectories call it; valid for one trial
	names map[name]string
	looks map[gridworld.Thing]string // of things, without their places

	steps  []record.Step // memory in which the steps and sightings of a trajectory grow; the trajectory gets copies
	seen   []record.Sighting
	copies struct {
		steps []record.Step
		seen  []record.Sighting
	}
}

// texts are the name of a thing in trajectories, and how it looked when it was last seen.
type texts struct {
	entity, look string
	of           gridworld.Thing // the thing of which look is
}

// A name is what the name of a thing in trajectories is made of.
type name struct {
	kind  gridworld.ThingKind
	index int
}

// mostTexts is the number of names and looks that a recorder keeps, because they occur in many trials.
const mostTexts = 1 << 10

// kept returns the text for a key, and makes it if it is not kept.
func kept[K comparable](texts map[K]string, key K, create func(K) string) string {
	text, ok := texts[key]
	if !ok {
		if len(texts) == mostTexts {
			clear(texts)
		}
		text = create(key)
		texts[key] = text
	}
	return text
}

// A glimpse is a thing as it was seen at one tick; seen is false if it was not seen.
type glimpse struct {
	gridworld.Thing
	seen bool
}

func newRecorder() *recorder {
	r := &recorder{worker: newWorker(), same: map[string]int{}, names: map[name]string{}, looks: map[gridworld.Thing]string{}}
	r.env.World = &r.world
	r.options.Record = func(_ gridworld.Observation, a gridworld.Action) { r.act(a) }
	return r
}

// record sets the steps and sightings of an episode with these moves. It returns the error of the context, or an error if the
// episode ends before its moves do.
func (r *recorder) record(ctx context.Context, t *record.Trajectory, moves string) (err error) {
	if r.moves, err = seal.DecodeMoves(r.moves[:0], moves); err != nil {
		return err
	}
	r.world.CopyFrom(&r.start)
	expires := false
	r.replay, r.env.Skips, expires = r.quiet.shorten(r.moves)
	r.t = t
	t.Steps, t.Seen = r.steps[:0], r.seen[:0]
	r.shown = slices.Grow(r.shown[:0], r.world.Len())[:r.world.Len()]
	clear(r.shown)
	if _, err := sim.Run(ctx, &r.env, &r.replay, r.options); err != nil && !errors.Is(err, sim.ErrLeft) {
		return err
	}
	if r.replay.Left() > 0 {
		return errors.New("moves go on after the episode is over")
	}
	if expires {
		r.world.Expire()
	}
	r.step(gridworld.Stay)
	r.steps, r.seen = t.Steps, t.Seen
	t.Steps, t.Seen = copied(&r.copies.steps, r.steps), copied(&r.copies.seen, r.seen)
	return nil
}

// copied returns a copy of a list in memory that copies share.
func copied[T any](shared *[]T, list []T) []T {
	const together = 512
	if cap(*shared)-len(*shared) < len(list) {
		*shared = make([]T, 0, max(together, len(list)))
	}
	n := len(*shared)
	*shared = append(*shared, list...)
	return (*shared)[n:len(*shared):len(*shared)]
}

// act records an action, unless the actor stays and nothing has changed.
func (r *recorder) act(a gridworld.Action) {
	dark := r.world.Dark()
	if changed := len(r.t.Steps) == 0 || len(r.env.Happened) > 0 || dark != r.dark; changed || a != gridworld.Stay {
		r.step(a)
	}
	r.dark = dark
}

// step records the place and the action of the actor, and what can be seen from that place.
func (r *recorder) step(a gridworld.Action) {
	self := r.world.Actor()
	step := record.Step{Tick: int32(r.world.Tick()), X: int32(self.Pos.X), Y: int32(self.Pos.Y), Heading: headingOf(self.Heading)}
	if a != gridworld.Stay {
		step.Action = a.String()
	}
	r.t.Steps = append(r.t.Steps, step)
	r.see()
}

// see records the things whose appearance changed since the last step, sorted by name.
func (r *recorder) see() {
	t := r.t
	r.world.View(gridworld.Viewer{}, &r.view)
	first := len(t.Seen)
	next := 0
	for i := range r.shown {
		var now glimpse
		if next < len(r.view.Things) && r.view.Things[next].Index == i {
			now = glimpse{r.view.Things[next].Thing, true}
			next++
		}
		if now == r.shown[i] {
			continue
		}
		r.shown[i] = now
		g := record.Sighting{Step: int32(len(t.Steps) - 1), Entity: r.texts[i].entity}
		if now.seen {
			g.X, g.Y, g.As = int32(now.Pos.X), int32(now.Pos.Y), r.lookOf(&r.texts[i], now.Thing)
		}
		t.Seen = append(t.Seen, g)
	}
	slices.SortFunc(t.Seen[first:], func(a, b record.Sighting) int { return strings.Compare(a.Entity, b.Entity) })
}

// entityOf returns the name of a thing in trajectories: its kind and index.
func (r *recorder) entityOf(t gridworld.Thing, i int) string {
	return kept(r.names, name{t.Kind, i}, func(n name) string { return fmt.Sprintf("%s %d", n.kind, n.index) })
}

// lookOf returns a text about how the thing of x looks now.
func (r *recorder) lookOf(x *texts, t gridworld.Thing) string {
	if t.Pos = (gridworld.Pos{}); x.look == "" || t != x.of { // the text says nothing about the place
		x.look, x.of = kept(r.looks, t, lookOf), t
	}
	return x.look
}

// lookOf returns a text about how a thing looks.
func lookOf(t gridworld.Thing) string {
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
