package nuts

import "math"

// A hamiltonian moves states along trajectories under a target and a metric, in steps of the leapfrog or, if there is a centre, of
// the rotor. It counts calls of LogDensity.
type hamiltonian struct {
	target    Target
	metric    metric
	step      float64
	rotor     *rotor // nil: leapfrog
	gradients int
	shift     []float64
}

func newHamiltonian(t Target, m metric) *hamiltonian {
	return &hamiltonian{target: t, metric: m, shift: make([]float64, t.Dim())}
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
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// leapfrog moves z by one step forwards (direction 1) or backwards (−1) in time. It returns false if the log density at
// the new position is +Inf.
func (h *hamiltonian) leapfrog(z *state, direction float64) bool {
	if h.rotor != nil {
		return h.turn(z, direction)
	}
	half := 0.5 * h.step * direction
	kick(z.p, z.force, half)
	h.metric.push(z.p, h.shift)
	for i, v := range h.shift {
		z.q[i] += float64(h.step * direction * v)
	}
	ok := h.evaluate(z)
	kick(z.p, z.force, half)
	return ok
}

func kick(p, force []float64, time float64) {
	for i, f := range force {
		p[i] += float64(time * f)
	}
}
