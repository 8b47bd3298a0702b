package infer

import (
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/table"
)

// Files of what engine mml estimates.
const (
	estimatesFile  = "estimates.parquet"
	likelihoodFile = "likelihood.parquet"
)

// An Estimated is the maximum likelihood estimate of one parameter of an item, of a group of items, or of everybody.
type Estimated struct {
	Parameter string   `parquet:"parameter,plain"`
	Kind      string   `parquet:"kind,plain"` // as in Unit
	Unit      string   `parquet:"unit,plain"`
	Estimate  float64  `parquet:"estimate"`
	SE        *float64 `parquet:"se,optional"`
	Bounds    string   `parquet:"bounds,plain"` // posterior.Estimate
}

// A Likelihood is how well the estimates of a fit describe the responses.
type Likelihood struct {
	Rows       string   `parquet:"rows,plain"` // as in Fit
	LogLik     float64  `parquet:"log_lik"`
	AIC        float64  `parquet:"aic"`
	BIC        float64  `parquet:"bic"`
	Parameters int32    `parquet:"parameters"`
	Subjects   int32    `parquet:"subjects"`
	M2         *float64 `parquet:"m2,optional"` // this and what follows: nil if there is no such test
	DF         *float64 `parquet:"df,optional"`
	P          *float64 `parquet:"p,optional"`
	RMSEA      *float64 `parquet:"rmsea,optional"`
	Low        *float64 `parquet:"rmsea_low,optional"`
	High       *float64 `parquet:"rmsea_high,optional"`
	Reason     string   `parquet:"reason,plain"` // why there is none
}

var (
	estimatesAre = table.Table{Name: "estimates", Title: "Maximum likelihood estimates", Key: []string{"parameter", "kind", "unit"},
		Foot: []string{"In parentheses: standard errors, by the observed information, and larger where responses are alike within clusters."}}
	likelihoodIs = table.Table{Name: "likelihood", Title: "Marginal likelihood", Key: []string{"rows"},
		Foot: []string{"M2: Maydeu-Olivares and Joe (2006), where all subjects have one response to every item; RMSEA with its 90 % interval."}}
)

func estimateColumns() []table.Field[Estimated] {
	text := func(name, doc string, of func(e Estimated) string) table.Field[Estimated] {
		return table.Col(table.Column{Name: name, Kind: table.Text, Doc: doc}, func(e Estimated) table.Value { return table.Named(of(e)) })
	}
	return []table.Field[Estimated]{
		text("parameter", "", func(e Estimated) string { return e.Parameter }),
		text("kind", "", func(e Estimated) string { return e.Kind }),
		text("unit", "", func(e Estimated) string { return e.Unit }),
		table.Col(table.Column{Name: "estimate", Digits: 3, Error: "se"}, func(e Estimated) table.Value { return table.Float(e.Estimate) }),
		table.Col(table.Column{Name: "se", Head: "SE", Digits: 3, Doc: "standard error"}, func(e Estimated) table.Value { return table.Maybe(e.SE) }),
		text("bounds", "why the prior counted, as the likelihood alone has no maximum", func(e Estimated) string { return e.Bounds }),
	}
}

func likelihoodColumns() []table.Field[Likelihood] {
	number := func(name, head, doc string, digits int, of func(l Likelihood) float64) table.Field[Likelihood] {
		return table.Col(table.Column{Name: name, Head: head, Doc: doc, Digits: digits}, func(l Likelihood) table.Value { return table.Float(of(l)) })
	}
	maybe := func(c table.Column, of func(l Likelihood) *float64) table.Field[Likelihood] {
		return table.Col(c, func(l Likelihood) table.Value { return table.Maybe(of(l)) })
	}
	return []table.Field[Likelihood]{
		table.Col(table.Column{Name: "rows", Kind: table.Text, Doc: "all responses, or those that are not held out (fit)"}, func(l Likelihood) table.Value { return table.Named(l.Rows) }),
		number("log_lik", "log likelihood", "", 3, func(l Likelihood) float64 { return l.LogLik }),
		number("aic", "AIC", "", 2, func(l Likelihood) float64 { return l.AIC }),
		number("bic", "BIC", "by the number of subjects", 2, func(l Likelihood) float64 { return l.BIC }),
		table.Col(table.Column{Name: "parameters", Kind: table.Count, Doc: "that were estimated"}, func(l Likelihood) table.Value { return table.Int(int(l.Parameters)) }),
		table.Col(table.Column{Name: "subjects", Kind: table.Count, Doc: "with a response"}, func(l Likelihood) table.Value { return table.Int(int(l.Subjects)) }),
		maybe(table.Column{Name: "m2", Head: "M2", Digits: 2}, func(l Likelihood) *float64 { return l.M2 }),
		maybe(table.Column{Name: "df", Doc: "degrees of freedom of M2"}, func(l Likelihood) *float64 { return l.DF }),
		maybe(table.Column{Name: "p", Digits: 4, Test: true, Doc: "its p-value"}, func(l Likelihood) *float64 { return l.P }),
		maybe(table.Column{Name: "rmsea", Head: "RMSEA", Digits: 3, Low: "rmsea_low", High: "rmsea_high"}, func(l Likelihood) *float64 { return l.RMSEA }),
		maybe(table.Column{Name: "rmsea_low", Digits: 3}, func(l Likelihood) *float64 { return l.Low }),
		maybe(table.Column{Name: "rmsea_high", Digits: 3}, func(l Likelihood) *float64 { return l.High }),
		table.Col(table.Column{Name: "reason", Head: "no M2", Kind: table.Text, Doc: "why there is no M2"}, func(l Likelihood) table.Value { return table.Named(l.Reason) }),
	}
}

// EstimatesTable returns the estimates of a result; without rows if its engine estimates none.
func (r *Result) EstimatesTable() *table.Table {
	return table.Of(estimatesAre, r.Estimates, estimateColumns())
}

// LikelihoodTable returns how well the estimates describe the responses; without rows if its engine estimates none.
func (r *Result) LikelihoodTable() *table.Table {
	return table.Of(likelihoodIs, r.Likelihoods, likelihoodColumns())
}

// maximum takes the estimates out of a fit of all subjects together, whose units have the same order.
func (r *Result) maximum(f *Fit, units []Unit) {
	m := f.Maximum
	if m == nil {
		return
	}
	if f.Rows == AllRows {
		for k, e := range m.Estimates {
			u := &units[k]
			if times := f.Widening.TimesOf(u.Parameter, u.Unit); times != nil && e.SE != nil {
				wider := float64(*e.SE * *times)
				e.SE = &wider
			}
			r.Estimates = append(r.Estimates, Estimated{u.Parameter, u.Kind, u.Unit, e.Value, e.SE, e.Bounds})
		}
	}
	short := *m
	short.Estimates = nil
	f.Maximum = &short
	r.Likelihoods = append(r.Likelihoods, likelihoodOf(f.Rows, &short))
}

func likelihoodOf(rows string, m *posterior.Maximum) Likelihood {
	l := Likelihood{Rows: rows, LogLik: m.LogLik, AIC: m.AIC, BIC: m.BIC, Parameters: int32(m.Parameters), Subjects: int32(m.Subjects), Reason: m.NoFit}
	if x := m.Fit; x != nil {
		df := float64(x.DF)
		l.M2, l.DF, l.P, l.RMSEA, l.Low, l.High = &x.M2, &df, num.Finite(x.P), &x.RMSEA, &x.Low, &x.High
	}
	return l
}
