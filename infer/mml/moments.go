package mml

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// A Moments test compares the means of responses and of their products with those that the model expects: M2 of Maydeu-Olivares and
// Joe (2006), for ordered categories M2* of Cai and Hansen (2013).
type Moments struct {
	M2         float64
	DF         int
	P          float64
	RMSEA      float64 // RMSEA2, with its 90 % interval
	Low, High  float64
	Subjects   float64     // without a missing response, of whom alone it is
	Residual   [][]float64 // item × item before it: the residual of the mean product of responses, standard normal if the model holds (Maydeu-Olivares and Liu 2015)
	Impossible string      // why there is none; "": there is one
}

// mostMoments is the largest number of items for which the test is made: it takes memory and time as the fourth and the sixth power of it.
const mostMoments = 60

// fewestOfMoments is the number of subjects below which there is none: of 60 tables of 12 × 20 of the Rasch model 4 have p < .01, of 3 × 20
// more than half; from 24 on the level is right (seeds 1 to 60).
const fewestOfMoments = 20

// Moments returns the test of the whole model.
func (f *Fit) Moments() Moments {
	e := f.e
	var out Moments
	n := len(e.items)
	switch {
	case len(e.groups) > 1:
		out.Impossible = "there are several groups"
	case n > mostMoments:
		out.Impossible = "there are more than 60 items"
	case f.cov == nil:
		out.Impossible = "the parameters have no standard errors"
	}
	if out.Impossible != "" {
		return out
	}
	s := n + n*(n-1)/2
	sample := make([]float64, s)
	for u := range e.patterns {
		p := &e.patterns[u]
		if len(p.items) < n {
			continue
		}
		out.Subjects += p.n
		k := n
		for i := range n {
			y := float64(p.y[i])
			sample[i] += float64(p.n * y)
			for j := range i {
				sample[k] += float64(p.n * y * float64(p.y[j]))
				k++
			}
		}
	}
	stay := e.stuck(e.get(), e.differentiate().gradient)
	free := make([]int, e.params)
	columns := 0
	for a := range free {
		if free[a] = -1; !stay[a] {
			free[a] = columns
			columns++
		}
	}
	out.DF = s - columns
	if out.DF < 1 || out.Subjects < fewestOfMoments {
		out.Impossible = "there are too few items, or too few subjects without a missing response"
		return out
	}
	x := e.marginal(s, free, columns)
	out.Residual = f.residuals(x, sample, out.Subjects, free, columns)
	out.test(x, sample)
	return out
}

// test sets the statistic from the sums of the sample's moments. It replaces x.cov by its factor.
func (out *Moments) test(x *expected, sample []float64) {
	columns := len(x.slope)
	d := make([]float64, len(sample))
	if !x.cov.Cholesky() {
		out.Impossible = "some pairs of responses hardly occur"
		return
	}
	for a := range d {
		d[a] = sample[a]/out.Subjects - x.mean[a]
	}
	x.cov.Solve(d)
	cross, inner := num.NewLower(columns), make([]float64, columns)
	for a := range columns {
		x.cov.Solve(x.slope[a])
		inner[a] = num.Dot(x.slope[a], d)
		row := cross.Row(a)
		for b := range row {
			row[b] = num.Dot(x.slope[a], x.slope[b])
		}
	}
	if !cross.Cholesky() {
		out.Impossible = "means and products of responses do not distinguish all parameters"
		return
	}
	cross.Solve(inner)
	out.M2 = out.Subjects * max(0, num.Dot(d, d)-num.Dot(inner, inner))
	df := float64(out.DF)
	out.P = tail(out.M2, df)
	rmsea := func(lambda float64) float64 { return math.Sqrt(max(lambda, 0) / float64(out.Subjects*df)) }
	out.RMSEA, out.Low, out.High = rmsea(out.M2-df), rmsea(noncentrality(out.M2, df, 0.95)), rmsea(noncentrality(out.M2, df, 0.05))
}

// residuals returns the standardised residuals of the products. Their variance allows for the parameters' being estimated from the same
// responses; NaN where nothing is left of it.
func (f *Fit) residuals(x *expected, sample []float64, subjects float64, free []int, columns int) [][]float64 {
	n := len(f.e.items)
	params := make([]int, columns)
	for at, a := range free {
		if a >= 0 {
			params[a] = at
		}
	}
	out := make([][]float64, n)
	k := n
	for i := range n {
		out[i] = make([]float64, i)
		for j := range i {
			v := x.cov.Row(k)[k] / subjects
			for a := range columns {
				for b := range columns {
					v -= float64(x.slope[a][k] * x.slope[b][k] * f.cov(params[a], params[b]))
				}
			}
			out[i][j] = math.NaN()
			if v > 1e-3*x.cov.Row(k)[k]/subjects {
				out[i][j] = (sample[k]/subjects - x.mean[k]) / math.Sqrt(v)
			}
			k++
		}
	}
	return out
}

// An expected set has the moments that the model expects, their derivatives with respect to parameters, and the covariance of those of
// one subject.
type expected struct {
	mean  []float64
	slope [][]float64 // parameter × moment
	cov   num.Lower
}

// marginal returns the expected means of responses and then of products of two, of item i and each item before it.
func (e *engine) marginal(s int, free []int, columns int) *expected {
	n, nodes := len(e.items), len(e.grid.theta)
	x := &expected{mean: make([]float64, s), cov: num.NewLower(s)}
	for range columns {
		x.slope = append(x.slope, make([]float64, s))
	}
	first, second := make([][]float64, n), make([][]float64, n) // by node: means of responses and of their squares
	for i := range n {
		first[i], second[i] = make([]float64, nodes), make([]float64, nodes)
	}
	prior := e.priorScore()
	weight := make([]float64, nodes)
	product := num.Rows(s, nodes) // moment × node
	score := make([]float64, e.params)
	for q, theta := range e.grid.theta {
		w := num.Exp(e.density[0][q])
		weight[q] = w
		ds := make([][]float64, n) // by item: derivatives of its mean by slot
		for i := range n {
			it := &e.items[i]
			c := it.core()
			ds[i] = make([]float64, len(it.at))
			h := make([]float64, c+c*c)
			z := it.predictor(theta)
			for k := 1; k <= len(it.d); k++ {
				p := num.Exp(e.table[i][k*nodes+q])
				first[i][q] += float64(float64(k) * p)
				second[i][q] += float64(float64(k*k) * p)
				it.derive(z, k, h[:c], h[c:])
				for j := range it.at {
					cj, fj := it.slot(j, theta)
					ds[i][j] += float64(float64(k) * p * fj * h[cj])
				}
			}
		}
		clear(score)
		prior(0, theta, score, func(a, b int, x float64) {})
		moment := func(a int, m float64) {
			product[a][q] = m
			x.mean[a] += float64(w * m)
			for at, v := range score {
				if v != 0 && free[at] >= 0 {
					x.slope[free[at]][a] += float64(w * m * v)
				}
			}
		}
		add := func(a, i int, m float64) {
			for j, at := range e.items[i].at {
				if at >= 0 && free[at] >= 0 {
					x.slope[free[at]][a] += float64(w * m * ds[i][j])
				}
			}
		}
		k := n
		for i := range n {
			moment(i, first[i][q])
			add(i, i, 1)
			for j := range i {
				moment(k, float64(first[i][q]*first[j][q]))
				add(k, i, first[j][q])
				add(k, j, first[i][q])
				k++
			}
		}
	}
	x.covary(weight, first, second, product)
	return x
}

// covary sets the covariance of the moments of one subject, from the weight of each node, and there the means of responses, of their squares, by
// item, and the moments.
func (x *expected) covary(weight []float64, first, second, product [][]float64) {
	n, s := len(first), len(x.mean)
	of := make([][]int, s) // items of a moment
	k := n
	for i := range n {
		of[i] = []int{i}
		for j := range i {
			of[k] = []int{i, j}
			k++
		}
	}
	weighted := make([]float64, len(weight))
	for a := range s {
		for q := range weighted {
			weighted[q] = float64(weight[q] * product[a][q])
		}
		row := x.cov.Row(a)
		for b := range row {
			sum := 0.0
			if shared := both(of[a], of[b]); len(shared) == 0 {
				sum = num.Dot(weighted, product[b])
			} else {
				for q, v := range weighted {
					for _, i := range of[b] {
						if !slices.Contains(shared, i) {
							v *= first[i][q]
						}
					}
					for _, i := range shared { // the square in place of what stands in the first moment
						if first[i][q] > 0 {
							v = v / first[i][q] * second[i][q]
						}
					}
					sum += v
				}
			}
			row[b] = sum - float64(x.mean[a]*x.mean[b])
		}
	}
}

func both(a, b []int) (out []int) {
	for _, i := range a {
		if slices.Contains(b, i) {
			out = append(out, i)
		}
	}
	return out
}
