package nuts

import (
	"math"
	"slices"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A hamiltonian moves states along trajectories under a target and a metric, in steps of the leapfrog or, if there is a centre, of
// the rotor. It counts calls of LogDensity.
type hamiltonian struct {
	target    Target
	metric    metric
	step      float64
	rotor     *rotor // nil: leapfrog
	gradients int
	shift     []float64

	refine     float64 // Config.Refine
	rng        *rng.Rand
	undivided  float64 // energy after the last step of refined, if it had not been divided
	from, back state   // scratch of refined
}

func newHamiltonian(t Target, m metric) *hamiltonian {
	n := t.Dim()
	return &hamiltonian{target: t, metric: m, shift: make([]float64, n), from: newState(n), back: newState(n)}
}

// evaluate computes log density, gradient and force at the position of z. It returns false if the log density is +Inf.
func (h *hamiltonian) evaluate(z *state) bool {
	z.logp = h.target.LogDensity(z.q, z.grad)
	h.gradients++
	if !outside(z.logp) && !finite(z.grad) {
		z.logp = math.NaN()
	}
	h.metric.pull(z.grad, z.force)
	return !math.IsInf(z.logp, 1)
}

// outside reports whether a log density is NaN or −Inf, which ends a trajectory as divergent.
func outside(logp float64) bool { return math.IsNaN(logp) || math.IsInf(logp, -1) }

func finite(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// leapfrog moves z by one step forwards (direction 1) or backwards (−1) in time. It returns false if the log density at
// the new position is +Inf.
func (h *hamiltonian) leapfrog(z *state, direction float64) bool {
	if h.rotor == nil && h.refine > 0 {
		return h.refined(z, direction)
	}
	return h.coarse(z, direction)
}

// coarse is leapfrog of a step that is not divided.
func (h *hamiltonian) coarse(z *state, direction float64) bool {
	if h.rotor != nil {
		return h.turn(z, direction)
	}
	return h.steps(z, direction*h.step, 1)
}

// steps moves z by some time, in n steps.
func (h *hamiltonian) steps(z *state, time float64, n int) bool {
	time /= float64(n)
	half := 0.5 * time
	for range n {
		num.AddTo(z.p, half, z.force)
		h.metric.push(z.p, h.shift)
		num.AddTo(z.q, time, h.shift)
		if !h.evaluate(z) {
			return false
		}
		num.AddTo(z.p, half, z.force)
	}
	return true
}
