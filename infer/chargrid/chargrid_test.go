package chargrid_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/chargrid"
	"achilles/infer/table"
	"achilles/sim/rng"
)

var nan = math.NaN()

// drawn makes a table from one line for each subject, with 1, 0 or . (no response) for each item, and from numeric
// features (NaN: missing).
func drawn(lines []string, features map[string][]float64, order ...string) *table.Table {
	t := &table.Table{Binary: true, Items: make([]string, len(lines[0]))}
	for s, line := range lines {
		t.Subjects = append(t.Subjects, string(rune('A'+s)))
		for i, c := range line {
			if c != '.' {
				t.Subject, t.Item, t.Value = append(t.Subject, int32(s)), append(t.Item, int32(i)), append(t.Value, float64(c-'0'))
			}
		}
	}
	for _, name := range order {
		f := table.Feature{Name: name, Value: make([]float64, len(t.Items)), Missing: make([]bool, len(t.Items))}
		for i, v := range features[name] {
			if f.Missing[i] = math.IsNaN(v); !f.Missing[i] {
				f.Value[i] = v
			}
		}
		t.Features = append(t.Features, f)
	}
	return t
}

func same(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

func correlate(t *testing.T, tb *table.Table, replicates int) []chargrid.Correlation {
	t.Helper()
	b := chargrid.DefaultBootstrap(1)
	b.Replicates = replicates
	cs, err := chargrid.Correlate(context.Background(), tb, chargrid.All(), b)
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

// TestByHand checks all statistics. At the values 1, 2, 4 of x the means are 1, ½, 0, each of two responses.
//
// x̄ = 7/3, ȳ = ½: Sxx = 2(16 + 1 + 25)/9 = 28/3, Sxy = 2·1 + 1·2 + 0 − 6·(7/3)/2 = 4 − 7 = −3, Syy = 3 − 1.5 = 1.5
// r = −3/√(28/3 · 3/2) = −3/√14; slope −3/(28/3) = −9/28, intercept ½ + 9/28 · 7/3 = 5/4
// ranks of x: 1.5, 3.5, 5.5, of y: 2 (three failures), 5 (three successes); ρ = Σ(rx−3.5)(ry−3.5)/√(16 · 13.5)
//
//	= (−2·1.5·2 + 0 + 2·(−1.5)·2)/√216 = −12/√216
func TestByHand(t *testing.T) {
	tb := drawn([]string{"110", "100"}, map[string][]float64{"x": {1, 2, 4}}, "x")
	c := correlate(t, tb, 10)[0]
	same(t, "Pearson", c.Pearson.Value, -3/math.Sqrt(14))
	same(t, "Spearman", c.Spearman.Value, -12/math.Sqrt(216))
	same(t, "conformance", c.Conformance.Value, 1)
	same(t, "slope", c.Line.Slope.Value, -9.0/28)
	same(t, "intercept", c.Line.Intercept.Value, 5.0/4)
	if c.Responses != 6 || c.Levels != 3 || c.Reason != "" {
		t.Errorf("%v responses at %d values, reason %q", c.Responses, c.Levels, c.Reason)
	}
	z, se := math.Atanh(-3/math.Sqrt(14)), math.Sqrt(1.0/3)
	same(t, "Fisher's lower end", c.Pearson.Fisher.Low, math.Tanh(z-1.9599639845400545*se))
}

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		x     []float64
		want  float64
		why   string
	}{
		{"falls", []string{"1100", "1000"}, []float64{1, 2, 3, 3}, 1, "1, ½, 0: success falls from every value to the next"},
		{"rises", []string{"0011", "0001"}, []float64{1, 2, 3, 4}, -0.9486832980505138, "0, 0, ½, 1: a tie keeps it from −1"},
		{"scale free", []string{"110"}, []float64{-1, 1e9, 2}, 0, "values −1, 2, 1e9 have means 1, 0, 1: ranks count, not distances"},
		{"one value", []string{"10"}, []float64{3, 3}, nan, "no order"},
		{"all succeed", []string{"11"}, []float64{1, 2}, nan, "no difference"},
		{"missing", []string{"10011"}, []float64{1, 2, nan, nan, nan}, 1, "items without the feature do not count"},
		{"unanswered", []string{"10.", "10."}, []float64{1, 2, 0}, 1, "a value without a response does not count"},
	} {
		tb := drawn(c.lines, map[string][]float64{"x": c.x}, "x")
		got := correlate(t, tb, 1)[0].Conformance.Value
		if math.IsNaN(got) != math.IsNaN(c.want) || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v: %s", c.name, got, c.want, c.why)
		}
	}
}

// random returns a table with repeated, missing and fractional responses.
func random(r *rng.Rand, binary bool) *table.Table {
	t := &table.Table{Binary: binary, Subjects: make([]string, 6), Items: make([]string, 12)}
	for s := range t.Subjects {
		for range 1 + r.IntN(20) {
			v := r.Float64()
			if binary {
				v = math.Round(v)
			} else {
				v = math.Round(8*v) / 8 // some ties
			}
			t.Subject, t.Item, t.Value = append(t.Subject, int32(s)), append(t.Item, int32(r.IntN(12))), append(t.Value, v)
		}
	}
	for _, name := range []string{"x", "y", "z"} {
		f := table.Feature{Name: name, Value: make([]float64, 12), Missing: make([]bool, 12)}
		for i := range f.Value {
			if f.Missing[i] = name != "z" && r.Bernoulli(0.2); !f.Missing[i] {
				f.Value[i] = float64(r.IntN(6))
			}
		}
		t.Features = append(t.Features, f)
	}
	return t
}

// long returns the columns of the rows that have values of some features: the responses, and then these features.
func long(t *table.Table, of ...int) (columns [][]float64) {
	columns = make([][]float64, 1+len(of))
rows:
	for i := range t.Value {
		row := []float64{t.Value[i]}
		for _, k := range of {
			v, ok := t.Features[k].At(int(t.Item[i]))
			if !ok {
				continue rows
			}
			row = append(row, v)
		}
		for k, v := range row {
			columns[k] = append(columns[k], v)
		}
	}
	return columns
}

func TestAgainstRowsWrittenOut(t *testing.T) {
	for s := range 200 {
		r := rng.Stream(uint64(s), "chargrid", "rows")
		tb := random(&r, s%2 == 0)
		cs, m := correlate(t, tb, 1), chargrid.NewMatrix(tb, chargrid.All())
		for k, c := range cs {
			col := long(tb, k)
			same(t, "Pearson", c.Pearson.Value, chargrid.Pearson(col[0], col[1], nil))
			same(t, "Spearman", c.Spearman.Value, chargrid.Spearman(col[0], col[1], nil))
			same(t, "in the matrix", m.Spearman[0][k+1], c.Spearman.Value)
			for j := range k {
				col := long(tb, j, k)
				same(t, "features, Pearson", m.Pearson[j+1][k+1], chargrid.Pearson(col[1], col[2], nil))
				same(t, "features, Spearman", m.Spearman[k+1][j+1], chargrid.Spearman(col[1], col[2], nil))
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", s)
		}
	}
}

// TestRanks checks ties, weights, and the textbook case without ties, ρ = 1 − 6Σd²/n(n²−1).
func TestRanks(t *testing.T) {
	same(t, "textbook", chargrid.Spearman([]float64{1, 2, 3, 4}, []float64{2, 1, 4, 3}, nil), 1-6.0*4/(4*15))
	got := chargrid.Ranks([]float64{5, 5, 1}, []float64{1, 1, 2}) // 1 1 5 5: ranks 1.5, 1.5, 3.5, 3.5, minus their mean 2.5
	for i, want := range []float64{1, 1, -1} {
		same(t, "rank", got[i], want)
	}
	same(t, "constant", chargrid.Pearson([]float64{1, 1}, []float64{1, 2}, nil), nan)
	same(t, "empty", chargrid.Pearson(nil, nil, nil), nan)
}

// TestLaws checks that results do not depend on the order of subjects and items or on a constant feature, and that ranks
// do not depend on a monotone transformation of a feature.
func TestLaws(t *testing.T) {
	for s := range 100 {
		r := rng.Stream(uint64(s), "chargrid", "laws")
		tb := random(&r, true)
		want := correlate(t, tb, 0)
		shuffled := shuffle(tb, &r)
		shuffled.Features = append(shuffled.Features, table.Feature{Name: "constant", Value: make([]float64, 12)})
		for i, f := range shuffled.Features[:3] {
			for j, v := range f.Value {
				shuffled.Features[i].Value[j] = math.Exp(v)
			}
		}
		got := correlate(t, shuffled, 0)
		for k := range want {
			same(t, "Spearman", got[k].Spearman.Value, want[k].Spearman.Value)
			same(t, "conformance", got[k].Conformance.Value, want[k].Conformance.Value)
		}
		if c := got[3]; !math.IsNaN(c.Pearson.Value) || !math.IsNaN(c.Conformance.Value) || c.Reason != "the feature has one value" {
			t.Errorf("constant feature: %+v", c)
		}
		if t.Failed() {
			t.Fatalf("seed %d", s)
		}
	}
}

// shuffle returns the table with subjects and items in another order.
func shuffle(t *table.Table, r *rng.Rand) *table.Table {
	sp, ip := r.Perm(len(t.Subjects)), r.Perm(len(t.Items))
	out := &table.Table{Binary: t.Binary, Subjects: t.Subjects, Items: t.Items}
	for to := range sp {
		for i, s := range t.Subject {
			if sp[s] == to {
				out.Subject, out.Item, out.Value = append(out.Subject, int32(to)), append(out.Item, int32(ip[t.Item[i]])), append(out.Value, t.Value[i])
			}
		}
	}
	for _, f := range t.Features {
		g := table.Feature{Name: f.Name, Levels: f.Levels, Value: make([]float64, len(f.Value)), Missing: make([]bool, len(f.Value))}
		for i, j := range ip {
			g.Value[j] = f.Value[i]
			g.Missing[j] = f.Missing != nil && f.Missing[i]
		}
		out.Features = append(out.Features, g)
	}
	return out
}

func TestDegenerateTables(t *testing.T) {
	x := map[string][]float64{"x": {1, 2}}
	one := correlate(t, drawn([]string{"10"}, x, "x"), 10)[0]
	if !math.IsNaN(one.Spearman.Cluster.Low) || one.Conformance.Value != 1 {
		t.Errorf("one subject has conformance but no interval over subjects: %+v", one)
	}
	if !math.IsNaN(one.Pearson.Fisher.Low) {
		t.Error("Fisher's z needs more than three responses")
	}
	if c := correlate(t, drawn([]string{"11", "11"}, x, "x"), 10)[0]; c.Reason != "every response has the same value" {
		t.Errorf("all succeed: %+v", c)
	}
	if c := correlate(t, drawn([]string{"..", ".."}, x, "x"), 10)[0]; c.Reason != "no response to an item that has the feature" || !math.IsNaN(c.Pearson.Value) {
		t.Errorf("empty: %+v", c)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := chargrid.Correlate(ctx, drawn([]string{"10", "01"}, x, "x"), chargrid.All(), chargrid.DefaultBootstrap(1)); err == nil {
		t.Error("a cancelled context is no error")
	}
}
