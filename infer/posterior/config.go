package posterior

import (
	"fmt"

	"achilles/infer/smc"
)

// Engine is a way to draw from a posterior.
type Engine uint8

const (
	// Auto is NUTS, replaced by Tempered where its chains are not to be believed.
	Auto Engine = iota
	// NUTS follows the gradient; it does not cross from mode to mode.
	NUTS
	// Tempered moves by differences between points of tempered populations; it leaps from mode to mode.
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

	Chains int // chains of either engine, at least 2
	Draws  int // draws kept of each chain, at least 100

	Warmup   int     // draws of a NUTS chain that adapt step size and metric and are not kept
	Accept   float64 // mean acceptance of NUTS, in (0, 1)
	MaxDepth int     // doublings of a NUTS trajectory

	Pilots int        // independent tempered populations, at least 1
	Pilot  smc.Config // of each of them

	Thin    int // moves from one draw of the Tempered engine to the next, at first
	Extends int // how often the Tempered engine may double its moves to reach RHat and ESS

	Proposals int // density evaluations spent on the evidence

	RHat     float64 // largest R-hat of a parameter that is believed
	ESS      float64 // least bulk and tail effective sample size of a parameter
	Diverged float64 // largest share of divergent NUTS draws

	Jobs int // chains and pilots run at a time; 0 and 1: one after the other
}

// Default returns 4 chains of 1000 draws. NUTS starts within the posterior with the metric that the pilots give it, so
// that 100 draws settle the step size. Two pilots of some 35 000 evaluations each find the modes of posteriors of ten
// parameters; R-hat and ESS are the limits of Vehtari et al. (2021).
func Default() Config {
	return Config{
		Chains: 4, Draws: 1000,
		Warmup: 100, Accept: 0.8, MaxDepth: 10,
		Pilots: 2, Pilot: smc.Config{Walkers: 64, Steps: 32, Keep: 0.5},
		Thin: 10, Extends: 3,
		Proposals: 1000,
		RHat:      1.01, ESS: 400, Diverged: 0.01,
	}
}

func (c *Config) check() {
	switch {
	case c.Engine > Tempered:
		panic("posterior: unknown engine")
	case c.Chains < 2:
		panic("posterior: one chain has nothing to agree with")
	case c.Draws < 100:
		panic("posterior: fewer than 100 draws a chain")
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
