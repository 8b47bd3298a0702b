package worlds

import (
	"context"
	"slices"

	"achilles/battery"
	"achilles/gridworld"
)

// A Generator lets a test make one item.
type Generator struct {
	g       *generator
	factors levels
}

// A Point is what an item is to have.
type Point struct{ p planned }

// Generator returns a generator for a design. levels replace the default levels of the factors with their names.
func (c *Coding) Generator(levels ...battery.Factor) Generator {
	factors, err := c.withLevels(levels)
	if err != nil {
		panic(err)
	}
	return Generator{newGenerator(c, factors), factors}
}

// First returns the point with the first level of every factor.
func (g Generator) First() Point {
	blocks, err := g.g.draft.coding.blocks(g.g.draft.coding, g.factors, 0)
	if err != nil {
		panic(err)
	}
	return Point{planned{&blocks[0], make([]int, len(g.factors))}}
}

// Item returns item i at a point.
func (g Generator) Item(root uint64, i int, p Point) (battery.Item, error) {
	a := g.g.item(battery.Request{Root: root}, i, p.p, nil)
	return a.Item, a.err
}

// Mirrored reports whether the last item was built mirrored; Way returns the actions of its full-information actor, and Sighting how many come
// before it sees the reward.
func (g Generator) Mirrored() bool          { return g.g.draft.mirrored }
func (g Generator) Way() []gridworld.Action { return g.g.way.Actions }
func (g Generator) Sighting() int           { return g.g.way.Sighting }

// Side returns the side of a point, and Opposite the point with the opposite side.
func (p Point) Side() int {
	k := p.side()
	return whole(p.p.factors[k].Number[p.p.level[k]])
}

func (p Point) Opposite() Point {
	k, level := p.side(), slices.Clone(p.p.level)
	level[k] = p.p.factors[k].Levels() - 1 - level[k]
	return Point{planned{p.p.block, level}}
}

func (p Point) side() int {
	return slices.IndexFunc(p.p.factors, func(f battery.Factor) bool { return f.Name == "rightLeft" })
}

// PointsOf returns the points of a design. levels replace the default levels of the factors with their names.
func (c *Coding) PointsOf(items int, root uint64, levels ...battery.Factor) (points []Point) {
	factors, err := c.withLevels(levels)
	if err != nil {
		panic(err)
	}
	all, err := c.plan(context.Background(), factors, battery.Request{Items: items, Root: root})
	if err != nil {
		panic(err)
	}
	for _, p := range all {
		points = append(points, Point{p})
	}
	return points
}

// Serially returns the items of a design, made one after another, and how many of them had to be made anew because the first world was
// that of an earlier item.
func (c *Coding) Serially(items int, root uint64, levels ...battery.Factor) (made []battery.Item, anew int, err error) {
	g, seen := c.Generator(levels...), map[digest]bool{}
	for i, p := range c.PointsOf(items, root, levels...) {
		if seen[g.g.item(battery.Request{Root: root}, i, p.p, nil).digest] {
			anew++
		}
		a := g.g.item(battery.Request{Root: root}, i, p.p, seen)
		if a.err != nil {
			return nil, 0, a.err
		}
		seen[a.digest] = true
		made = append(made, a.Item)
	}
	return made, anew, nil
}

// Rejected returns how many candidates are not kept for a design, by reason.
func (c *Coding) Rejected(items int, root uint64, levels ...battery.Factor) map[string]int {
	g, seen, all := c.Generator(levels...), map[digest]bool{}, map[string]int{}
	for i, p := range c.PointsOf(items, root, levels...) {
		a := g.g.item(battery.Request{Root: root}, i, p.p, seen)
		seen[a.digest] = true
		for why, n := range a.tried {
			all[why] += n
		}
	}
	return all
}

// FactorDoc returns the doc of a factor of c.
func (c *Coding) FactorDoc(name string) string {
	for _, f := range c.factors {
		if f.Name == name {
			return f.doc
		}
	}
	return ""
}
