package layout_test

import (
	"testing"
)

func BenchmarkGradient(b *testing.B) {
	items, subjects := opBattery(b)
	d := bind(b, shipped(b, "op"), items, success)
	tg := target(b, d, subjects[10])
	q, grad := make([]float64, tg.Dim()), make([]float64, tg.Dim())
	for i := range q {
		q[i] = 0.3 * float64(i-4)
	}
	b.Log(d.Rows(), len(tg.Data().Points()), tg.LogDensity(q, grad), grad)
	b.Run("plan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tg.LogDensity(q, grad)
		}
	})
	u := make([]float64, tg.Dim())
	for i := range u {
		u[i] = 0.1 * float64(i+1)
	}
	b.Run("cube", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tg.LogLikelihood(u)
		}
	})
}
