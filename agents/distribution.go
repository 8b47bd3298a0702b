package agents

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Distribution is a family of distributions from which parameters of a population can be drawn.
type Distribution struct {
	Name, Usage, Doc string
	args             int // number of arguments; 0: one or more
	fault            func(x []float64) string
	draw             func(r *rng.Rand, x []float64) float64
}

// choiceName is the only family from which texts can be drawn.
const choiceName = "choice"

// Distributions returns all families, sorted by name. Those that are also priors of measurement layouts take the same
// arguments there.
func Distributions() []Distribution {
	return []Distribution{
		{"bernoulli", "bernoulli(p)", "1 with probability p, else 0", 1, probability, func(r *rng.Rand, x []float64) float64 {
			if r.Bernoulli(x[0]) {
				return 1
			}
			return 0
		}},
		{"beta", "beta(a, b)", "on (0, 1), mean a/(a + b)", 2, positive, beta},
		{choiceName, "choice(x, …)", "one of the values, numbers or texts, each as likely; one that appears twice is twice as likely", 0, nothing, func(r *rng.Rand, x []float64) float64 { return x[r.IntN(len(x))] }},
		{"exponential", "exponential(rate)", "mean 1/rate", 1, positive, func(r *rng.Rand, x []float64) float64 { return r.Exp() / x[0] }},
		{"gamma", "gamma(shape, rate)", "mean shape/rate", 2, positive, func(r *rng.Rand, x []float64) float64 { return gamma(r, x[0]) / x[1] }},
		{"halfnormal", "halfnormal(sd)", "|normal(0, sd)|", 1, positive, func(r *rng.Rand, x []float64) float64 { return math.Abs(float64(x[0] * r.Norm())) }},
		{"lognormal", "lognormal(mean, sd)", "e to a normal(mean, sd)", 2, spread, func(r *rng.Rand, x []float64) float64 { return num.Exp(x[0] + float64(x[1]*r.Norm())) }},
		{"normal", "normal(mean, sd)", "normal", 2, spread, func(r *rng.Rand, x []float64) float64 { return x[0] + float64(x[1]*r.Norm()) }},
		{"uniform", "uniform(low, high)", "between low and high", 2, bounds, func(r *rng.Rand, x []float64) float64 { return x[0] + float64((x[1]-x[0])*r.Float64()) }},
	}
}

func distributionNamed(name string) (Distribution, bool) {
	for _, d := range Distributions() {
		if d.Name == name {
			return d, true
		}
	}
	return Distribution{}, false
}

// checkArguments reports a wrong number of arguments at the Call node n.
func (d Distribution) checkArguments(n *expr.Node) error {
	want := strconv.Itoa(d.args)
	if d.args == 0 {
		want = "one or more"
	}
	if k := len(n.Args); k == 0 || d.args > 0 && k != d.args {
		return n.Errorf("%s takes %s arguments, not %d: %s", d.Name, want, k, d.Usage)
	}
	return nil
}

func nothing([]float64) string { return "" }

func positive(x []float64) string {
	for _, v := range x {
		if !(v > 0 && v <= math.MaxFloat64) {
			return fmt.Sprintf("%v must be positive", v)
		}
	}
	return ""
}

func probability(x []float64) string {
	if !(x[0] >= 0 && x[0] <= 1) {
		return fmt.Sprintf("%v is not a probability, 0 to 1", x[0])
	}
	return ""
}

func spread(x []float64) string { return positive(x[1:]) }

func bounds(x []float64) string {
	if !(x[0] < x[1]) {
		return fmt.Sprintf("the low bound %v is not below the high bound %v", x[0], x[1])
	}
	return ""
}

// gamma draws from the gamma distribution of rate 1 (Marsaglia and Tsang 2000). For a shape below 1 it draws with shape + 1
// and multiplies by u^(1/shape) for a uniform u, as they advise.
func gamma(r *rng.Rand, shape float64) float64 {
	if shape < 1 {
		boost := num.Exp(num.Log(r.Float64()) / shape)
		return float64(gamma(r, shape+1) * boost)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.Norm()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		if num.Log(r.Float64()) < float64(0.5*float64(x*x))+float64(d*(1-v+num.Log(v))) {
			return float64(d * v)
		}
	}
}

// beta draws from the beta distribution as a/(a + b) for two gamma draws a and b. If both underflow, at shapes far below 1,
// the distribution is concentrated at 0 and 1, and beta draws one of these with the right mean.
func beta(r *rng.Rand, x []float64) float64 {
	a, b := gamma(r, x[0]), gamma(r, x[1])
	if a+b > 0 {
		return a / (a + b)
	}
	if r.Bernoulli(x[0] / (x[0] + x[1])) {
		return 1
	}
	return 0
}

// distributionUsages returns how each distribution is written, such as normal(mean, sd), for messages.
func distributionUsages() string {
	var s []string
	for _, d := range Distributions() {
		s = append(s, d.Usage)
	}
	return strings.Join(s, ", ")
}
