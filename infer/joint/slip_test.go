package joint_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/posterior"
	"achilles/sim/num"
	"achilles/sim/record"
)

// TestFarSlip fits a subject who passes all 57 items up to a distance of 49 but for one slip, alone and in a table with a shared parameter
// that does nothing. The mean and the evidence are those of a sum over a fine grid: 48.50 and −51.71 where the slip is at distance 2, a
// margin of 46. The last slip is at a margin of 480. A mean off by 5 standard errors, or an evidence off by 6, has a probability below 1e-6.
func TestFarSlip(t *testing.T) {
	const text = "name = \"nat\"\n[metafeature]\nd = { column = \"d\", range = [0, 560] }\n[capability]\nnavigation = { prior = \"uniform(0, 560)\" }\n%[response.y]\np = \"logistic(navigation - d)\"\n"
	alone := strings.Replace(strings.Replace(text, "%", "", 1), "560", "56", 2)
	shared := strings.Replace(strings.Replace(text, "%", "[shared]\nnothing = { prior = \"normal(0, 1)\" }\n", 1), "- d", "- d + 0*nothing", 1)
	for _, c := range []struct {
		slip  int
		scale float64
	}{{-1, 1}, {20, 1}, {2, 1}, {2, 10}} {
		d := make([]float64, 57)
		var rs []record.Response
		for i := range d {
			d[i] = c.scale * float64(i)
			y := 0.0
			if i < 50 && i != c.slip {
				y = 1
			}
			rs = append(rs, record.Response{Item: int32(i), Value: y})
		}
		width := 56 * c.scale
		mean, variance, evidence := slipByGrid(d, rs, width)
		if c.slip == 2 && c.scale == 1 && !(math.Abs(mean-48.50) < 0.005 && math.Abs(evidence+51.71) < 0.005) {
			t.Fatalf("the grid has mean %.3f and log evidence %.3f", mean, evidence)
		}
		items := battery(57, map[string][]float64{"d": d})
		layouts := [2]string{alone, shared}
		if c.scale == 10 {
			layouts[0] = strings.Replace(text, "%", "", 1)
		} else {
			layouts[1] = strings.Replace(shared, "560", "56", 2)
		}
		design, err := parse(t, layouts[0]).Bind(items, []record.Measure{{Name: "y", Family: record.Binary}})
		if err != nil {
			t.Fatal(err)
		}
		data, err := design.NewData(rs)
		if err != nil {
			t.Fatal(err)
		}
		single, err := posterior.Fit(context.Background(), func() posterior.Problem { return design.NewTarget(data) }, []string{"navigation"}, posterior.Default(), 501, "slip")
		if err != nil {
			t.Fatal(err)
		}
		config := joint.Default()
		config.Warmup, config.Draws = 300, 500
		all, err := joint.Fit(context.Background(), cells(t, bind(t, layouts[1], items, 1, record.Binary), rs), config, 501, "slip")
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range []*posterior.Posterior{single, all} {
			s := p.Summaries[0]
			if math.Abs(s.Mean-mean) > 5*s.MCSEMean || math.Abs(s.SD/math.Sqrt(variance)-1) > 0.2 {
				t.Errorf("slip at %d, scale %g, fit %d: %.3f ± %.3f (MCSE %.3f), want %.3f ± %.3f", c.slip, c.scale, k, s.Mean, s.SD, s.MCSEMean, mean, math.Sqrt(variance))
			}
		}
		if !(math.Abs(single.LogEvidence-evidence) < 6*single.LogEvidenceError+0.01) {
			t.Errorf("slip at %d, scale %g: log evidence %.3f ± %.3f, want %.3f", c.slip, c.scale, single.LogEvidence, single.LogEvidenceError, evidence)
		}
	}
}

// slipByGrid returns the mean and variance of navigation, uniform from 0 to width, and the log evidence.
func slipByGrid(d []float64, rs []record.Response, width float64) (mean, variance, evidence float64) {
	const n = 1 << 16
	var logs []float64
	for k := range n {
		a, l := width*(float64(k)+0.5)/n, 0.0
		for i, r := range rs {
			x := a - d[i]
			if r.Value == 0 {
				x = -x
			}
			l -= math.Max(-x, 0) + math.Log1p(math.Exp(-math.Abs(x)))
		}
		logs = append(logs, l)
	}
	total := num.LogSumExp(logs)
	square := 0.0
	for k, l := range logs {
		a := width * (float64(k) + 0.5) / n
		w := math.Exp(l - total)
		mean += w * a
		square += w * a * a
	}
	return mean, square - mean*mean, total - math.Log(n)
}
