package infer

import (
	"math"
	"slices"

	"achilles/sim/record"
)

// A taken says what a subject did where a cell of a grid lies.
type taken struct {
	n   int     // scored responses to items that are nearest to the cell
	sum float64 // of their values
}

// places returns for every item that was taken the unseen item, a cell of the grid over the columns Show and Fixed, that is nearest to
// it in each of them; -1 where it has no value or lies beyond the ends of the grid by more than half of the last step. Other columns may differ.
func (u *Unseen) places(items *record.Items) []int {
	at := make([]int, items.Len())
	cells := make([]string, u.Items.Len()) // by unseen item, and by taken item: the indices of its values
	own := make([]string, items.Len())
	for _, name := range slices.Concat(u.Show, u.Fixed) {
		grid, _ := u.Items.Column(name)
		c, ok := items.Column(name)
		if !ok { // the place in the order
			for i := range at {
				at[i] = -1
			}
			return at
		}
		var values []float64
		if c.Kind == record.Number {
			values = slices.Compact(slices.Sorted(slices.Values(grid.Number)))
		}
		text := func(c record.Column, i int) string {
			switch {
			case c.Missing != nil && c.Missing[i]:
				return "\xff"
			case c.Kind == record.Text:
				return c.Text[i]
			}
			return string(rune(nearest(values, c.Number[i])))
		}
		for i := range cells {
			cells[i] += text(grid, i) + "\x00"
		}
		for i := range own {
			own[i] += text(c, i) + "\x00"
		}
	}
	index := map[string]int{}
	for i, key := range cells {
		index[key] = i
	}
	for i, key := range own {
		cell, ok := index[key]
		if at[i] = cell; !ok {
			at[i] = -1
		}
	}
	return at
}

// nearest returns the index, from 1, of the ascending value that is nearest to x; 0 if x is beyond the ends by more than half of the
// last step, or is not the one value that there is.
func nearest(values []float64, x float64) int {
	n := len(values)
	if n == 1 {
		if x == values[0] {
			return 1
		}
		return 0
	}
	if x < values[0]-(values[1]-values[0])/2 || x > values[n-1]+(values[n-1]-values[n-2])/2 {
		return 0
	}
	best := 0
	for k, v := range values {
		if math.Abs(x-v) < math.Abs(x-values[best]) {
			best = k
		}
	}
	return best + 1
}

// A cell is a measure of an item.
type cell struct {
	measure string
	item    int
}

// addTaken adds to the expectations of a subject what it did near each item. measures are those of the data.
func addTaken(rows []expectation, at []int, own []record.Response, measures []record.Measure) {
	all := map[cell]taken{}
	for _, r := range own {
		if at := at[r.Item]; at >= 0 && r.Unscored == 0 && r.Phase == record.Test {
			k := cell{measures[r.Measure].Name, at}
			t := all[k]
			all[k] = taken{t.n + 1, t.sum + r.Value}
		}
	}
	for i := range rows {
		rows[i].taken = all[cell{rows[i].measure, rows[i].item}]
	}
}

// notTaken returns the expectations of a subject at items to which it has no scored response. own has its responses, measures are those of the
// data.
func notTaken(rows []expectation, own []record.Response, measures []record.Measure) []expectation {
	has := map[cell]bool{}
	for _, r := range own {
		if r.Unscored == 0 {
			has[cell{measures[r.Measure].Name, int(r.Item)}] = true
		}
	}
	return slices.DeleteFunc(rows, func(e expectation) bool { return has[cell{e.measure, e.item}] })
}
