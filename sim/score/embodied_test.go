package score_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"achilles/infer"
	"achilles/scenarios"
	"achilles/sim"
	scene "achilles/sim/scenario"
	"achilles/sim/score"
)

var stat = flag.Bool("stat", false, "recover hundreds of sampled bodies, which takes minutes")

// A shelf is a sink in memory.
type shelf struct {
	mu    sync.Mutex
	files map[string][]byte
}

func (s *shelf) Put(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = bytes.Clone(data)
	return nil
}

func (s *shelf) Get(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name], nil
}

// recovered are bodies that were measured.
type recovered struct {
	truth   map[string]map[string]float64 // opaque id → trait → its value
	profile []infer.Profile
}

// measure lets bodies of the scenario embodied act, publishes what could be known, infers from that alone, and opens
// the seal.
func measure(t testing.TB, seed uint64, settings ...string) recovered {
	t.Helper()
	text := string(shippedFile(t, "embodied.toml"))
	for _, setting := range append(settings, "responses.trajectories=false") {
		var err error
		if text, err = scene.Override(text, setting); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scene.Parse("embodied.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	session, err := sim.Run(context.Background(), s, sim.Config{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	public, sealed, err := sim.Publish(session)
	if err != nil {
		t.Fatal(err)
	}
	out := recovered{truth: map[string]map[string]float64{}, profile: inferBlind(t, public, seed)}
	truth, err := sim.OpenSealed(asFS(sealed), sim.Commitment(sealed))
	if err != nil {
		t.Fatal(err)
	}
	for id, spec := range truth.Subjects {
		out.truth[id] = spec.Body[0].Trait
	}
	return out
}

func inferBlind(t testing.TB, public map[string][]byte, seed uint64) []infer.Profile {
	t.Helper()
	config := infer.Config{
		Seed: seed, LayoutFile: "embodied.toml", LayoutText: string(shippedFile(t, "layouts/embodied.toml")),
		Draws: 500, NoPredict: true, Jobs: 2,
	}
	result, err := infer.Run(context.Background(), asFS(public), config, &shelf{files: map[string][]byte{}}, &shelf{files: map[string][]byte{}})
	if err != nil {
		t.Fatal(err)
	}
	if d := result.Diagnostics; len(d.Fits) > 0 {
		t.Logf("%d fits", len(d.Fits))
	}
	return result.Profiles
}

func shippedFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := scenarios.FS.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func asFS(files map[string][]byte) fs.FS {
	m := fstest.MapFS{}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

// TestBodiesAreCovered: bodies drawn from the prior of the layout act in generated worlds, and the central intervals of
// their posteriors hold the truth as often as they say, for every capability, the side bias and the noise. The bounds
// are exact binomial ones; all 18 checks together are false alarms once in a million seeds.
func TestBodiesAreCovered(t *testing.T) {
	if !*stat {
		t.Skip("takes minutes: run with -stat")
	}
	const subjects = 320
	got := measure(t, 71, fmt.Sprint("population[0].count=", subjects))
	inside := map[string]*[2]int{}
	for _, p := range got.profile {
		x := got.truth[p.Subject][p.Parameter]
		if inside[p.Parameter] == nil {
			inside[p.Parameter] = &[2]int{}
		}
		if p.Q25 <= x && x <= p.Q75 {
			inside[p.Parameter][0]++
		}
		if p.Q5 <= x && x <= p.Q95 {
			inside[p.Parameter][1]++
		}
	}
	if len(inside) != 9 {
		t.Fatalf("parameters are %v", slices.Sorted(maps.Keys(inside)))
	}
	for _, name := range slices.Sorted(maps.Keys(inside)) {
		for k, nominal := range []float64{0.5, 0.9} {
			n := inside[name][k]
			i := score.ClopperPearson(n, subjects, 1-1e-6/18)
			near := score.ClopperPearson(n, subjects, 0.95)
			t.Logf("%-9s %.0f %%: %d of %d, %.3f (%.3f to %.3f)", name, 100*nominal, n, subjects, float64(n)/subjects, near[0], near[1])
			if nominal < i[0] || nominal > i[1] {
				t.Errorf("%s: %.0f %% intervals hold the truth of %d of %d bodies", name, 100*nominal, n, subjects)
			}
		}
	}
}

// TestAccuracyGrowsWithTheBattery: root mean square errors of the posterior means, as fractions of the maxima, for
// batteries of 100 to 2000 items. Every capability is known better from 2000 items than from 100.
func TestAccuracyGrowsWithTheBattery(t *testing.T) {
	if !*stat {
		t.Skip("takes minutes: run with -stat")
	}
	scale := map[string]float64{"op": 13.2, "memory": 4.8, "visual": 6, "flatNav": 80, "lava": 1, "platform": 1, "ramp": 1, "noise": 1}
	names := []string{"op", "memory", "visual", "flatNav", "lava", "platform", "ramp", "noise"}
	t.Logf("items  %s", strings.Join(names, "  "))
	var first, last map[string]float64
	for _, items := range []int{100, 200, 500, 1000, 2000} {
		got := measure(t, 72, "population[0].count=120", fmt.Sprint("battery.items=", items))
		rmse := map[string]float64{}
		for _, p := range got.profile {
			if s := scale[p.Parameter]; s > 0 {
				e := (p.Mean - got.truth[p.Subject][p.Parameter]) / s
				rmse[p.Parameter] += e * e / 120
			}
		}
		row := fmt.Sprintf("%5d", items)
		for _, n := range names {
			rmse[n] = math.Sqrt(rmse[n])
			row += fmt.Sprintf("  %.3f", rmse[n])
		}
		t.Log(row)
		if last = rmse; first == nil {
			first = rmse
		}
	}
	for _, n := range names {
		if last[n] >= first[n] {
			t.Errorf("%s: an error of %.3f from 2000 items, of %.3f from 100", n, last[n], first[n])
		}
	}
}
