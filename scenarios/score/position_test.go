package score_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim/record"
)

// late is a scenario whose two subjects take 40 items, each in an order of its own.
const late = `
name = "late"
[battery]
coding = "design"
items = 40
[[agent]]
name = "one"
rule = [{ p = 0.5 }]
[[agent]]
name = "two"
rule = [{ p = 0.5 }]
`

// change is a layout of subjects that begin to pass at some trial.
const change = `
name = "change"
[metafeature]
trial = { column = "position", range = [1, 40] }
[capability]
change = { prior = "uniform(1, 40)" }
[response.success]
p = "logistic(trial - change)"
`

// TestLayoutNamesThePosition lets two subjects pass whatever they take after their 15th and 25th trial, whatever it asks. The
// layout must find both places, predict each held-out response by its own position, and find no misfit.
func TestLayoutNamesThePosition(t *testing.T) {
	from := []int{15, 25}
	s, err := scene.Parse("late.toml", late)
	if err != nil {
		t.Fatal(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	session = session.Alone(session.Subjects[0].Name, session.Subjects[1].Name) // which lists what they did
	for i := range session.Responses {
		r := &session.Responses[i]
		if r.Value = 0; r.Position > from[r.Subject] {
			r.Value = 1
		}
	}
	public, _, err := generatetest.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	run := func(text string, jobs int) (*infer.Result, *shelf, error) {
		out := &shelf{files: map[string][]byte{}}
		c, err := jobOf("change.toml", text, 1)
		if err != nil {
			return nil, nil, err
		}
		c.Draws, c.Warmup, c.Jobs = 100, 100, jobs
		if _, err := infer.Run(context.Background(), asFS(public), c, &shelf{files: map[string][]byte{}}, out); err != nil {
			return nil, nil, err
		}
		r, err := infer.Open(asFS(out.files))
		return r, out, err
	}
	result, files, err := run(change, 1)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, p := range result.Profiles {
		sum += p.Mean
		if math.Abs(p.Mean-15.5) > 1 && math.Abs(p.Mean-25.5) > 1 {
			t.Errorf("%s changes at %.1f, and nobody does there", p.Subject, p.Mean)
		}
	}
	if math.Abs(sum-41) > 2 {
		t.Errorf("the changes sum to %.1f, not 41: both subjects have the same", sum)
	}
	var predictions []infer.Prediction
	for of, err := range result.Predictions {
		if err != nil {
			t.Fatal(err)
		}
		predictions = append(predictions, of...)
	}
	if len(predictions) < 10 {
		t.Fatalf("%d predictions", len(predictions))
	}
	data, err := record.Read(asFS(public))
	if err != nil {
		t.Fatal(err)
	}
	passed := map[[2]string]float64{}
	for _, r := range data.Responses.All() {
		passed[[2]string{data.Subjects[r.Subject], data.Items.ID[r.Item]}] = r.Value
	}
	loss := 0.0
	for _, p := range predictions {
		loss += math.Abs(p.P-passed[[2]string{p.Subject, p.Item}]) / float64(len(predictions))
	}
	if loss > 0.15 { // about 0.4 if items were predicted by the position at which the other subject took them
		t.Errorf("predictions are off by %.2f", loss)
	}
	for _, f := range result.Diagnostics.Fits {
		if f.Misfit != nil && len(f.Misfit.Failed) > 0 {
			t.Errorf("%s: %+v", f.Subject, f.Misfit.Failed)
		}
	}
	if _, again, err := run(change, 2); err != nil || !bytes.Equal(files.files["profiles.parquet"], again.files["profiles.parquet"]) {
		t.Errorf("two jobs give other bytes: error %v", err)
	}
	if _, _, err := run(strings.Replace(change, "40] }", "30] }", 1), 1); err == nil || !strings.Contains(err.Error(), "outside the declared range 1 to 30") {
		t.Errorf("error %v", err)
	}
}

// TestChancesFollowThePosition checks, in every posterior draw, that the chances of success on items with the same demands rise or
// fall all the way with the position, as practice does, and that the position does not matter to controls.
func TestChancesFollowThePosition(t *testing.T) {
	text := string(shippedFile(t, "learners.toml"))
	for _, setting := range []string{"population[0].count=2", "battery.items=80", "responses.repetitions=2", "responses.trajectories=false"} {
		var err error
		if text, err = scene.Override("f", text, setting); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scene.Parse("f.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	files, _, err := generatetest.Files(session.Alone(session.Subjects[0].Name, session.Subjects[1].Name))
	if err != nil {
		t.Fatal(err)
	}
	c, err := jobOf("learning.toml", string(shippedFile(t, "layouts/learning.toml")), 1)
	if err != nil {
		t.Fatal(err)
	}
	c.Draws, c.Warmup, c.Predict = 100, 50, false
	out := &shelf{files: map[string][]byte{}}
	if _, err := infer.Run(context.Background(), asFS(files), c, &shelf{files: map[string][]byte{}}, out); err != nil {
		t.Fatal(err)
	}
	result, err := infer.Open(asFS(out.files))
	if err != nil {
		t.Fatal(err)
	}
	public, err := record.Read(asFS(files))
	if err != nil {
		t.Fatal(err)
	}
	chances, err := score.NewChances(score.Input{Public: public, Result: result})
	if err != nil || chances == nil {
		t.Fatalf("chances %v, error %v", chances, err)
	}
	byDemand := map[[4]float64][]record.Response{}
	for _, r := range public.Responses.All() {
		key := [4]float64{float64(r.Subject)}
		for k, name := range []string{"timeUnderOcclusion", "occluder", "goalSize"} {
			col, _ := public.Items.Column(name)
			key[k+1] = col.Number[r.Item]
		}
		byDemand[key] = append(byDemand[key], r)
	}
	for key, responses := range byDemand {
		slices.SortFunc(responses, func(a, b record.Response) int { return int(a.Position - b.Position) })
		draws, err := chances.Of(public.Subjects[responses[0].Subject])
		if err != nil || len(draws) < 50 {
			t.Fatalf("%d draws, error %v", len(draws), err)
		}
		for _, p := range draws {
			up, down := false, false
			for i := 1; i < len(responses); i++ {
				d := p[chances.Row(&responses[i])] - p[chances.Row(&responses[i-1])]
				up, down = up || d > 1e-12, down || d < -1e-12
			}
			if hidden := key[2] == 1; up && down || (up || down) != (hidden && len(responses) > 1) {
				t.Fatalf("demands %v: chances rise %v and fall %v with the position", key, up, down)
			}
		}
	}
}
