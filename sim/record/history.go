package record

import (
	"iter"
	"slices"
	"strconv"
)

// The columns of items that say which trials belong together (battery.BlockFeature and others), by which ByPosition finds earlier trials.
const (
	blockColumn = "block"
	roundColumn = "round"
	phaseColumn = "phase"
	wellColumn  = "well"
	pairColumn  = "pair" // optional
)

// blockPhases is the number of blockPhases of a block whose trials are counted.
const blockPhases = 4

// History returns the names of the columns that ByPosition adds to items with blocks of trials, and what they say. Each counts earlier trials
// of the subject in the same block:
//
//	found0 … found3    passed in phase 0 … 3, of the same pair of wells if the items have pairs
//	missed0 … missed3  not passed in phase 0 … 3, but for those in which the subject went nowhere; likewise
//	foundHere          passed in earlier rounds, with the reward where it is in this trial
//	foundRound         passed in this round
//	foundTests         passed tests of earlier rounds, trials with the feature requiresOP, where all other trials of the round were passed
func History() (names []string) {
	for _, what := range [...]string{"found", "missed"} {
		for k := range blockPhases {
			names = append(names, what+strconv.Itoa(k))
		}
	}
	return append(names, "foundHere", "foundRound", "foundTests")
}

// IsHistory reports whether a column is the position of a response, or counts earlier trials of the subject (History).
func IsHistory(column string) bool {
	return column == Position || slices.Contains(History(), column)
}

// Blocks has the columns that say which trials belong together, by item.
type Blocks struct {
	Round []float64 // of the block to which the trial belongs

	block, phase, well, test, pair []float64 // pair: nil without one
}

// Blocks returns the columns by which items are trials of blocks; ok is false if they are not.
func (it *Items) Blocks() (b Blocks, ok bool) {
	number := func(name string) []float64 {
		c, ok := it.Column(name)
		if !ok {
			return nil
		}
		return c.Number
	}
	if slices.ContainsFunc(History(), func(name string) bool { _, own := it.Column(name); return own }) {
		return b, false
	}
	b = Blocks{number(roundColumn), number(blockColumn), number(phaseColumn), number(wellColumn), number("requiresOP"), number(pairColumn)}
	return b, b.block != nil && b.Round != nil && b.phase != nil && b.well != nil && b.test != nil
}

// Trials returns the responses of one subject in the order of their positions, each with those of the same block and repetition that came
// before it. These are valid until the next.
func (b *Blocks) Trials(responses []Response) iter.Seq2[Response, []Response] {
	return func(yield func(Response, []Response) bool) {
		mine := slices.Clone(responses)
		slices.SortFunc(mine, func(a, b Response) int { return int(a.Position - b.Position) })
		var earlier []Response
		for _, r := range mine {
			if n := len(earlier); n > 0 && (b.block[earlier[n-1].Item] != b.block[r.Item] || earlier[n-1].Repetition != r.Repetition) {
				earlier = earlier[:0]
			}
			if !yield(r, earlier) {
				return
			}
			earlier = append(earlier, r)
		}
	}
}

// history returns the columns of History for items taken at some positions by one subject, whose responses are given; nil if the items are no
// trials of blocks. A trial that has no response counts as not taken.
func (it *Items) history(all []taken, responses []Response) (columns []Column) {
	b, ok := it.Blocks()
	if !ok {
		return nil
	}
	for _, name := range History() {
		columns = append(columns, Column{Feature: Feature{Name: name, Kind: Number, Role: Condition}, Number: make([]float64, len(all))})
	}
	row := make(map[taken]int, len(all))
	for i, t := range all {
		row[t] = i
	}
	for r, earlier := range b.Trials(responses) {
		whole := func(of float64) bool { // all trials of the round but tests were passed
			return !slices.ContainsFunc(earlier, func(e Response) bool { return b.Round[e.Item] == of && b.test[e.Item] != 1 && e.Value != 1 })
		}
		i := row[taken{r.Item, r.Position}]
		for _, e := range earlier {
			k := min(max(int(b.phase[e.Item]), 0), blockPhases-1)
			passed, before := e.Value == 1, b.Round[e.Item] != b.Round[r.Item]
			same := b.pair == nil || b.pair[e.Item] == b.pair[r.Item]
			for _, x := range [...]struct {
				column int
				holds  bool
			}{
				{k, passed && same},
				{blockPhases + k, !passed && same && e.Unscored == 0 && e.Chosen.Went != ToNone},
				{2 * blockPhases, passed && before && b.well[e.Item] == b.well[r.Item]},
				{2*blockPhases + 1, passed && !before},
				{2*blockPhases + 2, passed && before && b.test[e.Item] == 1 && whole(b.Round[e.Item])},
			} {
				if x.holds {
					columns[x.column].Number[i]++
				}
			}
		}
	}
	return columns
}
