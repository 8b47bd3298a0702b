package score_test

import (
	"math"
	"strings"
	"testing"

	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
)

// TestBodiesAreRecovered draws eight bodies, for layouts of errors four with 480 items, from the prior of each layout of bodies on each of -seeds seeds, lets them act, and logs for every
// parameter the RMSE of posterior means as a proportion of the maximum, beside the standard deviation of the truths, and how many truths central
// 50 and 90 % intervals hold. The bounds on these numbers are exact binomial ones: all checks of a layout together fail for a right program in
// one run of a million.
func TestBodiesAreRecovered(t *testing.T) {
	longtest.Only(t, "takes a minute a layout and seed; -seeds 20 -from 501 for twenty seeds")
	for _, name := range []string{"permanence", "comparative", "radial", "physical", "permanence-errors", "physical-errors"} {
		t.Run(name, func(t *testing.T) { bodiesAreRecovered(t, name) })
	}
}

func bodiesAreRecovered(t *testing.T, layout string) {
	scenario, errors := strings.CutSuffix(layout, "-errors")
	text := string(shippedFile(t, scenario+".toml"))
	settings := []string{"population[0].count=8", "responses.trajectories=false"}
	if errors { // which cost twice as much
		settings = append(settings, "population[0].count=4", "battery.items=480")
	}
	for _, setting := range settings {
		var err error
		if text, err = scene.Override("f", text, setting); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := scene.Parse(scenario+".toml", text)
	if err != nil {
		t.Fatal(err)
	}
	type sums struct {
		n, half, most         int
		errors, truth, truth2 float64
	}
	all, names := map[string]*sums{}, []string(nil)
	for root := *verdictFrom; root < *verdictFrom+uint64(*verdictSeeds); root++ {
		subjects, profiles := measureBlind(t, text, layout, root)
		for _, p := range profiles {
			if all[p.Parameter] == nil {
				all[p.Parameter], names = &sums{}, append(names, p.Parameter)
			}
			whole := parsed.Scale[p.Parameter]
			if whole == 0 {
				whole = 1
			}
			s, x := all[p.Parameter], subjects[p.Subject].Body[0].Trait[p.Parameter]
			e := (p.Mean - x) / whole
			s.n, s.errors, s.truth, s.truth2 = s.n+1, s.errors+e*e, s.truth+x/whole, s.truth2+x*x/whole/whole
			s.half += one(p.Q25 <= x && x <= p.Q75)
			s.most += one(p.Q5 <= x && x <= p.Q95)
		}
	}
	var total sums
	t.Logf("%-12s %4s  RMSE truth   50 %%  90 %%", "parameter", "of")
	for _, name := range names {
		s := all[name]
		n := float64(s.n)
		total.n, total.half, total.most = total.n+s.n, total.half+s.half, total.most+s.most
		t.Logf("%-12s %4d %.3f %.3f %5d %5d", name, s.n, math.Sqrt(s.errors/n), math.Sqrt(s.truth2/n-s.truth*s.truth/n/n), s.half, s.most)
		for _, x := range []struct {
			held    int
			nominal float64
		}{{s.half, 0.5}, {s.most, 0.9}} {
			if i := score.ClopperPearson(x.held, s.n, 1-1e-6/float64(2*len(names))); x.nominal < i[0] || x.nominal > i[1] {
				t.Errorf("%s: %.0f %% intervals hold the truth of %d of %d bodies", name, 100*x.nominal, x.held, s.n)
			}
		}
	}
	t.Logf("%-12s %4d             %5d %5d", "all", total.n, total.half, total.most)
}
