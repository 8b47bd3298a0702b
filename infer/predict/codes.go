package predict

import (
	"slices"

	"achilles/infer/table"
)

// maxCodes is the largest number of codes of a numeric column. If there are more distinct values, codes are quantiles.
const maxCodes = 256

// A column is a property of the items or of the subjects from which a tree predicts, coded as small whole numbers.
type column struct {
	name    string
	subject bool // whether code is indexed by subject; otherwise by item
	nominal bool
	codes   int       // number of codes; known values have the codes 0 … codes−1 in order, a missing value has the code codes
	code    []uint16  // code of every item or subject
	levels  []float64 // of a numeric column: the largest value of each code
}

// recoded returns the numeric column with other items, of which NaN is missing.
func (c column) recoded(value []float64) column {
	c.code = make([]uint16, len(value))
	for i, v := range value {
		c.code[i] = uint16(c.codes)
		if v == v {
			k, _ := slices.BinarySearch(c.levels, v)
			c.code[i] = uint16(min(k, c.codes-1))
		}
	}
	return c
}

// at returns the code of the subject or, in a column of the items, of the item.
func (c *column) at(subject, item int32) uint16 {
	if c.subject {
		return c.code[subject]
	}
	return c.code[item]
}

// featureColumn returns a feature of the items as a column.
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
	c.levels, c.code = ranks(f.Value, f.Missing)
	c.codes = len(c.levels)
	return c
}

// subjectColumn returns a nominal column that identifies the subject.
func subjectColumn(t *table.Table) column {
	c := column{name: "subject", subject: true, nominal: true, codes: len(t.Subjects), code: make([]uint16, len(t.Subjects))}
	for s := range c.code {
		c.code[s] = uint16(s)
	}
	return c
}

// numberColumn returns a numeric property of the subjects as a column.
func numberColumn(name string, value []float64, missing []bool) column {
	c := column{name: name, subject: true}
	c.levels, c.code = ranks(value, missing)
	c.codes = len(c.levels)
	return c
}

// ranks replaces each number by its rank among the distinct numbers, or by its quantile if there are more than maxCodes
// distinct numbers. It returns the largest number of each code, and the codes. Missing numbers have the number of codes as their code.
func ranks(value []float64, missing []bool) ([]float64, []uint16) {
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
	return levels, code
}
