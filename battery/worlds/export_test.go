package worlds

import (
	"context"
	"crypto/sha256"

	"achilles/battery"
)

// Serially returns `items` items of the paradigm called name, made one after another, and how many of them had to be
// made anew because the first world was that of an earlier item.
func (c Coding) Serially(levels []battery.Factor, name string, items int, root uint64) (made []battery.Item, anew int, err error) {
	factors, err := c.withLevels(levels)
	if err != nil {
		return nil, 0, err
	}
	points, err := c.pointsOf(context.Background(), factors, 0, name, items, root)
	if err != nil {
		return nil, 0, err
	}
	g, seen := newGenerator(c, factors), map[[sha256.Size]byte]bool{}
	for i, p := range points {
		if seen[g.item(root, i, p, nil).digest] {
			anew++
		}
		a := g.item(root, i, p, seen)
		if a.err != nil {
			return nil, 0, a.err
		}
		seen[a.digest] = true
		made = append(made, a.Item)
	}
	return made, anew, nil
}

// FactorDoc returns the doc of a factor of c.
func (c Coding) FactorDoc(name string) string {
	for _, f := range c.factors() {
		if f.Name == name {
			return f.doc
		}
	}
	return ""
}
