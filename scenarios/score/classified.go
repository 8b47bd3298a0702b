package score

import (
	"fmt"
	"slices"
	"strconv"
)

// A Classification says how well posteriors tell which units have what a binary parameter stands for. The posterior mean of such a
// parameter is the probability that its value is 1.
type Classification struct {
	Has         float64 `json:"has"`         // share of the units whose value is 1
	Brier       float64 `json:"brier"`       // mean of (probability − value)²
	Calibration float64 `json:"calibration"` // its part that is due to probabilities other than the shares of 1 among those alike (Decomposition)
	Uncertainty float64 `json:"uncertainty"` // Brier score of Has as the probability of every unit
	Right       Share   `json:"right"`       // units whose value is the likelier one
}

// areProbabilities reports whether numbers can be the probabilities of values, all of which are 0 or 1. Another layout than the one that
// drew them may have another parameter of the same name.
func areProbabilities(numbers, values []float64) bool {
	return !slices.ContainsFunc(values, func(x float64) bool { return x != 0 && x != 1 }) &&
		!slices.ContainsFunc(numbers, func(p float64) bool { return p < 0 || p > 1 })
}

// toldRight reports whether a binary value is the likelier one. Even odds count as 1.
func toldRight(value, probability float64) bool { return (probability >= 0.5) == (value == 1) }

// classify grades the probabilities of binary values. It returns nil for other values.
func classify(values, probabilities []float64) *Classification {
	if len(values) < 2 || !areProbabilities(probabilities, values) {
		return nil
	}
	d := Decompose(probabilities, values)
	out := &Classification{Has: mean(values), Brier: d.Brier, Calibration: d.Calibration, Uncertainty: d.Uncertainty}
	var right tallyShare
	for i, v := range values {
		right.add(toldRight(v, probabilities[i]))
	}
	out.Right = *right.share()
	return out
}

// patterns returns the share of the subjects all of whose binary values are told right, or nil if fewer than two parameters are binary.
func (s *Scores) patterns() *Share {
	binary := map[string]bool{}
	for _, p := range s.Drawn {
		if p.Binary != nil && p.Kind == subjectUnit {
			binary[p.Parameter] = true
		}
	}
	if len(binary) < 2 {
		return nil
	}
	wrong := map[string]bool{}
	for _, x := range s.Simulated {
		if binary[x.Parameter] {
			wrong[x.Unit.Unit] = wrong[x.Unit.Unit] || !toldRight(x.Value, x.Mean)
		}
	}
	var whole tallyShare
	for _, w := range wrong {
		whole.add(!w)
	}
	return whole.share()
}

// classifiedInShort returns the share of all binary values that are told right, and that of whole patterns; "" if there are none.
func (s *Scores) classifiedInShort() string {
	var right, of int
	for _, p := range s.Drawn {
		if p.Binary != nil {
			right, of = right+p.Binary.Right.Covered, of+p.N
		}
	}
	if of == 0 {
		return ""
	}
	text := fmt.Sprintf("told right: %s %% of %d binary values", fixed(100*float64(right)/float64(of), 1), of)
	if s.Patterns != nil {
		text += fmt.Sprintf(", all values of %s %% of %d subjects", fixed(100*s.Patterns.Share, 1), s.Patterns.N)
	}
	return text
}

// ClassificationTable returns a table with one row for each binary parameter that the layout drew and one for all together, or nil if
// there are none.
func (s *Scores) ClassificationTable() []byte {
	if s.classifiedInShort() == "" {
		return nil
	}
	t := textTable{title: "Binary parameters that the layout drew [95 %: exact]",
		head: []string{"parameter", "n", "have it", "told right", "95 %", "Brier", "of the share", "calibration"}}
	for _, p := range s.Drawn {
		if b := p.Binary; b != nil {
			t.rows = append(t.rows, []string{p.Parameter, strconv.Itoa(p.N), fixed(b.Has, 3), fixed(b.Right.Share, 3), span(&b.Right.Interval, 2), fixed(b.Brier, 4), fixed(b.Uncertainty, 4), fixed(b.Calibration, 4)})
		}
	}
	if p := s.Patterns; p != nil {
		t.rows = append(t.rows, []string{"all together", strconv.Itoa(p.N), "", fixed(p.Share, 3), span(&p.Interval, 2), "", "", ""})
	}
	t.foot = append(t.foot, "told right: the value is the likelier one; Brier: mean squared difference of posterior probability and value, beside that of the share of those who have it as everybody's probability; calibration: what of it is due to wrong probabilities")
	return t.text()
}

// classificationRows returns the rows of binary.csv.
func (s *Scores) classificationRows() [][]string {
	rows := [][]string{{"parameter", "n", "has", "right", "low", "high", "brier", "uncertainty", "calibration"}}
	for _, p := range s.Drawn {
		if b := p.Binary; b != nil {
			row := append([]string{p.Parameter, strconv.Itoa(p.N), full(b.Has), full(b.Right.Share)}, ends(&b.Right.Interval)...)
			rows = append(rows, append(row, full(b.Brier), full(b.Uncertainty), full(b.Calibration)))
		}
	}
	if p := s.Patterns; p != nil {
		row := append([]string{"", strconv.Itoa(p.N), "", full(p.Share)}, ends(&p.Interval)...)
		rows = append(rows, append(row, "", "", ""))
	}
	return rows
}
