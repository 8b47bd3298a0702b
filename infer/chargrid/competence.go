package chargrid

import (
	"cmp"
	"slices"

	"achilles/sim/num"
)

// jeffreys returns the parameters of the beta posterior of a success rate under Jeffreys' prior, after n trials.
func jeffreys(successes, n float64) (a, b float64) { return successes + 0.5, n - successes + 0.5 }

// A Decision says whether subjects are competent in a cell.
type Decision string

// The decisions.
const (
	Competent   Decision = "competent"   // the success rate exceeds the threshold, with the wanted confidence
	Incompetent Decision = "incompetent" // the success rate is below the threshold, with the wanted confidence
	Undecided   Decision = "undecided"   // too little evidence for either
	Untested    Decision = "untested"    // no response
)

// A Criterion says when a cell counts as competent.
type Criterion struct {
	Threshold  float64 `setting:"threshold" limits:"(0, 1)" doc:"success rate above which a cell shows competence"`
	Confidence float64 `setting:"confidence" limits:"(0.5, 1)" doc:"probability of such a rate that this decision needs"`
}

// DefaultCriterion returns a criterion of more successes than failures, with 95 % confidence.
func DefaultCriterion() Criterion { return Criterion{Threshold: 0.5, Confidence: 0.95} }

// A Judgement is the decision on one cell. P is the posterior probability that the success rate of the cell is above the
// threshold, under Jeffreys' prior and for independent responses. P(1 − P) is the uncertainty of the decision, and Gain
// is its expected decrease after one more trial in the cell. The next trials should be in the cell of largest Gain.
type Judgement struct {
	P, Gain float64
	Verdict Decision
}

// Judge returns the decision on a cell with this number of successes in n trials.
func (q Criterion) Judge(successes, n float64) Judgement {
	a, b := jeffreys(successes, n)
	above := func(a, b float64) float64 { return 1 - num.BetaCDF(q.Threshold, a, b) }
	j := Judgement{P: above(a, b)}
	up, down := above(a+1, b)-j.P, above(a, b+1)-j.P
	j.Gain = (float64(a*up*up) + float64(b*down*down)) / (a + b) // variance of the next P, because P is a martingale
	switch {
	case n == 0:
		j.Verdict = Untested
	case j.P >= q.Confidence:
		j.Verdict = Competent
	case j.P <= 1-q.Confidence:
		j.Verdict = Incompetent
	default:
		j.Verdict = Undecided
	}
	return j
}

// JudgeAll returns the decisions on all cells of a grid.
func (q Criterion) JudgeAll(g *Grid) []Judgement {
	out := make([]Judgement, len(g.N))
	for c, n := range g.N {
		out[c] = q.Judge(g.Sum[c], n)
	}
	return out
}

// A Region is a connected set of cells with the same decision. Untested cells count as undecided.
type Region struct {
	Verdict Decision // never Untested
	Cells   []int    // ascending
	N, Sum  float64  // number of responses in the cells, and the sum of their values
}

// Regions divides the grid into regions, sorted by descending number of cells.
func (s *Space) Regions(g *Grid, js []Judgement) []Region {
	kind := func(c int) Decision {
		if js[c].Verdict == Untested {
			return Undecided
		}
		return js[c].Verdict
	}
	seen := make([]bool, s.Cells)
	var out []Region
	for c := range s.Cells {
		if seen[c] {
			continue
		}
		r := Region{Verdict: kind(c), Cells: []int{c}}
		seen[c] = true
		for k := 0; k < len(r.Cells); k++ {
			s.neighbours(r.Cells[k], func(n int) {
				if !seen[n] && kind(n) == r.Verdict {
					seen[n] = true
					r.Cells = append(r.Cells, n)
				}
			})
		}
		slices.Sort(r.Cells)
		for _, c := range r.Cells {
			r.N += g.N[c]
			r.Sum += g.Sum[c]
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b Region) int { return cmp.Compare(len(b.Cells), len(a.Cells)) })
	return out
}

// A Suggestion is a cell to test next.
type Suggestion struct {
	Cell int
	Judgement
	Items int // number of the battery's items in the cell; if 0, new items are needed
}

// Next returns the undecided and untested cells by descending gain of one more trial. Cells of equal gain keep their
// order.
func (s *Space) Next(js []Judgement) []Suggestion {
	var out []Suggestion
	for c, j := range js {
		if j.Verdict == Undecided || j.Verdict == Untested {
			out = append(out, Suggestion{c, j, s.Items[c]})
		}
	}
	slices.SortStableFunc(out, func(a, b Suggestion) int { return cmp.Compare(b.Gain, a.Gain) })
	return out
}
