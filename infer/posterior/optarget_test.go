package posterior_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer/infertest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// OP is the posterior of one agent of the object-permanence table, written by hand. Its likelihood goes over distinct
// feature rows, and computes each logistic factor once for each level of a feature. It implements the targets of all
// engines. It is not safe for concurrent use; Clone returns another OP.
type OP struct {
	variant OPVariant
	rows    []opRow
	chance  float64 // ν = 1 − mean response
	open    float64 // factor of op on an item without occluder
	// levels of each feature that occur; a level has its logistic factor, and the derivative of the log likelihood by the
	// log of this factor (slope)
	time, positions, size []opLevel
	distance              []opLevel
	theta, dtheta         [opParameters]float64
	u                     [opParameters]float64

	Densities, Likelihoods int // number of calls so far
}

type opRow struct {
	passes, fails                   float64
	time, positions, size, distance int     // indices of levels; positions is −1 without occluder
	needs                           [3]bool // lava, platform, ramp
}

type opLevel struct {
	demand, side float64
	factor       float64
	slope        float64
}

// Clone returns a target of the same posterior for another goroutine. Its counts start at 0.
func (o *OP) Clone() *OP {
	c := *o
	c.time, c.positions, c.size, c.distance = slices.Clone(o.time), slices.Clone(o.positions), slices.Clone(o.size), slices.Clone(o.distance)
	c.Densities, c.Likelihoods = 0, 0
	return &c
}

// Dim returns 9.
func (o *OP) Dim() int { return opParameters }

// set computes theta from prior quantiles u in (0, 1). It does not set rightLeft.
func (o *OP) set(u []float64) {
	copy(o.u[:], u)
	o.theta[opMemory] = o.variant.MaxMemory * u[opMemory]
	o.theta[opOP] = o.maxOP() * u[opOP]
	o.theta[opVisual] = opMaxVisual * u[opVisual]
	o.theta[opFlatNav] = opDistance * u[opFlatNav]
	copy(o.theta[opLava:opRamp+1], u[opLava:opRamp+1])
	o.theta[opNoise] = u[opNoise]
}

func (o *OP) maxOP() float64 {
	if o.variant.Nested {
		return opPositions * o.theta[opMemory]
	}
	return o.variant.Margin
}

// LogLikelihood returns the log likelihood at the log odds z of the prior distribution functions.
func (o *OP) LogLikelihood(z []float64) float64 {
	o.Likelihoods++
	var u [opParameters]float64
	for i, x := range z {
		u[i] = num.Logistic(x)
	}
	o.set(u[:])
	o.theta[opRightLeft] = normalAtOdds(z[opRightLeft])
	return o.logLikelihood(false)
}

// LogDensity returns log likelihood plus log prior density, with all constants, on the unconstrained scale. On this scale
// rightLeft is unchanged, and every other parameter is the logit of the prior distribution function at its value.
func (o *OP) LogDensity(q, grad []float64) float64 {
	o.Densities++
	var u [opParameters]float64
	lp := 0.0
	for i, x := range q {
		if i == opRightLeft {
			lp -= 0.5*x*x + 0.5*math.Log(2*math.Pi)
			continue
		}
		u[i] = num.Logistic(x)
		lp += num.LogLogistic(x) + num.LogLogistic(-x)
	}
	o.set(u[:])
	o.theta[opRightLeft] = q[opRightLeft]
	lp += o.logLikelihood(true)
	d := o.dtheta
	if o.variant.Nested { // op = 11·memory·u
		d[opMemory] += d[opOP] * opPositions * u[opOP]
	}
	width := [opParameters]float64{o.maxOP(), o.variant.MaxMemory, opMaxVisual, opDistance, 1, 1, 1, 0, 1}
	for i := range q {
		grad[i] = d[i]*width[i]*u[i]*(1-u[i]) + 1 - 2*u[i]
	}
	grad[opRightLeft] = d[opRightLeft] - q[opRightLeft]
	return lp
}

// logLikelihood returns the log likelihood at theta, and writes its gradient to dtheta if gradient is true.
func (o *OP) logLikelihood(gradient bool) float64 {
	o.fillFactors()
	noise, clear := o.theta[opNoise], 1-o.theta[opNoise]
	var binary [3]float64 // derivatives by log lava, log platform, log ramp
	bySlope := 0.0
	lp := 0.0
	for i := range o.rows {
		r := &o.rows[i]
		f := o.factor(r)
		p := clear*f + noise*o.chance
		g := 0.0
		if r.passes > 0 {
			lp += r.passes * num.Log(p)
			g = r.passes / p
		}
		if r.fails > 0 {
			lp += r.fails * num.Log(1-p)
			g -= r.fails / (1 - p)
		}
		if gradient {
			bySlope += g * (o.chance - f)
			o.addSlope(r, g*clear*f, &binary)
		}
	}
	if gradient {
		o.collect(binary, bySlope)
	}
	return lp
}

// fillFactors computes the logistic factor of every level of the features.
func (o *OP) fillFactors() {
	t := &o.theta
	fill := func(levels []opLevel, ability, bias float64) {
		for i := range levels {
			l := &levels[i]
			l.factor, l.slope = num.Logistic(ability-l.demand+bias*l.side), 0
		}
	}
	fill(o.time, t[opMemory], 0)
	fill(o.positions, t[opOP], 0)
	fill(o.size, t[opVisual], 0)
	fill(o.distance, t[opFlatNav], t[opRightLeft])
}

// factor returns the success probability that a row would have if there were no noise.
func (o *OP) factor(r *opRow) float64 {
	f := o.time[r.time].factor * o.size[r.size].factor * o.distance[r.distance].factor
	if r.positions >= 0 {
		f *= o.positions[r.positions].factor
	} else {
		f *= o.open
	}
	for i, needed := range r.needs {
		if needed {
			f *= o.theta[opLava+i]
		}
	}
	return f
}

// addSlope adds s, the derivative of the log likelihood by the log of any factor of a row, to the sums of the row's
// levels.
func (o *OP) addSlope(r *opRow, s float64, binary *[3]float64) {
	o.time[r.time].slope += s
	o.size[r.size].slope += s
	o.distance[r.distance].slope += s
	if r.positions >= 0 {
		o.positions[r.positions].slope += s
	}
	for i, needed := range r.needs {
		if needed {
			binary[i] += s
		}
	}
}

// collect converts derivatives by the logs of the factors to derivatives by the parameters. The derivative of log
// logistic(x) by x is 1 − logistic(x).
func (o *OP) collect(binary [3]float64, noise float64) {
	d := &o.dtheta
	*d = [opParameters]float64{opNoise: noise}
	sum := func(levels []opLevel, ability, bias int) {
		for _, l := range levels {
			s := l.slope * (1 - l.factor)
			d[ability] += s
			d[bias] += s * l.side
		}
	}
	sum(o.time, opMemory, opRightLeft)
	sum(o.positions, opOP, opRightLeft)
	sum(o.size, opVisual, opRightLeft)
	sum(o.distance, opFlatNav, opRightLeft)
	for i, s := range binary {
		d[opLava+i] = s / o.theta[opLava+i]
	}
}

// FromOdds converts log odds z to unconstrained parameters and writes them to q.
func (o *OP) FromOdds(z, q []float64) {
	copy(q, z)
	q[opRightLeft] = normalAtOdds(z[opRightLeft])
}

// Odds converts unconstrained parameters q to log odds and writes them to z.
func (o *OP) Odds(q, z []float64) {
	copy(z, q)
	x := q[opRightLeft]
	z[opRightLeft] = num.LogNormalCDF(x) - num.LogNormalCDF(-x)
}

// normalAtOdds returns the place at which the log odds of the standard normal distribution function are z.
func normalAtOdds(z float64) float64 {
	if z > 0 {
		return -normalAtOdds(-z)
	}
	return num.NormalQuantile(num.Logistic(z))
}

// Constrain converts unconstrained parameters q to parameters, in the order of OPNames, and writes them to theta.
func (o *OP) Constrain(q, theta []float64) {
	var u [opParameters]float64
	for i, x := range q {
		u[i] = num.Logistic(x)
	}
	o.set(u[:])
	o.theta[opRightLeft] = q[opRightLeft]
	copy(theta, o.theta[:])
}

// TestOPGradient checks the gradient at positions drawn from the prior, for four agents.
func TestOPGradient(t *testing.T) {
	table := readOP(t)
	for _, v := range readings {
		for _, agent := range []string{"Agent1", "Agent2", "Agent19", "Agent22"} {
			o := table.Target(agent, v)
			rng := rng.Stream(1, "op", agent)
			z, q := make([]float64, 9), make([]float64, 9)
			for range 25 {
				for i := range z {
					u := rng.Float64()
					z[i] = math.Log(u / (1 - u))
				}
				o.FromOdds(z, q)
				infertest.CheckGradient(t, o, q, 1e-6)
			}
		}
	}
}

// TestOPFacesAgree checks that LogDensity and LogLikelihood differ by the log prior density on the unconstrained scale,
// which the test computes by hand.
func TestOPFacesAgree(t *testing.T) {
	table := readOP(t)
	for name, v := range readings {
		o := table.Target("Agent7", v)
		rng := rng.Stream(2, "op")
		z, q, grad := make([]float64, 9), make([]float64, 9), make([]float64, 9)
		for range 100 {
			want := 0.0
			for i := range z {
				u := rng.Float64()
				z[i] = math.Log(u / (1 - u))
				if i != 7 {
					want += math.Log(u * (1 - u))
				}
			}
			o.FromOdds(z, q)
			want += o.LogLikelihood(z) - q[7]*q[7]/2 - math.Log(2*math.Pi)/2
			if got := o.LogDensity(q, grad); math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Fatalf("%s: log density %.12g, likelihood and prior %.12g", name, got, want)
			}
		}
	}
}

func BenchmarkOP(b *testing.B) {
	o := readOP(b).Target("Agent19", OPAsRun())
	z, q, grad := make([]float64, 9), make([]float64, 9), make([]float64, 9)
	for i := range z {
		z[i] = 0.8
	}
	o.FromOdds(z, q)
	b.Run("gradient", func(b *testing.B) {
		for b.Loop() {
			o.LogDensity(q, grad)
		}
	})
	b.Run("likelihood", func(b *testing.B) {
		for b.Loop() {
			o.LogLikelihood(z)
		}
	})
}
