package posterior_test

import (
	"testing"

	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// TestMissingModes: chains that agree with each other are compared with pilots that may know better.
func TestMissingModes(t *testing.T) {
	rng := rng.Stream(1, "missing")
	normal := func(n int, mean float64) []float64 {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = mean + rng.Norm()
		}
		return xs
	}
	chains := [][]float64{normal(1000, 0), normal(1000, 0), normal(1000, 0), normal(1000, 0)}
	for _, c := range []struct {
		name, why     string
		pilots        []float64
		pilotEvidence float64
		kinds         []posterior.Kind
	}{
		{"same", "as it should be", normal(1600, 0), 0, nil},
		{"lagging", "tempering that has not settled has the evidence too low, never too high", normal(1600, 0), -20, nil},
		{"a second mode", "a tenth of the points where no draw is, ten standard deviations away", append(normal(1440, 0), normal(160, 10)...), 0, []posterior.Kind{posterior.PilotRange}},
		{"a heavy second mode", "two fifths of the points: the mean is off as well", append(normal(960, 0), normal(640, 6)...), 0, []posterior.Kind{posterior.PilotMean, posterior.PilotRange}},
		{"more evidence", "the pilots have met more mass than the chains", normal(1600, 0), 3, []posterior.Kind{posterior.PilotEvidence}},
		{"a little more", "two nats are not counted", normal(1600, 0), 1.5, nil},
	} {
		doubts := posterior.Missing(c.pilots, 16, chains, c.pilotEvidence, 0)
		var kinds []posterior.Kind
		for _, d := range doubts {
			kinds = append(kinds, d.Kind)
		}
		if len(kinds) != len(c.kinds) {
			t.Errorf("%s (%s): doubts %v, want %v", c.name, c.why, doubts, c.kinds)
			continue
		}
		for i := range kinds {
			if kinds[i] != c.kinds[i] {
				t.Errorf("%s (%s): doubts %v, want %v", c.name, c.why, doubts, c.kinds)
			}
		}
	}
}
