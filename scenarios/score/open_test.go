package score_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquet-go/parquet-go"

	"achilles/agents"
	"achilles/battery"
	"achilles/infer"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
	"achilles/sim/part"
	"achilles/sim/record"
)

// A flow has the files of the public, the inferred and the sealed directory of one small run.
type flow struct{ public, inferred, sealed map[string][]byte }

// newFlow publishes three subjects on six items, and writes a result for them: posterior means of .7, predictions of
// .6.
func newFlow(t *testing.T, root uint64) flow {
	t.Helper()
	s := &generate.Session{Root: root, HoldOut: 0.5, Scenario: "x", Scale: map[string]float64{"op": 2}}
	s.Battery = battery.Battery{
		Suite:   "op",
		Schema:  []record.Feature{{Name: "d", Kind: record.Number, Role: record.Demand}},
		Measure: []record.Measure{{Name: "success", Family: record.Binary}},
	}
	for i := range 6 {
		s.Battery.Items.Append(&battery.Item{Name: fmt.Sprint("item ", i), Values: battery.PackValues(battery.Value{Number: float64(i)})})
	}
	for i := range 3 {
		s.Subjects = append(s.Subjects, agents.Spec{Name: fmt.Sprint("agent ", i), Truth: agents.Truth{Capability: map[string]float64{"op": float64(i) / 2}}})
		for k := range 6 {
			s.Responses = append(s.Responses, generate.Response{Subject: i, Item: k, Value: float64((i + k) % 2)})
		}
	}
	public, sealed, err := generatetest.Files(s)
	if err != nil {
		t.Fatal(err)
	}
	return flow{public, inferredFiles(t, public), sealed}
}

// inferredFiles returns the files of an inferred directory, in the format of docs/reference/format.md.
func inferredFiles(t *testing.T, public map[string][]byte) map[string][]byte {
	t.Helper()
	d, err := record.Read(directory(public))
	if err != nil {
		t.Fatal(err)
	}
	type draw struct {
		Subject string  `parquet:"subject,dict"`
		Chain   int32   `parquet:"chain"`
		Draw    int32   `parquet:"draw"`
		OP      float64 `parquet:"op"`
	}
	var profiles []infer.Profile
	var draws []draw
	for _, id := range d.Subjects {
		profiles = append(profiles, infer.Profile{Subject: id, Parameter: "op", Group: "capability", Mean: 0.7, SD: 0.2, Q5: 0.4, Q25: 0.6, Q50: 0.7, Q75: 0.8, Q95: 1.1})
		draws = append(draws, draw{id, 0, 0, 0.6}, draw{id, 0, 1, 0.8})
	}
	var predictions []infer.Prediction
	for _, r := range d.Responses.All() {
		if r.Split == record.HeldOut {
			predictions = append(predictions, infer.Prediction{Subject: d.Subjects[r.Subject], Item: d.Items.ID[r.Item], Measure: "success", P: 0.6})
		}
	}
	files := map[string][]byte{
		"profiles.parquet": parquetOf(t, profiles), "draws.parquet": parquetOf(t, draws), "predictions.parquet": parquetOf(t, predictions),
		"diagnostics.json": jsonOf(t, infer.Diagnostics{Layout: "x"}),
	}
	m := part.New(part.Inferred, map[string]string{"public": digest(public["manifest.json"])}, json.RawMessage(`{"seed": "1"}`))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		m.Add(name, files[name], nil)
	}
	files["manifest.json"] = m.Encode()
	return files
}

func parquetOf[T any](t *testing.T, rows []T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func directory(files map[string][]byte) fs.FS {
	dir := fstest.MapFS{}
	for name, b := range files {
		dir[name] = &fstest.MapFile{Data: b}
	}
	return dir
}

// grade opens the three directories and grades them.
func (f flow) grade() (*score.Scores, error) {
	in, err := score.Open(directory(f.public), directory(f.inferred))
	if err != nil {
		return nil, err
	}
	if err := in.Unseal(directory(f.sealed)); err != nil {
		return nil, err
	}
	return score.Run(in)
}

func TestOpen(t *testing.T) {
	f := newFlow(t, 5)
	s, err := f.grade()
	if err != nil {
		t.Fatal(err)
	}
	// The truths are 0, ½ and 1 of the maximum 2, all means .7: the deviations are .35, −.15, −.65 of the maximum.
	if r := s.Recovery["overall"]["op"]; r.N != 3 || !same(r.RMSE*r.RMSE, (0.1225+0.0225+0.4225)/3) {
		t.Errorf("%+v", r)
	}
	if d := s.Coverage.Detail["90"]["op"]; d.All.Covered != 1 || d.AtBound != 2 || d.Shortest.Covered != 2 {
		t.Errorf("the truth 1 lies in .4 to 1.1, and two draws reach both bounds: %+v", d)
	}
	if s.Inferred != digest(f.inferred["manifest.json"]) || s.Public != digest(f.public["manifest.json"]) || s.Sealed == "" {
		t.Errorf("digests %q %q %q", s.Public, s.Inferred, s.Sealed)
	}
	if s.Prediction.Pooled.N == 0 || s.Prediction.Unpredicted != 0 {
		t.Errorf("prediction %+v", s.Prediction)
	}
}

// TestTampered flips one bit at up to 20 places of every file (-long: 400), one at a time, and removes every file: each must be
// refused. Only the ledger has the digest of the result's own manifest, so that a flip in this file need not be
// refused; then the digest in the scores must have changed.
func TestTampered(t *testing.T) {
	f, places := newFlow(t, 5), 20
	if longtest.On() {
		places = 400
	}
	want := digest(f.inferred["manifest.json"])
	for part, files := range map[string]map[string][]byte{"public": f.public, "inferred": f.inferred, "sealed": f.sealed} {
		for name, b := range files {
			whole := part + "/" + name
			stride := 1 + len(b)/places
			for i := 0; i < len(b); i += stride {
				b[i] ^= 1
				s, err := f.grade()
				b[i] ^= 1
				if err == nil && (whole != "inferred/manifest.json" || s.Inferred == want) {
					t.Fatalf("%s: byte %d flipped, and graded", whole, i)
				}
				if err != nil && strings.Contains(err.Error(), "\n") {
					t.Fatalf("%s: byte %d: more than a line: %q", whole, i, err)
				}
			}
			delete(files, name)
			if _, err := f.grade(); err == nil {
				t.Errorf("%s is missing, and graded", whole)
			}
			files[name] = b
		}
	}
	if _, err := f.grade(); err != nil {
		t.Fatal("nothing is changed any more: ", err)
	}
}

// TestSwapped checks that a valid part of another run is refused.
func TestSwapped(t *testing.T) {
	f, g := newFlow(t, 5), newFlow(t, 6)
	if _, err := (flow{f.public, f.inferred, g.sealed}).grade(); err == nil || !strings.Contains(err.Error(), "sealed") {
		t.Errorf("another run's seal: %v", err)
	}
	if _, err := (flow{g.public, f.inferred, g.sealed}).grade(); err == nil || !strings.Contains(err.Error(), "made from another public part") {
		t.Errorf("another run's public data: %v", err)
	}
}
