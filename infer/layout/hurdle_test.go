package layout_test

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// randomItems returns n items with every metafeature of a layout, each in its declared range and often 0.
func randomItems(l *layout.Layout, seed uint64, n int) *record.Items {
	s := rng.Stream(seed, "items", l.Name)
	var cols []record.Column
	seen := map[string]bool{}
	for _, m := range l.Metafeatures {
		if seen[m.Column] {
			continue
		}
		seen[m.Column] = true
		c := record.Column{Feature: record.Feature{Name: m.Column, Kind: record.Number, Role: record.Demand}}
		if m.Levels != nil {
			c.Kind = record.Text
		}
		for range n {
			switch x := math.Round(m.Range[0] + s.Float64()*(m.Range[1]-m.Range[0])); {
			case m.Levels != nil:
				c.Text = append(c.Text, m.Levels[s.IntN(len(m.Levels))])
			case m.Range[0] <= 0 && s.IntN(2) == 0:
				c.Number = append(c.Number, 0)
			default:
				c.Number = append(c.Number, min(max(x, m.Range[0]), m.Range[1]))
			}
		}
		cols = append(cols, c)
	}
	if cols == nil {
		cols = append(cols, numberColumn("none", make([]float64, n)))
	}
	return newItems(cols...)
}

// TestHurdlesMultiplyToP compares the product of the hurdles of every shipped layout with the probability that the layout predicts.
func TestHurdlesMultiplyToP(t *testing.T) {
	files, err := os.ReadDir("../../scenarios/layouts")
	if err != nil {
		t.Fatal(err)
	}
	products, rest := 0, ""
	for _, f := range files {
		l := shipped(t, strings.TrimSuffix(f.Name(), ".toml"))
		if l.Joint() || len(l.Responses) != 1 || l.Responses[0].Family != layout.Bernoulli {
			continue
		}
		items := randomItems(l, 1, 30)
		measures := []record.Measure{{Name: l.Responses[0].Measure, Family: record.Binary}}
		d := bind(t, l, items, measures)
		h, err := d.Hurdles(measures[0].Name)
		var not *layout.NotProduct
		if errors.As(err, &not) {
			rest += l.Name + ": " + not.Why + "\n"
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		products++
		data, err := d.NewData(answers([]float64{1, 0, 0}))
		if err != nil {
			t.Fatal(err)
		}
		c, err := h.Clearing(data)
		if err != nil {
			t.Fatal(err)
		}
		s, target := rng.Stream(1, "theta", l.Name), d.NewTarget(data)
		z, q, p := make([]float64, d.Len()), make([]float64, d.Len()), make([]float64, d.Rows())
		for range 20 {
			for i := range z {
				z[i] = 3 * (2*s.Float64() - 1)
			}
			target.FromOdds(z, q)
			theta := make([]float64, d.Len())
			target.Constrain(q, theta)
			target.Predict(theta, p)
			for k, of := range c.Chances(theta) {
				for r, x := range of {
					if x < 0 || x > 1 || !h.List[k].Asked[r] && math.Abs(x-1) > 1e-12 {
						t.Errorf("%s: hurdle %s is cleared with probability %v where asked is %v", l.Name, h.List[k].Name, x, h.List[k].Asked[r])
					}
				}
			}
			for r := range p {
				if math.Abs(c.P(r)-p[r]) > 1e-12 {
					t.Fatalf("%s: the hurdles of %s multiply to %v, and p is %v", l.Name, items.ID[r], c.P(r), p[r])
				}
			}
		}
	}
	if products < 10 {
		t.Errorf("%d shipped layouts are products; the rest:\n%s", products, rest)
	}
}

// TestHurdlesByHand names the hurdles of a small layout, and says why another is not a product.
func TestHurdlesByHand(t *testing.T) {
	const head = `
name = "small"
[metafeature]
dark = { column = "dark", range = [0, 1] }
far = { column = "far", range = [0, 9] }
[capability]
sight = { prior = "beta(1, 1)" }
legs = { prior = "uniform(0, 9)" }
[robustness]
noise = { prior = "beta(1, 9)" }
[performance]
walksP = "logistic(legs - far)"
bothP = "present(sight, dark) * walksP"
[response.success]
`
	items := newItems(numberColumn("dark", []float64{0, 1}), numberColumn("far", []float64{3, 4}))
	of := func(p string) (*layout.Design, *layout.Hurdles, error) {
		l, err := layout.Parse("small.toml", head+"p = \""+p+"\"")
		if err != nil {
			t.Fatal(err)
		}
		d := bind(t, l, items, success)
		h, err := d.Hurdles("success")
		return d, h, err
	}
	d, h, err := of("mix(noise, bothP, 0.5)")
	if err != nil {
		t.Fatal(err)
	}
	if len(h.List) != 2 || h.List[0].Name != "sight" || h.List[1].Name != "walks" || !h.Lapses() || h.List[0].Asked[0] || !h.List[0].Asked[1] {
		t.Errorf("hurdles %+v", h.List)
	}
	data, err := d.NewData(nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := h.Clearing(data)
	if err != nil {
		t.Fatal(err)
	}
	got := c.Chances([]float64{0.8, 4, 0.1})
	floor, ceiling := c.Chance(1)
	for _, x := range [][2]float64{{got[0][0], 1}, {got[0][1], 0.8}, {got[1][0], 1 / (1 + math.Exp(-1))}, {got[1][1], 0.5}, {floor, 0.05}, {ceiling, 0.95}, {c.P(1), 0.9*0.4 + 0.05}} {
		if math.Abs(x[0]-x[1]) > 1e-12 {
			t.Errorf("%v instead of %v", x[0], x[1])
		}
	}
	for _, sum := range []string{"(sight + walksP)/2 + 0*noise*bothP", "mix(noise, min(sight, bothP), 0.5)"} {
		var not *layout.NotProduct
		if _, _, err := of(sum); !errors.As(err, &not) {
			t.Errorf("%s is a product: %v", sum, err)
		}
	}
	// What solves has another rate than what guesses: the floor is that of who fails.
	if _, h, err := of("mix(bothP*noise, 0.2, 1)"); err != nil || h.Lapses() || h.List[1].Name != "walks" || len(h.List) != 3 {
		t.Errorf("%+v, %v", h, err)
	}
}
