package score

import "math"

// A sample has n values. They are computed each time that they are needed, because those of all held-out responses would take much
// memory.
type sample struct {
	n  int
	at func(i int) float64
}

// values returns the sample of a list.
func values(x []float64) sample { return sample{len(x), func(i int) float64 { return x[i] }} }

func (s sample) mean() float64 {
	sum := 0.0
	for i := range s.n {
		sum += s.at(i)
	}
	return sum / float64(s.n)
}

// sumSquares returns Σ (x − mean)².
func (s sample) sumSquares() float64 {
	m, sum := s.mean(), 0.0
	for i := range s.n {
		v := s.at(i)
		sum += float64((v - m) * (v - m))
	}
	return sum
}

// meanSE returns the standard error of the mean, or NaN for fewer than two values.
func (s sample) meanSE() float64 {
	n := float64(s.n)
	if n < 2 {
		return math.NaN()
	}
	return math.Sqrt(s.sumSquares() / (n - 1) / n)
}

// jackknifeSE returns the standard error of a statistic whose leave-one-out values the sample has (Efron and Stein 1981), or NaN
// for fewer than two.
func (s sample) jackknifeSE() float64 {
	n := float64(s.n)
	if n < 2 {
		return math.NaN()
	}
	return math.Sqrt(s.sumSquares() * (n - 1) / n)
}
