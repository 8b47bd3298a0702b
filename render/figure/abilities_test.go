package figure_test

import (
	"maps"
	"math"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/render/figure"
)

// TestMainSkills checks which skill colours an item: the one with the largest weight, and of equal weights the one that the
// fewest items need, in whichever order the rows come. An item without skills has none.
func TestMainSkills(t *testing.T) {
	d := &analysis.Document{}
	for _, r := range []analysis.MaskRow{{Item: "1", Skill: "sex", Weight: 1}, {Item: "1", Skill: "port", Weight: 1}, {Item: "2", Skill: "sex", Weight: 1}, {Item: "3", Skill: "port", Weight: 0.2},
		{Item: "3", Skill: "sex", Weight: 0.8}, {Item: "4", Skill: "port", Weight: 1}, {Item: "4", Skill: "sex", Weight: 1}, {Item: "5", Skill: "sex"}} {
		r.Model = "m"
		d.Tables.Masks = append(d.Tables.Masks, r, analysis.MaskRow{Model: "other", Item: r.Item, Skill: "other", Weight: 2})
	}
	if got, want := figure.MainSkills(d, "m"), map[string]string{"1": "port", "2": "sex", "3": "sex", "4": "port"}; !maps.Equal(got, want) {
		t.Errorf("skills %v, want %v", got, want)
	}
}

// TestNotDrawn checks that a caption counts the items of the model whose difficulty is unknown or too large to draw.
func TestNotDrawn(t *testing.T) {
	d := &analysis.Document{}
	for i, want := range []string{"", " One item, which has no difficulty within ±6, is not drawn.", " 2 items without a difficulty within ±6 are not drawn."} {
		if got := figure.NotDrawn(d, "m"); got != want {
			t.Errorf("caption %q, want %q", got, want)
		}
		d.Tables.Parameters = append(d.Tables.Parameters, analysis.ParameterRow{Model: "m", Difficulty: []float64{-22, math.NaN(), 9}[i]}, analysis.ParameterRow{Model: "m", Difficulty: 5}, analysis.ParameterRow{Model: "other", Difficulty: 9})
	}
}

// TestCompared checks that every chosen subject has a mark in every row, and that a subject without items of a skill has none there.
func TestCompared(t *testing.T) {
	d := &analysis.Document{}
	d.Tables.Compared = []analysis.ComparedRow{{Subject: "forest", Class: "all", SuccessRate: 0.8}, {Subject: "forest", Class: "red", SuccessRate: math.NaN()}, {Subject: "tree", Class: "all", SuccessRate: 0.6}, {Subject: "tree", Class: "red", SuccessRate: 0.7}}
	e, err := (&figure.Material{Analysis: d}).Find("compared")
	if err != nil {
		t.Fatal(err)
	}
	svg := string(e.Make().SVG(e.Title))
	for _, want := range []string{">forest<", ">tree<", ">all<", ">red<", ">success rate<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the figure lacks %s", want)
		}
	}
}
