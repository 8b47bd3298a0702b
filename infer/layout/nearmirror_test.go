package layout_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/layout"
	"achilles/sim/rng"
)

// TestNearMirrors names the near mirrors of layouts, in which it can be folded or (beside) not, and checks that a density that is folded in one is the same at both images, that it is the sum of
// the densities there, and its gradient, in coordinates between scores and values.
func TestNearMirrors(t *testing.T) {
	const two = "[capability]\na = { prior = \"normal(0, 2)\" }\nb = { prior = \"normal(0, 2)\" }\n"
	const slopes = "[capability]\na = { prior = \"normal(0, 1)\" }\n[item]\nslope = { prior = \"normal(level, spread)\" }\n[shared]\nspread = { prior = \"halfnormal(1)\" }\n"
	for _, c := range []struct {
		parameters, p, want string
	}{
		{slopes + "level = { prior = \"halfnormal(1)\" }\n", "logistic(slope*a - d)", "beside -a -slope"},
		{slopes + "level = { prior = \"normal(0.5, 1)\" }\n", "logistic(slope*a - d)", "-a -level -slope"},
		{slopes + "level = { prior = \"normal(0, 1)\" }\n", "logistic(slope*a - d)", ""},
		{two + "[shared]\nw = { prior = \"beta(2, 3)\" }\n", "mix(w, logistic(a - d), logistic(b - d))", "-w a=b"},
		{"[shared]\na = { prior = \"normal(1, 2)\" }\n[capability]\nb = { prior = \"normal(0, 1)\" }\n", "logistic(abs(a) + b - d)", "-a"},
		{"[capability]\na = { prior = \"normal(1, 2)\" }\n", "logistic(abs(a) - d)", ""},
		{"[capability]\na = { prior = \"normal(mu, 1)\" }\n[shared]\nmu = { prior = \"normal(1, 1)\" }\n", "logistic(a - d)", ""},
	} {
		cells := tableOf(t, c.parameters, c.p)
		near := cells.NearMirrors()
		names := ""
		for _, m := range near {
			if !m.Follows() {
				names += "beside "
			}
			names += m.Names(cells.Joint().Layout())
		}
		if names != c.want {
			t.Errorf("%s%s has near mirrors %q, want %q", c.parameters, c.p, names, c.want)
		}
		if len(near) == 0 || !near[0].Follows() {
			continue
		}
		j := cells.Joint()
		all := slices.Repeat([]bool{true}, len(j.Layout().Parameters))
		plain, folded := cells.NewTarget(all, 1), cells.NewTarget(all, 1)
		layout.Fold(folded, near)
		r := rng.Stream(1, "points")
		q, image, grad := make([]float64, j.Len()), make([]float64, j.Len()), make([]float64, j.Len())
		for range 3 {
			for i := range q {
				q[i] = 0.5 * r.Norm()
			}
			near[0].Image(j, q, image)
			both := math.Log(math.Exp(plain.LogDensity(q, grad)-plain.LogDensity(image, grad))+1) + plain.LogDensity(image, grad)
			if here, there := folded.LogDensity(q, grad), folded.LogDensity(image, grad); !(math.Abs(here-there) <= 1e-9*math.Abs(here) && math.Abs(here-both) <= 1e-9*math.Abs(here)) {
				t.Errorf("%s: the folded log density is %.12g, at the image %.12g, and the sum %.12g", names, here, there, both)
			}
			infertest.CheckGradient(t, folded, q, 1e-6)
			shares := make([]float64, j.Len())
			for i := range shares {
				shares[i] = r.Float64()
			}
			between := cells.NewTarget(all, 1)
			between.Centre(shares)
			layout.Fold(between, near)
			infertest.CheckGradient(t, between, q, 1e-6)
		}
	}
}
