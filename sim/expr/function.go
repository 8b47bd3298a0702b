package expr

import (
	"math"
	"strconv"

	"achilles/sim/num"
)

// A Function is a function of the language.
type Function struct {
	Name     string
	Usage    string // how it is written, with its arguments
	Min, Max int    // number of arguments; Max 0: any number from Min
	Doc      string
}

// functions is the whole table, sorted by name. Layouts add mean(measure), which needs a subject's responses.
var functions = []Function{
	{"abs", "abs(x)", 1, 1, "|x|"},
	{"exp", "exp(x)", 1, 1, "e^x"},
	{"gmean", "gmean(k, x, …)", 2, 0, "generalised mean (mean of x^k)^(1/k) of non-negative numbers: k = -Inf the minimum, 0 the geometric mean, 1 the mean, Inf the maximum"},
	{"in", "in(x, a, …)", 2, 0, "whether x equals one of the others: all texts or all numbers"},
	{"log", "log(x)", 1, 1, "natural logarithm"},
	{"logistic", "logistic(x)", 1, 1, "1/(1 + e^-x)"},
	{"max", "max(x, …)", 1, 0, "largest"},
	{"min", "min(x, …)", 1, 0, "smallest"},
	{"mix", "mix(a, b, c)", 3, 3, "(1 - a)*b + a*c"},
	{"pow", "pow(x, y)", 2, 2, "x^y"},
	{"present", "present(a, b)", 2, 2, "1 - (1 - a)*b: a where b is 1, and 1 where b is 0"},
	{"probit", "probit(x)", 1, 1, "standard normal distribution function"},
	{"sqrt", "sqrt(x)", 1, 1, "square root"},
}

// Functions returns the functions of the language, sorted by name. The slice is the caller's.
func Functions() []Function { return append([]Function(nil), functions...) }

// FunctionNamed returns the function of that name.
func FunctionNamed(name string) (Function, bool) {
	for _, f := range functions {
		if f.Name == name {
			return f, true
		}
	}
	return Function{}, false
}

// CheckCall reports an unknown function or a wrong number of arguments at the Call node n.
func CheckCall(n *Node) error {
	f, ok := FunctionNamed(n.Text)
	if !ok {
		names := make([]string, len(functions))
		for i, f := range functions {
			names[i] = f.Name
		}
		return n.Errorf("unknown function %s%s", n.Text, Hint(n.Text, names))
	}
	if k := len(n.Args); k < f.Min || f.Max > 0 && k > f.Max {
		want := strconv.Itoa(f.Min)
		if f.Max == 0 {
			want += " or more"
		}
		return n.Errorf("%s takes %s arguments, not %d: %s", f.Name, want, k, f.Usage)
	}
	return nil
}

// apply evaluates a function of numbers; NaN and ±Inf pass through as in IEEE arithmetic.
func apply(name string, x []float64) float64 {
	switch name {
	case "abs":
		return math.Abs(x[0])
	case "exp":
		return num.Exp(x[0])
	case "gmean":
		return GeneralisedMean(x[0], x[1:])
	case "log":
		return num.Log(x[0])
	case "logistic":
		return num.Logistic(x[0])
	case "max", "min":
		return extreme(name, x)
	case "mix":
		return float64((1-x[0])*x[1]) + float64(x[0]*x[2])
	case "pow":
		return Pow(x[0], x[1])
	case "present":
		return 1 - float64((1-x[0])*x[1])
	case "probit":
		return num.NormalCDF(x[0])
	case "sqrt":
		return math.Sqrt(x[0])
	}
	panic("expr: function without evaluation")
}

func extreme(name string, x []float64) float64 {
	m := x[0]
	for _, v := range x[1:] {
		if name == "max" {
			m = max(m, v)
		} else {
			m = min(m, v)
		}
	}
	return m
}

// Pow returns x^y with the project's own exponential, so that its bytes agree between machines. Whole exponents up
// to 64 are products; otherwise x must not be negative, or the result is NaN. 0^y is 1, 0 or +Inf for y =, >, < 0.
func Pow(x, y float64) float64 {
	if n := math.Trunc(y); n == y && math.Abs(n) <= 64 {
		return whole(x, int(n))
	}
	if x == 0 {
		if y > 0 {
			return 0
		}
		return math.Inf(1)
	}
	return num.Exp(float64(y * num.Log(x)))
}

func whole(x float64, n int) float64 {
	if n < 0 {
		return 1 / whole(x, -n)
	}
	r := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r = float64(r * x)
		}
		x = float64(x * x)
	}
	return r
}

// GeneralisedMean returns (mean of x^k)^(1/k) of non-negative x, with its limits at k = 0 and ±Inf; NaN when an x is
// negative. It is 0 when an x is 0 and k ≤ 0.
func GeneralisedMean(k float64, x []float64) float64 {
	lo, hi := x[0], x[0]
	for _, v := range x {
		lo, hi = min(lo, v), max(hi, v)
	}
	switch {
	case lo < 0 || lo != lo || k != k:
		return math.NaN()
	case math.IsInf(k, 1):
		return hi
	case math.IsInf(k, -1):
		return lo
	case k <= 0 && lo == 0 || hi == 0:
		return 0
	}
	// Relative to the largest (k > 0) or smallest (k < 0) value every power is at most 1; the mean of x^k − 1 keeps
	// its digits when k is close to 0.
	top := hi
	if k < 0 {
		top = lo
	}
	s := 0.0
	for _, v := range x {
		if k == 0 {
			s += num.Log(v / top)
		} else {
			s += num.Expm1(float64(k * num.Log(v/top)))
		}
	}
	s /= float64(len(x))
	if k != 0 {
		s = num.Log1p(s) / k
	}
	return float64(top * num.Exp(s))
}
