package score_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/gridworld/policy"
	"achilles/infer"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

// TestTruthsOfBodies computes by hand the probabilities of success of bodies that declare few traits: whoever has no limits and does not lapse
// always passes, a lapse gives what the body's own coin gives, a memory of 1.5 after a time t logistic(1.5 − t). Bodies that cheat,
// guess, or differ in what is no parameter have none.
func TestTruthsOfBodies(t *testing.T) {
	body := func(b embodied.Body) []agents.Body { return []agents.Body{{Body: b}} }
	always := func(float64) float64 { return 1 }
	for name, c := range map[string]struct {
		bodies []agents.Body
		p      func(time float64) float64 // nil: not known
	}{
		"no limits":        {body(embodied.Body{}), always},
		"lapses":           {body(embodied.Body{Trait: map[string]float64{"noise": 0.2}}), func(float64) float64 { return 0.8 }},
		"lapses to a coin": {body(embodied.Body{Trait: map[string]float64{"noise": 0.2, "chance": 0.5}}), func(float64) float64 { return 0.9 }},
		"forgets":          {body(embodied.Body{Trait: map[string]float64{"memory": 1.5}}), func(time float64) float64 { return 1 / (1 + math.Exp(time-1.5)) }},
		"a default":        {body(embodied.Body{Trait: map[string]float64{"pullRight": 0}}), always},
		"pulled":           {body(embodied.Body{Trait: map[string]float64{"pullRight": 0.6}}), nil},
		"cheats":           {body(embodied.Body{Goal: policy.LastSeen}), nil},
		"guesses":          {body(embodied.Body{Fallback: policy.GuessPlace}), nil},
		"learns":           {body(embodied.Body{Learning: &embodied.Learning{Trait: "memory", Asymptote: 3, Rate: 0.1}}), nil},
		"at times":         {[]agents.Body{{If: "lava == 1"}}, nil},
	} {
		in := plant(t, plantedBodies, 3, 1)
		id := in.Public.Subjects[0]
		in.Sealed = &seal.Truth{Subjects: map[string]agents.Spec{id: {Name: "x", Body: c.bodies}}}
		s, err := score.Misses(in.Input)
		if err != nil || len(s.Misses) == 0 {
			t.Fatal(name, err, len(s.Misses))
		}
		time, _ := in.Public.Items.Column("timeUnderOcclusion")
		hidden, _ := in.Public.Items.Column("occluder")
		for _, m := range s.Misses {
			if (m.Truth == nil) != (c.p == nil) {
				t.Errorf("%s: %+v", name, m)
				break
			}
			if c.p == nil {
				continue
			}
			k, _ := slices.BinarySearch(in.Public.Items.ID, m.Item)
			want := c.p(time.Number[k])
			if name == "forgets" && hidden.Number[k] == 0 {
				want = 1
			}
			if math.Abs(*m.Truth-want) > 1e-9 {
				t.Errorf("%s, item %s: p under the truth %.4f, by hand %.4f", name, m.Item, *m.Truth, want)
				break
			}
		}
		for i, why := range s.Why {
			if why != nil && c.p != nil && (why.Truth == nil || math.Abs(*why.Truth-*s.Misses[i].Truth) > 1e-9) {
				t.Errorf("%s: the explanation of miss %d has another truth", name, i)
			}
		}
	}
}

// drawn2PL is a result of the layout 2pl, with the values that it drew. The posterior means are these, but for the wrong one.
func drawn2PL(t *testing.T, wrong string) score.Input {
	t.Helper()
	text := string(shippedFile(t, "layouts/2pl.toml"))
	d := &record.Dataset{Subjects: []string{"s-1", "s-2", "s-3"}}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	d.Items.ID = []string{"i-1", "i-2", "i-3", "i-4"}
	d.Items.Suite, d.Items.Paradigm, d.Items.Task = make([]string, 4), make([]string, 4), make([]string, 4)
	truth := map[string]map[string]float64{
		"ability": {"s-1": -1, "s-2": 0, "s-3": 2}, "difficulty": {"i-1": -1.5, "i-2": 0, "i-3": 1, "i-4": 2}, "discrimination": {"i-1": 0.5, "i-2": 1, "i-3": 2, "i-4": 1.5},
		"mu": {"": 0}, "sigma": {"": 1}, "spread": {"": 1},
	}
	r := &infer.Result{}
	r.Settings.Layout = infer.LayoutDigest{Name: "2pl", SHA256: part.Digest([]byte(text))}
	kinds := map[string]string{"difficulty": infer.ItemUnit, "discrimination": infer.ItemUnit, "mu": infer.SharedUnit, "sigma": infer.SharedUnit, "spread": infer.SharedUnit}
	for name, of := range truth {
		for unit, x := range of {
			if name == wrong {
				x += 0.8
			}
			if kind, ok := kinds[name]; ok {
				r.Units = append(r.Units, infer.Unit{Parameter: name, Kind: kind, Unit: unit, Mean: &x})
			} else {
				r.Profiles = append(r.Profiles, infer.Profile{Subject: unit, Parameter: name, Mean: x})
			}
		}
	}
	var responses []record.Response
	var predictions []infer.Prediction
	for s := range d.Subjects {
		for i := range d.Items.ID {
			responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Split: record.HeldOut, Value: float64((s + i) % 2)})
			predictions = append(predictions, infer.Prediction{Subject: d.Subjects[s], Item: d.Items.ID[i], Measure: "success", P: 0.5})
		}
	}
	d.Responses = record.PackResponses(responses)
	r.Predictions = func(yield func([]infer.Prediction, error) bool) {
		for s := range d.Subjects {
			if !yield(predictions[4*s:][:4], nil) {
				return
			}
		}
	}
	return score.Input{Public: d, Result: r, Sealed: &seal.Truth{Layout: text, Parameters: truth}}
}

// TestTruthsOfDrawnLayouts compares the probabilities under the values that the layout 2pl drew with its formula, and wants the parameter
// of which the posterior means are wrong to be the one that sets profiles apart from the truth.
func TestTruthsOfDrawnLayouts(t *testing.T) {
	for _, wrong := range []string{"ability", "difficulty", "discrimination", ""} {
		in := drawn2PL(t, wrong)
		s, err := score.Misses(in)
		if err != nil || len(s.Misses) != 12 {
			t.Fatal(err, len(s.Misses))
		}
		named := 0
		for _, m := range s.Misses {
			of := in.Sealed.Parameters
			want := 1 / (1 + math.Exp(-of["discrimination"][m.Item]*(of["ability"][m.ID]-of["difficulty"][m.Item])))
			if m.Truth == nil || math.Abs(*m.Truth-want) > 1e-12 {
				t.Fatalf("%s, %s: %+v, want %v", m.ID, m.Item, m, want)
			}
			switch m.Parameter {
			case wrong:
				named++
			case "":
			default:
				t.Errorf("%s is wrong, and %s said to be", wrong, m.Parameter)
			}
		}
		if named < 9 { // of three responses the discrimination says little
			t.Errorf("%q is named %d times", wrong, named)
		}
	}
}

// TestUnranked takes away the truth: a layout without demands does not rank predictions, and says why.
func TestUnranked(t *testing.T) {
	in := drawn2PL(t, "")
	in.Sealed = nil
	s, err := score.Misses(in)
	if err != nil || len(s.Misses) > 0 || !strings.Contains(s.Unranked, "layout 2pl has no demand") {
		t.Error(err, s.Misses, s.Unranked)
	}
}

// TestResidualsByParadigm lets a subject fail all of one paradigm, which no demand explains: the paradigm is named first.
func TestResidualsByParadigm(t *testing.T) {
	in := plant(t, plantedBodies, 4, 1)
	in.Sealed = nil
	for i := range in.Public.Items.Paradigm {
		in.Public.Items.Paradigm[i] = []string{"cups", "grid", "chick"}[i%3]
	}
	rows := in.Public.Responses.Of(0)
	var of []infer.Prediction
	for i := range rows {
		r := &rows[i]
		if r.Value = 1; r.Item%3 == 1 {
			r.Value = 0
		}
		of = append(of, infer.Prediction{Subject: in.Public.Subjects[0], Item: in.Public.Items.ID[r.Item], Measure: "success", P: 0.7})
	}
	in.Public.Responses = record.PackResponses(rows)
	in.Result.Predictions = func(yield func([]infer.Prediction, error) bool) { yield(of, nil) }
	s, err := score.Misses(in.Input)
	if err != nil {
		t.Fatal(err)
	}
	if m := s.Misses[0]; m.Residual == nil || m.Residual.Demand != "paradigm" || m.Residual.Level != "grid" || m.Value != 0 {
		t.Errorf("first miss %+v, residual %+v", m, m.Residual)
	}
}

// TestTruthsHold compares what the bodies of two scenarios did with the probabilities of success under the truth, of all responses of whoever has
// some. A |z| above 4 is false for one seed in 16,000.
func TestTruthsHold(t *testing.T) {
	for name, of := range map[string]string{"deficits": "comparative", "imitators": "permanence"} {
		text, err := scene.Override("f", string(shippedFile(t, name+".toml")), "battery.items=60")
		if err == nil {
			text, err = scene.Override("f", text, "responses.trajectories=false")
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := scene.Parse("f.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		session, err := generate.Run(t.Context(), s, generate.Config{Seed: 761, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		public, sealed, err := generatetest.Files(session)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := seal.Open(asFS(sealed), generatetest.Commitment(sealed))
		if err != nil {
			t.Fatal(err)
		}
		data, err := record.Read(asFS(public))
		if err != nil {
			t.Fatal(err)
		}
		r := &infer.Result{Draws: &drawn{}}
		r.Settings.Layout = infer.LayoutDigest{Name: of, SHA256: part.Digest(shippedFile(t, "layouts/"+of+".toml"))}
		var expected, passed, variance float64
		known, n := 0, 0
		all, err := score.TrueChances(score.Input{Public: data, Sealed: truth, Result: r})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all {
			n++
			if !math.IsNaN(x.P) {
				known, expected, passed, variance = known+1, expected+x.P, passed+x.Value, variance+x.P*(1-x.P)
			}
		}
		z := (passed - expected) / math.Sqrt(variance)
		t.Logf("%s: of %d responses %d have a truth; %.0f passed, %.1f expected, z %.1f", name, n, known, passed, expected, z)
		if known < n/3 || math.Abs(z) > 4 {
			t.Errorf("%s: of %d responses %d have a truth; %.0f passed, %.1f expected, z %.1f", name, n, known, passed, expected, z)
		}
	}
}
