package layout

import (
	"maps"

	"achilles/sim/conf"
	"achilles/sim/expr"
)

// everyBit says of a node that all its parameters matter.
const everyBit = -1

// matter returns, for every item, which of some parameters of subjects its responses can depend on: bit k is that of the k-th one. A
// parameter does not matter where it is multiplied by metafeatures that are 0, or is not needed (present). Without parameters, all
// bits are set.
func (j *Joint) matter(parameters []int) ([]int, error) {
	out := make([]int, j.items.Len())
	if parameters == nil {
		for i := range out {
			out[i] = everyBit
		}
		return out, nil
	}
	b, _ := j.builder(len(out), nil, nil)
	b.columns, b.row = maps.Clone(j.columns), j.items.ID
	m := &mattering{builder: b, bit: map[int]int{}, known: map[string][]int{}}
	for k, p := range parameters {
		m.bit[p] = 1 << k
	}
	for _, r := range j.layout.Responses {
		for k, n := range r.nodes {
			bits, err := m.bits(r.places[k], n)
			if err != nil {
				return nil, err
			}
			for i, x := range bits {
				out[i] |= x
			}
		}
	}
	return out, nil
}

// A mattering finds which parameters an expression depends on at every item.
type mattering struct {
	*builder
	bit   map[int]int      // parameter → its bit
	known map[string][]int // performance → its bits
}

// bits returns the bits of the parameters on which an expression can depend, for every item.
func (m *mattering) bits(at conf.Place, n *expr.Node) ([]int, error) {
	out := make([]int, m.rows)
	if m.levelOf(n) <= data {
		return out, nil
	}
	if n.Op == expr.Name {
		return m.ofName(n.Text)
	}
	zero := make([]bool, m.rows)
	for k, a := range n.Args {
		if m.levelOf(a) > data {
			bits, err := m.bits(at, a)
			if err != nil {
				return nil, err
			}
			for i, x := range bits {
				out[i] |= x
			}
			continue
		}
		if n.Op == expr.Mul || n.Op == expr.Present && k == 1 {
			v, err := m.values(at, a)
			if err != nil {
				return nil, err
			}
			for i, x := range v {
				zero[i] = zero[i] || x == 0
			}
		}
	}
	for i, is := range zero {
		if is {
			out[i] = 0
		}
	}
	return out, nil
}

// ofName returns the bits of a parameter or performance.
func (m *mattering) ofName(name string) ([]int, error) {
	if bits, ok := m.known[name]; ok {
		return bits, nil
	}
	bits := make([]int, m.rows)
	switch s := m.symbols[name]; s.kind {
	case aParameter:
		for i := range bits {
			bits[i] = m.bit[s.index]
		}
	case aPerformance:
		var err error
		if bits, err = m.bits(m.Performances[s.index].at, m.Performances[s.index].node); err != nil {
			return nil, err
		}
	}
	m.known[name] = bits
	return bits, nil
}
