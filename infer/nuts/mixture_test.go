package nuts_test

import "math"

// schools is the non-centred eight-schools model: μ ~ N(0, 5), τ ~ half-Cauchy(5). The coordinates are the eight
// standardised effects, μ and log τ.
type schools struct{ y, sigma []float64 }

func (s schools) Dim() int { return len(s.y) + 2 }

func (s schools) LogDensity(q, grad []float64) float64 {
	k := len(s.y)
	mu, tau := q[k], math.Exp(q[k+1])
	prior, slope := cauchyScale(5)(tau)
	lp := prior + q[k+1] - mu*mu/50
	grad[k] = -mu / 25
	grad[k+1] = 1 + slope*tau
	for i, y := range s.y {
		r := (y - mu - tau*q[i]) / s.sigma[i]
		lp -= r*r/2 + q[i]*q[i]/2
		d := r / s.sigma[i]
		grad[i] = d*tau - q[i]
		grad[k] += d
		grad[k+1] += d * tau * q[i]
	}
	return lp
}

func (s schools) constrain(q []float64) []float64 {
	k := len(s.y)
	tau := math.Exp(q[k+1])
	out := make([]float64, 0, k+2)
	for _, z := range q[:k] {
		out = append(out, q[k]+tau*z)
	}
	return append(out, q[k], tau)
}

// mixture is the two-component normal mixture of posteriordb: μ ~ N(0, 2), ordered; σ ~ half-N(0, 2); θ ~ Beta(5, 5).
// The coordinates are μ1, log(μ2 − μ1), log σ1, log σ2, logit θ.
type mixture struct{ y []float64 }

func (m mixture) Dim() int { return 5 }

func (m mixture) LogDensity(q, grad []float64) float64 {
	c := m.constrain(q)
	mu, sigma, theta := c[0:2], c[2:4], c[4]
	share := [2]float64{theta, 1 - theta}
	var dmu, dsigma [2]float64 // derivative by log σ
	dtheta := 5.0 - 10*theta   // derivative by logit θ, from Beta(5, 5) with the Jacobian θ(1 − θ)
	lp := 5 * (math.Log(theta) + math.Log1p(-theta))
	for k := range 2 {
		lp -= mu[k]*mu[k]/8 + sigma[k]*sigma[k]/8
		dmu[k] = -mu[k] / 4
		dsigma[k] = 1 - sigma[k]*sigma[k]/4
	}
	lp += q[1] + q[2] + q[3]
	for _, y := range m.y {
		var part, z [2]float64
		for k := range 2 {
			z[k] = (y - mu[k]) / sigma[k]
			part[k] = math.Log(share[k]) - math.Log(sigma[k]) - z[k]*z[k]/2
		}
		top := math.Max(part[0], part[1])
		total := top + math.Log(math.Exp(part[0]-top)+math.Exp(part[1]-top))
		lp += total
		for k := range 2 {
			w := math.Exp(part[k] - total)
			dmu[k] += w * z[k] / sigma[k]
			dsigma[k] += w * (z[k]*z[k] - 1)
			if k == 0 {
				dtheta += w - theta
			}
		}
	}
	grad[0] = dmu[0] + dmu[1]
	grad[1] = dmu[1]*math.Exp(q[1]) + 1
	grad[2], grad[3], grad[4] = dsigma[0], dsigma[1], dtheta
	return lp
}

func (m mixture) constrain(q []float64) []float64 {
	return []float64{q[0], q[0] + math.Exp(q[1]), math.Exp(q[2]), math.Exp(q[3]), logistic(q[4])}
}

// irt is the hierarchical two-parameter logistic model of stat_comp_benchmarks, as posteriordb states it: θ ~ N(0, σθ),
// a ~ lognormal(0, σa), b ~ N(μb, σb), half-Cauchy(2) on the scales, μb ~ N(0, 5). The coordinates are log σθ, θ, log
// σa, log a, μb, log σb, b. The references are for the same quantities, but with a and the σ themselves instead of their
// logs.
type irt struct{ y [][]float64 } // [item][person]

func (r irt) Dim() int { return 4 + len(r.y[0]) + 2*len(r.y) }

func (r irt) parts(v []float64) (theta, a, b []float64, st, sa, mb, sb *float64) {
	i, j := len(r.y), len(r.y[0])
	return v[1 : 1+j], v[2+j : 2+j+i], v[4+j+i:], &v[0], &v[1+j], &v[2+j+i], &v[3+j+i]
}

func (r irt) LogDensity(q, grad []float64) float64 {
	clear(grad)
	theta, la, b, st, sa, mb, sb := r.parts(q)
	dtheta, dla, db, dst, dsa, dmb, dsb := r.parts(grad)
	lp := -*mb * *mb / 50
	*dmb = -*mb / 25
	spread := func(xs, dxs []float64, centre float64, logSD, dlogSD, dcentre *float64) {
		sd := math.Exp(*logSD)
		prior, slope := cauchyScale(2)(sd)
		lp += prior + *logSD
		*dlogSD += slope*sd + 1
		for i, x := range xs {
			z := (x - centre) / sd
			lp -= z*z/2 + *logSD
			*dlogSD += z*z - 1
			dxs[i] -= z / sd
			if dcentre != nil {
				*dcentre += z / sd
			}
		}
	}
	spread(theta, dtheta, 0, st, dst, nil)
	spread(la, dla, 0, sa, dsa, nil) // a lognormal a is a normal log a; the Jacobian cancels the 1/a
	spread(b, db, *mb, sb, dsb, dmb)
	for i, row := range r.y {
		a := math.Exp(la[i])
		for j, y := range row {
			x := a * (theta[j] - b[i])
			p := logistic(x)
			if y == 1 {
				lp += math.Log(p)
			} else {
				lp += math.Log1p(-p)
			}
			d := y - p
			dtheta[j] += d * a
			db[i] -= d * a
			dla[i] += d * x
		}
	}
	return lp
}

func (r irt) constrain(q []float64) []float64 {
	out := append([]float64(nil), q...)
	_, a, _, st, sa, _, sb := r.parts(out)
	*st, *sa, *sb = math.Exp(*st), math.Exp(*sa), math.Exp(*sb)
	for i := range a {
		a[i] = math.Exp(a[i])
	}
	return out
}
