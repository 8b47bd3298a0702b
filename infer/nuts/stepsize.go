package nuts

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A dualAverage adapts the log step size to a mean acceptance probability by dual averaging (Hoffman and Gelman 2014,
// section 3.2, with their constants γ = 0.05, t₀ = 10, κ = 0.75). The comments of the fields end with the paper's
// symbols.
type dualAverage struct {
	goal   float64 // wanted mean acceptance probability: δ
	centre float64 // log step size towards which estimates are shrunk, log(10 × first guess): μ
	count  float64 // number of trajectories so far: t
	lack   float64 // weighted mean of goal − acceptance: H̄
	smooth float64 // weighted mean of the log step sizes: log ε̄
}

func (d *dualAverage) restart(step float64) {
	*d = dualAverage{goal: d.goal, centre: num.Log(10 * step)}
}

// learn updates the averages by the acceptance probability of one trajectory and returns the step size for the next one.
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

// settled returns the averaged step size, or step if there was no trajectory since the last restart.
func (d *dualAverage) settled(step float64) float64 {
	if d.count == 0 {
		return step
	}
	return num.Exp(d.smooth)
}

// guessStep doubles or halves the step size of h until the acceptance probability of a single step from z crosses 0.8
// (Hoffman and Gelman 2014, algorithm 4), but at most 50 times, or until it is the longest. A step that overflows counts as too long.
// guessStep overwrites trial.
func guessStep(h *hamiltonian, z, trial *state, rng *rng.Rand) {
	const logWanted, tries = -0.22314355131420976, 50 // log 0.8
	factor := 0.0
	for range tries {
		trial.set(z)
		h.centre(trial)
		drawMomentum(trial, rng)
		before := trial.energy()
		ok := h.coarse(trial, 1)
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
		wanted := h.step * factor
		if h.setStep(wanted); h.step != wanted {
			return
		}
	}
}

func drawMomentum(z *state, rng *rng.Rand) {
	for i := range z.p {
		z.p[i] = rng.Norm()
	}
}
