package embedding_test

import (
	"math"
	"testing"

	"achilles/infer/embedding"
	"achilles/infer/predict"
)

// TestUnseen checks what converged models predict where only subjects below 15 and items below 12 have responses: for a new
// subject the mean over the subjects with responses; for a new item, if the model has skills, the mean over the items with
// responses that need the same (every third), otherwise over all; for both, the mean over both. A model as published predicts
// from its random starting values, as the released code does.
func TestUnseen(t *testing.T) {
	tb, _ := simulated(11, 20, 18)
	split := predict.By(tb, "", func(i int) (bool, bool) { return tb.Subject[i] < 15 && tb.Item[i] < 12, false })
	for _, p := range every() {
		m := fitted(t, quick(p), tb.Subset(split.Train))
		of := func(subjects, items []int32) float64 {
			var ss, js []int32
			for _, s := range subjects {
				for _, j := range items {
					ss, js = append(ss, s), append(js, j)
				}
			}
			q, sum := make([]float64, len(ss)), 0.0
			m.Predict(ss, js, q)
			for _, v := range q {
				sum += v / float64(len(q))
			}
			return sum
		}
		var subjects, items []int32
		for s := range int32(15) {
			subjects = append(subjects, s)
		}
		step := int32(1)
		if p.Kind == embedding.NeuralCD || p.Kind == embedding.CamillaBase {
			step = 3
		}
		for j := int32(13) % step; j < 12; j += step { // item 13 needs the same skills as item 1
			items = append(items, j)
		}
		for what, c := range map[string][2]float64{
			"new subject": {of([]int32{16}, []int32{5}), of(subjects, []int32{5})}, "new item": {of([]int32{7}, []int32{13}), of([]int32{7}, items)},
			"both": {of([]int32{18}, []int32{13}), of(subjects, items)},
		} {
			if same := math.Abs(c[0]-c[1]) < 1e-12; same == p.Published {
				t.Errorf("%s, %s: %.6f, mean over those with responses %.6f", p.ID, what, c[0], c[1])
			}
		}
	}
}
