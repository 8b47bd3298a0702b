package voe

import (
	"slices"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// clearance is how far the centre of an actor keeps from walls, in pixels: the least that the benchmark's published
// episodes show, rounded up to half a wall cell.
const clearance = 10

// A View is a video prepared for watching. It is good until its Studio prepares the next item.
type View struct {
	Moments bool // ask observers for a Moment a frame
	trials  []*trial
	studio  *Studio
}

// familiar are the familiarisation trials; test is the last one.
func (v *View) familiar() []*trial { return v.trials[:len(v.trials)-1] }
func (v *View) test() *trial       { return v.trials[len(v.trials)-1] }

// A Studio prepares videos. It keeps the maps of scenes and the fields of ways, so that observers and the two videos
// of an item share them. The zero Studio is ready for use, by one goroutine at a time.
type Studio struct {
	planner     lattice.Planner
	halfPlanner lattice.Planner
	maps        map[string]*lattice.Map
	halfMaps    map[string]*lattice.Map
	trials      map[showing]*trial
	empty       map[[2]int]*lattice.Map
	key         []byte
}

// Prepare forgets the last item and returns views of the videos of this one.
func (s *Studio) Prepare(w *record.Watched) []*View {
	s.planner.Reset()
	s.halfPlanner.Reset()
	clear(s.maps)
	clear(s.halfMaps)
	clear(s.trials)
	if s.maps == nil {
		s.maps, s.halfMaps = map[string]*lattice.Map{}, map[string]*lattice.Map{}
		s.trials, s.empty = map[showing]*trial{}, map[[2]int]*lattice.Map{}
	}
	views := make([]*View, len(w.Videos))
	for i := range w.Videos {
		v := &View{studio: s}
		for k := range w.Videos[i].Familiarisation {
			v.trials = append(v.trials, s.trial(&w.Videos[i].Familiarisation[k]))
		}
		v.trials = append(v.trials, s.trial(&w.Videos[i].Test))
		views[i] = v
	}
	return views
}

// A phase says how far the actor has come with key and lock.
type phase uint8

const (
	bare phase = iota
	carrying
	unlocked
	phases
)

// A thing is an object or a key.
type thing struct {
	id     string
	centre lattice.Point
}

// A move is the step of the actor from one frame to the next.
type move struct {
	frame    int // that shows its end
	from, to lattice.Point
	phase    phase
}

// A trial is a trial prepared for watching.
type trial struct {
	studio *Studio
	scene  *record.Scene
	actor  string
	object []thing
	key    *thing
	lock   *thing
	track  []lattice.Point // centre of the actor in every frame
	moves  []move
	last   phase
	closed *lattice.Map   // where one can be while the barrier stands
	opened *lattice.Map   // and without it; the same map where there is none
	guides map[int]*guide // by index of the object; the key is −1
	half   *halfTrial
}

// showing identifies a trial by the memory it lies in: videos that share a trial share its slices.
type showing struct {
	path           *record.Point
	walls, barrier *record.Rect
	object         *record.Shape
	agent          record.Shape
}

func showingOf(r *record.SceneTrial) showing {
	return showing{first(r.Path), first(r.Scene.Walls), first(r.Scene.Barrier), first(r.Scene.Objects), r.Scene.Agent}
}

func first[T any](s []T) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}

// trial prepares a trial, once for all videos that share it.
func (s *Studio) trial(r *record.SceneTrial) *trial {
	key := showingOf(r)
	if t, ok := s.trials[key]; ok {
		return t
	}
	t := &trial{studio: s, scene: &r.Scene, actor: identity(&r.Scene.Agent), guides: map[int]*guide{}}
	for i := range r.Scene.Objects {
		t.object = append(t.object, thingOf(&r.Scene.Objects[i]))
	}
	if len(r.Scene.Keys) > 0 {
		k := thingOf(&r.Scene.Keys[0])
		t.key = &k
	}
	if len(r.Scene.Locks) > 0 {
		l := thingOf(&r.Scene.Locks[0])
		t.lock = &l
	}
	t.follow(r)
	t.opened = s.walls(&r.Scene, false)
	t.closed = t.opened
	if len(r.Scene.Barrier) > 0 {
		t.closed = s.walls(&r.Scene, true)
	}
	s.trials[key] = t
	return t
}

func thingOf(s *record.Shape) thing {
	return thing{identity(s), lattice.Point{X: int(s.X + s.Half), Y: int(s.Y + s.Half)}}
}

// follow finds the moves of the actor and the phase of each.
func (t *trial) follow(r *record.SceneTrial) {
	half := int(r.Scene.Agent.Half)
	took, opened := phaseFrames(r)
	for f, p := range r.Path {
		at := lattice.Point{X: int(p.X) + half, Y: int(p.Y) + half}
		t.track = append(t.track, at)
		now := bare
		if f > opened {
			now = unlocked
		} else if f > took {
			now = carrying
		}
		if f > 0 && at != t.track[f-1] {
			t.moves = append(t.moves, move{frame: f, from: t.track[f-1], to: at, phase: now})
		}
		t.last = now
	}
}

// phaseFrames returns the frame in which the key was taken and that in which the barrier was gone, or the number of
// frames where that does not happen.
func phaseFrames(r *record.SceneTrial) (took, opened int) {
	took, opened = len(r.Path), len(r.Path)
	for _, c := range r.Changes {
		if took == len(r.Path) && !slices.Equal(c.Keys, r.Scene.Keys) {
			took = c.Frame
		}
		if opened == len(r.Path) && len(c.Barrier) == 0 && len(r.Scene.Barrier) > 0 {
			opened = c.Frame
		}
	}
	return took, opened
}

// shut are the rectangles that cannot be entered: walls, and barrier and locks if they stand.
func shut(scene *record.Scene, standing bool) []record.Rect {
	if !standing {
		return scene.Walls
	}
	return slices.Concat(scene.Walls, scene.Barrier, squares(scene.Locks))
}

// wallKey is the size and the walls of a scene as bytes, good until the next call.
func (s *Studio) wallKey(scene *record.Scene, standing bool) []byte {
	put := func(n int16) { s.key = append(s.key, byte(n), byte(n>>8)) }
	s.key = s.key[:0]
	put(scene.Width)
	put(scene.Height)
	for _, r := range shut(scene, standing) {
		put(r.X)
		put(r.Y)
		put(r.W)
		put(r.H)
	}
	return s.key
}

// walls returns the map of a scene, with barrier and locks or without.
func (s *Studio) walls(scene *record.Scene, standing bool) *lattice.Map {
	name := string(s.wallKey(scene, standing))
	if m, ok := s.maps[name]; ok {
		return m
	}
	size := [2]int{max(0, int(scene.Width)) + 1, max(0, int(scene.Height)) + 1} // a node for every pixel, and for the far edges
	if s.empty[size] == nil {
		s.empty[size] = lattice.NewMap(size[0], size[1])
	}
	m := s.planner.Map(s.empty[size])
	for _, r := range shut(scene, standing) {
		x, y := int(r.X), int(r.Y)
		m.Block(x-clearance, y-clearance, x+int(r.W)+clearance, y+int(r.H)+clearance)
	}
	s.maps[name] = m
	return m
}

// squares are the rectangles that shapes stand in.
func squares(shapes []record.Shape) []record.Rect {
	var r []record.Rect
	for _, s := range shapes {
		r = append(r, record.Rect{X: s.X, Y: s.Y, W: 2 * s.Half, H: 2 * s.Half})
	}
	return r
}

// nearest returns the open node of m that is nearest to p, if there is one within a cell.
func nearest(m *lattice.Map, p lattice.Point) (lattice.Point, bool) {
	if m.Open(p) {
		return p, true
	}
	best, least := p, 0
	for dy := -clearance; dy <= clearance; dy++ {
		for dx := -clearance; dx <= clearance; dx++ {
			q := p.Add(lattice.Point{X: dx, Y: dy})
			if d := lattice.Octile(p, q); m.Open(q) && (least == 0 || d < least) {
				best, least = q, d
			}
		}
	}
	return best, least > 0
}
