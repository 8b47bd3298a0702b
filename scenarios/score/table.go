package score

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"achilles/infer"
)

// Tables returns all tables as text. First come the result in a sentence and the notes and warnings that a reader must know
// before the numbers, then recovery and prediction with the published values, recovery of what a layout drew (binary parameters first), paths, verdicts, profiles, coverage, the
// C-test, collectives and observers. A footnote marks each number that a warning is about.
func (s *Scores) Tables() []byte {
	var parts [][]byte
	for _, t := range [][]byte{s.headline(), s.Preamble(), s.WarningTable(), s.RecoveryTable(), s.ClassificationTable(), s.SimulatedTable(), s.PredictionTable(), s.ValueTables(), s.PathTable(), s.VerdictTables(), s.ProfileTable(), s.CoverageTable(), s.CTestTable(), s.CollectiveTable(), s.ObserverTables()} {
		if t != nil {
			parts = append(parts, t)
		}
	}
	return bytes.Join(parts, []byte("\n"))
}

// headline returns the headline as a line, or nil if there is none.
func (s *Scores) headline() []byte {
	if h := s.Headline(); h != "" {
		return []byte(h + "\n")
	}
	return nil
}

// Preamble returns lines about how the result was made: whether it is unblinded, its diagnostics, and what is not
// graded.
func (s *Scores) Preamble() []byte {
	var b bytes.Buffer
	if s.Unblinded {
		b.WriteString("UNBLINDED: this result was inferred after the seal had been opened\n")
	}
	if d := s.Diagnostics; s.Layout.Name != "" {
		fmt.Fprintf(&b, "layout %s, %d fits: %d divergences, worst R-hat %s, smallest bulk ESS %s, %d replaced by the mode-moving engine, %d with warnings\n",
			s.Layout.Name, d.Fits, d.Divergences, shown(d.WorstRHat, 4), shown(d.MinESSBulk, 0), d.Replaced, d.Warned)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return b.Bytes()
}

// RecoveryTable returns a table with one row for each capability and a group of columns for each block, or nil if
// recovery is not graded.
func (s *Scores) RecoveryTable() []byte {
	if s.Recovery == nil {
		return nil
	}
	t := table{title: "Recovery: RMSE of the posterior mean as a fraction of the capability's maximum [95 %: bootstrap over subjects]"}
	t.head = []string{"capability"}
	stacked, published := s.stacked(), s.publishedRecovery()
	for _, block := range s.Blocks() {
		t.head = append(t.head, block, "95 %", "n", "always max")
		if stacked {
			t.head = append(t.head, "one layout")
		}
		if published {
			t.head = append(t.head, "published")
		}
	}
	t.head = append(t.head, "inside", "n", "always max")
	for _, c := range s.capabilities() {
		row := []string{c + t.marks(s.doubts(c))}
		for _, block := range s.Blocks() {
			r, ok := s.Recovery[block][c]
			if !ok {
				row = append(row, "–", "", "0", "–")
			} else {
				row = append(row, fixed(r.RMSE, 3), span(r.Interval, 2), fmt.Sprint(r.N), fixed(r.Maximum, 3))
			}
			if stacked {
				row = append(row, decimals(r.Single, 3))
			}
			if published {
				row = append(row, decimals(r.Published, 3))
			}
		}
		if in := s.Recovery[overall][c].Inside; in != nil {
			row = append(row, fixed(in.RMSE, 3), fmt.Sprint(in.N), fixed(in.Maximum, 3))
		} else {
			row = append(row, "–", "0", "–")
		}
		t.rows = append(t.rows, row)
	}
	t.foot = append(t.foot, "always max: of the maximum as everybody's estimate; inside: over all truths that are neither 0 nor the maximum")
	if stacked {
		t.foot = append(t.foot, fmt.Sprintf("of the posterior over all rival layouts by weight; one layout: %s alone", s.Layout.Name))
	}
	t.sourced(s.Source)
	return t.text()
}

// publishedRecovery says whether any published RMSE stands beside ours.
func (s *Scores) publishedRecovery() bool {
	for _, block := range s.Recovery {
		for _, r := range block {
			if r.Published != nil {
				return true
			}
		}
	}
	return false
}

// stacked says whether any profile has a posterior over all rivals.
func (s *Scores) stacked() bool {
	return slices.ContainsFunc(s.Profiles, func(p Profile) bool { return p.Stacked != nil })
}

// capabilities returns the capabilities whose recovery is graded, in the layout's order if there are profiles, else by name.
func (s *Scores) capabilities() []string {
	names := sortedKeys(s.Recovery[overall])
	order := s.Parameters()
	slices.SortStableFunc(names, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
	return names
}

// doubts returns a footnote that names the graded subjects with a warning about a capability. It returns none if there
// are no such subjects.
func (s *Scores) doubts(capability string) []string {
	var who []string
	for _, p := range s.graded(overall, capability) {
		// a misfit is about the layout as a whole, so that its mark is beside the subject's profile
		concerns := func(w *Warning) bool { return w.Parameter == capability || w.Parameter == "" && w.Kind != Misfit }
		if len(s.warnings(p.Name, infer.AllRows, p.Stacked != nil, concerns)) > 0 {
			who = append(who, p.Name)
		}
	}
	if who == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s: the posterior of %s carries a warning (see the profiles)", capability, strings.Join(who, ", "))}
}

// warnings returns the warnings about one fit of a subject for which the function wanted returns true, without minor
// ones. rows is infer.AllRows for the fit that gives the profile, or infer.FitRows for the one that gives predictions.
// If stacked is true, it returns warnings of kind OffTruth only, because all others are about the fit of the one
// layout.
func (s *Scores) warnings(subject, rows string, stacked bool, wanted func(w *Warning) bool) (details []string) {
	for _, w := range s.WarningsOf(subject) {
		if w.Rows == rows && !w.Minor() && (!stacked || w.Kind == OffTruth) && wanted(w) {
			details = append(details, fmt.Sprintf("%s: %s", subject, w.Detail))
		}
	}
	return details
}

func wholeFit(w *Warning) bool { return w.Parameter == "" }

// CoverageTable returns a table with one row for each capability and level, or nil if coverage is not graded.
func (s *Scores) CoverageTable() []byte {
	if s.Coverage == nil {
		return nil
	}
	t := table{title: "Coverage: share of truths inside credible intervals [95 %: Clopper–Pearson]"}
	t.head = []string{"capability", "level", "central", "95 %", "n", "truths at a bound", "central, others", "95 %", "shortest", "95 %"}
	for _, c := range s.capabilities() {
		for _, level := range levels {
			d := s.Coverage.Detail[level.name][c]
			row := []string{c, level.name + " %", fixed(d.All.Share, 2), span(&d.All.Interval, 2), fmt.Sprint(d.All.N), fmt.Sprint(d.AtBound)}
			row = append(append(row, d.Interior.text()...), d.Shortest.text()...)
			t.rows = append(t.rows, row)
		}
		if d, ok := s.Coverage.Stacked[c]; ok {
			row := []string{c, "90 %, all rivals", fixed(d.All.Share, 2), span(&d.All.Interval, 2), fmt.Sprint(d.All.N), fmt.Sprint(d.AtBound)}
			t.rows = append(t.rows, append(append(row, d.Interior.text()...), "–", "–"))
		}
	}
	t.foot = append(t.foot, "A truth at a bound is outside every central interval; \"others\" leaves these out; the shortest interval may reach a bound.")
	if len(s.Coverage.Stacked) > 0 {
		t.foot = append(t.foot, "All rivals: some put a subject at a bound exactly, so that their central interval may hold it.")
	}
	return t.text()
}

// text returns the share and its interval, or two dashes if s is nil.
func (s *Share) text() []string {
	if s == nil {
		return []string{"–", "–"}
	}
	return []string{fixed(s.Share, 2), span(&s.Interval, 2)}
}

// PredictionTable returns a table with one row for each subject and one for all together, or nil if no prediction is
// graded.
func (s *Scores) PredictionTable() []byte {
	if s.Prediction == nil {
		return nil
	}
	t := table{title: fmt.Sprintf("Prediction of held-out responses: Brier score (raw) ± half its 95 %% interval, calibration and refinement (%d bins)", Bins)}
	t.head = []string{"subject", "n", "Brier", "binned", "aggregate", "ours − aggregate", "IMV", "calibration", "refinement"}
	published := s.publishedPredictions()
	if published {
		t.head = append(t.head, "published: Brier", "aggregate", "calibration", "refinement")
	}
	row := func(name string, p Prediction) []string {
		r := []string{
			name, fmt.Sprint(p.N), plusMinus(p.Brier, p.BrierInterval), fixed(p.BrierBinned, 3), decimals(p.BrierAggregate, 3),
			difference(p), gained(p), plusMinus(p.Calibration, p.CalibrationInterval), plusMinus(p.Refinement, p.RefinementInterval),
		}
		if q := p.Published; q != nil {
			return append(r, decimals(q.Brier, 3), decimals(q.BrierAggregate, 3), decimals(q.Calibration, 3), decimals(q.Refinement, 3))
		}
		return r
	}
	for _, name := range s.Prediction.Names() {
		var doubts []string
		if s.Verdicts == nil { // with verdicts, predictions are those of all rivals, but warnings are about the one layout
			doubts = s.warnings(name, infer.FitRows, false, func(*Warning) bool { return true })
		}
		t.rows = append(t.rows, row(name+t.marks(doubts), s.Prediction.Subjects[name]))
	}
	t.rows = append(t.rows, row("all together", *s.Prediction.Pooled))
	t.foot = append(t.foot, "IMV: what a bettor with the layout's forecasts gains a unit from one with the aggregate's")
	t.foot = append(t.foot, s.Prediction.worst()...)
	if published {
		t.sourced(s.Source)
	}
	return t.text()
}

// worst returns a footnote about the subject with the largest Excess: the subject whose predictions are worst compared
// with the aggregate.
func (p *Predictions) worst() []string {
	var who string
	var most *float64
	for _, name := range p.Names() {
		if e := p.Subjects[name].Excess; e != nil && (most == nil || *e > *most) {
			who, most = name, e
		}
	}
	if most == nil {
		return nil
	}
	return []string{fmt.Sprintf("largest difference from the aggregate: %s, of %s", fixed(*most, 4), who)}
}

func (s *Scores) publishedPredictions() bool {
	for _, p := range s.Prediction.Subjects {
		if p.Published != nil {
			return true
		}
	}
	return false
}

// logEvidence is the head of the column of log marginal likelihoods.
const logEvidence = "log evidence"

// A table is text in aligned columns, with footnotes.
type table struct {
	title string
	head  []string
	rows  [][]string
	notes []string       // numbered footnotes, to which cells refer
	noted map[string]int // indices of notes
	foot  []string
}

// marks adds footnotes and returns their marks, for instance " [1][2]". Equal footnotes share a mark.
func (t *table) marks(notes []string) string {
	var b strings.Builder
	for i, n := range notes {
		k, ok := t.noted[n]
		if !ok {
			if t.noted == nil {
				t.noted = map[string]int{}
			}
			k = len(t.notes)
			t.noted[n], t.notes = k, append(t.notes, n)
		}
		if i == 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "[%d]", k+1)
	}
	return b.String()
}

func (t *table) sourced(source string) {
	if source != "" {
		t.foot = append(t.foot, "published: "+source)
	}
}

func (t *table) text() []byte {
	var b, cells bytes.Buffer
	b.WriteString(t.title + "\n")
	w := tabwriter.NewWriter(&cells, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.head}, t.rows...) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush() // writing to a Buffer does not fail
	for line := range strings.Lines(cells.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	for i, n := range t.notes {
		fmt.Fprintf(&b, "[%d] %s\n", i+1, n)
	}
	for _, f := range t.foot {
		b.WriteString(f + "\n")
	}
	return b.Bytes()
}
