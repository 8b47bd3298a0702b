package layout_test

import (
	"math"
	"testing"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestPointwiseLogLik checks that the log likelihoods of single responses, block by block, sum to that of all, and compares that of
// two responses of one subject with formulas: counts of different numbers of trials.
func TestPointwiseLogLik(t *testing.T) {
	j, r := bindCounts(t, counts), rng.Stream(1, "pointwise")
	var responses []record.Response
	for s := range int32(2) {
		for rep := range int16(5000) { // numbers of trials make rows, and so two blocks
			n := 1 + int32(rep)
			responses = append(responses, record.Response{Subject: s, Repetition: rep, Trials: n, Value: float64(r.IntN(int(n) + 1))})
		}
	}
	cells, err := j.NewCells(responses, nil)
	if err != nil {
		t.Fatal(err)
	}
	theta := []float64{0.3, -0.8}
	target, sum, last := cells.NewTarget([]bool{true}, 1), 0.0, 0
	for block := range cells.Blocks() {
		from, to := cells.InBlock(block)
		if from != last {
			t.Fatalf("block %d begins with response %d, the one before ends with %d", block, from, last)
		}
		last = to
		out := make([]float64, to-from)
		target.PointwiseLogLik(block, theta, out)
		for _, l := range out {
			sum += l
		}
		p, y, n := 1/(1+math.Exp(1-theta[block])), responses[from+1].Value, 2.0
		want := y*math.Log(p) + (n-y)*math.Log(1-p)
		if y == 1 {
			want += math.Ln2
		}
		if math.Abs(out[1]-want) > 1e-12 {
			t.Errorf("block %d: log likelihood of %g of two trials %g, want %g", block, y, out[1], want)
		}
	}
	if cells.Blocks() != 2 || last != len(responses) {
		t.Errorf("%d blocks of %d responses, want 2 of %d", cells.Blocks(), last, len(responses))
	}
	if want := target.LogLikelihood(theta, make([]float64, 2)); math.Abs(sum-want) > 1e-9*math.Abs(want) {
		t.Errorf("sum %.12g, log likelihood of all %.12g", sum, want)
	}
}
