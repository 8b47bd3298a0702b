package score_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/gridworld/policy"
	"achilles/infer/layout"
	"achilles/infer/trajectory"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A published is the public part of a run of the scenario embodied, with the traits of its bodies by opaque id.
type published struct {
	files  map[string][]byte
	data   *record.Dataset
	worlds map[string]string
	tracks *record.Trajectories
	traits map[string]map[string]float64
	cheats map[string]bool // subjects that take a shortcut
	layout *layout.Layout
}

func publish(t testing.TB, root uint64, settings ...string) *published {
	t.Helper()
	return publishOf(t, "embodied", root, settings...)
}

// filesOf returns the public and the sealed files of a run of a shipped scenario.
func filesOf(t testing.TB, scenario string, root uint64, settings []string) (public, sealed map[string][]byte) {
	t.Helper()
	text := string(shippedFile(t, scenario+".toml"))
	for _, setting := range settings {
		var err error
		if text, err = scene.Override("f", text, setting); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scene.Parse(scenario+".toml", text)
	if err != nil {
		t.Fatal(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: root, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if public, sealed, err = generatetest.Files(session); err != nil {
		t.Fatal(err)
	}
	return public, sealed
}

// publishOf returns the public part of a run of a shipped scenario.
func publishOf(t testing.TB, scenario string, root uint64, settings ...string) *published {
	t.Helper()
	public, sealed := filesOf(t, scenario, root, settings)
	var err error
	out := &published{files: public, worlds: map[string]string{}, traits: map[string]map[string]float64{}, cheats: map[string]bool{}}
	if out.data, err = record.Read(asFS(public)); err != nil {
		t.Fatal(err)
	}
	worlds, err := record.Worlds(asFS(public), &out.data.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range worlds {
		out.worlds[w.Item] = w.Text
	}
	if out.tracks, err = record.OpenTrajectories(asFS(public), &out.data.Manifest); err != nil {
		t.Fatal(err)
	}
	truth, err := seal.Open(asFS(sealed), generatetest.Commitment(sealed))
	if err != nil {
		t.Fatal(err)
	}
	for id, spec := range truth.Subjects {
		out.traits[id], out.cheats[id] = spec.Body[0].Trait, spec.Body[0].Goal != ""
		if l := spec.Body[0].Learning; l != nil {
			out.traits[id]["asymptote"], out.traits[id]["rate"] = l.Asymptote, l.Rate
		}
	}
	if out.layout, err = layout.Parse("f.toml", string(shippedFile(t, "layouts/"+strings.Replace(scenario, "learners", "learning", 1)+".toml"))); err != nil {
		t.Fatal(err)
	}
	return out
}

// profile returns a subject's true traits on an episode as a profile of one draw; nil of who takes a shortcut.
func (p *published) profile(t *testing.T, k record.Key) *trajectory.Profile {
	t.Helper()
	subject, _ := slices.BinarySearch(p.data.Subjects, k.Subject)
	item, _ := slices.BinarySearch(p.data.Items.ID, k.Item)
	position := int32(0)
	for _, x := range p.data.Responses.To(subject, item) {
		position = x.Position
	}
	theta, names := []float64(nil), []string(nil)
	if p.cheats[k.Subject] {
		return nil
	}
	for _, par := range p.layout.Parameters {
		theta, names = append(theta, p.traits[k.Subject][par.Name]), append(names, par.Name)
	}
	traits, draws, err := p.layout.Walking.Traits(names, [][]float64{theta}, p.data.Items.NumberAt(item, position))
	if err != nil {
		t.Fatal(err)
	}
	return &trajectory.Profile{Traits: traits, Draws: draws, Place: p.layout.Walking.Place, Chance: *p.layout.Walking.Chance, Past: p.past(t, k)}
}

// past returns what a subject did before an episode in the same block of trials; nil if the trial stands alone.
func (p *published) past(t *testing.T, k record.Key) *policy.Past {
	t.Helper()
	blocks, ok := p.data.Items.Blocks()
	if !ok {
		return nil
	}
	subject, _ := slices.BinarySearch(p.data.Subjects, k.Subject)
	for r, earlier := range blocks.Trials(p.data.Responses.Of(subject)) {
		if p.data.Items.ID[r.Item] != k.Item {
			continue
		}
		past, err := trajectory.PastOf(&blocks, r, earlier, func(r record.Response) (policy.Tried, error) {
			item := p.data.Items.ID[r.Item]
			i, ok := p.tracks.Find(record.Key{Item: item, Trial: k.Trial, Subject: k.Subject})
			if !ok {
				t.Fatalf("subject %s took no %s", k.Subject, item)
			}
			track, err := p.tracks.At(i)
			if err != nil {
				return policy.Tried{}, err
			}
			s, err := trajectory.ReadScene(p.worlds[item])
			if err != nil {
				return policy.Tried{}, err
			}
			return trajectory.Tried(s, trajectory.Of(track)), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return past
	}
	t.Fatalf("no response of %s to %s", k.Subject, k.Item)
	return nil
}

// TestPathsAgreeWithLayout checks that package trajectory, which predicts how subjects move and knows only the public
// world, gives every item the probability of success that the layout computes from the item's features, at values of all parameters drawn
// over their ranges. Hence the package meets the same demands in the world as the battery measured.
func TestPathsAgreeWithLayout(t *testing.T) {
	for name, scenario := range map[string]string{
		"embodied": "embodied", "permanence": "permanence", "comparative": "comparative", "radial": "radial", "physical": "physical", "tradeoffs": "tradeoffs", "learning": "learners",
		"permanence-errors": "permanence", "physical-errors": "physical",
	} {
		t.Run(name, func(t *testing.T) { agree(t, scenario, name) })
	}
}

func agree(t *testing.T, scenario, name string) {
	d := publishOf(t, scenario, 5, "battery.items=80", "population[0].count=3")
	l, err := layout.Parse(name+".toml", string(shippedFile(t, "layouts/"+name+".toml")))
	if err != nil {
		t.Fatal(err)
	}
	items := &d.data.Items
	if l.ByPosition(items) {
		items = items.Taken(&d.data.Responses)
	}
	design, err := l.Bind(items, d.data.Manifest.Measures)
	if err != nil {
		t.Fatal(err)
	}
	data, err := design.NewData(nil)
	if err != nil {
		t.Fatal(err)
	}
	target, p := design.NewTarget(data), make([]float64, design.Rows()*len(design.Measures()))
	r := rng.Stream(8, scenario)
	wrong, low, high := 0, 0, 0
	for range 3 {
		theta, names := make([]float64, len(design.Parameters())), []string(nil)
		for k, par := range design.Parameters() {
			if theta[k] = r.Norm(); !math.IsInf(par.Range[1], 0) {
				theta[k] = par.Range[0] + r.Float64()*(par.Range[1]-par.Range[0])
			}
			names = append(names, par.Name)
		}
		target.Predict(theta, p)
		for i, item := range items.ID {
			traits, draws, err := l.Walking.Traits(names, [][]float64{theta}, items.NumberAt(i, 0))
			if err != nil {
				t.Fatal(err)
			}
			s, err := trajectory.ReadScene(d.worlds[item])
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Predict(context.Background(), &trajectory.Profile{Traits: traits, Draws: draws, Place: l.Walking.Place, Chance: *l.Walking.Chance}, 1, rng.Stream(1))
			if err != nil {
				t.Fatal(err)
			}
			want := p[design.Row(i)]
			if math.Abs(got.Success-want) > 1e-9 {
				if wrong++; wrong <= 3 {
					t.Errorf("item %s, %v: the theory gives %v, the layout %v\n%s", item, theta, got.Success, want, d.worlds[item])
				}
			}
			if want < 0.3 {
				low++
			} else if want > 0.7 {
				high++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d differ", wrong)
	}
	t.Logf("%d below 0.3, %d above 0.7", low, high)
}

// count returns the number of sampled paths that are equal to a path.
func count(s *trajectory.Scene, p *trajectory.Prediction, path trajectory.Path) (n float64) {
	for _, b := range p.Fan {
		if s.RMSE(b.Path, path) == 0 {
			n += float64(b.Count)
		}
	}
	return n
}

// A walked compares what bodies did with the fans of paths that their true traits predict.
type walked struct {
	episodes, inside int       // inside: number of episodes whose path is among the sampled paths
	likely           frequency // episodes whose path is the most frequent of the sampled paths
	passed           frequency // episodes in which the reward was reached
	off              float64   // mean distance from the predicted path, in cells
}

// A frequency has the number of times that something happened, and the number of times that it was expected to.
type frequency struct{ n, expected, variance float64 }

func (f *frequency) add(happened bool, p float64) {
	if happened {
		f.n++
	}
	f.expected, f.variance = f.expected+p, f.variance+p*(1-p)
}

// z returns the deviation of the number from its expectation, in standard deviations.
func (f frequency) z() float64 { return (f.n - f.expected) / math.Sqrt(f.variance) }

// walk compares the path of every episode with a fan of n paths, sampled for the body's true traits. It estimates the
// probability of the most frequent path from another sample.
func (p *published) walk(t *testing.T, n int) (w walked) {
	t.Helper()
	scenes := map[string]*trajectory.Scene{}
	for track, err := range p.tracks.All() {
		if err != nil {
			t.Fatal(err)
		}
		s := scenes[track.Item]
		if s == nil {
			if s, err = trajectory.ReadScene(p.worlds[track.Item]); err != nil {
				t.Fatal(err)
			}
			scenes[track.Item] = s
		}
		profile := p.profile(t, track.Key)
		if profile == nil {
			continue
		}
		pred, err := s.Predict(context.Background(), profile, n, rng.Stream(2, track.Item, track.Subject))
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.Predict(context.Background(), profile, n, rng.Stream(3, track.Item, track.Subject))
		if err != nil {
			t.Fatal(err)
		}
		actual := trajectory.Of(track)
		w.episodes++
		w.off += s.RMSE(pred.Fan[pred.Central].Path, actual)
		share := count(s, again, pred.Fan[0].Path) / float64(n) // from another sample: the first favours its own most frequent path
		w.likely.add(s.RMSE(pred.Fan[0].Path, actual) == 0, share)
		w.passed.add(s.Statistics(actual).Success, pred.Success)
		if count(s, pred, actual)+count(s, again, actual) > 0 {
			w.inside++
		}
	}
	w.off /= float64(w.episodes)
	return w
}

// String returns the numbers in docs/theory/paths.md.
func (w walked) String() string {
	return fmt.Sprintf("%d episodes, %.2f %% outside the fan; most likely path %.0f, expected %.1f (z %.1f); passed %.0f, expected %.1f (z %.1f); off by %.2f cells",
		w.episodes, 100*w.outside(), w.likely.n, w.likely.expected, w.likely.z(), w.passed.n, w.passed.expected, w.passed.z(), w.off)
}

// outside returns the share of episodes whose path was not sampled.
func (w walked) outside() float64 { return 1 - float64(w.inside)/float64(w.episodes) }

// TestBodiesWalkWherePredicted checks that bodies walk as the theory predicts for their traits: their paths are among
// those sampled, and they take the most likely path as often as it is sampled.
func TestBodiesWalkWherePredicted(t *testing.T) {
	for _, scenario := range []string{"embodied", "permanence", "comparative", "radial", "physical", "tradeoffs", "learners", "blocks"} {
		t.Run(scenario, func(t *testing.T) {
			settings, n := []string{"battery.items=60", "population[0].count=6"}, 500
			switch scenario {
			case "blocks": // each has up to 64 trials
				settings, n = []string{"battery.items=100", "population[0].count=6"}, 300
			case "tradeoffs": // who goes to one of eleven places at random, and stops anywhere on the way, has many paths
				n = 2000
			}
			if longtest.On() {
				settings = nil
			}
			w := publishOf(t, scenario, 31, settings...).walk(t, n)
			t.Log(w)
			if math.Abs(w.likely.z()) > 4 || math.Abs(w.passed.z()) > 4 {
				t.Error("the fan is not the distribution of what bodies do")
			}
			if w.outside() > 0.01 {
				t.Error("what bodies do lies outside the fan too often")
			}
		})
	}
}

// TestMisspecifiedBodiesAreNoticed checks that predictions are wrong for bodies with a trait that package trajectory
// does not model, although it is given all other traits: each setting must fail at least one of three checks by far.
func TestMisspecifiedBodiesAreNoticed(t *testing.T) {
	for _, setting := range []string{`lost="search"`, "lookAlike=0.5", "acuity=3"} {
		d := publish(t, 6, "battery.items=150", "population[0].count=12", "population[0].body."+setting)
		w := d.walk(t, 500)
		t.Log(setting, ": ", w)
		if w.outside() < 0.015 && math.Abs(w.likely.z()) < 5 && math.Abs(w.passed.z()) < 5 {
			t.Errorf("%s passes all checks: %s", setting, w)
		}
	}
}

var errBroken = errors.New("the shelf broke")
