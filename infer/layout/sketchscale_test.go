package layout_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// TestSketchDoublings checks that times over many doublings are taken by their logarithms, with the steepness of an only demand, and that a
// demand that says the same of all items is left out; and that neither happens where it should not.
func TestSketchDoublings(t *testing.T) {
	minutes := columnBy("human_minutes", record.Demand, func(i int) float64 { return math.Pow(2, float64(i)/4-1) })
	cost := columnBy("cost", record.Demand, func(i int) float64 { return 3 * math.Pow(2, float64(i)/4-1) })
	minutes.Missing = make([]bool, 30)
	minutes.Missing[7] = true
	w := sketched(t, sketchData(record.Binary, coin, nil, minutes, cost), layout.Sketch{})
	has(t, w, "steepness*(abilityHumanMinutes - log(humanMinutes)/log(2))", `unit = "log2 human_minutes"`, `range = [0.5, 76.10925536017415], missing = 0.5`, "normal(2.62, 4.35)")
	if w.Demands != 1 || !strings.Contains(strings.Join(w.Reasons, "\n"), "column cost goes with human_minutes (correlation 1.000 over items)") {
		t.Errorf("%d demands: %s", w.Demands, strings.Join(w.Reasons, "\n"))
	}
	if w := sketched(t, sketchData(record.Binary, coin, nil, minutes, cost), layout.Sketch{Demands: []string{"human_minutes", "cost"}}); w.Demands != 2 { // who names both gets both
		t.Errorf("%d demands of 2 that were named", w.Demands)
	}
	age := columnBy("age", record.Covariate, func(i int) float64 { return float64(36 + i) })
	age.Number = age.Number[:12]
	has(t, sketched(t, sketchData(record.Binary, coin, []record.Column{age}, minutes), layout.Sketch{}), "0.69*(abilityHumanMinutes - log(humanMinutes)/log(2))")
	for name, f := range map[string]func(i int) float64{
		"even":   func(i int) float64 { return 1 + float64(100*i) },
		"zero":   func(i int) float64 { return math.Pow(2, float64(i)/3) - 1 },
		"narrow": func(i int) float64 { return 1 + 10*math.Pow(float64(i)/29, 6) },
		"almost": func(i int) float64 { return math.Pow(2, 5.2*float64(i)/29) + float64(i)/2 }, // its skewness is below 1
	} {
		w := sketched(t, sketchData(record.Binary, coin, nil, columnBy(name, record.Demand, f)), layout.Sketch{})
		if strings.Contains(w.Layout.Text, "/log(2)") {
			t.Errorf("%s: a logarithm in\n%s", name, w.Layout.Text)
		}
	}
	near := columnBy("near", record.Demand, func(i int) float64 { return float64(i%7) + float64(i%2) })
	if w := sketched(t, sketchData(record.Binary, coin, nil, columnBy("delay", record.Demand, func(i int) float64 { return float64(i % 7) }), near), layout.Sketch{}); w.Demands != 2 {
		t.Errorf("%d demands of 2 that differ: %s", w.Demands, strings.Join(w.Reasons, "\n"))
	}
}

// TestSketchComplements checks that two kinds of items have an ability each, where either asks for its own alone, and that a scale beside its reverse is one.
func TestSketchComplements(t *testing.T) {
	words := columnBy("words", record.Demand, func(i int) float64 { return float64(i % 2) })
	numbers := columnBy("numbers", record.Demand, func(i int) float64 { return float64(1 - i%2) })
	if w := sketched(t, sketchData(record.Binary, coin, nil, words, numbers), layout.Sketch{}); w.Demands != 2 {
		t.Errorf("%d demands of 2: %s", w.Demands, strings.Join(w.Reasons, "\n"))
	}
	far := columnBy("far", record.Demand, func(i int) float64 { return float64(1 + i%5) })
	near := columnBy("near", record.Demand, func(i int) float64 { return float64(5 - i%5) })
	if w := sketched(t, sketchData(record.Binary, coin, nil, far, near), layout.Sketch{}); w.Demands != 1 {
		t.Errorf("%d demands of 1: %s", w.Demands, strings.Join(w.Reasons, "\n"))
	}
}
