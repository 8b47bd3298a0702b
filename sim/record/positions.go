package record

import "slices"

// Position is the name of the column that ByPosition adds, with the positions of responses.
const Position = "position"

// ByPosition returns one row for each item and position that responses have, in the order of the items and, within an item, of
// the positions, and the responses with the indices of these rows in place of those of the items. The rows have all
// columns of the items, and the number column Position; rows of one item have the same ID. So whatever is computed
// for items depends on when they were taken. It panics if the items have a column of this name.
func (it *Items) ByPosition(responses []Response) (*Items, []Response) {
	if _, ok := it.Column(Position); ok {
		panic("record: the items have a column " + Position)
	}
	type trial struct{ item, position int32 }
	var all []trial
	for _, r := range responses {
		all = append(all, trial{r.Item, r.Position})
	}
	slices.SortFunc(all, func(a, b trial) int {
		if a.item != b.item {
			return int(a.item - b.item)
		}
		return int(a.position - b.position)
	})
	all = slices.Compact(all)
	row := make(map[trial]int32, len(all))
	at, positions := make([]int, len(all)), make([]float64, len(all))
	for i, t := range all {
		row[t], at[i], positions[i] = int32(i), int(t.item), float64(t.position)
	}
	out := slices.Clone(responses)
	for i, r := range responses {
		out[i].Item = row[trial{r.Item, r.Position}]
	}
	return it.rows(at, Column{Feature: Feature{Name: Position, Kind: Number, Role: Condition}, Number: positions}), out
}

// rows returns the items with these indices, which may repeat, with one more column.
func (it *Items) rows(at []int, more Column) *Items {
	out := &Items{}
	for _, i := range at {
		out.ID, out.Suite = append(out.ID, it.ID[i]), append(out.Suite, it.Suite[i])
		out.Paradigm, out.Task = append(out.Paradigm, it.Paradigm[i]), append(out.Task, it.Task[i])
	}
	for i := range it.Columns {
		out.Columns = append(out.Columns, it.Columns[i].Rows(at))
	}
	out.Columns = append(out.Columns, more)
	return out
}
