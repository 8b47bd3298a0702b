// Package figure knows which figures a results directory or an analysis has, and makes them by name: what the report
// shows and what the command line exports are the same pictures.
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

// ErrNoFigures says that a directory has nothing that could be drawn.
var ErrNoFigures = errors.New("no figures yet")

// Material is what a directory holds. A part that is not there is nil.
type Material struct {
	Dir      string // for the commands
	Name     string // of the data; a title
	Public   *record.Dataset
	Result   *infer.Result
	Scores   *score.Scores // with its profiles
	Frames   []voe.Frame   // what observers thought of some items, frame by frame
	Analysis *analysis.Document
}

// An Entry is a figure that can be made.
type Entry struct {
	Name    string // unique in a directory; for the command line and file names
	Title   string
	Caption string // what it shows, and how to read it
	Section string // where a report has it; empty: nowhere, there are too many of its kind
	Make    func() chart.Figure
}

// The sections of a report that have figures.
const (
	Profiles    = "profiles"
	Recovery    = "recovery"
	Verdicts    = "verdicts"
	Prediction  = "prediction"
	Paths       = "paths"
	Observers   = "observers"
	Diagnostics = "diagnostics"
	Curves      = "curves"
	Grids       = "grids"
	Models      = "models"
	Shifts      = "shifts"
)

// Entries lists the figures that the material has, in the order of a report. Those of subjects are named by them.
func (m *Material) Entries() (out []Entry) {
	if m.Scores != nil {
		out = append(out, m.profiles()...)
		out = append(out, m.recovery()...)
		out = append(out, m.verdicts()...)
		out = append(out, m.prediction()...)
		out = append(out, m.paths()...)
	}
	if m.Scores != nil {
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

// Find returns the figure of a name; the error lists those that there are.
func (m *Material) Find(name string) (Entry, error) {
	var all, shown, kinds []string
	for _, e := range m.Entries() {
		if e.Name == name {
			return e, nil
		}
		all = append(all, e.Name)
		kind, _, _ := strings.Cut(e.Name, "-")
		switch {
		case e.Section != "":
			shown = append(shown, e.Name)
		case !slices.Contains(kinds, kind+"-SUBJECT"):
			kinds = append(kinds, kind+"-SUBJECT")
		}
	}
	if all == nil {
		return Entry{}, fmt.Errorf("%s: %w", m.Dir, ErrNoFigures)
	}
	text := fmt.Sprintf("%s has no figure %q%s; it has %s", m.Dir, name, expr.DidYouMean(name, all), strings.Join(shown, ", "))
	if kinds != nil {
		text += ", and of each subject " + strings.Join(kinds, ", ")
	}
	return Entry{}, errors.New(text)
}

// Command is what to type to make the figure again.
func (m *Material) Command(e Entry) string {
	return fmt.Sprintf("achilles export figure %s %s --out %s.svg", Quote(e.Name), Quote(m.Dir), Quote(e.Name))
}

// Quote is a word of a command line, in quotes where a shell would take it apart.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./+:,@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
