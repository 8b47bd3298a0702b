package gridworld_test

import (
	"fmt"
	"testing"

	"achilles/gridworld"
	"achilles/sim/seed"
)

// scatter returns a level world of that size with walls in that many percent of the cells.
func scatter(side, percent int, move gridworld.Mode, r *seed.Rand) *gridworld.World {
	w := gridworld.New(side, side, gridworld.Rules{Move: move})
	for y := range side {
		for x := range side {
			if r.IntN(100) < percent {
				w.Place(gridworld.Pos{X: x, Y: y}, gridworld.Cell{Kind: gridworld.Wall})
			}
		}
	}
	return w
}

func freeCell(w *gridworld.World, r *seed.Rand) gridworld.Pos {
	for {
		p := gridworld.Pos{X: r.IntN(w.Width()), Y: r.IntN(w.Height())}
		if w.At(p).Kind.Passable() {
			return p
		}
	}
}

func rate(b *testing.B, unit string) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), unit)
}

func BenchmarkDistanceField(b *testing.B) {
	for _, mode := range []gridworld.Mode{gridworld.Turning, gridworld.Eight} {
		for _, side := range []int{10, 16, 40} {
			for _, percent := range []int{0, 20, 35} {
				b.Run(fmt.Sprintf("%s/%dx%d/walls=%d", mode, side, side, percent), func(b *testing.B) {
					r := seed.Stream(1, "bench", "field")
					var worlds [64]*gridworld.World
					var goals [64]gridworld.Board
					for i := range worlds {
						worlds[i] = scatter(side, percent, mode, &r)
						goals[i] = gridworld.BoardOf(freeCell(worlds[i], &r))
						worlds[i].CanStep(gridworld.Pos{}, gridworld.North)
					}
					var f gridworld.Field
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						f.Toward(worlds[i&63], &goals[i&63])
					}
					rate(b, "fields/s")
				})
			}
		}
	}
}
