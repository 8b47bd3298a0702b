package nuts

import "math"

// hamiltonian integrates the motion of a state under a target and a metric, and counts gradients.
type hamiltonian struct {
	target    Target
	metric    metric
	step      float64
	gradients int
	shift     []float64
}

func newHamiltonian(t Target, m metric) *hamiltonian {
	return &hamiltonian{target: t, metric: m, shift: make([]float64, t.Dim())}
}

// evaluate computes density, gradient and force at the state's position. It reports false where the density is +Inf.
func (h *hamiltonian) evaluate(z *state) bool {
	z.logp = h.target.LogDensity(z.q, z.grad)
	h.gradients++
	if !outside(z.logp) && !finite(z.grad) {
		z.logp = math.NaN()
	}
	h.metric.pull(z.grad, z.force)
	return !math.IsInf(z.logp, 1)
}

// outside reports whether a log density is one of those that end a trajectory.
func outside(logp float64) bool { return math.IsNaN(logp) || math.IsInf(logp, -1) }

func finite(xs []float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// leapfrog takes one step forwards (direction 1) or backwards (−1) in time.
func (h *hamiltonian) leapfrog(z *state, direction float64) bool {
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
