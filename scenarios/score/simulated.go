package score

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer"
	"achilles/infer/chargrid"
	"achilles/infer/diag"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A ParameterRecovery says how far the posteriors of one parameter are from the values that a layout drew, over its N
// units: subjects, items, groups of items, or a single one if the parameter is shared by all. RMSE, Bias, MCSE and Spread
// are in the unit of the parameter.
type ParameterRecovery struct {
	Parameter string    `json:"parameter"`
	Kind      string    `json:"kind"` // of the units: subject, item, shared, or the column that names the groups
	N         int       `json:"n"`
	RMSE      float64   `json:"rmse"`               // root mean square of (posterior mean − value)
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
func (s *Scores) gradeSimulated(in Input, k *key) error {
	if err := s.simulated(in, k); err != nil {
		return err
	}
	var names []string
	for _, x := range s.Simulated {
		if !slices.Contains(names, x.Parameter) {
			names = append(names, x.Parameter)
			s.Drawn = append(s.Drawn, s.recoveredParameter(x.Parameter))
		}
	}
	for _, name := range sortedKeys(in.Sealed.Parameters) {
		of := len(in.Sealed.Parameters[name])
		switch at := slices.Index(names, name); {
		case at < 0:
			s.note("parameter %s was drawn, and layout %s has no posterior of it: not graded", name, s.Layout.Name)
		case s.Drawn[at].N < of:
			s.note("parameter %s: %d of %d drawn values have no posterior: not graded", name, of-s.Drawn[at].N, of)
		}
	}
	s.Patterns = s.patterns()
	sortByName(s.Simulated, func(x Simulated) string { return x.Name })
	slices.SortStableFunc(s.Simulated, func(a, b Simulated) int {
		return slices.Index(names, a.Parameter) - slices.Index(names, b.Parameter)
	})
	return nil
}

// simulated sets s.Simulated: the posteriors of subjects, then of the other units, that have a drawn value.
func (s *Scores) simulated(in Input, k *key) error {
	seen := map[[2]string]bool{}
	keep := func(u infer.Unit, name string) error {
		value, ok := in.Sealed.Parameters[u.Parameter][u.Unit]
		if !ok {
			return nil
		}
		cell := [2]string{u.Parameter, u.Unit}
		if seen[cell] {
			return fmt.Errorf("score: inferred posterior of parameter %s, unit %q is there twice", u.Parameter, u.Unit)
		}
		seen[cell] = true
		for _, v := range []float64{u.Mean, u.SD, u.Q5, u.Q25, u.Q50, u.Q75, u.Q95} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("score: inferred posterior of parameter %s, unit %q: %v is not a number to grade", u.Parameter, u.Unit, v)
			}
		}
		s.Simulated = append(s.Simulated, Simulated{u, name, value})
		return nil
	}
	for _, p := range in.Result.Profiles {
		u := infer.Unit{Parameter: p.Parameter, Kind: subjectUnit, Unit: p.Subject, Mean: p.Mean, SD: p.SD, MCSE: p.MCSE, Q5: p.Q5, Q25: p.Q25, Q50: p.Q50, Q75: p.Q75, Q95: p.Q95}
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
func (s *Scores) recoveredParameter(name string) ParameterRecovery {
	out := ParameterRecovery{Parameter: name}
	var squared, means, values, steps []float64
	var half, most tallyShare
	known := true
	for _, x := range s.Simulated {
		if x.Parameter != name {
			continue
		}
		e := x.Mean - x.Value
		out.Kind, out.Bias = x.Kind, out.Bias+e
		squared, means, values = append(squared, float64(e*e)), append(means, x.Mean), append(values, x.Value)
		half.add(x.Q25 <= x.Value && x.Value <= x.Q75)
		most.add(x.Q5 <= x.Value && x.Value <= x.Q95)
		if known = known && x.MCSE != nil; known {
			steps = append(steps, float64(e**x.MCSE))
		}
	}
	out.N, out.RMSE, out.Spread = len(values), math.Sqrt(mean(squared)), num.Finite(diag.SD([][]float64{values}))
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

// SimulatedTable returns a table with one row for each parameter of the layout from which the data were drawn that is not binary, or nil
// if they were not drawn from a layout.
func (s *Scores) SimulatedTable() []byte {
	if s.Drawn == nil {
		return nil
	}
	t := textTable{title: "Recovery of what the layout drew, in the units of the parameters [95 %: bootstrap over units]",
		head: []string{"parameter", "of", "n", "RMSE", "95 %", "bias", "spread", "Pearson", "Spearman", "in 50 %", "in 90 %"}}
	for _, p := range s.Drawn {
		if p.Binary != nil { // ClassificationTable
			continue
		}
		t.rows = append(t.rows, []string{p.Parameter, p.Kind, strconv.Itoa(p.N), fixed(p.RMSE, 3), span(p.Interval, 2), fixed(p.Bias, 3), decimals(p.Spread, 3),
			decimals(p.Pearson, 3), decimals(p.Spearman, 3), fixed(p.Share50.Share, 2), fixed(p.Share90.Share, 2)})
	}
	t.foot = append(t.foot, "spread: standard deviation of the drawn values, which is about the RMSE of their mean as every unit's estimate; in 50 %, in 90 %: share of the values inside these central intervals")
	if under := s.SimulatedUnder(); under != "" {
		t.foot = append(t.foot, "the posteriors are those"+under+", not averaged over its rivals")
	}
	return t.text()
}

// simulatedRows returns the rows of simulated.csv.
func (s *Scores) simulatedRows() [][]string {
	rows := [][]string{{"parameter", "kind", "n", "rmse", "low", "high", "bias", "mcse", "spread", "pearson", "spearman", "share_50", "low_50", "high_50", "share_90", "low_90", "high_90"}}
	for _, p := range s.Drawn {
		row := append([]string{p.Parameter, p.Kind, strconv.Itoa(p.N), full(p.RMSE)}, ends(p.Interval)...)
		row = append(row, full(p.Bias), optional(p.MCSE), optional(p.Spread), optional(p.Pearson), optional(p.Spearman))
		for _, share := range []Share{p.Share50, p.Share90} {
			row = append(append(row, full(share.Share)), ends(&share.Interval)...)
		}
		rows = append(rows, row)
	}
	return rows
}

// parameterRows returns the rows of parameters.csv.
func (s *Scores) parameterRows() [][]string {
	rows := [][]string{{"parameter", "kind", "unit", "id", "value", "mean", "sd", "mcse", "q5", "q25", "q50", "q75", "q95"}}
	for _, x := range s.Simulated {
		rows = append(rows, []string{x.Parameter, x.Kind, x.Name, x.Unit.Unit, full(x.Value), full(x.Mean), full(x.SD), optional(x.MCSE),
			full(x.Q5), full(x.Q25), full(x.Q50), full(x.Q75), full(x.Q95)})
	}
	return rows
}
