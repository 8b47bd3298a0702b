package joint_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestCoordinates checks the coordinates in which NUTS moves where the posterior is nearly normal: gradients are right, and at the
// middle the curvature is about the identity in single directions and, which no scales of single values give, in those in which all
// abilities and difficulties move together. Chains begin apart.
func TestCoordinates(t *testing.T) {
	const subjects, n = 80, 50
	_, j, c := simulated(t, hierarchical, subjects, n, "coordinates")
	d, starts, approximated, err := joint.Prepare(c)
	if err != nil || !approximated {
		t.Fatalf("no normal approximation (%v)", err)
	}
	r := rng.Stream(4, "directions")
	x := make([]float64, j.Len())
	infertest.CheckGradient(t, d, starts[0], 1e-6)
	along := func(direction []float64) float64 {
		const step = 0.05
		up, down := make([]float64, len(x)), make([]float64, len(x))
		for _, side := range []struct {
			by   float64
			grad []float64
		}{{step, up}, {-step, down}} {
			for i, v := range direction {
				x[i] = side.by * v
			}
			d.LogDensity(x, side.grad)
		}
		return (num.Dot(down, direction) - num.Dot(up, direction)) / (2 * step * num.Dot(direction, direction))
	}
	for range 20 {
		v := make([]float64, len(x))
		for i := range v {
			v[i] = r.Norm()
		}
		if b := along(v); !(math.Abs(b-1) <= 0.1) {
			t.Errorf("curvature %.3f in a random direction, want 1", b)
		}
	}
	const spreads = 2 // their coordinates come first, and are of unit spread when all others are integrated out
	for i := spreads; i < len(x); i++ {
		v := make([]float64, len(x))
		v[i] = 1
		if b := along(v); !(b > 0.4 && b < 2.5) {
			t.Errorf("curvature %.3f along coordinate %d, want about 1", b, i)
		}
	}
	for i, s := range starts {
		if size := math.Sqrt(num.Dot(s, s) / float64(len(s))); !(math.Abs(size-2) <= 0.3) {
			t.Errorf("chain %d begins %.2f standard deviations from the middle, want 2", i, size)
		}
	}
}

// TestLocate checks the way back from values to coordinates: with more subjects, with more items, and where climbs end at several peaks.
func TestLocate(t *testing.T) {
	_, _, c := simulated(t, hierarchical, 12, 9, "locate")
	_, _, more := simulated(t, hierarchical, 5, 14, "locate")
	for name, of := range map[string]*layout.Cells{"normal": c, "items": more, "scales": mirror(t, 0.001)} {
		d, starts, _, err := joint.Prepare(of)
		if err != nil {
			t.Fatal(err)
		}
		x := slices.Clone(starts[0])
		if approximated := d.Locate(x); approximated == (name == "scales") {
			t.Errorf("%s: a normal approximation: %v", name, approximated)
		}
		for i, want := range starts[0] {
			if !(math.Abs(x[i]-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%s: coordinate %d is %.12g, and %.12g by its values", name, i, want, x[i])
			}
		}
	}
}

// TestScaledCoordinates checks that NUTS takes scaled coordinates where climbs end at several peaks, of which no normal approximation knows,
// and that chains then begin at more than one of them.
func TestScaledCoordinates(t *testing.T) {
	d, starts, approximated, err := joint.Prepare(mirror(t, 0.001))
	if err != nil || approximated {
		t.Fatalf("a normal approximation of two modes (%v)", err)
	}
	infertest.CheckGradient(t, d, starts[0], 1e-6)
	sides := map[bool]int{}
	theta := make([]float64, d.Dim())
	for _, x := range starts {
		d.Constrain(x, theta)
		mean := 0.0
		for k := range 10 { // the slopes of items that the first half of the subjects pass
			mean += theta[20+2*k]
		}
		sides[mean > 0]++
	}
	if len(sides) < 2 {
		t.Errorf("all chains begin around one mode: %v", sides)
	}
}

// TestSmallTable fits a table of 12 × 5, whose spread may be close to 0, from several seeds: chains agree, nothing diverges, and the
// work does not depend on the seed. Means are those of independent Metropolis chains (2 × 60,000).
func TestSmallTable(t *testing.T) {
	j := bind(t, shippedText(t, "rasch"), battery(5, nil), 12, record.Binary)
	table := []string{"00000", "00000", "10000", "00001", "11000", "00011", "11100", "00111", "11110", "01111", "11111", "11111"}
	var responses []record.Response
	for s, row := range table {
		for i, x := range row {
			responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Value: float64(x - '0')})
		}
	}
	c := cells(t, j, responses)
	seeds := 2
	if longtest.On() {
		seeds = 20
	}
	var work []float64
	diverged, draws := 0, 0
	for seed := range seeds {
		p, err := joint.Sample(t.Context(), c, joint.Default(), uint64(501+seed))
		if err != nil {
			t.Fatal(err)
		}
		for k, s := range p.Summaries {
			if !(s.RHat <= 1.01) {
				t.Errorf("seed %d: R-hat of %s is %.4f", 501+seed, p.Parameters[k], s.RHat)
			}
		}
		for _, chain := range p.Chains {
			diverged, draws = diverged+len(chain.Divergent), draws+len(p.Draws[0])
		}
		work = append(work, float64(p.Work.Gradients))
		for k, want := range map[int]float64{0: -2.43, 2: -1.19, 4: -0.37, 6: 0.36, 8: 1.19, 10: 2.42, 17: 2.00} {
			if s := p.Summaries[k]; !(math.Abs(s.Mean-want) <= 0.2) { // five standard errors at an effective sample size of 1,000
				t.Errorf("seed %d: %s is %.2f, want %.2f", 501+seed, p.Parameters[k], s.Mean, want)
			}
		}
	}
	slices.Sort(work)
	if w := (work[len(work)-1] - work[0]) / work[len(work)/2]; !(w < 0.2) {
		t.Errorf("gradients differ by %.0f %%: %v", 100*w, work)
	}
	if !(float64(diverged) <= 0.001*float64(draws)) {
		t.Errorf("%d of %d draws diverged", diverged, draws)
	}
}

// TestCentring checks that coordinates are the nearer to values the more responses tell of these: with a prior of standard deviation 1 the share is
// I/(1 + I), and the information I of n responses is n·p(1 − p), from 0.07·n where p is 0.08 to 0.25·n.
func TestCentring(t *testing.T) {
	text := strings.Replace(concave("p = \"logistic(ability - difficulty)\"\n"), "normal(mu, sigma)\" }", "normal(mu, 1)\" }", 1)
	text = strings.Replace(text, "sigma = { prior = \"halfnormal(1)\" }\n", "", 1)
	for _, n := range []int{3, 60} {
		j := bind(t, text, battery(6, nil), n, record.Binary)
		r := rng.Stream(3, "centring")
		var responses []record.Response
		for s := range n {
			for i := range 6 {
				responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Value: float64(r.IntN(2))})
			}
		}
		shares, err := joint.Centring(t.Context(), cells(t, j, responses))
		if err != nil {
			t.Fatal(err)
		}
		low, high := 0.07*float64(n), 0.25*float64(n)
		for i := range 6 {
			if share := shares[j.First(1)+i]; !(share >= low/(1+low) && share <= high/(1+high)) {
				t.Errorf("%d responses: share %.3f, want %.3f to %.3f", n, share, low/(1+low), high/(1+high))
			}
		}
		if shares[0] != 1 {
			t.Errorf("%d responses: abilities, whose prior is fixed, have a share of %.3f", n, shares[0])
		}
	}
}
