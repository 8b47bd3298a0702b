package chargrid_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"achilles/infer/chargrid"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

func TestBootstrapDoesNotDependOnJobs(t *testing.T) {
	r := rng.Stream(7, "jobs")
	tb := random(&r, false)
	var want string
	for _, jobs := range []int{1, 2, 5} {
		b := chargrid.DefaultBootstrap(3)
		b.Replicates, b.Jobs = 40, jobs
		cs, err := chargrid.Correlate(context.Background(), tb, chargrid.All(), b)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(cs); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d jobs:\n%s\nwant\n%s", jobs, got, want)
		}
	}
}

// TestSetsAreSubtables checks that the results for a set of subjects are those of a table that has no other subjects.
func TestSetsAreSubtables(t *testing.T) {
	r := rng.Stream(8, "sets")
	tb := random(&r, true)
	var rows []int32
	for i, s := range tb.Subject {
		if s < 3 {
			rows = append(rows, int32(i))
		}
	}
	b := chargrid.DefaultBootstrap(3)
	b.Replicates = 5
	group := chargrid.Set{Name: "first three", Weight: []float64{1, 1, 1, 0, 0, 0}}
	got, err := chargrid.Correlate(context.Background(), tb, group, b)
	if err != nil {
		t.Fatal(err)
	}
	alone := tb.Subset(rows)
	alone.Subjects = tb.Subjects[:3]
	want, err := chargrid.Correlate(context.Background(), alone, chargrid.Set{Name: "first three"}, b)
	if err != nil {
		t.Fatal(err)
	}
	for k := range got {
		same(t, "Pearson", got[k].Pearson.Value, want[k].Pearson.Value)
		same(t, "Spearman", got[k].Spearman.Value, want[k].Spearman.Value)
		same(t, "responses", got[k].Responses, want[k].Responses)
		same(t, "interval", got[k].Pearson.Cluster.Low, want[k].Pearson.Cluster.Low)
	}
}

// TestPercentiles checks that 90 % of the numbers 0 … 100 lie from 5 to 95. Undefined replicates do not count; if too
// many are undefined, there is no interval.
func TestPercentiles(t *testing.T) {
	var x []float64
	for k := range 101 {
		x = append(x, float64(k*37%101))
	}
	i := chargrid.Percentiles(append(x, nan, nan), 50, 0.9)
	same(t, "low", i.Low, 5)
	same(t, "high", i.High, 95)
	if i := chargrid.Percentiles([]float64{1, 2, nan}, 1, 0.9); !math.IsNaN(i.Low) {
		t.Errorf("a third of the replicates is undefined: %+v", i)
	}
	if i := chargrid.Percentiles(x, nan, 0.9); !math.IsNaN(i.Low) {
		t.Errorf("an interval for nothing: %+v", i)
	}
}

func TestReplicatesAreBounded(t *testing.T) {
	r := rng.Stream(9, "work")
	tb := random(&r, true)
	b := chargrid.DefaultBootstrap(1)
	if b.Used(tb) != 1000 {
		t.Errorf("a small table gets %d replicates, want all", b.Used(tb))
	}
	b.MaxWork = 1
	if b.Used(tb) != 100 {
		t.Errorf("%d replicates, want the least", b.Used(tb))
	}
	b.Replicates = 7
	if b.Used(tb) != 7 {
		t.Errorf("%d replicates, want what was asked for", b.Used(tb))
	}
}

// TestClusterCoverage checks intervals if subjects differ in how strongly success depends on the feature, so that
// responses of a subject are not independent. The cluster interval must contain the true mean slope about as often as it
// says. Fisher's interval of the correlation must contain it less often; this is the reason why both are shown. The
// percentile bootstrap of 40 subjects covers a little less than nominally, so that the test demands 0.90 of a 95 %
// interval, with tolerance z·√(0.9·0.1/n) at z = 4.8.
func TestClusterCoverage(t *testing.T) {
	n, root := 150, uint64(1)
	if longtest.On() {
		n = 1500
	}
	hits, fisher := 0.0, 0.0
	for k := range n {
		r := rng.Stream(root, "coverage", fmt.Sprint(k))
		lines, x := make([]string, 40), make([]float64, 60)
		for i := range x {
			x[i] = float64(i%5)/2 - 1
		}
		for s := range lines {
			slope := 0.15 + 0.15*(2*r.Float64()-1) // probability 0.5 + slope·x stays within [0.2, 0.8]
			for i := range x {
				lines[s] += string('0' + byte(b2i(r.Bernoulli(0.5+slope*x[i]))))
			}
		}
		tb := drawn(lines, map[string][]float64{"x": x}, "x")
		b := chargrid.DefaultBootstrap(uint64(k))
		b.Replicates = 300
		cs, err := chargrid.Correlate(context.Background(), tb, chargrid.All(), b)
		if err != nil {
			t.Fatal(err)
		}
		const truth = 0.15
		if c := cs[0].Line.Slope.Cluster; c.Low <= truth && truth <= c.High {
			hits++
		}
		rho := truth * math.Sqrt(0.5) / 0.5 // slope · sd of x / sd of success
		if f := cs[0].Pearson.Fisher; f.Low <= rho && rho <= f.High {
			fisher++
		}
	}
	m := float64(n)
	if got := hits / m; got < 0.90-4.8*math.Sqrt(0.09/m) {
		t.Errorf("cluster intervals hold the slope in %.3f of the tables", got)
	}
	if fisher >= hits {
		t.Errorf("Fisher's interval covers %.3f, the cluster interval %.3f: there is no clustering in this test", fisher/m, hits/m)
	}
	t.Logf("coverage: cluster %.3f, Fisher %.3f", hits/m, fisher/m)
}
