package chargrid_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/chargrid"
	"achilles/infer/table"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

func TestAxis(t *testing.T) {
	x := table.Feature{Name: "x", Value: []float64{0, 1, 2, 3, 4, 5, 6, 10, 0}, Missing: []bool{8: true}}
	few := table.Feature{Name: "few", Value: []float64{2, -1, 2}}
	side := table.Feature{Name: "side", Levels: []string{"left", "right"}, Value: []float64{1, 0, 0}, Missing: []bool{false, false, true}}
	for _, c := range []struct {
		name   string
		f      table.Feature
		b      chargrid.Binning
		want   []int32
		labels string
	}{
		{"cuts, right-closed", x, chargrid.Binning{Cuts: []float64{0, 1, 5}}, []int32{-1, 0, 1, 1, 1, 1, -1, -1, -1}, "(0, 1] (1, 5]"},
		{"equal width", x, chargrid.Binning{Bins: 2}, []int32{0, 0, 0, 0, 0, 1, 1, 1, -1}, "0 to 4 5 to 10"},
		{"quantile", x, chargrid.Binning{Bins: 4, Rule: chargrid.Quantile}, []int32{0, 0, 1, 1, 2, 2, 3, 3, -1}, "[0, 1] (1, 3] (3, 5] (5, 10]"},
		{"values asked for", x, chargrid.Binning{Rule: chargrid.Values}, []int32{0, 1, 2, 3, 4, 5, 6, 7, -1}, "0 1 2 3 4 5 6 10"},
		{"few values", few, chargrid.Binning{}, []int32{1, 0, 1}, "-1 2"},
		{"many values", x, chargrid.Binning{}, []int32{0, 0, 1, 1, 2, 2, 3, 4, -1}, "0 to 1 2 to 3 4 to 5 6 to 7 8 to 10"},
		{"whole numbers, even bins", table.Feature{Name: "n", Value: []float64{1, 2, 3, 4, 5, 6, 11, 12, 10000}}, chargrid.Binning{}, []int32{0, 0, 0, 0, 0, 0, 0, 0, 4}, "1 to 2000 2001 to 4000 4001 to 6000 6001 to 8000 8001 to 10000"},
		{"twelve in six", table.Feature{Name: "n", Value: []float64{1, 2, 3, 4, 5, 6, 11, 12}}, chargrid.Binning{}, []int32{0, 0, 0, 1, 1, 1, 3, 3}, "1 to 3 4 to 6 7 to 9 10 to 12"},
		{"a bin each", table.Feature{Name: "n", Value: []float64{1, 2, 3}}, chargrid.Binning{Bins: 9}, []int32{0, 1, 2}, "1 2 3"},
		{"not whole", table.Feature{Name: "x", Value: []float64{0, 0.5, 1}}, chargrid.Binning{Bins: 2}, []int32{0, 0, 1}, "[0, 0.5] (0.5, 1]"},
		{"labels", side, chargrid.Binning{}, []int32{1, 0, -1}, "left right"},
		{"one value, cut", table.Feature{Name: "c", Value: []float64{7, 7}}, chargrid.Binning{Bins: 3}, []int32{0, 0}, "[7, 7]"},
		{"one value, quantiles", table.Feature{Name: "c", Value: []float64{7, 7}}, chargrid.Binning{Bins: 3, Rule: chargrid.Quantile}, []int32{0, 0}, "[7, 7]"},
	} {
		a, err := chargrid.NewAxis(&c.f, c.b)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(a.Labels, " "); got != c.labels || !slices.Equal(a.Bin, c.want) {
			t.Errorf("%s: %q %v, want %q %v", c.name, got, a.Bin, c.labels, c.want)
		}
	}
	for _, c := range []struct {
		name, want string
		f          table.Feature
		b          chargrid.Binning
	}{
		{"one cut", "at least two", x, chargrid.Binning{Cuts: []float64{1}}},
		{"descending", "must ascend", x, chargrid.Binning{Cuts: []float64{1, 0}}},
		{"both", "either cuts", x, chargrid.Binning{Cuts: []float64{0, 1}, Bins: 2}},
		{"rule", "not one of width", x, chargrid.Binning{Rule: "log"}},
		{"bins", "within 1 and 1000", x, chargrid.Binning{Bins: -1}},
		{"labels", "cannot be cut", side, chargrid.Binning{Bins: 2}},
		{"nothing", "no value on any item", table.Feature{Name: "x", Value: []float64{0}, Missing: []bool{true}}, chargrid.Binning{}},
	} {
		if _, err := chargrid.NewAxis(&c.f, c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", c.name, err, c.want)
		}
	}
}

// plane returns the space of two features with these numbers of values. It has one item in each cell, and one more
// without y.
func plane(t *testing.T, nx, ny int) *chargrid.Space {
	t.Helper()
	x, y := table.Feature{Name: "x"}, table.Feature{Name: "y"}
	for i := range nx * ny {
		x.Value, y.Value = append(x.Value, float64(i/ny)), append(y.Value, float64(i%ny))
	}
	x.Value, y.Value = append(x.Value, 0), append(y.Value, 0)
	y.Missing = make([]bool, nx*ny+1)
	y.Missing[nx*ny] = true
	ax, err := chargrid.NewAxis(&x, chargrid.Binning{Rule: chargrid.Values})
	if err != nil {
		t.Fatal(err)
	}
	ay, err := chargrid.NewAxis(&y, chargrid.Binning{Rule: chargrid.Values})
	if err != nil {
		t.Fatal(err)
	}
	s, err := chargrid.NewSpace(len(x.Value), []chargrid.Axis{ax, ay})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCapability checks the capability from three cells: of rate 1 (3 responses), ½ (2 responses), and without
// responses. It is ¾, although 4 of 5 responses succeed.
func TestCapability(t *testing.T) {
	tb := drawn([]string{"111100", "1.1..."}, map[string][]float64{"x": {1, 1, 1, 2, 2, nan}}, "x")
	a, err := chargrid.NewAxis(&tb.Features[0], chargrid.Binning{Cuts: []float64{0, 1, 2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := chargrid.NewSpace(6, []chargrid.Axis{a})
	if err != nil {
		t.Fatal(err)
	}
	b := tb.Bounds()
	g := s.Subject(tb, "A", b[0], b[1])
	if c, ok := g.Capability(); !ok || c != 0.75 || g.Used() != 2 || s.Outside != 1 {
		t.Errorf("capability %v from %d cells, %d items outside; want 0.75, 2, 1", c, g.Used(), s.Outside)
	}
	// Jeffreys' posteriors Beta(3.5, 0.5) and Beta(1.5, 1.5) have variances 3.5·0.5/(16·5) and 1.5²/(9·4).
	same(t, "SE", g.SE(), math.Sqrt(3.5*0.5/80+2.25/36)/2)
	all := s.Pooled("all", chargrid.Pool(tb, nil))
	if all.N[0] != 5 || all.Sum[0] != 5 || all.N[1] != 2 {
		t.Errorf("pooled %v %v", all.N, all.Sum)
	}
	empty := s.Subject(tb, "nobody", 0, 0)
	if _, ok := empty.Capability(); ok || empty.SE() != 0 {
		t.Error("no response, but a capability")
	}
}

func TestSpace(t *testing.T) {
	s := plane(t, 3, 4)
	if s.Cells != 12 || s.Outside != 1 || s.Cell[12] != -1 {
		t.Errorf("%d cells, %d outside", s.Cells, s.Outside)
	}
	for c := range s.Cells {
		if s.Index(s.At(c)) != c || s.Items[c] != 1 {
			t.Errorf("cell %d does not come back", c)
		}
	}
	if got := fmt.Sprint(s.Label(7)); got != "[1 3]" {
		t.Errorf("cell 7 is %s, want [1 3]: the last axis runs fastest", got)
	}
	x := s.Axes[0]
	for _, c := range []struct {
		want string
		axes []chargrid.Axis
	}{
		{"one to three features", nil}, {"one to three features", []chargrid.Axis{x, x, x, x}}, {"twice", []chargrid.Axis{x, x}},
	} {
		if _, err := chargrid.NewSpace(13, c.axes); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want …%s…", err, c.want)
		}
	}
	wide := chargrid.Axis{Feature: "wide", Labels: make([]string, 60_000), Bin: make([]int32, 13)}
	if _, err := chargrid.NewSpace(13, []chargrid.Axis{x, wide}); err == nil {
		t.Error("a space of 180,000 cells")
	}
}

// TestJudge checks P by hand. Without a trial P = ½ by symmetry. After one success it is ½ + 1/π, after one failure ½ −
// 1/π (the tail of Beta(1½, ½) at ½), so that the gain of the first trial is 1/π².
func TestJudge(t *testing.T) {
	q := chargrid.DefaultCriterion()
	j := q.Judge(0, 0)
	same(t, "P", j.P, 0.5)
	same(t, "gain", j.Gain, 1/(math.Pi*math.Pi))
	same(t, "after a success", q.Judge(1, 1).P, 0.5+1/math.Pi)
	for _, c := range []struct {
		k, n float64
		want chargrid.Decision
	}{
		{0, 0, chargrid.Untested}, {1, 1, chargrid.Undecided}, {2, 2, chargrid.Undecided}, {3, 3, chargrid.Competent}, {0, 3, chargrid.Incompetent},
		{5, 10, chargrid.Undecided}, {15, 20, chargrid.Competent}, {12, 20, chargrid.Undecided},
	} {
		if got := q.Judge(c.k, c.n).Verdict; got != c.want {
			t.Errorf("%v of %v: %s, want %s", c.k, c.n, got, c.want)
		}
	}
}

// TestGain checks the closed form of Gain against its definition: by how much one more trial lowers P(1 − P) on average.
func TestGain(t *testing.T) {
	q := chargrid.Criterion{Threshold: 0.7, Confidence: 0.9}
	for n := range 12 {
		for k := range n + 1 {
			a, b := float64(k)+0.5, float64(n-k)+0.5
			v := func(k, n int) float64 { p := q.Judge(float64(k), float64(n)).P; return p * (1 - p) }
			now, then := v(k, n), (a*v(k+1, n+1)+b*v(k, n+1))/(a+b)
			if got := q.Judge(float64(k), float64(n)).Gain; math.Abs(got-(now-then)) > 1e-12 || got < 0 {
				t.Errorf("%d of %d: gain %v, want %v", k, n, got, now-then)
			}
		}
	}
}

// TestRegions checks the regions of a picture: + is competent, − incompetent, ? undecided, . untested.
func TestRegions(t *testing.T) {
	picture := []string{
		"++-",
		"+?-",
		".?+"}
	s := plane(t, 3, 3)
	g := &chargrid.Grid{N: make([]float64, 9), Sum: make([]float64, 9)}
	for c := range 9 {
		switch picture[c/3][c%3] {
		case '+':
			g.N[c], g.Sum[c] = 8, 8
		case '-':
			g.N[c] = 8
		case '?':
			g.N[c], g.Sum[c] = 2, 1
		}
	}
	js := chargrid.DefaultCriterion().JudgeAll(g)
	var got []string
	for _, r := range s.Regions(g, js) {
		got = append(got, fmt.Sprint(r.Verdict, r.Cells, r.N))
	}
	want := []string{"competent[0 1 3] 24", "undecided[4 6 7] 4", "incompetent[2 5] 16", "competent[8] 8"}
	if !slices.Equal(got, want) {
		t.Errorf("regions %q, want %q", got, want)
	}
	next := s.Next(js)
	if len(next) != 3 || next[0].Cell != 6 || next[1].Cell != 4 || next[2].Cell != 7 || next[0].Items != 1 {
		t.Errorf("next %+v: the untested cell first, then the undecided ones in order", next)
	}
}

// TestUnorderedNeighbours checks that all levels of a nominal feature are neighbours.
func TestUnorderedNeighbours(t *testing.T) {
	f := table.Feature{Name: "side", Levels: []string{"a", "b", "c"}, Value: []float64{0, 1, 2}}
	a, err := chargrid.NewAxis(&f, chargrid.Binning{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := chargrid.NewSpace(3, []chargrid.Axis{a})
	if err != nil {
		t.Fatal(err)
	}
	g := &chargrid.Grid{N: []float64{9, 9, 9}, Sum: []float64{9, 0, 9}}
	rs := s.Regions(g, chargrid.DefaultCriterion().JudgeAll(g))
	if len(rs) != 2 || !slices.Equal(rs[0].Cells, []int{0, 2}) {
		t.Errorf("regions %+v: a and c belong together", rs)
	}
}

// TestRobust checks three cells: x=1 with 2/2 left and 1/2 right, x=2 with 1/1 on both sides, and x=3 without a response
// right.
func TestRobust(t *testing.T) {
	tb := drawn([]string{"11101001", ".......1"}, map[string][]float64{
		"x": {1, 1, 1, 1, 2, 2, 3, nan}, "side": {0, 0, 1, 1, 0, 1, 0, 1}}, "x", "side")
	tb.Value[5] = 1 // now 1/1 left and 1/1 right at x=2
	ax, _ := chargrid.NewAxis(&tb.Features[0], chargrid.Binning{})
	as, _ := chargrid.NewAxis(&tb.Features[1], chargrid.Binning{})
	s, err := chargrid.NewSpace(8, []chargrid.Axis{ax})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Robust(&as, "all", chargrid.Pool(tb, nil), 400, 1)
	same(t, "spread", r.Spread, (0.5+0)/2)
	same(t, "robustness", r.Value, 0.75)
	if r.Cells != 2 {
		t.Errorf("%d cells compared, want 2", r.Cells)
	}
	// If 1 1 1 0 are dealt to two pairs, one pair always has the 0, so that the spread of cell x=1 is ½ in every deal.
	same(t, "expected", r.Expected, 0.25)
	same(t, "P", r.P, 1)
	constant, _ := chargrid.NewAxis(&table.Feature{Name: "c", Value: make([]float64, 8)}, chargrid.Binning{})
	if r := s.Robust(&constant, "all", chargrid.Pool(tb, nil), 10, 1); !math.IsNaN(r.Value) || r.Reason == "" {
		t.Errorf("a constant has no two values: %+v", r)
	}
}

// TestExpectedSpread compares the expected spread with that of all ways to deal 1 1 0 0 0 to bins of 1, 2 and 2 items.
// The tolerance is 5 standard errors of 20,000 deals.
func TestExpectedSpread(t *testing.T) {
	bins := []float64{0, 1, 1, 2, 2}
	sum, square, n := 0.0, 0.0, 0.0
	for i := range 5 {
		for j := range i {
			rate := [3]float64{}
			for _, k := range []int{i, j} {
				rate[int(bins[k])] += 1 / []float64{1, 2, 2}[int(bins[k])]
			}
			d := max(rate[0], rate[1], rate[2]) - min(rate[0], rate[1], rate[2])
			sum, square, n = sum+d, square+d*d, n+1
		}
	}
	mean := sum / n
	tb := drawn([]string{"11000"}, map[string][]float64{"x": {1, 1, 1, 1, 1}, "side": bins}, "x", "side")
	ax, _ := chargrid.NewAxis(&tb.Features[0], chargrid.Binning{})
	as, _ := chargrid.NewAxis(&tb.Features[1], chargrid.Binning{})
	s, err := chargrid.NewSpace(5, []chargrid.Axis{ax})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Robust(&as, "all", chargrid.Pool(tb, nil), 20_000, 1)
	if tol := 5 * math.Sqrt((square/n-mean*mean)/20_000); math.Abs(r.Expected-mean) > tol {
		t.Errorf("expected spread %.4f, want %.4f ± %.4f", r.Expected, mean, tol)
	}
}

// TestRobustFalseAlarms checks that P ≤ 0.1 in a tenth of the tables if success does not depend on the irrelevant
// feature. The tolerance z·√(0.1·0.9/n) with z = 4.9 has false-alarm rate 1e-6.
func TestRobustFalseAlarms(t *testing.T) {
	root, n := uint64(1), 300
	if longtest.On() {
		n = 3000
	}
	alarms := 0.0
	for k := range n {
		r := rng.Stream(root, "robust", fmt.Sprint(k))
		items, lines := 40, make([]string, 3)
		x, side := make([]float64, items), make([]float64, items)
		for i := range x {
			x[i], side[i] = float64(i%4), float64(r.IntN(3))
		}
		for s := range lines {
			for i := range x {
				lines[s] += string('0' + byte(b2i(r.Bernoulli(0.2+0.15*x[i]))))
			}
		}
		tb := drawn(lines, map[string][]float64{"x": x, "side": side}, "x", "side")
		ax, _ := chargrid.NewAxis(&tb.Features[0], chargrid.Binning{})
		as, _ := chargrid.NewAxis(&tb.Features[1], chargrid.Binning{})
		s, _ := chargrid.NewSpace(items, []chargrid.Axis{ax})
		if s.Robust(&as, "all", chargrid.Pool(tb, nil), 99, uint64(k)).P <= 0.1 {
			alarms++
		}
	}
	if got, tol := alarms/float64(n), 4.9*math.Sqrt(0.09/float64(n)); math.Abs(got-0.1) > tol {
		t.Errorf("P ≤ 0.1 in %.3f of the tables, want 0.1 ± %.3f", got, tol)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestCurve(t *testing.T) {
	tb := drawn([]string{"1100", "1.00"}, map[string][]float64{"x": {1, 2, 3, nan}}, "x")
	a, err := chargrid.NewAxis(&tb.Features[0], chargrid.Binning{Cuts: []float64{0, 2, 4, 6}})
	if err != nil {
		t.Fatal(err)
	}
	c := chargrid.NewCurve(tb, &tb.Features[0], &a, chargrid.All(), 0.95)
	if len(c.Values) != 3 || c.Values[1].N != 1 || c.Values[1].Mean != 1 || c.Values[2].Mean != 0 {
		t.Errorf("values %+v", c.Values)
	}
	// (0, 2] has responses at 1, 1, 2: the mean value is 4/3, and all succeed. The bin (4, 6] is empty and left out.
	if len(c.Binned) != 2 || c.Binned[0].Label != "(0, 2]" || c.Binned[0].Mean != 1 || math.Abs(c.Binned[0].Value-4.0/3) > 1e-12 {
		t.Errorf("bins %+v", c.Binned)
	}
	if p := c.Binned[0]; p.High != 1 || math.Abs(p.Low-0.34238) > 1e-5 { // both subjects always: Wilson for 2 of 2
		t.Errorf("interval %+v", p.Interval)
	}
}
