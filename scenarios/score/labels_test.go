package score_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/infer/chargrid"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// labelled returns states, one of each item, a demand with the true levels, and labels of it.
func labelled(truth, label []float64) ([]score.Label, []score.State, []score.JudgedDemand, []string) {
	var labels []score.Label
	var states []score.State
	cluster := make([]string, len(truth))
	for i := range truth {
		id := fmt.Sprint("s", i)
		states = append(states, score.State{ID: id, Item: i})
		if !math.IsNaN(label[i]) {
			labels = append(labels, score.Label{State: id, Demand: "memory", Level: label[i]})
		}
		cluster[i] = id
	}
	return labels, states, []score.JudgedDemand{{Feature: record.Feature{Name: "memory"}, Values: truth}}, cluster
}

// spread returns states by truth and label, from a table of counts whose rows are true levels.
func spread(counts [][]int) (truth, label []float64) {
	for x, row := range counts {
		for y, n := range row {
			for range n {
				truth, label = append(truth, float64(x)), append(label, float64(y))
			}
		}
	}
	return truth, label
}

func gradeOne(t *testing.T, truth, label []float64) score.Agreement {
	t.Helper()
	got, err := score.GradeLabels(labelled(truth, label))
	if err != nil || len(got) != 1 {
		t.Fatalf("%v %v", got, err)
	}
	return got[0]
}

// TestLabelsByHand grades two tables that were worked by hand.
//
// Two levels, 20 and 5 in the first row, 10 and 15 in the second: agreement 35/50, by chance 1/2, so that kappa is 0.4, whatever the
// weights. Its standard error by Fleiss, Cohen and Everitt (1969) is √(Σ terms/50)/0.5: with margins of .5, .5 and .6, .4 the terms are
// .4(1 − 1.1·.6)² + .3(1 − .9·.6)² = .10972, .36·(.1·1.1² + .2·.9²) = .10188, less (.4 − .5·.6)² = .01, in all .2016, so that it is
// .0635/.5 = .12699.
//
// Three levels: rows 2 1 0; 0 2 1; 1 0 3 of 10. Squared differences observed: 1 + 1 + 4 = 6, or .6; expected with margins .3 .3 .4 and
// .3 .3 .4: .09 + .12·4 + .09 + .12 + .12·4 + .12 = 1.38; kappa = 1 − .6/1.38 = .5652.
func TestLabelsByHand(t *testing.T) {
	truth, label := spread([][]int{{20, 5}, {10, 15}})
	a := gradeOne(t, truth, label)
	within(t, "kappa", a.Kappa, 0.4, 1e-12)
	within(t, "agreement", a.Exact, 0.7, 1e-12)
	within(t, "bias", a.Bias, -0.1, 1e-12)
	half := 2.009575237 * 0.12699606 * math.Sqrt(50.0/49)
	within(t, "lower end of kappa", a.KappaInterval[0], 0.4-half, 1e-4)
	within(t, "upper end of kappa", a.KappaInterval[1], 0.4+half, 1e-4)
	truth, label = spread([][]int{{2, 1, 0}, {0, 2, 1}, {1, 0, 3}})
	a = gradeOne(t, truth, label)
	within(t, "kappa", a.Kappa, 1-0.6/1.38, 1e-12)
	within(t, "agreement", a.Exact, 0.7, 1e-12)
	if len(a.Confusion) != 6 || a.Confusion[1] != (score.Confused{Demand: "memory", Truth: 0, Label: 1, N: 1, Of: 3}) {
		t.Errorf("confused are %+v", a.Confusion)
	}
}

func within(t *testing.T, what string, got, want, most float64) {
	t.Helper()
	if !(math.Abs(got-want) <= most) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestFewLabels checks that intervals of few labels stay within what is possible. Of one label of three that is right the interval by Student's t
// would be 1/3 ± 4.303·√(2/3·3/2)/3, far below 0 and above 1.
func TestFewLabels(t *testing.T) {
	a := gradeOne(t, []float64{0, 1, 2}, []float64{0, 2, 1})
	if i := a.ExactInterval; math.Abs(a.Exact-1.0/3) > 1e-12 || i == nil || *i != (score.Interval{0, 1}) {
		t.Errorf("agreement %v %v", a.Exact, a.ExactInterval)
	}
	for _, i := range []*score.Interval{a.KappaInterval, a.RankInterval} {
		if i == nil || i[0] < -1 || i[1] > 1 {
			t.Errorf("intervals of kappa %v and rank %v", a.KappaInterval, a.RankInterval)
		}
	}
	if a = gradeOne(t, []float64{0, 1, 2}, []float64{0, 1, 2}); a.ExactInterval == nil || math.Abs(a.ExactInterval[0]-math.Cbrt(.025)) > 1e-9 || a.ExactInterval[1] != 1 {
		t.Errorf("all right: %v", a.ExactInterval)
	}
}

// TestLabelsLaws checks, over seeds, that the rank correlation is that of another implementation; that a copy of all states does not
// change any number, and not the intervals if the copies are of the same clusters; that labels in another unit change neither
// correlation; and that perfect labels agree perfectly.
func TestLabelsLaws(t *testing.T) {
	for seed := range uint64(30) {
		r := rng.Stream(seed, "labels")
		n := 20 + r.IntN(100)
		truth, label := make([]float64, n), make([]float64, n)
		for i := range truth {
			truth[i] = float64(r.IntN(5))
			label[i] = math.Round(truth[i] + 1.5*r.Norm())
		}
		a := gradeOne(t, truth, label)
		within(t, "rank", a.Rank, chargrid.Spearman(truth, label, nil), 1e-12)
		labels, states, demands, cluster := labelled(truth, label)
		for i := range n {
			states = append(states, score.State{ID: fmt.Sprint("copy", i), Item: i})
			labels = append(labels, score.Label{State: fmt.Sprint("copy", i), Demand: "memory", Level: label[i]})
		}
		both, err := score.GradeLabels(labels, states, demands, cluster)
		if err != nil || both[0].N != 2*n || both[0].Clusters != n {
			t.Fatalf("%+v %v", both, err)
		}
		for _, x := range [][2]*score.Interval{{a.ExactInterval, both[0].ExactInterval}, {a.KappaInterval, both[0].KappaInterval}, {a.RankInterval, both[0].RankInterval}, {a.BiasInterval, both[0].BiasInterval}} {
			within(t, "interval", x[1][0], x[0][0], 1e-9)
			within(t, "interval", x[1][1], x[0][1], 1e-9)
		}
		other := make([]float64, n)
		for i := range other {
			other[i] = 10*label[i] + 3
		}
		within(t, "rank in another unit", gradeOne(t, truth, other).Rank, a.Rank, 1e-12)
		best := gradeOne(t, truth, truth)
		if best.Kappa != 1 || math.Abs(best.Exact-1) > 1e-12 || math.Abs(best.Rank-1) > 1e-12 || best.KappaInterval != nil || best.Bias != 0 {
			t.Errorf("perfect labels: %+v", best)
		}
	}
}

// TestLabelIntervalsAgainstJackknife compares half the width of each interval with what deleting one state after another says, which
// differs from it in the next order of 1/n.
func TestLabelIntervalsAgainstJackknife(t *testing.T) {
	const n = 150
	r := rng.Stream(3, "jackknife")
	truth, label := make([]float64, n), make([]float64, n)
	for i := range truth {
		truth[i] = float64(r.IntN(4))
		label[i] = math.Round(truth[i]*1.3 + r.Norm())
	}
	numbers := func(a score.Agreement) [4]float64 { return [4]float64{a.Exact, a.Kappa, a.Rank, a.Bias} }
	var without [n][4]float64
	var mean [4]float64
	for i := range n {
		less := func(x []float64) []float64 { return append(append([]float64(nil), x[:i]...), x[i+1:]...) }
		without[i] = numbers(gradeOne(t, less(truth), less(label)))
		for k := range mean {
			mean[k] += without[i][k] / n
		}
	}
	a := gradeOne(t, truth, label)
	for k, interval := range []*score.Interval{a.ExactInterval, a.KappaInterval, a.RankInterval, a.BiasInterval} {
		var squares float64
		for i := range n {
			squares += (without[i][k] - mean[k]) * (without[i][k] - mean[k])
		}
		half := 1.976013 * math.Sqrt(squares*(n-1)/n) // t of 149 degrees
		if got := (interval[1] - interval[0]) / 2; math.Abs(got/half-1) > 0.03 {
			t.Errorf("number %d: half an interval is %v, by deletion %v", k, got, half)
		}
	}
}

// TestLabelsUnknown checks what is said of labels that leave a number undefined, and of those that are missing.
func TestLabelsUnknown(t *testing.T) {
	nan := math.NaN()
	a := gradeOne(t, []float64{0, 1, 1, nan, 2}, []float64{1, 1, 1, 1, nan})
	if a.N != 3 || a.Unlabelled != 1 || !math.IsNaN(a.Kappa) || !math.IsNaN(a.Rank) || a.KappaInterval != nil || a.Exact != 2.0/3 {
		t.Errorf("%+v", a)
	}
	labels, states, demands, cluster := labelled([]float64{0, 1}, []float64{0, 1})
	labels[0].At, labels[1].At = "f.csv:2", "f.csv:3"
	for _, c := range []struct {
		change func(x *score.Label)
		want   string
	}{
		{func(x *score.Label) { x.State = "s9" }, `f.csv:3: no state is called "s9"`},
		{func(x *score.Label) { x.Demand = "memry" }, `f.csv:3: "memry" is not a demand that varies: did you mean memory?`},
		{func(x *score.Label) { x.State = "s0" }, "f.csv:3: state s0 has a label of memory already"},
	} {
		wrong := []score.Label{labels[0], labels[1]}
		c.change(&wrong[1])
		if _, err := score.GradeLabels(wrong, states, demands, cluster); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestLabelIntervalsCover checks that intervals cover the numbers of a judge with known confusions, whose states come in clusters that it
// judges alike. With 1000 seeds and a coverage of at least 0.93, a right program has fewer than 897 (a z of 4) once in 30,000 runs.
func TestLabelIntervalsCover(t *testing.T) {
	longtest.Only(t, "takes many seeds")
	const clusters, size, seeds = 150, 4, 1000
	covered := map[string]int{}
	draw := func(r *rng.Rand, clusters int) score.Agreement {
		var labels []score.Label
		var states []score.State
		values, cluster := make([]float64, clusters), make([]string, clusters)
		for c := range clusters {
			values[c], cluster[c] = float64(r.IntN(4)), fmt.Sprint("c", c)
			judgement := values[c]
			if r.Bernoulli(0.4) {
				judgement = float64(r.IntN(4))
			}
			for i := range size {
				id := fmt.Sprint(c, "-", i)
				states = append(states, score.State{ID: id, Item: c})
				own := judgement
				if r.Bernoulli(0.2) {
					own = float64(r.IntN(4))
				}
				labels = append(labels, score.Label{State: id, Demand: "memory", Level: own})
			}
		}
		got, err := score.GradeLabels(labels, states, []score.JudgedDemand{{Feature: record.Feature{Name: "memory"}, Values: values}}, cluster)
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	r := rng.Stream(501, "truth")
	truth := draw(&r, 200_000)
	for seed := range uint64(seeds) {
		r := rng.Stream(510+seed, "cover")
		a := draw(&r, clusters)
		for name, x := range map[string]struct {
			at       float64
			interval *score.Interval
		}{"exact": {truth.Exact, a.ExactInterval}, "kappa": {truth.Kappa, a.KappaInterval}, "rank": {truth.Rank, a.RankInterval}, "bias": {truth.Bias, a.BiasInterval}} {
			if x.interval[0] <= x.at && x.at <= x.interval[1] {
				covered[name]++
			}
		}
	}
	t.Log(covered)
	for name, n := range covered {
		if n < 897 || n > 990 {
			t.Errorf("%s: %d of %d intervals cover", name, n, seeds)
		}
	}
}
