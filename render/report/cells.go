package report

import (
	"fmt"
	"slices"

	"achilles/render/format"
	"achilles/scenarios/score"
)

func text(s string) tableCell { return tableCell{Text: s} }

// number returns a cell that shows x with the given number of decimals. It has no Value if x is shown as a dash.
func number(x float64, decimals int) tableCell {
	t := format.Number(x, decimals)
	if t == "–" {
		return tableCell{Text: t}
	}
	return tableCell{Text: t, Value: &x}
}

// optional returns the cell that number returns for *x, or an empty cell if x is nil.
func optional(x *float64, decimals int) tableCell {
	if x == nil {
		return tableCell{}
	}
	return number(*x, decimals)
}

func count(n int) tableCell {
	v := float64(n)
	return tableCell{Text: fmt.Sprint(n), Value: &v}
}

// within returns the cell that number returns, with the interval below x if both ends are known.
func within(x float64, low, high *float64, decimals int) tableCell {
	c := number(x, decimals)
	if low != nil && high != nil {
		c.Below = []string{between(*low, *high, decimals)}
	}
	return c
}

func between(low, high float64, decimals int) string {
	return "[" + format.Number(low, decimals) + ", " + format.Number(high, decimals) + "]"
}

func inInterval(x float64, i *score.Interval, decimals int) tableCell {
	if i == nil {
		return number(x, decimals)
	}
	return within(x, &i[0], &i[1], decimals)
}

// mark makes notes of the table and adds their numbers to the cell. A note that the table already has keeps its number.
func (t *table) mark(c *tableCell, notes ...string) {
	for _, n := range notes {
		k, ok := t.noted[n]
		if !ok {
			if t.noted == nil {
				t.noted = map[string]int{}
			}
			k = len(t.Notes)
			t.noted[n], t.Notes = k, append(t.Notes, n)
		}
		if !slices.Contains(c.Marks, k+1) {
			c.Marks = append(c.Marks, k+1)
		}
	}
}

func numbers(names ...string) (out []column) {
	for _, n := range names {
		out = append(out, column{Name: n, Number: true})
	}
	return out
}
