package chargrid_test

import (
	"math"
	"testing"

	"achilles/infer/chargrid"
	"achilles/infer/table"
	"achilles/sim/rng"
)

// oneSubject returns a table of one subject, with an item for each value of the feature x.
func oneSubject(x, success []float64) *table.Table {
	t := &table.Table{Measure: "success", Binary: true, Subjects: []string{"a"}, Features: []table.Feature{{Name: "x", Value: x}}}
	for i, v := range success {
		t.Items = append(t.Items, string(rune('a'+i)))
		t.Subject, t.Item, t.Value = append(t.Subject, 0), append(t.Item, int32(i)), append(t.Value, v)
	}
	return t
}

// TestFallingByHand: success on the two easier of four items is one of the six ways to pass two of four, and the one with the largest
// conformance.
func TestFallingByHand(t *testing.T) {
	const deals = 4000
	x := oneSubject([]float64{1, 2, 3, 4}, []float64{1, 1, 0, 0})
	f := chargrid.Falling(x, "a", chargrid.Pool(x, nil), deals, 1)[0]
	if want := 2 / math.Sqrt(5); math.Abs(f.Conformance-want) > 1e-12 { // ranks 1 2 3 4 against 3.5 3.5 1.5 1.5: 4/√(5·4)
		t.Errorf("conformance %v, want %v", f.Conformance, want)
	}
	if p := 1.0 / 6; math.Abs(f.P-p) > 4*math.Sqrt(p*(1-p)/deals) {
		t.Errorf("P %v, want 1/6", f.P)
	}
	if f := chargrid.Falling(x, "a", chargrid.Pool(x, nil), 0, 1)[0]; !math.IsNaN(f.P) {
		t.Errorf("P %v without deals", f.P)
	}
	same := oneSubject([]float64{1, 2}, []float64{1, 1})
	if f := chargrid.Falling(same, "a", chargrid.Pool(same, nil), 9, 1)[0]; !math.IsNaN(f.Conformance) || !math.IsNaN(f.P) {
		t.Errorf("%+v of a flat curve", f)
	}
}

// TestFallingByChance: where success has nothing to do with the feature, P is at most 0.1 for at most a tenth of the subjects (false alarms: 1 in
// 1000).
func TestFallingByChance(t *testing.T) {
	const subjects = 400
	r := rng.Stream(1, "falling by chance")
	alarms := 0
	for range subjects {
		var x, y []float64
		for range 12 {
			x, y = append(x, float64(r.IntN(6))), append(y, float64(r.IntN(2)))
		}
		s := oneSubject(x, y)
		if chargrid.Falling(s, "a", chargrid.Pool(s, nil), 199, r.Uint64())[0].P <= 0.1 {
			alarms++
		}
	}
	if alarms > 40+int(3.1*math.Sqrt(subjects*0.09)) || alarms < 20 {
		t.Errorf("%d of %d have a P of at most 0.1", alarms, subjects)
	}
}
