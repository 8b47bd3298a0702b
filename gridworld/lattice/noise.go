package lattice

import "achilles/sim/num"

// pace2 has the displacements of one frame: two king's steps, all round.
var pace2 = [16]Point{{2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {-1, 2}, {-2, 2}, {-2, 1}, {-2, 0}, {-2, -1}, {-2, -2}, {-1, -2}, {0, -2}, {1, -2}, {2, -2}, {2, -1}}

// A Chance is a place where an actor may be after a frame, with its probability.
type Chance struct {
	Point
	P float64
}

// Noisily appends to dst where an actor at p may be after a frame of two steps, if it walks noisily to the nearest source of f: each
// place with a probability proportional to exp(−w/temperature), where w is by how many pixels the way is longer through this place.
// The temperature is positive. It appends nothing if there is no way. The two steps are those of a digital straight line.
func (f *Field) Noisily(dst []Chance, p Point, temperature float64) []Chance {
	here, ok := f.Cost(p)
	if !ok {
		return dst
	}
	first, sum := len(dst), 0.0
	for _, d := range pace2 {
		q := p.Add(d)
		there, ok := f.Cost(q)
		if !ok || !f.free(p, q) {
			continue
		}
		x := num.Exp(-Length(Octile(p, q)+there-here) / temperature)
		dst = append(dst, Chance{q, x})
		sum += x
	}
	for i := range dst[first:] {
		dst[first+i].P /= sum
	}
	return dst
}
