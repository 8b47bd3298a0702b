package nuts_test

import "math"

// arma is the ARMA(1, 1) model of posteriordb: μ ~ N(0, 10), φ, θ ~ N(0, 2), σ ~ half-Cauchy(2.5); the error before the
// first datum is 0. The coordinates are μ, φ, θ, log σ.
type arma struct{ y []float64 }

func (a arma) Dim() int { return 4 }

func (a arma) LogDensity(q, grad []float64) float64 {
	mu, phi, theta, sigma := q[0], q[1], q[2], math.Exp(q[3])
	err, before := 0.0, mu
	var de [3]float64 // derivatives of the last error by μ, φ, θ
	squares := 0.0
	var ds [3]float64 // derivatives of half the sum of squares
	for t, y := range a.y {
		next := [3]float64{-1 - theta*de[0], -before - theta*de[1], -err - theta*de[2]}
		if t == 0 {
			next[0] = -1 - phi // the first prediction is μ + φ·μ
		}
		err, de = y-mu-phi*before-theta*err, next
		before = y
		squares += err * err
		for i, d := range de {
			ds[i] += err * d
		}
	}
	prior, slope := cauchyScale(2.5)(sigma)
	n := float64(len(a.y))
	grad[0] = -ds[0]/sigma/sigma - mu/100
	grad[1] = -ds[1]/sigma/sigma - phi/4
	grad[2] = -ds[2]/sigma/sigma - theta/4
	grad[3] = slope*sigma + 1 - n + squares/sigma/sigma
	return prior + q[3] - n*q[3] - squares/2/sigma/sigma - mu*mu/200 - phi*phi/8 - theta*theta/8
}

func (a arma) constrain(q []float64) []float64 { return []float64{q[0], q[1], q[2], math.Exp(q[3])} }

// garch is the GARCH(1, 1) model of posteriordb with flat priors: μ, α0 > 0, α1 in (0, 1), β1 in (0, 1 − α1). The
// coordinates are μ, log α0, logit α1, logit β1/(1 − α1).
type garch struct {
	y     []float64
	first float64 // standard deviation of the first datum
}

func (g garch) Dim() int { return 4 }

func (g garch) LogDensity(q, grad []float64) float64 {
	mu, a0 := q[0], math.Exp(q[1])
	a1, share := logistic(q[2]), logistic(q[3])
	b1 := share * (1 - a1)
	variance := g.first * g.first
	var dv, sum [4]float64 // derivatives of the variance and of the log density by μ, α0, α1, β1
	lp := 0.0
	for t, y := range g.y {
		if t > 0 {
			e := g.y[t-1] - mu
			dv = [4]float64{b1*dv[0] - 2*a1*e, b1*dv[1] + 1, b1*dv[2] + e*e, b1*dv[3] + variance}
			variance = a0 + a1*e*e + b1*variance
		}
		r := y - mu
		lp -= 0.5*math.Log(variance) + r*r/2/variance
		byVariance := -0.5/variance + r*r/2/variance/variance
		for i := range sum {
			sum[i] += byVariance * dv[i]
		}
		sum[0] += r / variance
	}
	// Log Jacobian: log α0 + log α1(1−α1) + log share(1−share)·(1−α1).
	lp += q[1] + math.Log(a1) + 2*math.Log1p(-a1) + math.Log(share) + math.Log1p(-share)
	grad[0] = sum[0]
	grad[1] = sum[1]*a0 + 1
	grad[2] = (sum[2]-share*sum[3])*a1*(1-a1) + (1 - a1) - 2*a1
	grad[3] = sum[3]*(1-a1)*share*(1-share) + 1 - 2*share
	return lp
}

func (g garch) constrain(q []float64) []float64 {
	a1 := logistic(q[2])
	return []float64{q[0], math.Exp(q[1]), a1, logistic(q[3]) * (1 - a1)}
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
