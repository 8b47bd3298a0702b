package posterior

import (
	"math"
	"slices"

	"achilles/infer/nuts"
	"achilles/sim/num"
)

// A johnson is a smooth increasing map y → q = shift + scale·sinh((y − skew)/tail). If y is standard normal, q has Johnson's SU
// distribution (Johnson 1949, Biometrika 36), which can be skewed and have heavy tails. The map has the inverse everywhere.
type johnson struct{ shift, scale, skew, tail float64 }

// Johnson's distribution is fitted to quantiles (Slifker and Shapiro 1980, Technometrics 22) at −3, −1, 1 and 3 times quantileScore
// standard deviations of a normal distribution. Quantiles farther out would be known less well, and nearer in would say less about
// tails, where a wrong map makes trajectories diverge.
const (
	quantileScore = 0.85
	quantileNear  = 0.8023374568773076 // normal distribution function at quantileScore
	quantileFar   = 0.9946138540459333 // and at three times this
	leastTail     = 1.03               // least ratio of the outer distances' product to the inner one's square: it is 1 for a normal distribution
	marginPoints  = 1500               // largest number of points to which a margin is fitted
)

// fitJohnson fits the map to values. Where they have lighter tails than Johnson's distribution can have, it takes the lightest, which is nearly
// normal. It changes the order of the values.
func fitJohnson(xs []float64) johnson {
	slices.Sort(xs)
	a, b := num.SortedQuantile(xs, 1-quantileFar), num.SortedQuantile(xs, 1-quantileNear)
	c, d := num.SortedQuantile(xs, quantileNear), num.SortedQuantile(xs, quantileFar)
	inner := c - b
	above, below := (d-c)/inner, (b-a)/inner
	if !(inner > 0 && above > 0 && below > 0) { // the values hardly vary
		inner, above, below = 1, 1, 1
	}
	if r := float64(above * below); r < leastTail {
		grow := math.Sqrt(leastTail / r)
		above, below = above*grow, below*grow
	}
	sum, root := above+below, math.Sqrt(float64(above*below)-1)
	half := 0.5 * sum
	j := johnson{tail: 2 * quantileScore / num.Log(half+math.Sqrt(float64(half*half)-1))}
	j.skew = float64(j.tail * asinh((below-above)/(2*root)))
	j.scale = float64(2*inner*root) / float64((sum-2)*math.Sqrt(sum+2))
	j.shift = float64(0.5*(b+c)) + float64(inner*(below-above))/(2*(sum-2))
	return j
}

func asinh(x float64) float64 {
	a := math.Abs(x)
	return math.Copysign(num.Log(a+math.Sqrt(float64(a*a)+1)), x)
}

// inverse returns the y of q.
func (j *johnson) inverse(q float64) float64 {
	return j.skew + float64(j.tail*asinh((q-j.shift)/j.scale))
}

// A gaussianised density is a density as a function of y, where every coordinate q is a johnson of y that makes its margin nearly
// normal (Chen and Gopinath 2000, Gaussianization). Chains on y have the same target, and need half the gradients for three times as many effective
// draws: margins with tails ask for short steps in the middle and for long ways at the ends.
//
// Where trajectories turn around a centre, their long steps look far beyond it. Johnson's map grows exponentially there, so that the
// density ends in cliffs, beyond which trajectories diverge. There the coordinates bend before they are mapped, which smooths the cliffs.
type gaussianised struct {
	Density
	margins       []johnson
	bent          bool
	q, slope, dip []float64 // values, derivatives and derivatives of their logarithms
	bends         []curved  // [coordinate] of the bend before the map
}

// A curved has the first and second derivative of a map at one place.
type curved struct{ slope, curve float64 }

// fitMargins fits the map of every coordinate to points.
func fitMargins(points [][]float64) []johnson {
	out := make([]johnson, len(points[0]))
	every := 1 + len(points)/marginPoints
	xs := make([]float64, 0, marginPoints)
	for k := range out {
		xs = xs[:0]
		for i := 0; i < len(points); i += every {
			xs = append(xs, points[i][k])
		}
		out[k] = fitJohnson(xs)
	}
	return out
}

func gaussianise(d Density, margins []johnson) *gaussianised {
	n := len(margins)
	return &gaussianised{Density: d, margins: margins, bent: n <= nuts.TurnLimit, q: make([]float64, n), slope: make([]float64, n), dip: make([]float64, n), bends: make([]curved, n)}
}

// at computes q and the derivatives at y. It returns the log of the product of the slopes.
func (g *gaussianised) at(y []float64) (logSlope float64) {
	const large = 0x1p200 // a product between 1/large and large, times a slope between 2^-800 and 2^800, neither underflows nor overflows
	for i := range g.margins {
		m := &g.margins[i]
		x := y[i]
		if g.bent {
			b := &g.bends[i]
			x, b.slope, b.curve = bend(x)
		}
		g.slope[i] = (x - m.skew) / m.tail
	}
	num.ExpEach(g.slope)
	product := 1.0
	for i, e := range g.slope {
		m := &g.margins[i]
		sinh, cosh := 0.5*(e-1/e), 0.5*(e+1/e)
		g.q[i] = m.shift + float64(m.scale*sinh)
		g.slope[i] = float64(m.scale*cosh) / m.tail
		g.dip[i] = sinh / float64(cosh*m.tail)
		if g.bent {
			b := &g.bends[i]
			g.slope[i] = float64(g.slope[i] * b.slope)
			g.dip[i] = float64(g.dip[i]*b.slope) + b.curve/b.slope
		}
		product *= g.slope[i]
		if !(product > 1/large && product < large) {
			logSlope += num.Log(product)
			product = 1
		}
	}
	return logSlope + num.Log(product)
}

// LogDensity returns the log density of y, and writes its gradient to grad. It is −Inf, with gradient 0, where y is so far out that q or a
// slope overflows.
func (g *gaussianised) LogDensity(y, grad []float64) float64 {
	logSlope := g.at(y)
	if math.IsInf(logSlope, 1) {
		clear(grad)
		return math.Inf(-1)
	}
	l := g.Density.LogDensity(g.q, grad)
	for i, d := range grad {
		grad[i] = float64(d*g.slope[i]) + g.dip[i]
	}
	return l + logSlope
}

// normal returns the y of points q.
func (g *gaussianised) normal(qs [][]float64) [][]float64 {
	ys := num.Rows(len(qs), len(g.margins))
	for i, q := range qs {
		for k, x := range q {
			ys[i][k] = g.margins[k].inverse(x)
			if g.bent {
				ys[i][k] = unbend(ys[i][k])
			}
		}
	}
	return ys
}

// original returns the q of draws y, and changes their log densities to those of q.
func (g *gaussianised) original(ys [][]float64, logp []float64) [][]float64 {
	qs := num.Rows(len(ys), len(g.margins))
	for i, y := range ys {
		logp[i] -= g.at(y)
		copy(qs[i], g.q)
	}
	return qs
}
