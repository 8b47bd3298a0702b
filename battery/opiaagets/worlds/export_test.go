package worlds

import (
	"achilles/battery"
	"achilles/gridworld"
)

// Point and Generator are what a test needs to make one item.
type Point = point

type Generator struct{ g *generator }

func NewGenerator() Generator { return Generator{newGenerator(Factors()[byPositions].Number)} }

// Item makes item i at a point.
func (g Generator) Item(root uint64, i int, p Point) (battery.Item, error) {
	it, _, err := g.g.item(root, i, 0, p)
	return it, err
}

// Mirrored says whether the last item was built mirrored; Way is what its full-information actor does.
func (g Generator) Mirrored() bool          { return g.g.sketch.mirrored }
func (g Generator) Way() []gridworld.Action { return g.g.way.Actions }

// PointAt is the point of a design with one level of every factor; levels replace the first default ones.
func PointAt(levels ...battery.Factor) Point {
	factors, err := withLevels(levels)
	if err != nil {
		panic(err)
	}
	return pointAt(factors, make([]int, factorCount))
}

// Sighting is how many actions the way of the last item takes until the reward can be seen.
func (g Generator) Sighting() int { return g.g.way.Sighting }

// Side is the side of a point.
func (p *point) Side() int        { return p.side }
func (p *point) SetSide(side int) { p.side = side }

// PointsOf are the points of the default design.
func PointsOf(items int, root uint64) []Point {
	points, err := pointsOf(Factors(), items, root)
	if err != nil {
		panic(err)
	}
	return points
}
