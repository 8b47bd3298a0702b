package compare

import (
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A screen says how much better a component would explain what a fitted explanation leaves unexplained.
type screen struct {
	target   *layout.Target // of the component
	strong   int            // index of the parameter strong
	cells    []cell
	hits, n  float64
	rows, at []float64
}

// A cell has the responses to the items of one row of the explanation and one row of the component.
type cell struct {
	row     int     // row of the component
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
	s := &screen{rows: make([]float64, e.Design.Rows())}
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
	known := map[[2]int]int{}
	for _, r := range responses {
		if r.Unscored != 0 {
			continue
		}
		key := [2]int{f.Design.Row(int(r.Item)), e.Design.Row(int(r.Item))}
		k, ok := known[key]
		if !ok {
			k = len(s.cells)
			known[key] = k
			s.cells = append(s.cells, cell{row: key[1], p: p[key[0]]})
		}
		s.cells[k].n++
		s.cells[k].hits += r.Value
	}
	for _, c := range s.cells {
		s.n += c.n
		s.hits += c.hits
	}
	return s
}

// run returns the log likelihood that the component adds to that of the explanation: the largest found, and the log mean over
// the prior of its parameters. It is an estimate, since the explanation's own parameters stay where they are, but for strong,
// which follows so that as many successes are expected as there are.
func (s *screen) run(rng *rng.Rand) (most, mean float64) {
	without := s.logLik(nil)
	d := s.target.Design()
	best := make([]float64, s.target.Dim())
	var all []float64
	for range screenDraws {
		d.DrawPrior(rng, s.at)
		l := s.logLik(s.at)
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
				if l := s.logLik(s.at); l > most {
					most = l
					copy(best, s.at)
				}
			}
		}
	}
	return most - without, num.LogSumExp(all) - num.Log(screenDraws) - without
}

// logLik is the log likelihood of the responses with the component at these parameters, or without it.
func (s *screen) logLik(theta []float64) float64 {
	for i := range s.rows {
		s.rows[i] = 1
	}
	if theta != nil {
		theta[s.strong] = 1
		s.target.Predict(theta, s.rows)
	}
	expected := 0.0
	for _, c := range s.cells {
		expected += float64(c.n * c.p * s.rows[c.row])
	}
	scale := s.hits / max(expected, floor)
	sum := 0.0
	for _, c := range s.cells {
		p := min(max(scale*c.p*s.rows[c.row], floor), 1-floor)
		sum += float64(c.hits*num.Log(p)) + float64((c.n-c.hits)*num.Log1p(-p))
	}
	return sum
}
