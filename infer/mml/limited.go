package mml

import "achilles/sim/num"

// Marginal is a model of responses of which the means of responses and of their products are tested as by Fit.Moments: at every node of an
// integral its weight, and by item the mean of the response there and that of its square.
type Marginal struct {
	Weight        []float64
	First, Second [][]float64 // item × node
}

// Expected returns the means of responses, and then of the products of item i and each item before it.
func (m *Marginal) Expected() (out []float64) {
	for _, row := range m.products() {
		out = append(out, num.Dot(m.Weight, row))
	}
	return out
}

// products returns the moments at each node.
func (m *Marginal) products() (out [][]float64) {
	out = append(out, m.First...)
	for i := range m.First {
		for j := range i {
			row := make([]float64, len(m.Weight))
			for q := range row {
				row[q] = float64(m.First[i][q] * m.First[j][q])
			}
			out = append(out, row)
		}
	}
	return out
}

// Test compares the sums of a sample's moments, in the order of Expected, with what is expected of so many subjects. slope has the derivatives of
// Expected by each parameter that was estimated.
func (m *Marginal) Test(sample []float64, subjects float64, slope [][]float64) Moments {
	out := Moments{Subjects: subjects, DF: len(sample) - len(slope)}
	switch {
	case len(m.First) > mostMoments:
		out.Impossible = "there are more than 60 items"
	case out.DF < 1 || subjects < 2:
		out.Impossible = "there are too few items, or too few subjects without a missing response"
	}
	if out.Impossible != "" {
		return out
	}
	x := &expected{mean: m.Expected(), slope: slope, cov: num.NewLower(len(sample))}
	x.covary(m.Weight, m.First, m.Second, m.products())
	out.test(x, sample)
	return out
}
