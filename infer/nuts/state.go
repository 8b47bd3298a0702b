package nuts

import "achilles/sim/num"

// A state is a point of phase space. Momentum p and force are in the coordinates of the metric, in which the momentum is
// standard normal. Position q and gradient are in the coordinates of the target. x is the position in the coordinates of the
// metric, around the centre; only trajectories that turn around a centre use it.
type state struct {
	q, grad  []float64
	p, force []float64
	x        []float64
	logp     float64
	tilt     float64 // log weight of the state besides its density, of steps that were divided
	uneven   bool    // the step here cannot be taken back
	excess   float64 // energy after the same step without division, above that after it
}

func newState(dim int) state {
	return state{q: make([]float64, dim), grad: make([]float64, dim), p: make([]float64, dim), force: make([]float64, dim), x: make([]float64, dim)}
}

func (z *state) set(from *state) {
	copy(z.q, from.q)
	copy(z.grad, from.grad)
	copy(z.p, from.p)
	copy(z.force, from.force)
	copy(z.x, from.x)
	z.logp, z.tilt, z.uneven, z.excess = from.logp, from.tilt, from.uneven, from.excess
}

// energy returns the Hamiltonian, without the constant of the normal momentum.
func (z *state) energy() float64 { return 0.5*num.Dot(z.p, z.p) - z.logp }

// dotSum returns a·(b + c).
func dotSum(a, b, c []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += float64(x * (b[i] + c[i]))
	}
	return s
}
