package irt

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/infer/mml"
	judging "achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/table"
)

// whole returns what there is to say of the model as a whole.
func (a *Analysis) whole() *table.Table {
	f, m := a.Fit, &a.moments
	rel := f.Reliability(a.scores, 0)
	fields := []table.Field[*mml.Fit]{
		text("model", "the model", func(f *mml.Fit) string { return string(f.Model) }),
		number("subjects", "with a response", 0, func(f *mml.Fit) float64 { return f.Subjects }),
		count("parameters", "that were estimated", func(f *mml.Fit) int { return f.Parameters }),
		number("log_likelihood", "of the responses at the estimates, without priors", 2, func(f *mml.Fit) float64 { return f.LogLik }),
		headed("AIC", number("aic", "Akaike's criterion", 1, func(f *mml.Fit) float64 { return f.AIC })),
		headed("BIC", number("bic", "Schwarz's criterion", 1, func(f *mml.Fit) float64 { return f.BIC })),
		number("spread", "standard deviation of abilities in log odds, where items have one slope", 3, func(f *mml.Fit) float64 { return orNone(f.Spread) }),
		number("spread_se", "its standard error", 3, func(*mml.Fit) float64 { return orNone(spreadSE(a)) }),
		headed("M2", number("m2", "M2 of Maydeu-Olivares and Joe (2006), of ordered categories M2* of Cai and Hansen (2013)", 2, func(*mml.Fit) float64 { return a.made(m.M2) })),
		headed("M2 subjects", number("m2_subjects", "those without a missing response, of whom alone M2 is", 0, func(*mml.Fit) float64 { return a.made(m.Subjects) })),
		headed("M2 df", number("m2_df", "its degrees of freedom", 0, func(*mml.Fit) float64 { return a.made(float64(m.DF)) })),
		headed("M2 p", pvalue("m2_p", "its p-value", 4, func(*mml.Fit) float64 { return a.made(m.P) })),
		{Column: table.Column{Name: "rmsea2", Head: "RMSEA2", Doc: "size of the misfit, per degree of freedom; below 0.05 close fit (Maydeu-Olivares and Joe 2014)", Digits: 3, Low: "rmsea2_low", High: "rmsea2_high"}, Of: func(*mml.Fit) table.Value { return table.Float(a.made(m.RMSEA)) }},
		number("rmsea2_low", "lower end of its 90 % interval", 3, func(*mml.Fit) float64 { return a.made(m.Low) }),
		number("rmsea2_high", "upper end of its 90 % interval", 3, func(*mml.Fit) float64 { return a.made(m.High) }),
		{Column: table.Column{Name: "reliability", Doc: "empirical: variance of estimated abilities/(that variance + their mean error variance)", Digits: 3, Low: "reliability_low", High: "reliability_high"}, Of: func(*mml.Fit) table.Value { return table.Float(rel.Empirical) }},
		number("reliability_low", "lower end of its 95 % interval (Feldt 1965)", 3, func(*mml.Fit) float64 { return rel.Low }),
		number("reliability_high", "upper end of its 95 % interval", 3, func(*mml.Fit) float64 { return rel.High }),
		number("marginal_reliability", "of one response per item: mean over the population of information/(information + 1), where 1 is that of the population (Green et al. 1984)", 3, func(*mml.Fit) float64 { return rel.Marginal }),
		count("nodes", "points of the integration over each ability", func(f *mml.Fit) int { return f.Nodes }),
		{Column: table.Column{Name: "converged", Kind: table.Flag, Doc: "whether the fit reached a maximum"}, Of: func(f *mml.Fit) table.Value { return table.Bool(f.Converged) }},
	}
	t := table.Of(table.Table{Name: "model", Title: "The model as a whole"}, []*mml.Fit{f}, fields)
	if a.alike.Cells > 0 {
		t.Foot = append(t.Foot, fmt.Sprintf("Several responses of a subject to one item correlate by %.2f (SE %.2f) beyond ability, and %s.", a.alike.Correlation, a.alike.SE, map[bool]string{true: "count as fewer", false: "all count"}[a.alike.There()]), "Tests of fit are of the first of them.")
	}
	if m.Impossible != "" {
		t.Foot = append(t.Foot, "No M2: "+m.Impossible+".")
	}
	for _, c := range t.Columns {
		if doubt := a.beside[c.Name]; doubt != "" {
			t.Note(0, c.Name, doubt)
		}
	}
	if a.Groups != nil {
		t.Foot = append(t.Foot, "M2 is of a fit to all subjects as one population.")
	}
	return t
}

func orNone(x float64) float64 {
	if x == 0 {
		return math.NaN()
	}
	return x
}

// made returns a number of M2, NaN where there is none.
func (a *Analysis) made(x float64) float64 {
	if a.moments.Impossible != "" {
		return math.NaN()
	}
	return x
}

func text[R any](name, doc string, of func(r R) string) table.Field[R] {
	return table.Col(table.Column{Name: name, Kind: table.Text, Doc: doc}, func(r R) table.Value { return table.Named(of(r)) })
}

func number[R any](name, doc string, digits int, of func(r R) float64) table.Field[R] {
	return table.Col(table.Column{Name: name, Doc: doc, Digits: digits}, func(r R) table.Value { return table.Float(of(r)) })
}

// pvalue is a column of p-values.
func pvalue[R any](name, doc string, digits int, of func(r R) float64) table.Field[R] {
	f := number(name, doc, digits, of)
	f.Test = true
	return f
}

func count[R any](name, doc string, of func(r R) int) table.Field[R] {
	return table.Col(table.Column{Name: name, Kind: table.Count, Doc: doc}, func(r R) table.Value { return table.Int(of(r)) })
}

// weighing sets the weight of a column: the heaviest is left out first where there is little room.
func weighing[R any](weight int, f table.Field[R]) table.Field[R] {
	f.Weight = weight
	return f
}

// headed sets the head of a column in print.
func headed[R any](head string, f table.Field[R]) table.Field[R] {
	f.Head = head
	return f
}

// estimate returns a column with its standard error behind it.
func estimate[R any](name, doc string, of func(r R) (x, se float64)) []table.Field[R] {
	return []table.Field[R]{
		{Column: table.Column{Name: name, Doc: doc, Digits: 3, Error: name + "_se"}, Of: func(r R) table.Value { x, _ := of(r); return table.Float(x) }},
		number(name+"_se", "standard error of "+name, 3, func(r R) float64 { _, se := of(r); return orNone(se) }),
	}
}

// warnings returns what is not to be trusted.
func (a *Analysis) warnings() *table.Table {
	return table.Of(table.Table{Name: "warnings", Title: "Warnings"}, a.Warnings, []table.Field[Warning]{
		text("kind", "as docs/guide/warnings.md lists them", func(w Warning) string { return w.Kind }),
		table.Col(table.Column{Name: "warning", Kind: table.Text, Prose: true}, func(w Warning) table.Value { return table.String(w.Text) }),
	})
}

// findings returns what the table itself cannot tell.
func (a *Analysis) findings() *table.Table {
	if a.Judged == nil {
		return &table.Table{}
	}
	return judging.FindingsTable(a.Judged.Findings)
}

// abilities returns the correlations of abilities.
func (a *Analysis) abilities() *table.Table {
	if a.in.names == nil {
		return nil
	}
	type row struct{ x, y int }
	var rows []row
	for x := range a.in.names {
		for y := range x {
			rows = append(rows, row{y, x})
		}
	}
	rel := make([]mml.Reliability, len(a.in.names))
	for m := range rel {
		rel[m] = a.Fit.Reliability(a.scores, m)
	}
	return table.Of(table.Table{Name: "abilities", Title: "Correlations of abilities"}, rows, []table.Field[row]{
		text("ability", "", func(r row) string { return a.in.names[r.x] }),
		text("other", "", func(r row) string { return a.in.names[r.y] }),
		number("correlation", "in the population", 3, func(r row) float64 { return a.Fit.Correlations[r.x][r.y] }),
		number("reliability", "of the ability's estimates, empirical", 3, func(r row) float64 { return rel[r.x].Empirical }),
		number("other_reliability", "of the other's", 3, func(r row) float64 { return rel[r.y].Empirical }),
	})
}

// people returns the subjects.
func (a *Analysis) people() *table.Table {
	corrected := a.corrected(pvalues(a.scores, func(s *mml.Score) float64 { return s.P }))
	rows := natural(a.Data.Subjects)
	fields := []table.Field[int]{text("subject", "", func(n int) string { return a.Data.Subjects[n] })}
	if a.Groups != nil {
		fields = append(fields, text("group", "", func(n int) string { return a.Groups[a.in.data.Group[n]] }))
	}
	if a.in.data.Weight != nil {
		fields = append(fields, number("count", "how many subjects the row stands for", 0, func(n int) float64 { return a.in.data.Weight[n] }))
	}
	fields = append(fields, weighing(2, count("responses", "to items that are analysed", func(n int) int { return a.scores[n].Responses })))
	names := a.in.names
	if names == nil {
		names = []string{"ability"}
	}
	_, scale := scale(a)
	for m, name := range names {
		of := func(n int, f func(s *mml.Score) []float64) float64 {
			if x := f(&a.scores[n]); x != nil {
				return float64(scale * x[m])
			}
			return math.NaN()
		}
		fields = append(fields,
			table.Field[int]{Column: table.Column{Name: name, Doc: "posterior mean (EAP), " + unit(a), Digits: 2, Spread: name + "_sd"}, Of: func(n int) table.Value {
				return table.Float(of(n, func(s *mml.Score) []float64 { return s.Mean }))
			}},
			number(name+"_sd", "its posterior standard deviation", 2, func(n int) float64 { return of(n, func(s *mml.Score) []float64 { return s.SD }) }))
	}
	fields = append(fields,
		headed("l_z*", number("person_fit", "l_z* (Snijders 2001; Sinharay 2016; of several abilities Albers, Meijer and Tendeiro 2016): negative where responses are less likely than those of others of the same abilities", 2, func(n int) float64 { return a.scores[n].Fit })),
		headed("p", pvalue("person_p", "proportion of simulated subjects of the model whose l_z* is as low", 4, func(n int) float64 { return a.scores[n].P })),
		headed("corrected p", pvalue("person_corrected", "the p-value, corrected for the number of subjects: "+a.correction(), 3, func(n int) float64 { return corrected[n] })))
	t := table.Of(table.Table{Name: "subjects", Title: "Subjects", Key: []string{"subject"}, Worst: []string{"person_p"}}, rows, fields)
	for row, n := range rows {
		t.Note(row, "subject", doubts(a, a.Data.Subjects[n])...)
	}
	t.Foot = append(apart(a), "Values behind ± are posterior standard deviations.")
	if a.in.names == nil {
		t.Foot = append(t.Foot, fmt.Sprintf("p is the proportion of %d simulated subjects whose l_z* is as low: in short tests it does not follow the normal distribution.", a.simulated))
	}
	return t
}

// local returns the pairs of items, those first whose responses are most alike or unlike beyond ability.
func (a *Analysis) local() *table.Table {
	corrected := a.corrected(pvalues(a.pairs, func(x *mml.Pair) float64 { return x.P }))
	order := num.Indices(len(a.pairs))
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(math.Abs(a.pairs[y].Excess), math.Abs(a.pairs[x].Excess)) })
	name := func(k int) string { return a.Data.Items.ID[a.in.items[k]] }
	t := table.Of(table.Table{Name: "pairs", Title: "Local dependence: pairs of items", Key: []string{"item", "other"}}, order, []table.Field[int]{
		text("item", "", func(k int) string { return name(a.pairs[k].A) }),
		text("other", "", func(k int) string { return name(a.pairs[k].B) }),
		weighing(2, number("subjects", "who answered both", 0, func(k int) float64 { return a.pairs[k].Subjects })),
		headed("Q3", number("q3", "correlation of residuals at the subjects' abilities (Yen 1984)", 3, func(k int) float64 { return a.pairs[k].Q3 })),
		number("excess", "over the mean of all pairs; above 0.2 too high (Christensen, Makransky and Horton 2017)", 3, func(k int) float64 { return a.pairs[k].Excess }),
		weighing(1, pvalue("p", "of the residual of the pair's mean product (Maydeu-Olivares and Liu 2015), or of the excess where there is none; not given where fewer than five subjects (ten, for the excess) are expected to leave the most frequent response to both", 4, func(k int) float64 { return a.pairs[k].P })),
		headed("corrected p", pvalue("corrected", "the p-value, corrected for the number of pairs: "+a.correction(), 3, func(k int) float64 { return corrected[k] })),
	})
	return t
}

// scale returns the abilities at which curves are given, in the unit of the subjects', and how many of this are a standard deviation of the population.
func scale(a *Analysis) (abilities []float64, spread float64) {
	step := 0.5
	if spread = a.Fit.Spread; spread > 0 {
		step *= max(1, math.Round(spread))
	} else {
		spread = 1
	}
	for q := -8; q <= 8; q++ {
		abilities = append(abilities, float64(float64(q)*step))
	}
	return abilities, spread
}

// unit names the unit of abilities.
func unit(a *Analysis) string {
	if a.Fit.Spread > 0 {
		return "in log odds"
	}
	return "in standard deviations of the population"
}

// testInformation returns what the test tells at each ability.
func (a *Analysis) testInformation() *table.Table {
	if a.in.names != nil {
		return nil
	}
	type row struct{ ability, expected, information float64 }
	var rows []row
	abilities, spread := scale(a)
	for _, ability := range abilities {
		r := row{ability: ability}
		for k := range a.in.items {
			mean, i := a.Fit.Curve(k, []float64{ability / spread})
			r.expected += mean
			r.information += i / float64(spread*spread)
		}
		rows = append(rows, r)
	}
	return table.Of(table.Table{Name: "information", Title: "Test information", Foot: []string{"Ability is " + unit(a) + ", here and in curves."}}, rows, []table.Field[row]{
		number("ability", unit(a), 1, func(r row) float64 { return r.ability }),
		number("expected", "total response to all items", 2, func(r row) float64 { return r.expected }),
		number("information", "of all items about ability", 2, func(r row) float64 { return r.information }),
		number("se", "standard error of an ability estimated by maximum likelihood", 3, func(r row) float64 { return 1 / math.Sqrt(r.information) }),
		number("reliability", "information/(information + that of the population), which is 1/its variance", 3, func(r row) float64 { return r.information / (r.information + 1/float64(spread*spread)) }),
	})
}

// curves returns the characteristic curve and the information of each item.
func (a *Analysis) curves() *table.Table {
	if a.in.names != nil {
		return nil
	}
	type row struct {
		item                           string
		ability, expected, information float64
	}
	var rows []row
	abilities, spread := scale(a)
	for _, k := range natural(analysed(a)) {
		for _, ability := range abilities {
			mean, information := a.Fit.Curve(k, []float64{ability / spread})
			rows = append(rows, row{a.Data.Items.ID[a.in.items[k]], ability, mean, information / float64(spread*spread)})
		}
	}
	return table.Of(table.Table{Name: "curves", Title: "Characteristic curves and information of items", FileOnly: true}, rows, []table.Field[row]{
		text("item", "", func(r row) string { return r.item }),
		number("ability", unit(a), 1, func(r row) float64 { return r.ability }),
		number("expected", "response, categories numbered from 0", 3, func(r row) float64 { return r.expected }),
		number("information", "about ability", 3, func(r row) float64 { return r.information }),
	})
}
