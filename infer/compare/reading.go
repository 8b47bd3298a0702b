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

// A Reading applies a rival's section [verdict] to its posterior draws. A draw under which all items are passed almost
// equally often (Bank.Weak) shows no weakness, whatever the rival is about: it counts as capable or as nonspecific.
type Reading struct {
	rival *Rival
	draws int
	cols  map[string]expr.Column
	alike []string // [draw] Capable or Nonspecific where all items are passed almost equally often, otherwise ""
}

// Read returns the reading of the rival's draws. It has draws unless it was dropped.
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

// column returns the value of an expression in every draw; a condition is 1 or 0.
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

// word returns the word of the first choice that holds in each draw.
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

// Families returns the share of the draws of each family.
func (v *Reading) Families() map[string]float64 {
	words := v.word(v.rival.families)
	for i, w := range v.alike {
		if w != "" {
			words[i] = w
		}
	}
	return shares(words)
}

// hasOPValue is the probability that a word stands for.
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

// Noise returns the noise of every draw, or nil where the rival states none.
func (v *Reading) Noise() []float64 {
	if v.rival.noise == nil {
		return nil
	}
	return v.column(v.rival.noise)
}

// Weaknesses returns those that hold in some draw. Weaknesses that the rival joins are one, named after all that hold in
// most draws: a subject that fails cups and grids has the weakness "cup and grid", with the probability that it fails
// both. Rival and Items are left empty.
func (v *Reading) Weaknesses() []Weakness {
	var out []Weakness
	var names []string
	var all []float64 // [draw] 1 where all of names hold
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

// joined is the probability above which a weakness is among those that are joined. A weakness that no item can show has
// probability one half by its prior; a certain one has 1.
const joined = 0.75

// different is 1 for draws under which items are not passed almost equally often, otherwise 0.
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

// text fills in the expressions of a text by their posterior mean and central 90 % interval.
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

// Reported writes the rival's value of a parameter of the reporting layout in every draw to out. It reports false where
// the rival has none. A distribution gives one random value a draw.
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
