package compare

import (
	"fmt"
	"slices"
	"strings"

	"achilles/sim/num"
)

// Weaknesses returns the weaknesses that are named in at least one draw, component after component. Rival and Items are left empty.
func (v *Reading) Weaknesses() []Weakness {
	var out []Weakness
	for _, c := range v.components() {
		out = append(out, c.own(c.naming())...)
	}
	if p := shares(v.alike)[Nonspecific]; p > 0 {
		out = append(out, Weakness{Name: Nonspecific, Probability: p, Statement: "low success probability on all items"})
	}
	return out
}

// Mild returns the weaknesses that hold in at least one of the draws in which they are not named: all items are passed about
// equally often, or what the component costs beside the others is little.
func (v *Reading) Mild() []Weakness {
	var out []Weakness
	for _, c := range v.components() {
		mild := c.naming()
		for i := range mild {
			mild[i] = 1 - mild[i]
		}
		out = append(out, c.own(mild)...)
	}
	return out
}

// own returns the weaknesses that the rival states, over the draws for which counted is 1. Weaknesses with the key join make
// one weakness, named after those whose probability is above joined: a subject that fails cups and grids has the weakness "cup
// and grid", with the probability that it fails both.
func (v *Reading) own(counted []float64) []Weakness {
	var out []Weakness
	var names []string
	var all []float64 // [draw] 1 if all of names hold, else 0
	say := ""
	for _, w := range v.rival.weak {
		holds := slices.Clone(counted)
		if w.cond != nil {
			for i, x := range v.column(w.cond) {
				holds[i] *= x
			}
		}
		p := num.Mean(holds)
		switch {
		case !w.join && p > 0:
			out = append(out, Weakness{Name: w.name, Probability: p, Statement: v.text(w.say)})
		case w.join && p > joined:
			if all == nil {
				all = slices.Clone(counted)
			}
			names = append(names, w.name)
			for i := range all {
				all[i] *= holds[i]
			}
		}
		if w.join && say == "" {
			say = v.text(w.say)
		}
	}
	if names != nil {
		slices.Sort(names)
		out = append(out, Weakness{Name: strings.Join(names, " and "), Probability: num.Mean(all), Statement: say})
	}
	return out
}

// naming returns, for each draw, 1 if the weaknesses of the rival are named and 0 otherwise.
func (v *Reading) naming() []float64 {
	out := make([]float64, v.draws)
	for i, c := range v.named {
		if c {
			out[i] = 1
		}
	}
	return out
}

// text replaces each expression in a text by its posterior mean and central 90 % interval.
func (v *Reading) text(say []segment) string {
	var b strings.Builder
	for _, s := range say {
		if s.value == nil {
			b.WriteString(s.words)
			continue
		}
		x := interval(v.column(s.value))
		fmt.Fprintf(&b, "%s (%s–%s)", short(x.Mean), short(x.Q5), short(x.Q95))
	}
	return b.String()
}
