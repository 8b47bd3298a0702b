package nuts_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/nuts"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// dataFolder returns a folder of the reference data, in ACHILLES_DATA or else in shared/data beside the repository. It
// skips the test if the folder does not exist.
func dataFolder(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("ACHILLES_DATA")
	if root == "" {
		_, here, _, _ := runtime.Caller(0)
		root = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "data")
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no reference data: set ACHILLES_DATA to the folder that holds %s", name)
	}
	return dir
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// A model is a target with a map to the scale on which its references are given.
type model interface {
	nuts.Target
	constrain(q []float64) []float64
}

// posteriordb lists the reference posteriors. build makes the model from the decoded data file.
var posteriordb = []struct {
	name, data, exercises string
	slow                  bool    // runs only with -long
	radius                float64 // chains start uniformly in (−radius, radius); starts farther off would find other modes
	accept                float64
	build                 func(d dataset) model
}{
	{"eight_schools-eight_schools_noncentered", "eight_schools", "half-Cauchy, mild funnel", false, 2, 0.95, func(d dataset) model { return schools{d.vector("y"), d.vector("sigma")} }},
	{"kidiq-kidscore_momiq", "kidiq", "regression, bad scaling", false, 2, 0.8, func(d dataset) model {
		return regression{x: columns(ones(d, "kid_score"), d.vector("mom_iq")), y: d.vector("kid_score"), scalePrior: cauchyScale(2.5)}
	}},
	{"earnings-logearn_height", "earnings", "extreme scaling", false, 2, 0.8, func(d dataset) model {
		return regression{x: columns(ones(d, "earn"), d.vector("height")), y: logs(d.vector("earn")), scalePrior: flatScale}
	}},
	{"mesquite-logmesquite_logvolume", "mesquite", "regression on few data", false, 2, 0.8, func(d dataset) model {
		a, b, c := logs(d.vector("diam1")), logs(d.vector("diam2")), logs(d.vector("canopy_height"))
		for i := range a {
			a[i] += b[i] + c[i]
		}
		return regression{x: columns(ones(d, "weight"), a), y: logs(d.vector("weight")), scalePrior: flatScale}
	}},
	{"sblrc-blr", "sblrc", "regression, proper priors", false, 2, 0.8, func(d dataset) model {
		return regression{x: d.matrix("X"), y: d.vector("y"), mean: make([]float64, 5), sd: []float64{10, 10, 10, 10, 10}, scalePrior: normalScale(10)}
	}},
	{"kilpisjarvi_mod-kilpisjarvi", "kilpisjarvi_mod", "correlation near −1", false, 2, 0.8, func(d dataset) model {
		return regression{x: columns(ones(d, "x"), d.vector("x")), y: d.vector("y"), mean: []float64{d.number("pmualpha"), d.number("pmubeta")},
			sd: []float64{d.number("psalpha"), d.number("psbeta")}, scalePrior: flatScale}
	}},
	// Beyond |θ| = 1 the errors explode, to log densities of −10²⁶, so that no sampler can start there.
	{"arma-arma11", "arma", "recursion", false, 0.8, 0.8, func(d dataset) model { return arma{d.vector("y")} }},
	{"arK-arK", "arK", "autoregression", false, 2, 0.8, func(d dataset) model {
		y := d.vector("y")
		var x [][]float64
		for t := 5; t < len(y); t++ {
			x = append(x, []float64{1, y[t-1], y[t-2], y[t-3], y[t-4], y[t-5]})
		}
		return regression{x: x, y: y[5:], mean: make([]float64, 6), sd: []float64{10, 10, 10, 10, 10, 10}, scalePrior: cauchyScale(2.5)}
	}},
	{"garch-garch11", "garch", "recursion with nested bounds", false, 2, 0.8, func(d dataset) model { return garch{d.vector("y"), d.number("sigma1")} }},
	{"low_dim_gauss_mix-low_dim_gauss_mix", "low_dim_gauss_mix", "ordered means, log-sum-exp", true, 1, 0.8, func(d dataset) model { return mixture{d.vector("y")} }},
}

// dataset is a data file of posteriordb.
type dataset map[string]any

func (d dataset) number(key string) float64 { return d[key].(float64) }

func (d dataset) vector(key string) []float64 { return floats(d[key].([]any)) }

func (d dataset) matrix(key string) [][]float64 {
	var out [][]float64
	for _, row := range d[key].([]any) {
		out = append(out, floats(row.([]any)))
	}
	return out
}

func floats(xs []any) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = x.(float64)
	}
	return out
}

func ones(d dataset, like string) []float64 {
	out := d.vector(like)
	for i := range out {
		out[i] = 1
	}
	return out
}

func logs(xs []float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = math.Log(x)
	}
	return out
}

func columns(cols ...[]float64) [][]float64 {
	out := make([][]float64, len(cols[0]))
	for i := range out {
		for _, c := range cols {
			out[i] = append(out[i], c[i])
		}
	}
	return out
}

// TestPosteriordb compares means and mean squares with the references of posteriordb (commit 28f8d3d; each is from ten
// chains of a thousand draws of Stan's NUTS).
func TestPosteriordb(t *testing.T) {
	dir := dataFolder(t, "posteriordb")
	for _, p := range posteriordb {
		t.Run(p.name, func(t *testing.T) {
			d := dataset{}
			readJSON(t, filepath.Join(dir, p.data+".json"), &d)
			m := p.build(d)
			checkGradients(t, m, 8)
			if p.slow {
				longtest.Only(t, "takes minutes")
			}
			var mean struct {
				Names []string  `json:"names"`
				Value []float64 `json:"mean_value"`
				MCSE  []float64 `json:"mcse_mean"`
			}
			var square struct {
				Value []float64 `json:"mean_squared_value"`
				MCSE  []float64 `json:"mcse_mean"`
			}
			readJSON(t, filepath.Join(dir, p.name+".mean_value.json"), &mean)
			readJSON(t, filepath.Join(dir, p.name+".mean_squared_value.json"), &square)
			draws := fourChains(t, m, p.radius, p.accept, 1)
			var quantities [][][]float64
			var want []infertest.Reference
			for i, name := range mean.Names {
				value := infertest.Quantity(draws, func(q []float64) float64 { return q[i] })
				squared := infertest.Quantity(draws, func(q []float64) float64 { return q[i] * q[i] })
				quantities = append(quantities, value, squared)
				want = append(want, infertest.Reference{Name: name, Value: mean.Value[i], SE: mean.MCSE[i]},
					infertest.Reference{Name: name + "²", Value: square.Value[i], SE: square.MCSE[i]})
			}
			infertest.CheckMeans(t, quantities, want)
		})
	}
}

func checkGradients(t *testing.T, m nuts.Target, points int) {
	t.Helper()
	rng := rng.Stream(5, "gradient")
	q := make([]float64, m.Dim())
	for range points {
		for i := range q {
			q[i] = 2*rng.Float64() - 1
		}
		infertest.CheckGradient(t, m, q, 1e-6)
	}
}

// fourChains returns draws[chain][draw][parameter] on the reference scale. Starts are uniform within the radius. The
// test fails if more than one draw in a thousand diverges.
func fourChains(t *testing.T, m model, radius, accept float64, root uint64) [][][]float64 {
	t.Helper()
	const chains, draws = 4, 1000
	c := nuts.Default()
	c.Accept = accept
	thetas := make([][][]float64, chains)
	results := make([]*nuts.Chain, chains)
	errs := make([]error, chains)
	var wait sync.WaitGroup
	for i := range chains {
		wait.Go(func() {
			rng := rng.Stream(root, "chain", fmt.Sprint(i))
			start := make([]float64, m.Dim())
			for k := range start {
				start[k] = radius * (2*rng.Float64() - 1)
			}
			results[i], errs[i] = nuts.Sample(context.Background(), m, start, c, draws, rng)
			if errs[i] != nil {
				return
			}
			for _, q := range results[i].Draws {
				thetas[i] = append(thetas[i], m.constrain(q))
			}
		})
	}
	wait.Wait()
	gradients, divergences := 0, 0
	for i := range chains {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		gradients += results[i].Gradients
		divergences += len(results[i].Divergent())
	}
	t.Logf("%.1f gradients a draw, %d divergences, step %.3g", float64(gradients)/float64(chains*draws), divergences, results[0].Step)
	if divergences > chains*draws/1000 {
		t.Errorf("%d divergences in %d draws", divergences, chains*draws)
	}
	return thetas
}

// TestIRT compares the 144 parameters of a hierarchical item response model with long-run means and second moments
// (stat_comp_benchmarks, commit 86586be: a million draws of HMC, printed with five digits). The file does not give their
// standard errors; the test assumes that the draws are worth ten thousand independent ones.
func TestIRT(t *testing.T) {
	dir := dataFolder(t, "irt_2pl")
	var data struct{ Y [][]float64 }
	readJSON(t, filepath.Join(dir, "irt_2pl.data.json"), &data)
	m := irt{data.Y}
	checkGradients(t, m, 1)
	longtest.Only(t, "takes minutes")
	f, err := os.Open(filepath.Join(dir, "irt_2pl.params"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	draws := fourChains(t, m, 2, 0.8, 1)
	var quantities [][][]float64
	var want []infertest.Reference
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var name string
		var mean, sd float64
		if _, err := fmt.Sscan(lines.Text(), &name, &mean, &sd); err != nil {
			t.Fatal(err)
		}
		i := len(want) / 2
		quantities = append(quantities, infertest.Quantity(draws, func(q []float64) float64 { return q[i] }),
			infertest.Quantity(draws, func(q []float64) float64 { return (q[i] - mean) * (q[i] - mean) }))
		want = append(want, infertest.Reference{Name: name, Value: mean, SE: sd / 100},
			infertest.Reference{Name: name + " variance", Value: sd * sd, SE: sd * sd / 50})
	}
	if len(want) != 2*m.Dim() {
		t.Fatalf("%d references for %d parameters", len(want)/2, m.Dim())
	}
	infertest.CheckMeans(t, quantities, want)
}
