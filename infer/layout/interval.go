package layout

import (
	"math"

	"achilles/sim/expr"
	"achilles/sim/num"
)

// An interval is a closed range that contains every value of an expression. It may be wider than needed, because names
// that are mentioned twice count as independent: the interval of x − x is twice as wide as that of x.
type interval struct{ lo, hi float64 }

func (i interval) has(x float64) bool { return i.lo <= x && x <= i.hi }

func hull(a, b interval) interval { return interval{math.Min(a.lo, b.lo), math.Max(a.hi, b.hi)} }

// values returns the range of a family's responses.
func (f Family) values() interval {
	switch f {
	case Bernoulli, Beta, ZeroOneInflatedBeta:
		return interval{0, 1}
	case Normal:
		return interval{math.Inf(-1), math.Inf(1)}
	}
	return interval{0, math.Inf(1)}
}

// ranges finds the range of expressions of a layout.
type ranges struct{ *Layout }

// of returns the range of an expression whose names are resolved. The error is an *expr.Error at an argument that
// may lie outside the domain of its function.
func (r ranges) of(n *expr.Node) (interval, error) {
	switch n.Op {
	case expr.Num:
		return interval{n.Value, n.Value}, nil
	case expr.Name:
		return r.symbols[n.Text].bounds, nil
	case expr.Not, expr.And, expr.Or, expr.Eq, expr.Ne, expr.Lt, expr.Le, expr.Gt, expr.Ge:
		return interval{0, 1}, r.checkCondition(n)
	case expr.In:
		return interval{0, 1}, r.checkCondition(n)
	}
	args := make([]interval, len(n.Args))
	for i, a := range n.Args {
		var err error
		if args[i], err = r.of(a); err != nil {
			return interval{}, err
		}
	}
	if n.Op.IsFunction() {
		return r.ofCall(n, args)
	}
	a := args[0]
	if n.Op == expr.Neg {
		return interval{-a.hi, -a.lo}, nil
	}
	b := args[1]
	switch n.Op {
	case expr.Add:
		return interval{a.lo + b.lo, a.hi + b.hi}, nil
	case expr.Sub:
		return interval{a.lo - b.hi, a.hi - b.lo}, nil
	case expr.Mul:
		return corners(args, func(x []float64) float64 { return times(x[0], x[1]) }), nil
	}
	if b.lo < 0 && b.hi > 0 || b.lo == 0 && b.hi == 0 {
		return interval{}, n.Errorf("the divisor %s may lie anywhere from %g to %g: it can be 0", n.Args[1], b.lo, b.hi)
	}
	return corners([]interval{a, reciprocal(b)}, func(x []float64) float64 { return times(x[0], x[1]) }), nil
}

func (r ranges) checkCondition(n *expr.Node) error {
	for _, name := range n.Names() {
		if r.symbols[name].level > data {
			return find(n, name).Errorf("a condition may depend on metafeatures and constants, and %s is inferred: use logistic(…) of the difference", name)
		}
	}
	return nil
}

// times returns x·y. It returns 0 if one factor is 0 and the other infinite.
func times(x, y float64) float64 {
	if x == 0 || y == 0 {
		return 0
	}
	return x * y
}

func reciprocal(b interval) interval {
	r := interval{1 / b.hi, 1 / b.lo}
	if b.lo == 0 {
		r.hi = math.Inf(1)
	}
	if b.hi == 0 {
		r.lo = math.Inf(-1)
	}
	return r
}

// corners returns the range of a function that is linear or monotone in each argument. Such a function has its extremes
// where every argument is at an end of its interval.
func corners(args []interval, f func([]float64) float64) interval {
	out := interval{math.Inf(1), math.Inf(-1)}
	x := make([]float64, len(args))
	for mask := range 1 << len(args) {
		for i, a := range args {
			x[i] = a.lo
			if mask>>i&1 == 1 {
				x[i] = a.hi
			}
		}
		v := f(x)
		if v != v { // ∞ − ∞
			return interval{math.Inf(-1), math.Inf(1)}
		}
		out = hull(out, interval{v, v})
	}
	return out
}

func (r ranges) ofCall(n *expr.Node, args []interval) (interval, error) {
	rising := func(f func(float64) float64) interval { return interval{f(args[0].lo), f(args[0].hi)} }
	switch n.Op {
	case expr.Logistic:
		return rising(num.Logistic), nil
	case expr.Probit:
		return rising(num.NormalCDF), nil
	case expr.Exp:
		return rising(num.Exp), nil
	case expr.Log:
		return rising(num.Log), notNegative(n, args)
	case expr.Sqrt:
		return rising(math.Sqrt), notNegative(n, args)
	case expr.Abs:
		out := interval{math.Min(math.Abs(args[0].lo), math.Abs(args[0].hi)), math.Max(math.Abs(args[0].lo), math.Abs(args[0].hi))}
		if args[0].has(0) {
			out.lo = 0
		}
		return out, nil
	case expr.Pow:
		return rangeOfPower(n, args)
	case expr.Mix:
		return corners(args, func(x []float64) float64 { return times(1-x[0], x[1]) + times(x[0], x[2]) }), nil
	case expr.Present:
		return corners(args, func(x []float64) float64 { return 1 - times(1-x[0], x[1]) }), nil
	case expr.Gmean:
		if r.levelOf(n.Args[0]) != constant {
			return interval{}, n.Args[0].Errorf("the exponent of gmean must be a number")
		}
		if err := notNegative(n, args[1:]); err != nil {
			return interval{}, err
		}
		return hullOf(args[1:]), nil
	case expr.Min, expr.Max:
		return r.ofExtreme(n, args), nil
	}
	return interval{}, n.Errorf("unknown function %s", n.Text)
}

func hullOf(args []interval) interval {
	out := args[0]
	for _, a := range args[1:] {
		out = hull(out, a)
	}
	return out
}

// ofExtreme returns the range of a minimum or maximum. If the arguments depend on parameters, the minimum or maximum
// is smooth: a maximum of n arguments lies at most τ·log n below the exact one, a minimum as much above, and neither beyond the
// arguments.
func (r ranges) ofExtreme(n *expr.Node, args []interval) interval {
	out, slack := hullOf(args), 0.0
	if r.levelOf(n) > input {
		slack = float64(r.Temperature * math.Log(float64(len(args))))
	}
	for _, a := range args {
		if n.Op == expr.Min {
			out.hi = math.Min(out.hi, a.hi+slack)
		} else {
			out.lo = math.Max(out.lo, a.lo-slack)
		}
	}
	return out
}

func notNegative(n *expr.Node, args []interval) error {
	for i, a := range args {
		if a.lo < 0 {
			arg := n.Args[len(n.Args)-len(args)+i]
			return firstColumn(arg).Errorf("%s needs numbers that are not negative, and %s may lie anywhere from %g to %g", n.Text, arg, a.lo, a.hi)
		}
	}
	return nil
}

// rangeOfPower returns the range of a power. The exponent must be a constant whole number if the base can be
// negative.
func rangeOfPower(n *expr.Node, args []interval) (interval, error) {
	x, y := args[0], args[1]
	whole := y.lo == y.hi && y.lo == math.Trunc(y.lo) && math.Abs(y.lo) <= 64
	if !whole {
		if err := notNegative(n, args[:1]); err != nil {
			return interval{}, n.Args[0].Errorf("%s has no such powers when it is negative, and it may lie anywhere from %g to %g", n.Args[0], x.lo, x.hi)
		}
	}
	if whole && y.lo < 0 && x.lo < 0 && x.hi > 0 {
		return interval{}, n.Args[0].Errorf("%s may lie anywhere from %g to %g: it can be 0, and the power is negative", n.Args[0], x.lo, x.hi)
	}
	out := corners(args, func(v []float64) float64 {
		if v[0] == 1 {
			return 1 // any power of 1 is 1, even if the exponent is infinite; the other corners bound the powers of bases near 1
		}
		return expr.Pow.Value(0, v)
	})
	if whole && math.Mod(y.lo, 2) == 0 && y.lo > 0 && x.has(0) {
		out.lo = 0
	}
	return out, nil
}
