package posterior

import (
	"achilles/infer/nuts"
	"achilles/infer/smc"
)

// An Engine is a way to draw from a posterior. Its value is its name in settings and diagnostics.
type Engine string

const (
	// Auto uses NUTS, and then Tempered if there are doubts about the chains of NUTS.
	Auto Engine = "auto"
	// NUTS follows the gradient; its chains do not cross from mode to mode.
	NUTS Engine = "nuts"
	// Tempered moves by differences between points of tempered populations; its chains jump from mode to mode.
	Tempered Engine = "tempered"
	// Laplace draws from a normal approximation to the posterior.
	Laplace Engine = "laplace"
	// Marginal is NUTS with the binary parameters of each subject summed out. Only package joint has it.
	Marginal Engine = "marginal"
	// MML is maximum marginal likelihood. Only package joint has it.
	MML Engine = "mml"
)

// A Sampling says how many draws are made, and by which engine. The tags say how people set it (scenarios/setting), and
// how manifests have it.
type Sampling struct {
	Chains int    `setting:"chains" json:"chains,omitempty" of:"responses" limits:"[2, 1000]" doc:"chains per subject"`
	Warmup int    `setting:"warmup" json:"warmup,omitempty" of:"responses" limits:"[50, 10000000]" doc:"warm-up draws per chain (1000 by default where all subjects are measured together)"`
	Draws  int    `setting:"draws" json:"draws,omitempty" of:"responses" limits:"[100, 10000000]" doc:"draws per chain"`
	Engine Engine `setting:"engine" json:"engine,omitempty" of:"responses" choices:"auto, nuts, tempered, laplace, marginal, mml" doc:"inference method (auto: NUTS, then the tempered sampler where chains fail diagnostics)"`
}

// Config has the settings of a fit. Default returns good ones. Here there may be a single chain, whose R-hat compares its
// halves, four draws of each, and no warm-up; NUTS and Tempered use only that engine, and doubts about its draws are then
// warnings.
type Config struct {
	Sampling

	Accept   float64 // mean acceptance probability that NUTS aims at, in (0, 1)
	MaxDepth int     // largest number of doublings of a NUTS trajectory
	Refine   float64 // largest change of the energy over an undivided step of Sample (nuts.Config); 0: no step is divided

	Metric nuts.Metric // how Sample models the covariance

	// Enough is the bulk and tail effective sample size of every parameter, with R-hat within its limit, up to which chains of Sample and Continue go on, to at most
	// sixteen times as many draws, or Most of each chain; of fewer than twice as many draws in all chains together, it is half of them. 0: chains do not go on.
	Enough float64
	Most   int // 0: sixteen times Draws

	Pilots int        // number of pilots (independent tempered populations), at least 1
	Pilot  smc.Config // settings of each pilot

	Ascents int // number of ascents from draws of the prior, which find modes that the pilots have missed; 0: none

	Thin    int // moves from one draw of the Tempered engine to the next in its first attempt, at least 1
	Extends int // how often the Tempered engine may repeat the run with twice as many moves while there are doubts

	Proposals int // number of density evaluations of the bridge sampler, at least 100

	// Limits beyond which there are doubts. RHat and ESS are for at least 4000 draws in all chains together. For fewer draws,
	// R-hat − 1 may be larger in proportion, and the effective sample size need be only a quarter of the number of draws.
	RHat     float64 // largest R-hat of a parameter, above 1
	ESS      float64 // smallest bulk and tail effective sample size of a parameter
	Diverged float64 // largest share of divergent NUTS draws

	Jobs int // number of chains and pilots that run at once; 0 and 1 mean one after the other

	Progress func(done, total int) // called by Sample after every trajectory, from one goroutine at a time; may be nil
}

// Default returns 4 chains of 1000 draws with the limits of Vehtari et al. (2021). NUTS gets its metric from the pilots
// and starts at their points, which lie within the posterior, so that 100 draws of warm-up are enough. On five subjects of the quick
// start acceptance 0.8 has 0.05 % of divergent draws. 0.85 has 0.03 %, and takes a quarter more gradients on the one of whom
// responses tell hardly anything but noise; 0.75 has 0.12 %. Two
// pilots of 64 walkers and 24 steps cost about as much as the chains; where there are fewer than eight parameters, they take fewer steps.
func Default() Config {
	return Config{
		Sampling: Sampling{Chains: 4, Warmup: 100, Draws: 1000, Engine: Auto},
		Accept:   0.8, MaxDepth: 10,
		Pilots: 2, Pilot: smc.Config{Walkers: 64, Steps: 24, Keep: 0.5}, Ascents: 100,
		Thin: 10, Extends: 3,
		Proposals: 1000,
		RHat:      1.01, ESS: 400, Diverged: 0.01,
	}
}

func (c *Config) check() {
	switch {
	case c.Engine != Auto && c.Engine != NUTS && c.Engine != Tempered && c.Engine != Laplace:
		panic("posterior: unknown engine")
	case c.Chains < 1:
		panic("posterior: no chains")
	case c.Draws < 4:
		panic("posterior: fewer than 4 draws a chain")
	case c.Pilots < 1:
		panic("posterior: no pilot")
	case c.Thin < 1 || c.Extends < 0:
		panic("posterior: the tempered engine needs moves")
	case c.Proposals < 100:
		panic("posterior: fewer than 100 proposals for the evidence")
	case !(c.RHat > 1):
		panic("posterior: no R-hat is 1 or less")
	}
}

// fullDraws is the number of draws, in all chains together, for which RHat and ESS are the limits.
const fullDraws = 4000

// limits returns the limits of R-hat and effective sample size for this number of draws in all chains together. The
// R-hat of chains that agree exceeds 1 by chance, in inverse proportion to the number of draws: for 8 half chains with
// 1000 effective draws together it exceeds 1.016 with probability 0.001.
func (c *Config) limits(draws int) (rhat, ess float64) {
	scarcity := max(1, fullDraws/float64(draws))
	return 1 + float64((c.RHat-1)*scarcity), min(c.ESS, float64(draws)/4)
}
