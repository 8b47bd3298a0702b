package chargrid

import (
	"cmp"
	"slices"

	"achilles/sim/num"
)

// jeffreys is the beta posterior of a rate, from successes in n trials.
func jeffreys(successes, n float64) (a, b float64) { return successes + 0.5, n - successes + 0.5 }

// A Verdict says what the responses in a cell show.
type Verdict string

// The verdicts.
const (
	Competent   Verdict = "competent"   // the success rate exceeds the threshold, with the wanted confidence
	Incompetent Verdict = "incompetent" // it falls short of it, with that confidence
	Undecided   Verdict = "undecided"   // too little evidence for either
	Untested    Verdict = "untested"    // no response
)

// Competence is the question that cells are judged by.
type Competence struct {
	Threshold  float64 // success rate that counts as competence, in (0, 1)
	Confidence float64 // posterior probability that settles it, in (0.5, 1)
}

// DefaultCompetence asks for more successes than failures, with 95 % confidence.
func DefaultCompetence() Competence { return Competence{Threshold: 0.5, Confidence: 0.95} }

// A Judgement is the verdict on one cell. P is the posterior probability that the success rate of the cell exceeds the
// threshold, under Jeffreys' prior, its responses taken as independent. Gain is what one more trial there is expected to
// take off P(1 − P), the uncertainty about the verdict: test where it is largest.
type Judgement struct {
	P, Gain float64
	Verdict Verdict
}

// Judge judges a cell by the successes in n trials.
func (q Competence) Judge(successes, n float64) Judgement {
	a, b := jeffreys(successes, n)
	above := func(a, b float64) float64 { return 1 - num.Beta(q.Threshold, a, b) }
	j := Judgement{P: above(a, b)}
	up, down := above(a+1, b)-j.P, above(a, b+1)-j.P
	j.Gain = (float64(a*up*up) + float64(b*down*down)) / (a + b) // P is a martingale: this is the variance of its next value
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

// JudgeAll judges every cell of a grid.
func (q Competence) JudgeAll(g *Grid) []Judgement {
	out := make([]Judgement, len(g.N))
	for c, n := range g.N {
		out[c] = q.Judge(g.Sum[c], n)
	}
	return out
}

// A Region is neighbouring cells with the same verdict: a subarea of competence, of incompetence, or of too little
// evidence (undecided and untested cells together count as Undecided).
type Region struct {
	Verdict Verdict
	Cells   []int // ascending
	N, Sum  float64
}

// Regions parts the grid into regions, largest first.
func (s *Space) Regions(g *Grid, js []Judgement) []Region {
	kind := func(c int) Verdict {
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
	Items int // the battery has in that cell; 0: new ones are needed
}

// Next ranks the undecided and untested cells by the gain of one more trial, ties in the order of the cells.
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
