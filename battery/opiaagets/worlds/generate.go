package worlds

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/battery/opiaagets"
	"achilles/battery/shortcut"
	"achilles/battery/workshop"
	"achilles/gridworld"
	"achilles/sim/rng"
)

// maxTries is the largest number of candidates that are drawn in one attempt at an item.
const maxTries = 400

// A generator makes items. An item depends only on root, index, attempt, point and the design's levels of numPositions.
// A generator is for one goroutine at a time.
type generator struct {
	sketch  sketch
	meter   measure.Meter
	way     measure.Way
	bank    shortcut.Bank
	colours []gridworld.Colour
	columns []column
	walls   []string // names of wall colours
	places  []gridworld.Pos
	passes  []bool
	text    []byte // of the world
}

func newGenerator(factors []battery.Factor, columns []column) *generator {
	s := sketch{others: factors[byPositions].Number, rooms: map[room]*workshop.Rooms{}}
	for _, x := range factors[byDistance].Number {
		s.levels.Distances = append(s.levels.Distances, whole(x/UnitsPerCell))
	}
	for _, x := range factors[bySide].Number {
		s.levels.Sides = append(s.levels.Sides, whole(x), -whole(x)) // one on the left is built mirrored
	}
	// The reward must be in the actor's field of view, 60 degrees to each side: tan 60° is 1.732.
	s.levels.Within = func(p spot) bool { return 1000*max(p.X, -p.X) <= 1732*p.Y }
	return &generator{sketch: s, colours: suiteColours(), columns: columns, walls: wallColours()}
}

// A digest is the SHA-256 of a world's text.
type digest [sha256.Size]byte

// An attempt is an attempt at an item.
type attempt struct {
	battery.Item
	digest                     // of the item's world
	tried  [reasonCount]uint16 // numbers of candidates, by reason
	err    error
}

// item attempts item i of a battery at a point. earlier is the number of earlier attempts at the item, whose worlds were
// duplicates. The error names the point and the most frequent reason why candidates were rejected.
func (g *generator) item(root uint64, i, earlier int, p point) (a attempt) {
	g.sketch.point = p
	var room [2][20]byte // for the numbers: Stream keeps no name
	g.sketch.Rand = rng.Stream(root, "battery", opiaagets.Suite, "worlds",
		string(strconv.AppendInt(room[0][:0], int64(i), 10)), string(strconv.AppendInt(room[1][:0], int64(earlier), 10)))
	for range maxTries {
		r := g.draw()
		a.tried[r]++
		if r == fits {
			a.Item, a.digest = g.finish(i)
			return a
		}
	}
	worst := reason(slices.Index(a.tried[:], slices.Max(a.tried[:])))
	a.err = fmt.Errorf("no world in %d tries for %s; most often: %s", maxTries, &g.sketch.point, worst)
	return a
}

// draw draws one candidate and measures it. It returns fits, or the reason why the candidate is rejected.
func (g *generator) draw() reason {
	s := &g.sketch
	if r := s.plan(); r != fits {
		return r
	}
	s.planEvent()
	s.choosePaint(g.colours)
	s.build(s.limit())
	g.findPlaces()
	if !g.way.Walk(&s.world, s.at(s.dx, s.dy), s.mirrored) {
		return noWay
	}
	if r := s.schedule(g.way.Leads(g.places)); r != fits {
		return r
	}
	g.meter.Held = g.bank.Watch(&s.world, g.places)
	g.meter.Measure(&s.world, g.places, &g.way)
	return s.compare(&g.meter.Measurement)
}

// findPlaces sets g.places to the cells in which the reward could lie, row by row from the south-west.
func (g *generator) findPlaces() {
	var cells gridworld.Board
	for _, st := range g.sketch.stations {
		cells.Set(g.sketch.at(st.x, st.y))
	}
	g.places = slices.AppendSeq(g.places[:0], cells.All())
}

// finish returns the item of the present candidate, and the digest of its world.
func (g *generator) finish(i int) (battery.Item, digest) {
	w := &g.sketch.world
	g.text, _ = w.AppendText(g.text[:0])
	d := digest(sha256.Sum256(g.text))
	g.passes = g.bank.Passes(g.passes[:0], shortcut.Case{World: w, Places: g.places, Key: shortcut.Key(d), Paths: &g.way.Paths, Gaze: &g.way.Gaze, Event: g.meter.Event()})
	_, frozen := w.Windows()
	return battery.Item{
		Name: fmt.Sprintf("worlds-%06d", i+1), Suite: opiaagets.Suite, Paradigm: g.sketch.paradigm(), Task: g.task(),
		Brief:  fmt.Sprintf("Touch the reward before tick %d. Until tick %d you can look, but not move.", g.sketch.limit(), frozen[0].To),
		Values: battery.ValuesOf(g.columns, g),
		Trials: []battery.Trial{{World: battery.PackWorld(w), Places: slices.Clone(g.places)}},
	}, d
}
