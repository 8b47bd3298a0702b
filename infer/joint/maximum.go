package joint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Limits of Maximise: outcomes × nodes, values that are estimated, values up to which every chain has a climb of its own, and how often values may be
// found to need their prior.
const (
	mostAtMaximum = 1 << 21
	mostEstimated = 2000
	fewEstimated  = 100
	mostBounds    = 12
)

// Estimable returns the reason why a layout has no maximum marginal likelihood (Maximise), nil if it has one.
func Estimable(l *layout.Layout) error {
	if _, err := layout.SummableTogether(l); err != nil {
		return err
	}
	if !slices.ContainsFunc(l.Parameters, func(p layout.Parameter) bool { return !p.OfSubjects() }) {
		return fmt.Errorf("layout %s: all parameters are those of subjects, and none is left to estimate", l.Name)
	}
	return layout.CheckFixed(l)
}

// Maximise estimates parameters of items and shared ones by maximum marginal likelihood (Bock and Aitkin 1981): those of subjects, one to three with
// their priors, are integrated out, and no other prior counts, so that what these alone depend on, such as the mean difficulty, is not estimated and
// stays where its coordinate is 0. Of values whose likelihood rises without end, such as the difficulty of an item that all passed, the prior counts,
// with a mean and a standard deviation in place of those that are not estimated. Draws are from the normal distribution of the estimates, by the
// observed information, with subjects drawn given each: they have no R-hat, and always a warning.
//
// Maximise returns an error unless the layout is Estimable, *Impossible if the responses are impossible where climbs begin, or if there is no maximum.
func Maximise(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	j := cells.Joint()
	if err := Estimable(j.Layout()); err != nil {
		return nil, err
	}
	s := &settler{ctx: ctx, cells: cells, precision: weighted}
	s.pairs = mostAtMaximum
	f := &fixed{without: layout.PriorAlone(j.Layout()), prior: map[int]string{}}
	f.itemsAlike(cells)
	m, err := s.highestBounded(f, c.Chains, root, path...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var none *Impossible
	if errors.As(err, &none) {
		return nil, err
	}
	if err != nil {
		if byChance(cells) {
			err = errChance
		}
		subjects, _ := cells.Size()
		return nil, fmt.Errorf("layout %s: engine mml: %w from %s; choose a layout with fewer parameters, or --engine nuts", j.Layout().Name, err, num.Counted(subjects, "subject"))
	}
	p := &posterior.Posterior{Parameters: Names(j), Engine: posterior.MML, LogEvidence: math.NaN(), LogEvidenceError: math.NaN(), Maximum: m.estimates()}
	p.Work.Gradients = s.gradients
	p.Warnings = m.warnings(p.Parameters)
	r := rng.Stream(root, append(slices.Clone(path), "mml")...)
	points := m.normal(c.Chains*c.Draws, &r)
	all, err := m.complete(ctx, points, c.Jobs, root, path...)
	if err != nil {
		return nil, err
	}
	p.Draws = slices.Collect(slices.Chunk(all, c.Draws))
	p.Summaries = summaries(p.Draws)
	if c.Progress != nil {
		c.Progress(1, 1)
	}
	return p, nil
}

// widestError is the standard error of a coordinate from which on nothing is known of it: draws of a spread, whose logarithm it is, would overflow.
const widestError = 10

// wideError is that at which a value is held to make a ridge where there is one: priors have standard deviations of about 1 in coordinates.
const wideError = 3

// ridges notes the values of which the responses say next to nothing because others make up for them, such as the difficulty of an item whose discrimination
// is near 0: their priors count. factor is the Cholesky factor of the curvature by the values of keep, and limit the standard error from which on a value is
// one of them. It reports whether there are any that it had not noted.
func (f *fixed) ridges(keep []int, factor num.Lower, limit float64) (found bool) {
	for i, at := range keep {
		column := make([]float64, len(keep))
		column[i] = 1
		factor.Solve(column)
		if !(num.Dot(column, column) < limit*limit) && f.prior[at] == "" {
			f.prior[at], found = "the responses do not determine it beside the others", true
		}
	}
	return found
}

var errChance = errors.New("subjects differ no more than chance can make them, so that slopes and SDs may have no maximum above 0")

// byChance reports whether the scores of subjects vary no more than those of independent binary responses, of which items have their shares of
// successes: the squares of their differences from what is expected, over their variances, add up to n, the number of subjects, with a variance of
// about 2n, and here to at most two standard deviations more.
func byChance(cells *layout.Cells) bool {
	subjects, items := cells.Size()
	passed, taken := make([]float64, items), make([]float64, items)
	for _, k := range cells.Used() {
		x := cells.Responses()[k]
		if x.Value != 0 && x.Value != 1 || x.Trials > 1 {
			return false
		}
		passed[x.Item] += x.Value
		taken[x.Item]++
	}
	off, variance := make([]float64, subjects), make([]float64, subjects)
	for _, k := range cells.Used() {
		x := cells.Responses()[k]
		p := passed[x.Item] / taken[x.Item]
		off[x.Subject] += x.Value - p
		variance[x.Subject] += float64(p * (1 - p))
	}
	sum, n := 0.0, 0.0
	for s, v := range variance {
		if v > 0 {
			sum, n = sum+float64(off[s]*off[s])/v, n+1
		}
	}
	return n > 1 && sum <= n+float64(2*math.Sqrt(2*n))
}

var errNothing = errors.New("the responses do not determine any parameter without its prior")

// highestBounded returns the highest maximum that climbs reach, on a grid that is fine enough, after the priors count of all values that need them.
func (s *settler) highestBounded(f *fixed, climbs int, root uint64, path ...string) (*settled, error) {
	for range mostBounds {
		g, err := newIntegral(s.cells, ofSubjects, f, f.mesh(s.cells.Joint().Layout()), s.pairs)
		if err != nil {
			return nil, err
		}
		if n := len(g.keep); n > mostEstimated {
			return nil, fmt.Errorf("there are %d parameters to estimate: at most %d", n, mostEstimated)
		} else if n > fewEstimated {
			climbs = min(climbs, 1)
		}
		var top []float64
		best := math.Inf(-1)
		for i := range climbs {
			r := rng.Stream(root, append(path[:len(path):len(path)], "start", fmt.Sprint(i))...)
			q := g.start(&r, i)
			if l := s.climb(g, q, scales(slices.Repeat([]float64{0.1}, len(q)))); l > best+nats {
				top, best = q, l
			}
		}
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		if top == nil {
			return nil, noStart(s.cells, climbs, root, path...)
		}
		if f.atZero(g, top) {
			continue
		}
		bend := s.bend(g, top)
		if f.astray(g, top, bend, farthest) {
			continue
		}
		if len(f.prior) == len(g.keep) {
			return nil, errNothing
		}
		flat := false
		for slope := roughly / 40; !flat && !bend.Cholesky(); slope /= 10 { // a ridge on which the climb ended too early
			s.climbTo(g, top, scales(slices.Repeat([]float64{0.1}, len(top))), slope)
			bend, flat = s.bend(g, top), slope < roughly/1e4
		}
		var out *settled
		err = errNoTop
		if !flat {
			s.climb(g, top, triangular(bend))
			out, err = s.refine(g, top, bend)
		}
		if (errors.Is(err, errNoTop) || errors.Is(err, errFine)) && !byChance(s.cells) && f.unheld(s, g, top) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !f.astray(out.integral, out.mean, diagonalOf(out.curvature, len(out.mean)), farthest) {
			out.polish()
			if !f.ridges(out.keep, out.curvature, widestError) {
				return out, nil
			}
			if byChance(s.cells) {
				return nil, errNoTop
			}
		}
	}
	return nil, errNoTop
}

// unheld notes the values along which a density has no maximum, or none that a grid is fine enough for: those on a ridge, or else those that the climb has
// taken on the way to infinity. It reports whether there are any.
func (f *fixed) unheld(s *settler, g *integral, q []float64) bool {
	held, limit := s.held(g, q)
	return limit > 0 && f.ridges(g.keep, held, limit) || f.astray(g, q, s.bend(g, q), steep)
}

// held returns the Cholesky factor of the curvature at a point with the information of a wide prior in each direction, the widest under which it has one
// in every direction; and the standard error from which on a value has most of its information from there, wideError at most, 0 if there is no such factor.
func (s *settler) held(g *integral, q []float64) (factor num.Lower, limit float64) {
	for information := 1.0 / (widestError * widestError); ; information *= 2 {
		l := s.bend(g, q)
		for i := range q {
			l.Row(i)[i] += information
		}
		if l.Cholesky() {
			return l, min(wideError, math.Sqrt(0.5/information))
		}
		if information > 1 {
			return l, 0
		}
	}
}

// diagonalOf returns a matrix with the diagonal of that whose Cholesky factor is given.
func diagonalOf(factor num.Lower, n int) num.Lower {
	out := num.NewLower(n)
	for i := range n {
		out.Row(i)[i] = num.Dot(factor.Row(i), factor.Row(i))
	}
	return out
}

// polish takes steps of Newton's method to the maximum.
func (s *settled) polish() {
	t, grad := s.density(), make([]float64, len(s.mean))
	for range 3 {
		t.LogDensity(s.mean, grad)
		s.curvature.Solve(grad)
		if num.Dot(grad, grad) > 1 {
			return // the curvature is another one
		}
		s.curvature.SolveTransposed(grad)
		num.AddTo(s.mean, 1, grad)
	}
}

// estimates returns what is estimated, with standard errors, and how well it fits.
func (s *settled) estimates() *posterior.Maximum {
	n := len(s.mean)
	t := s.density()
	at, above := make([]float64, n), make([]float64, n)
	up := slices.Clone(s.mean)
	const step = 1e-5
	for i := range up {
		up[i] += step
	}
	t.Constrain(s.mean, at)
	t.Constrain(up, above)
	out := &posterior.Maximum{Parameters: n, Patterns: len(s.patterns), Nodes: s.nodes()}
	for i, k := range s.keep {
		column := make([]float64, n)
		column[i] = 1
		s.curvature.Solve(column)
		e := posterior.Estimate{At: k, Value: at[i], Bounds: s.fixed.prior[k]}
		if se := math.Sqrt(num.Dot(column, column)) * math.Abs(above[i]-at[i]) / step; se-se == 0 {
			e.SE = &se
		}
		out.Estimates = append(out.Estimates, e)
	}
	out.Subjects = int(s.responding())
	flat := slices.Clone(s.flat)
	for _, k := range s.here {
		flat[k] = true
	}
	layout.Flatten(t.target, flat)
	out.LogLik = t.value(s.mean)
	k := float64(out.Parameters)
	out.AIC, out.BIC = 2*k-2*out.LogLik, float64(k*num.Log(float64(out.Subjects)))-2*out.LogLik
	out.Fit, out.NoFit = s.fitOfAll()
	return out
}

// mostNamed is the largest number of values that a warning names.
const mostNamed = 5

// warnings returns what a reader of the draws is told.
func (s *settled) warnings(names []string) []posterior.Warning {
	out := []posterior.Warning{{Kind: posterior.Approximate, Message: "maximum marginal likelihood: items are estimated without their priors, and draws are normal around the estimates, so that there is no R-hat; --engine nuts samples the posterior"}}
	why := map[string][]string{}
	var order []string
	for _, k := range s.keep {
		if w := s.fixed.prior[k]; w != "" {
			if why[w] == nil {
				order = append(order, w)
			}
			why[w] = append(why[w], names[k])
		}
	}
	for _, w := range order {
		list, more := why[w], ""
		if n := len(list); n > mostNamed {
			list, more = list[:mostNamed], fmt.Sprintf(" and %d more", n-mostNamed)
		}
		out = append(out, posterior.Warning{Kind: posterior.OtherMaxima, Message: fmt.Sprintf("the likelihood alone has no maximum by %s%s (%s): their priors decide", strings.Join(list, ", "), more, w)})
	}
	return out
}
