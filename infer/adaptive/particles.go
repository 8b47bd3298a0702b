package adaptive

import (
	"context"
	"fmt"
	"math"

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
	items  *record.Items  // the candidates
	design *layout.Design // bound to the candidates; if the layout names the position of a response, at the next position
	fitted *Fitted        // instead of a design; nil: none
	widths []float64      // of each parameter: the width of its range, or the SD of its prior
	prior  []float64      // of each parameter: the SD of its prior
	first  []float64      // of each parameter: its SD before the first response
	effect float64        // design effect of the responses (likeness.effect); of a subject that was fitted, as a multiple of that of its responses then
	outcomes
	config smc.Config
	stream func(refit int) rng.Rand
	refits int

	draws  [][]float64 // [draw][parameter]
	weight []float64   // of each draw
	p      [][]float64 // [draw] what is expected of responses: outcomes
	h      [][]float64 // [draw][measure × row] entropy of a response, in nats; nil until it is asked for (entropies)
}

// start draws from the prior, or from what was fitted.
func (q *particles) start(total float64) error {
	theta := make([][]float64, q.config.Walkers*q.config.Steps)
	r := q.stream(0)
	var others [][]float64 // draws of the prior of any subject
	for k := range theta {
		if q.fitted != nil {
			var any []float64
			theta[k], any = q.fitted.draw(k, len(theta), &r)
			others = append(others, any)
			continue
		}
		theta[k] = make([]float64, len(q.parameters()))
		q.design.DrawPrior(&r, theta[k])
	}
	if others == nil {
		others = theta
	}
	for i, p := range q.parameters() {
		width := p.Range[1] - p.Range[0]
		if math.IsInf(width, 0) {
			width = spread(others, q.at(i))
		}
		q.widths = append(q.widths, width)
		q.prior, q.first = append(q.prior, spread(others, q.at(i))), append(q.first, spread(theta, q.at(i)))
	}
	return q.use(theta, total)
}

// spread returns the SD of one value of draws.
func spread(draws [][]float64, at int) float64 {
	x := make([]float64, len(draws))
	for k, theta := range draws {
		x[k] = theta[at]
	}
	_, v := num.Moments(x)
	return math.Sqrt(v)
}

// What particles need of a layout that is bound.

func (q *particles) joint() *layout.Joint {
	if q.fitted != nil {
		return q.fitted.Joint
	}
	return q.design.Joint
}

func (q *particles) parameters() []layout.Parameter { return q.joint().Layout().Parameters }

// at returns the index of a parameter of the subject in a draw.
func (q *particles) at(i int) int { return q.joint().First(i) }

// row says which candidates are alike: those in one row.
func (q *particles) row(item int) int {
	if q.fitted != nil {
		return item
	}
	return q.design.Row(item)
}

// measures returns the number of measures.
func (q *particles) measures() int { return len(q.joint().Layout().Responses) }

// byPosition reports whether what is predicted depends on the position of a response.
func (q *particles) byPosition() bool { return q.joint().Layout().ByPosition(q.items) }

// data binds the layout to the responses of the subject and, if it names their position, to these positions in place of the
// next one.
func (q *particles) data(responses []record.Response) (*layout.Design, *layout.Data, error) {
	design := q.design
	if q.byPosition() {
		var items *record.Items
		var err error
		items, responses = q.items.ByPosition(responses)
		if design, err = design.Layout().Bind(items, measuresOf(design)); err != nil {
			return nil, nil, err
		}
	}
	data, err := design.NewData(responses)
	return design, data, err
}

// measuresOf returns the measures of a design that Fits.
func measuresOf(d *layout.Design) (out []record.Measure) {
	for _, name := range d.Measures() {
		out = append(out, record.Measure{Name: name, Family: record.Binary})
	}
	return out
}

// move makes the next position the one at which the candidates are predicted.
func (q *particles) move(position int) error {
	if !q.byPosition() {
		return nil
	}
	var err error
	if q.design, err = q.design.Layout().Bind(At(q.items, position), measuresOf(q.design)); err != nil {
		return err
	}
	return q.predict()
}

// At returns candidates as trials at one position, so that a layout that names the position of a response can be bound to them.
func At(candidates *record.Items, position int) *record.Items {
	trials := make([]record.Response, candidates.Len())
	for i := range trials {
		trials[i] = record.Response{Item: int32(i), Position: int32(position)}
	}
	out, _ := candidates.ByPosition(trials)
	return out
}

// use makes theta the draws, with equal weights that sum to total.
func (q *particles) use(theta [][]float64, total float64) error {
	q.draws, q.weight = theta, make([]float64, len(theta))
	for k := range theta {
		q.weight[k] = total / float64(len(theta))
	}
	return q.predict()
}

// predict sets p.
func (q *particles) predict() error {
	predict, err := q.predictor()
	if err != nil {
		return err
	}
	if q.fitted == nil {
		q.outcomes = outcomesOf(q.joint(), q.design.Rows()) // there are others at another position
	}
	q.p, q.h = make([][]float64, len(q.draws)), nil
	for k, theta := range q.draws {
		q.p[k] = make([]float64, q.len())
		predict(theta, q.p[k])
	}
	return nil
}

// entropies returns h.
func (q *particles) entropies() [][]float64 {
	if q.h == nil {
		q.h = make([][]float64, len(q.p))
		for k, p := range q.p {
			for m := range q.measures() {
				for row := range q.rows {
					q.h[k] = append(q.h[k], q.entropy(p, m, row))
				}
			}
		}
	}
	return q.h
}

// predictor returns a function that writes the probabilities of the outcomes at a draw.
func (q *particles) predictor() (func(theta, p []float64), error) {
	if q.fitted != nil {
		return q.fitted.predictor(q.outcomes)
	}
	data, err := q.design.NewData(nil)
	if err != nil {
		return nil, err
	}
	return q.design.NewTarget(data).Predict, nil
}

// refit draws from the posterior of all responses so far: by tempering from the prior, or by moves of weighted draws if items were fitted.
func (q *particles) refit(ctx context.Context, responses []record.Response, total float64) error {
	if q.fitted != nil {
		q.refits++
		r := q.stream(q.refits)
		theta, err := q.fitted.renew(q.draws, q.weight, responses, &r)
		if err != nil {
			return err
		}
		return q.use(theta, total)
	}
	design, data, err := q.data(responses)
	if err != nil {
		return err
	}
	target := design.NewTarget(data)
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
	return q.use(theta, total)
}

// reweight multiplies the weight of every draw by the probability of the responses.
func (q *particles) reweight(responses []record.Response) error {
	if q.fitted != nil {
		q.fitted.reweight(q, responses)
		return nil
	}
	design, data, err := q.data(responses)
	if err != nil {
		return err
	}
	rows, chances := design.Rows(), q.p
	if design != q.design {
		at := *q
		at.design = design
		if err := at.predict(); err != nil {
			return err
		}
		chances = at.p
	}
	for _, t := range data.Tallies() {
		for k := range q.weight {
			p := chances[k][t.Measure*rows+t.Row]
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

// expect adds to mean, by block and item, and to left, by measure and item, the weighted sums of p and h.
func (q *particles) expect(mean, left []float64, items int) {
	p, h, of := make([]float64, q.len()), make([]float64, q.rows*q.measures()), q.entropies()
	for k, w := range q.weight {
		if w == 0 {
			continue
		}
		num.AddTo(p, w, q.p[k])
		num.AddTo(h, w, of[k])
	}
	for i := range mean {
		mean[i] += p[i/items*q.rows+q.row(i%items)]
	}
	for i := range left {
		left[i] += h[i/items*q.rows+q.row(i%items)]
	}
}

// precision returns, for every item, by how much a response to it is expected to lower the variance of the capabilities, each as a
// share of its range, in sum. With the probabilities p_k of the responses there can be, the variance of θ falls in expectation by that of its
// conditional mean given the response, Σ_k Cov(p_k, θ)²/E[p_k]; of success or failure, Cov(p, θ)²/(E[p](1 − E[p])), and of a score y where θ is predicted
// linearly, Cov(E[y|θ], θ)²/Var(y). It is summed over the measures, as if they were independent.
func (q *particles) precision(items int) []float64 {
	total, parameters, n := q.total(), q.parameters(), q.len()
	mean := make([]float64, n)
	for k, w := range q.weight {
		num.AddTo(mean, w/total, q.p[k])
	}
	falls := make([]float64, q.rows)
	covariance := make([]float64, q.rows)
	for j := range parameters {
		if parameters[j].Group != layout.Capability {
			continue
		}
		centre := q.mean(j)
		for block, kind := range q.kind {
			if kind == ofArgument || kind == ofSquare {
				continue
			}
			clear(covariance)
			for k, w := range q.weight {
				d := float64(w/total) * ((q.draws[k][q.at(j)] - centre) / q.widths[j])
				num.AddTo(covariance, d, q.p[k][block*q.rows:(block+1)*q.rows])
			}
			for i, c := range covariance {
				falls[i] += q.share(mean, block, i, c)
			}
		}
	}
	out := make([]float64, items)
	for i := range out {
		out[i] = falls[q.row(i)]
	}
	return out
}

// mean returns the mean of parameter j.
func (q *particles) mean(j int) float64 {
	sum, total := 0.0, q.total()
	for k, w := range q.weight {
		sum += float64(w / total * q.draws[k][q.at(j)])
	}
	return sum
}

// total returns the sum of the weights.
func (q *particles) total() float64 { return num.Sum(q.weight) }

// scale multiplies all weights by a factor.
func (q *particles) scale(by float64) {
	for k := range q.weight {
		q.weight[k] *= by
	}
}

// effective returns the effective number of the draws, (Σw)²/Σw² (Kong 1992).
func (q *particles) effective() float64 {
	total, squares := q.total(), num.Dot(q.weight, q.weight)
	if !(squares > 0) {
		return 0
	}
	return total * total / squares
}

// capabilities returns the indices of the parameters that are capabilities.
func (q *particles) capabilities() (out []int) {
	for i, p := range q.parameters() {
		if p.Group == layout.Capability {
			out = append(out, i)
		}
	}
	return out
}

// largest returns the largest SD of a capability as a share of its width.
func (q *particles) largest() float64 {
	most := 0.0
	for _, i := range q.capabilities() {
		most = max(most, q.sd(i)/q.widths[i])
	}
	return most
}

// sd returns the SD of parameter i; of a capability where responses are alike within clusters, a wider one.
func (q *particles) sd(i int) float64 {
	mean, total, square := q.mean(i), q.total(), 0.0
	for k, w := range q.weight {
		d := q.draws[k][q.at(i)] - mean
		square += float64(w / total * float64(d*d))
	}
	if q.parameters()[i].Group != layout.Capability {
		return math.Sqrt(square)
	}
	return q.wider(i, math.Sqrt(square))
}
