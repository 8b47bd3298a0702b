package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/infer"
	"achilles/render/figure/chart"
	"achilles/render/format"
	"achilles/scenarios/score"
)

// subjects returns the names of the subjects, in the order of the profiles.
func subjects(m *Material) (names []string) {
	for _, p := range m.Scores.Profiles {
		if n := len(names); n == 0 || names[n-1] != p.Name {
			names = append(names, p.Name)
		}
	}
	return names
}

// mostSubjects is the largest number of subjects in a figure with a row for each.
const mostSubjects = 50

// crowd reports whether there are more subjects than figures have a row, or a panel, for.
func (m *Material) crowd() bool { return m.Scores != nil && len(subjects(m)) > mostSubjects }

// eachIn returns the section of a figure that has a row or a panel for each subject: none in a crowd.
func (m *Material) eachIn(section string) string {
	if m.crowd() {
		return ""
	}
	return section
}

// first returns the first mostSubjects elements of s, or s if it has fewer.
func first[T any](s []T) []T { return s[:min(len(s), mostSubjects)] }

// thinned returns a sentence for the caption if a figure does not show all of n points, and otherwise "".
func thinned(n int, what string) string {
	if n > chart.MostPoints {
		return fmt.Sprintf(" Shown are %d of %d %s, evenly spaced in their list.", chart.MostPoints, n, what)
	}
	return ""
}

// cut returns a sentence for the caption if a figure cannot show all subjects, and otherwise "".
func cut(m *Material) string {
	return cutTo(m, mostSubjects) + apart(m)
}

// apart returns a sentence for the caption of a figure that compares subjects, if they are compared within parts only.
func apart(m *Material) string {
	if m.Scores == nil || m.Scores.Apart == "" {
		return ""
	}
	return " " + m.Scores.Apart
}

// cutTo returns a sentence for the caption if a figure shows fewer subjects than there are, and otherwise "".
func cutTo(m *Material, shown int) string {
	if n := len(subjects(m)); n > shown {
		return fmt.Sprintf(" The first %d of %d subjects.", shown, n)
	}
	return ""
}

// of returns the profiles of a parameter, one for each subject.
func of(m *Material, parameter string) (out []score.Profile) {
	for _, p := range m.Scores.Profiles {
		if p.Parameter == parameter {
			out = append(out, p)
		}
	}
	return out
}

// span returns the range of the axis for a parameter. It is 0 to the parameter's scale if that is known; otherwise it
// depends on the parameter's group and contains the profiles.
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
	case ps[0].Group == "bias": // symmetric about 0, which is no bias
		hi = max(hi, -lo, 1)
		return -hi, hi
	}
	return min(lo, 0), hi
}

func estimate(m *Material, p score.Profile, label string) chart.Estimate {
	e := chart.Estimate{Label: label, Mean: p.Mean, Q5: p.Q5, Q25: p.Q25, Q75: p.Q75, Q95: p.Q95, Truth: p.Truth, Doubtful: doubtful(m, p)}
	if s := p.Stacked; s != nil { // the average of the posteriors of all rivals is reported and graded; it has no quartiles
		e.Mean, e.Q5, e.Q25, e.Q75, e.Q95 = s.Mean, s.Q5, s.Mean, s.Mean, s.Q95
	}
	if p.Published != nil {
		e.Published = &p.Published[0]
	}
	return e
}

// doubtful says whether there is a warning about the parameter or about its whole fit. Minor warnings do not count.
func doubtful(m *Material, p score.Profile) bool {
	return slices.ContainsFunc(m.Scores.WarningsOf(p.Name), func(w *score.Warning) bool {
		return !w.Minor() && w.Rows == infer.AllRows && (w.Parameter == "" || w.Parameter == p.Parameter)
	})
}

func profiles(m *Material) (out []Entry) {
	if len(m.Scores.Profiles) == 0 {
		return nil
	}
	if m.crowd() {
		out = append(out, Entry{Name: "histograms", Title: "Profiles of all subjects", Section: SectionProfiles, Make: m.histograms,
			Caption: fmt.Sprintf("Number of subjects, of %d, by posterior mean of each parameter.", len(subjects(m))) + apart(m)})
	}
	out = append(out, Entry{Name: "profiles", Title: "Profiles of all subjects", Section: m.eachIn(SectionProfiles), Make: m.heat,
		Caption: "Posterior mean ± SD of every parameter of every subject. Colour: mean as a fraction of the parameter's range; for a bias, its distance from no bias." + cut(m)})
	const caption = "Posterior mean with equal-tailed 50 % (thick) and 90 % (thin) intervals for every subject, and the truth if known."
	out = append(out, Entry{Name: "posteriors", Title: "Posteriors of all parameters", Section: SectionProfiles, Make: m.forests, Caption: caption + outermost(m) + apart(m)})
	for _, name := range m.Scores.Parameters() {
		out = append(out, Entry{Name: "forest-" + name, Title: "Posteriors of " + name, Each: "PARAMETER", Make: func() chart.Figure { return forest(m, name) }, Caption: caption + outermost(m) + apart(m)})
	}
	for _, s := range subjects(m) {
		out = append(out, Entry{Name: "profile-" + s, Title: "Profile of " + s, Each: "SUBJECT", Make: func() chart.Figure { return profile(m, s) },
			Caption: "Posteriors of one subject, each as a fraction of its parameter's range."})
	}
	return out
}

// panel returns the posteriors of one parameter.
func panel(m *Material, parameter string) chart.ForestPanel {
	ps := of(m, parameter)
	q := chart.ForestPanel{Name: parameter}
	q.Min, q.Max = span(ps)
	for _, p := range extremes(ps) {
		q.Rows = append(q.Rows, estimate(m, p, p.Name))
	}
	return q
}

// atEnds is the number of subjects with the least, and of those with the greatest posterior means, that stand for more than mostSubjects.
const atEnds = 10

// extremes returns all profiles of a parameter, or of more than mostSubjects those at both ends.
func extremes(ps []score.Profile) []score.Profile {
	if len(ps) <= mostSubjects {
		return ps
	}
	sorted := slices.SortedStableFunc(slices.Values(ps), func(a, b score.Profile) int {
		x, _ := a.Reported()
		y, _ := b.Reported()
		return cmp.Compare(x, y)
	})
	return slices.Concat(sorted[:atEnds], sorted[len(sorted)-atEnds:])
}

// outermost returns a sentence for the caption if a figure shows subjects at both ends only.
func outermost(m *Material) string {
	if m.crowd() {
		return fmt.Sprintf(" The %d lowest and the %d highest of %d subjects.", atEnds, atEnds, len(subjects(m)))
	}
	return ""
}

// histograms draws how many subjects have which posterior mean of each parameter.
func (m *Material) histograms() chart.Figure {
	var list []chart.Histogram
	for _, name := range m.Scores.Parameters() {
		ps := of(m, name)
		h := chart.Histogram{Name: name}
		h.Min, h.Max = span(ps)
		for i := range ps {
			mean, _ := ps[i].Reported()
			h.Values = append(h.Values, mean)
		}
		list = append(list, h)
	}
	return chart.Histograms(list)
}

func forest(m *Material, parameter string) chart.Figure {
	q := panel(m, parameter)
	return chart.Forest(parameter, q.Min, q.Max, q.Rows)
}

func (m *Material) forests() chart.Figure {
	var panels []chart.ForestPanel
	for _, name := range m.Scores.Parameters() {
		panels = append(panels, panel(m, name))
	}
	return chart.Forests(panels)
}

// profile draws the parameters of one subject, each as a share of its range.
func profile(m *Material, subject string) chart.Figure {
	var rows []chart.Estimate
	for _, p := range m.Scores.Profiles {
		if p.Name != subject {
			continue
		}
		lo, hi := span(of(m, p.Parameter))
		e := estimate(m, p, p.Parameter)
		rows = append(rows, scaled(e, lo, hi))
	}
	return chart.Forest("fraction of the range", 0, 1, rows)
}

func scaled(e chart.Estimate, lo, hi float64) chart.Estimate {
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

func (m *Material) heat() chart.Figure {
	params, subjects := m.Scores.Parameters(), first(subjects(m))
	cells := make([][]chart.Cell, len(subjects))
	for i := range cells {
		cells[i] = make([]chart.Cell, len(params))
	}
	for j, name := range params {
		ps := of(m, name)
		lo, hi := span(ps)
		for _, p := range ps {
			i := slices.Index(subjects, p.Name)
			if i < 0 {
				continue
			}
			m, s := p.Reported()
			share := min(max((m-lo)/(hi-lo), 0), 1)
			if p.Group == "bias" {
				share = min(math.Abs(m)/hi, 1)
			}
			mean, sd := format.MeanSD(m, s)
			cells[i][j] = chart.Cell{Share: &share, Text: mean}
			if sd != "" {
				cells[i][j].Small = "±" + sd
			}
		}
	}
	return chart.Heat(subjects, params, cells, "mean, fraction of the range")
}
