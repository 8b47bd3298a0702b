package infer

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/infer/layout"
	"achilles/infer/misfit"
	judging "achilles/infer/table"
	"achilles/sim/table"
)

// groupColumn is the column of profiles that profiles.csv does not have.
const groupColumn = "group"

var profilesAre = table.Table{Name: "profiles", Title: "Posteriors of the subjects' parameters", Key: []string{"subject", "parameter"}}

var unitsAre = table.Table{Name: "parameters", Title: "Posteriors of item and shared parameters", Key: []string{"unit", "parameter"}}

// profileColumns returns the columns of the table of profiles.
func profileColumns() []table.Field[Profile] {
	columns := []table.Field[Profile]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(p Profile) table.Value { return table.String(p.Subject) }),
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(p Profile) table.Value { return table.String(p.Parameter) }),
		table.Col(table.Column{Name: groupColumn, Kind: table.Text, Weight: 3, Doc: "capability, bias or robustness"}, func(p Profile) table.Value { return table.String(p.Group) }),
	}
	columns = append(columns, posteriorColumns(func(p Profile) Unit {
		return Unit{Mean: &p.Mean, SD: &p.SD, MCSE: p.MCSE, Q5: p.Q5, Q25: p.Q25, Q50: p.Q50, Q75: p.Q75, Q95: p.Q95, ESSBulk: p.ESSBulk, ESSTail: p.ESSTail, RHat: p.RHat}
	})...)
	return append(columns,
		table.Col(table.Column{Name: "log_evidence", Head: "log marginal likelihood", Digits: 2, Weight: 5, Doc: "of the subject's responses"}, func(p Profile) table.Value { return table.Maybe(p.LogEvidence) }),
		table.Col(table.Column{Name: "log_evidence_se", Head: "its SE", Digits: 2, Weight: 5}, func(p Profile) table.Value { return table.Maybe(p.LogEvidenceSE) }))
}

// unitColumns returns the columns of the table of parameters.
func unitColumns() []table.Field[Unit] {
	columns := []table.Field[Unit]{
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(u Unit) table.Value { return table.String(u.Parameter) }),
		table.Col(table.Column{Name: "kind", Kind: table.Text}, func(u Unit) table.Value { return table.String(u.Kind) }),
		table.Col(table.Column{Name: "unit", Kind: table.Text}, func(u Unit) table.Value { return table.String(u.Unit) }),
	}
	return append(columns, posteriorColumns(func(u Unit) Unit { return u })...)
}

// posteriorColumns returns the columns that describe the posterior of a parameter. of returns this posterior of a row.
func posteriorColumns[R any](of func(r R) Unit) []table.Field[R] {
	number := func(c table.Column, value func(u Unit) float64) table.Field[R] {
		return table.Col(c, func(r R) table.Value { return table.Float(value(of(r))) })
	}
	perhaps := func(c table.Column, value func(u Unit) *float64) table.Field[R] {
		return table.Col(c, func(r R) table.Value { return table.Maybe(value(of(r))) })
	}
	return []table.Field[R]{
		perhaps(table.Column{Name: "mean", Digits: -1, Spread: "sd"}, func(u Unit) *float64 { return u.Mean }),
		perhaps(table.Column{Name: "sd"}, func(u Unit) *float64 { return u.SD }),
		perhaps(table.Column{Name: "mcse", Head: "MCSE", Digits: -1, Weight: 4, Doc: "Monte Carlo standard error of the mean"}, func(u Unit) *float64 { return u.MCSE }),
		number(table.Column{Name: "q5", Head: "5 %", Digits: -1, Weight: 2}, func(u Unit) float64 { return u.Q5 }),
		number(table.Column{Name: "q25", Head: "25 %", Digits: -1, Weight: 3}, func(u Unit) float64 { return u.Q25 }),
		number(table.Column{Name: "q50", Head: "median", Digits: -1, Weight: 2}, func(u Unit) float64 { return u.Q50 }),
		number(table.Column{Name: "q75", Head: "75 %", Digits: -1, Weight: 3}, func(u Unit) float64 { return u.Q75 }),
		number(table.Column{Name: "q95", Head: "95 %", Digits: -1, Weight: 2}, func(u Unit) float64 { return u.Q95 }),
		perhaps(table.Column{Name: "ess_bulk", Head: "bulk ESS", Weight: 3}, func(u Unit) *float64 { return u.ESSBulk }),
		perhaps(table.Column{Name: "ess_tail", Head: "tail ESS", Weight: 4}, func(u Unit) *float64 { return u.ESSTail }),
		perhaps(table.Column{Name: "rhat", Head: "R-hat", Digits: 3, Weight: 1}, func(u Unit) *float64 { return u.RHat }),
	}
}

// Table returns how much the responses tell about each parameter.
func (x *Identifiability) Table() *table.Table {
	t := table.Table{Name: "identifiability", Title: "Information in the responses about each parameter", Key: []string{"parameter"},
		Foot: []string{fmt.Sprintf("Contraction: 1 − posterior variance/prior variance. Identified: number of subjects with contraction ≥ %.2f.", IdentifiedFrom)}}
	logs, parts := false, 0
	for _, p := range x.Parameters {
		logs, parts = logs || p.Log, max(parts, p.Parts)
	}
	if slices.ContainsFunc(x.Parameters, func(p Identification) bool { return p.PopulationSD > 0 }) {
		t.Foot = append(t.Foot, "With a population SD, contraction is against the population that the responses infer: the reliability.")
	}
	if logs {
		t.Foot = append(t.Foot, "log: SDs are of the logarithm.")
	}
	if parts > 0 {
		t.Foot = append(t.Foot, fmt.Sprintf("–: not known, because nothing connects the %d parts of the table: the prior alone compares one with another.", parts))
	}
	rows := slices.Clone(x.Parameters)
	for _, name := range x.Unbounded {
		rows = append(rows, Identification{Parameter: name})
	}
	if len(x.Unbounded) > 0 {
		t.Foot = append(t.Foot, "–: not known, because the prior has no finite variance.")
	}
	known := func(of func(p Identification) table.Value) func(p Identification) table.Value {
		return func(p Identification) table.Value {
			if p.Subjects == 0 {
				return table.None
			}
			return of(p)
		}
	}
	return table.Of(t, rows, []table.Field[Identification]{
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(p Identification) table.Value { return table.String(p.Parameter) }),
		table.Col(table.Column{Name: "prior", Kind: table.Text, Weight: 2}, known(func(p Identification) table.Value { return table.Named(p.Prior) })),
		table.Col(table.Column{Name: "prior_sd", Head: "prior SD", Digits: -1, Weight: 1}, known(func(p Identification) table.Value { return positive(p.PriorSD) })),
		table.Col(table.Column{Name: "population_sd", Head: "population SD", Digits: -1, Weight: 1, Doc: "that the responses infer"}, known(func(p Identification) table.Value { return positive(p.PopulationSD) })),
		table.Col(table.Column{Name: "log", Kind: table.Text, Weight: 3, Doc: "log: the posterior and population SDs are of the logarithm"}, func(p Identification) table.Value {
			if p.Log {
				return table.String("log")
			}
			return table.None
		}),
		table.Col(table.Column{Name: "posterior_sd", Head: "posterior SD", Digits: -1, Weight: 1, Doc: "root mean square over subjects"}, known(func(p Identification) table.Value { return table.Float(p.PosteriorSD) })),
		table.Col(table.Column{Name: "contraction", Digits: 2, Doc: "mean over subjects"}, known(func(p Identification) table.Value { return table.Float(p.Contraction) })),
		table.Col(table.Column{Name: "rmse", Head: "RMSE", Digits: -1, Weight: 1, Doc: "of posterior means of simulated subjects"}, func(p Identification) table.Value {
			return positive(p.RMSE)
		}),
		table.Col(table.Column{Name: "identified", Kind: table.Count}, known(func(p Identification) table.Value {
			if p.Parts > 0 {
				return table.None
			}
			return table.Int(p.Identified)
		})),
		table.Col(table.Column{Name: "subjects", Head: "of", Kind: table.Count}, known(func(p Identification) table.Value { return table.Int(p.Subjects) })),
	})
}

// positive returns the number, or None if it is 0, which stands for a number that is not known.
func positive(x float64) table.Value {
	if x == 0 {
		return table.None
	}
	return table.Float(x)
}

// Together returns the pairs of parameters that the responses constrain together rather than one by one.
func (x *Identifiability) Together() *table.Table {
	return table.Of(table.Table{Name: "correlated", Title: fmt.Sprintf("Posterior correlations of %.2f or more: constrained jointly, not separately", StrongCorrelation), Key: []string{"a", "b"}}, x.Strong, []table.Field[PosteriorCorrelation]{
		table.Col(table.Column{Name: "a", Head: "parameter", Kind: table.Text}, func(p PosteriorCorrelation) table.Value { return table.String(p.A) }),
		table.Col(table.Column{Name: "b", Head: "and", Kind: table.Text}, func(p PosteriorCorrelation) table.Value { return table.String(p.B) }),
		table.Col(table.Column{Name: "r", Head: "strongest", Digits: 2, Doc: "Pearson's correlation, of the subject with the strongest one"}, func(p PosteriorCorrelation) table.Value { return table.Float(p.R) }),
		table.Col(table.Column{Name: "subject", Head: "in", Kind: table.Text, Weight: 1}, func(p PosteriorCorrelation) table.Value { return table.Named(p.Subject) }),
		table.Col(table.Column{Name: "strong", Kind: table.Count, Doc: "subjects with a strong correlation"}, func(p PosteriorCorrelation) table.Value { return table.Int(p.Strong) }),
		table.Col(table.Column{Name: "subjects", Head: "of", Kind: table.Count}, func(p PosteriorCorrelation) table.Value { return table.Int(p.Subjects) }),
	})
}

// Believed returns how far the labels of judges are to be believed. It has no row without a judge.
func (x *Identifiability) Believed() *table.Table {
	return table.Of(table.Table{Name: "labels", Title: "Labels of judges", Key: []string{"demand"}}, x.Labels, []table.Field[layout.Labels]{
		table.Col(table.Column{Name: "demand", Kind: table.Text}, func(l layout.Labels) table.Value { return table.String(l.Metafeature) }),
		table.Col(table.Column{Name: "wrong", Digits: 3, Doc: "expected proportion of wrong labels"}, func(l layout.Labels) table.Value { return table.Maybe(l.Wrong) }),
		table.Col(table.Column{Name: "reliability", Digits: 3, Doc: "proportion of the variance of true values that the labels explain"}, func(l layout.Labels) table.Value { return table.Float(l.Reliability) }),
	})
}

// Tables returns the p-values of the ranks of each quantity, and how often errors that were planted in the fits are found.
func (c *Calibration) Tables() (quantities, planted *table.Table) {
	quantities = table.Of(table.Table{Name: "quantities", Title: "Ranks of true values among posterior draws", Key: []string{"quantity"},
		Foot: []string{fmt.Sprintf("%d replications, %d without a posterior.", c.Replications, c.Unresolved)}}, c.Quantities, []table.Field[CalibratedQuantity]{
		table.Col(table.Column{Name: "quantity", Kind: table.Text}, func(q CalibratedQuantity) table.Value { return table.String(q.Name) }),
		table.Col(table.Column{Name: "p", Digits: 3, Test: true, Doc: "probability of ranks at least as far from uniform"}, func(q CalibratedQuantity) table.Value { return table.Float(q.P) }),
	})
	return quantities, table.Of(table.Table{Name: "planted", Title: "Errors planted in the fits", Key: []string{"error"},
		Foot: []string{fmt.Sprintf("Power: proportion of sets of %d replications that find the error.", c.Replications/2)}}, c.Planted, []table.Field[PlantedError]{
		table.Col(table.Column{Name: "error", Head: "planted error", Kind: table.Text}, func(p PlantedError) table.Value { return table.String(p.Name) }),
		table.Col(table.Column{Name: "p", Digits: -1, Test: true, Doc: "smallest of all quantities, times their number"}, func(p PlantedError) table.Value { return table.Float(p.P) }),
		table.Col(table.Column{Name: "power", Digits: 2}, func(p PlantedError) table.Value { return table.Float(p.Power) }),
		table.Col(table.Column{Name: "by", Head: "most often by", Kind: table.Text, Weight: 1, Doc: "quantity whose ranks find the error most often"}, func(p PlantedError) table.Value { return table.String(p.By) }),
		table.Col(table.Column{Name: "refits", Head: "refitted", Kind: table.Count, Weight: 2, Doc: "replications"}, func(p PlantedError) table.Value { return table.Int(p.Refits) }),
	})
}

// A unitRange is a row of the table of the parameters of items and of everybody: the units with the lowest and the highest
// mean. They are one if the parameter is shared.
type unitRange struct {
	n         int
	low, high *Unit
}

// shared reports whether the parameter belongs to everybody.
func (r unitRange) shared() bool { return r.low.Kind == SharedUnit }

// UnitRanges returns the posterior means of shared parameters, and the range of those of each parameter of items or groups, unless nothing connects
// parts of the table. units are in the layout's order, as a Result has them, and findings those of its Diagnostics.
func UnitRanges(units []Unit, findings []judging.Finding) *table.Table {
	var rows []unitRange
	for rest := units; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Parameter == rest[0].Parameter {
			n++
		}
		byValue := func(a, b Unit) int { return cmp.Compare(a.Shown(), b.Shown()) }
		low, high := slices.MinFunc(rest[:n], byValue), slices.MaxFunc(rest[:n], byValue)
		rows = append(rows, unitRange{n, &low, &high})
		rest = rest[n:]
	}
	apart := judging.Apart(findings) // then no unit is the lowest or the highest of all
	when := func(shared bool, of func(r unitRange) table.Value) func(r unitRange) table.Value {
		return func(r unitRange) table.Value {
			if r.shared() != shared || !shared && apart != "" {
				return table.None
			}
			return of(r)
		}
	}
	value := func(u *Unit) table.Value { return table.Float(u.Shown()) }
	spread := func(u *Unit) table.Value { return table.Maybe(u.SD) }
	foot := []string{"± posterior standard deviation."}
	if slices.ContainsFunc(rows, func(r unitRange) bool { return r.low.Mean == nil || r.high.Mean == nil }) {
		foot = append(foot, "Without ±: the median, because the draws have no finite variance.")
	}
	if apart != "" && slices.ContainsFunc(rows, func(r unitRange) bool { return !r.shared() }) {
		foot = append(foot, apart)
	}
	return table.Of(table.Table{Name: "units", Title: "Item and shared parameters: posterior means", Key: []string{"parameter"}, Foot: foot}, rows, []table.Field[unitRange]{
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(r unitRange) table.Value { return table.String(r.low.Parameter) }),
		table.Col(table.Column{Name: "kind", Head: "of", Kind: table.Text}, func(r unitRange) table.Value { return table.String(r.low.Kind) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "items or groups"}, func(r unitRange) table.Value { return table.Int(r.n) }),
		table.Col(table.Column{Name: "mean", Digits: -1, Spread: "sd"}, when(true, func(r unitRange) table.Value { return value(r.low) })),
		table.Col(table.Column{Name: "sd"}, when(true, func(r unitRange) table.Value { return spread(r.low) })),
		table.Col(table.Column{Name: "lowest", Digits: -1, Spread: "lowest_sd"}, when(false, func(r unitRange) table.Value { return value(r.low) })),
		table.Col(table.Column{Name: "lowest_sd"}, when(false, func(r unitRange) table.Value { return spread(r.low) })),
		table.Col(table.Column{Name: "lowest_unit", Head: "at", Kind: table.Text, Weight: 1}, when(false, func(r unitRange) table.Value { return table.String(r.low.Unit) })),
		table.Col(table.Column{Name: "highest", Digits: -1, Spread: "highest_sd"}, when(false, func(r unitRange) table.Value { return value(r.high) })),
		table.Col(table.Column{Name: "highest_sd"}, when(false, func(r unitRange) table.Value { return spread(r.high) })),
		table.Col(table.Column{Name: "highest_unit", Head: "at", Kind: table.Text, Weight: 1}, when(false, func(r unitRange) table.Value { return table.String(r.high.Unit) })),
	})
}

// TableMisfits returns the checks that a fit of all subjects together fails, the worst first. It has no rows if there is none.
func (d *Diagnostics) TableMisfits() *table.Table {
	var rows []misfit.Finding
	for _, f := range d.Fits {
		if f.Misfit != nil && f.Subject == Everybody {
			rows = append(rows, f.Misfit.Failed...)
		}
	}
	return table.Of(table.Table{Name: "table-misfits", Title: fmt.Sprintf("Misfit: what layout %s does not explain in the table", d.Layout), Key: []string{"check"}}, rows, []table.Field[misfit.Finding]{
		table.Col(table.Column{Name: "check", Kind: table.Text}, func(f misfit.Finding) table.Value { return table.String(f.Check) }),
		table.Col(table.Column{Name: "finding", Kind: table.Text, Prose: true}, func(f misfit.Finding) table.Value { return table.String(f.Statement) }),
	})
}

// Misfits returns the subjects that fail a check of the layout, each with the worst check that failed. It has no rows if all
// pass.
func (d *Diagnostics) Misfits() *table.Table {
	n := 0
	var rows []Fit
	for _, f := range d.Fits {
		if f.Misfit == nil || f.Subject == Everybody {
			continue
		}
		if n++; len(f.Misfit.Failed) > 0 {
			rows = append(rows, f)
		}
	}
	return table.Of(table.Table{Name: "misfits", Title: fmt.Sprintf("Person misfit: layout %s fails a fit check for %d of %d subjects", d.Layout, len(rows), n), Key: []string{"subject"}}, rows, []table.Field[Fit]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(f Fit) table.Value { return table.String(f.Subject) }),
		table.Col(table.Column{Name: "failed", Head: "worst check that failed", Kind: table.Text, Prose: true}, func(f Fit) table.Value { return table.String(f.Misfit.Failed[0].Statement) }),
	})
}
