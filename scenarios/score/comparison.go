package score

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// fewestToClaim is the number of held-out responses below which no layout is said to predict better than another.
const fewestToClaim = 20

// A Comparison grades results of the same data, by different layouts, by the held-out responses that all of them predict. The first row
// is the subject's own success rate.
type Comparison struct {
	data    *record.Dataset
	measure record.Measure
	held    *heldOut
	degrees bool // whether responses are degrees of success, so that there is a log loss; otherwise squared errors count
	rows    []compared
}

// A compared is what one layout predicts, and how well its fits went. NaN is what is not known.
type compared struct {
	name               string
	predicted          []float64 // [response] NaN: none
	loo, looSE, badK   float64
	aic, bic           float64 // of estimates by maximum likelihood
	evidence, training float64 // log marginal likelihood of all responses, and of those that are not held out
	rhat               float64
	doubts             []string // warnings about the fits, each kind once
	approximate        bool     // whether draws are from a normal approximation
}

// baseline returns the name of the first row.
func (c *Comparison) baseline() string {
	if c.degrees {
		return "success rate"
	}
	return "own mean"
}

// own returns of what of a subject's own the baseline is.
func (c *Comparison) own() string { return strings.TrimPrefix(c.baseline(), "own ") }

// decimals returns how many digits after the point a number of the size of x has: four, or as many as show three or more in all.
func decimals(x float64) int {
	switch x = math.Abs(x); {
	case x > 0 && x < 1e-3:
		return min(12, 2-int(math.Floor(math.Log10(x))))
	case !(x > 1) || math.IsInf(x, 1):
		return 4
	}
	return max(0, 4-int(math.Ceil(math.Log10(x))))
}

// NewComparison returns a comparison with the success rate alone. It returns an error for an unknown measure.
func NewComparison(d *record.Dataset, measure string) (*Comparison, error) {
	m, ok := d.Measure(measure)
	if !ok {
		return nil, fmt.Errorf("score: no measure %s to compare predictions of", measure)
	}
	c := &Comparison{data: d, measure: d.Manifest.Measures[m]}
	c.held = newHeldOut(d, func(o record.Measure) bool { return o.Name == measure })
	c.degrees = c.measure.Family == record.Binary || c.measure.Family == record.Unit
	all := rate{}
	for _, r := range d.Responses.All() {
		if c.held.kept[r.Measure] && r.Unscored == 0 && r.Split != record.HeldOut {
			all.n, all.sum = all.n+float64(max(1, r.Trials)), all.sum+r.Value
			c.degrees = c.degrees || r.Trials > 0
		}
	}
	base := c.row(c.baseline())
	for i, r := range d.Responses.All() {
		if !c.held.kept[r.Measure] || r.Unscored != 0 || r.Split != record.HeldOut {
			continue
		}
		b := c.held.baseOf(&r)
		switch {
		case c.degrees: // with half a success and half a failure added, so that no response is impossible
			base.predicted[i] = (b.sum + 0.5) / (b.n + 1)
		case b.n > 0:
			base.predicted[i] = b.mean()
		default:
			base.predicted[i] = all.mean()
		}
	}
	c.rows = []compared{base}
	return c, nil
}

func (c *Comparison) row(name string) compared {
	x := compared{name: name, predicted: make([]float64, c.data.Responses.Len()), loo: math.NaN(), looSE: math.NaN(), aic: math.NaN(), bic: math.NaN(), evidence: math.NaN(), training: math.NaN(), rhat: math.NaN()}
	for i := range x.predicted {
		x.predicted[i] = math.NaN()
	}
	return x
}

// Add adds a result. It returns an error for a prediction of a response that is not held out.
func (c *Comparison) Add(name string, res *infer.Result) error {
	x := c.row(name)
	if res.Predictions != nil {
		for ps, err := range res.Predictions {
			if err != nil {
				return err
			}
			for i := range ps {
				if ps[i].Measure != c.measure.Name {
					continue
				}
				r, at, ok := c.held.find(&ps[i])
				if !ok {
					return fmt.Errorf("score: layout %s predicts subject %s, item %s, and no scored response is held out there", name, ps[i].Subject, ps[i].Item)
				}
				x.predicted[at] = ps[i].P / float64(max(1, r.Trials))
			}
		}
	}
	x.describe(res.Diagnostics.Fits)
	c.rows = append(c.rows, x)
	return nil
}

// describe sums up how the fits went.
func (x *compared) describe(fits []infer.Fit) {
	x.loo, x.looSE, x.evidence, x.training = 0, 0, 0, 0
	said := map[string]int{}
	var kinds []string
	first := map[string]string{}
	for _, f := range fits {
		if f.WorstRHat != nil && !(x.rhat >= *f.WorstRHat) {
			x.rhat = *f.WorstRHat
		}
		for _, w := range f.Warnings {
			if w.Kind == posterior.Approximate {
				x.approximate = true
				continue
			}
			k := string(w.Kind)
			if said[k] == 0 {
				kinds = append(kinds, k)
				first[k] = w.Message
				if f.Subject != infer.Everybody {
					first[k] = f.Subject + ": " + w.Message
				}
			}
			said[k]++
		}
		evidence := math.NaN()
		if f.LogEvidence != nil {
			evidence = *f.LogEvidence
		}
		if f.Rows != infer.AllRows {
			x.training += evidence
			continue
		}
		x.evidence += evidence
		if f.Maximum != nil {
			x.aic, x.bic = f.Maximum.AIC, f.Maximum.BIC
		}
		if f.LOO == nil || f.LOO.ELPD == nil || f.LOO.SE == nil {
			x.loo = math.NaN()
			continue
		}
		x.loo, x.looSE, x.badK = x.loo+*f.LOO.ELPD, x.looSE+float64(*f.LOO.SE**f.LOO.SE), x.badK+float64(f.LOO.BadK)
	}
	if x.looSE = math.Sqrt(x.looSE); math.IsNaN(x.loo) {
		x.looSE = math.NaN()
	}
	for _, k := range kinds {
		text := first[k]
		if n := said[k]; n > 1 {
			text += fmt.Sprintf(" (%s like it)", num.Counted(n-1, "more warning"))
		}
		x.doubts = append(x.doubts, text)
	}
}

// Training returns the log marginal likelihood of the responses that are not held out under the last layout that was added; NaN if it is
// not known. By it layouts can be chosen without regard to the responses by which they are then graded.
func (c *Comparison) Training() float64 { return c.rows[len(c.rows)-1].training }

// losses returns the log loss of each response that all rows predict, or its squared error, and the index of the response.
func (c *Comparison) losses(x *compared) (loss []float64, at []int) {
	for i, r := range c.data.Responses.All() {
		shared := true
		for k := range c.rows {
			shared = shared && !math.IsNaN(c.rows[k].predicted[i])
		}
		if !shared {
			continue
		}
		y, p := share(&r), x.predicted[i]
		if c.degrees {
			p = min(max(p, 1e-12), 1-1e-12)
			loss = append(loss, -float64(y*num.Log(p))-float64((1-y)*num.Log1p(-p)))
		} else {
			loss = append(loss, float64((p-y)*(p-y)))
		}
		at = append(at, i)
	}
	return loss, at
}

// A Difference is by how much one layout predicts held-out responses better than another: the mean of the differences of their losses, with
// its standard error, which allows for responses of a cluster that go together, and its interval at Level by Student's t.
type Difference struct {
	Mean, SE  float64 // SE is NaN if there are fewer than two clusters
	Interval  *Interval
	By        string // what the clusters are: subject or item
	Clusters  int
	Responses int
	Doubt     string // why nothing can be claimed whatever the interval; "" if something can
}

// Claim returns 1 if the first layout predicts better beyond doubt, −1 if the second does, and 0 if the responses do not decide.
func (d *Difference) Claim() int {
	switch {
	case d.Doubt != "" || d.Interval == nil:
	case d.Interval[0] > 0:
		return 1
	case d.Interval[1] < 0:
		return -1
	}
	return 0
}

// Better compares two rows: by how much the first predicts better than the second.
func (c *Comparison) Better(first, second int) *Difference {
	a, at := c.losses(&c.rows[first])
	b, _ := c.losses(&c.rows[second])
	subjects, items := make([]rate, len(c.data.Subjects)), make([]rate, c.data.Items.Len())
	var gains []float64
	same := true
	for k, i := range at {
		r := c.data.Responses.At(i)
		g := b[k] - a[k]
		gains = append(gains, g)
		for _, x := range []*rate{&subjects[r.Subject], &items[r.Item]} {
			x.n, x.sum = x.n+1, x.sum+g
		}
		same = same && share(&r) == share(new(c.data.Responses.At(at[0])))
	}
	subjects, items = occupied(subjects), occupied(items)
	d := &Difference{Mean: num.Mean(gains), SE: math.NaN(), By: "subject", Responses: len(gains)}
	clusters := subjects
	if len(items) > 1 && (len(items) < len(subjects) || len(subjects) == 1) {
		clusters, d.By = items, "item"
	}
	d.Clusters = len(clusters)
	switch {
	case len(gains) == 0:
		d.Mean, d.Doubt = math.NaN(), "no response is held out"
	case len(gains) < fewestToClaim:
		d.Doubt = fmt.Sprintf("%s held out, fewer than %d, show nothing", num.Counted(len(gains), "response"), fewestToClaim)
	case d.Clusters < 2:
		d.Doubt = "the held-out responses are of one subject and one item"
	case same:
		d.Doubt = "the held-out responses are all the same"
	}
	if d.Clusters > 1 {
		d.SE = clusteredSE(clusters, d.Mean)
		h := float64(num.StudentTQuantile((1+Level)/2, float64(d.Clusters-1)) * d.SE)
		d.Interval = &Interval{d.Mean - h, d.Mean + h}
	}
	return d
}

// occupied returns the clusters that have values.
func occupied(clusters []rate) []rate {
	return slices.DeleteFunc(clusters, func(x rate) bool { return x.n == 0 })
}

// share returns a response, or the share of successes among its trials.
func share(r *record.Response) float64 { return r.Value / float64(max(1, r.Trials)) }

// clusteredSE returns the standard error of the mean of values that go together within clusters (Liang and Zeger 1986), with the factor
// G/(G − 1) of G clusters.
func clusteredSE(clusters []rate, mean float64) float64 {
	n, squares := 0.0, 0.0
	for _, x := range clusters {
		off := x.sum - float64(mean*x.n)
		n, squares = n+x.n, squares+float64(off*off)
	}
	g := float64(len(clusters))
	return math.Sqrt(squares*g/(g-1)) / n
}

// Table returns the grades of all layouts, with every doubt as a note beside its number.
func (c *Comparison) Table() *table.Table {
	type row struct {
		compared
		loss, squares float64
		gain          *Difference
	}
	var rows []row
	n := 0
	for k := range c.rows {
		x := row{compared: c.rows[k], squares: math.NaN(), loss: math.NaN(), gain: &Difference{Mean: math.NaN()}}
		loss, at := c.losses(&x.compared)
		var squares []float64
		for _, i := range at {
			r := c.data.Responses.At(i)
			e := x.predicted[i] - share(&r)
			squares = append(squares, float64(e*e))
		}
		if n = len(at); n > 0 {
			x.squares = num.Mean(squares)
			if c.degrees {
				x.loss = num.Mean(loss)
			}
		}
		if k > 0 {
			x.gain = c.Better(k, 0)
		}
		rows = append(rows, x)
	}
	what, digits, spare := "log loss", 4, 2 // gain is of the log loss, so that the squared error is left out first where there is little room
	if !c.degrees {
		what, digits, spare = "squared error", decimals(rows[0].squares), 0
	}
	weighing := func(weight int, f table.Field[row]) table.Field[row] {
		f.Weight = weight
		return f
	}
	number := func(name, head, doc string, digits int, of func(r row) float64) table.Field[row] {
		return table.Col(table.Column{Name: name, Head: head, Doc: doc, Kind: table.Number, Digits: digits}, func(r row) table.Value { return table.Float(of(r)) })
	}
	foot := []string{fmt.Sprintf("%s held out. Gain: %s of the subject's own %s minus that of the layout.", num.Counted(n, "response"), what, c.own())}
	if len(rows) > 1 && rows[1].gain.Interval != nil {
		d := rows[1].gain
		foot[0] += fmt.Sprintf(" In brackets its 95 %% interval, by Student's t and the %s of the held-out responses.", num.Counted(d.Clusters, d.By))
	}
	if slices.ContainsFunc(rows, func(r row) bool { return r.approximate }) {
		foot = append(foot, "Draws are from normal approximations. LOO, and log evidence of layouts that infer items, need posterior draws: achilles layouts compare --engine auto.")
	}
	if slices.ContainsFunc(rows, func(r row) bool { return !math.IsNaN(r.aic) }) {
		foot = append(foot, "AIC and BIC of maximum likelihood estimates, of all responses: less is better.")
	}
	var sums []string
	if slices.ContainsFunc(rows, func(r row) bool { return !math.IsNaN(r.loo) }) {
		sums = append(sums, "LOO (expected log density of a response that is left out; in parentheses its standard error)")
	}
	if slices.ContainsFunc(rows, func(r row) bool { return !math.IsNaN(r.evidence) }) {
		sums = append(sums, "log evidence")
	}
	if sums != nil {
		foot = append(foot, "In nats, of the same responses, more is better: "+strings.Join(sums, ", ")+". A layout that explains errors, too, explains more.")
	}
	t := table.Of(table.Table{Name: "comparison", Title: "Layouts compared", Key: []string{"layout"}, Foot: foot}, rows, []table.Field[row]{
		table.Col(table.Column{Name: "layout", Kind: table.Text, Doc: "name of the layout"}, func(r row) table.Value { return table.String(r.name) }),
		weighing(1, number("log_loss", "", "mean log loss of the held-out responses", digits, func(r row) float64 { return r.loss })),
		weighing(spare, number("squared_error", "", "mean squared error of the held-out responses (Brier score of a binary measure)", digits, func(r row) float64 { return r.squares })),
		table.Col(table.Column{Name: "gain", Kind: table.Number, Digits: digits, Low: "gain_low", High: "gain_high", Doc: what + " of the first row minus that of the layout"}, func(r row) table.Value { return table.Float(r.gain.Mean) }),
		table.Col(table.Column{Name: "gain_low"}, func(r row) table.Value { return low(r.gain.Interval) }),
		table.Col(table.Column{Name: "gain_high"}, func(r row) table.Value { return high(r.gain.Interval) }),
		table.Col(table.Column{Name: "loo", Head: "LOO", Kind: table.Number, Digits: 1, Error: "loo_se", Doc: "expected log density of a response that is left out, summed"}, func(r row) table.Value { return table.Float(r.loo) }),
		number("loo_se", "", "its standard error", 1, func(r row) float64 { return r.looSE }),
		table.Col(table.Column{Name: "aic", Head: "AIC", Digits: 1}, func(r row) table.Value { return table.Float(r.aic) }),
		table.Col(table.Column{Name: "bic", Head: "BIC", Digits: 1}, func(r row) table.Value { return table.Float(r.bic) }),
		table.Col(table.Column{Name: "log_evidence", Kind: table.Number, Digits: 1, Doc: "log marginal likelihood of all responses, of items together with subjects where there are no more than 200 values"}, func(r row) table.Value { return table.Float(r.evidence) }),
	})
	for i, r := range rows {
		if r.gain.Doubt != "" {
			t.Note(i, "gain", r.gain.Doubt)
		}
		if r.badK > 0 {
			t.Note(i, "loo", fmt.Sprintf("LOO is not reliable for %s (Pareto k above 0.7)", num.Counted(int(r.badK), "response")))
		}
		t.Note(i, "layout", r.doubts...)
	}
	return t
}

// Verdict says in sentences what the held-out responses show of the first layout that was added beside the success rate, and beside each
// other layout whose name is in others. It calls nothing a difference that chance could make.
func (c *Comparison) Verdict(others ...string) (out []string) {
	if len(c.rows) < 2 {
		return nil
	}
	d := c.Better(1, 0)
	what := "each subject's own " + c.own()
	name := c.rows[1].name
	switch {
	case d.Doubt != "":
		return []string{fmt.Sprintf("How well layout %s predicts is not known: %s.", name, d.Doubt)}
	case d.Claim() > 0:
		out = append(out, fmt.Sprintf("Layout %s predicts held-out responses better than %s (%s).", name, what, c.said(d)))
	case d.Claim() < 0:
		out = append(out, fmt.Sprintf("Layout %s predicts held-out responses worse than %s (%s): do not rely on its parameters.", name, what, c.said(d)))
	default:
		out = append(out, fmt.Sprintf("The %s do not show that layout %s predicts better than %s (%s).", num.Counted(d.Responses, "held-out response"), name, what, c.said(d)))
	}
	for _, other := range others {
		for k := 2; k < len(c.rows); k++ {
			if c.rows[k].name != other {
				continue
			}
			switch d := c.Better(1, k); d.Claim() {
			case 1:
				out = append(out, fmt.Sprintf("It predicts better than %s (%s).", other, c.said(d)))
			case -1:
				d = c.Better(k, 1)
				out = append(out, fmt.Sprintf("But %s predicts better (%s): the columns that the layout uses do not describe everything that makes items hard.", other, c.said(d)))
			default:
				out = append(out, fmt.Sprintf("They do not decide between it and %s (%s).", other, c.said(d)))
			}
		}
	}
	return out
}

// said prints a difference with its interval.
func (c *Comparison) said(d *Difference) string {
	what := "log loss"
	if !c.degrees {
		what = "squared error"
	}
	number := func(x float64) string {
		return strings.Replace(strconv.FormatFloat(x, 'f', decimals(max(math.Abs(d.Interval[0]), math.Abs(d.Interval[1]))), 64), "-", "−", 1)
	}
	return fmt.Sprintf("%s less by %s, 95 %% interval %s to %s over %s", what, number(d.Mean), number(d.Interval[0]), number(d.Interval[1]), num.Counted(d.Clusters, d.By))
}
