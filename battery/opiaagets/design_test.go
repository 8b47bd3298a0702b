package opiaagets_test

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/opiaagets"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGoldenBatteries checks that the digests of the items of the fixed batteries, and of one designed battery, have not
// changed. It does not need the data folder.
func TestGoldenBatteries(t *testing.T) {
	design, err := opiaagets.Design(t.Context(), battery.Request{Items: 200, Root: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := "released " + batterytest.Digest(t, opiaagets.Released()) +
		"\ncorrected " + batterytest.Digest(t, opiaagets.Corrected()) +
		"\ndesign-200-1 " + batterytest.Digest(t, design) + "\n"
	if *update {
		if err := os.WriteFile("testdata/digest.golden", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/digest.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("digests of the items are\n%swant\n%s(-update rewrites them; say in the commit what changed and why)", got, want)
	}
}

// TestReleasedIsConfounded checks that the released battery has the confounds that a designed battery must not have.
func TestReleasedIsConfounded(t *testing.T) {
	b := opiaagets.Released()
	c, err := b.Correlate("occluder", "requiresOP")
	if err != nil || math.Abs(c.R[0][1]-1) > 1e-12 {
		t.Errorf("correlation of occluder and requiresOP is %v, want 1 (%v)", c.R[0][1], err)
	}
	for i := range b.Items.Len() {
		if op := written(b, i, "requiresOP") == "1"; op != (written(b, i, "timeUnderOcclusion") != "0") || op != (written(b, i, "numPositions") != "0") {
			t.Errorf("%s: time or positions do not go with requiresOP", b.Items.Name(i))
		}
	}
	op, err := b.Where(`requiresOP == 1`)
	if err != nil {
		t.Fatal(err)
	}
	c, _ = op.Correlate("goalDistance", "timeUnderOcclusion")
	if r := c.R[0][1]; math.Abs(r-0.83) > 0.005 {
		t.Errorf("distance and time correlate %.3f over the OP items, want 0.83", r)
	}
}

// TestDesignIsNotConfounded checks for several seeds that no two factors of the balanced design correlate.
func TestDesignIsNotConfounded(t *testing.T) {
	var names []string
	for _, f := range opiaagets.Factors() {
		names = append(names, f.Name)
	}
	for root := range uint64(5) {
		b, err := opiaagets.Design(t.Context(), battery.Request{Items: 600, Root: root})
		if err != nil {
			t.Fatal(err)
		}
		c, err := b.Correlate(names...)
		if err != nil {
			t.Fatal(err)
		}
		x, y, r := c.Largest()
		if math.Abs(r) > 0.01 {
			t.Errorf("root %d: %s and %s correlate %.4f", root, x, y, r)
		}
		if root == 0 {
			t.Logf("largest correlation of two factors over 600 items: %s and %s, %.5f", x, y, r)
		}
		balanced(t, b, names)
	}
}

// balanced checks that the levels of every factor differ in count by one at most.
func balanced(t *testing.T, b battery.Battery, factors []string) {
	t.Helper()
	for _, f := range factors {
		count := map[string]int{}
		lo, hi := b.Items.Len(), 0
		for i := range b.Items.Len() {
			count[written(b, i, f)]++
		}
		for _, n := range count {
			lo, hi = min(lo, n), max(hi, n)
		}
		if hi-lo > 1 {
			t.Errorf("levels of %s stand %d to %d times", f, lo, hi)
		}
	}
}

func TestDesignCrossed(t *testing.T) {
	one := func(name string, x ...float64) battery.Factor { return battery.Factor{Name: name, Number: x} }
	levels := []battery.Factor{
		{Name: "family", Text: []string{"cup"}}, {Name: "occluderColour", Text: []string{"Grey"}},
		one("goalSize", 1, 5), one("goalDistance", 8, 20, 56), one("timeUnderOcclusion", 0, 4), one("occluder", 0, 1),
		one("numPositions", 3), one("rightLeft", 0), one("lava", 0), one("ramp", 0), one("platform", 0),
		one("transparent", 0), one("bounce", 0), one("forcedChoice", 0),
	}
	b, err := opiaagets.Design(t.Context(), battery.Request{Levels: levels, Items: 0, Root: 1})
	if err != nil {
		t.Fatal(err)
	}
	if b.Items.Len() != 2*3*2*2 {
		t.Fatalf("%d items, want 24", b.Items.Len())
	}
	seen := map[string]bool{}
	for i := range b.Items.Len() {
		key := written(b, i, "goalSize") + " " + written(b, i, "goalDistance") + " " + written(b, i, "timeUnderOcclusion") + " " + written(b, i, "occluder")
		seen[key] = true
		hidden := written(b, i, "timeUnderOcclusion") == "4"
		if op := hidden && written(b, i, "occluder") == "1"; op != (written(b, i, "requiresOP") == "1") {
			t.Errorf("%s: requiresOP is not (hidden behind an occluder)", key)
		}
		if dark := hidden && written(b, i, "occluder") == "0"; dark != (written(b, i, "lightsOut") == "1") {
			t.Errorf("%s: lightsOut is not (hidden without an occluder)", key)
		}
	}
	if len(seen) != 24 {
		t.Errorf("%d distinct points, want 24", len(seen))
	}
}

// TestDesignWeighsLevels checks that a level that is listed three times is used three times as often as one that is listed
// once, and that still no two factors correlate.
func TestDesignWeighsLevels(t *testing.T) {
	b, err := opiaagets.Design(t.Context(), battery.Request{Levels: []battery.Factor{
		{Name: "lava", Number: []float64{0, 0, 0, 1}}, {Name: "goalDistance", Number: []float64{0, 0, 0, 0, 20, 40}},
	}, Items: 600, Root: 1})

	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for i := range b.Items.Len() {
		count["lava "+written(b, i, "lava")]++
		count["distance "+written(b, i, "goalDistance")]++
	}
	for level, want := range map[string]int{"lava 0": 450, "lava 1": 150, "distance 0": 400, "distance 20": 100, "distance 40": 100} {
		if count[level] != want {
			t.Errorf("%s stands %d times, want %d", level, count[level], want)
		}
	}
	if c, err := b.Correlate("lava", "goalDistance"); err != nil || math.Abs(c.R[0][1]) > 0.01 {
		t.Errorf("lava and distance correlate %v (%v)", c.R[0][1], err)
	}
}

func TestDesignRefuses(t *testing.T) {
	for _, c := range []struct {
		why    string
		factor battery.Factor
		items  int
		says   string
	}{
		{"unknown factor", battery.Factor{Name: "goalsize", Number: []float64{1}}, 10, "did you mean goalSize"},
		{"derived feature", battery.Factor{Name: "requiresOP", Number: []float64{1}}, 10, "not a factor"},
		{"outside the range", battery.Factor{Name: "goalSize", Number: []float64{9}}, 10, "outside 0.5 to 5"},
		{"text for a number", battery.Factor{Name: "goalSize", Text: []string{"big"}}, 10, "needs levels such as"},
		{"unknown text", battery.Factor{Name: "family", Text: []string{"basic"}}, 10, `level "basic" is unknown`},
		{"half a flag", battery.Factor{Name: "lava", Number: []float64{0.5}}, 10, "not a whole number"},
		{"no level", battery.Factor{Name: "lava"}, 10, "needs levels"},
		{"full crossing of the defaults", battery.Factor{Name: "lava", Number: []float64{1}}, 0, "more than 200000 items"},
	} {
		_, err := opiaagets.Design(t.Context(), battery.Request{Levels: []battery.Factor{c.factor}, Items: c.items, Root: 1})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.says)
		}
	}
}
