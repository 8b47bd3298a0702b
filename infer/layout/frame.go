package layout

import (
	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/num"
)

// A frame says which values of a vector the parameters of a plan are.
type frame struct {
	index []int // parameter of the plan → index in a vector
}

// load copies the values that the plan needs out of a vector.
func (f *frame) load(vector, params []float64) {
	for i, at := range f.index {
		params[i] = vector[at]
	}
}

// add adds the derivatives by the plan's parameters to those of a vector.
func (f *frame) add(grad, vector []float64) {
	for i, at := range f.index {
		vector[at] += grad[i]
	}
}

// builder returns a builder of a plan with this number of rows that may mention the parameters in names, and where their
// values are. unit returns the unit of a parameter that a row sees.
func (j *Joint) builder(rows int, names []int, unit func(param, row int) int) (*builder, frame) {
	var f frame
	first, of := map[int]int{}, map[int][]uint32{}
	for _, q := range names {
		first[q] = len(f.index)
		if j.layout.Parameters[q].Group == Shared {
			f.index = append(f.index, j.first[q])
			continue
		}
		seen, elements := num.Numbering[int]{}, make([]uint32, rows)
		for r := range rows {
			u := unit(q, r)
			e := seen.Of(u)
			if first[q]+e == len(f.index) {
				f.index = append(f.index, j.first[q]+u)
			}
			elements[r] = uint32(e)
		}
		if len(seen) > 1 { // a single value is a parameter like any other, for which there are faster loops
			of[q] = elements
		}
	}
	b := &builder{Layout: j.layout, columns: map[string]expr.Column{}, rows: rows, nodes: map[string]loglik.Node{}, row: []string{"any"}, unit: ofItems.unit}
	b.plan = loglik.NewBuilder(rows, len(f.index), 0)
	b.param = func(q int) loglik.Node {
		if elements, ok := of[q]; ok {
			return b.plan.Vector(first[q], elements)
		}
		return b.plan.Param(first[q])
	}
	return b, f
}
