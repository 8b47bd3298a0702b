package posterior

import (
	"fmt"

	"achilles/infer/smc"
)

// Engine is a way to draw from a posterior.
type Engine uint8

const (
	// Auto is NUTS, replaced by Tempered where there are doubts about its chains.
	Auto Engine = iota
	// NUTS follows the gradient; it does not cross from mode to mode.
	NUTS
	// Tempered moves by differences between points of tempered populations; it jumps from mode to mode.
	Tempered
)

// String returns the name in lower case, as diagnostics have it.
func (e Engine) String() string {
	switch e {
	case Auto:
		return "auto"
	case NUTS:
		return "nuts"
	case Tempered:
		return "tempered"
	}
	return fmt.Sprintf("Engine(%d)", uint8(e))
}

// Config are the settings of a fit. Default gives good ones.
type Config struct {
	Engine Engine // NUTS and Tempered use that engine alone and return what it gives, with warnings

	Chains int // chains of either engine, at least 1; a single chain is compared with its own halves only
	Draws  int // draws kept of each chain, at least 4

	Warmup   int     // draws of a NUTS chain that adapt its step size and are not kept, at least 0
	Accept   float64 // mean acceptance of NUTS, in (0, 1)
	MaxDepth int     // doublings of a NUTS trajectory

	Pilots int        // independent tempered populations, at least 1
	Pilot  smc.Config // of each of them

	Ascents int // ascents from draws of the prior that look for modes which the pilots have missed; 0: none

	Thin    int // moves from one draw of the Tempered engine to the next at first, at least 1
	Extends int // how often the Tempered engine may double its moves while there are doubts

	Proposals int // density evaluations of the bridge sampler, at least 100

	// Limits beyond which there are doubts. RHat and ESS are for 4000 draws or more in all. Fewer draws are allowed a
	// larger R-hat − 1, in proportion, and an effective sample size of a quarter of their number.
	RHat     float64 // largest R-hat of a parameter, above 1
	ESS      float64 // least bulk and tail effective sample size of a parameter
	Diverged float64 // largest share of divergent NUTS draws

	Jobs int // chains and pilots run at a time; 0 and 1: one after the other
}

// Default returns 4 chains of 1000 draws with the limits of Vehtari et al. (2021). The pilots give NUTS starts within the
// posterior and its metric, so 100 draws of warm-up are enough. Acceptance 0.8 keeps divergences below 1 % for all but
// one of thirty agents under the object-permanence layout; 0.7 would save a fifth of the gradients and triple the
// divergences. Two pilots of 64 walkers and 24 steps cost about half as much as the chains.
func Default() Config {
	return Config{
		Chains: 4, Draws: 1000,
		Warmup: 100, Accept: 0.8, MaxDepth: 10,
		Pilots: 2, Pilot: smc.Config{Walkers: 64, Steps: 24, Keep: 0.5}, Ascents: 100,
		Thin: 10, Extends: 3,
		Proposals: 1000,
		RHat:      1.01, ESS: 400, Diverged: 0.01,
	}
}

func (c *Config) check() {
	switch {
	case c.Engine > Tempered:
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

// fullDraws is the number of draws that RHat and ESS are for.
const fullDraws = 4000

// limits returns RHat and ESS for that many draws in all. The R-hat of chains that agree exceeds 1 by chance in inverse
// proportion to the draws: with 8 half chains of 1000 effective draws together it exceeds 1.016 once in a thousand.
func (c *Config) limits(draws int) (rhat, ess float64) {
	scarcity := max(1, fullDraws/float64(draws))
	return 1 + float64((c.RHat-1)*scarcity), min(c.ESS, float64(draws)/4)
}
