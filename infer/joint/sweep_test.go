package joint_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/sbc"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// several has five parameters of each subject, which share their mean and spread, and a residual of each item. Items tell of one
// parameter each, and of e only its square.
const several = `name = "several"
[metafeature]
kind = { column = "kind", range = [0, 4] }
[capability]
a = { prior = "normal(level, spread)" }
b = { prior = "normal(level, spread)" }
c = { prior = "normal(level, spread)" }
d = { prior = "uniform(0, exp(c))" }
e = { prior = "normal(0, 1)" }
[item]
residual = { prior = "normal(0, 0.5)" }
[shared]
level = { prior = "normal(0, 1)" }
spread = { prior = "halfnormal(1)" }
[performance]
first = "max(0, 1 - kind)*a"
second = "max(0, 1 - abs(kind - 1))*b"
third = "max(0, 1 - abs(kind - 2))*c"
fourth = "max(0, 1 - abs(kind - 3))*d"
fifth = "max(0, kind - 3)*e*e"
[response.y]
family = "normal"
mean = "first + second + third + fourth + fifth + residual"
sd = "0.5"
`

// kinds returns n items whose kinds take turns.
func kinds(n int) *record.Items {
	kind := make([]float64, n)
	for i := range kind {
		kind[i] = float64(i % 5)
	}
	return battery(n, map[string][]float64{"kind": kind})
}

// drawnFrom returns a joint layout with responses that it has drawn at theta.
func drawnFrom(t *testing.T, j *layout.Joint, theta []float64, r *rng.Rand) *layout.Cells {
	t.Helper()
	responses, err := j.Simulate(theta, r)
	if err != nil {
		t.Fatal(err)
	}
	return cells(t, j, responses)
}

// TestSweepsVisitAllModes checks that every chain visits both signs of a parameter of which the responses tell the square alone, about
// equally often, that chains of a small table go on until draws are enough, and that the first draws do not depend on the number of goroutines.
func TestSweepsVisitAllModes(t *testing.T) {
	j := bind(t, several, kinds(10), 3, record.Real)
	r := rng.Stream(5, "modes")
	theta := make([]float64, j.Len())
	j.DrawPrior(&r, theta)
	e := j.First(4)
	theta[e], theta[e+1], theta[e+2] = 1.5, -1.5, 2
	c := drawnFrom(t, j, theta, &r)
	config := joint.Default()
	config.Warmup, config.Draws = 200, 200
	p, err := joint.Fit(t.Context(), c, config, 1, "modes")
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range p.Summaries {
		if len(p.Draws[0]) == config.Draws || !(min(s.ESSBulk, s.ESSTail) >= 400) {
			t.Errorf("%s: effective sample sizes %.0f and %.0f after %d draws of a chain, not half of 800", p.Parameters[k], s.ESSBulk, s.ESSTail, len(p.Draws[0]))
		}
	}
	for s := range 3 {
		for i, chain := range p.Draws {
			positive := 0
			for _, x := range chain {
				if x[e+s] > 0 {
					positive++
				}
			}
			if positive < len(chain)/4 || positive > 3*len(chain)/4 {
				t.Errorf("chain %d, subject %d: %d of %d draws are positive", i, s, positive, len(chain))
			}
		}
	}
	config.Jobs, config.Draws = 4, 10
	few, err := joint.Fit(t.Context(), c, config, 1, "modes")
	if err != nil {
		t.Fatal(err)
	}
	for i := range few.Draws {
		for k := range few.Draws[i] {
			if !slices.Equal(few.Draws[i][k], p.Draws[i][k]) {
				t.Fatalf("draw %d of chain %d differs with four goroutines", k, i)
			}
		}
	}
}

// TestSweepsCalibrated is simulation-based calibration of sweeps, as TestCalibrated is of NUTS on the whole. Draws that are moved by a
// standard deviation must be found.
func TestSweepsCalibrated(t *testing.T) {
	longtest.Only(t, "takes minutes")
	const tables, ranks, alarm = 150, 39, 1e-6
	test := sbc.NewTest(tables, ranks)
	config := joint.Default()
	config.Warmup, config.Draws, config.Jobs = 200, 250, 2
	j := bind(t, several, kinds(10), 6, record.Real)
	right, moved := map[string][]int{}, map[string][]int{}
	for k := range tables {
		r := rng.Stream(uint64(501+k), "sweeps")
		theta := make([]float64, j.Len())
		j.DrawPrior(&r, theta)
		p, err := joint.Fit(t.Context(), drawnFrom(t, j, theta, &r), config, uint64(501+k))
		if err != nil {
			t.Fatal(err)
		}
		for i, par := range j.Layout().Parameters {
			at := j.First(i)
			right[par.Name] = append(right[par.Name], rank(p.Draws, at, theta[at], ranks))
			moved[par.Name] = append(moved[par.Name], rank(p.Draws, at, theta[at]-p.Summaries[at].SD, ranks))
		}
	}
	for par := range right {
		good, bad := test.P(test.Statistic(right[par])), test.P(test.Statistic(moved[par]))
		t.Logf("%s: p = %.3g, moved %.3g", par, good, bad)
		if good < alarm/float64(len(right)) {
			t.Errorf("%s: ranks are not uniform, p = %g", par, good)
		}
		if bad >= alarm/float64(len(right)) {
			t.Errorf("%s: an error is not found, p = %g", par, bad)
		}
	}
}

// TestSweepsOfNormals compares sweeps with the posterior of a hierarchy of normals. A mean that is off by 5 standard errors has a
// probability below 1e-6, and there are 21. Responses tell little, so that what everybody shares moves given scores.
func TestSweepsOfNormals(t *testing.T) {
	const text = `name = "normals"
[metafeature]
kind = { column = "kind", range = [0, 4] }
[capability]
a = { prior = "normal(level, 1)" }
b = { prior = "normal(level, 1)" }
c = { prior = "normal(level, 1)" }
d = { prior = "normal(level, 1)" }
e = { prior = "normal(level, 1)" }
[shared]
level = { prior = "normal(0, 3)" }
[response.y]
family = "normal"
mean = "(kind == 0)*a + (kind == 1)*b + (kind == 2)*c + (kind == 3)*d + (kind == 4)*e"
sd = "4"
`
	const subjects, items = 4, 10
	r := rng.Stream(7, "normals")
	var responses []record.Response
	var mean, count [subjects][5]float64
	for s := range subjects {
		for i := range items {
			y := 4 + float64(s) + float64(4*r.Norm())
			responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Value: y})
			mean[s][i%5] += y
			count[s][i%5]++
		}
	}
	precision, level := 1.0/9, 0.0
	for s := range subjects {
		for k := range 5 {
			mean[s][k] /= count[s][k]
			own := 1 / (1 + 16/count[s][k]) // of the mean of the responses, as one of the level
			precision += own
			level += own * mean[s][k]
		}
	}
	level /= precision
	j := bind(t, text, kinds(items), subjects, record.Real)
	config := joint.Default()
	config.Warmup, config.Draws = 200, 500
	p, err := joint.Fit(t.Context(), cells(t, j, responses), config, 501, "normals")
	if err != nil {
		t.Fatal(err)
	}
	check := func(at int, want float64) {
		if s := p.Summaries[at]; !(math.Abs(s.Mean-want) < 5*s.MCSEMean) || s.MCSEMean > 0.2 {
			t.Errorf("value %d has mean %.3f (MCSE %.3f), want %.3f", at, s.Mean, s.MCSEMean, want)
		}
	}
	check(j.First(5), level)
	for s := range subjects {
		for k := range 5 {
			share := 1 / (1 + 16/count[s][k])
			check(j.First(k)+s, share*mean[s][k]+(1-share)*level)
		}
	}
}
