package figure

import (
	"math"
	"testing"

	"achilles/scenarios/score"
)

// TestSquares checks the error of two results by hand: 0.3 in two subjects and 0.6 in one, and 0.3 in one subject. The mean
// square is (2·0.09 + 0.36 + 0.09)/4.
func TestSquares(t *testing.T) {
	result := func(errors map[string]score.Recovery) *Material {
		return &Material{Scores: &score.Scores{Recovery: map[string]map[string]score.Recovery{"overall": errors}}}
	}
	var s squares
	s.add(result(map[string]score.Recovery{"op": {N: 2, RMSE: 0.3}, "lava": {N: 1, RMSE: 0.6}}))
	s.add(result(map[string]score.Recovery{"op": {N: 1, RMSE: 0.3}}))
	if want := math.Sqrt(0.63 / 4); math.Abs(s.rms()-want) > 1e-12 {
		t.Errorf("%g, want %g", s.rms(), want)
	}
}
