package irt

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/mml"
	judging "achilles/infer/table"
	"achilles/sim/record"
)

// Limits of misfit.
const (
	tooHigh      = 0.2  // excess of Q3 beyond which two items depend on each other (Christensen, Makransky and Horton 2017)
	mostTogether = 0.05 // share of pairs of items that may do so by their wording alone
	fewTogether  = 3    // such pairs, up to which these are named by the tests of pairs alone
	closeFit     = 0.05 // RMSEA2 up to which a model fits closely (Maydeu-Olivares and Joe 2014)
	muchBetter   = 10   // difference of AIC beyond which the worse model has essentially no support (Burnham and Anderson 2002)
)

// A dependence is what shows whether one ability describes the responses: M2, and pairs of items.
type dependence struct {
	*Analysis
	beyond []mml.Pair // pairs of items that depend on each other beyond ability, those most alike first
}

func newDependence(a *Analysis) (d dependence) {
	d.Analysis = a
	for k, x := range a.corrected(pvalues(a.pairs, func(x *mml.Pair) float64 { return x.P })) {
		if x < 0.05 && math.Abs(a.pairs[k].Excess) > tooHigh {
			d.beyond = append(d.beyond, a.pairs[k])
		}
	}
	slices.SortStableFunc(d.beyond, func(x, y mml.Pair) int { return cmp.Compare(y.Excess, x.Excess) })
	return d
}

// warn warns of a model that does not fit closely, by M2 or, where there is none, by pairs of items that depend on each other beyond ability:
// of slopes that differ where there is one; else of several abilities, where such pairs are many.
func (d dependence) warn() []Warning {
	n, m := len(d.beyond), &d.moments
	many := n > fewTogether && float64(n) >= mostTogether*float64(len(d.pairs))
	if !many && !(m.Impossible == "" && m.Low > closeFit) && !(m.Impossible != "" && n > fewTogether) {
		return nil
	}
	text := "The model does not describe the responses"
	if m.Impossible == "" {
		text += fmt.Sprintf(" (RMSEA2 %.3f [%.3f, %.3f]; close fit is up to %g)", m.RMSEA, m.Low, m.High, closeFit)
	}
	text += ", and standard errors and reliability assume that it does"
	say := func(format string, args ...any) []Warning {
		return []Warning{{Misfit, text + fmt.Sprintf(format, args...)}}
	}
	if d.Has(judging.Reversed) {
		return say("; look at the items with negative discrimination first.")
	}
	other, less := d.slopes()
	switch {
	case other != "":
		return say(": items differ in slope. AIC of %s is lower by %.0f: --model %s.", other, less, other)
	case many:
		return []Warning{d.several()}
	case n > 0 && d.beyond[0].Excess > 0:
		most := d.beyond[0]
		return say(": they are too good. %d of %d pairs of items depend on each other beyond ability, most of all %s and %s (Q3 %.2f above the mean).%s",
			n, len(d.pairs), d.name(most.A), d.name(most.B), most.Excess, d.onlyOne())
	}
	return say(".")
}

// name returns the name of an item of a pair.
func (d dependence) name(k int) string { return d.Data.Items.ID[d.in.items[k]] }

// slopes returns the model with a slope for each item, and by how much its AIC is lower, where the model has one for all and explains far less.
func (d dependence) slopes() (other mml.Model, less float64) {
	other = map[mml.Model]mml.Model{mml.Rasch: mml.TwoPL, mml.Partial: mml.General}[d.Model]
	if other == "" || d.Settings.Anchors != nil {
		return "", 0
	}
	f, err := mml.Estimate(d.in.without(), mml.Settings{Model: other, Loads: d.in.loads})
	if err != nil || !(d.bare.AIC-f.AIC > muchBetter) {
		return "", 0
	}
	return other, d.bare.AIC - f.AIC
}

// spare returns items without which no pair goes together beyond ability: the item of the most such pairs, and so on. Where the model is known to be
// wrong, it is not the number of pairs that their p-values are corrected for, but some doubt of each.
func (d dependence) spare() (names []string) {
	var left []mml.Pair
	for _, p := range d.pairs {
		if p.P < 0.01 && p.Excess > tooHigh {
			left = append(left, p)
		}
	}
	for len(left) > 0 {
		count := make([]int, len(d.in.items))
		for _, p := range left {
			count[p.A]++
			count[p.B]++
		}
		worst := 0
		for k, n := range count {
			if n > count[worst] {
				worst = k
			}
		}
		names = append(names, d.name(worst))
		left = slices.DeleteFunc(left, func(p mml.Pair) bool { return p.A == worst || p.B == worst })
	}
	slices.SortFunc(names, record.CompareNames)
	return names
}

// several warns of several abilities, by pairs of items that depend on each other.
func (d dependence) several() Warning {
	against := 0
	for _, it := range d.Fit.Items {
		if len(it.Slope) == 1 && it.SlopeSE[0] > 0 && it.Slope[0] < -2*it.SlopeSE[0] {
			against++
		}
	}
	text := fmt.Sprintf("%d of %d pairs of items go together, or apart, beyond one ability (Q3 more than %g from the mean)", len(d.beyond), len(d.pairs), tooHigh)
	if against > 0 {
		text += fmt.Sprintf(", and %s negative", map[bool]string{true: "one slope is", false: fmt.Sprintf("%d slopes are", against)}[against == 1])
	}
	return Warning{SeveralAbilities, text + ": the items seem to measure several abilities; name the scales, if two or three, with --abilities COLUMN (of --items FILE), or analyse one at a time, the others in --leave-out." + d.onlyOne()}
}

// onlyOne says how to keep one of each pair of items that go together, if enough are left for a test; "": they are too few, or none.
func (d dependence) onlyOne() string {
	if spare := d.spare(); len(spare) > 0 && len(d.in.items)-len(spare) >= fewestItems {
		return " To keep one of each pair that goes together: --leave-out " + strings.Join(spare, ",") + "."
	}
	return ""
}
