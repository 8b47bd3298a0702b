package chargrid_test

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"testing"

	"achilles/infer/chargrid"
	"achilles/infer/table"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A population answers items at the levels of a feature: by a common course, an ability and a slope of its own.
type population struct {
	course []float64 // logit of success by level
	spread float64   // standard deviation of the abilities
}

// mean is the success of the whole population at each level, by a sum over abilities.
func (p population) mean() []float64 {
	out := make([]float64, len(p.course))
	for i := range out {
		total, weight := 0.0, 0.0
		for z := -6.0; z <= 6; z += 0.05 {
			w := math.Exp(-z * z / 2)
			total, weight = total+w*num.Logistic(p.course[i]+p.spread*z), weight+w
		}
		out[i] = total / weight
	}
	return out
}

// answers draws a table of subjects, each with so many items per level.
func (p population) answers(r *rng.Rand, subjects, items int) *table.Table {
	lines, x := make([]string, subjects), make([]float64, len(p.course)*items)
	for i := range x {
		x[i] = float64(i / items)
	}
	for s := range lines {
		ability := p.spread * r.Norm()
		for i := range x {
			lines[s] += string('0' + byte(b2i(r.Bernoulli(num.Logistic(p.course[i/items]+ability)))))
		}
	}
	return drawn(lines, map[string][]float64{"x": x}, "x")
}

func spearmanFall(mean []float64) float64 {
	level := make([]float64, len(mean))
	for i := range level {
		level[i] = float64(i)
	}
	return -chargrid.Spearman(level, mean, nil)
}

// TestConformanceIsCovered checks the interval of conformance for few and many values of a feature, few and many
// subjects, flat and steep courses. Percentiles of the resampled conformance hold the truth of 100 values and a steep
// course never. The test demands 0.85 of a 95 % interval in every case (tolerance 3.5·√(.85·.15/n): false alarms below 1
// in 200), and that every interval holds its own estimate.
func TestConformanceIsCovered(t *testing.T) {
	n, cases := 40, [][2]int{{4, 40}, {27, 12}, {60, 12}}
	if longtest.On() {
		n, cases = 200, [][2]int{{4, 12}, {4, 68}, {10, 12}, {10, 68}, {27, 12}, {27, 68}, {100, 12}, {100, 68}}
	}
	for _, c := range cases {
		for _, trend := range []float64{0.3, 3} {
			hits := 0.0
			for k := range n {
				r := rng.Stream(uint64(501+k), "conformance", fmt.Sprint(c, trend))
				p := population{make([]float64, c[0]), 1}
				for i := range p.course {
					p.course[i] = trend*(1-2*float64(i)/float64(c[0]-1)) + 0.7*r.Norm()
				}
				tb := p.answers(&r, c[1], 1)
				b := chargrid.DefaultBootstrap(uint64(k))
				b.Replicates = 200
				cs, err := chargrid.Correlate(context.Background(), tb, chargrid.All(), b)
				if err != nil {
					t.Fatal(err)
				}
				got, truth := cs[0].Conformance, spearmanFall(p.mean())
				if got.Cluster.Low <= truth+1e-12 && truth-1e-12 <= got.Cluster.High {
					hits++
				}
				if got.Value < got.Cluster.Low || got.Value > got.Cluster.High {
					t.Fatalf("%v: the interval %v excludes its own estimate %g", c, got.Cluster, got.Value)
				}
			}
			t.Logf("%3d values, %2d subjects, trend %g: %.3f", c[0], c[1], trend, hits/float64(n))
			if share := hits / float64(n); share < 0.85-3.5*math.Sqrt(0.85*0.15/float64(n)) {
				t.Errorf("%d values, %d subjects, trend %g: intervals hold the conformance in %.3f", c[0], c[1], trend, share)
			}
		}
	}
}

// TestCurveIsCovered checks the intervals of a curve where the responses of a subject are alike: ten items per level,
// abilities of spread 1.5. Wilson's interval of independent responses would hold the truth in about half of the cases.
func TestCurveIsCovered(t *testing.T) {
	n := 60
	if longtest.On() {
		n = 1000
	}
	p := population{[]float64{2, 0, -2}, 1.5}
	hits, all := 0.0, 0.0
	for k := range n {
		r := rng.Stream(uint64(501+k), "curve")
		tb := p.answers(&r, 20, 10)
		a, err := chargrid.NewAxis(&tb.Features[0], chargrid.Binning{})
		if err != nil {
			t.Fatal(err)
		}
		for i, point := range chargrid.NewCurve(tb, &tb.Features[0], &a, chargrid.All(), 0.95).Values {
			if all++; point.Low <= p.mean()[i] && p.mean()[i] <= point.High {
				hits++
			}
		}
	}
	// levels of a table are dependent: the tolerance is that of n tables
	if got := hits / all; math.Abs(got-0.95) > 0.01+3.5*math.Sqrt(0.95*0.05/float64(n)) {
		t.Errorf("intervals hold the mean success in %.3f of the cases", got)
	}
}

// TestShape plants courses. A course that levels off is not one that turns.
func TestShape(t *testing.T) {
	for _, c := range []struct {
		want   chargrid.Shape
		course []float64
	}{
		{chargrid.Peak, []float64{-2, -1, 0, 1, 1, 0, -1, -2}},
		{chargrid.Valley, []float64{2, 1, -1, -1, 1, 2}},
		{chargrid.Falls, []float64{2, 1, 0, -1, -1.5}},
		{chargrid.Rises, []float64{-3, -1, 0.5, 1, 1.2, 1.3, 1.35, 1.4}},
		{chargrid.Unclear, []float64{0, 0, 0, 0, 0}},
	} {
		for seed := uint64(501); seed < 504; seed++ {
			r := rng.Stream(seed, "shape")
			tb := population{c.course, 1}.answers(&r, 60, 4)
			b := chargrid.DefaultBootstrap(seed)
			b.Replicates, b.Level = 300, 0.999
			cs, err := chargrid.Correlate(context.Background(), tb, chargrid.All(), b)
			if err != nil {
				t.Fatal(err)
			}
			if cs[0].Shape != c.want {
				t.Errorf("%v: %s (%v, %v), want %s", c.course, cs[0].Shape, cs[0].Before.Cluster, cs[0].After.Cluster, c.want)
			}
		}
	}
}

// TestShapeByChance: items differ in difficulty, which has nothing to do with their feature: a course is named in about 6 of 100 tables, 5 that
// rise or fall and a few that turn (more than 13 of 120: in fewer than 2 of 100 runs). Over subjects alone it would be two thirds.
func TestShapeByChance(t *testing.T) {
	named := map[chargrid.Shape]int{}
	for k := range 120 {
		r := rng.Stream(501, "shape by chance", strconv.Itoa(k))
		tb := &table.Table{Measure: "success", Binary: true, Features: []table.Feature{{Name: "x"}}}
		ability := make([]float64, 25)
		for s := range ability {
			tb.Subjects, ability[s] = append(tb.Subjects, strconv.Itoa(s)), r.Norm()
		}
		for range 40 {
			tb.Features[0].Value = append(tb.Features[0].Value, float64(r.IntN(20)))
		}
		for i := range 40 {
			tb.Items = append(tb.Items, strconv.Itoa(i))
		}
		difficulty := make([]float64, 40)
		for i := range difficulty {
			difficulty[i] = r.Norm()
		}
		for s, a := range ability {
			for i, d := range difficulty {
				v := 0.0
				if r.Float64() < 1/(1+math.Exp(d-a)) {
					v = 1
				}
				tb.Subject, tb.Item, tb.Value = append(tb.Subject, int32(s)), append(tb.Item, int32(i)), append(tb.Value, v)
			}
		}
		b := chargrid.DefaultBootstrap(501)
		b.Replicates = 200
		cs, err := chargrid.Correlate(context.Background(), tb, chargrid.All(), b)
		if err != nil {
			t.Fatal(err)
		}
		if cs[0].Shape != chargrid.Unclear {
			named[cs[0].Shape]++
		}
	}
	n := 0
	for _, k := range named {
		n += k
	}
	if n > 13 {
		t.Errorf("of 120 tables without a course %d have one: %v", n, named)
	}
	t.Log(named)
}
