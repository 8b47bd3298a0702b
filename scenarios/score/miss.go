package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A Miss is a held-out response about which the profile is wrong: where the truth is known, by the distance between the predicted
// probability of success and that under the truth; where it is not, by the residual of the demand's level.
type Miss struct {
	Subject    string    `json:"subject"`
	ID         string    `json:"id"`
	Item       string    `json:"item"`
	Trial      int       `json:"trial"`
	Repetition int       `json:"repetition"`
	Value      float64   `json:"value"`               // 1: passed; 0: failed
	P          float64   `json:"p"`                   // predicted from the subject's training responses
	Truth      *float64  `json:"truth,omitempty"`     // under the truth
	Excess     *float64  `json:"excess,omitempty"`    // −log p + log p under the truth, of the outcome, in nats
	Hurdle     string    `json:"hurdle,omitempty"`    // the one that sets the profile apart from the truth, or whose demand has the residual
	Parameter  string    `json:"parameter,omitempty"` // whose true value brings the profile closest to the truth
	Residual   *Residual `json:"residual,omitempty"`  // where no truth is known
}

// Wrong returns by how much the prediction is wrong: |p − p under the truth|, or where the truth is not known Residual.Least. It returns NaN
// if neither is known.
func (m *Miss) Wrong() float64 {
	switch {
	case m.Truth != nil:
		return math.Abs(m.P - *m.Truth)
	case m.Residual != nil:
		return m.Residual.Least()
	}
	return math.NaN()
}

// mostMisses is the largest number of misses, and mostOfSubject that of one subject: those about which the profile is most wrong.
const (
	mostMisses    = 500
	mostOfSubject = 25
	explained     = 20 // misses whose hurdles are kept, those of LeadingMisses
)

// leastOdds keeps surprises finite where a probability is 0.
const leastOdds = 1e-12

// excess returns by how many nats an outcome was more surprising for p than for the truth.
func excess(p, truth, y float64) float64 {
	at := func(p float64) float64 {
		if y == 0 {
			p = 1 - p
		}
		return math.Log(max(p, leastOdds))
	}
	return at(truth) - at(p)
}

// worse orders misses: the most wrong first, and of those that are equally wrong the least expected outcome.
func worse(a, b Miss) int {
	return cmp.Or(cmp.Compare(b.Wrong(), a.Wrong()), cmp.Compare(math.Abs(b.Value-b.P), math.Abs(a.Value-a.P)))
}

// A misser finds the misses of a result.
type misser struct {
	in        Input
	key       *key
	explainer *Explainer
	residuals *Residuals
	measure   string
	chances   *trueChances
}

// gradeMisses finds where the predictions of success are most wrong, and why.
func gradeMisses(s *Scores, in Input, k *key) error {
	measure := firstBinary(in.Public)
	if in.Result.Predictions == nil || measure < 0 {
		s.Unranked = "there are no predictions of held-out successes"
		return nil
	}
	e, err := NewExplainer(in)
	if err != nil {
		return err
	}
	m := &misser{in: in, key: k, explainer: e, measure: in.Public.Manifest.Measures[measure].Name, chances: &trueChances{e: e, drawn: newDrawnTruth(in)}}
	if e.layout != nil {
		m.residuals = NewResiduals(&in.Public.Items, e.layout)
	}
	all, err := m.all()
	if err != nil {
		return err
	}
	if s.Misses = all; len(all) == 0 {
		s.Unranked = m.unranked()
		return nil
	}
	return m.why(s)
}

// unranked says why it is not known which predictions are most wrong.
func (m *misser) unranked() string {
	switch {
	case m.residuals == nil:
		return m.explainer.why
	case len(m.residuals.demands) == 0:
		return fmt.Sprintf("no truth is known, and the layout %s has no demand in which items differ", m.explainer.layout.Name)
	}
	return fmt.Sprintf("no truth is known, and no subject has %d held-out responses at one level of a demand", leastResponses)
}

// A missed is a miss with its response.
type missed struct {
	Miss
	response record.Response
}

// all returns the misses, the most wrong first.
func (m *misser) all() ([]Miss, error) {
	var out []Miss
	h := newHeldOut(m.in.Public, func(x record.Measure) bool { return x.Name == m.measure })
	for ps, err := range m.in.Result.Predictions {
		if err != nil {
			return nil, err
		}
		var of []missed
		for i := range ps {
			if r, _, ok := h.find(&ps[i]); ok {
				of = append(of, missed{Miss{
					Subject: m.key.name(ps[i].Subject), ID: ps[i].Subject, Item: ps[i].Item, Trial: int(ps[i].Trial), Repetition: int(ps[i].Repetition),
					Value: r.Value, P: ps[i].P,
				}, r})
			}
		}
		misses, err := m.ofSubject(of)
		if err != nil {
			return nil, err
		}
		out = append(out, misses...)
	}
	slices.SortStableFunc(out, worse)
	return out[:min(len(out), mostMisses)], nil
}

// ofSubject returns the misses of one subject, the most wrong first.
func (m *misser) ofSubject(of []missed) ([]Miss, error) {
	if len(of) == 0 {
		return nil, nil
	}
	id := of[0].ID
	if err := m.chances.turnTo(id); err != nil {
		return nil, err
	}
	for i := range of {
		if p, ok := m.chances.of(&of[i].response); ok {
			e := excess(of[i].P, p, of[i].Value)
			of[i].Truth, of[i].Excess = &p, &e
		}
		if m.residuals != nil {
			m.residuals.Add(int(of[i].response.Subject), int(of[i].response.Item), of[i].P, of[i].Value)
		}
	}
	var out []Miss
	for i := range of {
		if of[i].Truth == nil {
			if m.residuals == nil {
				continue
			}
			r, ok := m.residuals.Of(int(of[i].response.Subject), int(of[i].response.Item), of[i].P, of[i].Value)
			if !ok {
				continue
			}
			of[i].Residual = &r
		}
		out = append(out, of[i].Miss)
	}
	slices.SortStableFunc(out, worse)
	return out[:min(len(out), mostOfSubject)], nil
}

// response returns the response of a miss.
func (m *misser) response(x *Miss) (*record.Response, bool) {
	h := heldOut{data: m.in.Public, kept: slices.Repeat([]bool{true}, len(m.in.Public.Manifest.Measures))}
	r, _, ok := h.find(&infer.Prediction{Subject: x.ID, Item: x.Item, Trial: int32(x.Trial), Repetition: int32(x.Repetition), Measure: m.measure})
	return &r, ok
}

// why names the hurdle of every miss, and keeps the hurdles of the most wrong ones. It goes subject by subject, whose posterior draws are
// read once.
func (m *misser) why(s *Scores) error {
	order := make([]int, len(s.Misses))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Misses[a].ID, s.Misses[b].ID) })
	kept := make([]*Explanation, len(s.Misses))
	leading := s.LeadingMisses(explained)
	for _, i := range order {
		x := &s.Misses[i]
		keeps := slices.Contains(leading, i)
		if x.Residual != nil {
			x.Hurdle = m.hurdleOf(x.Residual.Demand)
		}
		if !keeps && x.Residual != nil {
			continue
		}
		r, ok := m.response(x)
		if !ok {
			continue
		}
		if m.chances.drawn != nil {
			x.Parameter = m.chances.drawn.apart(r)
		}
		why, err := m.explainer.explain(x.ID, r, !keeps)
		if err != nil {
			return err
		}
		if why.Apart != nil {
			x.Hurdle, x.Parameter = why.Apart.Hurdle, why.Apart.Parameter
		}
		if keeps {
			kept[i] = why
		}
	}
	s.Why = kept[:slices.Max(leading)+1]
	return nil
}

// LeadingOfSubject is the largest number of misses of one subject among those that are shown first.
const LeadingOfSubject = 2

// LeadingMisses returns the indices of up to n misses to show first, the most wrong first: of each subject LeadingOfSubject, so that one
// subject whose misses are all alike does not hide the others.
func (s *Scores) LeadingMisses(n int) (out []int) {
	of := map[string]int{}
	for i := range s.Misses {
		if of[s.Misses[i].ID]++; of[s.Misses[i].ID] <= LeadingOfSubject && len(out) < n {
			out = append(out, i)
		}
	}
	return out
}

// hurdleOf returns the first hurdle that asks for a metafeature of the layout; "" if none does.
func (m *misser) hurdleOf(demand string) string {
	l := m.explainer.layout
	k := slices.IndexFunc(l.Metafeatures, func(f layout.Metafeature) bool { return f.Name == demand })
	if l.Joint() || k < 0 || m.explainer.chances == nil {
		return ""
	}
	h, err := m.explainer.chances.design.Hurdles(m.measure)
	if err != nil {
		return "" // the explanation says why
	}
	for _, x := range h.List {
		if slices.Contains(x.Demands, k) {
			return x.Name
		}
	}
	return ""
}

// missTable returns the responses about which the profiles are most wrong; nil if there is none.
func missTable(s *Scores) *table.Table {
	if len(s.Misses) == 0 {
		return nil
	}
	weight := 2
	if !slices.ContainsFunc(s.Misses, func(m Miss) bool { return m.Hurdle != "" }) {
		weight = 0 // parameters alone set profiles apart from the truth
	}
	residual := func(of func(r *Residual) table.Value) func(m Miss) table.Value {
		return func(m Miss) table.Value {
			if m.Residual == nil {
				return table.None
			}
			return of(m.Residual)
		}
	}
	return table.Of(table.Table{
		Name: "misses", Title: "Where the profiles are most wrong", Key: []string{"subject", "item", "trial", "repetition"},
		Foot: []string{"p: predicted probability of success. Held-out responses by |p − p under the truth|; without a truth by the least difference that the residual of the level of a demand supports. Excess: by how many nats more the outcome surprised the profile than the truth. Hurdle: the one whose true parameter brings the profile closest to the truth."},
	}, s.Misses, []table.Field[Miss]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(m Miss) table.Value { return table.String(m.Subject) }),
		table.Col(table.Column{Name: "id", Kind: table.Text, Hidden: true}, func(m Miss) table.Value { return table.String(m.ID) }),
		table.Col(table.Column{Name: "item", Kind: table.Text}, func(m Miss) table.Value { return table.String(m.Item) }),
		table.Col(table.Column{Name: "trial", Kind: table.Count, Hidden: true}, func(m Miss) table.Value { return table.Int(m.Trial) }),
		table.Col(table.Column{Name: "repetition", Kind: table.Count, Hidden: true}, func(m Miss) table.Value { return table.Int(m.Repetition) }),
		table.Col(table.Column{Name: "value", Head: "passed", Kind: table.Count, Doc: "1 if the response passed"}, func(m Miss) table.Value { return table.Int(int(m.Value)) }),
		table.Col(table.Column{Name: "p", Digits: 2, Doc: "predicted probability of success"}, func(m Miss) table.Value { return table.Float(m.P) }),
		table.Col(table.Column{Name: "p_truth", Head: "under the truth", Digits: 2, Doc: "probability of success under the truth"}, func(m Miss) table.Value { return table.Maybe(m.Truth) }),
		table.Col(table.Column{Name: "excess", Digits: 2, Unit: "nats", Weight: 1, Doc: "surprise at the outcome beyond that of the truth"}, func(m Miss) table.Value { return table.Maybe(m.Excess) }),
		table.Col(table.Column{Name: "hurdle", Kind: table.Text}, func(m Miss) table.Value { return table.Named(m.Hurdle) }),
		table.Col(table.Column{Name: "parameter", Kind: table.Text, Weight: weight, Doc: "whose true value brings the profile closest to the truth"}, func(m Miss) table.Value { return table.Named(m.Parameter) }),
		table.Col(table.Column{Name: "demand", Kind: table.Text, Weight: 1}, residual(func(r *Residual) table.Value { return table.String(r.Demand) })),
		table.Col(table.Column{Name: "level", Kind: table.Text, Weight: 1}, residual(func(r *Residual) table.Value { return table.String(r.Level) })),
		table.Col(table.Column{Name: "residual", Digits: 2, Weight: 1, Doc: "mean of outcome − p over the subject's held-out responses at the level"}, residual(func(r *Residual) table.Value { return table.Float(r.Mean) })),
		table.Col(table.Column{Name: "z", Digits: 1, Weight: 2, Doc: "sum of the residuals over its standard deviation"}, residual(func(r *Residual) table.Value { return table.Float(r.Z) })),
		table.Col(table.Column{Name: "n", Kind: table.Count, Weight: 3, Doc: "held-out responses at the level"}, residual(func(r *Residual) table.Value { return table.Int(r.N) })),
	})
}
