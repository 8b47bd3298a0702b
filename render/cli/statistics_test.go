package cli_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"achilles/infer"
	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/sim/longtest"
	"achilles/sim/num"
)

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

// A reference is the mean and standard deviation of a posterior, computed by numerical integration.
type reference struct{ mean, sd float64 }

func quadrature(t *testing.T, file string) map[[2]string]reference {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(dataFile(t, "aaio/"+file))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"navigationAbility": "navigation", "visualAbility": "visual", "noiseLevel": "noise", "rightLeftBias": "rightLeft"}
	spelt := map[string]string{"Trrrr": "Trrrrr", "mmlA": "mmIA", "Gytan": "Gyutan"} // as the paper spells them, and the responses
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

// TestStatAnimalAI checks that, from import to profile, the posterior means and standard deviations of all 68 entrants
// agree with exact quadrature within Monte Carlo error, with both shipped mappings of the tables: aaio gives each task
// its own features; aaio-as-published gives 18 tasks those of other tasks, as the published analysis did. Each of 2 ×
// 272 posteriors has two values to compare. The bound of 5.6 standard errors is exceeded by chance in fewer than one
// run in 40,000.
func TestStatAnimalAI(t *testing.T) {
	longtest.Only(t, "a long statistical suite")
	for _, c := range []struct{ mapping, reference string }{{"aaio-as-published", "reference_as_published.csv"}, {"aaio", "reference_own_rows.csv"}} {
		want := quadrature(t, c.reference)
		dir := importAAIO(t, c.mapping)
		must(t, "infer", dir, "--layout", "aaio", "--no-predict", "--draws", "2000")
		res, err := infer.Open(os.DirFS(filepath.Join(dir, "inferred")))
		if err != nil {
			t.Fatal(err)
		}
		worstMean, worstSD, n := 0.0, 0.0, 0
		for k, p := range res.Draws.Parameters() {
			for subject, chains := range bySubject(t, res.Draws, k) {
				w, ok := want[[2]string{subject, p}]
				if !ok {
					t.Fatalf("no reference for %s of %s", p, subject)
				}
				n++
				mean, variance := num.Moments(slices.Concat(chains...))
				worstMean = math.Max(worstMean, math.Abs(mean-w.mean)/diag.MCSEMean(chains))
				worstSD = math.Max(worstSD, math.Abs(math.Sqrt(variance)-w.sd)/diag.MCSESD(chains))
			}
		}
		t.Logf("%s: %d values, largest |z| of a mean %.2f, of a standard deviation %.2f", c.mapping, n, worstMean, worstSD)
		if n != 272 || worstMean > 5.6 || worstSD > 5.6 {
			t.Errorf("%s: %d values, largest |z| %.2f and %.2f", c.mapping, n, worstMean, worstSD)
		}
	}
}

// TestStatObjectPermanence checks the posterior means of the object-permanence layout of Burden et al. (2023) in two
// readings: as the authors' code runs (layout op), and as their Table 5 is printed (op-bounds). The means must agree
// with two references within the Monte Carlo errors: a slice sampler that hops between modes and, for the agents that
// the reference file has, long chains. Some agents have several modes. 343 means are compared; the bound of 4.5
// standard errors is exceeded by chance in one run in 400.
func TestStatObjectPermanence(t *testing.T) {
	longtest.Only(t, "a long statistical suite")
	table := filepath.Join(t.TempDir(), "responses.csv")
	write(t, table, dataFile(t, "op/responses.csv"))
	for _, c := range []struct{ reading, layout string }{{"asrun", "op"}, {"table5", "op-bounds"}} {
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

// compareOP returns the largest difference between the posterior means in a reference file and those in got, in
// combined standard errors, and the number of means that it compared.
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

// bySubject returns the draws of one parameter by subject and chain.
func bySubject(t *testing.T, draws infer.Draws, parameter int) map[string][][]float64 {
	t.Helper()
	out := map[string][][]float64{}
	for d, err := range draws.All() {
		if err != nil {
			t.Fatal(err)
		}
		s := d.Subject
		for i, x := range d.Values[parameter] {
			c := int(d.Chain[i])
			for len(out[s]) <= c {
				out[s] = append(out[s], nil)
			}
			out[s][c] = append(out[s][c], x)
		}
	}
	return out
}

// TestStatCalibration runs simulation-based calibration (Talts et al. 2018): for subjects drawn from the prior of a
// layout whose failure rate is declared constant, and fitted by the engines as users run them, the ranks of the true
// values among posterior draws must be uniform. The false-alarm rate is 1e-6 for each layout. Errors that are planted
// in the fits must be found. Each is planted in a battery that can show it.
func TestStatCalibration(t *testing.T) {
	longtest.Only(t, "a long statistical suite")
	work := t.TempDir()
	must(t, "generate", "quickstart", "--out", filepath.Join(work, "op"))
	must(t, append([]string{"generate", "op-design", "--out", filepath.Join(work, "bare")}, bare...)...)
	op := func(*testing.T) string { return filepath.Join(work, "op") }
	without := func(*testing.T) string { return filepath.Join(work, "bare") }
	olympics := func(t *testing.T) string { return importAAIO(t, "aaio") } // skips where the data are absent
	for _, c := range []struct {
		layout, name string
		dir          func(t *testing.T) string
		replications int
		found        string // planted error that must be found in at least 90 % of the sets of half the replications
	}{
		{"constant", "op", op, 100, "success × 0.98"},
		{"op-fixed", "bare", without, 80, "slopes × 1.2"},
		{"op-fixed", "op", op, 100, "responses ignored"},
		{"aaio-fixed", "aaio", olympics, 200, "responses ignored"},
	} {
		t.Run(c.layout+"/"+c.name, func(t *testing.T) {
			l, err := layout.Parse(c.layout, must(t, "layouts", "show", c.layout, "--toml"))
			if err != nil {
				t.Fatal(err)
			}
			job := infer.Job{Settings: infer.Default(l), Layout: l}
			job.Seed, job.Jobs = 501, 2
			res, err := infer.Calibrate(t.Context(), os.DirFS(filepath.Join(c.dir(t), "public")), job, c.replications)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range res.Quantities {
				t.Logf("%s: p = %.3g", q.Name, q.P)
				if !(q.P >= 1e-6/float64(len(res.Quantities))) {
					t.Errorf("%s: ranks %v are not uniform, p = %.2g", q.Name, q.Ranks, q.P)
				}
			}
			for _, p := range res.Planted {
				t.Logf("%s: p = %.2g, power %.2f by %s, %d refits", p.Name, p.P, p.Power, p.By, p.Refits)
				if p.Name == c.found && p.Power < 0.9 {
					t.Errorf("%s: found in %.2f of the sets of %d replications", p.Name, p.Power, c.replications/2)
				}
			}
		})
	}
}

// bare has the settings of op-design under which success depends only on memory, size and side: no hurdle and no hidden
// place (docs/reference/layouts.md).
var bare = []string{"--set", "battery.items=2000", "--set", "battery.levels.timeUnderOcclusion=[0, 1, 2, 3, 4]", "--set", "battery.levels.goalSize=[5, 4, 3, 2, 1]",
	"--set", "battery.levels.occluder=[0]", "--set", "battery.levels.goalDistance=[0]",
	"--set", "battery.levels.lava=[0]", "--set", "battery.levels.ramp=[0]", "--set", "battery.levels.platform=[0]"}
