package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"achilles/infer/diag"
	"achilles/sim/longtest"
)

// zarrArray reads an array of numbers, whose first dimension is cut into chunks if it has more than one.
func zarrArray(t *testing.T, path string) (values []float64, shape []int, dims []string) {
	t.Helper()
	var m struct {
		Shape          []int
		DimensionNames []string `json:"dimension_names"`
		ChunkGrid      struct {
			Configuration struct {
				ChunkShape []int `json:"chunk_shape"`
			}
		} `json:"chunk_grid"`
	}
	if err := json.Unmarshal(read(t, filepath.Join(path, "zarr.json")), &m); err != nil {
		t.Fatal(err)
	}
	for c := range m.Shape[0] / m.ChunkGrid.Configuration.ChunkShape[0] {
		z, err := gzip.NewReader(bytes.NewReader(read(t, filepath.Join(path, "c", fmt.Sprint(c)+strings.Repeat("/0", len(m.Shape)-1)))))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		for ; len(b) > 0; b = b[8:] {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	}
	return values, m.Shape, m.DimensionNames
}

// TestExportArviz reads back what it wrote: the log likelihoods give the leave-one-out estimate of the inference, and the drawn responses
// are 0 or 1, as often 1 as the likelihoods of the responses say.
func TestExportArviz(t *testing.T) {
	dir := t.TempDir()
	r, out := filepath.Join(dir, "r"), filepath.Join(dir, "z")
	smallRun(t, r)
	must(t, "export", "arviz", r, "--out", out, "--thin", "1")
	ll, shape, dims := zarrArray(t, filepath.Join(out, "log_likelihood", "success"))
	if fmt.Sprint(dims) != "[chain draw response]" || shape[2] != 3*40 || len(ll) != shape[0]*shape[1]*shape[2] {
		t.Fatalf("log likelihoods have dimensions %v of sizes %v, and are %d", dims, shape, len(ll))
	}
	points := make([][][]float64, shape[2]) // by response, chain and draw
	for k := range points {
		points[k] = make([][]float64, shape[0])
		for c := range shape[0] {
			for d := range shape[1] {
				points[k][c] = append(points[k][c], ll[(c*shape[1]+d)*shape[2]+k])
			}
		}
	}
	var diagnostics struct {
		Fits []struct {
			Rows string
			LOO  struct{ ELPD float64 }
		}
	}
	if err := json.Unmarshal(read(t, filepath.Join(r, "inferred", "diagnostics.json")), &diagnostics); err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for _, f := range diagnostics.Fits {
		if f.Rows == "all" {
			want += f.LOO.ELPD
		}
	}
	repeats := make([]float64, len(points))
	for i := range repeats {
		repeats[i] = 1
	}
	if got := diag.PSISLOO(points, repeats).ELPD; !(math.Abs(got-want) <= 0.001*math.Abs(want)) {
		t.Errorf("ELPD %g, the inference says %g", got, want)
	}
	observed, _, _ := zarrArray(t, filepath.Join(out, "observed_data", "success"))
	drawn, _, _ := zarrArray(t, filepath.Join(out, "posterior_predictive", "success"))
	expected, sum, variance := 0.0, 0.0, 0.0
	for i, x := range drawn {
		p := math.Exp(ll[i])
		if observed[i%shape[2]] == 0 {
			p = 1 - p
		}
		expected, sum, variance = expected+p, sum+x, variance+p*(1-p)
		if x != 0 && x != 1 {
			t.Fatalf("a success of %g", x)
		}
	}
	if math.Abs(sum-expected) > 4*math.Sqrt(variance) { // the seed is fixed; a false alarm has 6 in 100,000
		t.Errorf("%g successes are drawn, %g ± %g are expected", sum, expected, math.Sqrt(variance))
	}
	var thin []float64
	must(t, "export", "arviz", r, "--out", out, "--thin", "7", "--force")
	if thin, shape, _ = zarrArray(t, filepath.Join(out, "log_likelihood", "success")); thin[shape[2]] != ll[7*shape[2]] {
		t.Error("--thin 7 does not write draw 7 after draw 0")
	}
	for _, c := range []struct{ args, want string }{{"export arviz " + r, "--out"}, {"export arviz " + r + " --thin -1 --out " + out, "from 1"}, {"export arviz " + r + " --out " + out, "--force"}} {
		if code, _, stderr := achilles(t, strings.Fields(c.args)...); code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %s", c.args, code, stderr)
		}
	}
}

// TestArviz opens an export by ArviZ, with a Python that ACHILLES_ARVIZ names.
func TestArviz(t *testing.T) {
	longtest.Only(t, "starts Python")
	python := os.Getenv("ACHILLES_ARVIZ")
	if python == "" {
		t.Skip("ACHILLES_ARVIZ names no Python with arviz 1 and zarr")
	}
	dir := t.TempDir()
	r, joint := filepath.Join(dir, "r"), filepath.Join(dir, "joint")
	smallRun(t, r)
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "matrix.csv"), "--out", joint)
	must(t, "infer", joint, "--layout", "rasch", "--draws", "100", "--warmup", "50")
	must(t, "export", "arviz", r, "--out", r+".zarr")
	must(t, "export", "arviz", joint, "--out", joint+".zarr")
	const script = `import sys, arviz as az
a, b = (az.from_zarr(p) for p in sys.argv[1:])
assert set(a.children) == {"posterior", "sample_stats", "log_likelihood", "posterior_predictive", "observed_data", "constant_data"}, a
assert list(az.summary(a, kind="stats").index) and az.loo(a).n_data_points == 120
assert a["observed_data"]["success"].dims == ("response",) and str(a["constant_data"]["response_item"].values[0])
assert set(b.children) == {"posterior", "sample_stats", "observed_data", "constant_data"} and list(az.summary(b).index)
print("read")`
	if said, err := exec.Command(python, "-c", script, r+".zarr", joint+".zarr").CombinedOutput(); err != nil || !strings.HasSuffix(strings.TrimSpace(string(said)), "read") {
		t.Errorf("%v: %s", err, said)
	}
}
