package ctest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/ctest"
	"achilles/sim/longtest"
)

// request asks for n problems of complexity 7 to `most`. Each complexity takes about twice as long as the one before.
func request(n, most int) ctest.Request {
	r := ctest.Request{Count: n, Answers: []int{3, 5, 26}, Root: 1}
	for k := ctest.MinK; k <= most; k++ {
		r.K = append(r.K, k)
	}
	return r
}

// A claim is a generated problem with the properties of its program, which the enumeration tries to refute.
type claim struct {
	problem ctest.Problem
	output  []uint8      // letters that its program writes, as distances from the first
	costs   []ctest.Cost // cost of its program when it has written each letter
	found   bool         // the enumeration has met its program
}

const further = 3 // number of further letters for which the best explanation must stay the best

func (c *claim) shown() int { return len(c.problem.Series) }

func claimOf(t *testing.T, p ctest.Problem) *claim {
	t.Helper()
	c := &claim{problem: p}
	out := p.Explanation.Program.Run(14)
	if len(out.Letters) < 14 {
		t.Fatalf("%s: %s ends too soon", p.Series, p.Explanation.Program)
	}
	for i, l := range out.Letters {
		c.output = append(c.output, (l+26-out.Letters[0])%26)
		cost := ctest.Cost(out.Steps[i])
		for range p.Explanation.Program {
			cost *= 2
		}
		c.costs = append(c.costs, cost)
	}
	s, err := ctest.ParseSeries(p.Series)
	if err != nil || !slices.Equal(s, ctest.Series(c.output[:len(s)])) {
		t.Errorf("%s is not what %s writes (%v)", p.Series, p.Explanation.Program, err)
	}
	return c
}

// refute reports an error if a program of the enumeration contradicts the claim: if it is cheaper than the claim's program,
// or goes on with another letter and is less than a bit dearer.
func (c *claim) refute(t *testing.T, w *written) {
	for i := range further + 1 {
		n := c.shown() + i
		s := ctest.Series(c.output[:n])
		if !w.explains(s) {
			return
		}
		cost := w.costAt(n)
		if cost < c.costs[n-1] {
			t.Errorf("%s and %d letters more: %s is cheaper than %s", c.problem.Series, i, w.program, c.problem.Explanation.Program)
		}
		if i > 0 {
			continue
		}
		if w.letters[n] != c.output[n] && cost < 2*c.costs[n-1] {
			t.Errorf("%s: %s is less than a bit dearer and goes on with another letter", c.problem.Series, w.program)
		}
		if slices.Equal(w.program, c.problem.Explanation.Program) {
			c.found = cost == c.costs[n-1]
		}
	}
}

// TestGenerated checks every property of generated problems again. Those that Generate established by a search are
// checked by enumerating all programs up to a length: 6 instructions, or 10 with -long, which generates the most complex problems too.
func TestGenerated(t *testing.T) {
	count, most, longest := 40, 12, 6
	if longtest.On() {
		count, most, longest = 1000, ctest.MaxK, 10
	}
	problems, err := ctest.Generate(t.Context(), request(count, most))
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) != count {
		t.Errorf("%d problems, want %d", len(problems), count)
	}
	claims := map[[4]uint8][]*claim{}
	wanted := map[[4]uint8]bool{}
	var bound ctest.Cost
	outputs := map[string]string{}
	for _, p := range problems {
		c := claimOf(t, p)
		four := firstFour(c.output)
		claims[four], wanted[four] = append(claims[four], c), true
		bound = max(bound, 2*c.costs[c.shown()-1], c.costs[c.shown()+further-1])
		checkShape(t, c)
		key := string(c.output[:10])
		if other, twice := outputs[key]; twice {
			t.Errorf("%s and %s are beginnings of the same series", other, p.Series)
		}
		outputs[key] = p.Series
	}
	checkBalance(t, problems, most)
	for length := 1; length <= longest; length++ {
		enumerate(t, slices.Clone(basic), length, 14, bound, wanted, func(w *written) {
			for _, c := range claims[firstFour(w.letters)] {
				c.refute(t, w)
			}
		})
	}
	checked := 0
	for _, list := range claims {
		for _, c := range list {
			if len(c.problem.Explanation.Program) <= longest {
				checked++
				if !c.found {
					t.Errorf("%s: the enumeration does not meet %s at its cost", c.problem.Series, c.problem.Explanation.Program)
				}
			}
		}
	}
	t.Logf("%d of %d problems have a program of at most %d instructions", checked, count, longest)
	if checked < count/5 {
		t.Errorf("only %d problems were checked", checked)
	}
}

// checkShape checks the properties of a problem that need no search.
func checkShape(t *testing.T, c *claim) {
	t.Helper()
	p := &c.problem
	if k := c.costs[ctest.Measured-1].Floor(); p.K != k || k < 7 || k > 15 {
		t.Errorf("%s: k is %d, its program says %d", p.Series, p.K, k)
	}
	if n := c.shown(); n < 4 || n > 10 {
		t.Errorf("%s: %d letters are shown", p.Series, n)
	}
	first := p.Series[0] - 'a'
	if want := (ctest.Series{c.output[c.shown()]}).Text(first)[0]; p.Answer != want {
		t.Errorf("%s: the answer is %c, its program writes %c", p.Series, p.Answer, want)
	}
	pass := p.Explanation.Program.Run(len(c.output)).Pass
	if pass == 0 || 2*c.shown() < 3*pass {
		t.Errorf("%s: %d letters in the first pass of %s", p.Series, pass, p.Explanation.Program)
	}
	if rest := c.output[7:]; slices.Max(rest) == slices.Min(rest) {
		t.Errorf("%s ends in one letter", p.Series)
	}
	for i := range p.Options {
		if strings.IndexByte(p.Options[i+1:], p.Options[i]) >= 0 || p.Options[i] < 'a' || p.Options[i] > 'z' {
			t.Errorf("%s: options %s", p.Series, p.Options)
		}
	}
	if strings.IndexByte(p.Options, p.Answer) < 0 {
		t.Errorf("%s: the answer %c is not among %s", p.Series, p.Answer, p.Options)
	}
}

// checkBalance checks that complexities from 10 to `last` have equally many problems, to within one (there are few simpler
// series), and that within a complexity every number of options is used equally often.
func checkBalance(t *testing.T, problems []ctest.Problem, last int) {
	t.Helper()
	byK, byBoth := map[int]int{}, map[[2]int]int{}
	for _, p := range problems {
		byK[p.K]++
		byBoth[[2]int{p.K, len(p.Options)}]++
	}
	most := slices.Max(slices.Collect(maps.Values(byK)))
	for k := 10; k <= last; k++ {
		if byK[k] < most-1 {
			t.Errorf("%d problems of complexity %d, %d of another", byK[k], k, most)
		}
	}
	for key, n := range byBoth {
		if d := 3*n - byK[key[0]]; d < -3 || d > 3 {
			t.Errorf("%d of %d problems of complexity %d have %d options", n, byK[key[0]], key[0], key[1])
		}
	}
}

// TestOptions checks that the answer is equally often at every place among the options, and that the options have the next
// letters of the cheapest other explanations.
func TestOptions(t *testing.T) {
	problems, err := ctest.Generate(t.Context(), ctest.Request{Count: 60, K: []int{9, 10}, Answers: []int{5}, Root: 3})
	if err != nil {
		t.Fatal(err)
	}
	at := map[int]int{}
	for _, p := range problems {
		at[strings.IndexByte(p.Options, p.Answer)]++
	}
	for i := range 5 {
		if at[i] < 3 || at[i] > 24 { // expected 12, standard deviation 3.1
			t.Errorf("the answer stands %d times of 60 at place %d", at[i], i)
		}
	}
	rivals := 0
	for _, p := range problems[:12] { // the simplest, because these take little time
		s, _ := ctest.ParseSeries(p.Series)
		list, err := ctest.Explain(s, ctest.Limit{Best: 14, Above: 5})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list[1:min(len(list), 5)] {
			rivals++
			if l := (ctest.Series{e.Next}).Text(p.Series[0] - 'a'); !strings.Contains(p.Options, l) {
				t.Errorf("%s: %s goes on with %s, which is not among %s", p.Series, e.Program, l, p.Options)
			}
		}
	}
	if rivals < 10 {
		t.Errorf("only %d rival explanations", rivals)
	}
}

func TestGenerateRefuses(t *testing.T) {
	good := ctest.Request{Count: 3, K: []int{9}, Answers: []int{5}, Root: 1}
	for _, c := range []struct {
		why   string
		spoil func(*ctest.Request)
		says  string
	}{
		{"more than there are", func(r *ctest.Request) { r.K, r.Count = []int{7}, 50 }, "series of complexity [7] were found, not 50"},
		{"too simple", func(r *ctest.Request) { r.K = []int{6} }, "complexity 6: problems have 7 to 15"},
		{"too many options", func(r *ctest.Request) { r.Answers = []int{27} }, "27 answers"},
		{"no complexity", func(r *ctest.Request) { r.K = nil }, "are needed"},
		{"no problem", func(r *ctest.Request) { r.Count = 0 }, "are needed"},
	} {
		r := good
		c.spoil(&r)
		if _, err := ctest.Generate(t.Context(), r); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
}

func TestDesign(t *testing.T) {
	b, err := ctest.Design(t.Context(), battery.Request{Levels: []battery.Factor{{Name: "k", Number: []float64{9, 10, 11}}, {Name: "answers", Number: []float64{2, 4}}}, Items: 24, Root: 5})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, it := range b.Items.All() {
		kinds[fmt.Sprint(it.Values.At(0).Number, it.Task, it.Values.At(4).Number)]++
	}
	for kind, n := range kinds {
		if n != 4 {
			t.Errorf("%d items are %s, want 4", n, kind)
		}
	}
	if len(kinds) != 6 {
		t.Errorf("kinds are %v", kinds)
	}
	for _, c := range []struct {
		why   string
		level battery.Factor
		items int
		says  string
	}{
		{"a fraction", battery.Factor{Name: "k", Number: []float64{9.5}}, 9, "factor k: level 9.5 is not a whole number from 7 to 15"},
		{"one option", battery.Factor{Name: "answers", Number: []float64{1}}, 9, "not a whole number from 2 to 26"},
		{"no factor", battery.Factor{Name: "K", Number: []float64{9}}, 9, "did you mean k?"},
		{"no number of items", battery.Factor{Name: "k", Number: []float64{9}}, 0, "set the number of items"},
	} {
		if _, err := ctest.Design(t.Context(), battery.Request{Levels: []battery.Factor{c.level}, Items: c.items, Root: 1}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		if _, err := ctest.Generate(b.Context(), request(1000, ctest.MaxK)); err != nil {
			b.Fatal(err)
		}
	}
}
