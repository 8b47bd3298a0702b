package score_test

import (
	"math"
	"testing"

	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
)

// TestPhysicalIsRecovered draws eight bodies from the prior of the layout physical on each of -seeds seeds, lets them act, and logs for every
// parameter the RMSE of posterior means as a proportion of the maximum, beside that of the prior's mean, and how many truths central 50 and
// 90 % intervals hold. The bounds on these numbers are exact binomial ones: all checks together fail for a right program in one run of a
// million.
func TestPhysicalIsRecovered(t *testing.T) {
	longtest.Only(t, "takes minutes, and -seeds 20 -from 501 for twenty seeds")
	text := string(shippedFile(t, "physical.toml"))
	for _, setting := range []string{"population[0].count=8", "responses.trajectories=false"} {
		var err error
		if text, err = scene.Override("f", text, setting); err != nil {
			t.Fatal(err)
		}
	}
	scale := map[string]float64{"op": 8.4, "memory": 4.8, "retreat": 4.8, "ratio": 7.2, "visual": 3, "flatNav": 80, "rightLeft": 1}
	type sums struct {
		n, half, most int
		square, prior float64
	}
	all, names := map[string]*sums{}, []string(nil)
	for root := *verdictFrom; root < *verdictFrom+uint64(*verdictSeeds); root++ {
		subjects, profiles := measureBlind(t, text, "physical", root)
		for _, p := range profiles {
			if all[p.Parameter] == nil {
				all[p.Parameter], names = &sums{}, append(names, p.Parameter)
			}
			s, x := all[p.Parameter], subjects[p.Subject].Body[0].Trait[p.Parameter]
			e, whole := p.Mean-x, scale[p.Parameter]
			if whole == 0 {
				whole = 1
			}
			middle := map[string]float64{"flatNav": 48, "rightLeft": 0, "noise": 0.1}
			m, ok := middle[p.Parameter]
			if !ok {
				m = whole / 2
			}
			s.n, s.square, s.prior = s.n+1, s.square+e*e/whole/whole, s.prior+(m-x)*(m-x)/whole/whole
			s.half += one(p.Q25 <= x && x <= p.Q75)
			s.most += one(p.Q5 <= x && x <= p.Q95)
		}
	}
	t.Logf("%-9s %4s  RMSE prior   50 %%  90 %%", "parameter", "of")
	for _, name := range names {
		s := all[name]
		n := float64(s.n)
		t.Logf("%-9s %4d %.3f %.3f %5d %5d", name, s.n, math.Sqrt(s.square/n), math.Sqrt(s.prior/n), s.half, s.most)
		for _, x := range []struct {
			held    int
			nominal float64
		}{{s.half, 0.5}, {s.most, 0.9}} {
			if i := score.ClopperPearson(x.held, s.n, 1-1e-6/30); x.nominal < i[0] || x.nominal > i[1] {
				t.Errorf("%s: %.0f %% intervals hold the truth of %d of %d bodies", name, 100*x.nominal, x.held, s.n)
			}
		}
	}
}
