package replay

import (
	"slices"
	"strconv"
)

// A Feature is a meta-feature of an item, with its value as text.
type Feature struct{ Name, Value string }

// features returns the features of a row's item that have a value, in the order of the manifest.
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
