package score_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/infer/posterior"
	"achilles/scenarios"
	"achilles/scenarios/score"
	"achilles/sim/record"
)

// A frail is a shelf that stores `left` more files; then its method Put returns errBroken.
type frail struct {
	shelf
	left int
}

func (f *frail) Put(name string, data []byte) error {
	if f.left--; f.left < 0 {
		return errBroken
	}
	return f.shelf.Put(name, data)
}

func (f *frail) Create(name string) (io.WriteCloser, error) { return infertest.Create(name, f.Put) }

func (d *published) infer(pieces infer.Sink, out infer.Out, jobs int, edits ...string) error {
	text, err := scenarios.FS.ReadFile("layouts/embodied.toml")
	if err != nil {
		return err
	}
	c, err := jobOf("own.toml", strings.NewReplacer(edits...).Replace(string(text)), 4)
	if err != nil {
		return err
	}
	c.Engine, c.Draws, c.Warmup, c.Jobs = posterior.NUTS, 100, 50, jobs
	_, err = infer.Run(context.Background(), asFS(d.files), c, pieces, out)
	return err
}

// TestLayoutsOfOnesOwnWalk checks that a layout predicts paths because of its content, not of its name.
func TestLayoutsOfOnesOwnWalk(t *testing.T) {
	d := publish(t, 7, "battery.items=60", "population[0].count=1")
	paths := func(edits ...string) ([]byte, error) {
		out := &shelf{files: map[string][]byte{}}
		err := d.infer(&shelf{files: map[string][]byte{}}, out, 2, edits...)
		return out.files["paths.parquet"], err
	}
	shipped, err := paths()
	if err != nil {
		t.Fatal(err)
	}
	if own, err := paths(`name = "embodied"`, `name = "mine"`); err != nil || !bytes.Equal(own, shipped) || own == nil {
		t.Errorf("under another name it predicts other paths: error %v", err)
	}
	if other, err := paths("place = 1 ", "place = 3 "); err != nil || bytes.Equal(other, shipped) {
		t.Errorf("what a place asks makes no difference: error %v", err)
	}
	if none, err := paths("[walking]\n", "", "place = 1 ", "#", "chance = 0.5 ", "#"); err != nil || none != nil {
		t.Errorf("it says nothing of walking and walks: error %v", err)
	}
	want := "own.toml:50: key walking: no trait is driven by the parameter slope: give one, as in memory = \"slope\", or ignore = [\"slope\"]; traits are visual, op,"
	slope := []string{"ramp = {", "slope = {", "present(ramp,", "present(slope,", `"ramp < 0.8"`, `"slope < 0.8"`, "{ramp}", "{slope}"}
	if _, err := paths(slope...); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	if own, err := paths(append(slope, "place = 1 ", "ramp = \"slope\"\nplace = 1 ")...); err != nil || !bytes.Equal(own, shipped) {
		t.Errorf("a parameter of another name predicts other paths: error %v", err)
	}
	if other, err := paths("place = 1 ", "memory = \"memory*goalSize/5\"\nplace = 1 "); err != nil || bytes.Equal(other, shipped) {
		t.Errorf("a feature of the item makes no difference: error %v", err)
	}
}

// flipped returns the same public directory, with every held-out response inverted.
func (d *published) flipped(t *testing.T) *published {
	t.Helper()
	data, err := record.Read(asFS(d.files))
	if err != nil {
		t.Fatal(err)
	}
	list := data.Responses.List()
	for i := range list {
		if r := &list[i]; r.Split == record.HeldOut {
			r.Value = 1 - r.Value
		}
	}
	data.Responses = record.PackResponses(list)
	tables, err := record.Encode(data, data.Manifest.Files...)
	if err != nil {
		t.Fatal(err)
	}
	files := maps.Clone(d.files)
	maps.Copy(files, tables)
	return &published{files: files}
}

// TestPathsAreInferredAndGraded checks that predicted paths do not depend on the number of workers, on interruptions,
// or on the held-out responses, and that the scores are means over them.
func TestPathsAreInferredAndGraded(t *testing.T) {
	d := publish(t, 7, "battery.items=80", "population[0].count=3")
	whole := &shelf{files: map[string][]byte{}}
	if err := d.infer(&shelf{files: map[string][]byte{}}, whole, 2); err != nil {
		t.Fatal(err)
	}
	if whole.files["paths.parquet"] == nil {
		t.Fatal("no paths were predicted")
	}
	pieces := &frail{shelf{files: map[string][]byte{}}, 8} // breaks after all six fits and a block or two of paths
	again := &shelf{files: map[string][]byte{}}
	if err := d.infer(pieces, again, 1); !errors.Is(err, errBroken) {
		t.Fatalf("a broken shelf: error %v", err)
	}
	pieces.left = 1000
	if err := d.infer(pieces, again, 1); err != nil {
		t.Fatal(err)
	}
	for name, data := range whole.files {
		if !bytes.Equal(data, again.files[name]) {
			t.Errorf("%s differs after an interruption", name)
		}
	}
	blind := &shelf{files: map[string][]byte{}}
	if err := d.flipped(t).infer(&shelf{files: map[string][]byte{}}, blind, 2); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(blind.files["paths.parquet"], whole.files["paths.parquet"]) {
		t.Error("the predictions depend on what was held out")
	}
	in, err := score.Open(asFS(d.files), asFS(whole.files))
	if err != nil {
		t.Fatal(err)
	}
	s, err := score.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, x := range d.data.Responses.All() {
		if x.Split == record.HeldOut {
			held++
		}
	}
	all := s.Paths[score.Overall]
	if all.N != held || all.Subjects != 3 || len(in.Result.Paths) != held {
		t.Errorf("%d paths of %d subjects are graded, %d responses were held out", all.N, all.Subjects, held)
	}
	sum, n := 0.0, 0
	for _, p := range in.Result.Paths {
		sum += p.RMSE
	}
	for name, p := range s.Paths {
		if name != score.Overall {
			n += p.N
		}
	}
	if math.Abs(sum/float64(held)-all.RMSE) > 1e-12 || n != held {
		t.Errorf("mean RMSE %v graded as %v; %d paths in the paradigms", sum/float64(held), all.RMSE, n)
	}
	if in := all.Interval; in == nil || in[0] > all.RMSE || in[1] < all.RMSE {
		t.Errorf("interval %v around %v", in, all.RMSE)
	}
	files, err := s.Files(asCSV)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(files["scores.json"], []byte(`"paths"`)) || files["paths.csv"] == nil || tableOf(t, s, "paths") == nil {
		t.Error("the scores are not written")
	}
}

// TestPredictedPathsAreNear checks that predicted paths are nearer to the walked ones than every baseline, over six directories: of one with
// three subjects, what is known of all together may do as well as what is known of each.
func TestPredictedPathsAreNear(t *testing.T) {
	var rmse, pooled, still, direct, fan, pooledFan float64
	for seed := uint64(501); seed <= 506; seed++ {
		d := publish(t, seed, "battery.items=80", "population[0].count=3")
		result := &shelf{files: map[string][]byte{}}
		if err := d.infer(&shelf{files: map[string][]byte{}}, result, 2); err != nil {
			t.Fatal(err)
		}
		in, err := score.Open(asFS(d.files), asFS(result.files))
		if err != nil {
			t.Fatal(err)
		}
		s, err := score.Run(in)
		if err != nil {
			t.Fatal(err)
		}
		x := s.Paths[score.Overall]
		rmse, pooled, still, direct, fan, pooledFan = rmse+x.RMSE, pooled+x.Pooled, still+x.Still, direct+x.Direct, fan+x.Fan, pooledFan+x.PooledFan
	}
	if !(rmse < pooled && rmse < still && rmse < direct && fan < pooledFan) {
		t.Errorf("sums over six directories: RMSE %v, pooled %v, still %v, direct %v; fan %v, pooled %v", rmse, pooled, still, direct, fan, pooledFan)
	}
}
