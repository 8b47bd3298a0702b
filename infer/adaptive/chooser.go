// Package adaptive chooses, item by item, what a subject takes next: the item whose response is expected to say most about
// the subject's profile, given the responses so far.
//
// The expected information of an item is the mutual information between its response and the parameters of the layout
// (Lindley 1956, Annals of Mathematical Statistics 27). It is computed from draws of the posterior, which are reweighted
// after each response, and drawn anew when their effective number has halved.
package adaptive

import (
	"context"
	"errors"
	"fmt"
	"math"

	"achilles/infer/layout"
	"achilles/infer/smc"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Settings say how items are chosen and when a subject has taken enough of them.
type Settings struct {
	Items  int     // largest number of items that a subject takes, at least 1
	SD     float64 // stop when the posterior SD of every capability, as a share of its range, is at most SD; 0: never
	Random bool    // choose items at random, to compare with
}

// population gives 1024 draws, at every refit.
var population = smc.Config{Walkers: 64, Steps: 16, Keep: 0.5}

// A Chooser chooses the items of one subject. It sees the items and the responses so far, and nothing else.
type Chooser struct {
	settings  Settings
	design    *layout.Design
	target    *layout.Target
	random    rng.Rand
	stream    func(refit int) rng.Rand
	taken     []bool // by item
	items     int    // number of items taken
	responses []record.Response
	refits    int

	draws  [][]float64 // [draw][parameter]
	weight []float64   // of each draw; they sum to 1
	p      [][]float64 // [draw][measure × row] success probability
	h      [][]float64 // entropy of a response with probability p, in nats
}

// New returns a chooser for a subject without responses. d is bound to the candidates, of which there are items. The random
// streams have the name of the subject. It returns an error if a measure of the layout is not binary, or if the layout takes
// a parameter from the mean of the responses, because this mean depends on which items are chosen.
func New(d *layout.Design, items int, s Settings, subject string) (*Chooser, error) {
	for m := range d.Measures() {
		if !d.Binary(m) {
			return nil, errors.New("adaptive: the layout has a response that is not bernoulli")
		}
	}
	if d.UsesMeans() {
		return nil, fmt.Errorf("adaptive: the layout %s takes the mean of the responses, which depends on the items that are chosen: want a layout with a fixed chance rate, such as op-fixed", d.Layout().Name)
	}
	c := &Chooser{settings: s, design: d, random: rng.Stream(0, "adaptive", subject), taken: make([]bool, items)}
	c.stream = func(refit int) rng.Rand { return rng.Stream(0, "adaptive", subject, fmt.Sprint(refit)) }
	if err := c.bind(); err != nil {
		return nil, err
	}
	theta := make([][]float64, population.Walkers*population.Steps)
	r := c.stream(0)
	for k := range theta {
		theta[k] = make([]float64, len(d.Parameters()))
		d.DrawPrior(&r, theta[k])
	}
	c.use(theta)
	return c, nil
}

// bind makes the target for the responses so far.
func (c *Chooser) bind() error {
	data, err := c.design.NewData(c.responses)
	if err != nil {
		return err
	}
	c.target = c.design.NewTarget(data)
	return nil
}

// use makes theta the draws, with equal weights.
func (c *Chooser) use(theta [][]float64) {
	n := c.design.Rows() * len(c.design.Measures())
	c.draws, c.weight, c.p, c.h = theta, make([]float64, len(theta)), make([][]float64, len(theta)), make([][]float64, len(theta))
	for k := range theta {
		c.weight[k] = 1 / float64(len(theta))
		c.p[k], c.h[k] = make([]float64, n), make([]float64, n)
		c.target.Predict(theta[k], c.p[k])
		for i, p := range c.p[k] {
			c.h[k][i] = entropy(p)
		}
	}
}

// entropy returns the entropy of a response with success probability p, in nats.
func entropy(p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	return -float64(p*num.Log(p)) - float64((1-p)*num.Log1p(-p))
}

// Next returns the item to take next, or false if the subject has taken enough items or all candidates.
func (c *Chooser) Next() (item int, ok bool) {
	if c.items == min(c.settings.Items, len(c.taken)) || c.items > 0 && c.settings.SD > 0 && c.largestSD() <= c.settings.SD {
		return 0, false
	}
	if c.settings.Random {
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
	gain := c.Information()
	best := -1
	for i, taken := range c.taken {
		if !taken && (best < 0 || gain[c.design.Row(i)] > gain[c.design.Row(best)]) {
			best = i
		}
	}
	return best, true
}

// Information returns the expected information of an item of each distinct row of the design, in nats: the entropy of the
// expected response minus the expected entropy of the response. It is summed over the measures.
func (c *Chooser) Information() []float64 {
	rows := c.design.Rows()
	mean, left := make([]float64, rows*len(c.design.Measures())), make([]float64, rows*len(c.design.Measures()))
	for k, w := range c.weight {
		if w == 0 {
			continue
		}
		for i, p := range c.p[k] {
			mean[i] += float64(w * p)
			left[i] += float64(w * c.h[k][i])
		}
	}
	out := make([]float64, rows)
	for i, p := range mean {
		out[i%rows] += max(0, entropy(p)-left[i])
	}
	return out
}

// Record adds the responses to an item: it reweights the draws or, if their effective number is then less than half of
// them, draws new ones by tempering from the prior.
func (c *Chooser) Record(ctx context.Context, item int, responses []record.Response) error {
	c.taken[item] = true
	c.items++
	c.responses = append(c.responses, responses...)
	if err := c.bind(); err != nil {
		return err
	}
	one, err := c.design.NewData(responses)
	if err != nil {
		return err
	}
	for _, t := range one.Tallies() {
		for k := range c.weight {
			p := c.p[k][t.Measure*c.design.Rows()+t.Row]
			if t.Value == 0 {
				p = 1 - p
			}
			for range t.Count {
				c.weight[k] *= p
			}
		}
	}
	total, squares := 0.0, 0.0
	for _, w := range c.weight {
		total += w
		squares += float64(w * w)
	}
	if !(total > 0) || total*total < float64(squares*float64(len(c.weight))/2) {
		return c.refit(ctx)
	}
	for k := range c.weight {
		c.weight[k] /= total
	}
	return nil
}

// refit draws from the posterior of all responses so far.
func (c *Chooser) refit(ctx context.Context) error {
	c.refits++
	found, err := smc.Run(ctx, c.target, population, c.stream(c.refits))
	if err != nil {
		return fmt.Errorf("adaptive: %w", err)
	}
	theta := make([][]float64, len(found.Points))
	for k, z := range found.Points {
		theta[k] = make([]float64, len(z))
		c.target.FromOdds(z, theta[k])
		c.target.Constrain(theta[k], theta[k])
	}
	c.use(theta)
	return nil
}

// Mean returns the posterior mean of every parameter, in the order of the layout.
func (c *Chooser) Mean() []float64 {
	out := make([]float64, len(c.design.Parameters()))
	for k, w := range c.weight {
		for i, x := range c.draws[k] {
			out[i] += float64(w * x)
		}
	}
	return out
}

// SD returns the posterior standard deviation of every parameter, in the order of the layout.
func (c *Chooser) SD() []float64 {
	out := make([]float64, len(c.design.Parameters()))
	for i, mean := range c.Mean() {
		square := 0.0
		for k, w := range c.weight {
			d := c.draws[k][i] - mean
			square += float64(w * float64(d*d))
		}
		out[i] = math.Sqrt(square)
	}
	return out
}

// largestSD returns the largest posterior SD of a capability, as a share of its range.
func (c *Chooser) largestSD() float64 {
	most := 0.0
	sd := c.SD()
	for i, p := range c.design.Parameters() {
		if p.Group == layout.Capability {
			most = max(most, sd[i]/(p.Range[1]-p.Range[0]))
		}
	}
	return most
}
