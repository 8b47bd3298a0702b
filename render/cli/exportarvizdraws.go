package cli

import (
	"slices"
	"strings"

	"achilles/infer"
)

// units writes the posterior of item and shared parameters: those of items have the dimension item, those of groups the column that
// names the groups.
func (e *arviz) units() error {
	defer e.endVector()
	d, dims := e.res.UnitDraws, map[string][]string{} // dimension → its units
	if d == nil {
		return nil
	}
	var of []infer.Unit      // the units of one parameter
	var values [][][]float64 // by unit, chain and draw
	put := func() {
		if len(of) == 0 {
			return
		}
		all := make([]float64, 0, len(of)*d.Chains()*len(d.Draws()))
		for c := range d.Chains() {
			for i := range d.Draws() {
				for k := range of {
					all = append(all, values[k][c][i])
				}
			}
		}
		along, shape := []string{"chain", "draw"}, []int{d.Chains(), len(d.Draws())}
		if of[0].Kind != infer.SharedUnit {
			var names []string
			for _, u := range of {
				names = append(names, u.Unit)
			}
			dim := safeName(of[0].Kind)
			if of[0].Kind == infer.ItemUnit {
				dim = infer.ItemUnit
			}
			if was, ok := dims[dim]; slices.Contains([]string{"chain", "draw", "subject"}, dim) || ok && !slices.Equal(was, names) {
				dim += "_" + safeName(of[0].Parameter)
			}
			if dims[dim] == nil {
				dims[dim] = names
				e.array("posterior/"+dim, []string{dim}, []int{len(names)}, false, names)
			}
			along, shape = append(along, dim), append(shape, len(names))
		}
		e.variable(of[0].Parameter, along, shape, all)
		of, values = nil, nil
	}
	i := 0
	for draws, err := range d.All() {
		if err != nil {
			return err
		}
		if u := e.res.Units[i]; len(of) > 0 && u.Parameter != of[0].Parameter {
			put()
		}
		of, values, i = append(of, e.res.Units[i]), append(values, draws), i+1
	}
	put()
	return nil
}

// A vector is what was put of the variable of a vector (docs/reference/layouts.md), ability[lava], ability[ramp] …: it becomes one array whose last
// dimension has the parts.
type vector struct {
	name   string
	dims   []string
	shape  []int
	labels []string
	values [][]float64 // by part
}

// variable writes an array of the posterior, or keeps it if it is a part of a vector.
func (e *arviz) variable(name string, dims []string, shape []int, values []float64) {
	base, label, ok := strings.Cut(name, "[")
	label, closed := strings.CutSuffix(label, "]")
	if !ok || !closed {
		e.endVector()
		e.array("posterior/"+safeName(name), dims, shape, false, values)
		return
	}
	if v := &e.vector; v.name != base || !slices.Equal(v.dims, dims) {
		e.endVector()
		e.vector = vector{name: base, dims: slices.Clone(dims), shape: slices.Clone(shape)}
	}
	e.vector.labels, e.vector.values = append(e.vector.labels, label), append(e.vector.values, values)
}

// endVector writes the vector of which parts were kept. Vectors with the same parts share the dimension.
func (e *arviz) endVector() {
	v := e.vector
	if e.vector = (vector{}); v.name == "" {
		return
	}
	dim := "part"
	if was, ok := e.parts[dim]; ok {
		var inOrder [][]float64 // the parts in the order that the dimension has
		for _, label := range was {
			if k := slices.Index(v.labels, label); k >= 0 {
				inOrder = append(inOrder, v.values[k])
			}
		}
		if len(inOrder) == len(was) && len(was) == len(v.labels) {
			v.labels, v.values = was, inOrder
		} else {
			dim += "_" + safeName(v.name)
		}
	}
	if e.parts[dim] == nil {
		if e.parts == nil {
			e.parts = map[string][]string{}
		}
		e.parts[dim] = v.labels
		e.array("posterior/"+dim, []string{dim}, []int{len(v.labels)}, false, v.labels)
	}
	all := make([]float64, 0, len(v.values)*len(v.values[0]))
	for i := range v.values[0] {
		for k := range v.values {
			all = append(all, v.values[k][i])
		}
	}
	e.array("posterior/"+safeName(v.name), append(v.dims, dim), append(v.shape, len(v.labels)), false, all)
}
