package generate

import (
	"slices"

	"achilles/battery"
	"achilles/gridworld"
	"achilles/sim/record"
)

// goBack says of all choices in blocks of trials which of them were to A: to a place where the subject has found a reward in an earlier trial of
// the block, and where none was seen in this one. A trial by itself says only what was hidden and found while the subject watched.
func (t *taken) goBack(b *battery.Battery) {
	blocks := b.Blocks()
	if blocks == nil || t == nil || t.chosen == nil {
		return
	}
	places := make([][]gridworld.Pos, b.Items.Len()) // of the only trial of each item
	var it battery.Item
	for i := range places {
		if b.Items.Read(i, &it); len(it.Trials) == 1 {
			places[i] = slices.Clone(it.Trials[0].Places)
		}
	}
	for subject, trials := range t.trials {
		for rep := range t.repetitions {
			block, found := int32(-1), []gridworld.Pos(nil)
			for k, at := range trials {
				if first := blocks.First[at.item]; first != block {
					block, found = first, found[:0]
				}
				c := &t.chosen[t.index(subject, k*t.repetitions+rep)]
				if c.Place == 0 || int(c.Place) > len(places[at.item]) {
					continue
				}
				cell := places[at.item][c.Place-1]
				switch {
				case c.Went == record.ToRight:
					found = append(found, cell)
				case c.Went > record.ToLastSeen && slices.Contains(found, cell):
					c.Went = record.ToA
				}
			}
		}
	}
}
