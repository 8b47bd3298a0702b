package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/infer"
	"achilles/render/gallery"
	"achilles/sim/record"
	"achilles/sim/score"
)

// Results makes the report of a results directory: of whatever part of it is there.
func Results(m *gallery.Material) *Page {
	p := &Page{Title: m.Name, Command: "achilles report " + gallery.Quote(m.Dir), Docs: "docs/scoring.md and docs/report.md explain every number."}
	p.Lead = lead(m)
	p.Facts = facts(m)
	if s := m.Scores; s != nil {
		doubts(p, s)
		p.add(Section{ID: "profiles", Title: "Profiles", Tables: tables(profileTable(s)), Figures: figures(m, gallery.Profiles),
			Text: []string{"What was inferred about each subject from its responses alone: posterior mean ± standard deviation, in the unit of the demand that a capability meets."}})
		p.add(Section{ID: "recovery", Title: "Recovery", Tables: tables(recoveryTable(s), coverageTable(s)), Figures: figures(m, gallery.Recovery), Wide: true,
			Text: []string{"How far the posterior means are from the sealed truth, and how often intervals hold it."}})
		p.add(Section{ID: "verdicts", Title: "Verdicts", Tables: tables(verdictTable(s), verdictWords(s), verdictGrades(s)), Figures: figures(m, gallery.Verdicts),
			Text: []string{"What kind of subject each is: which of a bank of rival layouts explains its responses."}})
		p.add(Section{ID: "prediction", Title: "Prediction", Tables: tables(predictionTable(s)), Figures: figures(m, gallery.Prediction),
			Text: []string{"Forecasts of held-out responses, from a second fit without them, beside always forecasting the subject's own success rate (the aggregate)."}})
		p.add(Section{ID: "paths", Title: "Paths", Tables: tables(pathTable(s)), Figures: figures(m, gallery.Paths),
			Text: []string{"Where subjects walked on held-out episodes, against where their profiles would have had them walk: root mean square distance over ticks, in cells."}})
		p.add(Section{ID: "observers", Title: "Observers", Tables: tables(observerTable(m), publishedTable(m)), Figures: figures(m, gallery.Observers), Wide: true,
			Text: []string{"Whether observers are more surprised by the unexpected outcome: relative accuracy in per cent, ties half right."}})
	}
	if m.Result != nil {
		p.add(Section{ID: "diagnostics", Title: "Diagnostics", Tables: tables(fitTable(m)), Figures: figures(m, gallery.Diagnostics), Wide: true,
			Text: []string{"How the chains of every fit ran. The figures show the profile whose chains agree least."}})
	}
	return p
}

// tables drops those without rows.
func tables(ts ...Table) []Table {
	return slices.DeleteFunc(ts, func(t Table) bool { return len(t.Rows) == 0 })
}

func lead(m *gallery.Material) string {
	var parts []string
	if d := m.Public; d != nil {
		if len(d.Subjects) > 0 {
			parts = append(parts, fmt.Sprintf("%d subjects took %d items", len(d.Subjects), d.Items.Len()))
		} else {
			parts = append(parts, fmt.Sprintf("%d items to be watched", d.Items.Len()))
		}
	}
	s := m.Scores
	switch {
	case s == nil:
		parts = append(parts, "nothing is graded yet")
	case s.Sealed == "":
		parts = append(parts, "there is no sealed truth, or it was not opened")
	case s.Unblinded:
		parts = append(parts, "the result was inferred after the seal had been opened")
	default:
		parts = append(parts, "the truth was sealed, the result inferred blind, the seal opened, the result graded")
	}
	return strings.Join(parts, "; ") + "."
}

// doubts puts what the inference and the grading doubted before everything else.
func doubts(p *Page, s *score.Scores) {
	if s.Unblinded {
		p.Alarm = "Unblinded: this result was inferred after the seal had been opened."
	}
	for _, n := range s.Notes {
		p.Warnings = append(p.Warnings, Warning{"Not graded", n})
	}
	for _, w := range s.Warnings {
		about := w.Subject
		if w.Rows == infer.FitRows {
			about += ", predictions"
		}
		p.Warnings = append(p.Warnings, Warning{about, w.Message})
	}
}

func facts(m *gallery.Material) (out []Fact) {
	add := func(name, format string, args ...any) { out = append(out, Fact{name, fmt.Sprintf(format, args...)}) }
	if d := m.Public; d != nil {
		if len(d.Subjects) == 0 {
			add("Data", "%d items to be watched", d.Items.Len())
		} else {
			add("Data", "%d subjects × %d items, %d responses; suites: %s; paradigms: %s", len(d.Subjects), d.Items.Len(), len(d.Responses), listed(d.Items.Suite), listed(d.Items.Paradigm))
		}
		for i, x := range d.Manifest.Measures {
			scored, held, sum := 0, 0, 0.0
			for _, r := range d.Responses {
				if int(r.Measure) == i && r.Unscored == 0 {
					scored++
					sum += r.Value
					if r.Split == record.HeldOut {
						held++
					}
				}
			}
			if scored > 0 {
				add("Measure "+x.Name, "%s; %d scored, %d of them held out; mean %s", x.Family, scored, held, gallery.Number(sum/float64(scored), 3))
			}
		}
		var columns []string
		for _, c := range d.Items.Columns {
			columns = append(columns, c.Name)
		}
		if len(columns) > 0 {
			add("Features of the items", "%s", strings.Join(columns, ", "))
		}
	}
	if r := m.Result; r != nil {
		c := r.Manifest.Config
		add("Layout", "%s (SHA-256 %s)", r.Manifest.Layout.Name, short(r.Manifest.Layout.SHA256))
		add("Inference", "engine %s, %d chains of %d draws after %d of warm-up, seed %s", c.Engine, c.Chains, c.Draws, c.Warmup, c.Seed)
	}
	if s := m.Scores; s != nil {
		if d := s.Diagnostics; d.Fits > 0 {
			t := fmt.Sprintf("%d fits: %d divergences, %d replaced by the mode-moving engine, %d with warnings", d.Fits, d.Divergences, d.Replaced, d.Warned)
			if d.WorstRHat != nil && d.MinESSBulk != nil {
				t += fmt.Sprintf("; worst R-hat %s, smallest bulk ESS %s", gallery.Number(*d.WorstRHat, 4), gallery.Number(*d.MinESSBulk, 0))
			}
			add("Diagnostics", "%s", t)
		}
		if names, _ := m.Observers(); len(names) > 0 {
			add("Observers", "%s", strings.Join(names, ", "))
		}
		add("Digests", "public %s, inferred %s%s", short(s.Public), short(s.Inferred), map[bool]string{true: ", sealed " + short(s.Sealed)}[s.Sealed != ""])
		if s.Source != "" {
			add("Published values", "%s", s.Source)
		}
	}
	return out
}

func short(digest string) string { return digest[:min(12, len(digest))] }

// listed names the distinct texts of a column, if they are not too many.
func listed(s []string) string {
	t := slices.Clone(s)
	slices.Sort(t)
	if t = slices.Compact(t); len(t) > 12 {
		return fmt.Sprint(len(t))
	}
	return strings.Join(t, ", ")
}

// profileTable has a row a subject; a warning stands by the number that it concerns, the truth below it.
func profileTable(s *score.Scores) Table {
	t := Table{Head: append([]Column{{Name: "subject"}}, numbers(s.Parameters()...)...)}
	truth, published, stacked := false, false, false
	for rest := s.Profiles; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Name == rest[0].Name {
			n++
		}
		row := Row{Cells: make([]Cell, len(t.Head))}
		row.Cells[0].Text = rest[0].Name
		t.mark(&row.Cells[0], warnings(s, rest[0].Name, infer.AllRows, "")...)
		for _, p := range rest[:n] {
			mean, sd := gallery.Reported(p)
			stacked = stacked || p.Stacked != nil
			a, b := gallery.MeanSD(mean, sd)
			c := Cell{Text: a + " ±" + b, Value: &mean}
			if p.Truth != nil {
				truth = true
				c.Below = append(c.Below, "truth "+short3(*p.Truth))
			}
			if p.Published != nil {
				published = true
				c.Below = append(c.Below, fmt.Sprintf("publ. %s ±%s", short3(p.Published[0]), short3(p.Published[1])))
			}
			t.mark(&c, warnings(s, p.Name, infer.AllRows, p.Parameter)...)
			row.Cells[1+slices.Index(s.Parameters(), p.Parameter)] = c
		}
		t.Rows = append(t.Rows, row)
		rest = rest[n:]
	}
	if truth {
		t.Foot = append(t.Foot, "Below each: the sealed truth, where the subject's rules define one.")
	}
	if stacked {
		t.Foot = append(t.Foot, "Of subjects with a verdict the posterior is that over all rival layouts, by their weights.")
	}
	if published {
		t.Foot = append(t.Foot, "Published: "+s.Source+".")
	}
	return t
}

// short3 writes a number with three significant digits at most.
func short3(x float64) string { return strings.Replace(fmt.Sprintf("%.3g", x), "-", "−", 1) }

// warnings are those of a subject's fit that concern a parameter; "": the fit as a whole.
func warnings(s *score.Scores, subject, rows, parameter string) (out []string) {
	for _, w := range s.Warnings {
		if w.Subject == subject && w.Rows == rows && w.Parameter == parameter {
			out = append(out, subject+": "+w.Message)
		}
	}
	return out
}

// blocks are the blocks of a recovery, all subjects first.
func blocks(s *score.Scores) []string {
	names := slices.Sorted(maps.Keys(s.Recovery))
	if i := slices.Index(names, score.Overall); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, score.Overall)
	}
	return names
}

// publishedColumn is the place of the published RMSE.
const publishedColumn = 4

func recoveryTable(s *score.Scores) Table {
	t := Table{Title: "RMSE of the posterior mean, as a share of the capability's maximum", Head: []Column{{Name: "subjects"}, {Name: "capability"}, {Name: "n", Number: true},
		{Name: "RMSE", Number: true, Doc: "95 %: bootstrap over subjects"}, {Name: "published", Number: true}, {Name: "bias", Number: true, Doc: "mean of posterior mean − truth"}, {Name: "MCSE", Number: true, Doc: "what the finite number of draws contributes"}}}
	single, published := false, false
	for _, b := range s.Recovery {
		for _, r := range b {
			published = published || r.Published != nil
		}
	}
	if !published {
		t.Head = slices.Delete(t.Head, publishedColumn, publishedColumn+1)
	}
	for _, b := range blocks(s) {
		for _, c := range s.Parameters() {
			r, ok := s.Recovery[b][c]
			if !ok {
				continue
			}
			row := []Cell{text(b), text(c), count(r.N), inInterval(r.RMSE, r.Interval, 3), optional(r.Published, 3), number(r.Bias, 3), optional(r.MCSE, 4)}
			row[3].Strong = r.Published != nil && r.RMSE < *r.Published
			if r.Single != nil {
				single = true
				row[3].Below = append(row[3].Below, "one layout: "+gallery.Number(*r.Single, 3))
			}
			if !published {
				row = slices.Delete(row, publishedColumn, publishedColumn+1)
			}
			t.Rows = append(t.Rows, Row{Cells: row})
		}
	}
	foot := "Below the RMSE its 95 % interval, by bootstrap over subjects"
	if published {
		foot += "; bold where it is below the published one"
	}
	t.Foot = append(t.Foot, foot+".")
	if single {
		t.Foot = append(t.Foot, "The posterior is that over all rival layouts; \"one layout\" is the RMSE of the profile layout alone.")
	}
	if published {
		t.Foot = append(t.Foot, "Published: "+s.Source+".")
	}
	return t
}

func coverageTable(s *score.Scores) Table {
	t := Table{Title: "Coverage: share of truths inside credible intervals", Head: append([]Column{{Name: "capability"}}, numbers("level, %", "central", "n", "at a bound", "central, others", "shortest")...)}
	if s.Coverage == nil {
		return t
	}
	for _, c := range s.Parameters() {
		for _, level := range []struct {
			name string
			v    int
		}{{"50", 50}, {"90", 90}} {
			d, ok := s.Coverage.Detail[level.name][c]
			if !ok {
				continue
			}
			t.Rows = append(t.Rows, Row{Cells: []Cell{text(c), count(level.v), share(&d.All), count(d.All.N), count(d.AtBound), share(d.Interior), share(d.Shortest)}})
		}
	}
	t.Foot = append(t.Foot, "Below each share its exact 95 % interval. A truth at a bound lies outside every central interval; \"others\" leaves these out; the shortest interval may reach a bound.")
	return t
}

func share(s *score.Share) Cell {
	if s == nil {
		return text("–")
	}
	return within(s.Share, &s.Interval[0], &s.Interval[1], 2)
}

func predictionTable(s *score.Scores) Table {
	t := Table{Title: "Brier scores of held-out responses", Head: append([]Column{{Name: "subject"}}, numbers("n", "success", "Brier", "aggregate", "ours − aggregate", "calibration", "refinement")...)}
	if s.Prediction == nil {
		return t
	}
	published := false
	for _, p := range s.Prediction.Subjects {
		published = published || p.Published != nil
	}
	if published {
		t.Head = append(t.Head, numbers("published Brier", "published aggregate")...)
	}
	row := func(name string, p *score.Prediction) []Cell {
		out := []Cell{text(name), count(p.N), number(p.SuccessRate, 2), inInterval(p.Brier, p.BrierInterval, 3), optional(p.BrierAggregate, 3), {}, inInterval(p.Calibration, p.CalibrationInterval, 3), inInterval(p.Refinement, p.RefinementInterval, 3)}
		if p.Excess != nil {
			out[5] = inInterval(*p.Excess, p.ExcessInterval, 3)
		}
		if published {
			q := p.Published
			if q == nil {
				q = &score.PublishedPrediction{}
			}
			out = append(out, optional(q.Brier, 3), optional(q.BrierAggregate, 3))
		}
		return out
	}
	for _, name := range s.Prediction.Names() {
		p := s.Prediction.Subjects[name]
		cells := row(name, &p)
		t.mark(&cells[0], fitWarnings(s, name)...)
		t.Rows = append(t.Rows, Row{Cells: cells})
	}
	if s.Prediction.Pooled != nil {
		t.Rows = append(t.Rows, Row{Cells: row("all together", s.Prediction.Pooled), Last: true})
	}
	t.Foot = append(t.Foot, "Below each its 95 % interval, by jackknife over responses. Negative differences from the aggregate mean that the layout predicts better.")
	return t
}

// fitWarnings are all warnings of the fit that predicts.
func fitWarnings(s *score.Scores, subject string) (out []string) {
	for _, w := range s.Warnings {
		if w.Subject == subject && w.Rows == infer.FitRows {
			out = append(out, subject+": "+w.Message)
		}
	}
	return out
}

func pathTable(s *score.Scores) Table {
	t := Table{Title: "RMSE in cells, by paradigm", Head: append([]Column{{Name: "paradigm"}}, numbers("episodes", "subjects", "predicted path", "mean of sampled paths", "population's profile", "shortest way", "staying put", "predicted − population's", "predicted − shortest")...)}
	diff := func(a, b float64, i *score.Interval) Cell { return inInterval(a-b, i, 2) }
	for _, name := range gallery.Paradigms(s.Paths) {
		p := s.Paths[name]
		t.Rows = append(t.Rows, Row{Last: name == score.Overall, Cells: []Cell{text(name), count(p.N), count(p.Subjects), inInterval(p.RMSE, p.Interval, 2), number(p.Fan, 2), number(p.Pooled, 2), number(p.Direct, 2), number(p.Still, 2),
			diff(p.RMSE, p.Pooled, p.OverPooled), diff(p.RMSE, p.Direct, p.OverDirect)}})
	}
	t.Foot = append(t.Foot, "Below each its 95 % interval, by bootstrap over subjects. Negative differences mean that the subject's own profile predicts better.")
	return t
}

func observerTable(m *gallery.Material) Table {
	s := m.Scores
	names, kinds := m.Observers()
	t := Table{Head: []Column{{Name: "episodes"}, {Name: "n", Number: true}}}
	if len(s.PublishedObservers) > 0 {
		t.Head = append(t.Head, Column{Name: "best published", Number: true})
	}
	for _, o := range names {
		t.Head = append(t.Head, Column{Name: o, Number: true})
		if s.PublishedObservers[o] != nil {
			t.Head = append(t.Head, Column{Name: o + ", published", Number: true})
		}
	}
	for _, kind := range kinds {
		row := []Cell{text(kind), {}}
		if len(s.PublishedObservers) > 0 {
			row = append(row, Cell{})
		}
		for _, o := range names {
			x, ok := s.Observers[o][kind]
			if !ok {
				row = append(row, text("–"))
			} else {
				row[1] = count(x.N)
				if len(s.PublishedObservers) > 0 {
					row[2] = optional(x.Best, 1)
				}
				row = append(row, inInterval(x.Accuracy, x.Interval, 1))
			}
			if p, there := s.PublishedObservers[o]; there {
				if v, ok := p[kind]; ok {
					row = append(row, number(v, 1))
				} else {
					row = append(row, Cell{})
				}
			}
		}
		t.Rows = append(t.Rows, Row{Cells: row})
	}
	t.Foot = append(t.Foot, "Below each accuracy its exact 95 % interval.")
	if s.Source != "" {
		t.Foot = append(t.Foot, "Published: "+s.Source+". Theirs are of the benchmark's own episodes.")
	}
	return t
}

// publishedTable has what was published about observers.
func publishedTable(m *gallery.Material) Table {
	s := m.Scores
	_, kinds := m.Observers()
	names := slices.Sorted(maps.Keys(s.PublishedObservers))
	t := Table{Title: "Published accuracies", Head: append([]Column{{Name: "episodes"}}, numbers(names...)...)}
	if len(names) == 0 {
		return t
	}
	for _, kind := range kinds {
		row, some := []Cell{text(kind)}, false
		for _, o := range names {
			v, ok := s.PublishedObservers[o][kind]
			if !ok {
				row = append(row, Cell{})
				continue
			}
			row, some = append(row, number(v, 1)), true
		}
		if some {
			t.Rows = append(t.Rows, Row{Cells: row})
		}
	}
	t.Foot = append(t.Foot, "Of the benchmark's own episodes: to stand beside ours, not to be compared digit by digit.")
	return t
}

func fitTable(m *gallery.Material) Table {
	names := map[string]string{}
	if m.Scores != nil {
		for _, p := range m.Scores.Profiles {
			names[p.Subject] = p.Name
		}
	}
	t := Table{Head: append([]Column{{Name: "subject"}, {Name: "rows", Doc: "all: the profile; fit: the predictions"}, {Name: "engine"}}, numbers("divergences", "worst R-hat", "least bulk ESS", "least tail ESS", "log evidence", "gradients", "likelihoods", "warnings")...)}
	for _, f := range m.Result.Diagnostics.Fits {
		name := names[f.Subject]
		if name == "" {
			name = f.Subject
		}
		c := Cell{Text: f.Engine}
		for _, why := range f.Replaced {
			t.mark(&c, name+", chains replaced: "+why)
		}
		t.Rows = append(t.Rows, Row{Cells: []Cell{text(name), text(f.Rows), c, count(f.Divergences), optional(f.WorstRHat, 4), optional(f.MinESSBulk, 0), optional(f.MinESSTail, 0), optional(f.LogEvidence, 2), count(f.Gradients), count(f.Likelihoods), count(len(f.Warnings))}})
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return natural(a.Cells[0].Text, b.Cells[0].Text) })
	return t
}
