// Package figure lists the figures of a results directory or of an analysis, and makes figures by name. The report and
// the command line use it.
package figure

import (
	"cmp"
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

// ErrNoFigures says that a directory has no figures.
var ErrNoFigures = errors.New("no figures yet")

// Material is the contents of a results directory or of an analysis. A part that does not exist is nil.
type Material struct {
	Dir      string // path of the directory, as the commands beside figures have it
	Name     string // title of the report
	Public   *record.Dataset
	Result   *infer.Result
	Scores   *score.Scores // graded results, with the profiles
	Chances  Chances       // nil if the layout is not a shipped one
	Frames   []voe.Frame   // beliefs of observers during the videos of some items, by frame
	Analysis *analysis.Document

	failed error // first error while a figure was made
}

// Err returns the first error of reading what a figure needed. The figure lacks it.
func (m *Material) Err() error { return m.failed }

func fail(m *Material, err error) { m.failed = cmp.Or(m.failed, err) }

// Chances has the probabilities of success that posterior draws give a subject's responses. A score.Chances implements
// it.
type Chances interface {
	Of(subject string) (draws [][]float64, err error) // by draw and row: probability of success; nil if there are no draws; a score.UnexplainedError if the layout cannot explain the responses
	Row(r *record.Response) int                       // row of a response; responses to the same demands have the same row
	Size() (draws, rows int)                          // the largest number of draws of a subject, and of rows of a draw
}

// An Entry describes a figure.
type Entry struct {
	Name    string // name of the figure on the command line and of its file, unique in a directory
	Title   string
	Caption string // what the figure shows, and how to read it
	Section string // section of the report; empty: the report leaves the figure out, because there are many of its kind
	Each    string // SUBJECT or PARAMETER if every subject or parameter has a figure of this kind; only if Section is empty
	Make    func() chart.Figure
}

// Sections of the report that have figures.
const (
	SectionProfiles    = "profiles"
	SectionUnits       = "parameters"
	SectionRecovery    = "recovery"
	SectionVerdicts    = "classification"
	SectionPrediction  = "prediction"
	SectionPaths       = "paths"
	SectionCTest       = "ctest"
	SectionObservers   = "observers"
	SectionDiagnostics = "diagnostics"
	SectionCurves      = "curves"
	SectionGrids       = "grids"
	SectionModels      = "models"
	SectionShifts      = "shifts"
	SectionAbilities   = "abilities"
)

// Entries returns the entries of all figures of the material, in the order of the report.
func (m *Material) Entries() (out []Entry) {
	if m.Scores != nil {
		out = append(out, profiles(m)...)
		out = append(out, relations(m)...)
		out = append(out, units(m)...)
		out = append(out, recovery(m)...)
		out = append(out, verdicts(m)...)
		out = append(out, prediction(m)...)
		out = append(out, replications(m)...)
		out = append(out, paths(m)...)
		out = append(out, ctest(m)...)
		out = append(out, observers(m)...)
	}
	if m.Result != nil && m.Scores != nil {
		out = append(out, chains(m)...)
	}
	if m.Analysis != nil {
		out = append(out, m.analysis()...)
		out = append(out, abilities(m)...)
	}
	return out
}

// Find returns the entry with a name. The error lists the names that exist, and wraps ErrNoFigures if there are none.
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
	text := fmt.Sprintf("%s has no figure %q", m.Dir, name)
	if near := expr.DidYouMean(name, all); near != "" {
		text += near + " It has "
	} else {
		text += "; it has "
	}
	text += strings.Join(shown, ", ")
	if kinds != nil {
		text += ", and " + strings.Join(kinds, ", ")
	}
	return Entry{}, errors.New(text)
}

// Command returns the command that makes the figure.
func (m *Material) Command(e Entry) string {
	return fmt.Sprintf("achilles export figure %s %s --out %s.svg", expr.Quote(e.Name), expr.Quote(m.Dir), expr.Quote(e.Name))
}
