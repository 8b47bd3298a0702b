package generate

import (
	"cmp"
	"slices"
	"strconv"

	"achilles/agents"
	"achilles/battery"
	"achilles/scenarios/seal"
	"achilles/sim/rng"
)

// A sequencer gives the order in which subjects take trials. It is computed whenever it is asked for, because the places of millions of
// responses would have to wait for their publication. Many goroutines may use it.
type sequencer struct {
	key *seal.Key
	numbering
	subjects    []agents.Spec
	items       battery.Items
	repetitions int
}

// A presentation is one trial in the sequence that a subject takes.
type presentation struct {
	draw  uint64 // random key of the item and repetition, by which the sequence is sorted
	index int32  // of its response among the subject's responses
}

// of returns the trials of a list in the order in which a subject takes them. The repetitions of all items, or blocks of items, are in random
// order; the trials of one repetition follow each other in their public order, and the items of a block in that of the battery. Which of two items comes first depends neither on other items
// nor on other subjects.
func (q *sequencer) of(subject int, trials []slot) []presentation {
	seed := q.key.Seed("order", q.subjects[subject].Stream())
	all := make([]presentation, 0, len(trials)*q.repetitions)
	for k, at := range trials {
		for rep := range q.repetitions {
			draw := rng.Stream(seed, q.items.Name(q.unit(at.item)), strconv.Itoa(rep))
			all = append(all, presentation{draw.Uint64(), int32(k*q.repetitions + rep)})
		}
	}
	slices.SortFunc(all, func(a, b presentation) int {
		if a.draw != b.draw {
			return cmp.Compare(a.draw, b.draw)
		}
		i, j, n := int(a.index), int(b.index), q.repetitions
		x, y := trials[i/n], trials[j/n]
		return cmp.Or(x.item-y.item, i%n-j%n, q.publicTrial(x.item, x.trial)-q.publicTrial(y.item, y.trial))
	})
	return all
}

// places returns the place in a subject's sequence, from 1, of each of its responses.
func (q *sequencer) places(subject int, trials []slot) []int32 {
	out := make([]int32, len(trials)*q.repetitions)
	for k, p := range q.of(subject, trials) {
		out[p.index] = int32(k + 1)
	}
	return out
}
