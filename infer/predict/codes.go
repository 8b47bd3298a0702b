package predict

import (
	"slices"

	"achilles/infer/table"
)

// maxCodes is the largest number of codes of a numeric column; with more distinct values, codes are quantiles.
const maxCodes = 256

// A column is a property of the items or of the subjects from which a tree predicts, coded as small whole numbers.
type column struct {
	name    string
	subject bool // indexed by subject; otherwise by item
	nominal bool
	codes   int      // codes 0 … codes−1 are values in order; codes itself stands for a missing value
	code    []uint16 // one for every item or subject
}

// at is the code of a response.
func (c *column) at(subject, item int32) uint16 {
	if c.subject {
		return c.code[subject]
	}
	return c.code[item]
}

// featureColumn codes a feature of the items.
func featureColumn(f table.Feature) column {
	c := column{name: f.Name, nominal: f.Nominal()}
	if c.nominal {
		c.codes, c.code = len(f.Levels), make([]uint16, len(f.Value))
		for i := range f.Value {
			if v, ok := f.At(i); ok {
				c.code[i] = uint16(v)
			} else {
				c.code[i] = uint16(c.codes)
			}
		}
		return c
	}
	c.codes, c.code = ranks(f.Value, f.Missing)
	return c
}

// subjectColumn codes the subject itself, as a nominal column.
func subjectColumn(t *table.Table) column {
	c := column{name: "subject", subject: true, nominal: true, codes: len(t.Subjects), code: make([]uint16, len(t.Subjects))}
	for s := range c.code {
		c.code[s] = uint16(s)
	}
	return c
}

// numberColumn codes a numeric property of the subjects.
func numberColumn(name string, value []float64, missing []bool) column {
	c := column{name: name, subject: true}
	c.codes, c.code = ranks(value, missing)
	return c
}

// ranks codes numbers by the rank of their value among the distinct values, or by quantile if there are more than maxCodes
// distinct values. It returns the number of codes, which is the code of missing numbers, and the codes.
func ranks(value []float64, missing []bool) (int, []uint16) {
	has := func(i int) bool { return missing == nil || !missing[i] }
	var sorted []float64
	for i, v := range value {
		if has(i) {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	levels := slices.Compact(slices.Clone(sorted))
	if len(levels) > maxCodes {
		quantile := make([]float64, maxCodes)
		for k := range quantile {
			quantile[k] = sorted[(k+1)*len(sorted)/maxCodes-1] // the largest value of the code
		}
		levels = slices.Compact(quantile)
	}
	code := make([]uint16, len(value))
	for i, v := range value {
		if has(i) {
			k, _ := slices.BinarySearch(levels, v) // the first level that is not below v
			code[i] = uint16(k)
		} else {
			code[i] = uint16(len(levels))
		}
	}
	return len(levels), code
}
