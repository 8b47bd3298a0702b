package score_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/predict"
	"achilles/scenarios/score"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// analysedByHand returns an analysis of drawnByHand's data. True abilities are 1, 0, −1; true difficulties 2, 0 and, added here, 4.
//
//	irt   abilities 10, 20, 60: the line through (60, −1), (20, 0), (10, 1) has slope −9/350 (means 30 and 0; Σxy −50·1… below)
//	mf    abilities 3, 2, 1 = 2 + truth: exact after the alignment, intervals ± 0.5 hold all
func analysedByHand(public string) *score.Analysed {
	d := &analysis.Document{}
	t := &d.Tables
	for _, m := range []string{"irt", "mf"} {
		t.Agreement = append(t.Agreement, analysis.AgreementRow{Model: m})
	}
	for i, x := range []float64{10, 20, 60} {
		id := []string{"s1", "s2", "s3"}[i]
		t.Abilities = append(t.Abilities,
			analysis.AbilityRow{Model: "irt", Subject: id, Ability: predict.Ability{Value: x, Low: math.NaN(), High: math.NaN()}},
			analysis.AbilityRow{Model: "mf", Subject: id, Ability: predict.Ability{Value: float64(3 - i), Low: 2.5 - float64(i), High: 3.5 - float64(i)}})
	}
	for i, id := range []string{"i1", "i2", "i3"} {
		t.Parameters = append(t.Parameters, analysis.ParameterRow{Model: "irt", Item: id, Difficulty: []float64{1, 0, 5}[i], Discrimination: 1})
	}
	return &score.Analysed{Document: d, Public: public, Digest: "ee55"}
}

// TestModelsByHand grades the models of analysedByHand. Centred, irt's abilities are −20, −10, 30 and the truths 1, 0, −1: Σxy = −50, Σxx =
// 1400, Σyy = 2, so that the squares that remain are 2 − 2500/1400 in all.
func TestModelsByHand(t *testing.T) {
	in := drawnByHand()
	in.Public.Items.ID = []string{"i1", "i2", "i3"}
	in.Sealed.Parameters["difficulty"] = map[string]float64{"i1": 2, "i2": 0, "i3": 4}
	in.Analysis = analysedByHand(in.Manifest)
	s, err := score.Models(in)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Models) != 3 {
		t.Fatalf("%d rows: %+v", len(s.Models), s.Models)
	}
	irt, difficulty, mf := s.Models[0], s.Models[1], s.Models[2]
	if irt.Estimate != "ability" || irt.Truth != "ability" || irt.N != 3 || !same(irt.RMSE, math.Sqrt((2-2500./1400)/3)) || !same(*irt.Spearman, -1) || irt.Coverage != nil || !same(*irt.Spread, 1) {
		t.Errorf("irt: %+v", irt)
	}
	// difficulties 1, 0, 5 against 2, 0, 4: centred −1, −2, 3 and 0, −2, 2: Σxy 10, Σxx 14, Σyy 8
	if difficulty.Estimate != "difficulty" || !same(difficulty.RMSE, math.Sqrt((8-100./14)/3)) || !same(*difficulty.Pearson, 10/math.Sqrt(14*8)) {
		t.Errorf("difficulty: %+v", difficulty)
	}
	if mf.RMSE > 1e-12 || mf.Coverage == nil || mf.Coverage.Covered != 3 || mf.Alignment != "affine" {
		t.Errorf("mf: %+v", mf)
	}
	if s.Analysis != "ee55" || !strings.Contains(strings.Join(s.Notes, "\n"), "does not have the layout's text") {
		t.Errorf("analysis %q, notes %q", s.Analysis, s.Notes)
	}
	in.Analysis.Public = "another"
	if _, err := score.Models(in); err == nil {
		t.Error("an analysis of other data is graded")
	}
}

// TestSlopes has log odds 2θ − 1, −θ and 0 of subjects whose θ are −1, 0, 1: their mean is θ/3 less a constant, whose SD is that of θ over
// 3, √(2/3)/3; the slopes are 2, −1 and 0 times √(2/3), and an item that somebody passes for certain has none.
func TestSlopes(t *testing.T) {
	var rates [][]float64
	for _, θ := range []float64{-1, 0, 1} {
		rates = append(rates, []float64{num.Logistic(2*θ - 1), num.Logistic(-θ), 0.5, min(1, 0.6+θ)})
	}
	got, sd := score.Slopes(rates, []string{"a", "b", "c", "d"}), math.Sqrt(2./3)
	if len(got) != 3 || !same(got["a"], 2*sd) || !same(got["b"], -sd) || !same(got["c"], 0) {
		t.Errorf("slopes %v", got)
	}
}

// TestProcrustean checks that shift, rotation, reflection, scale and dimensions of zeros change nothing, and a case by hand: x is the
// corners of a square, y the same with one dimension half as long. σ are 4 and 2, ‖X‖² 8, ‖Y‖² 5: correlation 6/√40, rest 5 − 36/8.
func TestProcrustean(t *testing.T) {
	square := [][]float64{{1, 1, -1, -1}, {1, -1, 1, -1}}
	half := [][]float64{{1, 1, -1, -1}, {0.5, -0.5, 0.5, -0.5}}
	if c, rmse, spread := score.Procrustean(square, half); !same(c, 6/math.Sqrt(40)) || !same(rmse, math.Sqrt(0.5/8)) || !same(spread, math.Sqrt(5./8)) {
		t.Errorf("correlation %v, rmse %v, spread %v", c, rmse, spread)
	}
	for root := range uint64(20) {
		r := rng.Stream(root, "points")
		y := [][]float64{make([]float64, 9), make([]float64, 9)}
		for i := range 9 {
			y[0][i], y[1][i] = r.Norm(), r.Norm()
		}
		turn, x := 3*r.Norm(), [][]float64{make([]float64, 9), make([]float64, 9), make([]float64, 9)}
		for i := range 9 {
			x[0][i] = 7 - 3*(math.Cos(turn)*y[0][i]+math.Sin(turn)*y[1][i])
			x[2][i] = 3 * (math.Cos(turn)*y[1][i] - math.Sin(turn)*y[0][i])
		}
		if c, rmse, _ := score.Procrustean(x, y); math.Abs(c-1) > 1e-9 || rmse > 1e-6 {
			t.Errorf("root %d: correlation %v, rmse %v", root, c, rmse)
		}
		x[1] = y[0] // a dimension that says something else
		if c, rmse, _ := score.Procrustean(x, y); c > 1-1e-4 || rmse < 1e-3 {
			t.Errorf("root %d: with another dimension correlation %v, rmse %v", root, c, rmse)
		}
	}
}

// TestMatch checks a matching by hand, in which what is best for the first row is not best for both, and against all permutations.
func TestMatch(t *testing.T) {
	if got := score.Match([][]float64{{2, 5}, {1, 0}}, [][]float64{{3, 0}, {2, 0}}); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("matched %v", got)
	}
	if got := score.Match([][]float64{{2, 3}, {2, 0}, {0, 0}}, [][]float64{{3, 0}, {0, 1}}); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("matched %v", got)
	}
}
