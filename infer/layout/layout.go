// Package layout reads measurement layouts. A layout says which capabilities, biases and robustness a subject has, which
// demands the items make, and how a response depends on both. It is a TOML file (docs/reference/layouts.md). Parse reads
// and checks it, Bind binds it to the items of a battery, and a Target is the log posterior of one subject with its
// gradient.
package layout

import (
	"achilles/infer/prior"
	"achilles/sim/conf"
	"achilles/sim/expr"
)

// A Layout is a checked layout file. It must not be changed.
type Layout struct {
	Name, Doc    string
	File, Text   string  // name and text of the file; the text of a rival of a bank is empty
	Temperature  float64 // temperature of smooth minima and maxima; 0.02 unless the file sets it
	Constants    []Constant
	Metafeatures []Metafeature
	Covariates   []Metafeature // columns of the subjects
	Parameters   []Parameter   // capabilities, biases, robustness, those of items, shared ones, each in the order of the file
	Performances []Performance
	Responses    []ResponseModel
	Walking      *Walking // nil if the file has no section walking

	at      conf.Place // place of the whole file, for errors
	symbols map[string]*symbol
}

// defaultTemperature is the temperature of min and max whose arguments depend on parameters. The smooth minimum or maximum of
// two numbers differs from the exact one by at most 0.7 temperatures.
const defaultTemperature = 0.02

// A Constant is a declared number.
type Constant struct {
	Name  string
	Value float64
}

// A Metafeature is a column of the items, or a covariate, a column of the subjects. Name is its name in the layout, Column its name among the items.
type Metafeature struct {
	Name, Column string
	Range        [2]float64 // declared closed range of a number
	Levels       []string   // declared values of a text; nil for a number
	Missing      *float64   // value that stands for a missing one; nil: there must be no missing one
	Judge        *Judge     // how the values, which are labels, err; nil: they are the true values
	Unit, Doc    string
	at           conf.Place
}

// A Group is the kind of a parameter.
type Group string

// The groups of parameters.
const (
	Capability Group = "capability"
	Bias       Group = "bias"
	Robustness Group = "robustness"
	Item       Group = "item"   // of each item, or of each group of items
	Shared     Group = "shared" // of all subjects and items
)

var groups = [...]Group{Capability, Bias, Robustness, Item, Shared}

// A Parameter is a number that is inferred for each subject, for each item, for each group of either, or once.
type Parameter struct {
	Name      string
	Group     Group
	Prior     string // as written in the file
	Unit, Doc string
	Per       string     // column of the items or subjects whose values are groups with one parameter each; "": no groups
	Within    string     // of a walk: text column whose values have a walk each; "": there is one
	Centred   *bool      // whether a sampler moves the parameter itself or its score under the prior; nil: as the data suggest
	Range     [2]float64 // support of the prior; the widest possible one if it depends on other parameters

	at     conf.Place // of the prior
	family prior.Family
	args   []*expr.Node
	walks  bool // whether the mean of the prior is the value of the group before (walk), and the first argument that of the first

	part, parts int // index in a vector and its size; 0 and 0 if the parameter is no part of one
}

// FirstOfVector reports whether the parameter is the first of a vector, or of none.
func (p *Parameter) FirstOfVector() bool { return p.part == 0 }

// names returns the names in the arguments of the prior, argument by argument.
func (p *Parameter) names() (out []string) {
	for _, a := range p.args {
		out = append(out, a.Names()...)
	}
	return out
}

// A Performance is a named expression of parameters, metafeatures and other performances, for use in responses.
type Performance struct {
	Name, Source string
	at           conf.Place
	node         *expr.Node
}

// A ResponseModel is the distribution of a measure.
type ResponseModel struct {
	Measure, Doc string
	Family       Family
	Args         []string // expressions of the family's arguments, in the order of keys; for Choice, one utility for each category
	places       []conf.Place
	nodes        []*expr.Node
}

// A Family is the distribution of a measure.
type Family string

// The families with the keys of their arguments.
const (
	Bernoulli Family = "bernoulli" // p
	Binomial  Family = "binomial"  // p, trials, which may be left out: then each response says how many
	Normal    Family = "normal"    // mean, sd
	Beta      Family = "beta"      // mean, precision
	// ZeroOneInflatedBeta is for scores in the closed unit interval: mean and precision of a beta distribution, inflation, the
	// probability that the score is 0 or 1 instead, and ones, the probability that it is then 1.
	ZeroOneInflatedBeta Family = "zero_one_inflated_beta"
	Choice              Family = "choice" // utility: a list, one for each category; probabilities in proportion to e^utility
)

var families = []Family{Bernoulli, Binomial, Normal, Beta, ZeroOneInflatedBeta, Choice}

// trialsKey is the key of the number of trials of a binomial response.
const trialsKey = "trials"

func (f Family) keys() []string {
	switch f {
	case Bernoulli:
		return []string{"p"}
	case Binomial:
		return []string{"p", trialsKey}
	case Normal:
		return []string{"mean", "sd"}
	case Beta:
		return []string{"mean", "precision"}
	case ZeroOneInflatedBeta:
		return []string{"mean", "precision", "inflation", "ones"}
	case Choice:
		return []string{"utility"}
	}
	return nil
}
