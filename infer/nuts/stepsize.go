package nuts

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// dualAverage adapts the log step size to a mean acceptance by dual averaging (Hoffman and Gelman 2014, section 3.2, with
// their constants γ = 0.05, t₀ = 10, κ = 0.75).
type dualAverage struct {
	goal                float64 // mean acceptance wanted
	centre              float64 // log step size that is shrunk towards: log(10 × first guess)
	count, lack, smooth float64
}

func (d *dualAverage) restart(step float64) {
	*d = dualAverage{goal: d.goal, centre: num.Log(10 * step)}
}

// learn takes the acceptance of one trajectory and returns the step size for the next.
func (d *dualAverage) learn(accept float64) float64 {
	const gamma, t0, kappa = 0.05, 10, 0.75
	d.count++
	eta := 1 / (d.count + t0)
	d.lack = float64((1-eta)*d.lack) + float64(eta*(d.goal-accept))
	x := d.centre - float64(d.lack*math.Sqrt(d.count))/gamma
	weight := num.Exp(-kappa * num.Log(d.count))
	d.smooth = float64(weight*x) + float64((1-weight)*d.smooth)
	return num.Exp(x)
}

// settled returns the averaged step size, or step where no trajectory was seen.
func (d *dualAverage) settled(step float64) float64 {
	if d.count == 0 {
		return step
	}
	return num.Exp(d.smooth)
}

// guessStep doubles or halves the step size until the acceptance of a single step from z crosses 0.8 (Hoffman and
// Gelman 2014, algorithm 4). It overwrites trial. Where the acceptance never crosses 0.8 it stops after a factor of
// 2^±50. A step that overflows counts as too long.
func guessStep(h *hamiltonian, z, trial *state, rng *rng.Rand) {
	const logWanted, tries = -0.22314355131420976, 50 // log 0.8
	factor := 0.0
	for range tries {
		trial.set(z)
		drawMomentum(trial, rng)
		before := trial.energy()
		ok := h.leapfrog(trial, 1)
		next := 0.5
		if ok && before-trial.energy() > logWanted { // false for NaN
			next = 2
		}
		if factor == 0 {
			factor = next
		}
		if next != factor {
			return
		}
		h.step *= factor
	}
}

func drawMomentum(z *state, rng *rng.Rand) {
	for i := range z.p {
		z.p[i] = rng.Norm()
	}
}
