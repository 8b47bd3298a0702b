package score

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"achilles/infer"
	"achilles/infer/chargrid"
	"achilles/sim/num"
	"achilles/sim/rng"
	"achilles/sim/table"
)

// A ParameterRecovery says how far the posteriors of one parameter are from the values that a layout drew, over its N
// units: subjects, items, groups of items, or a single one if the parameter is shared by all. RMSE, Bias, MCSE and Spread
// are in the unit of the parameter.
type ParameterRecovery struct {
	Parameter string    `json:"parameter"`
	Kind      string    `json:"kind"` // of the units: subject, item, shared, or the column that names the groups
	N         int       `json:"n"`
	RMSE      float64   `json:"rmse"`               // root mean square of (posterior mean − value); where a posterior has no mean, its median
	Interval  *Interval `json:"interval,omitempty"` // 95 % interval of RMSE, bootstrap over units; absent for one unit
	Bias      float64   `json:"bias"`               // mean of (posterior mean − value)
	MCSE      *float64  `json:"mcse,omitempty"`     // Monte Carlo standard error of RMSE
	Spread    *float64  `json:"spread,omitempty"`   // SD of the values: about the RMSE of their mean as every unit's estimate; absent for one unit
	Pearson   *float64  `json:"pearson,omitempty"`  // correlations of posterior mean and value; absent if either is constant
	Spearman  *float64  `json:"spearman,omitempty"`
	Share50   Share     `json:"50"` // values inside the central 50 % of their posteriors
	Share90   Share     `json:"90"`

	Binary *Classification `json:"binary,omitempty"` // if all values are 0 or 1; intervals then say nothing
}

// subjectUnit is the kind of a unit that is a subject.
const subjectUnit = "subject"

// A Simulated is the posterior of one unit of a parameter with the value that was drawn.
type Simulated struct {
	infer.Unit
	Name  string // of the subject or item; else the unit's own
	Value float64
}

// gradeSimulated grades the posteriors of all parameters of the layout from which the data were drawn. It returns an error
// if a posterior occurs twice or is not finite, and notes drawn values without a posterior.
func gradeSimulated(s *Scores, in Input, k *key) error {
	if err := simulated(s, in, k); err != nil {
		return err
	}
	var names []string
	for _, x := range s.Simulated {
		if !slices.Contains(names, x.Parameter) {
			names = append(names, x.Parameter)
			s.Drawn = append(s.Drawn, recoveredParameter(s, x.Parameter))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(in.Sealed.Parameters)) {
		of := len(in.Sealed.Parameters[name])
		switch at := slices.Index(names, name); {
		case at < 0:
			s.note("parameter %s was drawn, and layout %s has no posterior of it: not graded", name, s.Layout.Name)
		case s.Drawn[at].N < of:
			s.note("parameter %s: %d of %d drawn values have no posterior: not graded", name, of-s.Drawn[at].N, of)
		}
	}
	s.Patterns = patterns(s)
	sortByName(s.Simulated, func(x Simulated) string { return x.Name })
	slices.SortStableFunc(s.Simulated, func(a, b Simulated) int {
		return slices.Index(names, a.Parameter) - slices.Index(names, b.Parameter)
	})
	return nil
}

// simulated sets s.Simulated: the posteriors of subjects, then of the other units, that have a drawn value.
func simulated(s *Scores, in Input, k *key) error {
	seen := map[[2]string]bool{}
	keep := func(u infer.Unit, name string) error {
		value, ok := in.Sealed.Parameters[u.Parameter][u.Unit]
		if !ok {
			return nil
		}
		cell := [2]string{u.Parameter, u.Unit}
		if seen[cell] {
			return fmt.Errorf("score: inferred posterior of parameter %s, unit %q appears twice", u.Parameter, u.Unit)
		}
		seen[cell] = true
		for _, v := range []float64{u.Shown(), u.Q5, u.Q25, u.Q50, u.Q75, u.Q95} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("score: inferred posterior of parameter %s, unit %q: %v is not a number to grade", u.Parameter, u.Unit, v)
			}
		}
		s.Simulated = append(s.Simulated, Simulated{u, name, value})
		return nil
	}
	for _, p := range in.Result.Profiles {
		u := infer.Unit{Parameter: p.Parameter, Kind: subjectUnit, Unit: p.Subject, Mean: &p.Mean, SD: &p.SD, MCSE: p.MCSE, Q5: p.Q5, Q25: p.Q25, Q50: p.Q50, Q75: p.Q75, Q95: p.Q95}
		if err := keep(u, k.name(p.Subject)); err != nil {
			return err
		}
	}
	for _, u := range in.Result.Units {
		name := u.Unit
		if item, ok := in.Sealed.Items[u.Unit]; ok && u.Kind == infer.ItemUnit {
			name = item.Name
		}
		if err := keep(u, name); err != nil {
			return err
		}
	}
	return nil
}

// recoveredParameter grades one parameter over its units.
func recoveredParameter(s *Scores, name string) ParameterRecovery {
	out := ParameterRecovery{Parameter: name}
	var squared, means, values, steps []float64
	var half, most tallyShare
	known := true
	for _, x := range s.Simulated {
		if x.Parameter != name {
			continue
		}
		e := x.Shown() - x.Value
		out.Kind, out.Bias = x.Kind, out.Bias+e
		squared, means, values = append(squared, float64(e*e)), append(means, x.Shown()), append(values, x.Value)
		half.add(x.Q25 <= x.Value && x.Value <= x.Q75)
		most.add(x.Q5 <= x.Value && x.Value <= x.Q95)
		if known = known && x.MCSE != nil; known {
			steps = append(steps, float64(e**x.MCSE))
		}
	}
	_, variance := num.Moments(values)
	out.N, out.RMSE, out.Spread = len(values), math.Sqrt(num.Mean(squared)), num.Finite(math.Sqrt(variance))
	out.Bias /= float64(out.N)
	out.Interval = bootstrapRMS(rng.Stream(0, "score", "simulated", name), squared)
	if known && out.RMSE > 0 {
		out.MCSE = num.Finite(math.Sqrt(num.Dot(steps, steps)) / (float64(out.N) * out.RMSE)) // as rmseMCSE
	}
	out.Pearson = num.Finite(chargrid.Pearson(means, values, nil))
	out.Spearman = num.Finite(chargrid.Spearman(means, values, nil))
	out.Share50, out.Share90 = *half.share(), *most.share()
	out.Binary = classify(values, means)
	return out
}

// SimulatedUnder returns " under layout NAME alone" if there are profiles that are averaged over all rivals of a bank, as
// the graded posteriors of drawn values never are: verdicts have no posteriors of items and no quartiles. Otherwise it
// returns "".
func (s *Scores) SimulatedUnder() string {
	if slices.ContainsFunc(s.Profiles, func(p Profile) bool { return p.Stacked != nil }) {
		return " under layout " + s.Layout.Name + " alone"
	}
	return ""
}

// simulatedTable returns the recovery of each parameter that a layout drew; nil if none did.
func simulatedTable(s *Scores) *table.Table {
	t := table.Of(table.Table{
		Name: "simulated", Title: "Recovery of what the layout drew: RMSE of the posterior mean" + s.SimulatedUnder() + ", in the unit of the parameter", Key: []string{"parameter"},
		Foot: []string{"Brackets: 95 % intervals, by bootstrap over units (RMSE) or exact (proportions). The true values were drawn from the layout before the subjects responded. Correlations: posterior means with true values. Last columns: coverage of equal-tailed intervals."},
	}, s.Drawn, []table.Field[ParameterRecovery]{
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(p ParameterRecovery) table.Value { return table.String(p.Parameter) }),
		table.Col(table.Column{Name: "kind", Head: "of", Kind: table.Text, Doc: "unit: subject, item, group or shared"}, func(p ParameterRecovery) table.Value { return table.String(p.Kind) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "values"}, func(p ParameterRecovery) table.Value { return table.Int(p.N) }),
		table.Col(table.Column{Name: "rmse", Head: "RMSE", Digits: 3, Low: "low", High: "high", Better: table.Less, Than: "spread"}, func(p ParameterRecovery) table.Value { return table.Float(p.RMSE) }),
		table.Col(table.Column{Name: "low"}, func(p ParameterRecovery) table.Value { return low(p.Interval) }),
		table.Col(table.Column{Name: "high"}, func(p ParameterRecovery) table.Value { return high(p.Interval) }),
		table.Col(table.Column{Name: "bias", Digits: 3, Weight: 3, Doc: "mean of posterior mean − value"}, func(p ParameterRecovery) table.Value { return table.Float(p.Bias) }),
		table.Col(table.Column{Name: "mcse", Head: "MCSE", Digits: 4, Weight: 5, Doc: "Monte Carlo standard error of the RMSE"}, func(p ParameterRecovery) table.Value { return table.Maybe(p.MCSE) }),
		table.Col(table.Column{Name: "spread", Head: "baseline", Digits: 3, Doc: "SD of the values: about the RMSE of their mean as every estimate"}, func(p ParameterRecovery) table.Value { return table.Maybe(p.Spread) }),
		table.Col(table.Column{Name: "pearson", Head: "Pearson", Digits: 3, Weight: 1}, func(p ParameterRecovery) table.Value { return table.Maybe(p.Pearson) }),
		table.Col(table.Column{Name: "spearman", Head: "Spearman", Digits: 3, Weight: 4}, func(p ParameterRecovery) table.Value { return table.Maybe(p.Spearman) }),
		table.Col(table.Column{Name: "share_50", Head: "in 50 %", Digits: 2, Low: "low_50", High: "high_50", Weight: 2}, func(p ParameterRecovery) table.Value { return table.Float(p.Share50.Share) }),
		table.Col(table.Column{Name: "low_50"}, func(p ParameterRecovery) table.Value { return low(&p.Share50.Interval) }),
		table.Col(table.Column{Name: "high_50"}, func(p ParameterRecovery) table.Value { return high(&p.Share50.Interval) }),
		table.Col(table.Column{Name: "share_90", Head: "in 90 %", Digits: 2, Low: "low_90", High: "high_90", Weight: 2}, func(p ParameterRecovery) table.Value { return table.Float(p.Share90.Share) }),
		table.Col(table.Column{Name: "low_90"}, func(p ParameterRecovery) table.Value { return low(&p.Share90.Interval) }),
		table.Col(table.Column{Name: "high_90"}, func(p ParameterRecovery) table.Value { return high(&p.Share90.Interval) }),
	})
	for i, p := range s.Drawn {
		if p.Binary != nil {
			t.Note(i, "parameter", "Binary parameter: credible intervals are uninformative; see table binary.")
		}
	}
	return t
}

// parametersOf returns the posteriors of what was drawn or, if nothing was, of items and what is shared.
func parametersOf(s *Scores) *table.Table {
	if len(s.Simulated) == 0 {
		return UnitTable(s.Units, s)
	}
	return parameterTable(s.Simulated)
}

// parameterTable returns the posteriors of units beside what was drawn. People see those of items, of groups and of everybody,
// one line for each unit; those of subjects are their profiles.
func parameterTable(list []Simulated) *table.Table {
	rows := slices.Clone(list)
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].Parameter == rows[from].Parameter && rows[to].Kind == rows[from].Kind {
			to++
		}
		sortByName(rows[from:to], func(x Simulated) string { return x.Name })
		from = to
	}
	var kinds []string
	for _, x := range rows {
		if x.Kind != "subject" && !slices.Contains(kinds, x.Kind) {
			kinds = append(kinds, x.Kind)
		}
	}
	var views []table.View
	for _, kind := range kinds {
		v := table.View{Title: "Parameters of each " + kind + ": posterior mean ± SD", Where: "kind", Is: kind, Down: "unit", Across: "parameter", Cell: "mean", Below: []string{"value"}}
		if kind == "shared" {
			v.Title, v.Down, v.Across = "Shared parameters: posterior mean ± SD", "parameter", "kind"
		}
		views = append(views, v)
	}
	t := table.Table{Name: "parameters", Title: "Parameters of subjects and items, and shared ones", Key: []string{"unit", "parameter"}, FileOnly: views == nil}
	if views != nil {
		t.View, t.More = &views[0], views[1:]
	}
	out := table.Of(t, rows, []table.Field[Simulated]{
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(x Simulated) table.Value { return table.String(x.Parameter) }),
		table.Col(table.Column{Name: "kind", Kind: table.Text, Doc: "subject, item, shared, or the column that names the groups"}, func(x Simulated) table.Value { return table.String(x.Kind) }),
		table.Col(table.Column{Name: "unit", Kind: table.Text, Doc: "subject, item, or group of items; empty: shared by all"}, func(x Simulated) table.Value { return table.Named(x.Name) }),
		table.Col(table.Column{Name: "id", Kind: table.Text}, func(x Simulated) table.Value { return table.Named(x.Unit.Unit) }),
		table.Col(table.Column{Name: "value", Head: "truth", Digits: -1, Doc: "true value"}, func(x Simulated) table.Value { return table.Float(x.Value) }),
		table.Col(table.Column{Name: "mean", Digits: -1, Spread: "sd"}, func(x Simulated) table.Value { return table.Maybe(x.Mean) }),
		table.Col(table.Column{Name: "sd"}, func(x Simulated) table.Value { return table.Maybe(x.SD) }),
		table.Col(table.Column{Name: "mcse", Doc: "Monte Carlo standard error of the mean"}, func(x Simulated) table.Value { return table.Maybe(x.MCSE) }),
		table.Col(table.Column{Name: "q5"}, func(x Simulated) table.Value { return table.Float(x.Q5) }),
		table.Col(table.Column{Name: "q25"}, func(x Simulated) table.Value { return table.Float(x.Q25) }),
		table.Col(table.Column{Name: "q50"}, func(x Simulated) table.Value { return table.Float(x.Q50) }),
		table.Col(table.Column{Name: "q75"}, func(x Simulated) table.Value { return table.Float(x.Q75) }),
		table.Col(table.Column{Name: "q95"}, func(x Simulated) table.Value { return table.Float(x.Q95) }),
	})
	for i, x := range rows {
		if x.Mean == nil {
			out.Note(i, "mean", fmt.Sprintf("%s has no mean and no SD, the tails of its draws are too heavy: median %.3g, 90 %% interval from %.3g to %.3g.", x.Unit.Name(), x.Q50, x.Q5, x.Q95))
		}
	}
	return out
}

// UnitTable returns the parameters of a result that do not belong to subjects, beside what was drawn. s has that; it is nil if
// nothing is graded.
func UnitTable(units []infer.Unit, s *Scores) *table.Table {
	drawn := map[[2]string]*Simulated{}
	if s != nil {
		for i, x := range s.Simulated {
			drawn[[2]string{x.Parameter, x.Unit.Unit}] = &s.Simulated[i]
		}
	}
	rows := make([]Simulated, len(units))
	for i, u := range units {
		rows[i] = Simulated{u, u.Unit, math.NaN()}
		if x := drawn[[2]string{u.Parameter, u.Unit}]; x != nil {
			rows[i].Name, rows[i].Value = x.Name, x.Value
		}
	}
	return parameterTable(rows)
}
