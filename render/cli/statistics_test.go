package cli_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"achilles/infer"
	"achilles/infer/diag"
	"achilles/infer/infertest"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/rng"
)

var stat = flag.Bool("stat", false, "run the long statistical suites")

// importAAIO imports the Animal-AI Olympics with a shipped mapping.
func importAAIO(t *testing.T, mapping string) (dir string) {
	t.Helper()
	work := t.TempDir()
	for _, table := range []string{"task_codes.csv", "scores_all.csv"} {
		write(t, filepath.Join(work, table), dataFile(t, "aaio/"+table))
	}
	dir = filepath.Join(work, "r")
	must(t, "import", "--items", filepath.Join(work, "task_codes.csv"), "--responses", filepath.Join(work, "scores_all.csv"), "--mapping", mapping, "--out", dir)
	return dir
}

// A reference is a mean and a standard deviation by quadrature.
type reference struct{ mean, sd float64 }

func quadrature(t *testing.T, file string) map[[2]string]reference {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(dataFile(t, "aaio/"+file))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"navigationAbility": "navigation", "visualAbility": "visual", "noiseLevel": "noise", "rightLeftBias": "rightLeft"}
	spelt := map[string]string{"Trrrr": "Trrrrr", "mmlA": "mmIA", "Gytan": "Gyutan"} // as the paper spells them, and the table of responses
	out := map[[2]string]reference{}
	for _, r := range rows[1:] {
		mean, err1 := strconv.ParseFloat(r[2], 64)
		sd, err2 := strconv.ParseFloat(r[3], 64)
		if err1 != nil || err2 != nil || names[r[1]] == "" {
			t.Fatalf("%s: row %v", file, r)
		}
		if s, ok := spelt[r[0]]; ok {
			r[0] = s
		}
		out[[2]string{r[0], names[r[1]]}] = reference{mean, sd}
	}
	return out
}

// Means and standard deviations of all 68 entrants, from import to profile, are those of exact quadrature within Monte
// Carlo error, in both alignments. 2 × 272 values are compared twice each; the bound of 5.6 standard errors is passed
// by chance in fewer than one run in 40,000.
func TestStatAnimalAI(t *testing.T) {
	if !*stat {
		t.Skip("a long statistical suite: -stat runs it")
	}
	for _, c := range []struct{ mapping, reference string }{{"aaio-as-published", "reference_as_published.csv"}, {"aaio", "reference_own_rows.csv"}} {
		want := quadrature(t, c.reference)
		dir := importAAIO(t, c.mapping)
		must(t, "infer", dir, "--layout", "aaio", "--no-predict", "--draws", "2000")
		res, err := infer.Open(os.DirFS(filepath.Join(dir, "inferred")))
		if err != nil {
			t.Fatal(err)
		}
		worstMean, worstSD, n := 0.0, 0.0, 0
		for k, p := range res.Draws.Parameters {
			for subject, chains := range bySubject(&res.Draws, k) {
				w, ok := want[[2]string{subject, p}]
				if !ok {
					t.Fatalf("no reference for %s of %s", p, subject)
				}
				n++
				worstMean = math.Max(worstMean, math.Abs(diag.Mean(chains)-w.mean)/diag.MCSEMean(chains))
				worstSD = math.Max(worstSD, math.Abs(diag.SD(chains)-w.sd)/diag.MCSESD(chains))
			}
		}
		t.Logf("%s: %d values, largest |z| of a mean %.2f, of a standard deviation %.2f", c.mapping, n, worstMean, worstSD)
		if n != 272 || worstMean > 5.6 || worstSD > 5.6 {
			t.Errorf("%s: %d values, largest |z| %.2f and %.2f", c.mapping, n, worstMean, worstSD)
		}
	}
}

// Means of the object-permanence layout in both readings, the agents with several modes among them, are those of two
// references within the Monte Carlo error of both: a mode-hopping slice sampler, and long chains where they could be
// had. 343 means are compared; the bound of 4.5 standard errors is passed by chance in one run in 400.
func TestStatObjectPermanence(t *testing.T) {
	if !*stat {
		t.Skip("a long statistical suite: -stat runs it")
	}
	table := filepath.Join(t.TempDir(), "responses.csv")
	write(t, table, dataFile(t, "op/responses.csv"))
	for _, c := range []struct{ reading, layout string }{{"asrun", "op"}, {"table5", "op-table5"}} {
		dir := filepath.Join(t.TempDir(), "r")
		must(t, "import", "--items", table, "--responses", table, "--mapping", "op-table", "--out", dir)
		must(t, "infer", dir, "--layout", c.layout, "--no-predict")
		got := map[[2]string]infer.Profile{}
		res, err := infer.Open(os.DirFS(filepath.Join(dir, "inferred")))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range res.Profiles {
			got[[2]string{p.Subject, p.Parameter}] = p
		}
		for _, file := range []string{"reference_slice.csv", "reference_nuts.csv"} {
			worst, n := compareOP(t, file, c.reading, got)
			t.Logf("%s, %s: %d means, largest |z| %.2f; %d of %d fits with NUTS replaced", c.layout, file, n, worst, res.Diagnostics.Replaced, len(res.Diagnostics.Fits))
			if n < 63 || worst > 4.5 {
				t.Errorf("%s, %s: %d means, largest |z| %.2f", c.layout, file, n, worst)
			}
		}
	}
}

// compareOP returns the largest difference of means in combined standard errors.
func compareOP(t *testing.T, file, reading string, got map[[2]string]infer.Profile) (worst float64, n int) {
	t.Helper()
	names := map[string]string{"OPAbility": "op", "memoryAbility": "memory", "visualAbility": "visual", "rampAbility": "ramp", "lavaAbility": "lava",
		"platformAbility": "platform", "flatNavAbility": "flatNav", "rightLeftBias": "rightLeft", "noiseLevel": "noise"}
	rows, err := csv.NewReader(bytes.NewReader(dataFile(t, "op/"+file))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		if r[0] != reading {
			continue
		}
		mean, err1 := strconv.ParseFloat(r[3], 64)
		mcse, err2 := strconv.ParseFloat(r[5], 64)
		p, ok := got[[2]string{r[1], names[r[2]]}]
		if err1 != nil || err2 != nil || !ok || p.MCSE == nil {
			t.Fatalf("%s: row %v has no counterpart", file, r)
		}
		n++
		worst = math.Max(worst, math.Abs(p.Mean-mean)/math.Hypot(mcse, *p.MCSE))
	}
	return worst, n
}

// bySubject splits the draws of one parameter into chains.
func bySubject(d *infer.Draws, parameter int) map[string][][]float64 {
	out := map[string][][]float64{}
	for i, s := range d.Subject {
		c := int(d.Chain[i])
		for len(out[s]) <= c {
			out[s] = append(out[s], nil)
		}
		out[s][c] = append(out[s][c], d.Values[parameter][i])
	}
	return out
}

// Simulation-based calibration (Talts et al. 2018): subjects drawn from the prior of a layout whose failure rate is
// declared constant, fitted by the engines as users run them, have uniform ranks. The false-alarm rate is 1e-6 a layout.
func TestStatCalibration(t *testing.T) {
	if !*stat {
		t.Skip("a long statistical suite: -stat runs it")
	}
	burden := filepath.Join(t.TempDir(), "op")
	must(t, "generate", "quickstart", "--out", burden)
	for _, c := range []struct {
		layout string
		dir    func() string
	}{{"op-fixed", func() string { return burden }}, {"aaio-fixed", func() string { return importAAIO(t, "aaio") }}} {
		t.Run(c.layout, func(t *testing.T) { calibrate(t, c.layout, c.dir(), 300) })
	}
}

// calibrate ranks the truth of n simulated subjects among 99 thinned draws of their posteriors.
func calibrate(t *testing.T, name, dir string, n int) {
	data, err := record.Read(os.DirFS(filepath.Join(dir, "public")))
	if err != nil {
		t.Fatal(err)
	}
	l, err := layout.Parse(name, must(t, "layouts", "show", name, "--toml"))
	if err != nil {
		t.Fatal(err)
	}
	design, err := l.Bind(&data.Items, data.Manifest.Measures)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range design.Parameters() {
		names = append(names, p.Name)
	}
	ranks := infertest.NewRanks(names, 99)
	truths, draws := make([][]float64, n), make([][][]float64, n)
	var wait sync.WaitGroup
	var mu sync.Mutex
	for worker := range 2 {
		wait.Go(func() {
			for i := worker; i < n; i += 2 {
				theta, d, err := replicate(design, names, i)
				mu.Lock()
				if err != nil {
					t.Errorf("replication %d: %v", i, err)
				}
				truths[i], draws[i] = theta, d
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for i := range truths {
		if draws[i] != nil {
			ranks.Add(truths[i], draws[i])
		}
	}
	for i, p := range ranks.PValues(10) {
		t.Logf("%s %s: p = %.3g", name, names[i], p)
	}
	ranks.Check(t, 10, 1e-6)
}

func replicate(design *layout.Design, names []string, i int) (theta []float64, draws [][]float64, err error) {
	rng := rng.Stream(11, "calibration", fmt.Sprint(i))
	theta = make([]float64, len(names))
	design.DrawPrior(&rng, theta)
	data, err := design.NewData(design.Simulate(theta, &rng))
	if err != nil {
		return nil, nil, err
	}
	post, err := posterior.Fit(context.Background(), func() posterior.Problem { return design.NewTarget(data) }, names, posterior.Default(), 11, "calibration", strconv.Itoa(i))
	if err != nil {
		return nil, nil, err
	}
	var all [][]float64
	for _, chain := range post.Draws {
		all = append(all, chain...)
	}
	for k := range 99 {
		draws = append(draws, all[(2*k+1)*len(all)/(2*99)])
	}
	return theta, draws, nil
}
