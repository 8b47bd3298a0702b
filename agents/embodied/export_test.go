package embodied

import "slices"

// Level returns the level of a trait.
func (d *Disposition) Level(trait string) float64 {
	return d.level[slices.IndexFunc(Traits(), func(t Trait) bool { return t.Name == trait })]
}
