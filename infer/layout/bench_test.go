package layout_test

import (
	"math"
	"testing"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// BenchmarkGradient measures one gradient of the op layout on the paper's battery of 447 distinct rows: by the compiled
// plan, and by code that goes through the 2188 responses one by one. TestPerObservation checks that the two agree.
//
//	go test ./infer/layout -run xxx -bench Gradient -count 10
func BenchmarkGradient(b *testing.B) {
	items := releasedBattery(b)
	d := bind(b, shipped(b, "op"), items, success)
	if d.Rows() != 447 {
		b.Fatalf("%d distinct rows", d.Rows())
	}
	r := rng.Stream(31, "bench")
	responses := d.Simulate([]float64{20, 3, 4, 40, 0.7, 0.9, 0.8, 0.3, 0.1}, &r)
	tg := target(b, d, responses)
	n := tg.Dim()
	q, z, grad := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range q {
		q[i] = 0.3 * float64(i-4)
		z[i] = 0.4 * float64(i-4)
	}
	o := newPerObservation(items, responses)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"plan", func() { tg.LogDensity(q, grad) }}, {"planLikelihood", func() { tg.LogLikelihood(z) }}, {"perObservation", func() { o.LogDensity(q, grad) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.f()
			}
		})
	}
}

// perObservation computes the log density of the op layout and its gradient with formulas written by hand, response by
// response. Its slices have one value for each response. nu is the share of failures.
type perObservation struct {
	time, pos, size, dist, side, lava, ramp, platform, occ, y []float64
	nu                                                        float64
}

func newPerObservation(items *record.Items, responses []record.Response) *perObservation {
	col := func(name string) (out []float64) {
		c, _ := items.Column(name)
		for _, r := range responses {
			out = append(out, c.Number[r.Item])
		}
		return out
	}
	o := &perObservation{
		time: col("timeUnderOcclusion"), pos: col("numPositions"), size: col("goalSize"), dist: col("goalDistance"), side: col("rightLeft"),
		lava: col("lava"), ramp: col("ramp"), platform: col("platform"), occ: col("occluder"), nu: 1 - meanOf(responses),
	}
	for _, r := range responses {
		o.y = append(o.y, r.Value)
	}
	return o
}

// LogDensity returns the log density at q and writes the gradient to g. The order is op, memory, visual, flatNav, lava,
// platform, ramp, rightLeft, noise.
func (o *perObservation) LogDensity(q, g []float64) float64 {
	s := func(i int) float64 { return logistic(q[i]) }
	memory := 4.8 * s(1)
	op, visual, flatNav := 11*memory*s(0), 6*s(2), 56*s(3)
	lava, platform, ramp, bias, noise := s(4), s(5), s(6), q[7], s(8)
	l := -0.5*bias*bias - 0.5*math.Log(2*math.Pi)
	var dOp, dMemory, dVisual, dFlatNav, dLava, dPlatform, dRamp, dBias, dNoise float64
	for i, y := range o.y {
		nav := logistic(flatNav - o.dist[i] + bias*o.side[i])
		vis := logistic(visual - (5 - o.size[i]))
		mem := logistic(memory - o.time[i])
		opP := logistic(52.8 - (52.8-(op-4*o.pos[i]))*o.occ[i])
		lavaP, platformP, rampP := 1-(1-lava)*o.lava[i], 1-(1-platform)*o.platform[i], 1-(1-ramp)*o.ramp[i]
		p := nav * vis * mem * opP * lavaP * platformP * rampP
		r := (1-noise)*p + noise*o.nu
		u := 1 / r
		if y == 1 {
			l += math.Log(r)
		} else {
			l += math.Log(1 - r)
			u = -1 / (1 - r)
		}
		dNoise += u * (o.nu - p)
		u *= (1 - noise) * p // ∂l/∂log p
		dFlatNav += u * (1 - nav)
		dBias += u * (1 - nav) * o.side[i]
		dVisual += u * (1 - vis)
		dMemory += u * (1 - mem)
		dOp += u * (1 - opP) * o.occ[i]
		dLava += u / lavaP * o.lava[i]
		dPlatform += u / platformP * o.platform[i]
		dRamp += u / rampP * o.ramp[i]
	}
	dMemory += dOp * 11 * s(0)
	for i, slope := range []float64{dOp * 11 * memory, dMemory * 4.8, dVisual * 6, dFlatNav * 56, dLava, dPlatform, dRamp, 0, dNoise} {
		x := s(i)
		g[i] = slope*x*(1-x) + 1 - 2*x
		if i != 7 {
			l += math.Log(x) + math.Log(1-x)
		}
	}
	g[7] = dBias - bias
	return l
}

func TestPerObservation(t *testing.T) {
	items, subjects := opBattery(t)
	d := bind(t, shipped(t, "op"), items, success)
	for _, s := range []int{0, 10, 20} {
		tg, o := target(t, d, subjects[s]), newPerObservation(items, subjects[s])
		q, a, b := make([]float64, 9), make([]float64, 9), make([]float64, 9)
		for k := range 20 {
			for i := range q {
				q[i] = math.Sin(float64(9*k+i)) * 2
			}
			if x, y := tg.LogDensity(q, a), o.LogDensity(q, b); !near(x, y, 1e-11) {
				t.Fatalf("log density %.17g, by observation %.17g", x, y)
			}
			for i := range a {
				if !near(a[i], b[i], 1e-10) {
					t.Fatalf("gradient %g, by observation %g", a, b)
				}
			}
		}
	}
}
