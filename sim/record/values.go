package record

import "math"

// mostCodes is the largest number of different values of a feature that are stored once each. Of more, every item has its own.
const mostCodes = 1 << 16

// packedValues are the values of a column in little memory: an index into a list of the different values for each row, in as many bits
// as it needs. Most features have few values.
type packedValues struct {
	number []float64
	text   []string
	code   bitColumn // by row: index of the value; −1 is a missing value
	own    *Column   // the column as it is if it has too many values; otherwise nil
	rows   int
}

// packValues packs the values of a column, which is not changed any more.
func packValues(c *Column) packedValues {
	p := packedValues{rows: max(len(c.Number), len(c.Text))}
	codes := make([]int64, p.rows)
	if c.Kind == Text {
		p.text = code(codes, c.Text, c.Missing, func(s string) string { return s })
	} else {
		p.number = code(codes, c.Number, c.Missing, math.Float64bits) // which tell −0 from 0
	}
	if n := max(len(p.number), len(p.text)); n > mostCodes {
		return packedValues{own: c, rows: p.rows}
	}
	if p.rows > 0 {
		p.code = packColumn(codes)
	}
	return p
}

// code returns the different values of the rows that are not missing, in the order of appearance, and sets codes to their indices. It
// stops when there are more than mostCodes. Values are the same if their keys are.
func code[T any, K comparable](codes []int64, values []T, missing []bool, key func(T) K) (list []T) {
	at := map[K]int64{}
	var last K // the key of the row before, with its index
	k := int64(-1)
	for i, v := range values {
		if missing != nil && missing[i] {
			codes[i] = -1
			continue
		}
		if x := key(v); k < 0 || x != last {
			known, ok := at[x]
			if !ok {
				known = int64(len(list))
				at[x], list = known, append(list, v)
			}
			last, k = x, known
		}
		if codes[i] = k; len(list) > mostCodes {
			break
		}
	}
	return list
}

// part returns n rows, beginning with row from, as a column of a feature.
func (p *packedValues) part(f Feature, from, n int) Column {
	if p.own != nil {
		return p.own.part(from, n)
	}
	c := Column{Feature: f}
	if f.Kind == Text {
		c.Text = make([]string, n)
	} else {
		c.Number = make([]float64, n)
	}
	for i := range n {
		k := p.code.at(from + i)
		switch {
		case k < 0:
			if c.Missing == nil {
				c.Missing = make([]bool, n)
			}
			c.Missing[i] = true
		case f.Kind == Text:
			c.Text[i] = p.text[k]
		default:
			c.Number[i] = p.number[k]
		}
	}
	return c
}
