package nuts

import (
	"math"

	"achilles/sim/num"
)

// A rotor is the normal density around a centre that has the metric as its covariance. Where a target is nearly this density, its
// trajectories are nearly circles around the centre in the coordinates of the metric. A step turns along the circle without any
// error, and only kicks by what the target differs (Shahbaba, Lan, Johnson and Neal 2014, Statistics and Computing 24). Steps can then
// be several times as long as those of a leapfrog, which errs by the whole force. The target stays exactly invariant, whatever the rotor.
type rotor struct {
	centre   []float64
	step     float64 // of which cos and sin are known
	cos, sin float64
}

// longestTurn is the longest step of a rotor. Three such steps, the fewest with which a tree of four states ends, are half a turn: they
// carry a state to the other side of a normal density. Longer steps come back from there.
const longestTurn = math.Pi / 3

// TurnLimit is the largest dimension in which Config.KeepMetric lets trajectories turn. Each coordinate adds to the error of a step. In
// four, nine of ten steps of a third of half a turn are accepted, which takes three gradients for a draw in place of five, and gives more
// effective draws. In nine, fewer are, and what is saved in gradients is lost in effective draws.
const TurnLimit = 6

func newRotor(centre []float64) *rotor { return &rotor{centre: centre, cos: 1} }

// set computes cos and sin from the tangent of half the angle.
func (r *rotor) set(step float64) {
	if step == r.step {
		return
	}
	t := num.TanQuarter(step * (2 / math.Pi))
	square := float64(t * t)
	r.step, r.cos, r.sin = step, (1-square)/(1+square), 2*t/(1+square)
}

// setStep sets the step size, which a rotor limits.
func (h *hamiltonian) setStep(step float64) {
	if h.rotor != nil {
		step = min(step, longestTurn)
		h.rotor.set(step)
	}
	h.step = step
}

// centre computes z.x.
func (h *hamiltonian) centre(z *state) {
	if h.rotor == nil {
		return
	}
	for i, c := range h.rotor.centre {
		z.x[i] = z.q[i] - c
	}
	h.metric.solve(z.x)
}

// turn moves z by one step forwards (direction 1) or backwards (−1) in time, as leapfrog does. It needs z.x.
func (h *hamiltonian) turn(z *state, direction float64) bool {
	half := 0.5 * h.step * direction
	kickApart(z, half)
	cos, sin := h.rotor.cos, float64(direction*h.rotor.sin)
	for i, x := range z.x {
		p := z.p[i]
		z.x[i] = float64(x*cos) + float64(p*sin)
		z.p[i] = float64(p*cos) - float64(x*sin)
	}
	h.metric.push(z.x, h.shift)
	for i, c := range h.rotor.centre {
		z.q[i] = c + h.shift[i]
	}
	ok := h.evaluate(z)
	kickApart(z, half)
	return ok
}

// kickApart changes the momentum by what the force differs from that of the rotor, −x.
func kickApart(z *state, time float64) {
	for i, f := range z.force {
		z.p[i] += float64(time * (f + z.x[i]))
	}
}
