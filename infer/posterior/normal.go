package posterior

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// normal is a multivariate normal density.
type normal struct {
	mean  []float64
	lower []float64 // Cholesky factor of the covariance, row by row, each row up to its diagonal
	norm  float64   // log of its constant
	z     []float64
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
	d := &normal{mean: make([]float64, dim), lower: make([]float64, dim*(dim+1)/2), z: make([]float64, dim)}
	for _, c := range chains {
		for _, q := range c {
			for i, x := range q {
				d.mean[i] += x / float64(n)
			}
		}
	}
	for _, c := range chains {
		for _, q := range c {
			at := 0
			for i, x := range q {
				for j := range i + 1 {
					d.lower[at+j] += float64((x-d.mean[i])*(q[j]-d.mean[j])) / float64(n-1)
				}
				at += i + 1
			}
		}
	}
	if !d.factor() {
		return nil, false
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

// factor replaces the covariance in lower by its Cholesky factor and sets the norm.
func (d *normal) factor() bool {
	dim := len(d.mean)
	row := func(i int) int { return i * (i + 1) / 2 }
	d.norm = -0.5 * float64(dim) * num.Log(2*math.Pi)
	for i := range dim {
		for j := range i + 1 {
			s := d.lower[row(i)+j]
			whole := s
			for k := range j {
				s -= float64(d.lower[row(i)+k] * d.lower[row(j)+k])
			}
			if i != j {
				d.lower[row(i)+j] = s / d.lower[row(j)+j]
				continue
			}
			if !(s > 1e-14*whole) || math.IsInf(s, 1) {
				return false
			}
			d.lower[row(i)+i] = math.Sqrt(s)
			d.norm -= num.Log(d.lower[row(i)+i])
		}
	}
	return true
}

func (d *normal) draw(q []float64, rng *rng.Rand) {
	for i := range d.z {
		d.z[i] = rng.Norm()
	}
	at := 0
	for i := range q {
		q[i] = d.mean[i]
		for j, l := range d.lower[at : at+i+1] {
			q[i] += float64(l * d.z[j])
		}
		at += i + 1
	}
}

func (d *normal) logDensity(q []float64) float64 {
	at := 0
	square := 0.0
	for i := range q {
		z := q[i] - d.mean[i]
		for j, l := range d.lower[at : at+i] {
			z -= float64(l * d.z[j])
		}
		at += i + 1
		d.z[i] = z / d.lower[at-1]
		square += float64(d.z[i] * d.z[i])
	}
	return d.norm - 0.5*square
}
