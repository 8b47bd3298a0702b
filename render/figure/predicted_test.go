package figure_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/render/figure"
	"achilles/sim/table"
)

// A cell is a row of a table of predictions.
type predictedCell struct {
	subject, cover string
	x, expected    float64
	judgement      string
	n              int
}

func predictions(cells []predictedCell) *table.Table {
	text := func(name string, of func(c predictedCell) string) table.Field[predictedCell] {
		return table.Col(table.Column{Name: name, Kind: table.Text}, func(c predictedCell) table.Value { return table.String(of(c)) })
	}
	number := func(name string, of func(c predictedCell) float64) table.Field[predictedCell] {
		return table.Col(table.Column{Name: name}, func(c predictedCell) table.Value { return table.Float(of(c)) })
	}
	return table.Of(table.Table{Name: "unseen"}, cells, []table.Field[predictedCell]{
		text("subject", func(c predictedCell) string { return c.subject }),
		text("cover", func(c predictedCell) string { return c.cover }),
		number("x", func(c predictedCell) float64 { return c.x }),
		number("expected", func(c predictedCell) float64 { return c.expected }),
		number("low", func(c predictedCell) float64 { return c.expected - 0.1 }),
		number("high", func(c predictedCell) float64 { return c.expected + 0.1 }),
		text("judgement", func(c predictedCell) string { return c.judgement }),
		table.Col(table.Column{Name: "responses", Kind: table.Count}, func(c predictedCell) table.Value { return table.Int(c.n) }),
	})
}

// TestPredicted checks what the cells of a figure say: where the subject responded, how often, elsewhere the interval.
func TestPredicted(t *testing.T) {
	x := predictions([]predictedCell{{"a", "cup", 1, 0.9, infer.Safe, 7}, {"a", "cup", 2, 0.5, infer.Undecided, 0}, {"a", "grid", 1, 0.2, infer.Unsafe, 0}})
	f, err := figure.Predicted(x, []string{"cover", "x"}, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	svg := string(f.SVG("A title"))
	for _, want := range []string{"90%+", "n=7", "50%?", "40–60", "20%−", "10–30", "cup", "grid", "at least 0.8"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the figure has no %q", want)
		}
	}
	if f, err = figure.Predicted(x, []string{"x"}, 0.8); err != nil || !strings.Contains(string(f.SVG("")), "safe from 0.8") {
		t.Errorf("a curve without its threshold, %v", err)
	}
}

// TestPredictedDoubles checks that the axis of a demand that doubles from value to value, and of no other, is one of doublings.
func TestPredictedDoubles(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want string // a tick that the other axis has not
	}{
		{[]float64{1, 4, 16, 64, 256}, ">64<"}, {[]float64{0.5, 8, 64}, ">0.5<"},
		{[]float64{1, 20, 40, 60, 80, 100}, ">40<"}, {[]float64{0, 4, 16, 64, 256}, ">100<"}, {[]float64{4, 8, 16}, ">6<"},
	} {
		var cells []predictedCell
		for _, x := range c.xs {
			cells = append(cells, predictedCell{subject: "s", cover: "cup", x: x, expected: 0.5})
		}
		f, err := figure.Predicted(predictions(cells), []string{"x"}, 0.8)
		if err != nil || !strings.Contains(string(f.SVG("")), c.want) {
			t.Errorf("at %v: no tick %s (%v)", c.xs, c.want, err)
		}
	}
}

// TestPredictedRefuses checks the limits of a figure of predictions.
func TestPredictedRefuses(t *testing.T) {
	var subjects, values []predictedCell
	for i := range 41 {
		subjects = append(subjects, predictedCell{subject: fmt.Sprint("s", i), cover: "cup", expected: 0.5})
		values = append(values, predictedCell{subject: "s", cover: "cup", x: float64(i), expected: 0.5})
	}
	for _, c := range []struct {
		table   *table.Table
		columns []string
		want    string
	}{
		{predictions(subjects), []string{"cover"}, `at most 40 subjects, not 41: choose with --where, such as 'subject == "s0"'`},
		{predictions(values), []string{"cover", "x"}, "x has 41 values"},
		{predictions([]predictedCell{{expected: 3}}), []string{"x"}, "an expected response is 3"},
		{predictions(nil), []string{"a", "b", "c", "d"}, "not 4: fix the others with --at"},
	} {
		if _, err := figure.Predicted(c.table, c.columns, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
