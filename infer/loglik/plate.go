package loglik

import (
	"encoding/binary"
	"math"
)

// A plate is a partition of the rows into elements. All rows of an element share one value. Every array of a plan has a
// plate, and one value for each element of the plate.
type plate struct {
	n     int
	of    []uint32 // row → its element
	first []int    // element → its first row
}

// A plateSet has each partition once, so that equal plates are equal pointers.
type plateSet struct {
	rows  int
	known map[string]*plate
	joins map[[2]*plate]*plate
}

func newPlateSet(rows int) *plateSet {
	return &plateSet{rows: rows, known: map[string]*plate{}, joins: map[[2]*plate]*plate{}}
}

// partition returns the plate in which rows with equal labels share an element. Elements are numbered by their first
// row.
func (p *plateSet) partition(label func(row int) string) *plate {
	pl := &plate{of: make([]uint32, p.rows)}
	number := map[string]uint32{}
	var key []byte
	for r := range p.rows {
		l := label(r)
		e, ok := number[l]
		if !ok {
			e = uint32(pl.n)
			number[l] = e
			pl.n++
			pl.first = append(pl.first, r)
		}
		pl.of[r] = e
		key = binary.LittleEndian.AppendUint32(key, e)
	}
	if old, ok := p.known[string(key)]; ok {
		return old
	}
	p.known[string(key)] = pl
	return pl
}

// whole returns the plate with one element.
func (p *plateSet) whole() *plate { return p.partition(func(int) string { return "" }) }

// byValue returns the plate in which rows with equal values in all vectors share an element.
func (p *plateSet) byValue(vectors ...[]float64) *plate {
	var key []byte
	return p.partition(func(r int) string {
		key = key[:0]
		for _, v := range vectors {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v[r]+0)) // −0 is 0
		}
		return string(key)
	})
}

// numbered returns the plate with these elements, which must be numbered by their first rows.
func (p *plateSet) numbered(of []uint32) *plate {
	var key [4]byte
	return p.partition(func(r int) string {
		binary.LittleEndian.PutUint32(key[:], of[r])
		return string(key[:])
	})
}

// join returns the coarsest plate that refines both a and b.
func (p *plateSet) join(a, b *plate) *plate {
	switch {
	case a == b || b.n == 1:
		return a
	case a.n == 1:
		return b
	}
	if j, ok := p.joins[[2]*plate{a, b}]; ok {
		return j
	}
	var key [8]byte
	j := p.partition(func(r int) string {
		binary.LittleEndian.PutUint32(key[:4], a.of[r])
		binary.LittleEndian.PutUint32(key[4:], b.of[r])
		return string(key[:])
	})
	p.joins[[2]*plate{a, b}] = j
	return j
}

// gather returns, for each element of pl, the element that contains it in the plate from. That plate must be coarser than
// pl, or pl itself.
func (pl *plate) gather(from *plate) []uint32 {
	ix := make([]uint32, pl.n)
	for e, r := range pl.first {
		ix[e] = from.of[r]
	}
	return ix
}

// pick returns one value for each element, from a vector over rows that is constant within elements.
func (pl *plate) pick(v []float64) []float64 {
	out := make([]float64, pl.n)
	for e, r := range pl.first {
		out[e] = v[r]
	}
	return out
}
