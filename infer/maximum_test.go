package infer

import (
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/infer/posterior"
)

// TestMaximumRefused checks why engine mml refuses layouts, with the way out.
func TestMaximumRefused(t *testing.T) {
	item := "\n[item]\ndifficulty = { prior = \"normal(0, 1)\" }\n[response.success]\np = "
	for _, c := range []struct{ text, want string }{
		{"[capability]\na = { prior = \"normal(0, 1)\" }\n[response.success]\np = \"logistic(a)\"", "fits subjects separately"},
		{"[capability]\na = { prior = \"normal(0, 1)\" }\nb = { prior = \"normal(0, 1)\" }\nc = { prior = \"normal(0, 1)\" }\nd = { prior = \"normal(0, 1)\" }" + item + "\"logistic(a + b + c + d - difficulty)\"", "a subject has 4 parameters, and at most 3 can be summed out"},
		{"[capability]\na = { prior = \"bernoulli(0.5)\" }" + item + "\"logistic(a - difficulty)\"", "a is binary"},
		{"[metafeature]\nx = { column = \"x\", range = [0, 1] }\n[capability]\na = { prior = \"normal(0, 1)\" }\n[item]\ndifficulty = { prior = \"normal(2*x, 1)\" }\n[response.success]\np = \"logistic(a - difficulty)\"", "the prior of difficulty depends on x"},
		{"[covariate]\nx = { column = \"x\", range = [0, 1] }\n[capability]\na = { prior = \"normal(x, 1)\" }" + item + "\"logistic(a - difficulty)\"", "the covariate x"},
	} {
		l, err := layout.Parse("mine.toml", "name = \"mine\"\n"+c.text)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkEngine(posterior.MML, l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
