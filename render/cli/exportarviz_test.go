package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/infer"
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

// consolidated checks that the root of a folder has the metadata of all its groups and arrays.
func consolidated(t *testing.T, root string) {
	t.Helper()
	var m struct {
		All struct{ Metadata map[string]any } `json:"consolidated_metadata"`
	}
	if err := json.Unmarshal(read(t, filepath.Join(root, "zarr.json")), &m); err != nil {
		t.Fatal(err)
	}
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "zarr.json" || filepath.Dir(path) == root {
			return err
		}
		n++
		var own any
		if err := json.Unmarshal(read(t, path), &own); err != nil {
			return err
		}
		at, err := filepath.Rel(root, filepath.Dir(path))
		if !reflect.DeepEqual(m.All.Metadata[filepath.ToSlash(at)], own) {
			t.Errorf("the root has other metadata of %s", at)
		}
		return err
	})
	if err != nil || n < 6 || n != len(m.All.Metadata) {
		t.Errorf("%d of %d groups and arrays: %v", len(m.All.Metadata), n, err)
	}
}

// howSampled checks what an export says of how NUTS came to each draw: the energy is above minus the log density by half a squared momentum, which is
// chi-squared with as many degrees of freedom as there are parameters; the step size is that of the chain.
// Of several subjects, energies add up.
func howSampled(t *testing.T, root string, dims string, parameters int) {
	t.Helper()
	of := strings.Contains(dims, "subject")
	get := func(name string) []float64 {
		if of {
			name += "_of_subject"
		}
		x, shape, d := zarrArray(t, filepath.Join(root, "sample_stats", name))
		if fmt.Sprint(d) != dims || len(x) == 0 {
			t.Fatalf("%s has dimensions %v of sizes %v", name, d, shape)
		}
		return x
	}
	lp, energy, depth, step := get("lp"), get("energy"), get("tree_depth"), get("step_size")
	sum, n := 0.0, 0
	for i := range lp {
		if math.IsNaN(lp[i]) { // drawn by another engine
			continue
		}
		kinetic := energy[i] + lp[i]
		if sum, n = sum+kinetic, n+1; !(kinetic > 0) || depth[i] < 1 || depth[i] != math.Trunc(depth[i]) || !(step[i] > 0) {
			t.Fatalf("draw %d has log density %g, energy %g, depth %g, step %g", i, lp[i], energy[i], depth[i], step[i])
		}
	}
	if mean := sum / float64(n); n == 0 || math.Abs(mean-float64(parameters)/2) > 6*math.Sqrt(float64(parameters)/2/float64(n)) {
		t.Errorf("the mean kinetic energy of %d draws is %g, %g expected", n, mean, float64(parameters)/2)
	}
	if !of {
		return
	}
	together, _, along := zarrArray(t, filepath.Join(root, "sample_stats", "energy"))
	if fmt.Sprint(along) != "[chain draw]" { // plot_energy of ArviZ takes no other
		t.Fatalf("the energy has dimensions %v", along)
	}
	subjects := len(energy) / len(together)
	for i, want := range together {
		got := 0.0
		for _, x := range energy[i*subjects : (i+1)*subjects] {
			if !math.IsNaN(x) {
				got += x
			}
		}
		if math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Fatalf("draw %d of all subjects has energy %g, their sum is %g", i, want, got)
		}
	}
}

// TestExportArviz reads back what it wrote: the log likelihoods give the leave-one-out estimate of the inference, and the drawn responses
// are 0 or 1, as often 1 as the likelihoods of the responses say.
func TestExportArviz(t *testing.T) {
	dir := t.TempDir()
	r, out := filepath.Join(dir, "r"), filepath.Join(dir, "z")
	smallRun(t, r)
	must(t, "export", "arviz", r, "--out", out, "--thin", "1")
	consolidated(t, out)
	howSampled(t, out, "[chain draw subject]", 1)
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
	for _, c := range []struct{ args, want string }{{"export arviz " + r, "--out"}, {"export arviz " + r + " --thin -1 --out " + out, "at least 1"}, {"export arviz " + r + " --out " + out, "--force"}} {
		if code, _, stderr := achilles(t, strings.Fields(c.args)...); code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %s", c.args, code, stderr)
		}
	}
}

// TestExportArvizCounts exports a fit of counts by a layout without parameters of items or of everybody, whose columns have names that are not ASCII: the
// log likelihoods give the leave-one-out estimate of the inference, and the parts of a vector are one array. Of an item that nobody can pass or fail by more than chance nothing varies, which is said.
func TestExportArvizCounts(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	items, responses := "item,größe,c,a,b\n", "subject,item,score,n\n"
	for i := range 12 {
		items += fmt.Sprintf("i%d,%d,%d,%d,%d\n", i, i%6, i/11, i%2, i/2%2)
		for s, name := range []string{"Åsa", "猫/日本"} {
			responses += fmt.Sprintf("%s,i%d,%g,5\n", name, i, float64(max(0, 4+s-i%6))/5)
		}
	}
	layout := `name = "counts"
doc = "Half of the tries at the last item pass by chance."
[metafeature]
"größe" = { column = "größe", range = [0, 5] }
c = { column = "c", range = [0, 1] }
q = { columns = ["a", "b"], range = [0, 1] }
[capability]
"fähigkeit" = { prior = "normal(2, 3)", unit = "größe" }
skill = { prior = "normal(0, 1)", size = "q" }
[response.success]
family = "binomial"
p = "mix(c, logistic(fähigkeit - größe + dot(q, skill)), 0.5)"
`
	for name, text := range map[string]string{"items.csv": items, "responses.csv": responses, "layout.toml": layout} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "import", "--items", at("items.csv"), "--responses", at("responses.csv"), "--out", at("r"))
	must(t, "infer", at("r"), "--layout", at("layout.toml"), "--draws", "100", "--no-predict")
	code, _, stderr := achilles(t, "export", "arviz", at("r"), "--layout", at("layout.toml"), "--out", at("z"))
	if code != 0 || !strings.Contains(stderr, "the likelihood of 2 of the responses is the same in every draw") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	res, err := infer.Open(os.DirFS(at("r/inferred")))
	if err != nil {
		t.Fatal(err)
	}
	skill, shape, dims := zarrArray(t, filepath.Join(at("z"), "posterior", "skill"))
	of, err := res.Draws.Of("猫/日本")
	if err != nil || fmt.Sprint(dims) != "[chain draw subject part]" || shape[2] != 2 || shape[3] != 2 {
		t.Fatalf("skills have dimensions %v of sizes %v (%v)", dims, shape, err)
	}
	if got, want := skill[(7*2+1)*2+1], of.Values[slices.Index(res.Draws.Parameters(), "skill[b]")][7]; got != want {
		t.Errorf("draw 7 of the second skill is %g, want %g", got, want)
	}
	ll, shape, _ := zarrArray(t, filepath.Join(at("z"), "log_likelihood", "success"))
	points, once := make([][][]float64, shape[2]), slices.Repeat([]float64{1}, shape[2])
	for k := range points {
		points[k] = make([][]float64, shape[0])
		keep := min(150, shape[1]) // the inference uses so many of a chain
		for c := range points[k] {
			for d := range keep {
				points[k][c] = append(points[k][c], ll[(c*shape[1]+d*shape[1]/keep)*shape[2]+k])
			}
		}
	}
	if got, want := diag.PSISLOO(points, once).ELPD, *res.Diagnostics.Fits[0].LOO.ELPD; shape[2] != 24 || math.Abs(got-want) > 0.001*math.Abs(want) {
		t.Errorf("ELPD %g of %d responses by the exported log likelihoods, the inference has %g", got, shape[2], want)
	}
}

// TestUnitDraws reads the draws of items and of what is shared of a fit of all subjects, as they are kept and as they are exported: their
// means are those of the table of parameters, and the log likelihoods give the leave-one-out estimate of the inference.
func TestUnitDraws(t *testing.T) {
	dir := t.TempDir()
	r, out, chains := filepath.Join(dir, "r"), filepath.Join(dir, "z"), filepath.Join(dir, "chains")
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "matrix.csv"), "--out", r)
	must(t, "infer", r, "--layout", "rasch", "--draws", "150", "--warmup", "300")
	res, err := infer.Open(os.DirFS(filepath.Join(r, "inferred")))
	if err != nil {
		t.Fatal(err)
	}
	d := res.UnitDraws
	if d == nil || d.Chains() != 4 || len(d.Draws()) < 150 || int(d.Draws()[len(d.Draws())-1]) != len(d.Draws())-1 { // chains may go on
		t.Fatalf("draws are kept of %v", d)
	}
	var all [][][]float64
	for draws, err := range d.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, draws)
	}
	must(t, "export", r, "--format", "cmdstan", "--out", chains)
	must(t, "export", "arviz", r, "--out", out, "--thin", "1")
	lines := strings.Split(string(read(t, filepath.Join(chains, "chain-2.csv"))), "\n")
	header := strings.Split(lines[6], ",")
	difficulties, shape, dims := zarrArray(t, filepath.Join(out, "posterior", "difficulty"))
	if fmt.Sprint(dims) != "[chain draw item]" || fmt.Sprint(shape) != fmt.Sprint([]int{4, len(d.Draws()), 10}) || len(all) != len(res.Units) || len(header) != 12+len(all) {
		t.Fatalf("difficulties have dimensions %v of sizes %v; draws of %d units, CSV columns %v", dims, shape, len(all), header)
	}
	for k, u := range res.Units {
		one, err := d.Of(k)
		if err != nil || !reflect.DeepEqual(one, all[k]) {
			t.Fatalf("%s: its draws alone differ from those among all (%v)", u.Name(), err)
		}
		if s := diag.Describe(one); math.Abs(s.Mean-*u.Mean) > 1e-9 || math.Abs(s.Q95-u.Q95) > 1e-9 {
			t.Errorf("%s: draws with mean %g and 95 %% quantile %g, the table has %g and %g", u.Name(), s.Mean, s.Q95, *u.Mean, u.Q95)
		}
		at := slices.Index(header, u.Name())
		if at < 0 {
			t.Fatalf("no column %s in %v", u.Name(), header)
		}
		if got := strings.Split(lines[7+149], ",")[at]; got != strconv.FormatFloat(one[1][149], 'g', -1, 64) {
			t.Errorf("%s: the last draw of chain 2 is %s in the CSV file, %g in the table", u.Name(), got, one[1][149])
		}
		if u.Parameter == "difficulty" && difficulties[(len(d.Draws())+7)*10+k] != one[1][7] {
			t.Errorf("%s: draw 7 of chain 2 is another in the export", u.Name())
		}
	}
	ll, shape, _ := zarrArray(t, filepath.Join(out, "log_likelihood", "success"))
	sum, want := 0.0, res.Diagnostics.Fits[0].LOO
	points, once := make([][][]float64, shape[2]), make([]float64, shape[2])
	for k := range points {
		points[k], once[k] = make([][]float64, shape[0]), 1
		for c := range points[k] {
			for d := range 150 { // those that the inference uses
				points[k][c] = append(points[k][c], ll[(c*shape[1]+d*shape[1]/150)*shape[2]+k])
			}
		}
		for i := range shape[0] * shape[1] {
			sum += math.Exp(ll[i*shape[2]+k])
		}
	}
	if got := diag.PSISLOO(points, once).ELPD; math.Abs(got-*want.ELPD) > 0.001*math.Abs(*want.ELPD) {
		t.Errorf("ELPD %g by the exported log likelihoods, the inference has %g", got, *want.ELPD)
	}
	drawn, _, _ := zarrArray(t, filepath.Join(out, "posterior_predictive", "success"))
	observed, _, _ := zarrArray(t, filepath.Join(out, "observed_data", "success"))
	agree := 0.0
	for i, x := range drawn {
		if x == observed[i%len(observed)] {
			agree++
		}
	}
	if sd := math.Sqrt(float64(len(drawn))) / 2; math.Abs(agree-sum) > 4*sd { // the seed is fixed; a false alarm has 6 in 100,000
		t.Errorf("%g drawn responses are those observed, %g ± %g are expected", agree, sum, sd)
	}
	if err := os.Remove(filepath.Join(r, "inferred", "parameterdraws", "000002.parquet")); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := achilles(t, "export", r, "--format", "cmdstan", "--out", chains, "--force"); code != 1 || !strings.Contains(stderr, "000002.parquet") {
		t.Errorf("without the draws of a chain: exit %d, %s", code, stderr)
	}
}

// TestArviz opens an export by ArviZ, with a Python that ACHILLES_ARVIZ names.
func TestArviz(t *testing.T) {
	longtest.Only(t, "starts Python")
	python := os.Getenv("ACHILLES_ARVIZ")
	if python == "" {
		t.Skip("ACHILLES_ARVIZ names no Python with arviz 1, zarr and matplotlib")
	}
	dir := t.TempDir()
	r, joint := filepath.Join(dir, "r"), filepath.Join(dir, "joint")
	smallRun(t, r)
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "matrix.csv"), "--out", joint)
	must(t, "infer", joint, "--layout", "rasch", "--draws", "100", "--warmup", "50")
	must(t, "export", "arviz", r, "--out", r+".zarr")
	must(t, "export", "arviz", joint, "--out", joint+".zarr")
	const script = `import sys, arviz as az, matplotlib
matplotlib.use("Agg")
a, b = (az.from_zarr(p) for p in sys.argv[1:])
assert set(a.children) == {"posterior", "sample_stats", "log_likelihood", "posterior_predictive", "observed_data", "constant_data"}, a
assert list(az.summary(a, kind="stats").index) and az.loo(a).n_data_points == 120
assert a["observed_data"]["success"].dims == ("response",) and str(a["constant_data"]["response_item"].values[0])
assert set(b.children) == set(a.children) and list(az.summary(b, kind="stats").index) and az.loo(b).n_data_points == 120
assert set(b["sample_stats"].data_vars) > {"diverging", "energy", "lp", "step_size", "tree_depth"} and az.bfmi(b)["energy"].min() > 0.3
assert a["sample_stats"]["energy_of_subject"].dims == ("chain", "draw", "subject")
for x in (a, b):
    az.plot_energy(x)
assert b["posterior"]["difficulty"].dims == ("chain", "draw", "item") and b["posterior"]["sigma"].dims == ("chain", "draw")
print("read")`
	if said, err := exec.Command(python, "-c", script, r+".zarr", joint+".zarr").CombinedOutput(); err != nil || !strings.HasSuffix(strings.TrimSpace(string(said)), "read") {
		t.Errorf("%v: %s", err, said)
	}
}
