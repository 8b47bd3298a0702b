package score

import (
	"slices"

	"achilles/sim/num"
	"achilles/sim/table"
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
	out := &Classification{Has: num.Mean(values), Brier: d.Brier, Calibration: d.Calibration, Uncertainty: d.Uncertainty}
	var right tallyShare
	for i, v := range values {
		right.add(toldRight(v, probabilities[i]))
	}
	out.Right = *right.share()
	return out
}

// patterns returns the share of the subjects all of whose binary values are told right, or nil if fewer than two parameters are binary.
func patterns(s *Scores) *Share {
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
			wrong[x.Unit.Unit] = wrong[x.Unit.Unit] || !toldRight(x.Value, x.Shown())
		}
	}
	var whole tallyShare
	for _, w := range wrong {
		whole.add(!w)
	}
	return whole.share()
}

// A classified is a row of the table of binary parameters: a parameter, or all subjects, whose parameter is empty and of whom
// nothing but the proportion that is right is known.
type classified struct {
	parameter string
	n         int
	right     *Share
	*Classification
}

// binaryTable returns the grades of each binary parameter that a layout drew, and of all its parameters together; nil if there
// are none.
func binaryTable(s *Scores) *table.Table {
	var rows []classified
	for _, p := range s.Drawn {
		if b := p.Binary; b != nil {
			rows = append(rows, classified{p.Parameter, p.N, &b.Right, b})
		}
	}
	if p := s.Patterns; p != nil {
		rows = append(rows, classified{"", p.N, p, nil})
	}
	if rows == nil {
		return nil
	}
	of := func(number func(b *Classification) float64) func(c classified) table.Value {
		return func(c classified) table.Value {
			if c.Classification == nil {
				return table.None
			}
			return table.Float(number(c.Classification))
		}
	}
	t := table.Of(table.Table{
		Name: "binary", Title: "Classification by the binary parameters that the layout drew", Key: []string{"parameter"},
		Foot: []string{"In brackets the exact 95 % interval. Classified correctly: the true value has a posterior probability of at least one half. Baseline: the Brier score of the base rate as every unit's probability."},
	}, rows, []table.Field[classified]{
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(c classified) table.Value { return table.Named(c.parameter) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "values"}, func(c classified) table.Value { return table.Int(c.n) }),
		table.Col(table.Column{Name: "has", Head: "base rate", Digits: 3, Weight: 1, Doc: "proportion of values that are 1"}, of(func(b *Classification) float64 { return b.Has })),
		table.Col(table.Column{Name: "right", Head: "classified correctly", Digits: 3, Low: "low", High: "high"}, func(c classified) table.Value { return table.Float(c.right.Share) }),
		table.Col(table.Column{Name: "low"}, func(c classified) table.Value { return low(&c.right.Interval) }),
		table.Col(table.Column{Name: "high"}, func(c classified) table.Value { return high(&c.right.Interval) }),
		table.Col(table.Column{Name: "brier", Head: "Brier score", Digits: 4, Weight: 2, Better: table.Less, Than: "uncertainty"}, of(func(b *Classification) float64 { return b.Brier })),
		table.Col(table.Column{Name: "uncertainty", Head: "baseline", Digits: 4, Weight: 2, Doc: "Brier score of the base rate as every unit's probability"}, of(func(b *Classification) float64 { return b.Uncertainty })),
		table.Col(table.Column{Name: "calibration", Head: "calibration loss", Digits: 4, Weight: 3}, of(func(b *Classification) float64 { return b.Calibration })),
	})
	if s.Patterns != nil {
		t.Foot = append(t.Foot, "all: subjects all of whose values are classified correctly.")
	}
	return t
}
