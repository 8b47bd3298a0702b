package predict_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/rng"
)

// golf returns Quinlan's (1993) data on when to play golf, as a table with one subject and one item for each day.
func golf() *table.Table {
	days := []string{ // in this order: outlook, temperature, humidity, windy, play
		"sunny 75 70 true 1", "sunny 80 90 true 0", "sunny 85 85 false 0", "sunny 72 95 false 0", "sunny 69 70 false 1",
		"overcast 72 90 true 1", "overcast 83 78 false 1", "overcast 64 65 true 1", "overcast 81 75 false 1",
		"rain 71 80 true 0", "rain 65 70 true 0", "rain 75 80 false 1", "rain 68 80 false 1", "rain 70 96 false 1"}
	t := &table.Table{Binary: true, Subjects: []string{"golfer"}, Features: []table.Feature{
		{Name: "outlook", Levels: []string{"overcast", "rain", "sunny"}}, {Name: "temperature"}, {Name: "humidity"},
		{Name: "windy", Levels: []string{"false", "true"}}}}
	for i, day := range days {
		for k, v := range strings.Fields(day) {
			if k == 4 {
				t.Items, t.Subject, t.Item = append(t.Items, string(rune('a'+i))), append(t.Subject, 0), append(t.Item, int32(i))
				t.Value = append(t.Value, float64(v[0]-'0'))
				continue
			}
			f := &t.Features[k]
			f.Missing = append(f.Missing, false)
			f.Value = append(f.Value, number(f, v))
		}
	}
	return t
}

func number(f *table.Feature, s string) (v float64) {
	for k, l := range f.Levels {
		if l == s {
			return float64(k)
		}
	}
	for _, c := range s {
		v = 10*v + float64(c-'0')
	}
	return v
}

func fit(t *testing.T, p predict.Predictor, tb *table.Table) predict.Model {
	t.Helper()
	m, err := p.Fit(context.Background(), tb, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.12g, want %.12g ± %g", what, got, want, tol)
	}
}

var golfers = []string{"outlook", "temperature", "humidity", "windy"}

// TestGolf checks that the tree of the book is grown: it splits by outlook, then by humidity at 75 if it is sunny, and
// by wind if it rains.
func TestGolf(t *testing.T) {
	o := predict.DefaultTree("tree", golfers)
	o.Sets, o.Confidence = false, 1
	if got, want := predict.Describe(fit(t, o, golf())), "outlook(windy(0/2 3/3) humidity(2/2 0/3) 4/4)"; sorted(got) != sorted(want) {
		t.Errorf("tree %s, want %s", got, want)
	}
}

// sorted returns the words of a tree's description in alphabetical order, so that the order of branches does not
// matter.
func sorted(tree string) string {
	words := strings.FieldsFunc(tree, func(r rune) bool { return r == ' ' || r == '(' || r == ')' })
	for i := range words {
		for j := range i {
			if words[i] < words[j] {
				words[i], words[j] = words[j], words[i]
			}
		}
	}
	return strings.Join(words, " ")
}

// TestGainRatio checks the numbers of the book (Quinlan 1993): outlook gains 0.246 bits at a split information of 1.577
// (ratio 0.156). If the outlook of one overcast day is unknown, it gains 0.199 at 1.809 (0.110).
func TestGainRatio(t *testing.T) {
	o := predict.DefaultTree("tree", nil)
	o.Sets = false
	tb := golf()
	gain, ratio := predict.SplitGain(o, tb, "outlook")
	near(t, "gain", gain, 0.246, 0.001)
	near(t, "ratio", ratio, 0.156, 0.001)
	tb.Features[0].Missing[5] = true
	gain, ratio = predict.SplitGain(o, tb, "outlook")
	near(t, "gain with a missing value", gain, 0.199, 0.001)
	near(t, "split information", gain/ratio, 1.809, 0.001)
	tb.Features[0].Missing[6] = true // of 14 days, the branches have 5, 2 and 5, and 2 have no value
	gain, ratio = predict.SplitGain(o, tb, "outlook")
	near(t, "split information with two missing", gain/ratio, -2*(5.0/14*math.Log2(5.0/14)+2.0/14*math.Log2(2.0/14)), 1e-9)
}

// TestAverageGain checks that a split needs at least average gain. Of 40 cases, 20 succeed. Feature a separates two
// successes: gain 0.052 bits, ratio 0.18. Feature b halves the cases, with 14 and 6 successes: gain 0.119, ratio 0.119.
// The gain of a is below the average of the two, so b must be chosen.
func TestAverageGain(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"s"}, Items: make([]string, 40), Features: []table.Feature{
		{Name: "a", Levels: []string{"n", "y"}, Value: make([]float64, 40)}, {Name: "b", Levels: []string{"n", "y"}, Value: make([]float64, 40)}}}
	for i := range 40 {
		success := i%20 < 14 == (i < 20)
		v := 0.0
		if success {
			v = 1
		}
		if i < 2 {
			tb.Features[0].Value[i] = 1
		}
		if i < 20 {
			tb.Features[1].Value[i] = 1
		}
		tb.Subject, tb.Item, tb.Value = append(tb.Subject, 0), append(tb.Item, int32(i)), append(tb.Value, v)
	}
	o := predict.DefaultTree("tree", []string{"a", "b"})
	o.Confidence = 1
	if got := predict.Describe(fit(t, o, tb)); !strings.HasPrefix(got, "b(") {
		t.Errorf("tree %s, want b first", got)
	}
}

// TestPessimism checks the limits of the book (Quinlan 1993) at a confidence of 25 %: U(0, 6) = 0.206, U(0, 9) = 0.143,
// U(0, 1) = 0.750, U(1, 16) = 0.160 (exactly; the book interpolates, 0.157). If every row is an error, the limit is 1.
func TestPessimism(t *testing.T) {
	for _, c := range []struct{ e, n, rate float64 }{{0, 6, 0.206}, {0, 9, 0.143}, {0, 1, 0.750}, {1, 16, 0.1596}, {3, 3, 1}} {
		near(t, "upper limit", predict.PessimisticErrors(0.25, c.e, c.n)/c.n, c.rate, 0.001)
	}
}

// TestPruneBook checks the book's example of pruning: of 16 cases, 15 succeed; leaves of 6, 9 and 1 cases expect 3.27
// errors, and one leaf 2.51, so that it replaces them.
func TestPruneBook(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"s"}, Features: []table.Feature{{Name: "x", Levels: []string{"a", "b", "c"}}}}
	for i := range 16 {
		level := 0.0
		if i >= 6 {
			level = 1
		}
		if i == 15 {
			level = 2
		}
		tb.Items, tb.Subject, tb.Item = append(tb.Items, string(rune('a'+i))), append(tb.Subject, 0), append(tb.Item, int32(i))
		tb.Features[0].Value = append(tb.Features[0].Value, level)
		tb.Value = append(tb.Value, 1)
	}
	tb.Value[15] = 0
	o := predict.DefaultTree("tree", []string{"x"})
	o.Sets = false
	if got := predict.Describe(fit(t, o, tb)); got != "15/16" {
		t.Errorf("pruned tree %s, want one leaf", got)
	}
	o.Confidence = 1
	if got := predict.Describe(fit(t, o, tb)); got != "x(0/1 6/6 9/9)" {
		t.Errorf("unpruned tree %s", got)
	}
}

// bruteGain returns the gain of the best threshold, less the penalty for the number of thresholds. It tries every
// threshold by counting rows.
func bruteGain(t *table.Table, f *table.Feature, least float64) (best float64) {
	entropy := func(n, k float64) float64 {
		if k == 0 || k == n {
			return 0
		}
		p := k / n
		return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
	}
	known, success, thresholds := 0.0, 0.0, 0.0
	for i, v := range t.Value {
		if _, ok := f.At(int(t.Item[i])); ok {
			known, success = known+1, success+v
		}
	}
	seen := map[float64]bool{}
	for _, cut := range f.Value {
		n, k := 0.0, 0.0
		for i, v := range t.Value {
			if x, ok := f.At(int(t.Item[i])); ok && x <= cut {
				n, k = n+1, k+v
			}
		}
		if seen[cut] || n < least || known-n < least || n == known {
			continue
		}
		seen[cut] = true
		thresholds++
		gain := entropy(known, success) - n/known*entropy(n, k) - (known-n)/known*entropy(known-n, success-k)
		best = max(best, gain*known/float64(t.Rows()))
	}
	if thresholds == 0 {
		return 0
	}
	return best - math.Log2(thresholds)/float64(t.Rows())
}

func TestThresholdsAgainstBruteForce(t *testing.T) {
	for s := range 300 {
		r := rng.Stream(uint64(s), "tree", "threshold")
		tb := &table.Table{Binary: true, Subjects: []string{"s"}, Items: make([]string, 30)}
		f := table.Feature{Name: "x", Value: make([]float64, 30), Missing: make([]bool, 30)}
		for i := range f.Value {
			f.Value[i], f.Missing[i] = float64(r.IntN(9)), false
		}
		// The last item never occurs, so that its value must not be a threshold.
		f.Value[29] = 100
		for i := range 5 {
			f.Missing[i] = s%2 == 0
		}
		for range 60 {
			j := r.IntN(29)
			tb.Subject, tb.Item = append(tb.Subject, 0), append(tb.Item, int32(j))
			v := 0.0
			if r.Bernoulli(0.1 + 0.08*f.Value[j]) {
				v = 1
			}
			tb.Value = append(tb.Value, v)
		}
		known := 0.0
		for _, j := range tb.Item {
			if !f.Missing[j] {
				known++
			}
		}
		occurs := map[int32]bool{}
		for _, j := range tb.Item {
			occurs[j] = true
		}
		tb.Features = []table.Feature{f}
		brute := f
		brute.Value = append([]float64(nil), f.Value...)
		for j := range brute.Value { // thresholds are values that occur
			if !occurs[int32(j)] || f.Missing[j] {
				brute.Value[j] = math.Inf(1)
			}
		}
		want := bruteGain(tb, &brute, min(max(2, known/20), 25))
		got, _ := predict.SplitGain(predict.DefaultTree("tree", nil), tb, "x")
		if math.Abs(max(got, 0)-max(want, 0)) > 1e-9 {
			t.Fatalf("seed %d: gain %v, want %v", s, got, want)
		}
	}
}

// TestSets checks that the best split into sets of levels has at least the gain ratio of one branch for each level.
func TestSets(t *testing.T) {
	for s := range 200 {
		r := rng.Stream(uint64(s), "tree", "sets")
		levels := 2 + r.IntN(4)
		f := table.Feature{Name: "x", Levels: []string{"a", "b", "c", "d", "e"}[:levels]}
		tb := &table.Table{Binary: true, Subjects: []string{"s"}}
		for i := range 40 {
			f.Value = append(f.Value, float64(i%levels))
			v := 0.0
			if r.Bernoulli(0.2 + 0.15*float64(i%levels)) {
				v = 1
			}
			tb.Items, tb.Subject, tb.Item, tb.Value = append(tb.Items, ""), append(tb.Subject, 0), append(tb.Item, int32(i)), append(tb.Value, v)
		}
		tb.Features = []table.Feature{f}
		o := predict.DefaultTree("tree", nil)
		_, sets := predict.SplitGain(o, tb, "x")
		o.Sets = false
		_, each := predict.SplitGain(o, tb, "x")
		if sets < each-1e-12 {
			t.Fatalf("seed %d: sets %v, one branch a level %v", s, sets, each)
		}
	}
}

// TestTreeMissing checks that a row without a value is divided between the branches, in training and in prediction.
func TestTreeMissing(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"s"}, Items: make([]string, 9), Features: []table.Feature{
		{Name: "x", Levels: []string{"a", "b"}, Value: []float64{0, 0, 0, 0, 1, 1, 1, 1, 0}, Missing: []bool{8: true}}}}
	for i := range 9 {
		tb.Subject, tb.Item, tb.Value = append(tb.Subject, 0), append(tb.Item, int32(i)), append(tb.Value, float64(i/4%2))
	}
	tb.Value[8] = 1
	o := predict.DefaultTree("tree", []string{"x"})
	o.Confidence = 1
	m := fit(t, o, tb)
	if got := predict.Describe(m); sorted(got) != sorted("x(0.5/4.5 4.5/4.5)") {
		t.Errorf("tree %s: the row without x must go half each way", got)
	}
	p := make([]float64, 2)
	m.Predict([]int32{0, 0}, []int32{8, 0}, p)
	prior := 5.0 / 9
	near(t, "no answer", p[0], ((0.5+prior)/5.5+(4.5+prior)/5.5)/2, 1e-12)
	near(t, "answer a", p[1], (0.5+prior)/5.5, 1e-12)
}
