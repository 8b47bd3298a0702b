package compare

import (
	"math"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// A Reading applies a rival's section [classification] to its posterior draws. A draw under which all items are passed about equally
// often (Bank.Weak) shows no weakness, whatever the rival is about: it counts as capable or as nonspecific. For a composed
// explanation, this is also decided for every component by itself; whether its weakness is named or is mild is decided by what it
// costs beside the others.
type Reading struct {
	rival  *Rival
	draws  int
	cols   map[string]expr.Column
	alike  []string    // [draw] Capable or Nonspecific if all items are passed about equally often, otherwise ""
	counts []bool      // [draw] whether items are passed so unequally that the family and weaknesses of the rival count
	named  []bool      // [draw] whether the weaknesses of the rival are named; else they are mild
	shares [][]float64 // [draw][row] success probability divided by strong; nil if the rival is no component of an explanation, [draw] nil if it is Observed
	floors []float64   // [draw] share of a composed explanation where all is lost, which its components have together; nil: their shares multiply
	parts  []*Reading  // readings of the components of a composed explanation; nil for a rival of the bank
}

// Read returns the reading of the rival's draws; a rival that was dropped has no draws. If the rival is Observed, its family
// and weaknesses count in all draws, even if all items are passed about equally often.
func (f *Fitted) Read(b *Bank) *Reading {
	v := f.Rival.read(f.Draws)
	if f.floor {
		v.floors = v.cols[sharedFloor].Number
	}
	for k, e := range f.parts {
		v.parts = append(v.parts, e.Rival.read(f.partDraws(k)))
		data, err := e.Design.NewData(nil)
		if err != nil {
			panic("compare: " + err.Error()) // a component uses no mean of the responses
		}
		v.parts[k].named, v.parts[k].shares = make([]bool, v.draws), make([][]float64, v.draws)
		v.parts[k].judge(b, e, e.Design.NewTarget(data))
	}
	v.judge(b, f.Entry, f.Target())
	for i := range v.draws { // if no component counts by itself, but they do together, all of them count
		if v.counts[i] && !slices.ContainsFunc(v.parts, func(p *Reading) bool { return p.counts[i] }) {
			for _, p := range v.parts {
				p.counts[i] = true
			}
		}
	}
	for i := range v.draws {
		v.name(b, f.partRows, i)
	}
	return v
}

// name sets named in draw i for the components of an explanation. A component is named if it counts and costs, on some items
// and beside the other components, more than a share 1 − Bank.Weak of the largest success probability. So darkness is a mild
// weakness if all dark items have lava, of which the subject passes few anyway. If no component costs so much, or if
// trajectories show the behaviour of one, all that count are named.
func (v *Reading) name(b *Bank, partRows [][]int, i int) {
	any, shown := false, slices.ContainsFunc(v.parts, func(p *Reading) bool { return p.shares[i] == nil })
	for k, p := range v.parts {
		p.named[i] = p.counts[i] && !shown && v.cost(i, k, partRows) > 1-b.Weak
		any = any || p.named[i]
	}
	for _, p := range v.parts {
		p.named[i] = p.named[i] || !any && p.counts[i]
	}
}

// cost returns how much of the largest success probability component k costs at most, on the rows of the explanation, in draw
// i.
func (v *Reading) cost(i, k int, partRows [][]int) float64 {
	floor := 0.0
	if v.floors != nil {
		floor = v.floors[i]
	}
	met := func(share float64) float64 { return max(0, share-floor) / max(1-floor, 1e-9) }
	top, loss, high := slices.Max(v.parts[k].shares[i]), 0.0, 0.0
	for r, own := range partRows[k] {
		others := 1.0
		for j, p := range v.parts {
			if j != k {
				others *= met(p.shares[i][partRows[j][r]])
			}
		}
		with := floor + float64((1-floor)*float64(others*met(v.parts[k].shares[i][own])))
		without := floor + float64((1-floor)*float64(others*met(top)))
		loss, high = max(loss, without-with), max(high, with)
	}
	return loss / high
}

// judge sets alike and counts by the success probabilities that the target predicts.
func (v *Reading) judge(b *Bank, e *Entry, t *layout.Target) {
	if e.Observed || slices.ContainsFunc(e.parts, func(p *Entry) bool { return p.Observed }) {
		for i := range v.counts {
			v.counts[i] = true
		}
		return
	}
	p, theta := make([]float64, e.Design.Rows()), make([]float64, t.Dim())
	for i := range v.draws {
		for k, x := range v.rival.Layout.Parameters {
			theta[k] = v.cols[x.Name].Number[i]
		}
		t.Predict(theta, p)
		if v.shares != nil {
			v.shares[i] = slices.Clone(p)
			for r := range p {
				v.shares[i][r] /= v.cols[strong].Number[i]
			}
		}
		low, high := slices.Min(p), slices.Max(p)
		switch {
		case low < b.Weak*high:
			v.counts[i] = true
		case high >= b.Capable:
			v.alike[i] = Capable
		default:
			v.alike[i] = Nonspecific
		}
	}
}

// partDraws returns the draws of the parameters of component k.
func (f *Fitted) partDraws(k int) [][]float64 {
	own := f.parts[k].Layout.Parameters
	at := make([]int, len(own))
	for i, p := range own {
		name := p.Name
		switch {
		case name == strong:
		case f.floor && name == f.parts[k].floor:
			name = sharedFloor
		default:
			name += strconv.Itoa(k + 1)
		}
		at[i] = slices.IndexFunc(f.Layout.Parameters, func(o layout.Parameter) bool { return o.Name == name })
	}
	out := make([][]float64, len(f.Draws))
	for d, theta := range f.Draws {
		out[d] = make([]float64, len(own))
		for i, j := range at {
			out[d][i] = theta[j]
		}
	}
	return out
}

// components returns the readings of the components; for a rival of the bank, v itself.
func (v *Reading) components() []*Reading {
	if v.parts == nil {
		return []*Reading{v}
	}
	return v.parts
}

func (r *Rival) read(draws [][]float64) *Reading {
	v := &Reading{rival: r, draws: len(draws), cols: map[string]expr.Column{}, alike: make([]string, len(draws)), counts: make([]bool, len(draws))}
	v.named = v.counts
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

// word returns, for each draw, the word of the first choice whose condition holds.
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

// precedence lists the families. The component whose family comes first decides the family of an explanation: a cheat with a
// weakness is a cheat.
var precedence = []string{Fraudster, ContextSpecific, Learns, Tires, AchillesHeel, Nonspecific, Capable}

// family returns the family of an explanation with these components whatever its parameters, or "" if it depends on these.
func (b *Bound) family(set []int) (name string) {
	for _, r := range b.rivals(set) {
		if len(r.families) != 1 {
			return ""
		}
		if w := r.families[0].Is; name == "" || slices.Index(precedence, w) < slices.Index(precedence, name) {
			name = w
		}
	}
	return name
}

// Families returns, for each family, its share of the draws.
func (v *Reading) Families() map[string]float64 {
	words := slices.Clone(v.alike)
	for _, c := range v.components() {
		for i, w := range c.word(c.rival.families) {
			if v.alike[i] == "" && c.counts[i] && (words[i] == "" || slices.Index(precedence, w) < slices.Index(precedence, words[i])) {
				words[i] = w
			}
		}
	}
	return shares(words)
}

// Knows returns the knowing share for every draw: the smallest that a component gives, or nil if all leave it open.
func (v *Reading) Knows(rng *rng.Rand) []float64 {
	var out []float64
	for _, c := range v.components() {
		if c.rival.knows == nil {
			continue
		}
		x := make([]float64, v.draws)
		if !c.value(*c.rival.knows, 1, rng, x) {
			continue
		}
		for i := range x {
			if x[i] = min(max(x[i], 0), 1); out != nil {
				x[i] = min(x[i], out[i])
			}
		}
		out = x
	}
	return out
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

// Noise returns the noise for every draw, or nil if the rival does not say what it is. For a composed explanation, it returns
// the noise of the first component.
func (v *Reading) Noise() []float64 {
	c := v.components()[0]
	if c.rival.noise == nil {
		return nil
	}
	return c.column(c.rival.noise)
}

// joined is the probability above which a weakness with key join is part of the joint weakness. A weakness that no item can
// show has its prior probability of one half; a certain one has 1.
const joined = 0.75

// short returns a number with two digits, or to the whole number.
func short(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}
