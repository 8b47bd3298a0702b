package misfit

import (
	"math"

	"achilles/sim/num"
)

// span returns the leading principal components of n vectors of some length, which write writes. If the vectors have more than most
// numbers together, each is written again whenever it is wanted, and the components are found among the coordinates of the vectors in
// the space that they span.
func span(n, length, most int, write func(m int, to []float64)) (units [][]float64) {
	if n*length <= most {
		return components(written(0, n, length, write))
	}
	coordinates, basis := coordinatesOf(products(n, length, max(1, most/length), write))
	var mixes [][]float64 // [component][vector] weights of the vectors
	for _, c := range components(coordinates) {
		mix := make([]float64, n)
		for k, x := range c {
			num.AddTo(mix, x, basis[k])
		}
		mixes, units = append(mixes, mix), append(units, make([]float64, length))
	}
	one := make([]float64, length)
	for m := range n {
		write(m, one)
		for k, mix := range mixes {
			num.AddTo(units[k], mix[m], one)
		}
	}
	return units
}

// components returns the leading principal components of vectors, by power iteration with deflation. It changes the vectors.
func components(vectors [][]float64) (units [][]float64) {
	for range mostDirections {
		unit, share := principal(vectors)
		if share < leastShare {
			return units
		}
		units = append(units, unit)
		for _, v := range vectors {
			num.AddTo(v, -num.Dot(v, unit), unit)
		}
	}
	return units
}

// written returns the vectors from from to before to.
func written(from, to, length int, write func(m int, to []float64)) (out [][]float64) {
	for m := from; m < to; m++ {
		v := make([]float64, length)
		write(m, v)
		out = append(out, v)
	}
	return out
}

// products returns the scalar products of n vectors, of which it holds some at a time.
func products(n, length, some int, write func(m int, to []float64)) [][]float64 {
	out := num.Rows(n, n)
	one := make([]float64, length)
	for from := 0; from < n; from += some {
		held := written(from, min(from+some, n), length, write)
		for m := from; m < n; m++ {
			v := one
			if m-from < len(held) {
				v = held[m-from]
			} else {
				write(m, v)
			}
			for k, h := range held[:min(len(held), m-from+1)] {
				out[from+k][m] = num.Dot(h, v)
				out[m][from+k] = out[from+k][m]
			}
		}
	}
	return out
}

// leastLength is the square of the smallest length of a vector's part along an axis, relative to the longest, that is more than rounding.
const leastLength = 1e-12

// coordinatesOf returns coordinates of vectors, given their scalar products, along orthonormal axes in the space that they span:
// coordinates[vector][axis]. Axis k is the sum of the vectors with the weights basis[k]. The products are overwritten.
func coordinatesOf(products [][]float64) (coordinates, basis [][]float64) {
	n := len(products)
	squares, axes := num.Eigen(products)
	longest := 0.0
	for _, s := range squares {
		longest = max(longest, s)
	}
	coordinates = make([][]float64, n)
	for k, s := range squares {
		if s <= leastLength*longest {
			continue
		}
		length := math.Sqrt(s)
		weights := make([]float64, n)
		for m, x := range axes[k] {
			coordinates[m] = append(coordinates[m], float64(x*length))
			weights[m] = x / length
		}
		basis = append(basis, weights)
	}
	return coordinates, basis
}
