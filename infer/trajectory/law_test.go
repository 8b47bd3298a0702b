package trajectory_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/infer/trajectory"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// somebody returns a profile of five draws that lie close to one set of random abilities.
func somebody(r *rng.Rand) *trajectory.Profile {
	p := &trajectory.Profile{Place: 1, Chance: 0.5, Traits: []string{"noise", "visual", "op", "memory", "flatNav", "rightLeft", "lava", "ramp", "platform"}}
	centre := []float64{2 * r.Norm(), 6 * r.Float64(), 12 * r.Float64(), 2 * r.Float64(), 16 + 64*r.Float64(), r.Norm(), 2 * r.Norm(), 2 * r.Norm(), 2 * r.Norm()}
	for range 5 {
		d := make([]float64, len(centre))
		for k, x := range centre {
			if d[k] = x + 0.2*r.Norm(); k == 0 || k > 5 {
				d[k] = num.Logistic(d[k])
			}
		}
		p.Draws = append(p.Draws, d)
	}
	return p
}

func predict(t testing.TB, s *trajectory.Scene, p *trajectory.Profile, n int, r rng.Rand) *trajectory.Prediction {
	t.Helper()
	out, err := s.Predict(context.Background(), p, n, r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPathsAreLegal checks that every sampled path begins at the start, stands still while the actor is held, makes only
// legal steps, and ends with a move. It also checks that the counts sum to the number of samples and that no path has a
// smaller mean distance to the sampled paths than the medoid.
func TestPathsAreLegal(t *testing.T) {
	for name, text := range worlds() {
		s := read(t, text)
		w := s.World()
		for k := range 30 {
			r := rng.Stream(11, name, string(rune('a'+k)))
			pred := predict(t, s, somebody(&r), 100, r)
			total := 0
			for i, b := range pred.Fan {
				total += b.Count
				if i > 0 && b.Count > pred.Fan[i-1].Count || b.Successes > b.Count {
					t.Fatalf("%s: counts %d, %d, successes %d", name, pred.Fan[i-1].Count, b.Count, b.Successes)
				}
				checkPath(t, name, s, w, b.Path)
			}
			if total != pred.Samples || pred.Samples != 100 {
				t.Fatalf("%s: %d paths in the fan, %d sampled", name, total, pred.Samples)
			}
			for i := range pred.Fan {
				if s.FanRMSE(pred, pred.Fan[i].Path) < s.FanRMSE(pred, pred.Fan[pred.Central].Path)-1e-9 {
					t.Fatalf("%s: path %d is nearer to the fan than the medoid", name, i)
				}
			}
		}
	}
}

func checkPath(t *testing.T, name string, s *trajectory.Scene, w *gridworld.World, p trajectory.Path) {
	t.Helper()
	if p[0] != w.Actor().Pos || len(p) > w.Rules().Limit+1 || len(p) > 1 && p[len(p)-1] == p[len(p)-2] {
		t.Fatalf("%s: path %s does not start at the start, or does not end where it last moves", name, format(p))
	}
	for i := 1; i < len(p); i++ {
		if p[i] == p[i-1] {
			continue
		}
		legal := false
		for d := gridworld.North; d < gridworld.Directions; d++ {
			legal = legal || p[i-1].Add(d) == p[i] && w.CanStep(p[i-1], d)
		}
		if !legal || i <= s.Free() {
			t.Fatalf("%s: path %s makes an illegal step at tick %d", name, format(p), i)
		}
	}
}

// TestSuccessIsSampled compares the computed probability of success with the share of sampled paths that succeed. Over
// all worlds and random profiles no deviation may be above 4.5 standard errors, and the sum of the squared deviations, in
// standard errors, must lie within four standard deviations of its mean (chi-square). The false alarm rate is below 1 in
// 500.
func TestSuccessIsSampled(t *testing.T) {
	n, profiles := 2000, 40
	if longtest.On() {
		n, profiles = 20000, 200
	}
	sum, cells := 0.0, 0
	for name, text := range worlds() {
		s := read(t, text)
		for k := range profiles {
			r := rng.Stream(12, name, string(rune('a'+k)))
			pred := predict(t, s, somebody(&r), n, r)
			se := math.Sqrt(pred.Success*(1-pred.Success)/float64(n)) + 1e-9
			z := (pred.Sampled - pred.Success) / se
			if math.Abs(z) > 4.5 && math.Abs(pred.Sampled-pred.Success) > 2/float64(n) {
				t.Errorf("%s, profile %d: %v of the paths succeed, %v expected, z = %.1f", name, k, pred.Sampled, pred.Success, z)
			}
			if se > 0.001 {
				sum, cells = sum+z*z, cells+1
			}
		}
	}
	if z := (sum - float64(cells)) / math.Sqrt(2*float64(cells)); math.Abs(z) > 4 {
		t.Errorf("%d deviations have a sum of squares of %.1f", cells, sum)
	}
}

// goals returns the goals of all shortcuts and of the other policies.
func goals() []policy.Goal {
	list, _ := trajectory.Shortcuts()
	return append([]policy.Goal{policy.Reward, policy.Oracle, policy.Nothing}, list...)
}

// TestDigestsOfPaths checks that paths have equal digests if and only if they are equal.
func TestDigestsOfPaths(t *testing.T) {
	for name, text := range worlds() {
		s := read(t, text)
		by := map[uint64]string{}
		of := map[string]uint64{}
		for _, w := range goals() {
			marks, list := s.Marks(w)
			for i, m := range marks {
				p := format(list[i])
				if was, ok := by[m]; ok && was != p {
					t.Fatalf("%s: %s and %s have the same digest", name, was, p)
				}
				if was, ok := of[p]; ok && was != m {
					t.Fatalf("%s: %s has two digests", name, p)
				}
				by[m], of[p] = p, m
			}
		}
	}
}

// TestPredictionsAreDetermined checks that world, profile and stream determine the prediction, also in a scene that has
// been used before, and that another stream gives another prediction.
func TestPredictionsAreDetermined(t *testing.T) {
	r := rng.Stream(13)
	p := somebody(&r)
	used := read(t, chick)
	predict(t, used, somebody(&r), 500, r)
	a, b := predict(t, read(t, chick), p, 300, rng.Stream(1)), predict(t, used, p, 300, rng.Stream(1))
	if !reflect.DeepEqual(a, b) {
		t.Error("a used scene gives another prediction")
	}
	if reflect.DeepEqual(a, predict(t, used, p, 300, rng.Stream(2))) {
		t.Error("the stream makes no difference")
	}
}

// TestMoreIsNotLess checks that more of a capability never lowers the probability of success.
func TestMoreIsNotLess(t *testing.T) {
	for name, text := range worlds() {
		s := read(t, text)
		for k := range 10 {
			r := rng.Stream(14, name, string(rune('a'+k)))
			p := somebody(&r)
			before := predict(t, s, p, 1, r).Success
			for c, par := range p.Traits {
				if par == "noise" || par == "rightLeft" {
					continue
				}
				old := p.Draws
				p.Draws = nil
				for _, d := range old {
					more := append([]float64(nil), d...)
					if more[c] += 1; c > 5 {
						more[c] = 1
					}
					p.Draws = append(p.Draws, more)
				}
				if after := predict(t, s, p, 1, r).Success; after < before-1e-12 {
					t.Errorf("%s: with more %s success falls from %v to %v", name, par, before, after)
				}
				p.Draws = old
			}
		}
	}
}

// TestMirror checks that predictions and paths in a mirrored world are mirrored.
func TestMirror(t *testing.T) {
	for name, text := range worlds() {
		s := read(t, text)
		w := s.World()
		mirrored := "// places"
		for _, p := range s.Places {
			mirrored += " " + gridworld.Mirror.Pos(p, w.Width(), w.Height()).String()
		}
		m := read(t, mirrored+"\n"+w.Transform(gridworld.Mirror).String())
		for k := range 5 {
			r := rng.Stream(15, name, string(rune('a'+k)))
			p := somebody(&r)
			a := predict(t, s, p, 1, r).Success
			for _, d := range p.Draws {
				d[5] = -d[5]
			}
			if b := predict(t, m, p, 1, r).Success; math.Abs(a-b) > 1e-12 {
				t.Errorf("%s: success %v, mirrored %v", name, a, b)
			}
		}
		for _, pair := range [][2]policy.Goal{{policy.Left, policy.Right}, {policy.Right, policy.Left}, {policy.Search, policy.Search}} {
			if s.Rollout(pair[0]).Success != m.Rollout(pair[1]).Success && name != "lake" { // the two ways round the lake are equally long
				t.Errorf("%s: %s and %s do not change places", name, pair[0], pair[1])
			}
		}
		if s.Goal().X == w.Actor().Pos.X {
			continue // to a goal straight ahead the actor turns left first, in both worlds
		}
		image := trajectory.Path{}
		for _, p := range s.Rollout(policy.Reward).Path {
			image = append(image, gridworld.Mirror.Pos(p, w.Width(), w.Height()))
		}
		if got := m.Rollout(policy.Reward).Path; !slices.Equal(got, image) {
			t.Errorf("%s: the mirrored path is %s, not %s", name, format(got), format(image))
		}
	}
}

func TestBadScenes(t *testing.T) {
	for _, c := range []struct {
		why, text string
		unfit     bool
	}{
		{"no world", "nothing\n", false},
		{"a place that is no cell", "// places 1,x\n" + gap[len("// places 1,4 5,4\n"):], false},
		{"a place twice", "// places 1,4 1,4\n" + gap[len("// places 1,4 5,4\n"):], false},
		{"a place outside", "// places 1,40\n" + gap[len("// places 1,4 5,4\n"):], false},
		{"no limit", "world 1\nmap\n.A.\n\nthing 0 0,0 reward final\n", true},
		{"no reward", "world 1\nlimit 9\nmap\n.A.\n", true},
		{"a reward that ends nothing", "world 1\nlimit 9\nmap\n.A.\n\nthing 0 0,0 reward\n", true},
		{"no actor", "world 1\nlimit 9\nmap\n...\n\nthing 0 0,0 reward final\n", true},
	} {
		_, err := trajectory.ReadScene(c.text)
		_, unfit := err.(*trajectory.Unfit)
		if err == nil || unfit != c.unfit {
			t.Errorf("%s: error %v (%T)", c.why, err, err)
		}
	}
}

func TestBadProfiles(t *testing.T) {
	s := read(t, gap)
	p := middling(3)
	for why, bad := range map[string]*trajectory.Profile{
		"no draws":       {Traits: p.Traits},
		"no memory":      {Traits: []string{"visual", "op"}, Draws: p.Draws},
		"a short draw":   {Traits: p.Traits, Draws: [][]float64{{1}}},
		"no parameters":  {Draws: p.Draws},
		"no paths asked": nil,
	} {
		n := 5
		if bad == nil {
			bad, n = p, 0
		}
		if _, err := s.Predict(context.Background(), bad, n, rng.Stream(1)); err == nil {
			t.Errorf("%s: no error", why)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Predict(ctx, p, 5, rng.Stream(1)); err == nil {
		t.Error("a cancelled prediction goes on")
	}
}

// FuzzScene checks that paths can be predicted in every scene that ReadScene accepts.
func FuzzScene(f *testing.F) {
	for _, text := range worlds() {
		f.Add(text)
	}
	p := middling(5)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := trajectory.ReadScene(text)
		if err != nil || s.World().Rules().Limit > 2000 {
			return
		}
		w := s.World()
		for _, b := range predict(t, s, p, 20, rng.Stream(3)).Fan {
			checkPath(t, "fuzzed", s, w, b.Path)
		}
		if f := s.Forecast(rng.Stream(4)); len(weigh([]trajectory.Episode{{Forecast: f, Statistics: s.Statistics(s.Rollout(policy.Search).Path)}})) == 0 {
			t.Fatal("no behaviour")
		}
	})
}
