package mml

import (
	"slices"

	"achilles/sim/num"
)

// A group is what the climb knows of a group of subjects.
type group struct {
	mean, sd float64
	at       [2]int // index of mean and sd in the parameters; −1: not estimated
	n        float64
}

// Bounds of the distribution of a group.
const (
	mostMean = 12
	leastSD  = 0.02
	mostSD   = 12
)

// normal returns the log density of abilities in a group, nil if there is none with these correlations.
func (p *parameters) normal() func(g int, theta []float64) float64 {
	if p.abilities == 1 {
		return func(g int, theta []float64) float64 {
			x := (theta[0] - p.groups[g].mean) / p.groups[g].sd
			return -float64(x*x)/2 - num.Log(p.groups[g].sd) - num.LogSqrt2Pi
		}
	}
	l := slices.Clone(p.corr)
	if !l.Cholesky() {
		return nil
	}
	whole := float64(p.abilities) * num.LogSqrt2Pi
	for m := range p.abilities {
		whole += num.Log(l.Row(m)[m])
	}
	b := make([]float64, p.abilities)
	return func(_ int, theta []float64) float64 {
		copy(b, theta)
		l.Solve(b)
		return -num.Dot(b, b)/2 - whole
	}
}

// priorScore returns the function that adds the derivatives of the log density of abilities to s, and hands on the second derivatives.
func (p *parameters) priorScore() func(g int, theta, s []float64, second func(a, b int, x float64)) {
	if p.abilities == 1 {
		return func(g int, theta, s []float64, second func(a, b int, x float64)) {
			x := &p.groups[g]
			if x.at[0] < 0 {
				return
			}
			z := (theta[0] - x.mean) / x.sd
			s[x.at[0]] += z / x.sd
			s[x.at[1]] += (float64(z*z) - 1) / x.sd
			v := float64(x.sd * x.sd)
			second(x.at[0], x.at[0], -1/v)
			second(x.at[0], x.at[1], -2*z/v)
			second(x.at[1], x.at[1], (1-float64(3*z*z))/v)
		}
	}
	free := false
	for _, at := range p.corrAt {
		free = free || at >= 0
	}
	if !free {
		return func(int, []float64, []float64, func(a, b int, x float64)) {}
	}
	d := p.abilities
	l := append(num.Lower{}, p.corr...)
	if !l.Cholesky() {
		return func(int, []float64, []float64, func(a, b int, x float64)) {}
	}
	precision := inverse(l, d)
	type pair struct{ i, j, at int }
	var pairs []pair
	k := 0
	for i := range d {
		for j := range i {
			if p.corrAt[k] >= 0 {
				pairs = append(pairs, pair{i, j, p.corrAt[k]})
			}
			k++
		}
	}
	t := make([]float64, d)
	return func(_ int, theta, s []float64, second func(a, b int, x float64)) {
		for m := range d {
			t[m] = num.Dot(precision[m], theta)
		}
		for _, q := range pairs {
			s[q.at] += float64(t[q.i]*t[q.j]) - precision[q.i][q.j]
			for _, o := range pairs {
				if o.at > q.at {
					continue
				}
				// ½ tr(R⁻¹EₚR⁻¹Eₒ) − tᵀEₚR⁻¹Eₒt, for E with ones at (i, j) and (j, i)
				tr := float64(precision[q.i][o.i]*precision[q.j][o.j]) + float64(precision[q.i][o.j]*precision[q.j][o.i])
				quad := float64(t[q.i]*precision[q.j][o.i]*t[o.j]) + float64(t[q.i]*precision[q.j][o.j]*t[o.i]) +
					float64(t[q.j]*precision[q.i][o.i]*t[o.j]) + float64(t[q.j]*precision[q.i][o.j]*t[o.i])
				second(q.at, o.at, tr-quad)
			}
		}
	}
}

// inverse returns that of the matrix whose Cholesky factor is l.
func inverse(l num.Lower, d int) [][]float64 {
	out := num.Rows(d, d)
	for m := range d {
		out[m][m] = 1
		l.SolveBoth(out[m])
	}
	return out
}
