package joint_test

import (
	"context"
	"math"
	"strconv"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/sbc"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// TestCalibrated is simulation-based calibration of NUTS (package sbc) by 2pl and by rasch, whose abilities have a spread to be
// inferred, and of engine marginal by dina with two skills: over tables that are drawn from the prior, the ranks of the true values of the
// shared parameters, and of the first unit of the others, must be uniform. The false-alarm rate of all layouts together is 1e-6. Draws that
// are moved by three quarters of their standard deviation must be found, so that the number of tables is enough for that.
func TestCalibrated(t *testing.T) {
	longtest.Only(t, "takes minutes")
	for _, name := range []string{"2pl", "rasch"} {
		t.Run(name, func(t *testing.T) {
			calibrated(t, shippedText(t, name), battery(8, nil), joint.Fit)
		})
	}
	t.Run("dina", func(t *testing.T) { calibrated(t, unknownItems(t), battery(8, needs(8)), joint.Marginal) })
}

// An engine is one of those of package joint.
type engine func(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error)

// calibrated is TestCalibrated of one layout and engine. It looks at parameters that are not binary.
func calibrated(t *testing.T, text string, items *record.Items, fit engine) {
	const tables, ranks, quantities, alarm = 150, 39, 6 + 5 + 4, 1e-6
	test := sbc.NewTest(tables, ranks)
	config := joint.Default()
	config.Warmup, config.Draws, config.Jobs = 300, 250, 2
	right, moved := map[string][]int{}, map[string][]int{}
	for k := range tables {
		theta, j, responses := simulatedOn(t, text, 10, items, strconv.Itoa(501+k))
		p, err := fit(t.Context(), cells(t, j, responses), config, uint64(501+k))
		if err != nil {
			t.Fatal(err)
		}
		for i, par := range j.Layout().Parameters {
			at := j.First(i)
			if par.Binary() {
				continue
			}
			right[par.Name] = append(right[par.Name], rank(p.Draws, at, theta[at], ranks))
			moved[par.Name] = append(moved[par.Name], rank(p.Draws, at, theta[at]-0.75*p.Summaries[at].SD, ranks))
		}
	}
	for par := range right {
		good, bad := test.P(test.Statistic(right[par])), test.P(test.Statistic(moved[par]))
		t.Logf("%s: p = %.3g, moved %.3g", par, good, bad)
		if good < alarm/quantities {
			t.Errorf("%s: ranks are not uniform, p = %g", par, good)
		}
		if bad >= alarm/quantities {
			t.Errorf("%s: an error is not found, p = %g", par, bad)
		}
	}
}

// rank returns how many of n draws, at equal distances over all chains, are below x. Value at of a draw is compared.
func rank(draws [][][]float64, at int, x float64, n int) (below int) {
	all := len(draws) * len(draws[0])
	for i := range n {
		k := int(math.Floor((float64(i) + 0.5) * float64(all) / float64(n)))
		if draws[k%len(draws)][k/len(draws)][at] < x {
			below++
		}
	}
	return below
}
