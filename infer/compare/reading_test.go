package compare_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/sim/rng"
)

// TestReadingByHand checks the reading of three draws of the rival lava by hand. In the first draw, lava lowers the success
// probability to a tenth: a weakness. In the second, lava hardly lowers it: capable. In the third, it is about 0.3 on all
// items: nonspecific.
func TestReadingByHand(t *testing.T) {
	it := items(8)
	b := bank(t, it)
	f := fit(t, b, responses(it, 1, 4), "reading")[1]
	f.Draws = [][]float64{{0.9, 0.1}, {0.9, 0.95}, {0.3, 0.9}}
	v := f.Read(b.Bank)
	for name, want := range map[string]float64{"achilles-heel": 1.0 / 3, "capable": 1.0 / 3, "nonspecific": 1.0 / 3} {
		if got := v.Families()[name]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s %v; want %v", name, got, want)
		}
	}
	if got := v.Knows(nil); got != nil {
		t.Errorf("knows %v; lava says nothing of it", got)
	}
	if got := v.Noise(); math.Abs(got[2]-0.7) > 1e-12 {
		t.Errorf("noise %v", got)
	}
	w := v.Weaknesses()
	if len(w) != 2 || w[0].Name != "lava" || math.Abs(w[0].Probability-1.0/3) > 1e-12 || w[1].Name != "nonspecific" {
		t.Errorf("weaknesses %+v", w)
	}
	if !strings.HasPrefix(w[0].Statement, "passes 0.4") {
		t.Errorf("statement %q; want the mean of 0.09, 0.855 and 0.27", w[0].Statement)
	}
	rng, x := rng.Stream(1, "x"), make([]float64, 3)
	if !v.Reported(layout.Parameter{Name: "op"}, &rng, x) || x[0] != 7 {
		t.Errorf("op %v", x)
	}
	if !v.Reported(layout.Parameter{Name: "lava"}, &rng, x) || x[1] != 0.95 {
		t.Errorf("lava %v", x)
	}
	if v.Reported(layout.Parameter{Name: "visual"}, &rng, x) {
		t.Error("the rival says something of visual")
	}
}

// TestJoinedWeaknesses checks that weaknesses with the key join make one weakness, named after all of them except those with a
// low probability.
func TestJoinedWeaknesses(t *testing.T) {
	join := strings.Replace(heel("lava"), "name = \"lava\"\nsay", "name = \"lava\"\njoin = true\nif = \"cope < 0.5\"\nsay", 1) + `
[[classification.weakness]]
name = "grid"
join = true
if = "strong > 0.5"
[[classification.weakness]]
name = "nowhere"
join = true
if = "cope < 0.05"
`
	b, err := compare.Parse(compare.Source{Text: compare.Text{File: "toy.toml", Text: bankText}, Rivals: []compare.Text{{File: "c", Text: constant}, {File: "l", Text: join}, {File: "r", Text: heel("ramp")}}})
	if err != nil {
		t.Fatal(err)
	}
	it := items(8)
	bound, err := b.Bind(it, measures)
	if err != nil {
		t.Fatal(err)
	}
	f := fit(t, bound, responses(it, 1, 4), "joined")[1]
	f.Draws = [][]float64{{0.9, 0.1}, {0.9, 0.2}, {0.9, 0.01}, {0.4, 0.1}, {0.9, 0.2}}
	w := f.Read(b).Weaknesses()
	if len(w) != 1 || w[0].Name != "grid and lava" || math.Abs(w[0].Probability-0.8) > 1e-12 {
		t.Errorf("weaknesses %+v; want grid and lava in four draws of five", w)
	}
}
