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
	packer  battery.Packer
	line    []byte          // memory for the name or brief of an item
	trials  []battery.Trial // memory for the trials of items, and
	spots   []gridworld.Pos // for their places
}

func newGenerator(others []float64, columns []column) *generator {
	return &generator{sketch: sketch{others: others}, colours: suiteColours(), columns: columns, walls: wallColours()}
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
	if r := s.schedule(g.way.Sighting); r != fits {
		return r
	}
	g.meter.Held = g.bank.Watch(&s.world, g.places)
	g.meter.Measure(&s.world, g.places, &g.way)
	return s.compare(&g.meter.Measurement)
}

// findPlaces sets g.places to the cells in which the reward could lie, row by row from the south-west.
func (g *generator) findPlaces() {
	g.places = g.places[:0]
	for _, st := range g.sketch.stations {
		g.places = append(g.places, g.sketch.at(st.x, st.y))
	}
	slices.SortFunc(g.places, func(p, q gridworld.Pos) int {
		if p.Y != q.Y {
			return p.Y - q.Y
		}
		return p.X - q.X
	})
}

// finish returns the item of the present candidate, and the digest of its world.
func (g *generator) finish(i int) (battery.Item, digest) {
	w := &g.sketch.world
	g.text, _ = w.AppendText(g.text[:0])
	d := digest(sha256.Sum256(g.text))
	g.passes = g.bank.Passes(g.passes[:0], shortcut.Case{World: w, Places: g.places, Key: shortcut.Key(d), Paths: &g.way.Paths, Gaze: &g.way.Gaze, Event: g.meter.Event()})
	it := battery.Item{
		Name: g.name(i), Suite: opiaagets.Suite, Paradigm: g.sketch.paradigm(), Task: g.task(),
		Brief:  g.brief(),
		Trials: cut(&g.trials, 1),
	}
	places := cut(&g.spots, len(g.places))
	copy(places, g.places)
	it.Trials[0] = battery.Trial{World: g.packer.World(w), Places: places}
	it.Values = g.values()
	return it, d
}

// cut returns the next n elements of a slice that many items share, or of a new one if it has fewer left.
func cut[T any](shared *[]T, n int) []T {
	const together = 64
	if len(*shared) < n {
		*shared = make([]T, max(together, n))
	}
	piece := (*shared)[:n:n]
	*shared = (*shared)[n:]
	return piece
}

// name returns the name of item i. Its number has zeros before it, so that names sort as numbers do.
func (g *generator) name(i int) string {
	b := append(g.line[:0], "worlds-"...)
	for most := 100_000; most > i+1; most /= 10 {
		b = append(b, '0')
	}
	g.line = strconv.AppendInt(b, int64(i+1), 10)
	return g.packer.String(g.line)
}

// brief returns the line that a subject is told.
func (g *generator) brief() string {
	_, frozen := g.sketch.world.Windows()
	b := strconv.AppendInt(append(g.line[:0], "Touch the reward before tick "...), int64(g.sketch.limit()), 10)
	b = strconv.AppendInt(append(b, ". Until tick "...), int64(frozen[0].To), 10)
	g.line = append(b, " you can look, but not move."...)
	return g.packer.String(g.line)
}

// values returns the features of the present candidate.
func (g *generator) values() battery.Values {
	for i := range g.columns {
		if c := &g.columns[i]; c.text != nil {
			g.packer.Text(c.text(g))
		} else {
			g.packer.Number(c.number(g) + 0) // + 0 makes −0, such as a side times −1, to 0
		}
	}
	return g.packer.Values()
}
