package misfit

import (
	"math"
	"slices"

	"achilles/sim/record"
)

// A number is a numeric feature of the items in standard scores over the responses. A missing value counts as the mean,
// which has standard score 0.
type number struct {
	name   string
	value  []float64 // [response]
	levels int       // number of distinct values
}

// numbers returns the numeric columns of the items whose values are not all equal.
func (d *Data) numbers() (out []number) {
	for _, col := range d.Items.Columns {
		if col.Kind == record.Text {
			continue
		}
		raw := make([]float64, len(d.Responses))
		for i, r := range d.Responses {
			raw[i] = math.NaN()
			if col.Missing == nil || !col.Missing[r.Item] {
				raw[i] = col.Number[r.Item]
			}
		}
		if n, ok := standard(col.Name, raw); ok {
			out = append(out, n)
		}
	}
	return out
}

// standard returns a number with the standard scores of raw, in which NaN is a missing value. It returns false if all
// values are equal.
func standard(name string, raw []float64) (number, bool) {
	there := slices.DeleteFunc(slices.Clone(raw), math.IsNaN)
	slices.Sort(there)
	n := number{name: name, value: make([]float64, len(raw)), levels: len(slices.Compact(slices.Clone(there)))}
	if n.levels < 2 {
		return n, false
	}
	mean, squares := 0.0, 0.0
	for _, x := range there {
		mean += x / float64(len(there))
	}
	for _, x := range there {
		squares += float64((x - mean) * (x - mean))
	}
	sd := math.Sqrt(squares / float64(len(there)))
	for i, x := range raw {
		if !math.IsNaN(x) {
			n.value[i] = (x - mean) / sd
		}
	}
	return n, true
}
