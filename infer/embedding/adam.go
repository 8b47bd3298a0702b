package embedding

import "math"

// An adam is the optimiser of Kingma and Ba (2015), with their defaults β₁ = 0.9, β₂ = 0.999 and ε = 1e-8.
type adam struct {
	m, v   []float64 // running means of the gradient and of its square
	b1, b2 float64   // β₁ᵗ and β₂ᵗ after t steps
}

func newAdam(n int) *adam { return &adam{make([]float64, n), make([]float64, n), 1, 1} }

// step moves the parameters x against the gradient g of the loss. rate is the step size.
func (a *adam) step(x, g []float64, rate float64) {
	const b1, b2, eps = 0.9, 0.999, 1e-8
	a.b1 *= b1
	a.b2 *= b2
	size, root := rate/(1-a.b1), math.Sqrt(1-a.b2)
	for i, d := range g {
		a.m[i] = float64(b1*a.m[i]) + float64((1-b1)*d)
		a.v[i] = float64(b2*a.v[i]) + float64((1-b2)*d*d)
		x[i] -= float64(size * a.m[i] / (math.Sqrt(a.v[i])/root + eps))
	}
}
