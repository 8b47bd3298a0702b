package layout

import (
	"maps"
	"slices"

	"achilles/infer/loglik"
	"achilles/infer/prior"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// A Joint is a layout bound to items and subjects, whose parameters are inferred together. A vector of all values has the
// parameters in the order of the layout, and of each parameter one value for every unit: every subject, item or group of
// either, or a single one if it is shared. A Joint is safe for concurrent use.
type Joint struct {
	layout     *Layout
	items      *record.Items
	subjects   []string
	covariates []record.Column
	measures   []record.Measure
	columns    map[string]expr.Column // metafeatures of the items
	known      map[string]expr.Column // covariates of the subjects
	rowOf      []int                  // item → row of the items that the layout tells apart
	itemAt     []int                  // row → its first item
	first      []int                  // parameter → index of its first value in a vector; one more element: the number of values
	groupOf    [][]int                // parameter of groups → item or subject → group; nil for other parameters
	starts     [][]bool               // parameter that walks → group → whether a walk begins with it; nil for other parameters
	groups     [][]string             // parameter of groups → their names, sorted
	inputs     []int                  // responses of the layout whose mean an expression mentions
	order      []int                  // parameters, each after those on which its prior depends
	priors     []unitPrior
}

// A unitPrior is the prior of one parameter in all its units.
type unitPrior struct {
	family prior.Family
	frame  frame                  // of the other parameters that the arguments mention
	plan   *loglik.Plan           // nil if the arguments are constant
	values [prior.MaxArgs]float64 // the constant arguments
	norm   float64
}

// BindJoint binds the layout to items, to subjects with their covariates, which may be nil, and to measures. It returns an error as
// Bind does, and for a covariate or column of groups that is missing or not as declared.
func (l *Layout) BindJoint(items *record.Items, subjects []string, covariates []record.Column, measures []record.Measure) (*Joint, error) {
	if items.Len() == 0 || len(subjects) == 0 {
		return nil, l.at.Errorf("the battery has no items, or nobody has taken it")
	}
	j := &Joint{layout: l, items: items, subjects: subjects, covariates: covariates, measures: measures, order: l.order()}
	var err error
	if j.columns, err = l.metafeatures(items); err != nil {
		return nil, err
	}
	if j.known, err = l.covariates(subjects, covariates); err != nil {
		return nil, err
	}
	j.tellApart()
	for i, r := range l.Responses {
		if _, err := r.bind(measures); err != nil {
			return nil, err
		}
		if l.symbols["mean("+r.Measure+")"] != nil {
			j.inputs = append(j.inputs, i)
		}
	}
	if err := j.count(); err != nil {
		return nil, err
	}
	return j, j.bindPriors()
}

// tellApart numbers the rows of the items. Items with equal metafeatures share a row, unless a parameter belongs to items.
func (j *Joint) tellApart() {
	if !slices.ContainsFunc(j.layout.Parameters, func(p Parameter) bool { return p.Group == Item }) {
		j.rowOf, j.itemAt = j.layout.distinct(j.items.Len(), j.columns)
		return
	}
	for i := range j.items.Len() {
		j.rowOf, j.itemAt = append(j.rowOf, i), append(j.itemAt, i)
	}
}

// count finds the units of every parameter.
func (j *Joint) count() error {
	at, from := 0, grouping{j.items, j.subjects, j.covariates}
	for i := range j.layout.Parameters {
		p := &j.layout.Parameters[i]
		var of []int
		var names []string
		var starts []bool
		n := 1
		switch {
		case p.Per != "":
			var err error
			if p.walks {
				of, names, starts, err = from.walk(p)
			} else {
				of, names, err = from.group(p)
			}
			if err != nil {
				return err
			}
			n = len(names)
		case p.OfSubjects():
			n = len(j.subjects)
		case p.Group == Item:
			n = j.items.Len()
		}
		j.first, j.groupOf, j.groups = append(j.first, at), append(j.groupOf, of), append(j.groups, names)
		j.starts = append(j.starts, starts)
		at += n
	}
	j.first = append(j.first, at)
	return nil
}

// bindPriors compiles the arguments of every prior.
func (j *Joint) bindPriors() error {
	for i := range j.layout.Parameters {
		p := &j.layout.Parameters[i]
		u := unitPrior{family: p.family}
		constant := !slices.ContainsFunc(p.names(), func(name string) bool { return j.layout.symbols[name].kind != aConstant })
		units := j.Units(i)
		if constant {
			units = 1
		}
		b, f := j.builder(units, mentioned(j.layout, i), func(q, row int) int { return j.unitSeen(i, q, row) })
		switch { // copies, because the builder adds constants to its columns
		case constant || p.Per != "":
		case p.OfSubjects():
			b.columns, b.row, b.unit = maps.Clone(j.known), j.subjects, ofSubjects.unit
		case p.Group == Item:
			b.columns, b.row = maps.Clone(j.columns), j.items.ID
		}
		u.frame = f
		if err := u.compile(b, p, constant); err != nil {
			return err
		}
		j.priors = append(j.priors, u)
	}
	return nil
}

// unitSeen returns the unit of parameter q that the prior of parameter p mentions in unit of p.
func (j *Joint) unitSeen(p, q, unit int) int {
	switch a, b := &j.layout.Parameters[p], &j.layout.Parameters[q]; {
	case b.Group == Shared:
		return 0
	case b.Per != "" && a.Per == "":
		return j.groupOf[q][unit]
	}
	return unit
}

func (u *unitPrior) compile(b *builder, p *Parameter, constant bool) error {
	var nodes []loglik.Node
	for k, a := range p.args {
		if constant {
			v, err := b.values(p.at, a)
			if err != nil {
				return err
			}
			u.values[k] = v[0]
			continue
		}
		n, err := b.node(p.at, a)
		if err != nil {
			return err
		}
		nodes = append(nodes, n)
	}
	if constant {
		u.norm = u.family.LogNorm(u.values[:len(p.args)])
	} else {
		u.plan = b.plan.CompileValues(nodes)
	}
	return nil
}

// Layout returns the layout that was bound.
func (j *Joint) Layout() *Layout { return j.layout }

// Len returns the number of values of all parameters.
func (j *Joint) Len() int { return j.first[len(j.priors)] }

// Units returns the number of units of parameter i.
func (j *Joint) Units(i int) int { return j.first[i+1] - j.first[i] }

// First returns the index of the first value of parameter i in a vector of all values.
func (j *Joint) First(i int) int { return j.first[i] }

// UnitName returns the name of a unit of parameter i: the ID of a subject or item, the name of a group, or "" of a shared
// parameter.
func (j *Joint) UnitName(i, unit int) string {
	switch p := &j.layout.Parameters[i]; {
	case p.Per != "":
		return j.groups[i][unit]
	case p.OfSubjects():
		return j.subjects[unit]
	case p.Group == Item:
		return j.items.ID[unit]
	}
	return ""
}

// UsesMeans reports whether the likelihood of the responses depends on the mean of the same responses.
func (j *Joint) UsesMeans() bool { return len(j.inputs) > 0 }

// Recorded returns the index in a record of measure m of the layout that was bound.
func Recorded(j *Joint, m int) uint8 {
	b, err := j.layout.Responses[m].bind(j.measures)
	if err != nil {
		panic("layout: measures to which the layout was bound do not bind")
	}
	return uint8(b.measure)
}

// HasScores reports whether a sampler may move the scores of parameter i under its prior in place of the parameter: its prior
// has scores and depends on other values.
func (j *Joint) HasScores(i int) bool {
	return (j.priors[i].plan != nil || j.layout.Parameters[i].walks) && j.priors[i].family.HasScore()
}

// GroupsSubjects reports whether a parameter belongs to groups of subjects.
func (j *Joint) GroupsSubjects() bool {
	return slices.ContainsFunc(j.layout.Parameters, func(p Parameter) bool { return p.Per != "" && p.of() == ofSubjects })
}

// Means returns, for each mean(measure) of the layout, the mean of every subject's responses. A subject without any response
// gets the mean of all responses. It returns a *NoResponse for a subject that has responses, but none to such a measure, and where nobody has.
func (j *Joint) Means(responses []record.Response) ([][]float64, error) {
	answered := make([]bool, len(j.subjects))
	for _, x := range responses {
		answered[x.Subject] = true
	}
	var out [][]float64
	for _, m := range j.inputs {
		r := j.layout.Responses[m]
		bound, err := r.bind(j.measures)
		if err != nil {
			return nil, err
		}
		sum, n := make([]float64, len(j.subjects)), make([]float64, len(j.subjects))
		all, of := 0.0, 0.0
		for _, x := range responses {
			if int(x.Measure) == bound.measure && x.Unscored == 0 {
				sum[x.Subject] += x.Value
				n[x.Subject]++
				all, of = all+x.Value, of+1
			}
		}
		for s := range sum {
			switch {
			case n[s] > 0:
				sum[s] /= n[s]
			case !answered[s] && of > 0:
				sum[s] = all / of
			default:
				return nil, &NoResponse{Layout: j.layout.Name, Measure: r.Measure, Subject: j.subjects[s]}
			}
		}
		out = append(out, sum)
	}
	return out, nil
}
