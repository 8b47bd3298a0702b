package posterior

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// normal is a multivariate normal density.
type normal struct {
	mean   []float64
	factor num.Lower // Cholesky factor of the covariance
	norm   float64   // log of its constant
	z      []float64
}

// fitNormal returns the normal density with the mean and covariance of all draws. It reports false when they are too few
// or do not vary in every direction.
func fitNormal(chains [][][]float64) (*normal, bool) {
	n := 0
	for _, c := range chains {
		n += len(c)
	}
	if n == 0 || n < 2*len(chains[0][0]) || !varies(chains) {
		return nil, false
	}
	dim := len(chains[0][0])
	d := &normal{mean: make([]float64, dim), factor: num.NewLower(dim), z: make([]float64, dim)}
	for _, c := range chains {
		for _, q := range c {
			for i, x := range q {
				d.mean[i] += x / float64(n)
			}
		}
	}
	for _, c := range chains {
		for _, q := range c {
			for i, x := range q {
				for j, row := 0, d.factor.Row(i); j <= i; j++ {
					row[j] += float64((x-d.mean[i])*(q[j]-d.mean[j])) / float64(n-1)
				}
			}
		}
	}
	if !d.factor.Cholesky() {
		return nil, false
	}
	d.norm = -0.5 * float64(dim) * num.Log(2*math.Pi)
	for i := range dim {
		d.norm -= num.Log(d.factor.Row(i)[i])
	}
	return d, true
}

// varies reports whether every coordinate takes more than one value. The variance cannot tell: rounding gives a constant
// some.
func varies(chains [][][]float64) bool {
	first := chains[0][0]
	for i := range first {
		constant := true
		for _, c := range chains {
			for _, q := range c {
				constant = constant && q[i] == first[i]
			}
		}
		if constant {
			return false
		}
	}
	return true
}

func (d *normal) draw(q []float64, rng *rng.Rand) {
	for i := range d.z {
		d.z[i] = rng.Norm()
	}
	d.factor.Mul(d.z, q)
	for i, m := range d.mean {
		q[i] += m
	}
}

func (d *normal) logDensity(q []float64) float64 {
	for i, m := range d.mean {
		d.z[i] = q[i] - m
	}
	d.factor.Solve(d.z)
	square := 0.0
	for _, z := range d.z {
		square += float64(z * z)
	}
	return d.norm - 0.5*square
}
