package layout_test

import (
	"math"
	"testing"

	"achilles/infer/infertest"
	"achilles/sim/seed"
)

func TestGradientOfOp(t *testing.T) {
	items, subjects := opBattery(t)
	d := bind(t, shipped(t, "op"), items, success)
	t.Log("rows", d.Rows())
	tg := target(t, d, subjects[10])
	r := seed.Stream(1, "gradient")
	q := make([]float64, tg.Dim())
	worst := 0.0
	for range 1000 {
		for i := range q {
			q[i] = 2 * r.Norm()
		}
		e, _ := infertest.GradientError(tg, q)
		worst = math.Max(worst, e)
	}
	t.Log(worst)
}
