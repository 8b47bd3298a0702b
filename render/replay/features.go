package replay

import (
	"slices"
	"strconv"
)

// A Feature is the value of a meta-feature of an item, as text.
type Feature struct{ Name, Value string }

// features returns the features of the item of a row, in the order of the manifest. A feature without a value is left out.
func (a *Archive) features(row int) []Feature {
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
