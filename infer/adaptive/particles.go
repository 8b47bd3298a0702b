package adaptive

import (
	"context"
	"fmt"

	"achilles/infer/layout"
	"achilles/infer/smc"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// population gives the 1024 draws of the model with the profile, and rivalPopulation the 256 of another.
var (
	population      = smc.Config{Walkers: 64, Steps: 16, Keep: 0.5}
	rivalPopulation = smc.Config{Walkers: 32, Steps: 8, Keep: 0.5}
)

// particles are weighted draws from the posterior of one model. Their weights sum to the posterior probability of the
// model.
type particles struct {
	design *layout.Design
	config smc.Config
	stream func(refit int) rng.Rand
	refits int

	draws  [][]float64 // [draw][parameter]
	weight []float64   // of each draw
	p      [][]float64 // [draw][measure × row] success probability
	h      [][]float64 // entropy of a response with probability p, in nats
}

// start draws from the prior.
func (q *particles) start(total float64) error {
	target, err := q.target(nil)
	if err != nil {
		return err
	}
	theta := make([][]float64, q.config.Walkers*q.config.Steps)
	r := q.stream(0)
	for k := range theta {
		theta[k] = make([]float64, len(q.design.Parameters()))
		q.design.DrawPrior(&r, theta[k])
	}
	q.use(target, theta, total)
	return nil
}

func (q *particles) target(responses []record.Response) (*layout.Target, error) {
	data, err := q.design.NewData(responses)
	if err != nil {
		return nil, err
	}
	return q.design.NewTarget(data), nil
}

// use makes theta the draws, with equal weights that sum to total.
func (q *particles) use(target *layout.Target, theta [][]float64, total float64) {
	n := q.design.Rows() * len(q.design.Measures())
	q.draws, q.weight, q.p, q.h = theta, make([]float64, len(theta)), make([][]float64, len(theta)), make([][]float64, len(theta))
	for k := range theta {
		q.weight[k] = total / float64(len(theta))
		q.p[k], q.h[k] = make([]float64, n), make([]float64, n)
		target.Predict(theta[k], q.p[k])
		for i, p := range q.p[k] {
			q.h[k][i] = num.BinaryEntropy(p)
		}
	}
}

// refit draws from the posterior of all responses so far, by tempering from the prior.
func (q *particles) refit(ctx context.Context, responses []record.Response, total float64) error {
	target, err := q.target(responses)
	if err != nil {
		return err
	}
	q.refits++
	found, err := smc.Run(ctx, target, q.config, q.stream(q.refits))
	if err != nil {
		return fmt.Errorf("adaptive: %w", err)
	}
	theta := make([][]float64, len(found.Points))
	for k, z := range found.Points {
		theta[k] = make([]float64, len(z))
		target.FromOdds(z, theta[k])
		target.Constrain(theta[k], theta[k])
	}
	q.use(target, theta, total)
	return nil
}

// reweight multiplies the weight of every draw by the probability of the responses.
func (q *particles) reweight(responses []record.Response) error {
	data, err := q.design.NewData(responses)
	if err != nil {
		return err
	}
	for _, t := range data.Tallies() {
		for k := range q.weight {
			p := q.p[k][t.Measure*q.design.Rows()+t.Row]
			if t.Value == 0 {
				p = 1 - p
			}
			for range t.Count {
				q.weight[k] *= p
			}
		}
	}
	return nil
}

// expect adds to mean and left, by measure and item, the weighted sums of p and h.
func (q *particles) expect(mean, left []float64, items int) {
	rows := q.design.Rows()
	p, h := make([]float64, rows*len(q.design.Measures())), make([]float64, rows*len(q.design.Measures()))
	for k, w := range q.weight {
		if w == 0 {
			continue
		}
		for i, x := range q.p[k] {
			p[i] += float64(w * x)
			h[i] += float64(w * q.h[k][i])
		}
	}
	for i := range mean {
		at := i/items*rows + q.design.Row(i%items)
		mean[i] += p[at]
		left[i] += h[at]
	}
}

// total returns the sum of the weights.
func (q *particles) total() float64 {
	sum := 0.0
	for _, w := range q.weight {
		sum += w
	}
	return sum
}

// scale multiplies all weights by a factor.
func (q *particles) scale(by float64) {
	for k := range q.weight {
		q.weight[k] *= by
	}
}

// effective returns the effective number of the draws, (Σw)²/Σw² (Kong 1992).
func (q *particles) effective() float64 {
	total, squares := 0.0, 0.0
	for _, w := range q.weight {
		total += w
		squares += float64(w * w)
	}
	if !(squares > 0) {
		return 0
	}
	return total * total / squares
}
