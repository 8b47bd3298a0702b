package infer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/layout"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// An Axis is a column of items and the values that it takes in a grid, as text.
type Axis struct {
	Column string
	Values []string
}

// MaxGrid is the largest number of items in a grid.
const MaxGrid = maxUnseen

// Grid returns an item for each combination of the values of the axes, the last of which changes fastest. An axis with one value
// holds its column fixed. The layout's other columns are typical of the items that were taken: the median of numbers, the
// lower one of two, and the most frequent text, the first of several. held says which columns were held at what. A column
// that the layout does not have or that has no value to hold, one that is named twice, a value that is no number where it
// must be one, more than MaxGrid items, and a layout that measures all subjects together are errors.
func Grid(taken *record.Items, l *layout.Layout, axes []Axis) (items *record.Items, held []string, err error) {
	if err := predictsUnseen(l); err != nil {
		return nil, nil, err
	}
	var known []string
	for _, m := range l.Metafeatures {
		known = append(known, m.Column)
	}
	n := 1
	for i, x := range axes {
		switch {
		case !slices.Contains(known, x.Column):
			return nil, nil, fmt.Errorf("layout %s does not depend on a column %s%s", l.Name, x.Column, expr.Hint(x.Column, known))
		case slices.ContainsFunc(axes[:i], func(o Axis) bool { return o.Column == x.Column }):
			return nil, nil, fmt.Errorf("column %s is given twice", x.Column)
		}
		if n *= len(x.Values); n > MaxGrid {
			return nil, nil, fmt.Errorf("the grid has more than %d items", MaxGrid)
		}
	}
	for _, m := range l.Metafeatures {
		if slices.ContainsFunc(axes, func(x Axis) bool { return x.Column == m.Column }) {
			continue
		}
		value, ok := typical(taken, m.Column)
		if !ok {
			return nil, nil, fmt.Errorf("no item that was taken has a value of %s, which layout %s needs: give one", m.Column, l.Name)
		}
		axes = append(axes[:len(axes):len(axes)], Axis{m.Column, []string{value}})
	}
	items = &record.Items{Suite: make([]string, n), Paradigm: make([]string, n), Task: make([]string, n)}
	for i := range n {
		items.ID = append(items.ID, fmt.Sprintf("%0*d", len(strconv.Itoa(n)), i+1))
	}
	each := n // number of items in a row with one value
	for _, x := range axes {
		if each /= len(x.Values); len(x.Values) == 1 {
			held = append(held, x.Column+" = "+x.Values[0])
		}
		column := record.Column{Feature: record.Feature{Name: x.Column, Kind: record.Text}}
		for i := range n {
			column.Text = append(column.Text, x.Values[i/each%len(x.Values)])
		}
		label := map[string]*[]string{"suite": &items.Suite, "paradigm": &items.Paradigm, "task": &items.Task}[x.Column]
		if label != nil {
			*label = column.Text
			continue
		}
		if c, ok := taken.Column(x.Column); ok {
			column.Feature = c.Feature
		} else {
			column.Kind = record.Number // the place in the order
		}
		if column.Kind == record.Number {
			for _, v := range column.Text {
				f, err := strconv.ParseFloat(v, 64)
				if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
					return nil, nil, fmt.Errorf("%s = %s: column %s has numbers", x.Column, v, x.Column)
				}
				column.Number = append(column.Number, f)
			}
			column.Text = nil
		}
		items.Columns = append(items.Columns, column)
	}
	return items, held, nil
}

// typical returns the median of a column of numbers, or the most frequent value of a column of texts. ok is false if it has no values.
func typical(items *record.Items, name string) (value string, ok bool) {
	c, ok := items.Column(name)
	if !ok {
		return "", false
	}
	there := func(i int) bool { return c.Missing == nil || !c.Missing[i] }
	if c.Kind == record.Number {
		var list []float64
		for i, x := range c.Number {
			if there(i) {
				list = append(list, x)
			}
		}
		if list == nil {
			return "", false
		}
		slices.Sort(list)
		return strconv.FormatFloat(list[(len(list)-1)/2], 'g', -1, 64), true
	}
	count := map[string]int{}
	for i, x := range c.Text {
		if there(i) {
			count[x]++
		}
	}
	best := ""
	for x, n := range count {
		if m := count[best]; n > m || n == m && strings.Compare(x, best) < 0 {
			best = x
		}
	}
	return best, count[best] > 0
}
