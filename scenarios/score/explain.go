package score

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"achilles/agents"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
)

// An Explanation says how a subject's profile comes to its probability of success on an item: P = floor + (ceiling − floor) × the
// product of the hurdles, averaged over posterior draws. The profile is that of the layout alone, fitted to all responses.
type Explanation struct {
	Layout  string    `json:"layout"`
	Why     string    `json:"why,omitempty"` // why there are no hurdles; empty if there are
	P       float64   `json:"p"`
	Low     float64   `json:"low"` // central 90 % of the draws
	High    float64   `json:"high"`
	Truth   *float64  `json:"truth,omitempty"`  // probability under the truth; nil if it is sealed or not defined
	Reason  string    `json:"reason,omitempty"` // what is true of the subject, where there is no Truth; empty if it is sealed or not said
	Hurdles []Cleared `json:"hurdles,omitempty"`
	Lapse   *Lapse    `json:"lapse,omitempty"`
	Turn    *Turn     `json:"turn,omitempty"` // nil: no change of one parameter of a hurdle turns it
	Apart   *Apart    `json:"apart,omitempty"`
}

// A Cleared is one hurdle of an item: the posterior probability of clearing it, and the true one.
type Cleared struct {
	Name       string   `json:"name"`
	Parameters []string `json:"parameters,omitempty"`
	Demands    []Demand `json:"demands,omitempty"`
	Asked      bool     `json:"asked"` // whether the item asks for it; if not, everybody clears it
	Mean       float64  `json:"mean"`
	Low        float64  `json:"low"` // central 90 % of the draws
	High       float64  `json:"high"`
	Truth      *float64 `json:"truth,omitempty"` // at the true parameters; nil if one of them is unknown
}

// A Demand is what an item asks: a metafeature of the layout with its value.
type Demand struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Unit  string `json:"unit,omitempty"`
}

// A Lapse is what happens besides the hurdles: p is at least Floor, if no hurdle is cleared, and at most Ceiling, if all are.
type Lapse struct {
	Floor   float64 `json:"floor"`
	Ceiling float64 `json:"ceiling"`
	Lapses  bool    `json:"lapses"` // whether a lapse makes the difference; if not, what a failure at a hurdle gives
}

// A Turn is the smallest change of one parameter of a hurdle, in posterior standard deviations, with which P would have been on the other side of
// 0.5.
type Turn struct {
	Parameter string  `json:"parameter"`
	From      float64 `json:"from"` // posterior mean
	To        float64 `json:"to"`
	P         float64 `json:"p"` // probability of success with To in every draw
}

// An Apart names the parameter whose true value, put into every draw, would bring P closest to the probability under the truth.
type Apart struct {
	Hurdle    string  `json:"hurdle"` // of the parameter; "lapse" for one of the lapse
	Parameter string  `json:"parameter"`
	P         float64 `json:"p"` // with the true value
}

// explainDraws is the largest number of draws that explain a probability. The standard error of a mean of so many is below 1/25 of its
// posterior standard deviation.
const explainDraws = 200

// An Explainer explains probabilities of success, one response at a time. It is not safe for concurrent use.
type Explainer struct {
	in      Input
	layout  *layout.Layout
	measure record.Measure
	chances *Chances
	why     string // why nothing can be explained; empty: it can

	subject string // subject of the fields below
	model   *layout.Data
	draws   [][]float64
	truth   trueProfile
	rule    *agents.ResponseModel
	trials  *record.Items // of the subject, if the layout names the position of a response
	taken   []record.Response
}

// NewExplainer returns an Explainer of a result. Truths need in.Sealed.
func NewExplainer(in Input) (*Explainer, error) {
	e := &Explainer{in: in}
	var err error
	if e.layout, err = LayoutOf(in.Layouts, in.Result); err != nil {
		return nil, err
	}
	if k := firstBinary(in.Public); k >= 0 {
		e.measure = in.Public.Manifest.Measures[k]
	}
	switch {
	case e.layout == nil:
		e.why = "the layout " + in.Result.Settings.Layout.Name + " is not a shipped one, and its file is not available: achilles infer --force keeps it with the result"
	case e.layout.Joint():
		e.why = "the layout " + e.layout.Name + " measures all subjects together: p depends on parameters of items or groups too"
	case in.Result.Draws == nil:
		e.why = "the result has no posterior draws"
	default:
		e.chances, err = NewChances(in)
		if e.chances == nil && err == nil {
			e.why = "the layout " + e.layout.Name + " does not model success"
		}
	}
	return e, err
}

// turnTo makes the explainer explain responses of a subject. It returns false if the layout says nothing about it.
func (e *Explainer) turnTo(id string) (bool, error) {
	if e.subject == id {
		return e.draws != nil, nil
	}
	e.subject, e.draws, e.trials, e.taken = id, nil, nil, nil
	subject, ok := slices.BinarySearch(e.in.Public.Subjects, id)
	if !ok {
		return false, nil
	}
	e.truth = trueParameters(e.in.Sealed, id, e.layout, e.in.Result.Settings.Layout.SHA256)
	e.rule = ruleOf(e.in.Sealed, id, &e.in.Public.Items)
	design, responses, err := e.chances.taken(subject)
	if err != nil {
		return false, err
	}
	if e.chances.sequences != nil {
		e.trials, e.taken = e.in.Public.Items.ByPosition(e.in.Public.Responses.Of(subject))
	}
	if e.model, err = design.NewData(responses); err != nil {
		return false, nil // it gives the subject no chances
	}
	e.draws, err = vectors(e.in.Result.Draws, id, design.Parameters(), explainDraws)
	return e.draws != nil, err
}

// itemOf returns the item of a response of the subject alone.
func (e *Explainer) itemOf(r *record.Response) *record.Items {
	if e.trials == nil {
		return e.in.Public.Items.Part(int(r.Item), 1)
	}
	subject, _ := slices.BinarySearch(e.in.Public.Subjects, e.subject)
	for i, x := range e.in.Public.Responses.Of(subject) {
		if x.Item == r.Item && x.Position == r.Position {
			return e.trials.Part(int(e.taken[i].Item), 1)
		}
	}
	return e.in.Public.Items.Part(int(r.Item), 1)
}

// Of explains the probability of success of a subject on the item of a response, at its position.
func (e *Explainer) Of(id string, r *record.Response) (*Explanation, error) {
	return e.explain(id, r, false)
}

// explain explains the probability of success of a response. A brief explanation has no Turn, which takes the most time.
func (e *Explainer) explain(id string, r *record.Response, brief bool) (*Explanation, error) {
	out := &Explanation{Why: e.why}
	if out.Why != "" {
		return out, nil
	}
	out.Layout = e.layout.Name
	ok, err := e.turnTo(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		out.Why = "the layout gives this subject no probability of success"
		return out, nil
	}
	item := e.itemOf(r)
	design, err := e.layout.Bind(item, e.in.Public.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	hurdles, err := design.Hurdles(e.measure.Name)
	var not *layout.NotProduct
	if errors.As(err, &not) {
		out.Why = not.Error()
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := hurdles.Clearing(e.model.WithoutResponses(design))
	if err != nil {
		return nil, err
	}
	x := &explaining{Explainer: e, Clearing: c, parameters: design.Parameters(), item: item}
	x.hurdles(out)
	x.truths(out, int(r.Item))
	if !brief {
		x.turn(out)
	}
	x.apart(out)
	return out, nil
}

// An explaining is one item's hurdles while they are explained.
type explaining struct {
	*Explainer
	*layout.Clearing
	parameters []layout.Parameter
	item       *record.Items
}

// hurdles adds the hurdles with their posterior probabilities, and P.
func (x *explaining) hurdles(out *Explanation) {
	n := len(x.List)
	values := make([][]float64, n+1)
	var floor, ceiling float64
	for _, theta := range x.draws {
		for k, v := range x.Chances(theta) {
			values[k] = append(values[k], v[0])
		}
		values[n] = append(values[n], x.P(0))
		lo, hi := x.Chance(0)
		floor, ceiling = floor+lo/float64(len(x.draws)), ceiling+hi/float64(len(x.draws))
	}
	for k := range x.List {
		h := &x.List[k]
		c := Cleared{Name: h.Name, Asked: h.Asked[0]}
		for _, i := range h.Parameters {
			c.Parameters = append(c.Parameters, x.parameters[i].Name)
		}
		for _, i := range h.Demands {
			c.Demands = append(c.Demands, x.demand(i))
		}
		c.Mean, c.Low, c.High = central(values[k])
		out.Hurdles = append(out.Hurdles, c)
	}
	out.P, out.Low, out.High = central(values[n])
	if floor != 0 || ceiling != 1 {
		out.Lapse = &Lapse{Floor: floor, Ceiling: ceiling, Lapses: x.Lapses()}
	}
}

// demand returns metafeature i of the layout, with the value that the item has.
func (x *explaining) demand(i int) Demand {
	m := x.layout.Metafeatures[i]
	d := Demand{Name: m.Name, Unit: m.Unit}
	c, ok := x.item.Column(m.Column)
	switch {
	case !ok || slices.Contains(c.Missing, true):
		d.Value = "missing"
		if m.Missing != nil {
			d.Value = strconv.FormatFloat(*m.Missing, 'g', 4, 64)
		}
	case c.Kind == record.Text:
		d.Value = c.Text[0]
	default:
		d.Value = strconv.FormatFloat(c.Number[0], 'g', 4, 64)
	}
	return d
}

// truths adds the true probabilities: of each hurdle whose parameters are known, and of success, by the subject's rule if it has one.
func (x *explaining) truths(out *Explanation, item int) {
	theta := slices.Clone(x.draws[0])
	known := func(i int) bool { _, ok := x.truth.values[x.parameters[i].Name]; return ok }
	for i, p := range x.parameters {
		if known(i) {
			theta[i] = x.truth.values[p.Name]
		}
	}
	for k, v := range x.Chances(theta) {
		if h := &x.List[k]; len(x.truth.values) > 0 && (!h.Asked[0] || !slices.ContainsFunc(h.Parameters, func(i int) bool { return !known(i) })) {
			out.Hurdles[k].Truth = num.Finite(v[0])
		}
	}
	_, all := x.truth.vector(x.parameters)
	switch {
	case x.rule != nil:
		p := x.rule.P(item)
		out.Truth = &p
	case all && len(x.truth.values) > 0:
		sure, with := x.truth.sure(theta, x.parameters)
		x.Chances(sure)
		out.Truth = num.Finite(with(x.P(0)))
	case x.in.Sealed != nil:
		out.Reason = x.in.Sealed.Subjects[x.subject].Truth.Reason
	}
}

// central returns the mean of the values, and the ends of their central 90 %. It sorts them.
func central(v []float64) (mean, low, high float64) {
	slices.Sort(v)
	return min(max(num.Mean(v), v[0]), v[len(v)-1]), num.SortedQuantile(v, 0.05), num.SortedQuantile(v, 0.95)
}

// at returns the probability of success, averaged over the draws, with parameter i at v in all of them.
func (x *explaining) at(i int, v float64) float64 {
	theta, sum := make([]float64, len(x.parameters)), 0.0
	for _, draw := range x.draws {
		copy(theta, draw)
		theta[i] = v
		x.Chances(theta)
		sum += x.P(0)
	}
	return sum / float64(len(x.draws))
}

// apart finds the parameter that sets the profile apart from the truth.
func (x *explaining) apart(out *Explanation) {
	if out.Truth == nil {
		return
	}
	least := mostLeft(math.Abs(out.P - *out.Truth))
	for i, p := range x.parameters {
		v, ok := x.truth.values[p.Name]
		if !ok {
			continue
		}
		q := x.at(i, v)
		if math.IsNaN(q) || math.Abs(q-*out.Truth) >= least {
			continue
		}
		least = math.Abs(q - *out.Truth)
		out.Apart = &Apart{Hurdle: x.hurdleOf(i), Parameter: p.Name, P: q}
	}
}

// A parameter sets a profile apart from the truth only if its true value closes at least this share of the gap, and this much of it:
// subjects of rules differ from every layout in more than parameters.
const (
	leastClosed = 0.25
	leastGap    = 0.01
)

// mostLeft returns what a parameter may leave of a gap at most to set the profile apart from the truth.
func mostLeft(gap float64) float64 { return gap - max(leastClosed*gap, leastGap) }

// lapse stands for a hurdle where a parameter belongs to none.
const lapse = "lapse"

// hurdleOf returns the first hurdle of a parameter, or lapse.
func (x *explaining) hurdleOf(i int) string {
	for _, h := range x.List {
		if slices.Contains(h.Parameters, i) {
			return h.Name
		}
	}
	return lapse
}
