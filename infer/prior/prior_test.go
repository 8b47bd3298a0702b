package prior_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"achilles/infer/prior"
	"achilles/sim/num"
)

// A distribution is the implementation of a family in gonum, for comparison.
type distribution interface {
	LogProb(x float64) float64
	CDF(x float64) float64
}

var cases = []struct {
	name   string
	family prior.Family
	args   []float64
	other  distribution
}{
	{"uniform", prior.Uniform, []float64{-1, 3}, distuv.Uniform{Min: -1, Max: 3}},
	{"normal", prior.Normal, []float64{0.5, 2}, distuv.Normal{Mu: 0.5, Sigma: 2}},
	{"halfnormal", prior.HalfNormal, []float64{1.5}, halfNormal{1.5}},
	{"beta", prior.Beta, []float64{2, 3.5}, distuv.Beta{Alpha: 2, Beta: 3.5}},
	{"flat beta", prior.Beta, []float64{1, 1}, distuv.Uniform{Min: 0, Max: 1}},
	{"peaked beta", prior.Beta, []float64{0.3, 0.4}, distuv.Beta{Alpha: 0.3, Beta: 0.4}},
	{"gamma", prior.Gamma, []float64{2.5, 3}, distuv.Gamma{Alpha: 2.5, Beta: 3}},
	{"gamma of small shape", prior.Gamma, []float64{0.2, 0.5}, distuv.Gamma{Alpha: 0.2, Beta: 0.5}},
	{"exponential", prior.Exponential, []float64{2}, distuv.Exponential{Rate: 2}},
	{"lognormal", prior.LogNormal, []float64{-0.3, 0.7}, distuv.LogNormal{Mu: -0.3, Sigma: 0.7}},
	{"scaled beta", prior.ScaledBeta, []float64{-1, 3, 2, 3.5}, scaled{distuv.Beta{Alpha: 2, Beta: 3.5}, -1, 4}},
	{"halfcauchy", prior.HalfCauchy, []float64{2.5}, halfCauchy{2.5}},
}

type scaled struct {
	of          distuv.Beta
	from, width float64
}

func (s scaled) LogProb(x float64) float64 {
	return s.of.LogProb((x-s.from)/s.width) - math.Log(s.width)
}
func (s scaled) CDF(x float64) float64 { return s.of.CDF((x - s.from) / s.width) }

type halfNormal struct{ sd float64 }

func (h halfNormal) LogProb(x float64) float64 {
	return math.Ln2 + distuv.Normal{Sigma: h.sd}.LogProb(x)
}
func (h halfNormal) CDF(x float64) float64 { return 2*distuv.Normal{Sigma: h.sd}.CDF(x) - 1 }

type halfCauchy struct{ scale float64 }

func (h halfCauchy) LogProb(x float64) float64 {
	return math.Log(2 / math.Pi * h.scale / (x*x + h.scale*h.scale))
}

func (h halfCauchy) CDF(x float64) float64 { return 2 / math.Pi * math.Atan(x/h.scale) }

func near(a, b, rel float64) bool {
	return math.Abs(a-b) <= rel*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// TestDensity checks that the density of q is gonum's density of the parameter times the derivative of the parameter by
// q.
func TestDensity(t *testing.T) {
	for _, c := range cases {
		var p prior.Density
		norm := c.family.LogNorm(c.args)
		for q := -6.0; q <= 3; q += 0.25 {
			c.family.At(q, c.args, norm, true, &p)
			if want := c.other.LogProb(p.Theta) + math.Log(p.ThetaQ); !near(p.LogP, want, 1e-12) {
				t.Errorf("%s at q = %g: log density %.15g, want %.15g", c.name, q, p.LogP, want)
			}
			if theta := c.family.Theta(q, c.args); !near(theta, p.Theta, 1e-15) {
				t.Errorf("%s: Theta %g, At has %g", c.name, theta, p.Theta)
			}
			if back := c.family.Unconstrained(p.Theta, c.args); !near(back, q, 1e-12) {
				t.Errorf("%s: q = %g comes back as %g", c.name, q, back)
			}
		}
	}
}

// TestDerivatives checks every derivative in a Density against central differences.
func TestDerivatives(t *testing.T) {
	const h = 1e-5
	for _, c := range cases {
		at := func(q float64, args []float64) (p prior.Density) {
			c.family.At(q, args, c.family.LogNorm(args), true, &p)
			return p
		}
		for q := -3.0; q <= 3; q += 0.5 {
			p := at(q, c.args)
			up, down := at(q+h, c.args), at(q-h, c.args)
			check := func(what string, got, up, down float64) {
				t.Helper()
				if want := (up - down) / (2 * h); !near(got, want, 1e-8) {
					t.Errorf("%s at q = %g: %s %g, differences give %g", c.name, q, what, got, want)
				}
			}
			check("slope of the parameter", p.ThetaQ, up.Theta, down.Theta)
			check("slope of the log density", p.LogPQ, up.LogP, down.LogP)
			for i := range min(len(c.args), len(p.ThetaA)) {
				args := slices.Clone(c.args)
				args[i] += h
				up := at(q, args)
				args[i] -= 2 * h
				down := at(q, args)
				check("slope of the parameter by "+c.family.Args()[i], p.ThetaA[i], up.Theta, down.Theta)
				check("slope of the log density by "+c.family.Args()[i], p.LogPA[i], up.LogP, down.LogP)
			}
		}
	}
}

// TestParts checks that the density of a coordinate between score and parameter, moved to the parameter, is the density of the parameter,
// that Part and Whole lead there and back, and the derivatives against central differences.
func TestParts(t *testing.T) {
	const h = 1e-5
	for _, f := range []prior.Family{prior.Normal, prior.LogNormal} {
		args := []float64{-0.4, 0.7}
		for _, share := range []float64{0, 0.3, 0.8, 1} {
			for z := -3.0; z <= 3; z += 0.5 {
				var p, q prior.Density
				at := func(z float64, args []float64) (p prior.Density) {
					log := share * math.Log(args[1])
					f.AtPart(z, share, log, math.Exp(log), args, &p)
					return p
				}
				p = at(z, args)
				x := prior.Whole(z, share, args)
				f.At(x, args, f.LogNorm(args), false, &q)
				slope := math.Pow(args[1], 1-share)
				if !near(p.Theta, q.Theta, 1e-14) || !near(p.LogP, q.LogP+math.Log(slope), 1e-12) || !near(p.ThetaQ, q.ThetaQ*slope, 1e-12) || !near(prior.Part(x, share, args), z, 1e-12) {
					t.Errorf("%s at %g with share %g: %+v, in its own coordinate %+v", f, z, share, p, q)
				}
				check := func(what string, got, up, down float64) {
					t.Helper()
					if want := (up - down) / (2 * h); !near(got, want, 1e-8) {
						t.Errorf("%s at %g with share %g: slope of %s %g, differences give %g", f, z, share, what, got, want)
					}
				}
				up, down := at(z+h, args), at(z-h, args)
				check("the parameter", p.ThetaQ, up.Theta, down.Theta)
				check("the log density", p.LogPQ, up.LogP, down.LogP)
				for k := range args {
					shifted := slices.Clone(args)
					shifted[k] += h
					up = at(z, shifted)
					shifted[k] -= 2 * h
					down = at(z, shifted)
					check("the parameter by an argument", p.ThetaA[k], up.Theta, down.Theta)
					check("the log density by an argument", p.LogPA[k], up.LogP, down.LogP)
				}
			}
		}
	}
}

func TestQuantiles(t *testing.T) {
	for _, c := range cases {
		// The largest quantile of the peaked beta rounds to 1.
		for _, u := range []float64{1e-12, 1e-5, 0.01, 0.3, 0.5, 0.8, 0.999, 1 - 1e-9} {
			x := c.family.Quantile(u, c.args)
			if got := c.other.CDF(x); x != 1 && math.Abs(got-u) > 1e-12 && math.Abs(got-u) > 1e-10*u {
				t.Errorf("%s: quantile of %g is %g, where the distribution function is %g", c.name, u, x, got)
			}
			q := c.family.UnconstrainedQuantile(u, c.args)
			if y := c.family.Theta(q, c.args); !near(x, y, 1e-12) {
				t.Errorf("%s: quantile of %g is %g, through q %g", c.name, u, x, y)
			}
		}
		for _, z := range []float64{-600, -40, -3, 0, 1e-3, 2, 7, 40, 600} {
			x := c.family.AtOdds(z, c.args)
			if want := c.family.Quantile(1/(1+math.Exp(-z)), c.args); z < 10 && !near(x, want, 1e-11) {
				t.Errorf("%s: at log odds %g it is %g, the quantile is %g", c.name, z, x, want)
			}
			if y := c.family.Theta(c.family.UnconstrainedAtOdds(z, c.args), c.args); !near(x, y, 1e-12) {
				t.Errorf("%s: at log odds %g it is %g, through q %g", c.name, z, x, y)
			}
		}
		ends := []float64{c.family.Quantile(0x1p-53, c.args), c.family.Quantile(1-0x1p-53, c.args)}
		from, to := c.family.Support(c.args, c.args)
		if !(ends[0] >= from && ends[1] <= to && ends[0] < ends[1]) || math.IsInf(ends[0], 0) || math.IsInf(ends[1], 0) {
			t.Errorf("%s: extreme quantiles %g, support %g to %g", c.name, ends, from, to)
		}
	}
}

// TestOdds checks that Odds is the inverse of UnconstrainedAtOdds, in both tails.
func TestOdds(t *testing.T) {
	for _, c := range cases {
		for _, z := range []float64{-600, -40, -3, 0, 1e-3, 2, 7, 40, 600} {
			if got := c.family.Odds(c.family.UnconstrainedAtOdds(z, c.args), c.args); !near(got, z, 1e-8) {
				t.Errorf("%s: log odds %g come back as %g", c.name, z, got)
			}
		}
	}
}

// TestFarOdds checks the odds of a half-Cauchy distribution where e^q is not finite, or 0, by the tails 2/(πx) and 2x/π.
func TestFarOdds(t *testing.T) {
	for _, q := range []float64{-800, -31, -29, 29, 31, 800} {
		want := q + math.Copysign(math.Log(math.Pi/2), q)
		if got := prior.HalfCauchy.Odds(q, []float64{1}); !near(got, want, 1e-12) {
			t.Errorf("at e^%v: %v, want %v", q, got, want)
		}
	}
}

// TestUpperTails checks upper tails in which distribution functions round to 1. The log probability above AtOdds(z) must
// be −z − log(1 + e^−z).
func TestUpperTails(t *testing.T) {
	above := func(x float64) float64 { return math.Log(math.Erfc(x/math.Sqrt2)) - math.Ln2 } // of the standard normal
	for _, z := range []float64{10, 45, 300} {
		_, gamma := num.GammaTails(2.5, 3*prior.Gamma.AtOdds(z, []float64{2.5, 3}))
		beta := prior.Beta.UnconstrainedAtOdds(z, []float64{2, 3.5})
		_, upper := num.BetaTails(2, 3.5, 1/(1+math.Exp(-beta)), 1/(1+math.Exp(beta)))
		for name, got := range map[string]float64{
			"normal":      above((prior.Normal.AtOdds(z, []float64{0.5, 2}) - 0.5) / 2),
			"halfnormal":  math.Ln2 + above(prior.HalfNormal.AtOdds(z, []float64{1.5})/1.5),
			"lognormal":   above((math.Log(prior.LogNormal.AtOdds(z, []float64{-0.3, 0.7})) + 0.3) / 0.7),
			"exponential": -2 * prior.Exponential.AtOdds(z, []float64{2}),
			"gamma":       math.Log(gamma),
			"beta":        math.Log(upper),
		} {
			if want := -math.Log1p(math.Exp(-z)) - z; math.Abs(got-want) > 1e-10*z {
				t.Errorf("%s at log odds %g: a share of e^%.9g lies above", name, z, got)
			}
		}
	}
}

func TestFarOut(t *testing.T) {
	var p prior.Density
	for _, c := range cases {
		norm := c.family.LogNorm(c.args)
		for _, q := range []float64{-1e3, 1e3, -1e300, 1e300, math.Inf(-1), math.Inf(1)} {
			c.family.At(q, c.args, norm, false, &p)
			if p.LogP != p.LogP && !math.IsInf(q, 0) || p.LogP > 0 {
				t.Errorf("%s at q = %g: log density %g", c.name, q, p.LogP)
			}
		}
	}
	prior.Uniform.At(0, []float64{2, 1}, 0, true, &p)
	if !math.IsInf(p.LogP, -1) {
		t.Errorf("an empty interval has log density %g", p.LogP)
	}
}

func TestCheck(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		family prior.Family
		lo, hi []float64
		want   string
	}{
		{"good", prior.Normal, []float64{0, 1}, []float64{0, 1}, ""},
		{"hyperprior", prior.Normal, []float64{-inf, 0}, []float64{inf, inf}, ""},
		{"touching bounds", prior.Uniform, []float64{0, 0}, []float64{0, 52.8}, ""},
		{"crossing bounds", prior.Uniform, []float64{0, 0.5}, []float64{1, 2}, "upper bound of uniform (0.5 to 2) is not above the lower bound (0 to 1)"},
		{"zero sd", prior.HalfNormal, []float64{0}, []float64{0}, "sd of halfnormal must be positive, and can be 0"},
		{"negative shape", prior.Gamma, []float64{-1, 1}, []float64{2, 1}, "shape of gamma must be positive, and can be -1"},
		{"infinite mean", prior.LogNormal, []float64{inf, 1}, []float64{inf, 1}, "mean of lognormal is not finite"},
		{"probability", prior.Bernoulli, []float64{0}, []float64{1}, ""},
		{"probability above 1", prior.Bernoulli, []float64{0}, []float64{2}, "p of bernoulli must lie in [0, 1], but may lie anywhere from 0 to 2"},
		{"shapes that are inferred", prior.ScaledBeta, []float64{0, 1, 0, 2}, []float64{0, 1, inf, 2}, "a and b of scaledbeta must be numbers"},
		{"scaled within no bounds", prior.ScaledBeta, []float64{1, 0, 2, 2}, []float64{1, 0, 2, 2}, "upper bound of scaledbeta (0 to 0) is not above the lower bound (1 to 1)"},
		{"no number", prior.Beta, []float64{math.NaN(), 1}, []float64{1, 1}, "a of beta is not finite"},
	} {
		err := c.family.Check(c.lo, c.hi)
		if err != nil && err.Error() != c.want || err == nil && c.want != "" {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	if got := strings.Join(prior.Names(), " "); got != "uniform normal halfnormal beta gamma exponential lognormal halfcauchy bernoulli scaledbeta" {
		t.Errorf("names %s", got)
	}
	for _, n := range prior.Names() {
		if f, ok := prior.Named(n); !ok || f.String() != n || len(f.Args()) == 0 {
			t.Errorf("%s is %v", n, f)
		}
	}
	if _, ok := prior.Named("cauchy"); ok {
		t.Error("cauchy is known")
	}
}

// TestSD compares SD with the standard deviation of the quantiles at the points of an even grid.
func TestSD(t *testing.T) {
	for _, c := range []struct {
		f    prior.Family
		args []float64
	}{{prior.Uniform, []float64{-1, 5}}, {prior.Normal, []float64{3, 2}}, {prior.HalfNormal, []float64{2}}, {prior.Beta, []float64{2, 5}}, {prior.ScaledBeta, []float64{-2, 3, 2, 5}},
		{prior.Beta, []float64{0.5, 0.5}}, {prior.Gamma, []float64{3, 2}}, {prior.Exponential, []float64{4}}, {prior.LogNormal, []float64{1, 0.5}}} {
		const n = 1 << 14
		mean, squares := 0.0, 0.0
		for i := range n {
			x := c.f.Quantile((float64(i)+0.5)/n, c.args)
			mean += x / n
			squares += x * x / n
		}
		if got, want := c.f.SD(c.args), math.Sqrt(squares-mean*mean); !near(got, want, 1e-3) {
			t.Errorf("%s%v: sd %g, by its quantiles %g", c.f, c.args, got, want)
		}
	}
}

// TestBernoulli checks probabilities, their derivatives by p, quantiles and the standard deviation of a binary parameter.
func TestBernoulli(t *testing.T) {
	for _, p := range []float64{0.2, 0.5, 0.99} {
		args := []float64{p}
		for _, x := range []float64{0, 1} {
			at := func(p float64) (d prior.Density) {
				prior.Bernoulli.At(x, []float64{p}, prior.Bernoulli.LogNorm([]float64{p}), true, &d)
				return d
			}
			d, want := at(p), p
			if x == 0 {
				want = 1 - p
			}
			if d.Theta != x || d.ThetaQ != 0 || d.LogPQ != 0 || !near(d.LogP, math.Log(want), 1e-15) {
				t.Errorf("p = %g at %g: %+v", p, x, d)
			}
			const h = 1e-6
			if slope := (at(p+h).LogP - at(p-h).LogP) / (2 * h); !near(d.LogPA[0], slope, 1e-6) {
				t.Errorf("p = %g at %g: slope %g, differences give %g", p, x, d.LogPA[0], slope)
			}
			if q := prior.Bernoulli.Unconstrained(x, args); q != x || prior.Bernoulli.Theta(q, args) != x {
				t.Errorf("%g has coordinate %g", x, q)
			}
		}
		below, above := 1-p-1e-9, 1-p+1e-9
		if prior.Bernoulli.Quantile(below, args) != 0 || prior.Bernoulli.Quantile(above, args) != 1 {
			t.Errorf("p = %g: quantiles around %g", p, 1-p)
		}
		if z := math.Log(above / (1 - above)); prior.Bernoulli.AtOdds(z, args) != 1 || prior.Bernoulli.UnconstrainedAtOdds(z-1e-5, args) != 0 {
			t.Errorf("p = %g: quantiles at odds around %g", p, z)
		}
		if sd := prior.Bernoulli.SD(args); !near(sd, math.Sqrt(p*(1-p)), 1e-15) {
			t.Errorf("p = %g: sd %g", p, sd)
		}
	}
}
