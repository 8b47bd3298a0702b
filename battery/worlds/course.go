package worlds

import (
	"slices"

	"achilles/battery/measure"
	"achilles/gridworld"
)

// A course is what a family of O-PIAAGETS has of its own: places, and obstacles between the start and them.
type course struct {
	turns  bool                                             // in some controls the actor starts with its back to the places
	places func(onCourse) int                               // draws their number
	least  func(*point) int                                 // number of rows that obstacles need from the start to a place
	rooms  func(list [][]spot, n, y, farthest int) [][]spot // appends the ways to lay out n places of which the nearest row is y
	across func(d onCourse, slack int)                      // draws where obstacles stand; slack is the number of rows that they do not need
	stand  func(onCourse)                                   // builds them
	task   func(d onCourse, m *measure.Measurement) string
}

// family returns the paradigm of a course. level is its name in the suite's tables, and files what the paper files its items under.
func family(name, level, files string, c course) paradigm {
	return paradigm{
		name: name, level: level, files: files, plan: func(d *draft) bool { return c.plan(onCourse{d}) }, happens: func(d *draft) { onCourse{d}.fly() }, agrees: asOnCourse,
		task: func(d *draft, m *measure.Measurement) string { return c.task(onCourse{d}, m) },
		stand: func(d *draft) {
			d.lay()
			for _, o := range d.strips {
				d.fill(o.x0, o.y, o.x1, o.y, o.kind, gridworld.None)
			}
			c.stand(onCourse{d})
		},
	}
}

// onCourse is a draft of an item of a course.
type onCourse struct{ *draft }

// A ground is what lies and stands on a course.
type ground struct {
	zone   int // first row of the places
	band   band
	strips []strip
	lake   lake
	front  front // what stands at places that are in sight
	paint  gridworld.Colour
	ahead  int // laneSide of a lane straight ahead
}

// A front is what stands at a place that is in sight.
type front uint8

const (
	bareFront  front = iota
	lowFront         // a low wall, over which the actor can see
	clearFront       // a clear wall, through which the actor can see
	backWall         // a wall behind the place
)

// A strip is a row of obstacles across the way, in row y from column x0 to x1.
type strip struct {
	y, x0, x1 int
	kind      gridworld.Kind
}

// plan draws what stands where. The reward never ends to the west of the start: an item with its reward on the left is built mirrored.
func (c course) plan(d onCourse) bool {
	d.turned = c.turns && !d.occluder && d.hidden == 0 && !d.bounce && d.IntN(4) == 0
	coin := d.IntN(2) == 0
	d.mirrored = d.side < 0 || d.side == 0 && coin
	if d.turned && d.side != 0 {
		d.mirrored = !d.mirrored // with its back to the places, the actor's left is the east
	}
	d.front = [...]front{bareFront, lowFront, backWall}[d.IntN(3)]
	if d.transparent {
		d.front = clearFront
	}
	n, least := c.places(d), c.least(&d.point)
	if !d.layOut(layout{d.name, n, least}, func(farthest int) (list [][]spot) {
		for y := least; y <= farthest; y++ {
			list = c.rooms(list, n, y, farthest)
		}
		return list
	}, max(d.side, -d.side), any) {
		return false
	}
	c.across(d, d.lowest()-least)
	d.chooseHidden()
	return true
}

// lowest returns the first row of places.
func (d onCourse) lowest() int {
	return slices.MinFunc(d.places, func(a, b place) int { return a.Y - b.Y }).Y
}

// total returns the number of places: the right one and the other positions, and at least atLeast. For controls it draws
// the number of other positions from the levels of the design, so that controls have as many places as items with an
// occluder.
func (d onCourse) total(atLeast int) int {
	others := d.positions
	if !d.occluder {
		others = whole(d.others[d.IntN(len(d.others))])
	}
	return max(atLeast, others+1)
}

// chooseHidden draws which places hide what lies there. In items with an occluder these are the right one and as many
// others as there are positions; in controls, none.
func (d onCourse) chooseHidden() {
	if !d.occluder {
		return
	}
	open, need := len(d.places)-1, d.positions
	for i := range d.places {
		if i == d.right {
			continue
		}
		if d.places[i].hidden = d.IntN(open) < need; d.places[i].hidden { // selection sampling: each of the open ones with probability need/open
			need--
		}
		open--
	}
}

// rise returns the number of rows that ramp and ledge take; a ledge alone takes none.
func (p *point) rise() int {
	if p.ramp && p.platform {
		return 2
	}
	return is(p.ramp)
}

// across draws strips of obstacles of some kinds between the start and row `end`, nearest first. They block the way straight ahead.
func (d onCourse) across(end int, kinds ...gridworld.Kind) {
	if len(kinds) == 0 {
		return
	}
	y := 1 + d.IntN(end-len(kinds))
	x0 := d.IntN(3) - 4
	for i, k := range kinds {
		o := strip{y: y + i, x0: x0, x1: x0 + 6, kind: k}
		d.strips = append(d.strips, o)
		if k == gridworld.Lava && d.IntN(3) == 0 { // a second strip in the same row, with a gap between
			o.x0 += 8 - 16*d.IntN(2)
			o.x1 = o.x0 + 6
			d.strips = append(d.strips, o)
		}
	}
}

// obstacles returns the kinds of the strips of a point.
func (p *point) obstacles() (kinds []gridworld.Kind) {
	if p.lava {
		kinds = append(kinds, gridworld.Lava)
	}
	if p.transparent {
		kinds = append(kinds, gridworld.ClearWall)
	}
	return kinds
}

// screens builds the walls of the places, before or behind them, over `reach` columns to each side.
func (d onCourse) screens(reach int) {
	for _, p := range d.places {
		y, kind := p.Y-1, gridworld.Occluder
		switch {
		case p.hidden:
		case d.front == bareFront:
			continue
		case d.front == backWall:
			y = p.Y + 1
		default:
			kind = d.seeThrough()
		}
		d.fill(p.X-reach, y, p.X+reach, y, kind, d.paint)
	}
}

// seeThrough returns the kind of wall that blocks the way but not the sight.
func (d onCourse) seeThrough() gridworld.Kind {
	if d.transparent {
		return gridworld.ClearWall
	}
	return gridworld.LowWall
}

// frontWord returns the word for what stands at places that are in sight; `none` is the word for nothing. It returns ""
// for items with an occluder.
func (d onCourse) frontWord(none string) string {
	if d.occluder {
		return ""
	}
	return [...]string{bareFront: none, lowFront: "XtraLow", clearFront: "Trans", backWall: "Back"}[d.front]
}

// asOnCourse returns the reason for the first difference between what a point says of a course and what was measured.
func asOnCourse(d *draft, m *measure.Measurement) string {
	switch {
	case m.Lava != d.lava || m.Ramp != d.ramp || m.Platform != d.platform || m.Transparent != d.transparent:
		return "wrong ground"
	case m.Bounce != d.bounce || m.Displaced != d.displaced:
		return "wrong event"
	}
	return fits
}

// fly draws what happens to the reward: it is first in the air, where no wall hides it, and then comes down where it ends, hidden or in
// sight. A displaced reward moves on while the lights are out, not where its motion pointed, and comes down unseen.
func (d onCourse) fly() {
	e, end := &d.event, d.end()
	var air []spot // where the reward is in the air at ticks 0, 1, …
	switch {
	case d.bounce && d.displaced: // it is on its way to elsewhere
		air = d.motion(d.spotInView(), d.decoy())
		air = air[:(len(air)+2)/2] // the lights go out half-way
	case d.bounce:
		air = d.motion(d.spotInView(), end)
		if d.IntN(2) == 0 {
			air = append(air, end, end) // the reward rests in the air before it comes down
		}
	case d.displaced:
		air = append(air, d.decoy())
	default:
		air = append(air, end)
	}
	for len(air) < stillTicks {
		air = append(air, air[len(air)-1])
	}
	e.begin(air[0])
	for e.tick = 1; e.tick < len(air); e.wait(1) {
		if p := air[e.tick]; p != e.reward {
			e.show(p)
		}
	}
	if d.displaced {
		e.darkFrom, e.darkTo = e.tick, untilFree
		e.shows, e.hides = false, e.tick
		e.wait(1)
	}
	e.rest(end)
	d.choosePaint()
}

// spotInView draws a cell ahead of the start, other than the reward's end.
func (d onCourse) spotInView() spot {
	end := d.end()
	for {
		y := 2 + d.IntN(end.Y-1)
		wide := min(y, -d.west, d.east)
		if p := xy(d.IntN(2*wide+1)-wide, y); p != end {
			return p
		}
	}
}

// decoy draws a place in view other than the right one or, if there is none, any cell in view.
func (d onCourse) decoy() spot {
	first := d.IntN(len(d.places))
	for i := range d.places {
		k := (first + i) % len(d.places)
		if p := d.places[k]; k != d.right && max(p.X, -p.X) <= p.Y {
			return p.spot
		}
	}
	return d.spotInView()
}

// motion returns a straight path in the air from one spot to another, of four to eight ticks.
func (d onCourse) motion(from, to spot) (path []spot) {
	n := 4 + d.IntN(5)
	for i := range n + 1 {
		path = append(path, between(from, to, i, n))
	}
	return path
}

// choosePaint draws the colour of what stands at the places: one of the suite's, or any.
func (d onCourse) choosePaint() {
	d.paint = gridworld.RGB(uint8(d.IntN(256)), uint8(d.IntN(256)), uint8(d.IntN(256)))
	if d.wall < len(d.paints) {
		d.paint = d.paints[d.wall]
	}
}
