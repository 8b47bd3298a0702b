package analysis_test

import (
	"math"
	"slices"
	"testing"

	"achilles/sim/record"
)

// TestShiftsOfTheSameResponses analyses four demands of which two order the items alike: their shifts have the same results under two
// names, without a second fit, and that by all has a short name.
func TestShiftsOfTheSameResponses(t *testing.T) {
	d := simulated(12, 40)
	size := d.Items.Columns[0]
	for _, x := range []struct {
		name string
		of   func(i int, v float64) float64
	}{{"twice", func(_ int, v float64) float64 { return 2 * v }}, {"less", func(_ int, v float64) float64 { return -v }}, {"third", func(i int, _ float64) float64 { return float64(7 * i % 40) }}} {
		c := record.Column{Feature: record.Feature{Name: x.name, Kind: record.Number, Role: record.Demand}}
		for i, v := range size.Number {
			c.Number = append(c.Number, x.of(i, v))
		}
		d.Items.Columns = append(d.Items.Columns, c)
	}
	c, fits := quick(), 0
	c.Progress = func(done, total int, last string) { fits++ }
	a := run(t, d, c)
	var names []string
	for _, s := range a.Shifts {
		names = append(names, s.Name)
		if m := s.Models[0]; len(m.Splits) != 1 || m.Splits[0] != s.Name {
			t.Errorf("shift %s: splits %q", s.Name, m.Splits)
		}
	}
	if want := []string{"size", "twice", "less", "third", "all 4"}; !slices.Equal(names, want) {
		t.Fatalf("shifts %q, want %q", names, want)
	}
	if want := len(c.Prediction.Models) * (c.Prediction.Splits + 4); fits != want {
		t.Errorf("%d fits, want %d: those of one of two equal shifts are not made again", fits, want)
	}
	for i, m := range a.Shifts[0].Models {
		if a.Shifts[1].Models[i].Summary[0] != m.Summary[0] {
			t.Errorf("%s: equal shifts differ", m.Model)
		}
	}
}

// TestThorough checks that the longer fits are others than the default ones, and that both predict better than the subjects' rates.
func TestThorough(t *testing.T) {
	d, c := simulated(20, 60), quick()
	c.Prediction.Models = []string{"subject", "logistic", "boost", "rasch", "factor", "stack"}
	short := run(t, d, c)
	c.Prediction.Thorough = true
	long := run(t, d, c)
	for i, m := range short.Prediction {
		const mse = 2
		s, l := m.Summary[mse].Mean, long.Prediction[i].Summary[mse].Mean
		if m.Model == "subject" {
			continue
		}
		if base := short.Prediction[0].Summary[mse].Mean; s == l || s >= base || l >= base || math.Abs(s-l) > 0.02 {
			t.Errorf("%s: MSE %.4f and, thorough, %.4f; the subjects' rates %.4f", m.Model, s, l, base)
		}
	}
}
