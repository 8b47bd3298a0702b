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

// A Reading is what the draws of a rival say, by the rival's own words. A draw under which all items of the battery are
// passed alike, to within what counts as a weakness, says something else: that the subject is capable, or has no clue.
type Reading struct {
	rival *Rival
	draws int
	cols  map[string]expr.Column
	alike []string // of every draw: capable or nonspecific where all items are passed alike, otherwise ""
}

// Read reads the draws of a rival that was fitted.
func (f *Fitted) Read(b *Bank) *Reading {
	v := f.Rival.read(f.Draws)
	if f.Seen {
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

// column has the values of an expression; a condition is 1 or 0.
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

// word returns, draw by draw, which choice holds.
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

// Families is the share of draws of each family.
func (v *Reading) Families() map[string]float64 {
	words := v.word(v.rival.families)
	for i, w := range v.alike {
		if w != "" {
			words[i] = w
		}
	}
	return shares(words)
}

// hasOPValue is what a word is worth as a probability: maybe and unknown are even chances.
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

// Noise has the noise of every draw, or nil where the rival has none.
func (v *Reading) Noise() []float64 {
	if v.rival.noise == nil {
		return nil
	}
	return v.column(v.rival.noise)
}

// Weaknesses lists those that hold in some draw. Those that a rival joins are one weakness, called by the names of all
// that hold in most draws: an agent that fails cups and grids has the weakness "cup and grid", with the probability
// that it fails both.
func (v *Reading) Weaknesses() []Weakness {
	var out []Weakness
	var names []string
	var all []float64 // whether all of names hold
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

// joined is the probability from which a weakness is one of those that a rival joins. It lies between one half, where
// the battery has no item that it could show on, and 1.
const joined = 0.75

// different is 1 for draws under which items differ, otherwise 0.
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

// text fills the expressions of a text with their posterior mean and central 90 %.
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

// Reported writes the values that the rival gives a parameter of the reporting layout, draw by draw, and reports false
// where it says nothing of it. A distribution is drawn from once a draw.
func (v *Reading) Reported(name string, rng *rng.Rand, out []float64) bool {
	i := slices.IndexFunc(v.rival.profile, func(r reported) bool { return r.name == name })
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
