package score_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"achilles/infer/trajectory"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/seal"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestDeficitsAreSeenInPaths lets the bodies of physical-deficits act, each of which lacks one ability or takes one shortcut, and logs how
// often their paths alone, given which items they passed, speak most for that: among abilities for the ability, among shortcuts for the shortcut. Which of the two it
// is, where a shortcut leads to the same place, the responses say. With -long it takes -seeds seeds.
func TestDeficitsAreSeenInPaths(t *testing.T) {
	roots, items := []uint64{501}, "battery.items=96"
	if longtest.On() {
		roots, items = nil, "battery.items=480"
		for i := range uint64(*verdictSeeds) {
			roots = append(roots, *verdictFrom+i)
		}
	}
	of, found := map[string]int{}, map[string]int{}
	for _, root := range roots {
		for body, all := range evidenceOf(t, "physical-deficits", root, items) {
			want := behaviourOf(body)
			if want == "" {
				continue
			}
			of[string(want)]++
			own := slices.IndexFunc(all, func(e trajectory.Evidence) bool { return e.Behaviour == want })
			best := slices.MaxFunc(slices.DeleteFunc(slices.Clone(all), func(e trajectory.Evidence) bool {
				return e.Behaviour == trajectory.Seeker || e.Behaviour.Degenerate() != want.Degenerate()
			}), func(a, b trajectory.Evidence) int {
				return cmp.Compare(a.Given, b.Given)
			})
			if all[own].Given > best.Given-0.5 {
				found[string(want)]++
			} else {
				t.Logf("seed %d: %s has %.1f, %s %.1f", root, want, all[own].Given, best.Behaviour, best.Given)
			}
		}
	}
	n, k := 0, 0
	for _, name := range slices.Sorted(maps.Keys(of)) {
		n, k = n+of[name], k+found[name]
		t.Logf("%-16s %d of %d", name, found[name], of[name])
	}
	t.Logf("all: %d of %d", k, n)
	if 10*k < 9*n {
		t.Errorf("paths speak for what %d of %d bodies lack or do", k, n)
	}
}

// behaviourOf returns the behaviour of a body of physical-deficits, by its name and traits; empty: it has none of its own.
func behaviourOf(b body) trajectory.Behaviour {
	if b.goal != "" {
		if strings.HasSuffix(b.name, "directly") {
			return "direct"
		}
		return trajectory.Behaviour(b.goal)
	}
	for _, trait := range []string{"ratio", "area", "cohesion", "reach", "gone", "decoys", "boards", "tools", "when", "retreat"} {
		if _, ok := b.traits[trait]; ok {
			return trajectory.Behaviour("lacks-" + trait)
		}
	}
	return ""
}

type body struct {
	name, goal string
	traits     map[string]float64
}

// evidenceOf returns the evidence of the paths of every body of a scenario.
func evidenceOf(t *testing.T, scenario string, root uint64, settings ...string) func(func(body, []trajectory.Evidence) bool) {
	t.Helper()
	public, sealed := filesOf(t, scenario, root, settings)
	data, err := record.Read(asFS(public))
	if err != nil {
		t.Fatal(err)
	}
	worlds, err := record.Worlds(asFS(public), &data.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	scenes, forecasts := map[string]*trajectory.Scene{}, map[string]*trajectory.Forecast{}
	for _, w := range worlds {
		at, err := trajectory.ReadScene(w.Text)
		if err != nil {
			t.Fatal(err)
		}
		scenes[w.Item], forecasts[w.Item] = at, at.Forecast(rng.Stream(root, "forecast", w.Item))
	}
	tracks, err := record.OpenTrajectories(asFS(public), &data.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	episodes := map[string][]trajectory.Episode{}
	for track, err := range tracks.All() {
		if err != nil {
			t.Fatal(err)
		}
		episodes[track.Subject] = append(episodes[track.Subject], trajectory.Episode{Item: track.Item, Forecast: forecasts[track.Item], Statistics: scenes[track.Item].Statistics(trajectory.Of(track))})
	}
	truth, err := seal.Open(asFS(sealed), generatetest.Commitment(sealed))
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(body, []trajectory.Evidence) bool) {
		for _, id := range slices.Sorted(maps.Keys(truth.Subjects)) {
			spec := truth.Subjects[id]
			b := body{spec.Name, string(spec.Body[0].Goal), spec.Body[0].Trait}
			if !yield(b, trajectory.NewWeigher(episodes[id]).Evidence()) {
				return
			}
		}
	}
}
