// Package adaptive chooses, item by item, what a subject takes next: the item whose response is expected to say most about
// the subject's profile and about which explanation of its responses is right, given the responses so far.
//
// The expected information of an item is the mutual information between its response and the explanation with its
// parameters (Lindley 1956, Annals of Mathematical Statistics 27). It is computed from draws of the posterior, which are reweighted
// after each response, and drawn anew when their effective number has halved.
package adaptive

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Settings say how items are chosen and when a subject has taken enough of them.
type Settings struct {
	Items  int     // largest number of items that a subject takes, at least 1
	SD     float64 // stop when the posterior SD of every capability, as a share of its range, is at most SD; 0: never
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
		if err := Fits(m.Design); err != nil {
			return err
		}
	}
	return s.check(models[0].Design)
}

// check returns an error if SD, or the order ByPrecision, has no meaning for the capabilities of a design.
func (s Settings) check(d *layout.Design) error {
	what := "sd"
	switch {
	case s.Order == ByPrecision:
		what = "order " + ByPrecision
	case s.SD == 0:
		return nil
	}
	n := 0
	for _, p := range d.Parameters() {
		if p.Group != layout.Capability {
			continue
		}
		n++
		if math.IsInf(p.Range[1]-p.Range[0], 0) {
			return fmt.Errorf("adaptive: %s needs the range of each capability, and %s has no bounds: leave out %s, or give it a bounded prior", what, p.Name, what)
		}
	}
	if n == 0 {
		return fmt.Errorf("adaptive: %s is about capabilities, and layout %s has none: leave out %s", what, d.Layout().Name, what)
	}
	return nil
}

// A Model is one explanation of the responses: a layout that is bound to the candidates, with its prior weight.
type Model struct {
	Design *layout.Design
	Prior  float64
}

// A Chooser chooses the items of one subject. It sees the items and the responses so far, and nothing else.
type Chooser struct {
	settings  Settings
	models    []*particles // the first one has the profile
	random    rng.Rand
	taken     []bool // by item
	items     int    // number of items taken
	responses []record.Response
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
		q := &particles{items: candidates, design: m.Design, config: rivalPopulation, stream: func(refit int) rng.Rand {
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
	return c, nil
}

// Fits returns the reason why items cannot be chosen by a design, or nil.
func Fits(d *layout.Design) error {
	for m := range d.Measures() {
		if !d.Binary(m) {
			return errors.New("adaptive: the layout has a response that is not bernoulli")
		}
	}
	if d.UsesMeans() {
		return fmt.Errorf("adaptive: the layout %s takes the mean of the responses, which depends on the items that are chosen: want a layout with a fixed chance rate, such as op-fixed", d.Layout().Name)
	}
	return nil
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

// Next returns the item to take next, or false if the subject has taken enough items or all candidates.
func (c *Chooser) Next() (item int, ok bool) {
	if c.items == min(c.settings.Items, len(c.taken)) || c.items > 0 && c.settings.SD > 0 && c.LargestSD() <= c.settings.SD {
		return 0, false
	}
	check := math.Floor(c.settings.Checks*float64(c.items+1)) > math.Floor(c.settings.Checks*float64(c.items)) // with 0.2, every fifth
	switch {
	case c.settings.Order == Fixed:
		return slices.Index(c.taken, false), true
	case c.settings.Order == AtRandom || check:
		left := c.random.IntN(len(c.taken) - c.items)
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
	measures := len(c.models[0].design.Measures())
	mean, left := make([]float64, len(c.taken)*measures), make([]float64, len(c.taken)*measures)
	for _, q := range c.models {
		q.expect(mean, left, len(c.taken))
	}
	out := make([]float64, len(c.taken))
	for i, p := range mean {
		out[i%len(out)] += max(0, num.BinaryEntropy(p)-left[i])
	}
	return out
}

// Record adds the responses to an item, which come after all that were recorded before. It reweights the draws. Those of a model
// whose effective number is then less than half of them are drawn anew if the model still counts.
func (c *Chooser) Record(ctx context.Context, item int, responses []record.Response) error {
	c.taken[item] = true
	c.items++
	for _, r := range responses {
		r.Position = int32(len(c.responses) + 1)
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

// Mean returns the posterior mean of every parameter of the first model, in its order.
func (c *Chooser) Mean() []float64 {
	q := c.models[0]
	out, total := make([]float64, len(q.design.Parameters())), q.total()
	for k, w := range q.weight {
		for i, x := range q.draws[k] {
			out[i] += float64(w / total * x)
		}
	}
	return out
}

// SD returns the posterior standard deviation of every parameter of the first model, in its order.
func (c *Chooser) SD() []float64 {
	q := c.models[0]
	out, total := make([]float64, len(q.design.Parameters())), q.total()
	for i, mean := range c.Mean() {
		square := 0.0
		for k, w := range q.weight {
			d := q.draws[k][i] - mean
			square += float64(w / total * float64(d*d))
		}
		out[i] = math.Sqrt(square)
	}
	return out
}

// LargestSD returns the largest posterior SD of a capability, as a share of its range.
func (c *Chooser) LargestSD() float64 {
	most := 0.0
	sd := c.SD()
	for i, p := range c.models[0].design.Parameters() {
		if p.Group == layout.Capability {
			most = max(most, sd[i]/(p.Range[1]-p.Range[0]))
		}
	}
	return most
}
