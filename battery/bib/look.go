package bib

import (
	"slices"
	"strconv"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A look is the appearance of the objects and actors of an episode.
type look struct {
	object, actor []record.Shape // two shapes each and one for each distractor, by identity of the object or actor, without a position
	folder        string
	order         []int // of the objects in scenes, if there are more than two
	swapped       bool  // object 1 is listed first in scenes
}

// shapeNames lists the shapes that objects and actors can have. Those of Seen are shapes of the benchmark, as far as
// its published episodes show them.
type shapeNames struct {
	folder        string
	object, actor []string
}

func (s Shapes) shapeNames() shapeNames {
	if s == New {
		return shapeNames{"./shapes/eval/",
			[]string{"anchor", "bell", "cactus", "cloud", "cross", "drop", "envelope", "fish", "key_stone", "leaf", "mushroom", "pear", "star", "umbrella"},
			[]string{"bean", "hexagon", "octagon", "pebble", "trapezoid"}}
	}
	return shapeNames{"./shapes/train/",
		[]string{"capsule", "clove_tree", "curved_triangle", "double_dia", "flag", "heart", "medal", "moon", "spoon", "vase", "wine", "arch", "ladder", "ring"},
		[]string{"clove", "kite", "pentagon", "drum", "shield"}}
}

// palette returns the colours of objects and actors: CSS colours that differ clearly from black, white, pink and the
// green of barriers.
func palette() [][3]uint8 {
	return [][3]uint8{{30, 144, 255}, {245, 222, 179}, {0, 255, 255}, {255, 0, 255}, {255, 140, 0}, {0, 0, 128}, {255, 0, 0},
		{255, 215, 0}, {128, 0, 128}, {139, 69, 19}, {0, 128, 128}, {112, 128, 144}, {221, 160, 221}, {65, 105, 225}, {250, 128, 114}, {128, 128, 0}}
}

// look draws shapes and colours from a separate random stream, so that the geometry of the episode does not depend on them.
func (g *Generator) look(root uint64, t Task, i int) *look {
	r := rng.Stream(root, "battery", "bib", string(t), strconv.Itoa(i), "look")
	w := g.design.Shapes.shapeNames()
	colours := palette()
	l := &look{folder: "./shapes/"}
	hue, objects, actors := r.Perm(len(colours)), r.Perm(len(w.object)), r.Perm(len(w.actor))
	for k := range 2 {
		l.object = append(l.object, record.Shape{Half: objectHalf, Icon: w.folder + "objects/" + w.object[objects[k]] + ".png", Colour: colours[hue[k]]})
		l.actor = append(l.actor, record.Shape{Half: actorHalf, Icon: w.folder + "agents/" + w.actor[actors[k]] + ".png", Colour: colours[hue[2+k]]})
	}
	n := g.design.dialAt(t, i).Distractors
	for k := 2; k < 2+n; k++ {
		l.object = append(l.object, record.Shape{Half: objectHalf, Icon: w.folder + "objects/" + w.object[objects[k]] + ".png", Colour: colours[hue[2+k]]})
	}
	l.swapped = g.design.Motion == Measured && r.Bernoulli(0.5)
	if n > 0 {
		l.order = r.Perm(2 + n)
	}
	return l
}

// put returns the shape with its centre at p.
func put(s record.Shape, p lattice.Point) record.Shape {
	at := corner(p, int(s.Half))
	s.X, s.Y = at.X, at.Y
	return s
}

// scene returns the first frame of a trial: border walls, inner walls, objects, home, actor, barrier, lock and key.
func (l *look) scene(t *trial) record.Scene {
	s := record.Scene{Width: Side, Height: Side, Walls: rects(t.walls)}
	for i := range Cells {
		s.Walls = append(s.Walls, rect(cell{0, i}))
	}
	for i := 1; i < Cells; i++ {
		s.Walls = append(s.Walls, rect(cell{i, 0}))
	}
	for i := 1; i < Cells; i++ {
		s.Walls = append(s.Walls, rect(cell{Cells - 1, i}))
	}
	for i := 1; i < Cells-1; i++ {
		s.Walls = append(s.Walls, rect(cell{i, Cells - 1}))
	}
	object := t.object
	if t.prelude != nil {
		object, s.Away = t.prelude.first, t.prelude.absent
	}
	for k, p := range object {
		s.Objects = append(s.Objects, put(l.object[k], p))
	}
	switch {
	case len(t.object) > 2:
		listed := slices.Clone(s.Objects)
		for k, o := range l.order {
			s.Objects[k] = listed[o]
		}
	case l.swapped:
		slices.Reverse(s.Objects)
	}
	s.Home = put(record.Shape{Half: actorHalf, Icon: l.folder + "home.png", Colour: [3]uint8{255, 105, 180}}, t.start)
	s.Agent = put(l.actor[t.actor], t.start)
	l.barrier(&s, t)
	return s
}

// barrier adds the barrier, the lock and the key of t to a scene.
func (l *look) barrier(s *record.Scene, t *trial) {
	if t.barrier != (cells{}) {
		green := t.barrier
		green[t.lock.y] &^= 1 << t.lock.x
		s.Barrier = rects(green)
		s.Locks = []record.Shape{put(record.Shape{Half: lockHalf, Icon: l.folder + "slot0.png", Colour: [3]uint8{80, 146, 56}}, t.lock.centre())}
	}
	if t.key != nil {
		s.Keys = []record.Shape{put(record.Shape{Half: keyHalf, Icon: l.folder + "triangle0.png", Colour: [3]uint8{80, 146, 56}}, *t.key)}
	}
}

func rect(c cell) record.Rect {
	return record.Rect{X: int16(Cell * c.x), Y: int16(Cell * c.y), W: Cell, H: Cell}
}

func rects(s cells) []record.Rect {
	var r []record.Rect
	for _, c := range s.list() {
		r = append(r, rect(c))
	}
	return r
}
