package score_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"achilles/agents"
	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A shelf stores files in memory.
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

func (s *shelf) Create(name string) (io.WriteCloser, error) { return infertest.Create(name, s.Put) }

func (s *shelf) Get(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[name], nil
}

// A recovered has the true traits of bodies, and the profiles that were inferred of them.
type recovered struct {
	truth   map[string]map[string]float64 // opaque id → trait → its value
	profile []infer.Profile
}

// measure lets the bodies of the scenario embodied act, infers from the public part alone, and opens the seal.
func measure(t testing.TB, seed uint64, settings ...string) recovered {
	t.Helper()
	text := string(shippedFile(t, "embodied.toml"))
	for _, setting := range append(settings, "responses.trajectories=false") {
		var err error
		if text, err = scene.Override("f", text, setting); err != nil {
			t.Fatal(err)
		}
	}
	subjects, profiles := measureBlind(t, text, "embodied", seed)
	out := recovered{truth: map[string]map[string]float64{}, profile: profiles}
	for id, spec := range subjects {
		out.truth[id] = spec.Body[0].Trait
	}
	return out
}

// measureBlind runs a scenario, infers profiles from its public part alone with a shipped layout, and opens the seal.
func measureBlind(t testing.TB, text, layout string, seed uint64) (subjects map[string]agents.Spec, _ []infer.Profile) {
	t.Helper()
	s, err := scene.Parse("f.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	public, sealed, err := generatetest.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	profiles := inferBlind(t, public, layout, seed)
	truth, err := seal.Open(asFS(sealed), generatetest.Commitment(sealed))
	if err != nil {
		t.Fatal(err)
	}
	return truth.Subjects, profiles
}

func inferBlind(t testing.TB, public map[string][]byte, layout string, seed uint64) []infer.Profile {
	t.Helper()
	config, err := jobOf(layout+".toml", string(shippedFile(t, "layouts/"+layout+".toml")), seed)
	if err != nil {
		t.Fatal(err)
	}
	config.Draws, config.Predict, config.Jobs = 500, false, 2
	result, err := infer.Run(context.Background(), asFS(public), config, &shelf{files: map[string][]byte{}}, &shelf{files: map[string][]byte{}})
	if err != nil {
		t.Fatal(err)
	}
	if d := result.Diagnostics; len(d.Fits) > 0 {
		t.Logf("%d fits", len(d.Fits))
	}
	return result.Profiles
}

// jobOf returns an inference by a layout, with the usual settings.
func jobOf(file, text string, seed uint64) (infer.Job, error) {
	l, err := layout.Parse(file, text)
	j := infer.Job{Settings: infer.Default(l), Layout: l}
	j.Seed = seed
	return j, err
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

// TestLayoutEmbodied checks that the layout's file gives the success probabilities that bodies have, and that its
// priors are the distributions from which the scenario draws the bodies.
func TestLayoutEmbodied(t *testing.T) {
	const bodies = 1500
	s, err := scene.Parse("embodied.toml", strings.NewReplacer("count = 24", fmt.Sprint("count = ", bodies), "items = 600", "items = 80").Replace(string(shippedFile(t, "embodied.toml"))))
	if err != nil {
		t.Fatal(err)
	}
	l, err := layout.Parse("embodied.toml", string(shippedFile(t, "layouts/embodied.toml")))
	if err != nil {
		t.Fatal(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: 6, Jobs: 2, Late: true})
	if err != nil {
		t.Fatal(err)
	}
	few := *s
	few.Populations = slices.Clone(s.Populations)
	few.Populations[0].Count = 20
	acted, err := generate.Run(context.Background(), &few, generate.Config{Seed: 6, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	acted.NoTrajectories = true
	public, _, err := generatetest.Files(acted)
	if err != nil {
		t.Fatal(err)
	}
	d, err := record.Read(asFS(public))
	if err != nil {
		t.Fatal(err)
	}
	design, err := l.Bind(&d.Items, d.Manifest.Measures)
	if err != nil {
		t.Fatal(err)
	}
	names := design.Parameters()
	drawn, prior := make([][]float64, len(names)), make([][]float64, len(names))
	r := rng.Stream(1, "prior")
	theta := make([]float64, len(names))
	for _, spec := range session.Subjects {
		design.DrawPrior(&r, theta)
		for k, p := range names {
			x, ok := spec.Body[0].Trait[p.Name]
			if !ok {
				t.Fatalf("the bodies have no %s", p.Name)
			}
			drawn[k], prior[k] = append(drawn[k], x), append(prior[k], theta[k])
		}
	}
	for k, p := range names {
		slices.Sort(drawn[k])
		slices.Sort(prior[k])
		// Two samples of one distribution differ by more than this with probability 1e-7 (Kolmogorov and Smirnov).
		if d, most := distance(drawn[k], prior[k]), math.Sqrt(math.Log(2e7)/bodies); d > most {
			t.Errorf("%s: bodies and prior %s differ by %.3f", p.Name, p.Prior, d)
		}
	}
	data, err := design.NewData(d.Responses.List()[:80])
	if err != nil {
		t.Fatal(err)
	}
	target, p := design.NewTarget(data), make([]float64, design.Rows())
	for _, spec := range acted.Subjects {
		trait := spec.Body[0].Trait
		for k := range names {
			theta[k] = trait[names[k].Name]
		}
		target.Predict(theta, p)
		for item := range d.Items.ID {
			if want := success(&d.Items, trait, item); math.Abs(p[design.Row(item)]-want) > 1e-12 {
				t.Fatalf("%s on item %d: the layout gives %v, the links %v", spec.Name, item, p[design.Row(item)], want)
			}
		}
	}
}

// distance returns the largest distance between the distribution functions of two sorted samples of equal size.
func distance(a, b []float64) (d float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i] <= b[j] {
			i++
		} else {
			j++
		}
		d = max(d, math.Abs(float64(i-j))/float64(len(a)))
	}
	return d
}

// success returns the probability with which a body passes an item, by the formula of the layout embodied.
func success(items *record.Items, body map[string]float64, i int) float64 {
	f := func(name string) float64 {
		c, ok := items.Column(name)
		if !ok {
			panic("no feature " + name)
		}
		return c.Number[i]
	}
	link := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	q := link(body["visual"]-(5-f("goalSize"))) * link(body["flatNav"]-f("pathLength")+body["rightLeft"]*f("rightLeft"))
	if f("occluder") == 1 {
		q *= link(body["memory"]-f("timeUnderOcclusion")) * link(body["op"]-f("numPositions"))
	}
	for _, name := range []string{"lava", "ramp", "platform"} {
		if f(name) == 1 {
			q *= body[name]
		}
	}
	return (1-body["noise"])*q + body["noise"]*body["chance"]
}

// TestBodiesAreCovered draws bodies from the prior of the layout, lets them act in generated worlds, and checks that
// the central intervals of their posteriors hold the truth as often as they say, for every capability, the side bias
// and the noise. The bounds are exact binomial ones. All 18 checks together fail for a right program on one of a
// million seeds.
func TestBodiesAreCovered(t *testing.T) {
	longtest.Only(t, "takes minutes")
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

// TestAccuracyGrowsWithTheBattery logs the root mean square errors of the posterior means, as fractions of the maxima,
// for batteries of 100 to 2000 items. It checks that every capability is known better from 2000 items than from 100.
func TestAccuracyGrowsWithTheBattery(t *testing.T) {
	longtest.Only(t, "takes minutes")
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
