package trajectory

import "achilles/gridworld"

// An onlooker is what an actor with perfect eyes knows of the reward: where and when it was last seen, how it moved
// then, and which places have been seen empty since.
type onlooker struct {
	scene   *Scene
	view    gridworld.View
	known   bool
	inSight bool
	still   bool // it lay where it had been seen before
	last    gridworld.Thing
	tick    int   // of the last sighting
	dx, dy  int   // how far it moved between the last two sightings, where these were successive
	emptied []int // by place: the tick at which it was last seen empty; −1: never
}

func (o *onlooker) reset(s *Scene) {
	*o = onlooker{scene: s, view: o.view, emptied: make([]int, len(s.Places))}
	for k := range o.emptied {
		o.emptied[k] = -1
	}
}

// look takes in what is to be seen in w now.
func (o *onlooker) look(w *gridworld.World) {
	w.View(gridworld.Viewer{Watch: &o.scene.watch}, &o.view)
	before := o.inSight
	o.inSight = false
	for i := range o.view.Things {
		if o.view.Things[i].Index == o.scene.goal {
			o.see(o.view.Things[i].Thing, before)
		}
	}
	for k, p := range o.scene.Places {
		if o.view.Seen.Has(p) && !(o.inSight && o.last.Pos == p) {
			o.emptied[k] = o.view.Tick
		}
	}
}

func (o *onlooker) see(t gridworld.Thing, before bool) {
	moved := o.known && o.last.Pos != t.Pos && o.view.Tick == o.tick+1
	o.still, o.dx, o.dy = !moved, 0, 0
	if moved && before {
		o.dx, o.dy = t.Pos.X-o.last.Pos.X, t.Pos.Y-o.last.Pos.Y
	}
	o.known, o.inSight, o.last, o.tick = true, true, t, o.view.Tick
}

// possible says whether the hidden reward could lie at place k.
func (o *onlooker) possible(k int) bool { return o.emptied[k] <= o.tick }

// infer says where the hidden reward must be: where it vanished, if that is a place; else in the only place left; else
// in the place nearest to where it was heading. It is false where every place has been seen empty.
func (o *onlooker) infer() (gridworld.Pos, bool) {
	if len(o.scene.Places) == 0 {
		return o.last.Pos, true
	}
	heading := gridworld.Pos{X: o.last.Pos.X + o.dx, Y: o.last.Pos.Y + o.dy}
	best, least := gridworld.Pos{}, -1
	for k, p := range o.scene.Places {
		switch d := p.Manhattan(heading); {
		case !o.possible(k):
		case p == o.last.Pos:
			return p, true
		case least < 0 || d < least:
			best, least = p, d
		}
	}
	return best, least >= 0
}

// others lists the places besides p in which the hidden reward could lie.
func (o *onlooker) others(p gridworld.Pos) (list []int) {
	for k, q := range o.scene.Places {
		if q != p && o.possible(k) {
			list = append(list, k)
		}
	}
	return list
}

// onward is where a reward would be that went on as it was last seen to move: in the first place on its line, or as far
// as there is ground to stand on.
func (o *onlooker) onward() gridworld.Pos {
	end := o.last.Pos
	n := divisor(o.dx, o.dy)
	if n == 0 {
		return end
	}
	for p := end; ; {
		if p = (gridworld.Pos{X: p.X + o.dx/n, Y: p.Y + o.dy/n}); !o.scene.layout.Inside(p) {
			return end
		}
		if o.scene.layout.At(p).Kind.Passable() {
			end = p
		}
		if o.scene.watch.Has(p) {
			return p
		}
	}
}

// divisor is the greatest common divisor of |a| and |b|; 0 where both are 0.
func divisor(a, b int) int {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
