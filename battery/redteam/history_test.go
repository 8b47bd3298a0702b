package redteam

import (
	"math"
	"slices"
	"testing"

	"achilles/battery"
	"achilles/battery/catalog"
	"achilles/gridworld"
	"achilles/sim/longtest"
)

// A past is a trial of a block as somebody takes it who remembers where the reward was in every earlier trial of the block.
type past struct {
	*try
	earlier []*past
	round   int
	hidden  bool
	value   []int // by place, of the reward that is shown there
}

// A memory is what somebody keeps of earlier trials who does not learn what a paradigm asks for.
type memory struct {
	name string
	of   func(x *past, k int) []float64
}

// was says whether the reward was at p in an earlier trial.
func (x *past) was(p gridworld.Pos) bool {
	k := slices.Index(x.places, p)
	return k >= 0 && x.right[k]
}

func memories() []memory {
	return []memory{
		{"clock", func(x *past, k int) []float64 { // the trial, and nothing of those before
			return []float64{float64(len(x.earlier)), float64(x.free), float64(is(len(x.places) == len(x.all)))}
		}},
		{"again", func(x *past, k int) []float64 { // whether the reward was there in each of the last three trials
			row := []float64{float64(len(x.earlier)), float64(x.free)}
			for back := 1; back <= 3; back++ {
				row = append(row, -1)
				if i := len(x.earlier) - back; i >= 0 {
					row[len(row)-1] = float64(is(x.earlier[i].was(x.places[k])))
				}
			}
			return row
		}},
		{"counts", func(x *past, k int) []float64 { // how often the reward was there in the block, and how often the place was open
			right, open := 0, 0
			for _, y := range x.earlier {
				right, open = right+is(y.was(x.places[k])), open+is(slices.Contains(y.places, x.places[k]))
			}
			return []float64{float64(len(x.earlier)), float64(x.free), float64(right), float64(open), float64(open - right)}
		}},
		{"history", func(x *past, k int) []float64 { // all of this, and of the last trial in which the place was open, of this round and of the one before
			right, open, since, last, inRound, first, rewards := 0, 0, 99, -1, 0, 0, 0
			for i, y := range x.earlier {
				here := y.was(x.places[k])
				right += is(here)
				if slices.Contains(y.places, x.places[k]) {
					open, since, last = open+1, len(x.earlier)-i, is(here)
				}
				if y.round == x.round {
					inRound += is(here)
					first += is(here && rewards == 0)
					rewards++
				}
			}
			return []float64{float64(len(x.earlier)), float64(x.free), float64(right), float64(open), float64(since), float64(last), float64(inRound), float64(first), float64(rewards)}
		}},
		{"better", func(x *past, k int) []float64 { // which is the better reward, and when it was not the right one
			row := []float64{float64(len(x.earlier)), float64(x.value[k])}
			gone := 0
			for back := 1; back <= 4; back++ {
				row = append(row, -1)
				if i := len(x.earlier) - back; i >= 0 {
					y := x.earlier[i]
					best := y.value[slices.Index(y.right, true)] < slices.Max(y.value)
					row[len(row)-1], gone = float64(is(best)), gone+is(best)
				}
			}
			return append(row, float64(len(x.earlier)%3))
		}},
	}
}

// pastsOf returns the trials of the blocks of a battery.
func pastsOf(t *testing.T, b *battery.Battery) []*past {
	t.Helper()
	blocks := b.Blocks()
	hidden, _ := b.Feature(battery.HiddenFeature)
	var all []*past
	for i := range b.Items.Len() {
		it := b.Items.At(i)
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		own := tryOf(w, it.Trials[0].Places)
		own.paradigm = it.Paradigm
		x := &past{try: &own, round: int(blocks.Round[i]), hidden: b.Items.Values(i).At(hidden).Number == 1}
		x.earlier = slices.Clone(all[blocks.First[i]:i])
		for _, p := range own.places {
			value := 0
			for k := range w.Len() {
				if thing := w.Thing(k); thing.Pos == p && thing.State == gridworld.Air {
					value = thing.Value
				}
			}
			x.value = append(x.value, value)
		}
		all = append(all, x)
	}
	return all
}

// TestWhatHistoryLearns logs how many tests in blocks are passed by boosted trees that were fitted on all choices in blocks of another seed, remember something of where
// the reward was in earlier trials, and do not look at what is shown in the present one, but for which reward is better. The clock must tell nothing; in A not
// B nothing remembered may tell that this is B; of durations no more than two thirds are passed without time and colour; of reversals no more than a twentieth beyond
// the 0.86 of who goes to where the reward was when this pair was open last. Limits were set on the seeds 11 and 12. What else passes is the memory that a paradigm asks for
// (docs/reference/comparison.md).
func TestWhatHistoryLearns(t *testing.T) {
	longtest.Only(t, "takes half a minute")
	limits := map[[2]string]float64{
		{"own-durations", "better"}: 0.72, {"reversal", "history"}: 0.91, {"own-a-not-b", "again"}: 0.36, {"own-a-not-b", "counts"}: 0.36, {"own-a-not-b", "history"}: 0.36,
	}
	for _, s := range catalog.All() {
		for _, c := range s.Codings {
			if c.Name != "blocks" {
				continue
			}
			var by [2]map[string][]*past
			for half, root := range []uint64{715, 716} {
				b, err := c.Build(t.Context(), battery.Request{Items: 6000, Root: root, Jobs: 1})
				if err != nil {
					t.Fatal(err)
				}
				by[half] = map[string][]*past{}
				for _, x := range pastsOf(t, &b) {
					if len(x.places) > 1 {
						by[half][x.paradigm] = append(by[half][x.paradigm], x)
					}
				}
			}
			for paradigm, tested := range by[1] {
				for _, g := range memories() {
					var rows [][]float64
					var right []float64
					rowsOf := func(x *past) (rows [][]float64) {
						var notes [][]float64
						for k := range x.places {
							notes = append(notes, g.of(x, k))
						}
						return x.beside(notes)
					}
					for _, x := range by[0][paradigm] {
						rows = append(rows, rowsOf(x)...)
						for _, r := range x.right {
							right = append(right, float64(is(r)))
						}
					}
					m := boost(rows, right)
					var sum Tally
					for _, x := range tested {
						best, most := 0, math.Inf(-1)
						for k, row := range rowsOf(x) {
							if s := m.score(row); s > most {
								best, most = k, s
							}
						}
						if x.hidden {
							sum.add(x.chance(), x.right[best])
						}
					}
					t.Logf("%-15s %-8s %.2f of %d, chance %.2f", paradigm, g.name, sum.Rate(), sum.Of, sum.Luck())
					limit, ok := limits[[2]string{paradigm, g.name}]
					if g.name == "clock" {
						limit, ok = sum.Luck()+Margin, true
					}
					if ok && sum.Rate() > limit {
						t.Errorf("%s: who learns from %s alone passes %.2f, and should not pass %.2f", paradigm, g.name, sum.Rate(), limit)
					}
				}
			}
		}
	}
}
