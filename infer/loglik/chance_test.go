package loglik_test

import (
	"math"
	"math/big"
	"testing"

	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// digits is the precision of the oracle in bits: 1 − p of a margin of 1000 has 1443 zeros before its first digit.
const digits = 4096

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(x) }

// exp returns e^x by Taylor's series of x/2^k, squared k times.
func exp(x *big.Float) *big.Float {
	k := max(0, x.MantExp(nil)+16)
	small := new(big.Float).SetMantExp(x, -k)
	sum, term := exactly(1), exactly(1)
	for n := 1; term.Sign() != 0 && term.MantExp(nil) > -digits-64; n++ {
		term = mul(term, small)
		term.Quo(term, exactly(float64(n)))
		sum = add(sum, term)
	}
	for range k {
		sum = mul(sum, sum)
	}
	return sum
}

// log returns log x, and −Inf at 0.
func log(x *big.Float) float64 {
	if x.Sign() == 0 {
		return math.Inf(-1)
	}
	m := new(big.Float)
	k := x.MantExp(m)
	if k == 0 || k == 1 { // near 1: log x = log1p(x − 1)
		d, _ := sub(x, exactly(1)).Float64()
		return math.Log1p(d)
	}
	f, _ := m.Float64()
	return math.Log(f) + float64(k)*math.Ln2
}

func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(digits).Mul(a, b) }
func not(a *big.Float) *big.Float    { return sub(exactly(1), a) }

// A tree is a probability as a node, and how the oracle computes it in a row.
type tree struct {
	node loglik.Node
	at   func(row int, x []*big.Float) *big.Float
}

// A forest makes random probabilities of three margins and two parameters in [0, 1].
type forest struct {
	b     *loglik.Builder
	r     *rng.Rand
	rows  int
	scale float64 // of margins
}

func (f *forest) column(draw func() float64) []float64 {
	out := make([]float64, f.rows)
	for i := range out {
		out[i] = draw()
	}
	return out
}

// datum returns a known probability. A quarter are 0, and a quarter 1.
func (f *forest) datum() float64 { return []float64{0, 1, f.r.Float64(), f.r.Float64()}[f.r.IntN(4)] }

func (f *forest) leaf() tree {
	switch k := f.r.IntN(6); k {
	case 0, 1, 2:
		d := f.column(func() float64 { return math.Trunc(f.scale * (2*f.r.Float64() - 1)) })
		return tree{f.b.Apply(expr.Logistic, 0, f.b.Apply(expr.Sub, 0, f.b.Param(k), f.b.Data(d))), func(row int, x []*big.Float) *big.Float {
			e := exp(sub(exactly(d[row]), x[k]))
			return new(big.Float).SetPrec(digits).Quo(exactly(1), add(exactly(1), e))
		}}
	case 3, 4:
		return tree{f.b.Param(k), func(_ int, x []*big.Float) *big.Float { return x[k] }}
	}
	d := f.column(f.datum)
	return tree{f.b.Data(d), func(row int, _ []*big.Float) *big.Float { return exactly(d[row]) }}
}

func (f *forest) grow(depth int) tree {
	if depth == 0 {
		return f.leaf()
	}
	a, b, c := f.grow(depth-1), f.grow(depth-1), f.leaf()
	one := f.b.Const(1)
	switch f.r.IntN(7) {
	case 0, 1:
		return tree{f.b.Apply(expr.Mul, 0, a.node, b.node), func(row int, x []*big.Float) *big.Float { return mul(a.at(row, x), b.at(row, x)) }}
	case 2:
		return tree{f.b.Apply(expr.Mix, 0, c.node, a.node, b.node), func(row int, x []*big.Float) *big.Float {
			w := c.at(row, x)
			return add(mul(not(w), a.at(row, x)), mul(w, b.at(row, x)))
		}}
	case 3:
		d := f.column(f.datum)
		return tree{f.b.Apply(expr.Present, 0, a.node, f.b.Data(d)), func(row int, x []*big.Float) *big.Float { return not(mul(not(a.at(row, x)), exactly(d[row]))) }}
	case 4:
		return tree{f.b.Apply(expr.Sub, 0, one, a.node), func(row int, x []*big.Float) *big.Float { return not(a.at(row, x)) }}
	case 5:
		return tree{f.b.Apply(expr.Pow, 0, a.node, f.b.Const(2.5)), func(row int, x []*big.Float) *big.Float {
			p := a.at(row, x)
			return mul(mul(p, p), new(big.Float).SetPrec(digits).Sqrt(p))
		}}
	}
	w := f.column(func() float64 { return math.Trunc(f.r.Float64()*17) / 16 })
	rest := make([]float64, f.rows)
	for i := range rest {
		rest[i] = (1 - w[i]) / float64(1+i%2) // in every other row they are 1 together
	}
	sum := f.b.Apply(expr.Add, 0, f.b.Apply(expr.Mul, 0, f.b.Data(w), a.node), f.b.Apply(expr.Mul, 0, b.node, f.b.Data(rest)))
	f.b.Bound(sum, 0, 1)
	return tree{sum, func(row int, x []*big.Float) *big.Float {
		return add(mul(exactly(w[row]), a.at(row, x)), mul(exactly(rest[row]), b.at(row, x)))
	}}
}

// TestChances compares log probabilities of success and of failure, and their derivatives, of random trees of links, products, mixtures,
// powers, complements and averages with an oracle of 4096 bits, at margins up to 2, 20, 200 and 1000.
func TestChances(t *testing.T) {
	const rows, params, h = 4, 5, 1e-12
	r := rng.Stream(3, "chances")
	compared := 0
	for k := range 160 {
		scale := []float64{1, 10, 100, 500}[k%4]
		f := &forest{b: loglik.NewBuilder(rows, params, 0), r: &r, rows: rows, scale: scale}
		for i := 3; i < params; i++ {
			f.b.Bound(f.b.Param(i), 0, 1)
		}
		tree := f.grow(1 + r.IntN(3))
		pl := f.b.Compile([]loglik.Likelihood{{Family: loglik.Bernoulli, Args: []loglik.Node{tree.node}}})
		theta := make([]float64, params)
		for i := range theta {
			theta[i] = scale * (2*r.Float64() - 1)
			if i >= 3 {
				theta[i] = r.Float64()
			}
		}
		x := make([]*big.Float, params)
		for i, v := range theta {
			x[i] = exactly(v)
		}
		for row := range rows {
			p := tree.at(row, x)
			slopes := make([]*big.Float, params)
			for i := range slopes {
				centre := x[i]
				x[i] = add(centre, exactly(h))
				up := tree.at(row, x)
				x[i] = sub(centre, exactly(h))
				slopes[i] = sub(up, tree.at(row, x))
				slopes[i].Quo(slopes[i], exactly(2*h))
				x[i] = centre
			}
			for outcome, of := range []*big.Float{not(p), p} {
				w, err := pl.NewWorkspace(nil, [][]loglik.Observation{{{Row: row, Value: float64(outcome), Count: 1}}})
				if err != nil {
					t.Fatal(err)
				}
				grad := make([]float64, params)
				got, want := w.Gradient(theta, grad), log(of)
				if !near(got, want, 1e-9) {
					t.Fatalf("tree %d, row %d, outcome %d at margins of %g: log probability %.15g, want %.15g", k, row, outcome, scale, got, want)
				}
				w.Evaluate(theta)
				if each := w.LogProb(0, row, float64(outcome)); !near(each, want, 1e-9) || got != w.LogLikelihood(theta) {
					t.Fatalf("tree %d, row %d, outcome %d: %.15g by LogProb and %.15g by LogLikelihood, want %.15g", k, row, outcome, each, w.LogLikelihood(theta), want)
				}
				if of.Sign() == 0 {
					continue
				}
				compared++
				for i := range grad {
					d, _ := new(big.Float).Quo(slopes[i], of).Float64()
					if outcome == 0 {
						d = -d
					}
					if !near(grad[i], d, 1e-8) {
						t.Fatalf("tree %d, row %d, outcome %d at margins of %g: derivative %d is %.12g, want %.12g", k, row, outcome, scale, i, grad[i], d)
					}
				}
			}
		}
	}
	if compared < 900 {
		t.Errorf("%d outcomes were compared", compared)
	}
}

// TestFarProbit compares probit links with the continued fraction of Mills' ratio (Laplace 1805) at margins where the distribution function
// underflows, alone and in a product with another.
func TestFarProbit(t *testing.T) {
	b := loglik.NewBuilder(1, 2, 0)
	link := func(i int) loglik.Node { return b.Apply(expr.Probit, 0, b.Param(i)) }
	pl := b.Compile([]loglik.Likelihood{{Family: loglik.Bernoulli, Args: []loglik.Node{b.Apply(expr.Mul, 0, link(0), link(1))}}})
	w, err := pl.NewWorkspace(nil, [][]loglik.Observation{{{Row: 0, Value: 0, Count: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{7, 12, 30, 36.9, 37.1, 60, 300} {
		mills := x
		for k := 400; k > 0; k-- {
			mills = x + float64(k)/mills
		}
		tail := -0.5*x*x - 0.5*math.Log(2*math.Pi) - math.Log(mills)
		grad := make([]float64, 2)
		if got := w.Gradient([]float64{x, x + 40}, grad); !near(got, tail, 1e-12) || !near(grad[0], -mills, 1e-9) || grad[1] != 0 {
			t.Errorf("at %g: log(1 − p) is %.15g with slopes %g, want %.15g with %.12g and 0", x, got, grad, tail, -mills)
		}
	}
}
