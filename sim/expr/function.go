package expr

import "strconv"

// A Function is a function of the language.
type Function struct {
	Name     string
	Usage    string // a call with its arguments, as in a manual
	Min, Max int    // number of arguments; Max 0: any number from Min
	Doc      string // for the manual
}

// functions is the table of functions, sorted by name; the operations Abs to Sqrt are its rows. Layouts add
// mean(measure), which needs a subject's responses.
var functions = []Function{
	{"abs", "abs(x)", 1, 1, "absolute value"},
	{"exp", "exp(x)", 1, 1, "e^x"},
	{"gmean", "gmean(k, x, …)", 2, 0, "generalised mean (mean of x^k)^(1/k) of numbers that are not negative: k = -Inf is the minimum, 0 the geometric mean, 1 the mean, Inf the maximum"},
	{"in", "in(x, a, …)", 2, 0, "whether x equals one of the others, all texts or all numbers"},
	{"log", "log(x)", 1, 1, "natural logarithm"},
	{"logistic", "logistic(x)", 1, 1, "1/(1 + e^-x)"},
	{"max", "max(x, …)", 1, 0, "largest"},
	{"min", "min(x, …)", 1, 0, "smallest"},
	{"mix", "mix(a, b, c)", 3, 3, "(1 - a)b + ac"},
	{"pow", "pow(x, y)", 2, 2, "x^y"},
	{"present", "present(a, b)", 2, 2, "1 - (1 - a)b: a where b is 1, and 1 where b is 0"},
	{"probit", "probit(x)", 1, 1, "standard normal distribution function"},
	{"sqrt", "sqrt(x)", 1, 1, "square root"},
}

// Functions returns the functions of the language, sorted by name. The caller may change the slice.
func Functions() []Function { return append([]Function(nil), functions...) }

// FunctionNamed returns the operation of a function of the language.
func FunctionNamed(name string) (Op, bool) {
	for i, f := range functions {
		if f.Name == name {
			return Abs + Op(i), true
		}
	}
	return Call, false
}

// IsFunction says whether the operation is a function of the table.
func (o Op) IsFunction() bool { return o >= Abs && int(o-Abs) < len(functions) }

// checkCall reports an unknown function or a wrong number of arguments.
func checkCall(n *Node) error {
	if n.Op == Call {
		names := make([]string, len(functions))
		for i, f := range functions {
			names[i] = f.Name
		}
		return n.Errorf("unknown function %s%s", n.Text, Hint(n.Text, names))
	}
	f := functions[n.Op-Abs]
	if k := len(n.Args); k < f.Min || f.Max > 0 && k > f.Max {
		want := strconv.Itoa(f.Min)
		if f.Max == 0 {
			want += " or more"
		}
		return n.Errorf("%s takes %s arguments, not %d: %s", f.Name, want, k, f.Usage)
	}
	return nil
}
