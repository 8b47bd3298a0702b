package gallery

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/infer"
	"achilles/infer/verdict"
	"achilles/render/figure"
	"achilles/sim/record"
	"achilles/sim/score"
)

// subjects are the names in the order of the profiles.
func (m *Material) subjects() (names []string) {
	for _, p := range m.Scores.Profiles {
		if n := len(names); n == 0 || names[n-1] != p.Name {
			names = append(names, p.Name)
		}
	}
	return names
}

// mostSubjects is how many subjects a figure with a line for each shows at most.
const mostSubjects = 100

// first cuts what has a line a subject.
func first[T any](s []T) []T { return s[:min(len(s), mostSubjects)] }

// cut says that a figure does not show everybody.
func (m *Material) cut() string {
	if n := len(m.subjects()); n > mostSubjects {
		return fmt.Sprintf(" The first %d of %d subjects.", mostSubjects, n)
	}
	return ""
}

// of are the profiles of a parameter, in the order of the subjects.
func (m *Material) of(parameter string) (out []score.Profile) {
	for _, p := range m.Scores.Profiles {
		if p.Parameter == parameter {
			out = append(out, p)
		}
	}
	return out
}

// span is the range in which a parameter is shown: its scale where that is known, else what the profiles reach.
func span(ps []score.Profile) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, p := range ps {
		if p.Scale > 0 {
			return 0, p.Scale
		}
		lo, hi = min(lo, p.Q5), max(hi, p.Q95)
	}
	switch {
	case ps[0].Group == "robustness":
		return 0, 1
	case ps[0].Group == "bias": // about nothing
		hi = max(hi, -lo, 1)
		return -hi, hi
	}
	return min(lo, 0), hi
}

func (m *Material) estimate(p score.Profile, label string) figure.Estimate {
	e := figure.Estimate{Label: label, Mean: p.Mean, Q5: p.Q5, Q25: p.Q25, Q75: p.Q75, Q95: p.Q95, Truth: p.Truth, Doubtful: m.doubtful(p)}
	if s := p.Stacked; s != nil { // what is reported and graded; it has no quartiles
		e.Mean, e.Q5, e.Q25, e.Q75, e.Q95 = s.Mean, s.Q5, s.Mean, s.Mean, s.Q95
	}
	if p.Published != nil {
		e.Published = &p.Published[0]
	}
	return e
}

// Reported is the posterior mean and standard deviation that is reported of a parameter: over all rivals where there is
// a verdict, of the one layout else.
func Reported(p score.Profile) (mean, sd float64) {
	if p.Stacked != nil {
		return p.Stacked.Mean, p.Stacked.SD
	}
	return p.Mean, p.SD
}

// doubtful reports whether a posterior carries a warning of its own or of its whole fit.
func (m *Material) doubtful(p score.Profile) bool {
	return slices.ContainsFunc(m.Scores.Warnings, func(w score.Warning) bool {
		return w.Subject == p.Name && w.Rows == infer.AllRows && (w.Parameter == "" || w.Parameter == p.Parameter)
	})
}

func (m *Material) profiles() (out []Entry) {
	if len(m.Scores.Profiles) == 0 {
		return nil
	}
	out = append(out, Entry{Name: "profiles", Title: "Profiles of all subjects", Section: Profiles, Make: m.heat,
		Caption: "Posterior mean ± standard deviation of every parameter of every subject. The colour is the mean as a share of the parameter's range; of a bias, its distance from none." + m.cut()})
	for _, name := range m.Scores.Parameters() {
		out = append(out, Entry{Name: "forest-" + name, Title: "Posteriors of " + name, Section: Profiles, Make: func() figure.Figure { return m.forest(name) },
			Caption: "Posterior mean with the central 50 % (thick) and 90 % (thin) of every subject, beside the truth where there is one." + m.cut()})
	}
	for _, s := range m.subjects() {
		out = append(out, Entry{Name: "profile-" + s, Title: "Profile of " + s, Make: func() figure.Figure { return m.profile(s) },
			Caption: "Posteriors of one subject, each as a share of its parameter's range."})
	}
	return out
}

func (m *Material) forest(parameter string) figure.Figure {
	var rows []figure.Estimate
	ps := m.of(parameter)
	for _, p := range first(ps) {
		rows = append(rows, m.estimate(p, p.Name))
	}
	lo, hi := span(ps)
	return figure.Forest(parameter, lo, hi, rows)
}

// profile is one subject, every parameter on its own range.
func (m *Material) profile(subject string) figure.Figure {
	var rows []figure.Estimate
	for _, p := range m.Scores.Profiles {
		if p.Name != subject {
			continue
		}
		lo, hi := span(m.of(p.Parameter))
		e := m.estimate(p, p.Parameter)
		rows = append(rows, scaled(e, lo, hi))
	}
	return figure.Forest("share of the range", 0, 1, rows)
}

func scaled(e figure.Estimate, lo, hi float64) figure.Estimate {
	s := func(x float64) float64 { return (x - lo) / (hi - lo) }
	e.Mean, e.Q5, e.Q25, e.Q75, e.Q95 = s(e.Mean), s(e.Q5), s(e.Q25), s(e.Q75), s(e.Q95)
	for _, p := range []**float64{&e.Truth, &e.Published} {
		if *p != nil {
			v := s(**p)
			*p = &v
		}
	}
	return e
}

func (m *Material) heat() figure.Figure {
	params, subjects := m.Scores.Parameters(), first(m.subjects())
	cells := make([][]figure.Cell, len(subjects))
	for i := range cells {
		cells[i] = make([]figure.Cell, len(params))
	}
	for j, name := range params {
		ps := m.of(name)
		lo, hi := span(ps)
		for _, p := range ps {
			i := slices.Index(subjects, p.Name)
			if i < 0 {
				continue
			}
			m, s := Reported(p)
			share := min(max((m-lo)/(hi-lo), 0), 1)
			if p.Group == "bias" {
				share = min(math.Abs(m)/hi, 1)
			}
			mean, sd := MeanSD(m, s)
			cells[i][j] = figure.Cell{Share: &share, Text: mean, Small: "±" + sd}
		}
	}
	return figure.Heat(subjects, params, cells, "mean, share of the range")
}

func (m *Material) recovery() []Entry {
	if len(m.Scores.Recovery["overall"]) == 0 {
		return nil
	}
	return []Entry{{Name: "recovery", Title: "Recovery: posterior against truth", Section: Recovery, Make: m.recovered,
		Caption: "Posterior mean with its 90 % interval against the sealed truth, both as shares of the capability's maximum; points on the diagonal were recovered. Counts: truths within the central 50 % and 90 %, of those that are not at a bound, where no central interval can hold them. Equal truths stand side by side."}}
}

func (m *Material) recovered() figure.Figure {
	var panels []figure.Recovered
	for _, name := range m.Scores.Parameters() {
		r, ok := m.Scores.Recovery["overall"][name]
		if !ok {
			continue
		}
		panel := figure.Recovered{Name: name, RMSE: r.RMSE}
		for _, p := range m.of(name) {
			if p.Truth != nil {
				panel.Truth = append(panel.Truth, *p.Truth/p.Scale)
				panel.Stacked = panel.Stacked || p.Stacked != nil
				panel.Post = append(panel.Post, scaled(m.estimate(p, p.Name), 0, p.Scale))
			}
		}
		panels = append(panels, panel)
	}
	return figure.Recovery(panels)
}

func (m *Material) verdicts() (out []Entry) {
	v := m.Scores.Verdicts
	if v == nil || len(v.Rows) == 0 {
		return nil
	}
	out = append(out, Entry{Name: "verdicts", Title: "Verdicts: weights of the families", Section: Verdicts, Make: func() figure.Figure { return families(v) },
		Caption: "Posterior probability of every family of rival layouts, subject by subject; a diamond stands in the true family, where it is among them." + m.cut()})
	if len(v.Confusion) > 0 {
		out = append(out, Entry{Name: "confusion", Title: "Verdicts: true family against verdict", Section: Verdicts, Make: func() figure.Figure { return confusion(v) },
			Caption: "How often each true family (rows) was given each verdict (columns)."})
	}
	return out
}

func families(v *score.Verdicts) figure.Figure {
	all := slices.DeleteFunc(verdict.Families(), func(f string) bool { return f == verdict.CannotTell })
	var rows []figure.Share
	for i := range first(v.Rows) {
		r := &v.Rows[i]
		row := figure.Share{Label: r.Name, Parts: make([]float64, len(all)), True: slices.Index(all, r.Truth.Family)}
		for _, w := range r.Families {
			if k := slices.Index(all, w.Name); k >= 0 {
				row.Parts[k] = w.Weight
			}
		}
		rows = append(rows, row)
	}
	return figure.Shares("posterior probability", all, rows)
}

func confusion(v *score.Verdicts) figure.Figure {
	all := verdict.Families()
	var truths []string
	var counts [][]int
	for _, f := range all {
		if v.Confusion[f] == nil {
			continue
		}
		row := make([]int, len(all))
		for k, g := range all {
			row[k] = v.Confusion[f][g]
		}
		truths, counts = append(truths, f), append(counts, row)
	}
	return figure.Confusion(truths, all, counts)
}

func (m *Material) prediction() (out []Entry) {
	if m.Scores.Prediction == nil {
		return nil
	}
	if m.Result != nil && m.Public != nil {
		out = append(out, Entry{Name: "reliability", Title: "Reliability of the predictions", Section: Prediction, Make: m.reliability,
			Caption: "Held-out responses of all subjects in ten bins of the predicted probability: how often they succeeded, with exact 95 % intervals."})
	}
	return append(out, Entry{Name: "brier", Title: "Brier score against success rate", Section: Prediction, Make: m.brier,
		Caption: "Every subject's Brier score on held-out responses, with its 95 % interval, beside that of always forecasting its own success rate. Lower is better."})
}

func (m *Material) brier() figure.Figure {
	var out []figure.Score
	for _, name := range m.Scores.Prediction.Names() {
		p := m.Scores.Prediction.Subjects[name]
		s := figure.Score{Label: name, Rate: p.SuccessRate, Ours: p.Brier, Aggregate: p.BrierAggregate, Low: p.Brier, High: p.Brier}
		if p.BrierInterval != nil {
			s.Low, s.High = p.BrierInterval[0], p.BrierInterval[1]
		}
		out = append(out, s)
	}
	return figure.Brier(out)
}

// reliability sorts predictions into the bins of the grading.
func (m *Material) reliability() figure.Figure {
	var n, p, y [score.Bins]float64
	m.outcomes(func(forecast, outcome float64) {
		b := min(int(forecast*score.Bins), score.Bins-1)
		n[b]++
		p[b] += forecast
		y[b] += outcome
	})
	var bins []figure.Bin
	for b, k := range n {
		if k > 0 {
			i := score.ClopperPearson(int(y[b]), int(k), score.Level)
			bins = append(bins, figure.Bin{Forecast: p[b] / k, Rate: y[b] / k, Low: i[0], High: i[1], N: int(k)})
		}
	}
	return figure.Reliability(bins)
}

// outcomes calls use for every prediction with the held-out binary response that it is of. Both are sorted by subject, item,
// trial and repetition, and subjects and items by their ids.
func (m *Material) outcomes(use func(forecast, outcome float64)) {
	d, k := m.Public, 0
	compare := func(r *record.Response, q *infer.Prediction) int {
		return cmp.Or(cmp.Compare(d.Subjects[r.Subject], q.Subject), cmp.Compare(d.Items.ID[r.Item], q.Item), cmp.Compare(int32(r.Trial), q.Trial), cmp.Compare(int32(r.Repetition), q.Repetition))
	}
	for i := range m.Result.Predictions {
		q := &m.Result.Predictions[i]
		for k < len(d.Responses) && compare(&d.Responses[k], q) < 0 {
			k++
		}
		for j := k; j < len(d.Responses) && compare(&d.Responses[j], q) == 0; j++ { // one a measure
			r := &d.Responses[j]
			x := &d.Manifest.Measures[r.Measure]
			if x.Name == q.Measure && x.Family == record.Binary && r.Split == record.HeldOut && r.Unscored == 0 {
				use(q.P, r.Value)
			}
		}
	}
}

// chains has a trace and a rank plot of every subject; the report has those of the fit that is least to be believed.
func (m *Material) chains() (out []Entry) {
	names := map[string]string{} // opaque id → name
	for _, p := range m.Scores.Profiles {
		names[p.Subject] = p.Name
	}
	worst := m.worstFit()
	for _, id := range m.chained() {
		name, section := names[id], ""
		if name == "" {
			name = id
		}
		if id == worst {
			section = Diagnostics
		}
		out = append(out,
			Entry{Name: "trace-" + name, Title: "Trace of the chains of " + name, Section: section, Make: func() figure.Figure { return figure.Traces(m.draws(id)) },
				Caption: "Draws of every chain in their order, at most 150 of each. Chains that agree cannot be told apart."},
			Entry{Name: "ranks-" + name, Title: "Ranks of the chains of " + name, Section: section, Make: func() figure.Figure { return figure.Ranks(m.draws(id)) },
				Caption: "How the draws of each chain rank among those of all chains, in twenty bins: level lines where chains agree (Vehtari et al. 2021)."})
	}
	return out
}

// worstFit is the subject with the largest R-hat of a profile.
func (m *Material) worstFit() string {
	id, worst := "", math.Inf(-1)
	for _, f := range m.Result.Diagnostics.Fits {
		if f.Rows == infer.AllRows && f.WorstRHat != nil && *f.WorstRHat > worst {
			id, worst = f.Subject, *f.WorstRHat
		}
	}
	return id
}

// chained are the subjects that have draws, in their order.
func (m *Material) chained() (ids []string) {
	for _, s := range m.Result.Draws.Subject {
		if n := len(ids); n == 0 || ids[n-1] != s {
			ids = append(ids, s)
		}
	}
	return ids
}

func (m *Material) draws(id string) []figure.Chained {
	d := &m.Result.Draws
	out := make([]figure.Chained, len(d.Parameters))
	for k, name := range d.Parameters {
		out[k].Name = name
		for i, s := range d.Subject {
			if s != id {
				continue
			}
			for int(d.Chain[i]) >= len(out[k].Draws) {
				out[k].Draws = append(out[k].Draws, nil)
			}
			c := &out[k].Draws[d.Chain[i]]
			*c = append(*c, d.Values[k][i])
		}
	}
	return out
}

// Size draws the RMSE of every capability against the number of items, over results of the same kind that differ in it.
// The error says which of them is not graded.
func Size(ms []*Material) (figure.Figure, error) {
	at := map[string][]figure.Point{}
	var names []string
	high := 0.0
	for _, m := range ms {
		if m.Scores == nil || len(m.Scores.Recovery["overall"]) == 0 || m.Public == nil {
			return figure.Figure{}, fmt.Errorf("%s has no recovery that is graded", m.Dir)
		}
		for _, name := range m.Scores.Parameters() {
			r, ok := m.Scores.Recovery["overall"][name]
			if !ok {
				continue
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			p := figure.Point{X: float64(m.Public.Items.Len()), Y: r.RMSE, Low: math.NaN(), High: math.NaN()}
			if r.Interval != nil {
				p.Low, p.High = r.Interval[0], r.Interval[1]
			}
			high = max(high, p.Y, finite(p.High))
			at[name] = append(at[name], p)
		}
	}
	var series []figure.Series
	for _, name := range names {
		slices.SortStableFunc(at[name], func(a, b figure.Point) int {
			switch {
			case a.X < b.X:
				return -1
			case a.X > b.X:
				return 1
			}
			return 0
		})
		series = append(series, figure.Series{Name: name, Points: at[name]})
	}
	return figure.Lines("items", "RMSE, share of the maximum", series, 0, 1.05*high), nil
}

func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
