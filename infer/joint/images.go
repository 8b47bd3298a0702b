package joint

import (
	"fmt"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// A mover moves draws to images of them (layout.Mirror), so that they are of all maxima alike, or of those that the priors tell apart as these have it
// (Barker 1965).
type mover struct {
	images  *layout.Images
	streams []rng.Rand // chain → its own
}

func newMover(cells *layout.Cells, chains int, root uint64, path ...string) *mover {
	m := &mover{images: cells.NewImages(append(cells.Mirrors(), cells.NearMirrors()...))}
	for i := range chains {
		m.streams = append(m.streams, rng.Stream(root, append(slices.Clone(path), "images", strconv.Itoa(i))...))
	}
	return m
}

// move moves the next draws [chain][draw][value].
func (m *mover) move(draws [][][]float64) {
	for i, chain := range draws {
		for _, theta := range chain {
			m.images.Move(theta, &m.streams[i])
		}
	}
}

// mirrored returns a warning if draws lie in separate images in a mirror of the posterior, or nearly one.
func mirrored(cells *layout.Cells, draws [][][]float64) []posterior.Warning {
	for _, m := range append(cells.Mirrors(), cells.NearMirrors()...) {
		if m.Separates(cells, draws) {
			as := "as likely as each other"
			if m.Near() {
				as = "which the priors alone distinguish"
			}
			return []posterior.Warning{{Kind: posterior.Mirrored, Message: fmt.Sprintf("the posterior has two mirror images (%s), %s, with draws in both: means and SDs of what differs between them say nothing; give one of these a prior on one side, or two of them different priors", m.Names(cells.Joint().Layout()), as)}}
		}
	}
	return nil
}

// A keptImages moves the values of cells that are kept where others are summed out.
type keptImages struct {
	*layout.Images
	keep []int
	all  []float64 // of cells: a possible point
}

// keptImages returns one for a goroutine.
func (g *integral) keptImages(mirrors []layout.Mirror) *keptImages {
	all := make([]float64, g.cells.Joint().Len())
	r := rng.Stream(0, "middle")
	g.cells.Joint().DrawNear(&r, 0, all)
	return &keptImages{g.cells.NewImages(mirrors), g.keep, all}
}

// Move is layout.Images.Move of the values that are kept.
func (m *keptImages) Move(kept []float64, r *rng.Rand) bool {
	place(m.all, m.keep, kept)
	moved := m.Images.Move(m.all, r)
	pick(kept, m.all, m.keep)
	return moved
}
