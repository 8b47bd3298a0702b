package record

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Position is the name of the column that ByPosition adds, with the positions of responses.
const Position = "position"

// ByPosition returns one row for each item and position that responses have, in the order of the items and, within an item, of
// the positions, and the responses with the indices of these rows in place of those of the items. The rows have all
// columns of the items, and the number column Position and, if the items are trials of blocks, those of History, for which the responses must be
// all of one subject; rows of one item have the same ID. So whatever is computed for items depends on when they were taken, and on what the
// subject did before. It panics if the items have a column of this name.
func (it *Items) ByPosition(responses []Response) (*Items, []Response) {
	all := takenAt(slices.All(responses))
	row := make(map[taken]int32, len(all))
	for i, t := range all {
		row[t] = int32(i)
	}
	out := slices.Clone(responses)
	for i, r := range responses {
		out[i].Item = row[taken{r.Item, r.Position}]
	}
	return it.at(all, responses), out
}

// Taken returns the items of ByPosition for all responses of a data set. The columns of History, which differ between subjects, are 0.
func (it *Items) Taken(responses *Responses) *Items { return it.at(takenAt(responses.All()), nil) }

// A taken is an item at a position.
type taken struct{ item, position int32 }

// takenAt returns the items and positions of responses, sorted, each once.
func takenAt(responses iter.Seq2[int, Response]) []taken {
	all := map[taken]bool{}
	for _, r := range responses {
		all[taken{r.Item, r.Position}] = true
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b taken) int {
		if a.item != b.item {
			return int(a.item - b.item)
		}
		return int(a.position - b.position)
	})
}

// at returns a row for each of all, with the column Position and those of History.
func (it *Items) at(all []taken, responses []Response) *Items {
	if _, ok := it.Column(Position); ok {
		panic("record: the items have a column " + Position)
	}
	rows, positions := make([]int, len(all)), make([]float64, len(all))
	for i, t := range all {
		rows[i], positions[i] = int(t.item), float64(t.position)
	}
	return it.rows(rows, append(it.history(all, responses), Column{Feature: Feature{Name: Position, Kind: Number, Role: Condition}, Number: positions})...)
}

// rows returns the items with these indices, which may repeat, with more columns.
func (it *Items) rows(at []int, more ...Column) *Items {
	out := &Items{}
	for _, i := range at {
		out.ID, out.Suite = append(out.ID, it.ID[i]), append(out.Suite, it.Suite[i])
		out.Paradigm, out.Task = append(out.Paradigm, it.Paradigm[i]), append(out.Task, it.Task[i])
	}
	for i := range it.Columns {
		c := it.Values(i)
		out.Columns = append(out.Columns, c.Rows(at))
	}
	out.Columns = append(out.Columns, more...)
	return out
}

// NumberAt returns a function from a column of the items to its number for an item taken at a position. Its error says that there is no
// such column of numbers, or no value.
func (it *Items) NumberAt(item int, position int32) func(column string) (float64, error) {
	return func(column string) (float64, error) {
		c, ok := it.Column(column)
		switch {
		case !ok && column == Position && position > 0:
			return float64(position), nil
		case !ok || c.Number == nil:
			return 0, fmt.Errorf("the items have no column of numbers %s", column)
		case c.Missing != nil && c.Missing[item]:
			return 0, fmt.Errorf("column %s has no value", column)
		}
		return c.Number[item], nil
	}
}
