package expr_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/sim/expr"
)

// table has the columns of a small battery of three items.
var table = map[string]expr.Column{
	"lava":     {Number: []float64{0, 1, 0}},
	"distance": {Number: []float64{16, 29, 56}},
	"time":     {Number: []float64{0, 3, 0}, Missing: []bool{false, false, true}},
	"family":   {Text: []string{"basic", "cup", "cv"}},
	"colour":   {Text: []string{"Beige", "", "Brown"}, Missing: []bool{false, true, false}},
	"k":        {Number: []float64{2}},
	"größe":    {Number: []float64{0.5, 1, 5}},
}

func lookup(name string) (expr.Column, bool) { c, ok := table[name]; return c, ok }

func compile(t *testing.T, src string) *expr.Program {
	t.Helper()
	n, err := expr.Parse(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	p, err := expr.Compile(n, lookup)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return p
}

func TestValues(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		src  string
		want [3]float64
		why  string
	}{
		{"1 + 2*3", [3]float64{7, 7, 7}, "Go's precedence"},
		{"(1 + 2)*3", [3]float64{9, 9, 9}, "parentheses"},
		{"8 / 2 / 2", [3]float64{2, 2, 2}, "left-associative"},
		{"-lava - -1", [3]float64{1, 0, 1}, "two signs"},
		{"+distance", [3]float64{16, 29, 56}, "a leading plus is dropped"},
		{"k * lava", [3]float64{0, 2, 0}, "a column of one value is broadcast"},
		{"größe", [3]float64{0.5, 1, 5}, "letters of any script"},
		{"lava == 1 && distance > 20", [3]float64{0, 1, 0}, "a condition is 1 or 0"},
		{"!(lava == 1) || distance < 0", [3]float64{1, 0, 1}, "not, or"},
		{`(family == "cv") * 0.25`, [3]float64{0, 0, 0.25}, "a condition in arithmetic"},
		{`in(family, "basic", "cv")`, [3]float64{1, 0, 1}, "membership of texts"},
		{`in(distance, 16, 50 + 6)`, [3]float64{1, 0, 1}, "membership of numbers"},
		{`family < "cup"`, [3]float64{1, 0, 0}, "texts are ordered by their bytes"},
		{"family != `cup`", [3]float64{1, 0, 1}, "raw texts"},
		{"time", [3]float64{0, 3, nan}, "a missing number is NaN"},
		{"time >= 0", [3]float64{1, 1, 0}, "NaN compares false"},
		{"time != 0", [3]float64{0, 1, 1}, "but differs from everything"},
		{`colour == ""`, [3]float64{0, 1, 0}, "a missing text is empty"},
		{"mix(0.25, 1, 0)", [3]float64{0.75, 0.75, 0.75}, "(1-a)b + ac"},
		{"present(0.25, lava)", [3]float64{1, 0.25, 1}, "1 - (1-a)b"},
		{"min(distance, 20, 30)", [3]float64{16, 20, 20}, "exact here"},
		{"max(distance, 20, 30)", [3]float64{30, 30, 56}, "exact here"},
		{"abs(lava - 2)", [3]float64{2, 1, 2}, ""},
		{"sqrt(distance)", [3]float64{4, math.Sqrt(29), math.Sqrt(56)}, ""},
		{"pow(2, 10) + pow(4, -1)", [3]float64{1024.25, 1024.25, 1024.25}, "whole exponents are products"},
		{"pow(-2, 3)", [3]float64{-8, -8, -8}, "of negative numbers too"},
		{"pow(-2, 0.5)", [3]float64{nan, nan, nan}, "but no roots of them"},
		{"pow(0, 0) + pow(0, 0.5)", [3]float64{1, 1, 1}, ""},
		{"exp(0) + log(1)", [3]float64{1, 1, 1}, ""},
		{"logistic(0)", [3]float64{0.5, 0.5, 0.5}, ""},
		{"probit(0)", [3]float64{0.5, 0.5, 0.5}, ""},
		{"gmean(1, 2, 4)", [3]float64{3, 3, 3}, "the mean"},
		{"gmean(-Inf, 2, 4)", [3]float64{2, 2, 2}, "the minimum"},
		{"gmean(Inf, 2, 4)", [3]float64{4, 4, 4}, "the maximum"},
		{"gmean(0, 0, 4)", [3]float64{0, 0, 0}, "a zero pulls a geometric mean to 0"},
		{"1 +\n 2", [3]float64{3, 3, 3}, "over two lines"},
		{"1\n + 2", [3]float64{3, 3, 3}, "wherever the line breaks"},
		{"1e3 - .5", [3]float64{999.5, 999.5, 999.5}, "number forms"},
	} {
		p := compile(t, c.src)
		for row, want := range c.want {
			if got := p.Number(row); got != want && !(got != got && want != want) {
				t.Errorf("%q row %d = %g, want %g (%s)", c.src, row, got, want, c.why)
			}
		}
	}
}

func TestMeans(t *testing.T) {
	for _, c := range []struct{ k, want float64 }{{-1, 8. / 3}, {0, math.Sqrt(8)}, {2, math.Sqrt(10)}, {1e-9, math.Sqrt(8)}, {-700, 2.002}, {700, 3.996}} {
		if got := expr.Gmean.Value(c.k, []float64{2, 4}); math.Abs(got-c.want) > 1e-3 || math.Abs(c.k) < 3 && math.Abs(got-c.want) > 1e-8 {
			t.Errorf("gmean(%g, 2, 4) = %.17g, want %g", c.k, got, c.want)
		}
	}
}

func TestTypes(t *testing.T) {
	if p := compile(t, "lava == 1"); p.Type() != expr.BoolType || !p.Bool(1) || p.Bool(0) {
		t.Error("lava == 1 is a condition that holds in row 1 only")
	}
	if p := compile(t, "family"); p.Type() != expr.TextType || p.Text(2) != "cv" {
		t.Error("family is a text")
	}
	for name, use := range map[string]func(){
		"Bool of a number": func() { compile(t, "lava").Bool(0) },
		"Number of a text": func() { compile(t, "family").Number(0) },
		"Text of a number": func() { compile(t, "lava").Text(0) },
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); r != "expr: "+name {
					t.Errorf("%s: recovered %q", name, r)
				}
			}()
			use()
		}()
	}
}

func TestErrors(t *testing.T) {
	known := []string{"lava", "distance", "time", "family"}
	for _, c := range []struct {
		src, want string
	}{
		{"", "column 1: empty expression"},
		{"  ", "column 1: empty expression"},
		{"1 +", "column 4: expected operand, but the expression ends here"},
		{"lava & 1", "column 6: & is not an operator: write &&"},
		{"lava ^ 2", "column 6: ^ is not an operator: write pow(a, b)"},
		{"lava ** 2", "column 7: ** is not an operator: write pow(a, b)"},
		{"lava % 2", "column 6: % is not an operator of the language"},
		{"lava = 1", "column 6: = is not an operator: compare with =="},
		{"größe + lavva", "column 9: unknown name lavva: did you mean lava?"},
		{"zzzzzz", "column 1: unknown name zzzzzz"},
		{"2*logisitc(lava)", "column 3: unknown function logisitc: did you mean logistic?"},
		{"mean(success)", "column 1: unknown function mean: did you mean gmean?"},
		{"mix(1, 2)", "column 1: mix takes 3 arguments, not 2: mix(a, b, c)"},
		{"gmean(1)", "column 1: gmean takes 2 or more arguments, not 1: gmean(k, x, …)"},
		{"family + 1", "column 1: + needs numbers, and family is a text: compare it with == or in(…)"},
		{"exp(family)", "column 5: exp needs numbers, and family is a text: compare it with == or in(…)"},
		{"family == 1", "column 8: == compares a text (family) with a number (1)"},
		{"0 < lava < 1", "column 10: < compares numbers or texts, not conditions: join comparisons with && or ||"},
		{"lava && time > 1", "column 1: && needs conditions, and lava is a number: compare it first"},
		{"!lava", "column 2: ! needs conditions, and lava is a number: compare it first"},
		{"in(family, 1)", "column 12: in compares values of one type: family is a text, 1 a number"},
		{"lava.x", "column 6: a name has no dot"},
		{"lava[0]", "column 1: not part of the language: use numbers, names, operators and calls"},
		{"func() {}", "column 1: not part of the language: use numbers, names, operators and calls"},
		{"range + 1", "column 1: range is a keyword of Go and cannot be a name"},
		{"(lava)(1)", "column 1: only a named function can be called"},
		{"max(lava...)", "column 9: ... is not part of the language"},
		{"1 // two", "column 3: comments are not part of an expression"},
		{"1 + /* two */ 2", "column 5: comments are not part of an expression"},
		{"'a'", "column 1: write a text in double quotes and a number in plain decimal form"},
		{"010", "column 1: write the number 010 in plain decimal form"},
		{"0x10", "column 1: write the number 0x10 in plain decimal form"},
		{"1_000", "column 1: write the number 1_000 in plain decimal form"},
		{"1e999", "column 1: number 1e999 is out of range"},
		{"2i", "column 1: write a text in double quotes and a number in plain decimal form"},
		{"true", "column 1: true is not part of the language: a condition that always holds is left empty; elsewhere write 1 or 0"},
		{"_", "column 1: _ is not a name"},
		{"lava\x00", "column 5: not UTF-8 text"},
		{"lava \xff", "column 6: not UTF-8 text"},
		{"1 2", "column 3: expected"},
		{strings.Repeat("1+", 9000) + "1", "column 16384: expression longer than 16384 bytes"},
	} {
		n, err := expr.Parse(c.src)
		if err == nil {
			_, err = expr.Compile(n, lookup, known...)
		}
		var e *expr.Error
		if !errors.As(err, &e) {
			t.Errorf("%.40q: error %v, want an *expr.Error", c.src, err)
			continue
		}
		if got := err.Error(); got != c.want && !(strings.HasSuffix(c.want, "expected") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%.40q: %s, want %s", c.src, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	n, err := expr.Parse(`min(b, a + b*exp(c)) + (d == "e")*Inf`)
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Names(); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("names %v", got)
	}
}

func TestEvaluationDoesNotAllocate(t *testing.T) {
	p := compile(t, `mix(0.1, logistic(k - distance*lava)*gmean(2, 1, 2, 3, 4, 5, 6, k), 0.5) + in(family, "cup", "cv") + max(lava, k, 3)`)
	row := 0
	if n := testing.AllocsPerRun(100, func() { p.Number(row % 3); row++ }); n != 0 {
		t.Errorf("%g allocations an evaluation", n)
	}
}

func TestDidYouMean(t *testing.T) {
	known := []string{"memory", "op", "flatNav", "visual"}
	for _, c := range []struct{ name, want string }{
		{"memmory", "memory"}, {"flatnav", "flatNav"}, {"vsiual", "visual"}, {"po", "op"}, {"navigation", ""}, {"x", ""}, {"op", ""},
	} {
		got := strings.TrimSuffix(strings.TrimPrefix(expr.DidYouMean(c.name, known), ": did you mean "), "?")
		if got != c.want {
			t.Errorf("%s: suggested %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"body-001", "body-002", "body-011", "Body-012", "item"}
	for _, c := range []struct{ name, want string }{{"body-01", "body-001 body-011 Body-012"}, {"bdoy-002", "body-002"}, {"nobody", ""}, {"body-012", "Body-012"}} {
		if got := strings.Join(expr.Nearest(c.name, known), " "); got != c.want {
			t.Errorf("%s: near are %q, want %q", c.name, got, c.want)
		}
	}
}

// FuzzParse checks that String turns every expression that Parse accepts into a text that Parse reads as the same tree,
// and that every other source gives an *Error with a column inside the source.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "a+b*c", "-(-a)", "!(a<b)&&c==\"d\"", "f(a, g(1e-3), Inf)", "a-(b-c)", "(a*b)/c", "1/(2/3)", "`x`", "((((", "a\n+b", "é==\"ü\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		n, err := expr.Parse(src)
		if err != nil {
			var e *expr.Error
			if !errors.As(err, &e) || e.Col < 1 || e.Col > len(src)+2 || e.Msg == "" {
				t.Fatalf("%q: %#v", src, err)
			}
			return
		}
		text := n.String()
		m, err := expr.Parse(text)
		if err != nil {
			if len(text) > 1<<13 {
				return // spaces and quotes made the text too long to parse
			}
			t.Fatalf("%q printed as %q: %v", src, text, err)
		}
		if again := m.String(); again != text {
			t.Fatalf("%q printed as %q, then as %q", src, text, again)
		}
		if p, err := expr.Compile(n, lookup); err == nil && p.Type() != expr.TextType {
			p.Number(1)
		}
	})
}
