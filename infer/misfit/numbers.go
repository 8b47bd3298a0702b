package misfit

import (
	"math"
	"slices"

	"achilles/sim/record"
)

// A number is a numeric feature of the items in standard scores over the responses. A missing value counts as the mean,
// which has standard score 0.
type number struct {
	name string
	values
	levels int // number of distinct values
}

// values are a value for each response. Many responses have the same ones, of which there is a list.
type values struct {
	list  []float64
	few   []uint8  // [response] index in list; nil if there are more than 256
	index []uint32 // [response] the same if few is nil
}

// newValues returns values without any response, of which the list has n.
func newValues(list []float64, responses int) values {
	v := values{list: list}
	if len(list) <= 1<<8 {
		v.few = make([]uint8, responses)
	} else {
		v.index = make([]uint32, responses)
	}
	return v
}

// set gives a response the value with an index in the list.
func (v *values) set(response, k int) {
	if v.few != nil {
		v.few[response] = uint8(k)
	} else {
		v.index[response] = uint32(k)
	}
}

// fill sets to to the values of responses, beginning with response from.
func (v *values) fill(to []float64, from int) {
	if v.few != nil {
		for i, k := range v.few[from:][:len(to)] {
			to[i] = v.list[k]
		}
		return
	}
	for i, k := range v.index[from:][:len(to)] {
		to[i] = v.list[k]
	}
}

// weights are a weight for each response: a value, or the product of two. There are many, so that they are computed each time.
type weights struct{ a, b *values }

// fill sets to to the weights of at most `block` responses, beginning with response from.
func (w weights) fill(to []float64, from int) {
	if w.a.fill(to, from); w.b == nil {
		return
	}
	var buffer [block]float64
	factor := buffer[:len(to)]
	w.b.fill(factor, from)
	for i, x := range factor {
		to[i] = float64(to[i] * x)
	}
}

// numbers returns the numeric columns of the items whose values are not all equal.
func (d *Data) numbers() (out []number) {
	for k := range d.Items.Columns {
		if d.Items.Columns[k].Kind == record.Text {
			continue
		}
		col := d.Items.Values(k)
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
	list := slices.Compact(slices.Clone(there))
	n := number{name: name, levels: len(list)}
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
	scores := make([]float64, len(list), len(list)+1)
	for k, x := range list {
		scores[k] = (x - mean) / sd
	}
	n.values = newValues(append(scores, 0), len(raw)) // the last is that of missing values
	for i, x := range raw {
		k := len(list)
		if !math.IsNaN(x) {
			k, _ = slices.BinarySearch(list, x)
		}
		n.set(i, k)
	}
	return n, true
}
