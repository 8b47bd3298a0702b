// Package figure lists the figures of a results directory or of an analysis, and makes them by name. The report and the command
// line show the same figures.
package figure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"achilles/infer"
	"achilles/infer/analysis"
	"achilles/infer/voe"
	"achilles/render/figure/chart"
	"achilles/scenarios/score"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// ErrNoFigures says that a directory has nothing to draw.
var ErrNoFigures = errors.New("no figures yet")

// Material is the contents of a directory. A part that the directory lacks is nil.
type Material struct {
	Dir      string // as commands name it
	Name     string // a title
	Public   *record.Dataset
	Result   *infer.Result
	Scores   *score.Scores // with its profiles
	Frames   []voe.Frame   // beliefs of observers about some items, by frame
	Analysis *analysis.Document
}

// An Entry is a figure of the list.
type Entry struct {
	Name    string // unique in a directory; the command line and files are named by it
	Title   string
	Caption string // what it shows, and how to read it
	Section string // of the report; empty: the report leaves it out, as there are too many of its kind
	Each    string // of what there is one figure each, in capitals, where the report leaves it out
	Make    func() chart.Figure
}

// The sections of a report that have figures.
const (
	SectionProfiles    = "profiles"
	SectionRecovery    = "recovery"
	SectionVerdicts    = "verdicts"
	SectionPrediction  = "prediction"
	SectionPaths       = "paths"
	SectionCTest       = "ctest"
	SectionObservers   = "observers"
	SectionDiagnostics = "diagnostics"
	SectionCurves      = "curves"
	SectionGrids       = "grids"
	SectionModels      = "models"
	SectionShifts      = "shifts"
)

// Entries lists the figures of the material, in the order of a report.
func (m *Material) Entries() (out []Entry) {
	if m.Scores != nil {
		out = append(out, m.profiles()...)
		out = append(out, m.recovery()...)
		out = append(out, m.verdicts()...)
		out = append(out, m.prediction()...)
		out = append(out, m.paths()...)
		out = append(out, m.ctest()...)
		out = append(out, m.observers()...)
	}
	if m.Result != nil && m.Scores != nil {
		out = append(out, m.chains()...)
	}
	if m.Analysis != nil {
		out = append(out, m.analysis()...)
	}
	return out
}

// Find returns the figure of a name. The error lists the names that there are.
func (m *Material) Find(name string) (Entry, error) {
	var all, shown, kinds []string
	for _, e := range m.Entries() {
		if e.Name == name {
			return e, nil
		}
		all = append(all, e.Name)
		kind, _, _ := strings.Cut(e.Name, "-")
		kind += "-" + e.Each
		switch {
		case e.Section != "":
			shown = append(shown, e.Name)
		case !slices.Contains(kinds, kind):
			kinds = append(kinds, kind)
		}
	}
	if all == nil {
		return Entry{}, fmt.Errorf("%s: %w", m.Dir, ErrNoFigures)
	}
	text := fmt.Sprintf("%s has no figure %q%s; it has %s", m.Dir, name, expr.DidYouMean(name, all), strings.Join(shown, ", "))
	if kinds != nil {
		text += ", and " + strings.Join(kinds, ", ")
	}
	return Entry{}, errors.New(text)
}

// Command is the command that makes the figure.
func (m *Material) Command(e Entry) string {
	return fmt.Sprintf("achilles export figure %s %s --out %s.svg", Quote(e.Name), Quote(m.Dir), Quote(e.Name))
}

// Quote is a word of a command line, in quotes where a shell needs them.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./+:,@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
