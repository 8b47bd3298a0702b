// Package irt answers what item response theory asks of a table of responses: what each item and each subject is like, which of them
// the model does not describe, and where items are not the same for all. It makes tables of what package mml finds.
package irt

import (
	"fmt"
	"math"
	"slices"
	"strings"

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
	Draws      int     `setting:"draws" json:"draws" limits:"[100, 1000000]" doc:"least number of simulated subjects that person fit is compared with; more if it takes more to say how unlikely a subject is"`
	Seed       uint64  `setting:"seed" json:"seed" doc:"seed of the simulated subjects"`

	Anchors Anchors `json:"anchors,omitempty"` // parameters that are known; nil: none
}

// Default returns the usual settings.
func Default() Settings {
	return Settings{Model: auto, Correction: "holm", Guess: 0.2, Draws: 10_000, Seed: 1}
}

const auto = "auto"

// Limits.
const (
	mostJudged  = 1 << 24 // product of subjects and responses up to which the table itself is judged: comparing all subjects takes longer than the fit
	enough      = 200     // subjects from whom items have slopes of their own
	guessWeight = 20      // responses that the prior of a guessing parameter counts as
	alpha       = 0.05    // level of tests, after correction
	mostLevels  = 20      // categories of an item
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
	Judged   *judging.Judgement // nil where rows stand for several subjects, and of large tables
	Warnings []string           // what is not to be trusted, a sentence each, the gravest first

	bare      *mml.Fit // to all as one population, by which fit is tested
	moments   mml.Moments
	itemFit   []mml.ItemFit // nil: none
	scores    []mml.Score
	simulated int // subjects drawn for person fit
	pairs     []mml.Pair
	dif       []mml.Difference
	drift     []mml.Difference
	in        *input
	about     map[int][]string // doubts about an item of the data, by its index
}

// Run analyses the test responses to a measure. It returns an error if they are no categories, or if settings name what is not there.
func Run(d *record.Dataset, s Settings) (*Analysis, error) {
	a := &Analysis{Settings: s, Data: d, about: map[int][]string{}}
	var err error
	if a.in, err = read(d, &s); err != nil {
		return nil, err
	}
	a.choose()
	switch {
	case s.Count != "": // counts of subjects by rows of patterns would say nothing
	case float64(len(d.Subjects))*float64(d.Responses.Len()) > mostJudged:
		a.in.notes = append(a.in.notes, "The table is large: alike subjects and unconnected parts were not searched for; achilles ask does it.")
	default:
		if a.Judged, err = judging.Judge(d, a.in.measure); err != nil {
			return nil, err
		}
	}
	settings := mml.Settings{Model: a.Model, Loads: a.in.loads, Guess: s.Guess, GuessWeight: guessWeight}
	if settings.Known, err = s.Anchors.of(a.in, d.Items.ID, a.Model); err != nil {
		return nil, err
	}
	if a.bare, err = mml.Estimate(a.in.without(), settings); err != nil {
		return nil, err
	}
	a.Fit = a.bare
	if a.Groups = a.in.groups; a.Groups != nil {
		if a.Fit, err = mml.Estimate(&a.in.data, settings); err != nil {
			return nil, err
		}
	}
	a.moments = a.bare.Moments()
	a.itemFit = a.bare.ItemFit()
	a.scores = a.Fit.Scores()
	r := rng.Stream(s.Seed, "person fit")
	a.simulated = a.Fit.PersonFit(a.scores, s.Draws, &r)
	a.pairs = a.bare.Pairs(a.bare.Scores(), a.moments.Residual)
	if a.Groups != nil {
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
		a.Why = "chosen by --model"
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

// corrected returns p-values corrected for their number.
func (a *Analysis) corrected(p []float64) []float64 {
	if a.Settings.Correction == "bh" {
		return mml.BenjaminiHochberg(p)
	}
	return mml.Holm(p)
}

// correction names how p-values were corrected.
func (a *Analysis) correction() string {
	if a.Settings.Correction == "bh" {
		return "Benjamini and Hochberg"
	}
	return "Holm"
}

// fewest is the number of subjects below which the parameters of a model are not to be trusted.
func fewest(m mml.Model) float64 {
	switch m {
	case mml.Rasch, mml.Partial:
		return 100
	case mml.ThreePL:
		return 1000
	}
	return enough
}

// warn collects what is not to be trusted.
func (a *Analysis) warn() {
	say := func(format string, args ...any) { a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...)) }
	if !a.Fit.Converged {
		say("The fit did not converge: a further step would add %.2g to the log likelihood. Trust no number here; take a model with fewer parameters.", a.Fit.Gain)
	}
	if n := a.in.subjects; n < fewest(a.Model) {
		say("%s: the parameters of %s are poorly known from fewer than %g. Standard errors are too small, and tests may miss what is wrong.", num.Counted(int(n), "subject"), a.Model, fewest(a.Model))
	}
	if len(a.in.items) < 5 {
		say("%s: abilities are poorly known, and tests of fit have little power.", num.Counted(len(a.in.items), "item"))
	}
	var bound, reversed, weak []string
	for k, i := range a.in.items {
		it, name := &a.Fit.Items[k], a.Data.Items.ID[i]
		if it.Bound != "" {
			bound = append(bound, name)
			a.doubt(i, it.Bound)
		}
		r, n := a.in.rest[k].r, a.in.rest[k].n
		if r < 0 && r*math.Sqrt(n) < -2 {
			reversed = append(reversed, name)
			a.doubt(i, "goes the wrong way: those who do well on the others do badly on it")
		}
		if len(it.Slope) == 1 && it.SlopeSE[0] > 0 && !a.Model.OneSlope() && math.Abs(it.Slope[0]) < 2*it.SlopeSE[0] {
			weak = append(weak, name)
			a.doubt(i, "its slope cannot be distinguished from 0, so that its difficulty is not determined")
		}
	}
	several := func(names []string, what string) {
		if len(names) > 0 {
			say("%s: %s.", listed(names), what)
		}
	}
	several(reversed, "those who do well on the other items do badly on it: check the key and the direction of the scale")
	var constant []string
	for _, i := range a.in.constant {
		constant = append(constant, a.Data.Items.ID[i])
		a.doubt(i, "one response alone: difficulty has only a bound, and the item is left out")
	}
	several(constant, "all responses are the same, so the item says nothing of subjects and is left out")
	if a.Model.OneSlope() && len(bound) == len(a.in.items) {
		say("The standard deviation of abilities is at its bound: items and subjects are ordered (almost) without exception, as in a Guttman scale, and distances between them are not known.")
		bound = nil
	}
	several(bound, "an estimate is at its bound: the likelihood is highest where it is infinite (or 0)")
	if a.Fit.Spread != 0 && a.Fit.Spread < 0.05 || a.Fit.Spread == 0 && a.Model.OneSlope() && len(a.Fit.Correlations) == 1 {
		say("Subjects do not differ beyond chance: the standard deviation of abilities is at its bound of 0. Do not rank them.")
	}
	several(weak, "slopes cannot be distinguished from 0, so that difficulties are not determined")
	if a.Judged != nil && len(a.Judged.Parts) > 0 {
		say("The table has unconnected parts: comparisons between them assume that their subjects are draws from one population.")
	}
	if a.in.repeated > 0 {
		say("%s to an item that the subject had answered before: the first counts.", num.Counted(a.in.repeated, "response"))
	}
	for _, n := range a.in.notes {
		say("%s", n)
	}
	for _, t := range a.findings().Rows {
		what, means := t[0].Text(), t[3].Text()
		if strings.HasPrefix(what, "subjects whose responses agree") {
			say("%s: %s.", upper(what), means)
		}
	}
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (a *Analysis) doubt(item int, text string) { a.about[item] = append(a.about[item], text) }

// listed returns the first names and how many more there are.
func listed(names []string) string {
	const few = 5
	if len(names) > few {
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
	}
	return strings.Join(names, ", ")
}

// Tables returns all tables, in the order in which people read them.
func (a *Analysis) Tables() (out []*table.Table) {
	for _, t := range []*table.Table{a.Items(), a.whole(), a.warnings(), a.steps(), a.abilities(), a.people(), a.local(), a.groups(), a.functioning(), a.drifting(), a.testInformation(), a.curves(), a.findings()} {
		if t != nil && len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}
