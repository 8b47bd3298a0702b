package mml

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// A Score is what is inferred about a subject.
type Score struct {
	Responses int
	Mean, SD  []float64 // of the posterior of each ability (EAP); nil without a response
	Fit       float64   // l_z* of person fit: standard normal in long tests, negative where responses are less likely than expected; NaN: not known
	P         float64   // probability of a value as low under the model; NaN: not known
}

// Scores returns what is inferred about each subject, in their order in the data.
func (f *Fit) Scores() []Score {
	e := f.e
	by := make([]Score, len(e.patterns))
	for u := range e.patterns {
		by[u] = e.score(&e.patterns[u])
	}
	out := make([]Score, len(e.of))
	for s, u := range e.of {
		if out[s] = (Score{Fit: math.NaN(), P: math.NaN()}); u >= 0 {
			out[s] = by[u]
		}
	}
	return out
}

func (e *engine) score(p *pattern) Score {
	nodes := e.nodes(p)
	w := make([]float64, len(nodes))
	e.posterior(p, w)
	s := Score{Responses: p.taken, Mean: make([]float64, e.abilities), SD: make([]float64, e.abilities), P: math.NaN()}
	for m := range e.abilities {
		for q := p.lo; q < p.hi; q++ {
			s.Mean[m] += float64(w[q] * nodes[q][m])
		}
		for q := p.lo; q < p.hi; q++ {
			d := nodes[q][m] - s.Mean[m]
			s.SD[m] += float64(w[q] * d * d)
		}
		s.SD[m] = math.Sqrt(s.SD[m])
	}
	s.Fit = e.personFit(p, s.Mean)
	return s
}

// A Reliability is the share of the variance of estimated abilities that is not error.
type Reliability struct {
	Empirical float64 // of the abilities of these subjects: variance of posterior means by that and the mean posterior variance
	Low, High float64 // ends of its 95 % interval (Feldt 1965, Psychometrika 30: that of coefficient alpha), from 0 to 1; NaN: one subject, or one item
	Marginal  float64 // of the population's: mean of I/(I + 1/σ²) (Green et al. 1984)
}

// Reliability returns that of an ability.
func (f *Fit) Reliability(scores []Score, ability int) (out Reliability) {
	e := f.e
	n, mean, square, error2 := 0.0, 0.0, 0.0, 0.0
	seen := map[int]bool{}
	items := 0.0 // that all subjects have taken
	for s, u := range e.of {
		if u < 0 || seen[u] {
			continue
		}
		items += float64(e.patterns[u].n * float64(len(e.patterns[u].items)))
		seen[u] = true
		w, x := e.patterns[u].n, &scores[s]
		n += w
		mean += float64(w * x.Mean[ability])
		square += float64(w * x.Mean[ability] * x.Mean[ability])
		error2 += float64(w * x.SD[ability] * x.SD[ability])
	}
	v := square/n - float64(mean*mean)/(n*n)
	out.Empirical = v / (v + error2/n)
	out.Low, out.High = feldt(out.Empirical, n, items/n)
	g := e.coarse()
	prior := e.normal()
	for q, theta := range g.theta {
		w := num.Exp(prior(0, theta) + g.logw[q])
		i := 0.0
		for k := range e.items {
			_, information := e.items[k].moments(e.items[k].predictor(theta))
			i += float64(e.items[k].slope[ability] * e.items[k].slope[ability] * information)
		}
		out.Marginal += float64(w*i) / (i + 1/float64(e.groups[0].sd*e.groups[0].sd))
	}
	return out
}

// feldt returns the ends of the 95 % interval of a reliability that n subjects and so many items of each subject have, within [0, 1].
func feldt(r, n, items float64) (low, high float64) {
	a, b := (n-1)/2, (n-1)*(items-1)/2
	if !(a > 0) || !(b > 0) {
		return math.NaN(), math.NaN()
	}
	end := func(p float64) float64 {
		x := num.BetaQuantile(p, a, b) // of F with 2a and 2b degrees of freedom: (x/a)/((1 − x)/b)
		return min(max(1-(1-r)*(x/a)/((1-x)/b), 0), 1)
	}
	return end(0.975), end(0.025)
}

// Curve returns the expected response to an item at abilities, and its information about the first of them.
func (f *Fit) Curve(item int, theta []float64) (mean, information float64) {
	it := &f.e.items[item]
	mean, information = it.moments(it.predictor(theta))
	return mean, float64(it.slope[0] * it.slope[0] * information)
}

// A Pair has the correlation of what the responses to two items are beyond their expectation at the subjects' abilities: Q3 of Yen (1984).
type Pair struct {
	A, B     int
	Q3       float64
	Excess   float64 // over the mean of all pairs, which is below 0 (Christensen, Makransky and Horton 2017)
	P        float64 // two-sided: of the residual of the mean product if there is one, else of the excess; NaN if expectedLeast is not reached
	Subjects float64
}

// mostPairs is the largest number of pairs that are compared.
const mostPairs = 500_000

// expectedLeast is the least number of subjects who are expected to leave the most frequent response to both items, if the p-value of a
// pair is given: Cochran's rule for a table of counts (1954, Biometrics 10). Below it a statistic is far from normal in its tails, which
// is where a correction for thousands of pairs looks. Twice as many are asked of the excess, which knows nothing of the items.
const expectedLeast = 5.0

// Pairs returns all pairs of items that ten subjects answered both; nil if there are too many. residuals are those of Moments, or nil: Q3 itself has
// a null distribution that depends on the items, in short tests most.
func (f *Fit) Pairs(scores []Score, residuals [][]float64) (out []Pair) {
	e := f.e
	n := len(e.items)
	if n*(n-1)/2 > mostPairs {
		return nil
	}
	residual := make([][]float64, len(e.patterns))
	for s, u := range e.of {
		if u < 0 || residual[u] != nil {
			continue
		}
		residual[u] = make([]float64, n)
		for _, i := range e.patterns[u].items {
			mean, _ := e.items[i].moments(e.items[i].predictor(scores[s].Mean))
			residual[u][i] = float64(e.patterns[u].y[i]) - mean
		}
	}
	sum := 0.0
	for i := range n {
		for j := range i {
			var w, x, y, xx, yy, xy float64
			var first, second [math.MaxInt8 + 1]float64 // [category] subjects, of either item
			for u := range e.patterns {
				p := &e.patterns[u]
				if p.y[i] < 0 || p.y[j] < 0 {
					continue
				}
				first[p.y[i]] += p.n
				second[p.y[j]] += p.n
				a, b := residual[u][i], residual[u][j]
				w, x, y = w+p.n, x+float64(p.n*a), y+float64(p.n*b)
				xx, yy, xy = xx+float64(p.n*a*a), yy+float64(p.n*b*b), xy+float64(p.n*a*b)
			}
			vx, vy := xx/w-float64(x*x)/(w*w), yy/w-float64(y*y)/(w*w)
			if w < 10 || !(vx > 1e-12 && vy > 1e-12) {
				continue
			}
			pair := Pair{A: j, B: i, Q3: (xy/w - float64(x*y)/(w*w)) / math.Sqrt(float64(vx*vy)), Subjects: w}
			least := expectedLeast
			if residuals == nil {
				least *= 2
			}
			if float64((w-slices.Max(first[:]))*(w-slices.Max(second[:])))/w < least {
				pair.P = math.NaN()
			}
			out = append(out, pair)
			sum += out[len(out)-1].Q3
		}
	}
	for k := range out {
		p := &out[k]
		p.Excess = p.Q3 - sum/float64(len(out))
		if math.IsNaN(p.P) {
			continue
		}
		x := min(max(p.Excess, -0.9999), 0.9999)
		z := math.Abs(num.Log((1+x)/(1-x))) / 2 * math.Sqrt(max(p.Subjects-3, 1))
		if residuals != nil && !math.IsNaN(residuals[p.B][p.A]) {
			z = math.Abs(residuals[p.B][p.A])
		}
		p.P = 2 * num.NormalCDF(-z)
	}
	return out
}
