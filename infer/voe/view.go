package voe

import (
	"slices"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
)

// clearance is the distance that the centre of an actor keeps from walls, in pixels: half the width of a wall cell. In the benchmark's
// background episode 000005coe it is 9, because a cell's last pixel counts (see value).
const clearance = 10

// A View is a video prepared for watching. It is valid until its Studio prepares the next item.
type View struct {
	Moments bool // ask observers for a Moment of every frame
	trials  []*trial
	studio  *Studio
}

// familiar returns the familiarisation trials. test returns the test trial, which is the last trial of the video.
func (v *View) familiar() []*trial { return v.trials[:len(v.trials)-1] }
func (v *View) test() *trial       { return v.trials[len(v.trials)-1] }

// A Studio prepares videos. It keeps the maps and distance fields of an item, so that all observers and the two videos of
// the item share them. The zero Studio is ready for use, by one goroutine at a time.
type Studio struct {
	planner     lattice.Planner
	halfPlanner lattice.Planner
	maps        map[string]*lattice.Map
	halfMaps    map[string]*lattice.Map
	trials      map[showing]*trial
	empty       map[[2]int]*lattice.Map
	key         []byte
}

// Prepare returns views of the videos of an item. The views of the item before it become invalid.
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

// A phase says what the actor has done with key and lock.
type phase uint8

const (
	bare     phase = iota // the actor has not taken the key
	carrying              // the actor has taken the key, and the barrier stands
	unlocked              // the barrier is gone
	phases
)

// A thing is an object or a key.
type thing struct {
	id     string
	centre lattice.Point
}

// A move is the step of the actor from one frame to the next.
type move struct {
	frame    int // the frame that shows the end of the step
	from, to lattice.Point
	phase    phase
}

// A trial is a record.SceneTrial prepared for watching. Objects are where they are when the actor sets out.
type trial struct {
	studio *Studio
	seen   *record.SceneTrial
	scene  *record.Scene
	actor  string
	object []thing
	key    *thing
	lock   *thing
	track  []lattice.Point // centre of the actor in every frame
	moves  []move
	last   phase
	closed *lattice.Map    // open where the actor's centre can be while the barrier stands
	opened *lattice.Map    // open where it can be without the barrier; the same map as closed if there is no barrier
	guides map[seat]*guide // guides computed so far
	half   *halfTrial
}

// A showing identifies a trial by the addresses of its slices. Videos that share a trial share these addresses.
type showing struct {
	path           *record.Point
	change         *record.Change
	away           bool
	walls, barrier *record.Rect
	object         *record.Shape
	agent          record.Shape
}

func showingOf(r *record.SceneTrial) showing {
	return showing{first(r.Path), first(r.Changes), r.Scene.Away, first(r.Scene.Walls), first(r.Scene.Barrier), first(r.Scene.Objects), r.Scene.Agent}
}

func first[T any](s []T) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}

// trial prepares a trial. Videos that share a trial get the same one.
func (s *Studio) trial(r *record.SceneTrial) *trial {
	key := showingOf(r)
	if t, ok := s.trials[key]; ok {
		return t
	}
	t := &trial{studio: s, seen: r, scene: &r.Scene, actor: identity(&r.Scene.Agent), guides: map[seat]*guide{}}
	now := r.At(setOut(r))
	for i := range now.Objects {
		t.object = append(t.object, thingOf(&now.Objects[i]))
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

// setOut returns the frame before the actor's first step; without a step, the last one.
func setOut(r *record.SceneTrial) int {
	f := 0
	for f < len(r.Path)-1 && r.Path[f+1] == r.Path[f] {
		f++
	}
	return f
}

func thingOf(s *record.Shape) thing {
	return thing{identity(s), lattice.Point{X: int(s.X + s.Half), Y: int(s.Y + s.Half)}}
}

// follow sets the track of the actor, its moves with their phases, and the last phase.
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

// phaseFrames returns the frame in which the actor took the key, and the frame in which the barrier vanished. It returns
// the number of frames for an event that does not happen.
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

// shut returns the rectangles that cannot be entered: the walls, and if standing is true also the barrier and the locks.
func shut(scene *record.Scene, standing bool) []record.Rect {
	if !standing {
		return scene.Walls
	}
	return slices.Concat(scene.Walls, scene.Barrier, squares(scene.Locks))
}

// wallKey returns the size of a scene and the rectangles that shut returns, as bytes. The bytes are valid until the next
// call.
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

// walls returns the map of a scene, with barrier and locks if standing is true. Its open nodes are the places where the
// actor's centre can be.
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

// squares returns the bounding squares of shapes.
func squares(shapes []record.Shape) []record.Rect {
	var r []record.Rect
	for _, s := range shapes {
		r = append(r, record.Rect{X: s.X, Y: s.Y, W: 2 * s.Half, H: 2 * s.Half})
	}
	return r
}

// nearest returns the open node of m that is nearest to p, at most clearance pixels away in each direction, or p if there is none.
func nearest(m *lattice.Map, p lattice.Point) lattice.Point {
	if m.Open(p) {
		return p
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
	return best
}
