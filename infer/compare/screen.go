package compare

import (
	"slices"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A screen estimates by how much a further component would raise the log likelihood of a fitted explanation.
type screen struct {
	cells
	target   *layout.Target // of the component
	strong   int            // index of the parameter strong
	rows, at []float64
}

// cells has the responses, grouped by the row of their item in the design of an explanation and in the design of another
// layout. A row of a design is a class of items that are equal for its layout.
type cells struct {
	each []cell
	hits float64 // number of successes
}

// A cell has the responses to the items of one row of the explanation and one row of the other layout.
type cell struct {
	own     int     // row in the design of the explanation
	row     int     // row in the design of the other layout
	p       float64 // success probability under the explanation
	n, hits float64 // number of responses, and of successes
}

// screenDraws is the number of draws of a component's parameters from the prior. In each of screenSweeps sweeps, the
// parameters of the best draw are drawn anew, one after the other.
const (
	screenDraws  = 48
	screenSweeps = 3
)

// newScreen returns the screen of component e for the explanation f. p has the success probabilities of the rows of f.
func newScreen(f *Fitted, p []float64, e *Entry, responses []record.Response) *screen {
	s := &screen{cells: newCells(f, p, e.Design.Row, responses), rows: make([]float64, e.Design.Rows())}
	data, err := e.Design.NewData(nil)
	if err != nil {
		panic("compare: " + err.Error()) // a component uses no mean of the responses
	}
	s.target = e.Design.NewTarget(data)
	for i, x := range e.Design.Parameters() {
		if x.Name == strong {
			s.strong = i
		}
	}
	s.at = make([]float64, s.target.Dim())
	return s
}

// newCells returns the cells of the responses. p has the success probabilities of the rows of f, and other returns the row of
// an item in the other layout.
func newCells(f *Fitted, p []float64, other func(item int) int, responses []record.Response) (out cells) {
	known := num.Numbering[[2]int]{}
	for _, r := range responses {
		if r.Unscored != 0 {
			continue
		}
		key := [2]int{f.Design.Row(int(r.Item)), other(int(r.Item))}
		k := known.Of(key)
		if k == len(out.each) {
			out.each = append(out.each, cell{own: key[0], row: key[1], p: p[key[0]]})
		}
		out.each[k].n++
		out.each[k].hits += r.Value
		out.hits += r.Value
	}
	return out
}

// predict sets the success probabilities to p, those of the rows of the explanation.
func (c *cells) predict(p []float64) {
	for i := range c.each {
		c.each[i].p = p[c.each[i].own]
	}
}

// newtonSteps is the number of Newton steps to the largest log likelihood, which is concave in the factor.
const newtonSteps = 5

// logLik returns the log likelihood of the responses if the success probabilities of the explanation are multiplied by a share
// for each row of the other layout, and by the common factor that makes it largest. No probability exceeds 1.
func (c *cells) logLik(share []float64) float64 {
	expected, top := 0.0, floor
	for _, x := range c.each {
		q := x.p * share[x.row]
		expected += float64(x.n * q)
		top = max(top, q)
	}
	most := (1 - floor) / top
	factor := min(c.hits/max(expected, floor), most)
	for range newtonSteps {
		if factor <= floor {
			break
		}
		slope, bend := c.hits/factor, c.hits/float64(factor*factor)
		for _, x := range c.each {
			if x.hits < x.n {
				q := x.p * share[x.row]
				r := q / max(1-float64(factor*q), floor)
				slope -= float64((x.n - x.hits) * r)
				bend += float64(float64((x.n-x.hits)*r) * r)
			}
		}
		factor = min(max(factor+slope/bend, factor/2), (factor+most)/2)
	}
	sum := 0.0
	for _, x := range c.each {
		p := min(max(factor*x.p*share[x.row], floor), 1-floor)
		if x.hits > 0 {
			sum += float64(x.hits * num.Log(p))
		}
		if x.hits < x.n {
			sum += float64((x.n - x.hits) * num.Log1p(-p))
		}
	}
	return sum
}

// run returns by how much the component raises the log likelihood of the explanation: most for the best parameters found, mean
// for the mean likelihood over the prior of the component's parameters. Both are estimates, because the parameters of the
// explanation are not refitted. Only strong changes: see logLik. matters is the posterior probability that the component leaves, on
// some items, less than a share weak of the successes.
func (s *screen) run(weak float64, rng *rng.Rand) (most, mean, matters float64) {
	without := s.with(nil)
	d := s.target.Design()
	best := make([]float64, s.target.Dim())
	var all, costly []float64
	for range screenDraws {
		d.DrawPrior(rng, s.at)
		l := s.with(s.at)
		if slices.Min(s.rows) < weak*slices.Max(s.rows) {
			costly = append(costly, l)
		}
		if all = append(all, l); len(all) == 1 || l > most {
			most = l
			copy(best, s.at)
		}
	}
	fresh := make([]float64, len(best))
	for range screenSweeps {
		for k := range best {
			for range 3 {
				d.DrawPrior(rng, fresh)
				copy(s.at, best)
				s.at[k] = fresh[k]
				if l := s.with(s.at); l > most {
					most = l
					copy(best, s.at)
				}
			}
		}
	}
	return most - without, num.LogSumExp(all) - num.Log(screenDraws) - without, num.Exp(num.LogSumExp(costly) - num.LogSumExp(all))
}

// with returns the log likelihood of the responses with the component, whose parameters are theta, or without the component if
// theta is nil.
func (s *screen) with(theta []float64) float64 {
	for i := range s.rows {
		s.rows[i] = 1
	}
	if theta != nil {
		theta[s.strong] = 1
		s.target.Predict(theta, s.rows)
	}
	return s.logLik(s.rows)
}
