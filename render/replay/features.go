package replay

import (
	"slices"
	"strconv"
)

// A Feature is what the table of items says of one of them.
type Feature struct{ Name, Value string }

// Features returns the features of the item of a row, in the order of the manifest. Those that the item has not are
// left out.
func (a *Archive) Features(row int) []Feature {
	i, ok := slices.BinarySearch(a.data.Items.ID, a.keys[row].Item)
	if !ok {
		return nil
	}
	var list []Feature
	for k := range a.data.Items.Columns {
		switch c := &a.data.Items.Columns[k]; {
		case c.Missing != nil && c.Missing[i]:
		case c.Number != nil:
			list = append(list, Feature{c.Name, strconv.FormatFloat(c.Number[i], 'g', 5, 64)})
		default:
			list = append(list, Feature{c.Name, c.Text[i]})
		}
	}
	return list
}
