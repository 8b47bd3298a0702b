// Package adaptive chooses, item by item, what a subject takes next: the item whose response is expected to say most about
// the subject's profile and about which explanation of its responses is right, given the responses so far.
//
// The expected information of an item is the mutual information between its response and the explanation with its
// parameters (Lindley 1956, Annals of Mathematical Statistics 27). It is computed from draws of the posterior, which are reweighted
// after each response, and drawn anew when their effective number has halved.
//
// Forms of a test, which are the same for everybody, are chosen here too: Form by a layout, ShortForms by the responses of others.
package adaptive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Settings say how items are chosen and when a subject has taken enough of them.
type Settings struct {
	Items  int     // largest number of items that a subject takes, at least 1
	SD     float64 // stop when the posterior SD of every capability, as a share of its range or else of its prior SD, is at most SD; 0: never
	Checks float64 // share of the items that are drawn at random, from 0 to below 1: those that say most say little of what no model has
	Order  string  // how the next item is found, one of the orders; empty: ByInformation
}

// The orders. The last two, in which nothing is expected, are there to compare with.
const (
	ByInformation = "information" // the item that is expected to say most
	ByPrecision   = "precision"   // the item that is expected to leave the least variance in the capabilities, each as a share of its range
	AtRandom      = "random"      // any item, with equal probabilities
	Fixed         = "fixed"       // the first item that is left, so that all subjects take the same
)

// Check returns the reason why items cannot be chosen by these models: a model has a measure that is not binary, or takes a
// parameter from the mean of the responses, because this mean depends on which items are chosen; or Settings has an SD, but
// the first model has no capability or one without a range.
func Check(models []Model, s Settings) error {
	for _, m := range models {
		if m.Fitted != nil {
			if err := m.Fitted.check(); err != nil {
				return err
			}
		} else if err := Fits(m.Design); err != nil {
			return err
		}
	}
	if f := models[0].Fitted; f != nil {
		return s.check(f.Joint)
	}
	return s.check(models[0].Design.Joint)
}

// check returns an error if SD, or the order ByPrecision, has no meaning for the capabilities of a layout.
func (s Settings) check(j *layout.Joint) error {
	what := "sd"
	switch {
	case s.Order == ByPrecision:
		what = "order " + ByPrecision
	case s.SD == 0:
		return nil
	}
	n := 0
	for i, p := range j.Layout().Parameters {
		if p.Group != layout.Capability {
			continue
		}
		n++
		if math.IsInf(p.Range[1]-p.Range[0], 0) && math.IsInf(j.PriorSD()[i], 1) {
			return fmt.Errorf("%s needs a range or an SD of each capability, and the prior of %s has neither: leave out %s, or give it another prior", what, p.Name, what)
		}
	}
	if n == 0 {
		return fmt.Errorf("%s is about capabilities, and layout %s has none: leave out %s", what, j.Layout().Name, what)
	}
	return nil
}

// A Model is one explanation of the responses: a layout that is bound to the candidates, or that was fitted to them, with its prior weight.
type Model struct {
	Design *layout.Design
	Fitted *Fitted // instead of a design; nil: none
	Prior  float64
}

func (m Model) outcomes(items *record.Items) outcomes {
	if m.Fitted != nil {
		return outcomesOf(m.Fitted.Joint, items.Len())
	}
	return outcomesOf(m.Design.Joint, m.Design.Rows())
}

// A Chooser chooses the items of one subject. It sees the items and the responses so far, and nothing else.
type Chooser struct {
	settings  Settings
	models    []*particles // the first one has the profile
	random    rng.Rand
	taken     []bool // by item
	items     int    // number of items taken
	responses []record.Response
	alike     likeness // of the items taken
	given     float64  // its design effect before the first that was chosen
}

// New returns a chooser for a subject without responses. The first of the models has the profile whose SD Settings
// mean; the others, such as the rivals of a bank, may be none. Their designs are bound to the candidates or, if one of their
// layouts names the position of a response, to At(candidates, 1). Priors are relative to each other. The random streams have the name
// of the subject. The error is that of Check.
func New(models []Model, candidates *record.Items, s Settings, subject string) (*Chooser, error) {
	if err := Check(models, s); err != nil {
		return nil, err
	}
	c := &Chooser{settings: s, random: rng.Stream(0, "adaptive", subject), taken: make([]bool, candidates.Len())}
	for k, m := range models {
		q := &particles{items: candidates, design: m.Design, fitted: m.Fitted, outcomes: m.outcomes(candidates), config: rivalPopulation, stream: func(refit int) rng.Rand {
			return rng.Stream(0, "adaptive", subject, strconv.Itoa(k), strconv.Itoa(refit))
		}}
		if k == 0 {
			q.config = population
		}
		if err := q.start(m.Prior); err != nil {
			return nil, err
		}
		c.models = append(c.models, q)
	}
	c.normalise()
	if f := models[0].Fitted; f != nil {
		for _, x := range f.Given {
			c.taken[x.Item] = true
		}
		c.responses = slices.Clone(f.Given)
		c.alike.by = f.Within
		for i, taken := range c.taken {
			if taken {
				c.alike = c.alike.with(i)
			}
		}
		c.given = c.alike.effect()
		c.models[0].effect = c.effect(c.alike)
	}
	return c, nil
}

// Fits returns the reason why items cannot be chosen by a design, or nil.
func Fits(d *layout.Design) error {
	for m := range d.Measures() {
		if !d.Binary(m) {
			return errNotBernoulli
		}
	}
	if d.UsesMeans() {
		return usesMeans(d.Layout())
	}
	return nil
}

var errNotBernoulli = errors.New("the layout has a response that is not bernoulli: items whose demands are known are chosen by successes and failures")

func usesMeans(l *layout.Layout) error {
	return fmt.Errorf("layout %s uses the mean of the responses, which depends on the items that are chosen: use a layout with a fixed chance rate, such as op-fixed", l.Name)
}

// normalise makes the weights of all draws sum to 1. It returns false if all are 0.
func (c *Chooser) normalise() bool {
	total := 0.0
	for _, q := range c.models {
		total += q.total()
	}
	if !(total > 0) {
		return false
	}
	for _, q := range c.models {
		q.scale(1 / total)
	}
	return true
}

// Why a subject has taken enough items.
const (
	Reached = "sd"    // every capability is known as well as Settings want
	Took    = "items" // as many were taken as Settings allow
	AllGone = "all"   // no candidate is left
)

// Enough returns why the subject has taken enough items, or "" if it has not.
func (c *Chooser) Enough() string {
	switch {
	case c.left() == 0:
		return AllGone
	case c.items >= c.settings.Items:
		return Took
	case len(c.responses) > 0 && c.settings.SD > 0 && c.LargestSD() <= c.settings.SD:
		return Reached
	}
	return ""
}

// left returns the number of candidates that were not taken.
func (c *Chooser) left() (n int) {
	for _, taken := range c.taken {
		if !taken {
			n++
		}
	}
	return n
}

// Next returns the item to take next, or false if the subject has taken enough items or all candidates.
func (c *Chooser) Next() (item int, ok bool) {
	if c.Enough() != "" {
		return 0, false
	}
	check := math.Floor(c.settings.Checks*float64(c.items+1)) > math.Floor(c.settings.Checks*float64(c.items)) // with 0.2, every fifth
	switch {
	case c.settings.Order == Fixed:
		return slices.Index(c.taken, false), true
	case c.settings.Order == AtRandom || check:
		left := c.random.IntN(c.left())
		for i, taken := range c.taken {
			if !taken {
				if left == 0 {
					return i, true
				}
				left--
			}
		}
	}
	gain := c.gain()
	best := -1
	for i, taken := range c.taken {
		if !taken && (best < 0 || gain[i] > gain[best]) {
			best = i
		}
	}
	return best, true
}

// gain returns what is expected of every item.
func (c *Chooser) gain() []float64 {
	if c.settings.Order == ByPrecision {
		return c.models[0].precision(len(c.taken))
	}
	return c.Information()
}

// Information returns the expected information of every item about the model and its parameters, in nats: the entropy of
// the expected response minus the expected entropy of the response. It is summed over the measures.
func (c *Chooser) Information() []float64 {
	n := len(c.taken)
	all := outcomesOf(c.models[0].joint(), n) // by item in place of row
	mean, left := make([]float64, all.len()), make([]float64, n*len(all.number))
	for _, q := range c.models {
		q.expect(mean, left, n)
	}
	out := make([]float64, n)
	for i, h := range left {
		out[i%n] += max(0, all.entropy(mean, i/n, i%n)-h)
	}
	return out
}

// Record adds the responses to an item, which come after all that were recorded before; a count is of one trial (ByTrial). It reweights the draws. Those of a model
// whose effective number is then less than half of them are drawn anew if the model still counts.
func (c *Chooser) Record(ctx context.Context, item int, responses []record.Response) error {
	c.taken[item] = true
	c.items++
	c.alike = c.alike.with(item)
	c.models[0].effect = c.effect(c.alike)
	for _, r := range responses {
		r.Position, r.Trials = int32(len(c.responses)+1), 1
		c.responses = append(c.responses, r)
	}
	responses = c.responses[len(c.responses)-len(responses):]
	for _, q := range c.models {
		if err := q.reweight(responses); err != nil {
			return err
		}
	}
	alive := c.normalise()
	for k, q := range c.models {
		if c.items < min(c.settings.Items, len(c.taken)) { // else a next position may be outside the range of the layout
			if err := q.move(len(c.responses) + 1); err != nil {
				return err
			}
		}
		total := q.total()
		if alive && (q.effective() >= float64(len(q.weight))/2 || k > 0 && total < negligible) {
			continue
		}
		if err := q.refit(ctx, c.responses, max(total, least)); err != nil {
			return err
		}
	}
	c.normalise()
	return nil
}

// negligible is the weight below which a rival is not drawn anew; least is the weight that remains of a model which no
// draw of its prior explains, but which has the profile.
const (
	negligible = 1e-3
	least      = 1e-9
)

// effect returns the design effect of items, beyond that with which the subject was fitted.
func (c *Chooser) effect(of likeness) float64 { return of.effect() / max(1, c.given) }

// Mean returns the posterior mean of every parameter of the first model, in its order; of those of items that of the first.
func (c *Chooser) Mean() (out []float64) {
	for i := range c.models[0].parameters() {
		out = append(out, c.models[0].mean(i))
	}
	return out
}

// SD returns the posterior standard deviation of every parameter of the first model, in its order.
func (c *Chooser) SD() (out []float64) {
	for i := range c.models[0].parameters() {
		out = append(out, c.models[0].sd(i))
	}
	return out
}

// LargestSD returns the largest posterior SD of a capability, as a share of its range or else of its prior SD.
func (c *Chooser) LargestSD() float64 { return c.models[0].largest() }

// A Candidate is an item that may come next.
type Candidate struct {
	Item        int
	Information float64 // expected of its response, in nats
	P           float64 // probability of success, or the expected category, of the first measure
	SD          float64 // expected after its response: the largest posterior SD of a capability, as LargestSD
}

// Best returns the n candidates of which most is expected, as Settings say, the best first. Those drawn at random for checks are left out.
func (c *Chooser) Best(n int) []Candidate {
	gain, information := c.gain(), c.Information()
	var order []int
	for i, taken := range c.taken {
		if !taken {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(gain[j], gain[i]) })
	var out []Candidate
	q := c.models[0]
	now := q.effect
	for _, i := range order[:min(n, len(order))] {
		q.effect = c.effect(c.alike.with(i))
		p, sd := q.after(i)
		out = append(out, Candidate{i, information[i], p, sd})
	}
	q.effect = now
	return out
}
