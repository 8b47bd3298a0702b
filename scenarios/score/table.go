package score

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"achilles/infer"
)

// Text returns all tables as text that are not in Tables yet. First come the notes and warnings that a reader must know
// before the numbers, then recovery and prediction with the published values, recovery of what a layout drew (binary parameters first), paths, verdicts, profiles, coverage, the
// C-test, collectives and observers. A footnote marks each number that a warning is about.
func (s *Scores) Text() []byte {
	var parts [][]byte
	for _, t := range [][]byte{s.Preamble(), s.WarningTable(), s.ClassificationTable(), s.SimulatedTable(), s.ValueTables(), s.PathTable(), s.VerdictTables(), s.ProfileTable(), s.CoverageTable(), s.CTestTable(), s.CollectiveTable(), s.ObserverTables()} {
		if t != nil {
			parts = append(parts, t)
		}
	}
	return bytes.Join(parts, []byte("\n"))
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
	t := textTable{title: "Coverage: share of truths inside credible intervals [95 %: Clopper–Pearson]"}
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

// logEvidence is the head of the column of log marginal likelihoods.
const logEvidence = "log evidence"

// A textTable is text in aligned columns, with footnotes.
type textTable struct {
	title string
	head  []string
	rows  [][]string
	notes []string       // numbered footnotes, to which cells refer
	noted map[string]int // indices of notes
	foot  []string
}

// marks adds footnotes and returns their marks, for instance " [1][2]". Equal footnotes share a mark.
func (t *textTable) marks(notes []string) string {
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

func (t *textTable) sourced(source string) {
	if source != "" {
		t.foot = append(t.foot, "published: "+source)
	}
}

func (t *textTable) text() []byte {
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
