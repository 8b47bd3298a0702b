package joint_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// concave returns a layout of an ability and a difficulty, whose log density is concave given sigma, and so has one maximum.
func concave(response string) string {
	return `name = "concave"
[capability]
ability = { prior = "normal(0, 1)" }
[item]
difficulty = { prior = "normal(mu, sigma)" }
[shared]
mu = { prior = "normal(0, 1)" }
sigma = { prior = "halfnormal(1)" }
[response.y]
` + response
}

// TestOneMaximum checks that climbs that a grid which is too rough has held up, or that have not arrived, are not said to have ended at other
// maxima where there is one.
func TestOneMaximum(t *testing.T) {
	shapes, seeds := [][2]int{{3, 12}, {12, 3}}, uint64(2)
	if longtest.On() { // some minutes
		shapes, seeds = append(shapes, [2]int{4, 40}, [2]int{40, 4}, [2]int{8, 60}, [2]int{60, 8}, [2]int{5, 100}, [2]int{15, 60}), 5
	}
	for what, of := range map[string]struct {
		family   record.Family
		response string
	}{
		"normal":   {record.Real, "family = \"normal\"\nmean = \"ability - difficulty\"\nsd = \"0.3\"\n"},
		"binomial": {record.Count, "family = \"binomial\"\np = \"logistic(ability - difficulty)\"\ntrials = \"50\"\n"},
		"binary":   {record.Binary, "p = \"logistic(ability - difficulty)\"\n"},
	} {
		settled := 0
		for _, shape := range shapes {
			for seed := uint64(506); seed < 506+seeds; seed++ {
				j := bind(t, concave(of.response), battery(shape[1], nil), shape[0], of.family)
				theta := make([]float64, j.Len())
				r := rng.Stream(seed, "concave")
				j.DrawPrior(&r, theta)
				responses, err := j.Simulate(theta, &r)
				if err != nil {
					t.Fatal(err)
				}
				n, err := joint.Elsewhere(t.Context(), cells(t, j, responses), shape[1] > shape[0])
				if err != nil {
					t.Logf("%s, %d × %d, seed %d: %v", what, shape[0], shape[1], seed, err)
					continue
				}
				settled++
				if n > 0 {
					t.Errorf("%s, %d × %d, seed %d: %d climbs are said to end elsewhere", what, shape[0], shape[1], seed, n)
				}
			}
		}
		if settled == 0 {
			t.Errorf("%s: all tables are refused", what)
		}
	}
}

// TestMirroredMaximum checks that climbs that end at the other maximum of two are found, with items summed out.
func TestMirroredMaximum(t *testing.T) {
	text := strings.Replace(concave("p = \"logistic(slope*ability - difficulty)\"\n"), "[shared]", "slope = { prior = \"normal(0, 2)\" }\n[shared]", 1)
	found := 0
	for seed := range 4 {
		_, _, c := simulated(t, text, 4, 24, strconv.Itoa(seed))
		n, err := joint.Elsewhere(t.Context(), c, true)
		if err != nil {
			t.Log(fmt.Sprint("seed ", seed, ": ", err))
		}
		if n > 0 {
			found++
		}
	}
	if found < 2 {
		t.Errorf("a second maximum is found in %d of 4 tables", found)
	}
}
