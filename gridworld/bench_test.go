package gridworld_test

import (
	"fmt"
	"testing"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// scatter returns a world of that size in which about that percentage of the cells are walls.
func scatter(width, height, percent int, move gridworld.Mode, r *rng.Rand) *gridworld.World {
	w := gridworld.New(width, height, gridworld.Rules{Move: move})
	for y := range height {
		for x := range width {
			if r.IntN(100) < percent {
				w.Place(pos(x, y), gridworld.Cell{Kind: gridworld.Wall})
			}
		}
	}
	return w
}

func freeCell(w *gridworld.World, r *rng.Rand) gridworld.Pos {
	for {
		p := pos(r.IntN(w.Width()), r.IntN(w.Height()))
		if w.At(p).Kind.Passable() {
			return p
		}
	}
}

// playground returns a world with an actor and a shape, and many random intents. If the world is not level, it has a
// terrace with a ramp.
func playground(side int, mode gridworld.Mode, level bool) (*gridworld.World, []gridworld.Action) {
	r := rng.Stream(1, "bench", "step")
	w := scatter(side, side, 15, mode, &r)
	if !level {
		w.Fill(pos(0, side/2), pos(side-1, side-1), gridworld.Cell{Kind: gridworld.Platform, Height: 1})
		w.Fill(pos(side/2, side/2-1), pos(side/2+1, side/2-1), gridworld.Cell{Kind: gridworld.Ramp})
	}
	w.SetActor(freeCell(w, &r), gridworld.North)
	w.Add(gridworld.Thing{Pos: freeCell(w, &r), State: gridworld.Ground, Size: 100, Kind: gridworld.Shape})
	intents := make([]gridworld.Action, 4096)
	for i := range intents {
		intents[i] = likely(w, &r)
	}
	return w, intents
}

func rate(b *testing.B, unit string) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), unit)
}

func eachPlayground(b *testing.B, run func(b *testing.B, w *gridworld.World, intents []gridworld.Action)) {
	for _, mode := range []gridworld.Mode{gridworld.Turning, gridworld.Eight} {
		for _, side := range []int{10, 16, 40} {
			for _, level := range []bool{true, false} {
				b.Run(fmt.Sprintf("%s/%dx%d/level=%t", mode, side, side, level), func(b *testing.B) {
					w, intents := playground(side, mode, level)
					b.ReportAllocs()
					b.ResetTimer()
					run(b, w, intents)
					rate(b, "steps/s")
				})
			}
		}
	}
}

func BenchmarkStep(b *testing.B) {
	eachPlayground(b, func(b *testing.B, w *gridworld.World, intents []gridworld.Action) {
		for i := range b.N {
			w.Step(intents[i&4095])
		}
	})
}

// BenchmarkStepSight times a step and the view of an actor with a field of view and limited acuity.
func BenchmarkStepSight(b *testing.B) {
	eachPlayground(b, func(b *testing.B, w *gridworld.World, intents []gridworld.Action) {
		viewer := gridworld.Viewer{HalfAngle: 60, Acuity: 3000}
		var v gridworld.View
		seen := 0
		for i := range b.N {
			w.Step(intents[i&4095])
			w.View(viewer, &v)
			seen += len(v.Things)
		}
		b.ReportMetric(float64(seen)/float64(b.N), "seen/step")
	})
}

// BenchmarkStepLine times a step and a test of the line of sight from the actor to the thing, whatever the actor's
// heading. The prototype of this package had the same benchmark.
func BenchmarkStepLine(b *testing.B) {
	eachPlayground(b, func(b *testing.B, w *gridworld.World, intents []gridworld.Action) {
		at := w.Thing(0).Pos
		seen := 0
		for i := range b.N {
			w.Step(intents[i&4095])
			if w.Sees(w.Actor().Pos, at) {
				seen++
			}
		}
		b.ReportMetric(float64(seen)/float64(b.N), "seen/step")
	})
}

// BenchmarkViewEverything times a view in which all cells are watched.
func BenchmarkViewEverything(b *testing.B) {
	for _, side := range []int{10, 20, 40} {
		for _, percent := range []int{0, 2, 15} {
			b.Run(fmt.Sprintf("%dx%d/walls=%d", side, side, percent), func(b *testing.B) {
				r := rng.Stream(1, "bench", "view")
				w := scatter(side, side, percent, gridworld.Turning, &r)
				w.SetActor(freeCell(w, &r), gridworld.North)
				viewer := gridworld.Viewer{Watch: gridworld.Everywhere()}
				var v gridworld.View
				b.ReportAllocs()
				for b.Loop() {
					w.View(viewer, &v)
				}
				rate(b, "views/s")
			})
		}
	}
}

// eachField runs a benchmark over 64 scattered worlds of each size, mode and share of walls.
func eachField(b *testing.B, modes []gridworld.Mode, run func(w *gridworld.World, goals *gridworld.Board)) {
	for _, mode := range modes {
		for _, side := range []int{10, 16, 40} {
			for _, percent := range []int{0, 20, 35} {
				b.Run(fmt.Sprintf("%s/%dx%d/walls=%d", mode, side, side, percent), func(b *testing.B) {
					r := rng.Stream(1, "bench", "field")
					var worlds [64]*gridworld.World
					var goals [64]gridworld.Board
					for i := range worlds {
						worlds[i] = scatter(side, side, percent, mode, &r)
						goals[i] = gridworld.BoardOf(freeCell(worlds[i], &r))
						run(worlds[i], &goals[i])
					}
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						run(worlds[i&63], &goals[i&63])
					}
					rate(b, "fields/s")
				})
			}
		}
	}
}

var bothModes = []gridworld.Mode{gridworld.Turning, gridworld.Eight}

func BenchmarkDistanceField(b *testing.B) {
	var f gridworld.Field
	eachField(b, bothModes, func(w *gridworld.World, goals *gridworld.Board) { f.Toward(w, goals) })
}

func BenchmarkDistanceFieldUneven(b *testing.B) {
	var f gridworld.Field
	eachField(b, bothModes, func(w *gridworld.World, goals *gridworld.Board) {
		if w.At(pos(0, 0)).Kind != gridworld.Platform {
			w.Place(pos(0, 0), gridworld.Cell{Kind: gridworld.Platform, Height: 1})
		}
		f.Toward(w, goals)
	})
}

func BenchmarkTurnField(b *testing.B) {
	var f gridworld.TurnField
	eachField(b, bothModes[:1], func(w *gridworld.World, goals *gridworld.Board) { f.Toward(w, goals) })
}

func BenchmarkCopyFrom(b *testing.B) {
	for _, side := range []int{10, 20, 40} {
		b.Run(fmt.Sprintf("%dx%d", side, side), func(b *testing.B) {
			w, _ := playground(side, gridworld.Turning, false)
			c := w.Clone()
			b.ReportAllocs()
			for b.Loop() {
				c.CopyFrom(w)
			}
			rate(b, "copies/s")
		})
	}
}

func BenchmarkDigest(b *testing.B) {
	w, _ := playground(20, gridworld.Turning, false)
	b.ReportAllocs()
	for b.Loop() {
		_ = w.Digest()
	}
	rate(b, "digests/s")
}

func BenchmarkParse(b *testing.B) {
	w, _ := playground(20, gridworld.Turning, false)
	text := w.String()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gridworld.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
	rate(b, "worlds/s")
}

// BenchmarkBuild times building a world cell by cell and deriving its moves: what generating a world costs besides
// drawing random numbers.
func BenchmarkBuild(b *testing.B) {
	for _, side := range []int{10, 40} {
		b.Run(fmt.Sprintf("%dx%d", side, side), func(b *testing.B) {
			r := rng.Stream(1, "bench", "build")
			model := scatter(side, side, 20, gridworld.Turning, &r)
			walls := model.Where(gridworld.Wall)
			w := gridworld.New(side, side, gridworld.Rules{})
			b.ReportAllocs()
			for b.Loop() {
				w.Reset(side, side, gridworld.Rules{})
				for p := range walls.All() {
					w.Place(p, gridworld.Cell{Kind: gridworld.Wall})
				}
				w.CanStep(pos(0, 0), gridworld.North)
			}
			rate(b, "worlds/s")
		})
	}
}
