package joint

import (
	"context"
	"math"
	"slices"

	"achilles/infer/lbfgs"
)

// A coordinates is a linear change of coordinates, of values in the order of arrow.order.
type coordinates interface {
	spread(x []float64)           // replaces x by W·x
	spreadTransposed(x []float64) // replaces x by Wᵀ·x
}

// scales are coordinates of which each has a scale of its own.
type scales []float64

func (s scales) spread(x []float64) {
	for i := range x {
		x[i] *= s[i]
	}
}

func (s scales) spreadTransposed(x []float64) { s.spread(x) }

// place writes the values at coordinates x to q.
func (s scales) place(x, q []float64) {
	copy(q, x)
	s.spread(q)
}

// locate writes the coordinates of values q to x.
func (s scales) locate(q, x []float64) {
	for i, v := range q {
		x[i] = v / s[i]
	}
}

// A density is a log density with its gradient.
type density interface {
	LogDensity(q, grad []float64) float64
}

// A climber looks for maxima of the log density of a target by some of its values, the free ones.
type climber struct {
	ctx       context.Context
	target    density
	free      []int
	tilt      []float64 // a linear function of q that is added to the log density; nil: none
	gradients int
}

// Largest numbers of steps of a climb, of evaluations for each on average, and of rounds with a few steps each in coordinates of
// their own (ascend).
const (
	climbSteps  = 300
	searchSteps = 4 // evaluations of a step: a line search at a kink of rounding errors never ends
	mostRounds  = 20
	roundSteps  = 20
)

// climb moves the free values of q towards a maximum of the log density by L-BFGS, and returns the log
// density there, or −Inf if it cannot begin at q. It ends after some steps, or has arrived where no derivative by the coordinates w
// exceeds slope; if the values have standard deviations of about 1 in these, slope is the distance from the maximum in standard
// deviations.
func (c *climber) climb(q []float64, w coordinates, slope float64, steps int) (density float64, arrived bool) {
	at, x, grad, to := slices.Clone(q), make([]float64, len(c.free)), make([]float64, len(q)), make([]float64, len(c.free))
	value, arrived := lbfgs.Minimise(to, func(to, slopes []float64) float64 {
		if c.ctx.Err() != nil {
			return math.Inf(1) // no step leads on
		}
		c.move(at, q, to, x, w)
		value := -c.density(at, grad)
		for i, k := range c.free {
			slopes[i] = -grad[k]
		}
		w.spreadTransposed(slopes)
		return value
	}, lbfgs.Limits{Store: 10, Slope: slope, Steps: steps, Evaluations: searchSteps * steps})
	if !math.IsInf(value, 1) {
		c.move(at, q, to, x, w)
		copy(q, at)
	}
	return -value, arrived
}

// rises reports whether the log density does not fall on the straight way from one point to another: then the first is no maximum of its own.
func (c *climber) rises(from, to []float64) bool {
	const steps = 32
	q, grad, highest := slices.Clone(from), make([]float64, len(from)), math.Inf(-1)
	for i := range steps + 1 {
		share := float64(i) / steps
		for k := range q {
			q[k] = float64((1-share)*from[k]) + float64(share*to[k])
		}
		l := c.density(q, grad)
		if !(l >= highest-nats) {
			return false
		}
		highest = max(highest, l)
	}
	return true
}

// density returns the log density at q with its tilt, and writes the gradient to grad.
func (c *climber) density(q, grad []float64) float64 {
	c.gradients++
	l := c.target.LogDensity(q, grad)
	for i, t := range c.tilt {
		l += float64(t * q[i])
		grad[i] += t
	}
	return l
}

// move writes q with its free values moved by W·by to at. x is scratch.
func (c *climber) move(at, q, by, x []float64, w coordinates) {
	copy(x, by)
	w.spread(x)
	for i, k := range c.free {
		at[k] = q[k] + x[i]
	}
}
