package generate_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"achilles/agents/goaldirected"
	"achilles/battery/bib"
	"achilles/battery/bib/format"
	"achilles/gridworld/lattice"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// episodesOf returns the number of episodes that a test makes of a task. It is a multiple of 4, so that all variants of
// episodes are equally frequent. For efficiency_path without -short it is also a multiple of 3, because a bar of walls is
// removed in two episodes of three and moved in the third.
func episodesOf(task bib.Task) int {
	switch {
	case longtest.On():
		return 600
	case testing.Short():
		return 4
	case task == bib.EfficiencyPath:
		return 12
	}
	return 8
}

func allTasks() []bib.Task { return bib.All() }

// TestMeasuredMotion checks what holds for the trials of Measured motion, in which paths are not exactly shortest, of all tasks
// and splits: the still frames, steps of two pixels at most, the distance to walls, a stop at a thing and nowhere near
// another, and that both outcomes differ only in what the task says.
func TestMeasuredMotion(t *testing.T) {
	for _, split := range []bib.Split{bib.Natural, bib.Collinear} {
		for _, task := range allTasks() {
			design := bib.Design{Episodes: max(episodesOf(task)/8, 1), Tasks: []bib.Task{task}, Split: split}
			for _, e := range generatetest.Episodes(t, scenario.Episodes{Design: design}, 6) {
				fail := func(format string, args ...any) {
					t.Helper()
					t.Errorf("%s, %s, episode %d: "+format, append([]any{split, task, e.Index}, args...)...)
				}
				videos := []*record.Video{&e.Expected}
				if e.Paired() {
					videos = append(videos, &e.Unexpected)
					checkPair(fail, task, &e)
				}
				for _, v := range videos {
					for _, tr := range append(slices.Clone(v.Familiarisation), v.Test) {
						checkMeasured(fail, &tr)
					}
				}
			}
		}
	}
}

// TestMeasuredSpread checks that what Measured motion draws varies, and stays within what it may draw, which is a little more
// than the published trials show.
func TestMeasuredSpread(t *testing.T) {
	var m bib.Sample
	for _, e := range generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 12, Tasks: []bib.Task{bib.SingleObject}}}, 6) {
		for k := range e.Expected.Familiarisation {
			m.Add(&e.Expected.Familiarisation[k])
		}
	}
	names := bib.MeasureNames()
	for name, want := range map[string][2]float64{
		"excess over the shortest way past the walls": {0, 3.5}, "minimum distance to a wall": {9, 80}, "distance to the thing at the end": {6, 15}, "still frames before": {31, 31}, "still frames after": {83, 83},
	} {
		x := m.Values[slices.Index(names[:], name)]
		if least, most := slices.Min(x), slices.Max(x); least < want[0] || most > want[1] || want[0] < want[1] && least == most {
			t.Errorf("%s: %.1f to %.1f, want within %v", name, least, most, want)
		}
	}
}

// checkMeasured checks a trial of Measured motion.
func checkMeasured(fail complaint, tr *record.SceneTrial) {
	s := show(tr)
	s.open, s.shut = pixelWalls(tr.Scene.Walls, nil, nil), pixelWalls(tr.Scene.Walls, tr.Scene.Barrier, tr.Scene.Locks)
	checkMotion(fail, s)
	things := slices.Clone(tr.Scene.Objects)
	if len(tr.Changes) == 0 {
		things = append(things, tr.Scene.Keys...)
	}
	touched := 0
	for _, thing := range things {
		d := lattice.Square(s.end(), centre(thing))
		if d <= 15*15 {
			touched++
		}
		for f, p := range s.track[:len(s.track)-bib.StillAfter-1] {
			if lattice.Square(p, centre(thing)) < 9*9 {
				fail("frame %d: the actor is at a thing before the end", f)
			}
		}
	}
	if touched != 1 {
		fail("%d things are touched at the end", touched)
	}
}

// TestOrderOfObjects checks that the preferred object is listed first in some episodes and second in others: the order must
// not tell which one it is.
func TestOrderOfObjects(t *testing.T) {
	first := 0
	episodes := generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 24, Tasks: []bib.Task{bib.Preference}}}, 6)
	for _, e := range episodes {
		s := show(&e.Expected.Familiarisation[0])
		if lattice.Square(s.end(), s.object(0)) < lattice.Square(s.end(), s.object(1)) {
			first++
		}
	}
	if first < 4 || first > 20 { // fewer or more have probability 0.0003
		t.Errorf("the preferred object is first in %d of %d episodes", first, len(episodes))
	}
}

// TestCommon checks what holds for every trial of every task (docs/theory/bib.md).
func TestCommon(t *testing.T) {
	for _, split := range []bib.Split{bib.Telling, bib.Collinear} {
		for _, task := range allTasks() {
			for _, e := range make12(t, task, split, episodesOf(task), 2) {
				fail := func(format string, args ...any) {
					t.Helper()
					t.Errorf("%s, %s, episode %d: "+format, append([]any{split, task, e.Index}, args...)...)
				}
				checkVideo(fail, task, &e.Expected)
				if e.Paired() != task.Paired() {
					fail("paired: %v", e.Paired())
				}
				if e.Paired() {
					checkVideo(fail, task, &e.Unexpected)
					checkPair(fail, task, &e)
				}
			}
		}
	}
}

type complaint func(format string, args ...any)

// checkPair checks that both outcomes of an episode have the same familiarisation trials; in the irrational tasks, the
// same paths but other walls. In both test trials the actor must begin at the same place, and there must be objects
// that look the same.
func checkPair(fail complaint, task bib.Task, e *bib.Episode) {
	irrational := task == bib.EfficiencyIrrational || task == bib.EfficiencyIrrationalControl
	for k := range 8 {
		a, b := &e.Expected.Familiarisation[k], &e.Unexpected.Familiarisation[k]
		if irrational {
			if !slices.Equal(a.Path, b.Path) || slices.Equal(a.Scene.Walls, b.Scene.Walls) {
				fail("familiarisation trial %d: paths must be the same and walls must differ", k)
			}
			c := *a
			c.Scene.Walls = b.Scene.Walls
			a = &c
		}
		if !reflect.DeepEqual(a, b) {
			fail("familiarisation trial %d differs between the outcomes", k)
		}
	}
	a, b := &e.Expected.Test.Scene, &e.Unexpected.Test.Scene
	if a.Agent.X != b.Agent.X || a.Agent.Y != b.Agent.Y || len(a.Objects) != len(b.Objects) {
		fail("the actor begins elsewhere, or there are other objects")
	}
	for i := range a.Objects {
		if !sameShape(a.Objects[i], b.Objects[i]) {
			fail("object %d is another one", i)
		}
	}
}

func checkVideo(fail complaint, task bib.Task, v *record.Video) {
	if len(v.Familiarisation) != 8 {
		fail("%d familiarisation trials", len(v.Familiarisation))
	}
	first := &v.Familiarisation[0].Scene
	for k := range 9 {
		tr := &v.Test
		if k < 8 {
			tr = &v.Familiarisation[k]
		}
		if s := &tr.Scene; s.Home.X != first.Home.X || s.Home.Y != first.Home.Y {
			fail("trial %d: home is elsewhere", k)
		}
		checkTrial(func(f string, args ...any) { fail("trial %d: "+f, append([]any{k}, args...)...) }, task, tr)
	}
}

func background(task bib.Task) bool { return slices.Contains(bib.Background(), task) }

func checkTrial(fail complaint, task bib.Task, tr *record.SceneTrial) {
	s := show(tr)
	lo, hi := 8, 16
	switch task {
	case bib.EfficiencyPath, bib.EfficiencyTime, bib.EfficiencyIrrational, bib.EfficiencyIrrationalControl:
		lo, hi = 3, 11
	case bib.InstrumentalNoBarrier, bib.InstrumentalInconsequential, bib.InstrumentalBlocking, bib.InstrumentalAction:
		lo, hi = 4, 9
	case bib.InaccessibleGoal, bib.ConstrainedPreference:
		hi = 24 // sixteen as in other tasks, and eight around the object
	}
	if n := inner(&tr.Scene); n < lo || n > hi || tr.Scene.Width != 200 || tr.Scene.Height != 200 {
		fail("%d inner wall cells in %d × %d pixels", n, tr.Scene.Width, tr.Scene.Height)
	}
	if tr.Scene.Home.X != tr.Path[0].X || tr.Scene.Home.Y != tr.Path[0].Y {
		fail("home is not where the actor begins")
	}
	checkDistances(fail, task, s)
	checkMotion(fail, s)
	checkContact(fail, s)
}

func checkDistances(fail complaint, task bib.Task, s *shown) {
	fromStart, apart := 40, 42
	if background(task) {
		fromStart, apart = 17, 26
	}
	things := []lattice.Point{}
	for i := range s.Scene.Objects {
		things = append(things, s.object(i))
	}
	if len(s.Scene.Keys) > 0 {
		things = append(things, s.key())
	}
	for i, p := range things {
		if lattice.Square(p, s.start()) < fromStart*fromStart {
			fail("thing %d is %v pixels from the start", i, p.Sub(s.start()))
		}
		for j := range i {
			if lattice.Square(p, things[j]) < apart*apart && task != bib.InstrumentalAction {
				fail("things %d and %d are too close", i, j)
			}
		}
		if !s.open.Open(p) {
			fail("thing %d is too close to a wall", i)
		}
	}
}

// checkMotion checks that a trial has 31 still frames (bib.StillBefore), a step of one pixel, then steps of at most two
// pixels, and 83 still frames (bib.StillAfter), and that the actor never comes too close to a wall.
func checkMotion(fail complaint, s *shown) {
	n := len(s.track)
	if s.moving() < 1 || !slices.Equal(s.Path[:bib.StillBefore], slices.Repeat(s.Path[:1], bib.StillBefore)) ||
		!slices.Equal(s.Path[n-bib.StillAfter-1:], slices.Repeat(s.Path[n-1:], bib.StillAfter+1)) {
		fail("still frames: %d frames, %d moving", n, s.moving())
		return
	}
	barrier := true
	changes := s.Changes
	begin := bib.StillBefore
	for len(changes) > 0 && len(changes[0].Covers) > 0 && s.track[begin] == s.track[0] { // what happens before the actor sets out
		begin++
	}
	for f := 1; f < n; f++ {
		for len(changes) > 0 && changes[0].Frame <= f {
			barrier, changes = len(changes[0].Barrier) > 0, changes[1:]
		}
		p, q := s.track[f-1], s.track[f]
		step := lattice.Chebyshev(p, q)
		if f == begin && step != 1 || step > 2 {
			fail("frame %d: a step of %d pixels", f, step)
		}
		if m := s.shut; !m.Open(q) && (barrier || !s.open.Open(q)) {
			fail("frame %d: the actor is at %v, too close to a wall", f, q)
		}
	}
}

// checkContact checks that the actor stops when it first touches a thing, and that it touches nothing else on the way
// except a key that it takes.
func checkContact(fail complaint, s *shown) {
	touched := 0
	for i := range s.Scene.Objects {
		for f, p := range s.track[:len(s.track)-bib.StillAfter-1] {
			if touches(p, s.object(i)) {
				fail("frame %d: object %d is touched before the end", f, i)
			}
		}
		if touches(s.end(), s.object(i)) {
			touched++
		}
	}
	if len(s.Scene.Keys) > 0 && touches(s.end(), s.key()) {
		touched++
	}
	if touched != 1 {
		fail("%d things are touched at the end", touched)
	}
}

// TestShapesLeaveGeometryAlone checks that episodes with new shapes differ from those with seen shapes in nothing but
// the looks of actors and objects.
func TestShapesLeaveGeometryAlone(t *testing.T) {
	for _, task := range allTasks() {
		var texts [2][]byte
		var icons [2]string
		for i, shapes := range []bib.Shapes{bib.Seen, bib.New} {
			e := generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 2, Tasks: []bib.Task{task}, Shapes: shapes}}, 5)
			icons[i] = e[1].Expected.Test.Scene.Objects[0].Icon
			for k := range e {
				for _, v := range []*record.Video{&e[k].Expected, &e[k].Unexpected} {
					if len(v.Familiarisation) > 0 {
						texts[i] = append(texts[i], format.Write(bare(v))...)
					}
				}
			}
		}
		if !bytes.Equal(texts[0], texts[1]) {
			t.Errorf("%s: the geometry depends on the shapes", task)
		}
		if icons[0] == icons[1] {
			t.Errorf("%s: the shapes are the same", task)
		}
	}
}

// bare returns v without icons and colours, except that an actor which looks unlike the first one has the icon
// "another".
func bare(v *record.Video) *record.Video {
	plain := func(s record.Shape) record.Shape { s.Icon, s.Colour = "", [3]uint8{}; return s }
	plainAll := func(list []record.Shape) (all []record.Shape) {
		for _, s := range list {
			all = append(all, plain(s))
		}
		return all
	}
	trial := func(t record.SceneTrial, first record.Shape) record.SceneTrial {
		same := sameShape(t.Scene.Agent, first)
		t.Scene.Agent, t.Scene.Home, t.Scene.Objects = plain(t.Scene.Agent), plain(t.Scene.Home), plainAll(t.Scene.Objects)
		t.Changes = slices.Clone(t.Changes)
		for i := range t.Changes {
			t.Changes[i].Objects = plainAll(t.Changes[i].Objects)
		}
		if !same {
			t.Scene.Agent.Icon = "another"
		}
		return t
	}
	first := v.Familiarisation[0].Scene.Agent
	var b record.Video
	for _, f := range v.Familiarisation {
		b.Familiarisation = append(b.Familiarisation, trial(f, first))
	}
	b.Test = trial(v.Test, first)
	return &b
}

// TestSameEverywhere checks that an episode depends on root seed, task and index only: not on the number of episodes,
// the other tasks, or the number of goroutines.
func TestSameEverywhere(t *testing.T) {
	text := func(e bib.Episode) []byte {
		return append(format.Write(&e.Expected), format.Write(&e.Unexpected)...)
	}
	many := generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: 4, Split: bib.Telling, Motion: bib.Ideal}}, 9)
	for k, task := range bib.Evaluation() {
		few := make12(t, task, bib.Telling, 2, 9)
		for i := range few {
			if !bytes.Equal(text(few[i]), text(many[4*k+i])) {
				t.Errorf("%s, episode %d is another one among others", task, i)
			}
		}
		if other := make12(t, task, bib.Telling, 1, 10); bytes.Equal(text(other[0]), text(few[0])) {
			t.Errorf("%s: another root gives the same episode", task)
		}
	}
}

// TestBadEpisodes checks which designs of episodes are refused.
func TestBadEpisodes(t *testing.T) {
	ok := func() scenario.Episodes { return scenario.Episodes{Design: bib.Design{Episodes: 1}} }
	for name, change := range map[string]func(p *scenario.Episodes){
		"no episodes":      func(p *scenario.Episodes) { p.Episodes = 0 },
		"too many":         func(p *scenario.Episodes) { p.Episodes = bib.MaxEpisodes + 1 },
		"unknown task":     func(p *scenario.Episodes) { p.Tasks = []bib.Task{"efficiency"} },
		"task twice":       func(p *scenario.Episodes) { p.Tasks = []bib.Task{bib.Preference, bib.Preference} },
		"unknown split":    func(p *scenario.Episodes) { p.Split = "hard" },
		"unknown shapes":   func(p *scenario.Episodes) { p.Shapes = "old" },
		"one actor":        func(p *scenario.Episodes) { p.Actors = generate.Actors()[:1] },
		"two of a kind":    func(p *scenario.Episodes) { p.Actors = slices.Repeat(generate.Actors()[:1], 2) },
		"impossible actor": func(p *scenario.Episodes) { p.Actors = []goaldirected.Actor{{Name: "x", Manner: goaldirected.Direct}} },
	} {
		p := ok()
		change(&p)
		if _, err := generate.Scenes(p, 1); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	p := ok()
	if err := p.Check(); err != nil || len(p.Tasks) != 10 || p.Split != bib.Natural || p.Motion != bib.Measured || p.Shapes != bib.Seen {
		t.Errorf("the defaults are %+v, %v", p, err)
	}
}

// TestStop checks that publishing stops when its context is cancelled.
func TestStop(t *testing.T) {
	s, err := generate.Run(context.Background(), open(t, "bib", "episodes=10_000"), generate.Config{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, create := generatetest.InMemory()
	if err := generate.PublishTo(ctx, s, 2, nil, create); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run ends with %v", err)
	}
}
