package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/layout"
	"achilles/infer/misfit"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A Case has all data for the verdict on one subject.
type Case struct {
	Subject   string
	Items     *record.Items
	Responses []record.Response // the subject's responses, to which the rivals were fitted
	Bank      *Bound
	Fits      []*Fitted      // the result of Bank.Fit
	Unvisited []Unvisited    // result unvisited of Bank.Fit
	Report    *layout.Design // the reporting layout: the profile has its parameters
}

// negligible is the largest posterior probability at which a rival is left out of all sums.
const negligible = 1e-4

// kept returns the rivals that have draws and a weight above negligible, the most probable first.
func (c *Case) kept() []*Fitted {
	var out []*Fitted
	for _, f := range c.Fits {
		if f.Draws != nil && f.Weight > negligible {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *Fitted) int { return cmp.Compare(b.Weight, a.Weight) })
	return out
}

// profileDraws is the number of draws from which a profile is computed.
const profileDraws = 4000

// Judge returns the verdict, and draws of the parameters of its profile, in an order that says nothing; nil if it has no profile. It draws
// random numbers from rng.
func (c *Case) Judge(rng *rng.Rand) (*Verdict, [][]float64) {
	v := &Verdict{Subject: c.Subject}
	if !c.scored() {
		v.Family, v.Leading, v.Unclassified, v.HasOP = Unclassified, Unclassified, "no response was scored", 0.5
		v.Words = v.words()
		return v, nil
	}
	kept := c.kept()
	readings := make([]*Reading, len(kept))
	for i, f := range kept {
		readings[i] = f.Read(c.Bank.Bank)
	}
	v.compare(c)
	v.components(c)
	v.weighFamilies(c, kept, readings)
	v.knowing(c, kept, readings, rng)
	v.noise(kept, readings, rng)
	stacked := c.stack(kept, readings, rng)
	v.profile(c.Report, stacked)
	slabs := v.widen(c, kept, stacked)
	p := newPredictive(c.Items, kept)
	v.weaknesses(c, kept, readings)
	checked := c.check(p, rng)
	v.Misfit, v.Checks = checked.Failed, checked.Checks
	v.decide(c.Bank.Bank)
	if v.Family == Unclassified || v.runnerUp() > 0.05 {
		v.Ties = ties(c.Items, p)
	}
	v.Words = v.words()
	if v.Profile == nil {
		return v, nil
	}
	return v, shuffled(stacked, slabs, rng)
}

// scored reports whether any response has a value.
func (c *Case) scored() bool {
	return slices.ContainsFunc(c.Responses, func(r record.Response) bool { return r.Unscored == 0 })
}

// compare sets v.Rivals, the results of all explanations, the most probable first.
func (v *Verdict) compare(c *Case) {
	fits := slices.Clone(c.Fits)
	slices.SortStableFunc(fits, func(a, b *Fitted) int { return cmp.Compare(b.Weight, a.Weight) })
	var left []*LeaveOneOut
	var at []int
	for i, f := range fits {
		v.Rivals = append(v.Rivals, Comparison{Name: f.Layout.Name, Weight: f.Weight, LogEvidence: f.LogEvidence, Error: f.Error})
		if f.Draws != nil {
			left = append(left, f.LeaveOneOut(c.Responses))
			at = append(at, i)
		}
	}
	stacking, best := stackingWeights(left), left[0]
	for _, l := range left {
		if l.ELPD > best.ELPD {
			best = l
		}
	}
	for k, l := range left {
		r := &v.Rivals[at[k]]
		se := 0.0
		if l != best {
			se = l.ELPDError(best)
		}
		r.ELPD, r.ELPDError, r.WorstK, r.Stacking, r.BadK = num.Finite(l.ELPD), num.Finite(se), num.Finite(l.WorstK), num.Finite(stacking[k]), l.BadK
	}
}

// leastComponent is the smallest posterior probability of a rival in Verdict.Components.
const leastComponent = 0.01

// components sets the posterior probability of each rival of the bank: the sum of the weights of all explanations that it is
// part of.
func (v *Verdict) components(c *Case) {
	sum := make([]float64, len(c.Bank.Entries))
	for _, f := range c.Fits {
		for _, i := range f.set {
			sum[i] += f.Weight
		}
	}
	for i, p := range sum {
		if p >= leastComponent {
			v.Components = append(v.Components, ComponentWeight{c.Bank.Entries[i].Layout.Name, p})
		}
	}
	slices.SortStableFunc(v.Components, func(a, b ComponentWeight) int { return cmp.Compare(b.Probability, a.Probability) })
}

// weighFamilies sets the posterior probabilities of the families: means over the explanations, by weight, of what their readings
// say. An explanation that was not fitted has the family of its components as far as the last of them matters; as far as it does not,
// it is what the others are.
func (v *Verdict) weighFamilies(c *Case, kept []*Fitted, readings []*Reading) {
	family := map[string]float64{}
	total := 0.0
	for _, u := range c.Unvisited {
		v.Unvisited += u.Weight
	}
	fitted := weightOf(kept)
	visited := (1 - v.Unvisited) / fitted
	for _, u := range c.Unvisited {
		if name := c.Bank.family(u.set); name != "" && u.Weight > negligible {
			w := float64(u.Weight * u.Matters / visited)
			family[name] += w
			total += w
		}
	}
	for i, f := range kept {
		total += f.Weight
		for name, p := range readings[i].Families() {
			family[name] += float64(f.Weight * p)
		}
	}
	for _, name := range Families() {
		if p, ok := family[name]; ok {
			v.Families = append(v.Families, FamilyWeight{name, p / total})
		}
	}
	slices.SortStableFunc(v.Families, func(a, b FamilyWeight) int { return cmp.Compare(b.Weight, a.Weight) })
	v.Leading, v.Weight = v.Families[0].Name, v.Families[0].Weight
}

func (v *Verdict) runnerUp() float64 {
	if len(v.Families) < 2 {
		return 0
	}
	return v.Families[1].Weight
}

// noise sets the noise from draws of all rivals whose section [classification] says what the noise is, in proportion to their weights.
func (v *Verdict) noise(kept []*Fitted, readings []*Reading, rng *rng.Rand) {
	var pool []float64
	for i, f := range kept {
		noise := readings[i].Noise()
		if noise == nil {
			continue
		}
		for range int(math.Ceil(f.Weight * 2000)) {
			pool = append(pool, noise[rng.IntN(len(noise))])
		}
	}
	if pool != nil {
		noise := interval(pool)
		v.Noise = &noise
	}
}

func interval(xs []float64) CredibleInterval {
	sorted := slices.Sorted(slices.Values(xs))
	return CredibleInterval{Mean: num.Mean(xs), Q5: num.SortedQuantile(sorted, 0.05), Q95: num.SortedQuantile(sorted, 0.95)}
}

// profile sets the profile from draws of the reporting layout's parameters.
func (v *Verdict) profile(report *layout.Design, stacked []profileDraw) {
	for k, p := range report.Parameters() {
		var xs []float64
		for _, d := range stacked {
			xs = append(xs, d.theta[k])
		}
		_, variance := num.Moments(xs)
		v.Profile = append(v.Profile, ParameterEstimate{Name: p.Name, SD: math.Sqrt(variance), CredibleInterval: interval(xs)})
	}
}

// weaknesses sets the weaknesses with a probability, over all explanations, of at least 0.01, and the mild weaknesses with a
// probability of at least 0.5, most probable first. Statement and items are those of the explanation that contributes most to
// the probability.
func (v *Verdict) weaknesses(c *Case, kept []*Fitted, readings []*Reading) {
	v.Weaknesses = c.ranked(kept, 0.01, func(i int) []Weakness { return readings[i].Weaknesses() })
	v.Mild = c.ranked(kept, 0.5, func(i int) []Weakness { return readings[i].Mild() })
}

func (c *Case) ranked(kept []*Fitted, least float64, of func(i int) []Weakness) (out []Weakness) {
	largest := map[string]float64{}
	for i, f := range kept {
		for _, w := range of(i) {
			share := float64(f.Weight * w.Probability)
			k := slices.IndexFunc(out, func(o Weakness) bool { return o.Name == w.Name })
			if k < 0 {
				k = len(out)
				out = append(out, Weakness{Name: w.Name})
			}
			o := &out[k]
			o.Probability += share
			if share > largest[w.Name] {
				largest[w.Name] = share
				o.Statement, o.Rival = w.Statement, f.Layout.Name
				if f.parts != nil && w.Statement != "" { // what a component says leaves out what the others cost
					o.Statement = "considered alone, " + w.Statement
				}
				o.Items = c.mostTelling(f)
			}
		}
	}
	out = slices.DeleteFunc(out, func(w Weakness) bool { return w.Probability < least })
	slices.SortStableFunc(out, func(a, b Weakness) int { return cmp.Compare(b.Probability, a.Probability) })
	return out
}

// decide sets the family. It is unclassified, with the reason, if the probability of the leading family is below b.Tell, or if
// no rival fits (a misfit is material). If no rival fits, nothing else is said of the subject.
func (v *Verdict) decide(b *Bank) {
	v.Family = v.Leading
	switch {
	case v.Weight < b.Tell:
		var names []string
		for _, f := range v.Families {
			if f.Weight > 0.05 {
				names = append(names, fmt.Sprintf("%s %.2f", f.Name, f.Weight))
			}
		}
		v.Family, v.Unclassified = Unclassified, "candidate models tie: "+strings.Join(names, ", ")
	case v.noneFits():
		v.Family, v.Unclassified = Unclassified, "no candidate model fits: "+v.Misfit[0].Statement
		// What rivals say of a subject that they do not fit is not reported.
		v.HasOP, v.Knowing, v.Weaknesses, v.Mild, v.Noise, v.Profile = 0.5, nil, nil, nil, nil, nil
	}
}

// noneFits reports whether the mixture of all explanations has a material misfit: one that is large enough to matter.
func (v *Verdict) noneFits() bool {
	return slices.ContainsFunc(v.Misfit, func(m misfit.Finding) bool { return m.Material })
}
