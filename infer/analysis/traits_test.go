package analysis_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/embedding"
	"achilles/infer/predict"
)

// TestTraits checks that models with traits give abilities that agree with success, and parameters, masks and skills,
// and that the files have all of these.
func TestTraits(t *testing.T) {
	d, c := simulated(20, 40), quick()
	for j, x := range d.Items.Columns[0].Number {
		d.Items.Columns[0].Number[j] = math.Round(x)
	}
	c.Prediction.Models = []string{"subject", "subject_skills", "irt", "camilla_base", "camilla_published"}
	c.Prediction.Skills, c.Prediction.Stability, c.Prediction.Splits = []string{"size"}, 4, 1
	c.Prediction.Published = []analysis.PublishedScore{{Model: "irt", Score: "auc", Value: 0.9}}
	a := run(t, d, c)
	doc := a.Document()
	count := map[string]int{}
	for _, r := range doc.Tables.Abilities {
		count[r.Model+" "+r.Skill]++
	}
	if count["irt "] != 20 || count["camilla_base size"] != 20 || count["subject "] != 0 || len(doc.Tables.Parameters) != 120 || len(doc.Tables.Masks) != 40+5*40 {
		t.Errorf("abilities %v, %d parameters, %d masks", count, len(doc.Tables.Parameters), len(doc.Tables.Masks))
	}
	for _, r := range doc.Tables.Agreement {
		if r.Model == "irt" && !(r.Spearman > 0.95 && r.Kendall > 0.8 && r.Kendall < r.Spearman && r.Stability > 0.3 && r.Stability < 1 && r.StabilitySD > 0) {
			t.Errorf("agreement %+v", r)
		}
	}
	if r, ok := doc.Agreement["irt"]; !ok || !(*r.Spearman > 0.95 && *r.Kendall > 0.8 && *r.Stability < 1 && *r.StabilitySD > 0 && *r.Negative < 0.5) {
		t.Errorf("analysis.json has the agreement %+v of irt", r)
	}
	if _, ok := doc.Agreement["subject"]; ok {
		t.Error("analysis.json has an agreement of a model without abilities")
	}
	var sizes []int // an order by one ability is the same by all items
	for i, r := range doc.Tables.Consistency {
		if r.Model != "irt" {
			continue
		}
		sizes = append(sizes, r.Items)
		if len(sizes) == 1 && r.Kendall != *doc.Agreement["irt"].Stability || len(sizes) > 1 && r.Kendall >= doc.Tables.Consistency[i-1].Kendall {
			t.Errorf("tau-b %.3f between sets of %d items", r.Kendall, r.Items)
		}
		if !(r.Low <= r.Kendall && r.Kendall <= r.High && r.OneFit == 1) || r.Repeats != 4 {
			t.Errorf("%+v", r)
		}
	}
	if !slices.Equal(sizes, []int{20, 10, 5}) {
		t.Errorf("orders are compared by %v items", sizes)
	}
	for _, r := range doc.Tables.Scores {
		if got, want := r.Published == 0.9, r.Model == "irt" && r.Score == "auc"; got != want {
			t.Errorf("published: %+v", r)
		}
	}
	f := written(t, a)
	for _, name := range []string{"abilities.csv", "parameters.csv", "masks.csv", "agreement.csv", "consistency.csv"} {
		if len(f[name]) == 0 {
			t.Errorf("there is no %s", name)
		}
	}
}

// TestKendall checks tau-b by hand: of three pairs, one is tied in x, one is concordant and one is discordant. The
// tau-b of a constant is NaN.
func TestKendall(t *testing.T) {
	if got, want := analysis.Kendall([]float64{1, 1, 2}, []float64{1, 2, 1.5}), 0.0; got != want {
		t.Errorf("tau-b %v, want %v", got, want)
	}
	if got, want := analysis.Kendall([]float64{1, 1, 2}, []float64{1, 2, 3}), 2/math.Sqrt(6); math.Abs(got-want) > 1e-12 {
		t.Errorf("tau-b %v, want %v", got, want)
	}
	if got := analysis.Kendall([]float64{1, 1}, []float64{1, 2}); !math.IsNaN(got) {
		t.Errorf("tau-b of a constant is %v", got)
	}
}

// TestLoss checks that the configured loss reaches the converged models and changes their predictions.
func TestLoss(t *testing.T) {
	mae := map[embedding.Loss]float64{}
	for _, loss := range []embedding.Loss{embedding.CrossEntropy, embedding.Squared, embedding.Absolute} {
		c := analysis.Default()
		c.Replicates, c.Permutations = 10, 10
		c.Prediction.Models, c.Prediction.Splits, c.Prediction.Loss = []string{"irt"}, 1, loss
		mae[loss] = run(t, simulated(12, 20), c).Prediction[0].Grades[0].Mean[predict.MAE]
	}
	if mae["absolute"] >= mae["cross_entropy"] || mae["squared"] == mae["cross_entropy"] {
		t.Errorf("mean absolute errors %v", mae)
	}
}

// TestShortForms checks that configured short forms give results, and that there is no file of them if none are configured.
func TestShortForms(t *testing.T) {
	c := quick()
	c.Prediction.ShortForms, c.Prediction.Splits = []int{3}, 1
	d := run(t, simulated(20, 30), c).Document()
	if n := len(d.Tables.ShortForms); n != 2*5+1 || d.Tables.ShortForms[0].Model != "short_form" || d.Tables.ShortForms[0].Subjects != 20 {
		t.Errorf("%d results: %+v", n, d.Tables.ShortForms)
	}
	if f := written(t, run(t, simulated(20, 30), quick())); f["short_forms.csv"] != nil {
		t.Error("results that were not asked for")
	}
}

// TestNewUnits checks that models are graded on new subjects, on new items and on both, in the tables and in analysis.json, and
// that every model predicts there what it can know: the means of items say nothing about new items, and those of subjects
// nothing about new subjects. Features tell of both.
func TestNewUnits(t *testing.T) {
	d, c := simulated(20, 40), quick()
	c.Prediction.Models = []string{"subject", "item", "logistic"}
	c.Prediction.Splits, c.Prediction.New = 2, []predict.Unit{predict.Person, predict.Item, predict.Both}
	a := run(t, d, c)
	doc := a.Document()
	auc := map[string]float64{}
	for _, x := range doc.NewScores() {
		for i := range x.Rows {
			if x.Value(i, "score").Text() == "auc" {
				auc[strings.ToLower(x.Title)+" "+x.Value(i, "model").Text()], _ = x.Value(i, "mean").Number()
			}
		}
	}
	for name, informed := range map[string]bool{"new subjects subject": false, "new subjects item": true, "new items subject": true, "new items item": false,
		"new subjects, new items subject": false, "new subjects, new items item": false, "new subjects, new items logistic": true} {
		if v, ok := auc[name]; !ok || informed != (v > 0.55) || !informed && v != 0.5 {
			t.Errorf("%s: AUC %v", name, v)
		}
	}
	for unit, models := range doc.New {
		if len(models) != 3 || models["logistic"].Splits != 2 || !(*models["logistic"].MSE < *models["subject"].MSE) {
			t.Errorf("analysis.json, %s: %+v", unit, models)
		}
	}
	if rows := doc.Table("new").Rows; len(rows) != 3*3*6 || len(encoded(t, doc)["new.csv"]) == 0 {
		t.Errorf("table new has %d rows", len(rows))
	}
	if len(doc.New) != 3 {
		t.Errorf("analysis.json has %d of 3 units", len(doc.New))
	}
}
