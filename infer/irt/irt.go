// Package irt answers what item response theory asks of a table of responses: what each item and each subject is like, which of them
// the model does not describe, and where items are not the same for all. It makes tables of what package mml finds.
package irt

import (
	"slices"

	"achilles/infer/mml"
	judging "achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
	"achilles/sim/table"
)

// Settings say what is fitted and tested. Default returns the usual ones.
type Settings struct {
	Model      string  `setting:"model" json:"model" choices:"auto, rasch, 2pl, 3pl, grm, pcm, gpcm" doc:"the model; auto: 2pl, or grm of ordered categories, from 200 subjects, else rasch or pcm"`
	Measure    string  `setting:"measure" json:"measure,omitempty" doc:"the measure that is analysed, if there are several"`
	By         string  `setting:"by" json:"by,omitempty" doc:"a column of subjects: each of its values has abilities of its own, and items are tested for differential functioning between them"`
	Count      string  `setting:"count" json:"count,omitempty" doc:"a column of subjects that says how many each row stands for"`
	Abilities  string  `setting:"abilities" json:"abilities,omitempty" doc:"a column of items that names the ability each measures, two or three in all (default: one)"`
	Correction string  `setting:"correction" json:"correction" choices:"holm, bh" doc:"how p-values are corrected for their number: Holm, or the false discovery rate of Benjamini and Hochberg"`
	Guess      float64 `setting:"guess" json:"guess" limits:"[0.01, 0.5]" doc:"mode of the prior of guessing parameters, which counts as 20 responses; 3pl alone"`
	Draws      int     `setting:"draws" json:"draws" limits:"[100, 1000000]" doc:"smallest number of simulated subjects that person fit is compared with; more where that is needed to say how unlikely a subject is"`
	Seed       uint64  `setting:"seed" json:"seed" doc:"seed of the simulated subjects"`

	Anchors Anchors `json:"anchors,omitempty"` // parameters that are known; nil: none

	Running func(part string) `json:"-"` // called with what begins, empty at the end; may be nil
}

// Default returns the usual settings.
func Default() Settings {
	return Settings{Model: auto, Correction: "holm", Guess: 0.2, Draws: 10_000, Seed: 1}
}

const auto = "auto"

// Limits.
const (
	enough      = 200  // subjects from whom items have slopes of their own
	guessWeight = 20   // responses that the prior of a guessing parameter counts as
	alpha       = 0.05 // level of tests, after correction
	mostLevels  = 20   // categories of an item
	mostGroups  = 10
	highest     = 0.1 // weighted difference of expected responses from which an item differs much (Dorans and Kulick 1986)
)

// An Analysis is what was found.
type Analysis struct {
	Settings Settings
	Data     *record.Dataset
	Model    mml.Model
	Why      string // why this model
	Fit      *mml.Fit
	Groups   []string           // values of the column By, the first is that with which others are compared; nil: none
	Judged   *judging.Judgement // nil where rows stand for too many subjects
	Repeats  bool               // whether subjects gave several responses to an item
	Warnings []Warning          // what is not to be trusted, the gravest first

	part      string       // which part of the table, in a sentence; "": all
	bare      *mml.Fit     // to all as one population, by which fit is tested
	alike     mml.Likeness // of responses of a subject to one item
	moments   mml.Moments
	itemFit   []mml.ItemFit // nil: none
	scores    []mml.Score
	simulated int // subjects drawn for person fit
	pairs     []mml.Pair
	dif       []mml.Difference
	drift     []mml.Difference
	in        *input
	about     map[int][]string  // doubts about an item of the data, by its index
	beside    map[string]string // doubt about the model as a whole, by the column of its table
	tables    []*table.Table    // nil: not yet made
}

// Run analyses the test responses to a measure. It returns an error if they are no categories, or if settings name what is not there.
func Run(d *record.Dataset, s Settings) (*Analysis, error) {
	var err error
	var apart []Warning
	which := ""
	if s.Anchors == nil { // items with known parameters may put all parts on one scale
		if d, which, apart, err = largest(d, s.Measure); err != nil {
			return nil, err
		}
	}
	a := &Analysis{Settings: s, Data: d, Warnings: apart, part: which, about: map[int][]string{}, beside: map[string]string{}}
	if a.in, err = read(d, &s); err != nil {
		return nil, err
	}
	a.choose()
	if whole := a.in.everybody(d); whole != nil {
		if a.Judged, err = judging.Judge(whole, a.in.measure); err != nil {
			return nil, err
		}
	}
	running := s.Running
	if running == nil {
		running = func(string) {}
	}
	defer running("")
	running("parameters")
	settings := mml.Settings{Model: a.Model, Loads: a.in.loads, Guess: s.Guess, GuessWeight: guessWeight}
	if settings.Known, err = s.Anchors.of(a.in, d.Items.ID, a.Model); err != nil {
		return nil, err
	}
	if a.bare, a.alike, err = a.in.estimate(settings); err != nil {
		return nil, err
	}
	a.Fit, a.Repeats = a.bare, a.alike.Cells > 0
	if a.Groups = a.in.groups; a.Groups != nil {
		if a.Fit, err = mml.Estimate(&a.in.data, settings); err != nil {
			return nil, err
		}
	}
	running("item fit")
	a.moments = a.bare.Moments()
	a.itemFit = a.bare.ItemFit()
	a.scores = a.Fit.Scores()
	running("person fit")
	r := rng.Stream(s.Seed, "person fit")
	a.simulated = a.Fit.PersonFit(a.scores, s.Draws, &r)
	running("pairs of items")
	a.pairs = a.bare.Pairs(a.bare.Scores(), a.moments.Residual)
	if a.Groups != nil {
		running("differential functioning")
		if a.dif, err = mml.Differences(&a.in.data, settings, a.Fit, alpha, a.corrected); err != nil {
			return nil, err
		}
	}
	if settings.Known != nil {
		if a.drift, err = mml.Drift(&a.in.data, settings, a.Fit); err != nil {
			return nil, err
		}
	}
	a.warn()
	return a, nil
}

// choose takes the model.
func (a *Analysis) choose() {
	a.Model = mml.Model(a.Settings.Model)
	if a.Settings.Model != auto {
		a.Why = "chosen with --model"
		return
	}
	ordered := slices.ContainsFunc(a.in.data.Categories, func(k int) bool { return k > 2 })
	a.Model = map[[2]bool]mml.Model{{false, false}: mml.Rasch, {false, true}: mml.TwoPL, {true, false}: mml.Partial, {true, true}: mml.Graded}[[2]bool{ordered, a.in.subjects >= enough}]
	if a.in.subjects >= enough {
		a.Why = "items have slopes of their own from 200 subjects"
	} else {
		a.Why = "fewer than 200 subjects: one slope for all items"
	}
}

// pvalues returns the p-value of each.
func pvalues[T any](of []T, p func(x *T) float64) []float64 {
	out := make([]float64, len(of))
	for k := range of {
		out[k] = p(&of[k])
	}
	return out
}

// corrected returns p-values corrected for their number.
func (a *Analysis) corrected(p []float64) []float64 {
	if a.Settings.Correction == "bh" {
		return num.BenjaminiHochberg(p)
	}
	return num.Holm(p)
}

// correction names how p-values were corrected.
func (a *Analysis) correction() string {
	if a.Settings.Correction == "bh" {
		return "Benjamini and Hochberg"
	}
	return "Holm"
}

// Tables returns all tables, in the order in which people read them.
func (a *Analysis) Tables() []*table.Table {
	if a.tables == nil {
		for _, t := range []*table.Table{a.Items(), a.whole(), a.warnings(), a.steps(), a.abilities(), a.people(), a.local(), a.groups(), a.functioning(), a.drifting(), a.testInformation(), a.curves(), a.findings()} {
			if t != nil && len(t.Rows) > 0 {
				a.tables = append(a.tables, t)
			}
		}
	}
	return a.tables
}
