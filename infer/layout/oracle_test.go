package layout_test

import (
	"math"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// An oracle evaluates a layout slowly: item by item, by walking the trees of its expressions, with the standard
// library's functions and textbook densities. It shares nothing with the plan but the parser.
type oracle struct {
	layout    *layout.Layout
	items     *record.Items
	responses []record.Response
	measures  []record.Measure
}

func mustParse(src string) *expr.Node {
	n, err := expr.Parse(src)
	if err != nil {
		panic(err)
	}
	return n
}

// A scope is the oracle for one item, at parameters theta.
type scope struct {
	*oracle
	item  int
	theta []float64
}

func (s scope) name(name string) any {
	for i, p := range s.layout.Parameters {
		if p.Name == name {
			return s.theta[i]
		}
	}
	for _, c := range s.layout.Constants {
		if c.Name == name {
			return c.Value
		}
	}
	for _, p := range s.layout.Performances {
		if p.Name == name {
			return s.eval(mustParse(p.Source))
		}
	}
	for _, m := range s.layout.Metafeatures {
		if m.Name != name {
			continue
		}
		col, _ := s.items.Column(m.Column)
		switch {
		case m.Levels != nil:
			return col.Text[s.item]
		case col.Missing != nil && col.Missing[s.item]:
			return *m.Missing
		}
		return col.Number[s.item]
	}
	panic("oracle: no name " + name)
}

func (s scope) number(n *expr.Node) float64 {
	switch v := s.eval(n).(type) {
	case float64:
		return v
	case bool:
		if v {
			return 1
		}
		return 0
	}
	panic("oracle: a text where a number stands")
}

func (s scope) eval(n *expr.Node) any {
	switch n.Op {
	case expr.Num:
		return n.Value
	case expr.Str:
		return n.Text
	case expr.Name:
		return s.name(n.Text)
	case expr.Neg:
		return -s.number(n.Args[0])
	case expr.Not:
		return !s.eval(n.Args[0]).(bool)
	case expr.And:
		return s.eval(n.Args[0]).(bool) && s.eval(n.Args[1]).(bool)
	case expr.Or:
		return s.eval(n.Args[0]).(bool) || s.eval(n.Args[1]).(bool)
	case expr.Eq:
		return s.eval(n.Args[0]) == s.eval(n.Args[1])
	case expr.Ne:
		return s.eval(n.Args[0]) != s.eval(n.Args[1])
	}
	if n.Op == expr.Call || n.Op.IsFunction() {
		return s.call(n)
	}
	a, b := s.number(n.Args[0]), s.number(n.Args[1])
	switch n.Op {
	case expr.Add:
		return a + b
	case expr.Sub:
		return a - b
	case expr.Mul:
		return a * b
	case expr.Div:
		return a / b
	case expr.Lt:
		return a < b
	case expr.Le:
		return a <= b
	case expr.Gt:
		return a > b
	}
	return a >= b
}

func (s scope) call(n *expr.Node) any {
	switch n.Text {
	case "mean":
		return s.mean(n.Args[0].Text)
	case "in":
		for _, a := range n.Args[1:] {
			if s.eval(a) == s.eval(n.Args[0]) {
				return true
			}
		}
		return false
	}
	var x []float64
	for _, a := range n.Args {
		x = append(x, s.number(a))
	}
	switch n.Text {
	case "logistic":
		return 1 / (1 + math.Exp(-x[0]))
	case "probit":
		return 0.5 * math.Erfc(-x[0]/math.Sqrt2)
	case "exp":
		return math.Exp(x[0])
	case "log":
		return math.Log(x[0])
	case "sqrt":
		return math.Sqrt(x[0])
	case "abs":
		return math.Abs(x[0])
	case "pow":
		return math.Pow(x[0], x[1])
	case "mix":
		return (1-x[0])*x[1] + x[0]*x[2]
	case "present":
		return 1 - (1-x[0])*x[1]
	case "gmean":
		return slowMean(x[0], x[1:])
	}
	return s.extreme(n, x)
}

func slowMean(k float64, x []float64) float64 {
	s, lo, hi := 0.0, x[0], x[0]
	for _, v := range x {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
		if k == 0 {
			s += math.Log(v)
		} else {
			s += math.Pow(v, k)
		}
	}
	s /= float64(len(x))
	switch {
	case math.IsInf(k, 1):
		return hi
	case math.IsInf(k, -1):
		return lo
	case k == 0:
		return math.Exp(s)
	}
	return math.Pow(s, 1/k)
}

// extreme returns the minimum or maximum of x. It is smooth if an argument mentions a parameter, directly or through a
// performance.
func (s scope) extreme(n *expr.Node, x []float64) float64 {
	t := s.layout.Temperature
	if n.Text == "min" {
		t = -t
	}
	if !s.mentionsParameter(n) {
		m := x[0]
		for _, v := range x {
			if t > 0 == (v > m) {
				m = v
			}
		}
		return m
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp((v - x[0]) / t)
	}
	return x[0] + t*math.Log(sum/float64(len(x)))
}

func (s scope) mentionsParameter(n *expr.Node) bool {
	found := false
	for _, name := range n.Names() {
		for _, p := range s.layout.Parameters {
			found = found || p.Name == name
		}
		for _, p := range s.layout.Performances {
			found = found || p.Name == name && s.mentionsParameter(mustParse(p.Source))
		}
	}
	return found
}

func (s scope) mean(measure string) float64 {
	sum, n := 0.0, 0.0
	for _, r := range s.responses {
		if s.measures[r.Measure].Name == measure && r.Unscored == 0 {
			sum += r.Value
			n++
		}
	}
	return sum / n
}

// logLikelihood returns the log likelihood at theta, summed response by response.
func (o *oracle) logLikelihood(theta []float64) float64 {
	l := 0.0
	for _, r := range o.responses {
		l += o.logProb(r, theta)
	}
	return l
}

func (o *oracle) logProb(r record.Response, theta []float64) float64 {
	s := scope{o, int(r.Item), theta}
	for _, m := range o.layout.Responses {
		if m.Measure != o.measures[r.Measure].Name || r.Unscored != 0 {
			continue
		}
		var x []float64
		for _, a := range m.Args {
			x = append(x, s.number(mustParse(a)))
		}
		return textbook(m.Family, x, r.Value)
	}
	return 0
}

func lgamma(x float64) float64 { l, _ := math.Lgamma(x); return l }

func textbook(f layout.Family, x []float64, y float64) float64 {
	switch f {
	case layout.Bernoulli:
		if y == 1 {
			return math.Log(x[0])
		}
		return math.Log(1 - x[0])
	case layout.Binomial:
		n := x[1]
		l := lgamma(n+1) - lgamma(y+1) - lgamma(n-y+1)
		if y > 0 {
			l += y * math.Log(x[0])
		}
		if y < n {
			l += (n - y) * math.Log(1-x[0])
		}
		return l
	case layout.Normal:
		return -0.5*math.Pow((y-x[0])/x[1], 2) - math.Log(x[1]*math.Sqrt(2*math.Pi))
	case layout.Beta:
		a, b := x[0]*x[1], (1-x[0])*x[1]
		return (a-1)*math.Log(y) + (b-1)*math.Log(1-y) - lgamma(a) - lgamma(b) + lgamma(a+b)
	case layout.ZeroOneInflatedBeta:
		switch y {
		case 0:
			return math.Log(x[2] * (1 - x[3]))
		case 1:
			return math.Log(x[2] * x[3])
		}
		return math.Log(1-x[2]) + textbook(layout.Beta, x[:2], y)
	}
	sum := 0.0
	for _, u := range x {
		sum += math.Exp(u)
	}
	return x[int(y)] - math.Log(sum)
}

// logPrior returns the log prior density at theta plus the log Jacobian of the unconstrained scale.
func (o *oracle) logPrior(theta []float64) float64 {
	s := scope{o, 0, theta}
	l := 0.0
	for i, p := range o.layout.Parameters {
		call := mustParse(p.Prior)
		var a []float64
		for _, n := range call.Args {
			a = append(a, s.number(n))
		}
		l += priorAndJacobian(call.Text, theta[i], a)
	}
	return l
}

func priorAndJacobian(family string, x float64, a []float64) float64 {
	normal := func(x, m, sd float64) float64 { return textbook(layout.Normal, []float64{m, sd}, x) }
	switch family {
	case "uniform":
		w := a[1] - a[0]
		return -math.Log(w) + math.Log((x-a[0])*(a[1]-x)/w)
	case "normal":
		return normal(x, a[0], a[1])
	case "halfnormal":
		return math.Ln2 + normal(x, 0, a[0]) + math.Log(x)
	case "beta":
		return textbook(layout.Beta, []float64{a[0] / (a[0] + a[1]), a[0] + a[1]}, x) + math.Log(x*(1-x))
	case "gamma":
		return a[0]*math.Log(a[1]) - lgamma(a[0]) + (a[0]-1)*math.Log(x) - a[1]*x + math.Log(x)
	case "exponential":
		return math.Log(a[0]) - a[0]*x + math.Log(x)
	case "lognormal":
		return normal(math.Log(x), a[0], a[1]) // the density of x times the Jacobian x
	}
	panic("oracle: no prior " + family)
}

// agree checks the log density and the pointwise log likelihoods of a target at q against the oracle.
func (o *oracle) agree(t *testing.T, tg *layout.Target, q []float64) {
	t.Helper()
	theta, grad := make([]float64, len(q)), make([]float64, len(q))
	tg.Constrain(q, theta)
	got, like := tg.LogDensity(q, grad), o.logLikelihood(theta)
	want := like + o.logPrior(theta)
	if !near(got, want, 1e-10) {
		t.Errorf("log density %.17g, oracle %.17g at theta %g", got, want, theta)
	}
	points := make([]float64, len(tg.Data().Tallies()))
	tg.PointwiseLogLik(theta, points)
	sum := 0.0
	for i, p := range tg.Data().Tallies() {
		sum += float64(p.Count) * points[i]
	}
	if !near(sum, like, 1e-10) {
		t.Errorf("pointwise log likelihoods sum to %.17g, oracle %.17g at theta %g", sum, like, theta)
	}
}

// near reports whether a and b differ by at most rel·max(1, |a|, |b|). The tolerance is never below rel, because a log
// density of about 0 can be a sum of terms of about 1, with their rounding errors.
func near(a, b, rel float64) bool {
	if a == b {
		return true
	}
	return math.Abs(a-b) <= rel*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func parse(t testing.TB, text string) *layout.Layout {
	t.Helper()
	l, err := layout.Parse("test.toml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return l
}
