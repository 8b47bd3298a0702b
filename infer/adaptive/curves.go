package adaptive

import (
	"fmt"
	"math"
	"strconv"

	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
	"achilles/sim/table"
)

// A Curve is what is expected of every item at one value of one capability, whatever the subject's other parameters, which are drawn from their
// priors.
type Curve struct {
	Capability  string
	At          float64   // the value
	Expected    []float64 // by item: response, summed over measures
	Information []float64 // by item: Fisher's, about the capability where the subject's other parameters are known
}

// The numbers of values of a capability, and of draws of everything else at each.
const (
	curvePoints = 25
	curveDraws  = 128
)

// Curves returns the characteristic curves of all candidates, capability by capability: over its range or, where it has none, over three SDs to either
// side of its mean. The error is that of Check.
func Curves(m Model, candidates *record.Items) ([]Curve, error) {
	if err := Check([]Model{m}, Settings{Order: ByPrecision}); err != nil {
		return nil, err
	}
	q := &particles{items: candidates, design: m.Design, fitted: m.Fitted, outcomes: m.outcomes(candidates), config: population, stream: func(refit int) rng.Rand {
		return rng.Stream(0, "adaptive", "curves", strconv.Itoa(refit))
	}}
	if q.byPosition() {
		return nil, ErrPosition(q.joint().Layout())
	}
	if err := q.start(1); err != nil {
		return nil, err
	}
	predict, err := q.predictor()
	if err != nil {
		return nil, err
	}
	p, above, below := make([]float64, q.len()), make([]float64, q.len()), make([]float64, q.len())
	theta := make([]float64, q.joint().Len())
	var out []Curve
	for _, j := range q.capabilities() {
		par := q.parameters()[j]
		low, high := par.Range[0], par.Range[1]
		if math.IsInf(high-low, 0) {
			mean := q.mean(j)
			low, high = max(low, mean-3*q.widths[j]), min(high, mean+3*q.widths[j])
		}
		h := 1e-4 * (high - low)
		for k := range curvePoints {
			x := low + float64((high-low)*float64(k)/(curvePoints-1))
			c := Curve{Capability: par.Name, At: x, Expected: make([]float64, candidates.Len()), Information: make([]float64, candidates.Len())}
			up, down := min(high, x+h), max(low, x-h)
			for d := range curveDraws {
				copy(theta, q.draws[d*len(q.draws)/curveDraws])
				for s, at := range [3]float64{x, up, down} {
					theta[q.at(j)] = at
					predict(theta, [3][]float64{p, above, below}[s])
				}
				for i := range c.Expected {
					for m := range q.measures() {
						mean, _ := q.moments(p, m, q.row(i))
						c.Expected[i] += mean / curveDraws
						c.Information[i] += q.information(p, above, below, up-down, m, q.row(i)) / curveDraws
					}
				}
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// InformationTable returns the expected total and the information of all items at each value of each capability.
// effect is the design effect of responses to all of them (EffectOfAll).
func InformationTable(curves []Curve, effect float64) *table.Table {
	t := table.Table{Name: "information", Title: "Test information", Key: []string{"capability", "at"},
		Foot: []string{"Of all items, about the capability, where the subject's other parameters are known; they are averaged over their priors. SE: 1/√information."}}
	if effect > 1 {
		t.Foot[0] += fmt.Sprintf(" Of items within which responses are alike, information is 1/%.2f times that of independent ones.", effect)
	}
	total := func(x []float64) float64 { return num.Mean(x) * float64(len(x)) }
	information := func(c Curve) float64 { return total(c.Information) / max(1, effect) }
	return table.Of(t, curves, []table.Field[Curve]{
		table.Col(table.Column{Name: "capability", Kind: table.Text, Hidden: len(curves) == curvePoints}, func(c Curve) table.Value { return table.String(c.Capability) }),
		table.Col(table.Column{Name: "at", Digits: 2, Doc: "value of the capability"}, func(c Curve) table.Value { return table.Float(c.At) }),
		table.Col(table.Column{Name: "expected", Digits: 2, Doc: "total response to all items"}, func(c Curve) table.Value { return table.Float(total(c.Expected)) }),
		table.Col(table.Column{Name: "information", Digits: 3}, func(c Curve) table.Value { return table.Float(information(c)) }),
		table.Col(table.Column{Name: "se", Head: "SE", Digits: 3, Doc: "standard error of the capability estimated by maximum likelihood from all items"}, func(c Curve) table.Value {
			if v := information(c); v > 0 {
				return table.Float(1 / math.Sqrt(v))
			}
			return table.None
		}),
	})
}

// CurvesTable returns the characteristic curve and the information of each item.
func CurvesTable(items *record.Items, curves []Curve) *table.Table {
	type row struct {
		*Curve
		item int
	}
	var rows []row
	for k := range curves {
		for i := range curves[k].Expected {
			rows = append(rows, row{&curves[k], i})
		}
	}
	return table.Of(table.Table{Name: "curves", Title: "Characteristic curves and information of items", Key: []string{"capability", "at", "item"}}, rows, []table.Field[row]{
		table.Col(table.Column{Name: "capability", Kind: table.Text, Hidden: len(curves) == curvePoints}, func(r row) table.Value { return table.String(r.Capability) }),
		table.Col(table.Column{Name: "at", Digits: 2, Doc: "value of the capability"}, func(r row) table.Value { return table.Float(r.At) }),
		table.Col(table.Column{Name: "item", Kind: table.Text}, func(r row) table.Value { return table.String(items.ID[r.item]) }),
		table.Col(table.Column{Name: "expected", Digits: 3, Doc: "response"}, func(r row) table.Value { return table.Float(r.Expected[r.item]) }),
		table.Col(table.Column{Name: "information", Digits: 3, Doc: "about the capability"}, func(r row) table.Value { return table.Float(r.Information[r.item]) }),
	})
}
