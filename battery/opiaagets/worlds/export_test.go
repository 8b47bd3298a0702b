package worlds

import (
	"context"

	"achilles/battery"
	"achilles/gridworld"
	"achilles/sim/record"
)

// Point and Generator let a test make one item.
type Point = point

type Generator struct{ g *generator }

func NewGenerator(levels ...battery.Factor) Generator {
	factors, err := withLevels(levels)
	if err != nil {
		panic(err)
	}
	return Generator{newGenerator(factors, columns())}
}

// Item returns item i at a point.
func (g Generator) Item(root uint64, i int, p Point) (battery.Item, error) {
	return g.Again(root, i, 0, p)
}

// Again returns item i at a point, if the worlds of some earlier attempts were duplicates.
func (g Generator) Again(root uint64, i, earlier int, p Point) (battery.Item, error) {
	a := g.g.item(root, i, earlier, p)
	return a.Item, a.err
}

// Schema returns the features of an item.
func Schema() []record.Feature { return battery.SchemaOf(columns()) }

// Mirrored reports whether the last item was built mirrored; Way returns the actions of its full-information actor.
func (g Generator) Mirrored() bool          { return g.g.sketch.mirrored }
func (g Generator) Way() []gridworld.Action { return g.g.way.Actions }

// PointAt returns the point with the first level of every factor. levels replace the default levels of the factors with
// their names.
func PointAt(levels ...battery.Factor) Point {
	factors, err := withLevels(levels)
	if err != nil {
		panic(err)
	}
	return pointAt(factors, make([]int, factorCount), wallColours())
}

// Sighting returns how many actions of the full-information actor of the last item come before it sees the reward.
func (g Generator) Sighting() int { return g.g.way.Sighting }

// Side returns the side of a point, and SetSide sets it.
func (p *point) Side() int        { return p.side }
func (p *point) SetSide(side int) { p.side = side }

// PointsOf returns the points of a design. levels replace the default levels of the factors with their names.
func PointsOf(items int, root uint64, levels ...battery.Factor) []Point {
	factors, err := withLevels(levels)
	if err != nil {
		panic(err)
	}
	plan, err := planOf(context.Background(), factors, items, root)
	if err != nil {
		panic(err)
	}
	points := make([]Point, len(plan.levels))
	for i := range points {
		points[i] = plan.at(i)
	}
	return points
}
