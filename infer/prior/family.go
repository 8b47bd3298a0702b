// Package prior has the prior distributions of layouts: their densities on the unconstrained scale with derivatives, and
// their quantiles. The arguments of a distribution, such as its mean, may depend on other parameters of the layout. Every
// function therefore takes their values as args.
package prior

import (
	"errors"
	"fmt"
	"math"
)

// A Family is a prior distribution of one number.
type Family uint8

// The families with their arguments.
const (
	Uniform     Family = iota // lower, upper bound
	Normal                    // mean, sd
	HalfNormal                // sd of a normal variable of mean 0; this is the distribution of its absolute value
	Beta                      // a, b
	Gamma                     // shape, rate
	Exponential               // rate
	LogNormal                 // mean and sd of the logarithm
	HalfCauchy                // scale of a Cauchy variable around 0; this is the distribution of its absolute value
	Bernoulli                 // probability of 1; the other value is 0
	ScaledBeta                // lower, upper bound, a, b: the place between the bounds has the distribution Beta; a and b are constants
)

// MaxArgs is the largest number of arguments of a family. Those after the second are constants.
const MaxArgs = 4

// A form has the names of a family and of its arguments in layouts.
type form struct {
	name     string
	args     []string
	positive []bool // whether an argument must be positive
}

var forms = [...]form{
	Uniform:     {"uniform", []string{"lower", "upper"}, []bool{false, false}},
	Normal:      {"normal", []string{"mean", "sd"}, []bool{false, true}},
	HalfNormal:  {"halfnormal", []string{"sd"}, []bool{true}},
	Beta:        {"beta", []string{"a", "b"}, []bool{true, true}},
	Gamma:       {"gamma", []string{"shape", "rate"}, []bool{true, true}},
	Exponential: {"exponential", []string{"rate"}, []bool{true}},
	LogNormal:   {"lognormal", []string{"mean", "sd"}, []bool{false, true}},
	HalfCauchy:  {"halfcauchy", []string{"scale"}, []bool{true}},
	Bernoulli:   {"bernoulli", []string{"p"}, []bool{false}},
	ScaledBeta:  {"scaledbeta", []string{"lower", "upper", "a", "b"}, []bool{false, false, true, true}},
}

// Names returns the names of all families in layouts, in the order of their constants.
func Names() (names []string) {
	for _, f := range forms {
		names = append(names, f.name)
	}
	return names
}

// Named returns the family with this name. ok is false if there is none.
func Named(name string) (f Family, ok bool) {
	for f, x := range forms {
		if x.name == name {
			return Family(f), true
		}
	}
	return 0, false
}

// String returns the name of the family.
func (f Family) String() string { return forms[f].name }

// Args returns a copy of the arguments' names, in the order in which layouts write them: "mean", "sd" for Normal.
func (f Family) Args() []string { return append([]string(nil), forms[f].args...) }

// Check returns an error for arguments that give no distribution: a scale that cannot be positive, bounds in the wrong
// order, or a number that is not finite. lo and hi are the least and the largest value that each argument can have; they
// may be infinite for an argument that depends on another parameter.
func (f Family) Check(lo, hi []float64) error {
	for i, positive := range forms[f].positive {
		if lo[i] != lo[i] || hi[i] != hi[i] || lo[i] == hi[i] && math.IsInf(lo[i], 0) {
			return fmt.Errorf("%s of %s is not finite", forms[f].args[i], f)
		}
		if positive && !(lo[i] >= 0 && hi[i] > 0) {
			return fmt.Errorf("%s of %s must be positive, and can be %g", forms[f].args[i], f, lo[i])
		}
	}
	if f == Bernoulli && !(lo[0] >= 0 && hi[0] <= 1) {
		return fmt.Errorf("p of bernoulli must lie in [0, 1], but may lie anywhere from %g to %g", lo[0], hi[0])
	}
	if f == ScaledBeta && (lo[2] != hi[2] || lo[3] != hi[3]) {
		return errors.New("a and b of scaledbeta must be numbers")
	}
	if (f == Uniform || f == ScaledBeta) && !(lo[1] >= lo[0] && hi[1] > hi[0] && lo[1] >= hi[0]) {
		return fmt.Errorf("upper bound of %s (%g to %g) is not above the lower bound (%g to %g)", f, lo[1], hi[1], lo[0], hi[0])
	}
	return nil
}

// Support returns the least and the largest value of the distribution if its arguments lie between lo and hi.
func (f Family) Support(lo, hi []float64) (lowest, highest float64) {
	switch f {
	case Uniform, ScaledBeta:
		return lo[0], hi[1]
	case Normal:
		return math.Inf(-1), math.Inf(1)
	case Beta, Bernoulli:
		return 0, 1
	}
	return 0, math.Inf(1)
}

// Binary reports whether the only values are 0 and 1. The unconstrained q is then the value itself, and no sampler can move it.
func (f Family) Binary() bool { return f == Bernoulli }
