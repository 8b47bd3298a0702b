package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// A Reading applies a rival's section [verdict] to its posterior draws. A draw under which all items are passed about equally
// often (Bank.Weak) shows no weakness, whatever the rival is about: it counts as capable or as nonspecific.
type Reading struct {
	rival *Rival
	draws int
	cols  map[string]expr.Column
	alike []string // [draw] Capable or Nonspecific if all items are passed about equally often, otherwise ""
}

// Read returns the reading of the rival's draws; a rival that was dropped has none. If the rival was Observed, no draw counts
// as one that passes all items about equally often.
func (f *Fitted) Read(b *Bank) *Reading {
	v := f.Rival.read(f.Draws)
	if f.Observed {
		return v
	}
	t := f.Target()
	p := make([]float64, f.Design.Rows())
	for i, theta := range f.Draws {
		t.Predict(theta, p)
		low, high := slices.Min(p), slices.Max(p)
		switch {
		case low < b.Weak*high:
		case high >= b.Capable:
			v.alike[i] = Capable
		default:
			v.alike[i] = Nonspecific
		}
	}
	return v
}

func (r *Rival) read(draws [][]float64) *Reading {
	v := &Reading{rival: r, draws: len(draws), cols: map[string]expr.Column{}, alike: make([]string, len(draws))}
	for k, p := range r.Layout.Parameters {
		col := make([]float64, len(draws))
		for i, d := range draws {
			col[i] = d[k]
		}
		v.cols[p.Name] = expr.Column{Number: col}
	}
	for _, c := range r.Layout.Constants {
		v.cols[c.Name] = expr.Column{Number: []float64{c.Value}}
	}
	return v
}

// column returns the value of an expression for every draw; a condition has the value 1 or 0.
func (v *Reading) column(n *expr.Node) []float64 {
	for _, name := range n.Names() {
		if _, ok := v.cols[name]; !ok {
			v.cols[name] = expr.Column{Number: v.column(v.rival.inner[name])}
		}
	}
	p, err := expr.Compile(n, func(name string) (expr.Column, bool) { c, ok := v.cols[name]; return c, ok })
	if err != nil {
		panic("compare: " + err.Error()) // names and syntax were checked when the file was read
	}
	out := make([]float64, v.draws)
	for i := range out {
		out[i] = p.Number(i)
	}
	return out
}

// word returns, for each draw, the word of the first choice that holds.
func (v *Reading) word(cs []choice) []string {
	out := make([]string, v.draws)
	for _, c := range cs {
		var holds []float64
		if c.If != nil {
			holds = v.column(c.If)
		}
		for i := range out {
			if out[i] == "" && (holds == nil || holds[i] != 0) {
				out[i] = c.Is
			}
		}
	}
	return out
}

// Families returns, for each family, its share of the draws.
func (v *Reading) Families() map[string]float64 {
	words := v.word(v.rival.families)
	for i, w := range v.alike {
		if w != "" {
			words[i] = w
		}
	}
	return shares(words)
}

// hasOPValue is the probability of object permanence that a word of has_op stands for.
var hasOPValue = map[string]float64{"yes": 1, "no": 0, "maybe": 0.5, "unknown": 0.5}

// HasOP is the probability that the subject has object permanence.
func (v *Reading) HasOP() float64 {
	sum := 0.0
	for i, w := range v.word(v.rival.hasOP) {
		switch v.alike[i] {
		case Capable:
			w = "yes"
		case Nonspecific:
			w = "unknown"
		}
		sum += hasOPValue[w]
	}
	return sum / float64(v.draws)
}

func shares(words []string) map[string]float64 {
	out := map[string]float64{}
	for _, w := range words {
		out[w]++
	}
	for w := range out {
		out[w] /= float64(len(words))
	}
	return out
}

// Noise returns the noise for every draw, or nil if the rival states none.
func (v *Reading) Noise() []float64 {
	if v.rival.noise == nil {
		return nil
	}
	return v.column(v.rival.noise)
}

// Weaknesses returns the weaknesses that hold in at least one draw. Those with key join make one weakness, named after the
// ones with a probability above joined: a subject that fails cups and grids has the weakness "cup and grid", with the
// probability that it fails both. Rival and Items are left empty.
func (v *Reading) Weaknesses() []Weakness {
	var out []Weakness
	var names []string
	var all []float64 // [draw] 1 if all of names hold, else 0
	say := ""
	for _, w := range v.rival.weak {
		holds := v.different()
		if w.cond != nil {
			for i, x := range v.column(w.cond) {
				holds[i] *= x
			}
		}
		p := mean(holds)
		switch {
		case !w.join && p > 0:
			out = append(out, Weakness{Name: w.name, Probability: p, Statement: v.text(w.say)})
		case w.join && p > joined:
			if all == nil {
				all = v.different()
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
		out = append(out, Weakness{Name: strings.Join(names, " and "), Probability: mean(all), Statement: say})
	}
	if p := shares(v.alike)[Nonspecific]; p > 0 {
		out = append(out, Weakness{Name: Nonspecific, Probability: p, Statement: "passes rarely, whatever is asked"})
	}
	return out
}

// joined is the probability above which a weakness with key join is part of the joint weakness. A weakness that no item can
// show has its prior probability of one half; a certain one has 1.
const joined = 0.75

// different returns, for each draw, 0 if it passes all items about equally often (Reading.alike) and 1 otherwise.
func (v *Reading) different() []float64 {
	out := make([]float64, v.draws)
	for i, w := range v.alike {
		if w == "" {
			out[i] = 1
		}
	}
	return out
}

func mean(xs []float64) float64 { return diag.Mean([][]float64{xs}) }

// text replaces each expression in a text by its posterior mean and central 90 % interval.
func (v *Reading) text(say []segment) string {
	var b strings.Builder
	for _, s := range say {
		if s.value == nil {
			b.WriteString(s.words)
			continue
		}
		x := [][]float64{v.column(s.value)}
		fmt.Fprintf(&b, "%s (%s–%s)", short(diag.Mean(x)), short(diag.Quantile(x, 0.05)), short(diag.Quantile(x, 0.95)))
	}
	return b.String()
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) }

// Reported writes to out, for every draw, the value that the rival states for a parameter of the reporting layout; if it
// states a distribution, this is a random value from it. It reports false if the rival states nothing and has no parameter
// of this name, or if a distribution has impossible arguments.
func (v *Reading) Reported(name string, rng *rng.Rand, out []float64) bool {
	i := slices.IndexFunc(v.rival.profile, func(r reportedParameter) bool { return r.name == name })
	if i < 0 {
		if !slices.ContainsFunc(v.rival.Layout.Parameters, func(p layout.Parameter) bool { return p.Name == name }) {
			return false
		}
		copy(out, v.cols[name].Number)
		return true
	}
	r := v.rival.profile[i]
	if r.value != nil {
		copy(out, v.column(r.value))
		return true
	}
	args := make([][]float64, len(r.args))
	for k, a := range r.args {
		args[k] = v.column(a)
	}
	at := make([]float64, len(args))
	for d := range out {
		for k := range args {
			at[k] = args[k][d]
		}
		out[d] = r.prior.Quantile(rng.Float64(), at)
		if math.IsNaN(out[d]) {
			return false
		}
	}
	return true
}
