package layout

import (
	"encoding/binary"
	"math"
	"slices"

	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A Design is a layout bound to the items of a battery, for subjects who are measured one by one: the Joint of one nameless subject,
// whose likelihood is compiled for all distinct rows. Items whose metafeatures have equal values share one. A Design is safe for
// concurrent use: all subjects share it.
type Design struct {
	*Joint
	plan      *loglik.Plan
	rows      int
	responses []boundResponse
	labels    []Labels
	judged    int // one more than the index of the response that depends on labels of a judge; 0: none does
}

type boundResponse struct {
	measure int // index of the measure in the record, or inChoices
	family  Family
	trials  []float64 // number of trials in each distinct row; nil: 1
	args    int       // number of arguments of the family
}

// Bind binds the layout to items and measures. It returns an error if there are no items, or if a column, measure or
// value is missing or not as declared. The error names the metafeature or response and the item.
func (l *Layout) Bind(items *record.Items, measures []record.Measure) (*Design, error) {
	if items.Len() == 0 {
		return nil, l.at.Errorf("the battery has no items")
	}
	if err := l.CheckSeparate(); err != nil {
		return nil, err
	}
	j, err := l.BindJoint(items, []string{""}, nil, measures)
	if err != nil {
		return nil, err
	}
	full, first := j.columns, j.itemAt
	d := &Design{Joint: j, rows: len(first)}
	b := d.builder()
	d.judged = 1 + slices.IndexFunc(l.Responses, func(r ResponseModel) bool { return len(l.judgedIn(r.nodes...)) > 0 })
	if b.truths, err = l.truths(full, items.ID); err != nil {
		return nil, err
	}
	for i := range l.Metafeatures {
		m := &l.Metafeatures[i]
		of := b.truths[m.Name]
		if of != nil {
			d.labels = append(d.labels, m.believed(full[m.Name].Number, of))
		}
		for k := range of {
			of[k] = truth{at(of[k].value, first), at(of[k].weight, first)}
		}
	}
	likes, bound, err := b.likelihoods(measures)
	if err != nil {
		return nil, err
	}
	d.responses, d.plan = bound, b.plan.Compile(likes)
	return d, nil
}

// builder returns a builder of expressions on the distinct rows, of the parameters of one subject.
func (d *Design) builder() *builder {
	b := &builder{Layout: d.layout, unit: ofItems.unit, nodes: map[string]loglik.Node{}, rows: d.rows, columns: map[string]expr.Column{}}
	for name, col := range d.columns {
		b.columns[name] = pick(col, d.itemAt)
	}
	for _, i := range d.itemAt {
		b.row = append(b.row, d.items.ID[i])
	}
	inputs := map[string]int{}
	for k, m := range d.inputs {
		inputs["mean("+d.layout.Responses[m].Measure+")"] = k
	}
	b.plan = loglik.NewBuilder(d.rows, len(d.layout.Parameters), len(d.inputs))
	b.param, b.mean = b.plan.Param, func(name string) loglik.Node { return b.plan.Input(inputs[name]) }
	return b
}

// distinct numbers the distinct rows of the metafeatures in the order of their first item. rowOf[i] is the row of item i,
// and first[r] is the first item of row r.
func (l *Layout) distinct(items int, cols map[string]expr.Column) (rowOf, first []int) {
	rowOf = make([]int, items)
	number := num.Numbering[string]{}
	var key []byte
	for i := range items {
		key = key[:0]
		for _, m := range l.Metafeatures {
			if m.Levels != nil {
				text := cols[m.Name].Text[i]
				key = binary.LittleEndian.AppendUint64(key, uint64(len(text)))
				key = append(key, text...)
				continue
			}
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(cols[m.Name].Number[i]+0)) // −0 is 0
		}
		if rowOf[i] = number.Of(string(key)); rowOf[i] == len(first) {
			first = append(first, i)
		}
	}
	return rowOf, first
}

// pick returns the column with only the rows whose indices are in at.
func pick(col expr.Column, at []int) (out expr.Column) {
	for _, i := range at {
		if col.Text != nil {
			out.Text = append(out.Text, col.Text[i])
		} else {
			out.Number = append(out.Number, col.Number[i]+0)
		}
	}
	return out
}

// at returns the numbers at these indices.
func at(x []float64, indices []int) (out []float64) {
	return pick(expr.Column{Number: x}, indices).Number
}

// likelihoods returns the likelihood of each response of the layout, and how the response is bound to its measure.
func (b *builder) likelihoods(measures []record.Measure) (likes []loglik.Likelihood, out []boundResponse, err error) {
	for _, r := range b.Responses {
		bound, err := r.bind(measures)
		if err != nil {
			return nil, nil, err
		}
		like := loglik.Likelihood{Family: planFamily(r.Family)}
		if r.countsTrials() {
			bound.trials, like.Trials = b.trials, b.trials
		}
		for i, n := range r.nodes {
			if r.Family == Binomial && i == 1 {
				if bound.trials, err = b.values(r.places[i], n); err != nil {
					return nil, nil, err
				}
				if i := slices.IndexFunc(bound.trials, func(v float64) bool { return v < 0 || v != math.Trunc(v) }); i >= 0 {
					return nil, nil, r.places[1].Errorf("the number of trials is %g for item %s, and must be a whole number", bound.trials[i], b.row[i])
				}
				like.Trials = bound.trials
				continue
			}
			x, err := b.averaged(r.places[i], n)
			if err != nil {
				return nil, nil, err
			}
			like.Args = append(like.Args, x)
		}
		bound.args = len(like.Args)
		likes, out = append(likes, like), append(out, bound)
	}
	return likes, out, nil
}

// bind returns the response model bound to its measure. It returns an error if the measure is missing, or of another
// family.
func (r *ResponseModel) bind(measures []record.Measure) (boundResponse, error) {
	want := map[Family]record.Family{Bernoulli: record.Binary, Binomial: record.Count, Normal: record.Real, Beta: record.Unit, ZeroOneInflatedBeta: record.Unit, Choice: record.Choice}[r.Family]
	var known []string
	for i, m := range measures {
		if m.Name != r.Measure {
			known = append(known, m.Name)
			continue
		}
		if m.Family != want && !(r.Family == Normal && m.Family == record.Unit) {
			return boundResponse{}, r.places[0].Errorf("family %s is for %s measures, and %s is %s", r.Family, want, m.Name, m.Family)
		}
		return boundResponse{measure: i, family: r.Family}, nil
	}
	if r.ofErrors() {
		return boundResponse{measure: inChoices, family: r.Family}, nil
	}
	return boundResponse{}, r.places[0].Errorf("the responses have no measure %s%s", r.Measure, expr.Hint(r.Measure, known))
}

// CheckMeasures returns an error if data with these measures lack one of the layout's, or have it as another family.
func (l *Layout) CheckMeasures(measures []record.Measure) error {
	for i := range l.Responses {
		if _, err := l.Responses[i].bind(measures); err != nil {
			return err
		}
	}
	return nil
}

// HasColumns reports whether data with these features of items and covariates of subjects have all columns of the layout.
func (l *Layout) HasColumns(features, covariates []record.Feature) bool {
	lacks := func(declared []Metafeature, have []record.Feature) bool {
		return slices.ContainsFunc(declared, func(m Metafeature) bool {
			return !slices.ContainsFunc(have, func(f record.Feature) bool { return f.Name == m.Column })
		})
	}
	return !lacks(l.Metafeatures, features) && !lacks(l.Covariates, covariates)
}

// Parameters returns a copy of the parameters, in the order of every parameter vector.
func (d *Design) Parameters() []Parameter { return slices.Clone(d.layout.Parameters) }

// Names returns the names of the parameters. It returns nil for a nil design.
func (d *Design) Names() (out []string) {
	if d == nil {
		return nil
	}
	for _, p := range d.layout.Parameters {
		out = append(out, p.Name)
	}
	return out
}

// Measures returns the names of the measures that the layout explains, in the order of the layout.
func (d *Design) Measures() []string {
	var out []string
	for _, r := range d.layout.Responses {
		out = append(out, r.Measure)
	}
	return out
}

// Rows returns the number of distinct rows of metafeatures.
func (d *Design) Rows() int { return d.rows }

// Items returns the number of items.
func (d *Design) Items() int { return len(d.rowOf) }

// Row returns the index of an item's distinct row.
func (d *Design) Row(item int) int { return d.rowOf[item] }
