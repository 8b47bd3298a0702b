package predict

import (
	"context"
	"math"
	"slices"

	"achilles/infer/table"
	"achilles/sim/num"
)

// A logitFit maximises the penalised likelihood of a logitModel by Newton's method. The Hessian has one block for every
// subject, and every block is coupled only to the shared coefficients. The fit therefore eliminates the blocks first
// (Schur complement).
type logitFit struct {
	logitModel
	t           *table.Table
	bounds      []int
	main, slope float64
}

func newLogit(t *table.Table, d *design, main, slope float64) *logitFit {
	w := d.width
	if math.IsInf(slope, 1) {
		w = 1
	}
	return &logitFit{logitModel{d: d, shared: make([]float64, d.width), own: make([]float64, w*len(t.Subjects)), width: w}, t, t.Bounds(), main, slope}
}

// startAt begins at the coefficients of another fit, whose subjects may have more or fewer deviations.
func (f *logitFit) startAt(m *logitModel) {
	copy(f.shared, m.shared)
	for s := range f.t.Subjects {
		copy(f.own[s*f.width:(s+1)*f.width], m.own[s*m.width:(s+1)*m.width])
	}
}

// penalty returns the penalty of coefficient k: of a subject's own coefficient, or of the shared one. The penalty of
// the shared intercept only keeps the Hessian regular.
func (f *logitFit) penalty(k int, own bool) float64 {
	switch {
	case !own && k == 0:
		return 1e-6
	case own && k > 0:
		return f.slope
	}
	return f.main
}

// maxNewton is the largest number of iterations; with a penalty about five are enough.
const maxNewton = 50

func (f *logitFit) fit(ctx context.Context) (*logitModel, error) {
	value := f.objective()
	for range maxNewton {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		before := f.logitModel
		dShared, dOwn := f.step()
		next := value
		for size := 1.0; size > 1e-4; size /= 2 { // halve the step until the objective does not rise
			f.shared, f.own = along(before.shared, dShared, size), along(before.own, dOwn, size)
			if next = f.objective(); next <= value {
				break
			}
		}
		if !(next < value-1e-9*(1+math.Abs(value))) {
			if next > value {
				f.logitModel = before
			}
			break
		}
		value = next
	}
	return &f.logitModel, nil
}

// along returns x + size·d.
func along(x, d []float64, size float64) []float64 {
	y := slices.Clone(x)
	num.AddTo(y, size, d)
	return y
}

// objective returns the negative penalised log likelihood.
func (f *logitFit) objective() float64 {
	sum := 0.0
	for i, v := range f.t.Value {
		z := f.eta(int(f.t.Subject[i]), f.d.row(int(f.t.Item[i])))
		sum += num.Softplus(z) - float64(v*z)
	}
	for k, v := range f.shared {
		sum += f.penalty(k, false) * v * v / 2
	}
	for i, v := range f.own {
		sum += f.penalty(i%f.width, true) * v * v / 2
	}
	return sum
}

// step returns the Newton direction.
func (f *logitFit) step() (shared, own []float64) {
	w, v := f.d.width, f.width
	schur, rhs := num.NewLower(w), make([]float64, w) // of the shared coefficients, after elimination of the subjects' blocks
	for k, b := range f.shared {
		schur.Row(k)[k] = f.penalty(k, false)
		rhs[k] = -f.penalty(k, false) * b
	}
	blocks := make([]logitBlock, len(f.t.Subjects))
	for s := range blocks {
		blocks[s] = f.block(s, schur, rhs)
		blocks[s].eliminate(schur, rhs, w, v)
	}
	factorise(schur)
	schur.SolveBoth(rhs)
	for s := range blocks {
		own = append(own, blocks[s].solve(rhs, w)...)
	}
	return rhs, own
}

// A logitBlock is the part of the Newton equations that belongs to one subject: the Hessian of the subject's own
// coefficients, the mixed Hessian of own and shared coefficients (v rows of w), and the gradient.
type logitBlock struct {
	own        num.Lower
	cross, rhs []float64
}

// block returns the block of subject s, and adds its contributions to the Hessian and gradient of the shared coefficients
// to schur and rhs.
func (f *logitFit) block(s int, schur num.Lower, rhs []float64) logitBlock {
	w, v := f.d.width, f.width
	b := logitBlock{num.NewLower(v), make([]float64, v*w), make([]float64, v)}
	full := num.NewLower(w)
	for i := f.bounds[s]; i < f.bounds[s+1]; i++ {
		x, filled := f.d.row(int(f.t.Item[i])), f.d.filled[f.t.Item[i]]
		p := num.Logistic(f.eta(s, x))
		h, g := p*(1-p), f.t.Value[i]-p
		for n, column := range filled {
			k := int(column)
			xk := x[k]
			rhs[k] += float64(g * xk)
			if k < v {
				b.rhs[k] += float64(g * xk)
			}
			hx, row := h*xk, full.Row(k)
			for _, l := range filled[:n+1] {
				row[l] += float64(hx * x[l])
			}
		}
	}
	num.AddTo(schur, 1, full)
	copy(b.own, full) // the first v rows of full
	for k := range v {
		for l := range w {
			b.cross[k*w+l] = full.Row(max(k, l))[min(k, l)]
		}
	}
	for k := range v {
		b.own.Row(k)[k] += f.penalty(k, true)
		b.rhs[k] -= f.penalty(k, true) * f.own[s*v+k]
	}
	return b
}

// eliminate subtracts crossᵀ own⁻¹ cross from schur and crossᵀ own⁻¹ b.rhs from rhs. own becomes its Cholesky factor.
func (b *logitBlock) eliminate(schur num.Lower, rhs []float64, w, v int) {
	factorise(b.own)
	half := make([]float64, v*w) // L⁻¹ cross, column by column
	column := make([]float64, v)
	for k := range w {
		for i := range column {
			column[i] = b.cross[i*w+k]
		}
		b.own.Solve(column)
		for i := range column {
			half[i*w+k] = column[i]
		}
	}
	y := append([]float64(nil), b.rhs...)
	b.own.Solve(y)
	for i := range v {
		h := half[i*w : (i+1)*w]
		for k, hk := range h {
			rhs[k] -= float64(hk * y[i])
			num.AddTo(schur.Row(k), -hk, h[:k+1])
		}
	}
}

// solve returns the Newton step of the subject's deviations, given the step of the shared coefficients.
func (b *logitBlock) solve(shared []float64, w int) []float64 {
	y := append([]float64(nil), b.rhs...)
	for i := range y {
		for k, s := range shared {
			y[i] -= float64(b.cross[i*w+k] * s)
		}
	}
	b.own.SolveBoth(y)
	return y
}
