package predict

import (
	"encoding/binary"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/num"
)

// maxLevels is the largest number of levels of a nominal feature in a linear design. A feature with more is left out.
const maxLevels = 64

// A design describes every item by a row of numbers. The columns are an intercept; for every numeric feature, its
// values, standardised over the items and 0 if missing, and an indicator of missing values; and for every nominal
// feature, one indicator for each level.
type design struct {
	x      []float64 // items × width, row by row
	filled [][]int32 // by item: the columns of its row that are not 0, of which indicators leave few
	width  int       // number of columns
	block  []int     // number of the block of each column: 0 is the intercept, each other block has the columns of one feature
	blocks int       // number of blocks
}

func (d *design) row(item int) []float64 { return d.x[item*d.width : (item+1)*d.width] }

func newDesign(items int, fs []table.Feature) *design {
	d := &design{blocks: 1}
	one := slices.Repeat([]float64{1}, items)
	columns := [][]float64{one}
	d.block = []int{0}
	for _, f := range fs {
		cs := numericColumns(f)
		if f.Nominal() {
			cs = levelColumns(f)
		}
		if len(cs) == 0 {
			continue
		}
		for range cs {
			d.block = append(d.block, d.blocks)
		}
		columns = append(columns, cs...)
		d.blocks++
	}
	d.width = len(columns)
	d.x = make([]float64, items*d.width)
	for k, c := range columns {
		for i, v := range c {
			d.x[i*d.width+k] = v
		}
	}
	d.filled = make([][]int32, items)
	for i := range d.filled {
		for k, v := range d.row(i) {
			if v != 0 {
				d.filled[i] = append(d.filled[i], int32(k))
			}
		}
	}
	return d
}

// levelColumns returns the columns of a nominal feature. It returns nil if the feature has fewer than two or more than
// maxLevels levels.
func levelColumns(f table.Feature) (cs [][]float64) {
	if len(f.Levels) < 2 || len(f.Levels) > maxLevels {
		return nil
	}
	for range f.Levels {
		cs = append(cs, make([]float64, len(f.Value)))
	}
	for i := range f.Value {
		if v, ok := f.At(i); ok {
			cs[int(v)][i] = 1
		}
	}
	return cs
}

// numericColumns returns the columns of a numeric feature: its values unless they are constant, and the indicator of
// missing values if the feature can miss some.
func numericColumns(f table.Feature) (cs [][]float64) {
	c, gone := make([]float64, len(f.Value)), make([]float64, len(f.Value))
	n, sum, square := 0.0, 0.0, 0.0
	for i := range c {
		if v, ok := f.At(i); ok {
			n, sum = n+1, sum+v
		} else {
			gone[i] = 1
		}
	}
	mean := sum / max(n, 1)
	for i := range c {
		if v, ok := f.At(i); ok {
			c[i] = v - mean
			square += float64(c[i] * c[i])
		}
	}
	if sd := math.Sqrt(square / max(n, 1)); sd > 1e-12*max(1, math.Abs(mean)) {
		for i := range c {
			c[i] /= sd
		}
		cs = append(cs, c)
	}
	if n > 0 && f.Missing != nil {
		cs = append(cs, gone)
	}
	return cs
}

// classes numbers the distinct rows of the design. class[i] is the number of item i's row, and first[c] is the first
// item whose row has the number c.
func (d *design) classes() (class []int32, first []int) {
	class = make([]int32, len(d.x)/d.width)
	seen := num.Numbering[string]{}
	var key []byte
	for i := range class {
		key = key[:0]
		for _, v := range d.row(i) {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
		}
		c := seen.Of(string(key))
		if c == len(first) {
			first = append(first, i)
		}
		class[i] = int32(c)
	}
	return class, first
}
