package compare

import (
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A screen says how much better a component would explain what a fitted explanation leaves unexplained.
type screen struct {
	cells
	target   *layout.Target // of the component
	strong   int            // index of the parameter strong
	rows, at []float64
}

// cells are the responses by the rows of an explanation and those of another layout.
type cells struct {
	each []cell
	hits float64
}

// A cell has the responses to the items of one row of the explanation and one row of the other layout.
type cell struct {
	row     int     // row of the other layout
	p       float64 // success probability under the explanation
	n, hits float64
}

// Numbers of draws of a component's parameters from the prior, and of the sweeps in which the best draw's parameters are
// drawn anew, one after the other.
const (
	screenDraws  = 48
	screenSweeps = 3
)

// newScreen sets a component beside an explanation whose rows have these success probabilities.
func newScreen(f *Fitted, p []float64, e *Entry, responses []record.Response) *screen {
	s := &screen{cells: newCells(f, p, e.Design, responses), rows: make([]float64, e.Design.Rows())}
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

func newCells(f *Fitted, p []float64, other *layout.Design, responses []record.Response) (out cells) {
	known := map[[2]int]int{}
	for _, r := range responses {
		if r.Unscored != 0 {
			continue
		}
		key := [2]int{f.Design.Row(int(r.Item)), other.Row(int(r.Item))}
		k, ok := known[key]
		if !ok {
			k = len(out.each)
			known[key] = k
			out.each = append(out.each, cell{row: key[1], p: p[key[0]]})
		}
		out.each[k].n++
		out.each[k].hits += r.Value
		out.hits += r.Value
	}
	return out
}

// logLik is the log likelihood of the responses where the explanation's success probabilities are multiplied by a share for
// each row of the other layout, and by one factor such that as many successes are expected as there are.
func (c *cells) logLik(share []float64) float64 {
	expected := 0.0
	for _, x := range c.each {
		expected += float64(x.n * x.p * share[x.row])
	}
	scale := c.hits / max(expected, floor)
	sum := 0.0
	for _, x := range c.each {
		p := min(max(scale*x.p*share[x.row], floor), 1-floor)
		sum += float64(x.hits*num.Log(p)) + float64((x.n-x.hits)*num.Log1p(-p))
	}
	return sum
}

// run returns the log likelihood that the component adds to that of the explanation: the largest found, and the log mean over
// the prior of its parameters. It is an estimate, since the explanation's own parameters stay where they are, but for strong,
// which follows so that as many successes are expected as there are.
func (s *screen) run(rng *rng.Rand) (most, mean float64) {
	without := s.with(nil)
	d := s.target.Design()
	best := make([]float64, s.target.Dim())
	var all []float64
	for range screenDraws {
		d.DrawPrior(rng, s.at)
		l := s.with(s.at)
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
	return most - without, num.LogSumExp(all) - num.Log(screenDraws) - without
}

// with is the log likelihood of the responses with the component at these parameters, or without it.
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
