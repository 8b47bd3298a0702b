package posterior_test

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/posterior"
	"achilles/sim/longtest"
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

func readOP(t testing.TB) *OPTable {
	t.Helper()
	f, err := os.Open(filepath.Join(dataFolder(t, "op"), "responses.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := ReadOP(f)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// A cell says for which variant of the layout (a key of readings), agent and parameter a reference value is.
type cell struct{ reading, agent, parameter string }

// references returns the reference means with their standard errors. The file has its own names for the parameters.
func references(t testing.TB, file string) map[cell]infertest.Reference {
	t.Helper()
	f, err := os.Open(filepath.Join(dataFolder(t, "op"), file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"OPAbility": "op", "memoryAbility": "memory", "visualAbility": "visual", "rampAbility": "ramp", "lavaAbility": "lava",
		"platformAbility": "platform", "flatNavAbility": "flatNav", "rightLeftBias": "rightLeft", "noiseLevel": "noise"}
	out := map[cell]infertest.Reference{}
	for _, row := range rows[1:] {
		number := func(column string) float64 {
			x, err := strconv.ParseFloat(row[slices.Index(rows[0], column)], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		if names[row[2]] == "" {
			t.Fatalf("%s: unknown parameter %s", file, row[2])
		}
		out[cell{row[0], row[1], names[row[2]]}] = infertest.Reference{Name: row[2], Value: number("mean"), SE: number("mcse_mean")}
	}
	return out
}

func fitOP(t testing.TB, o *OP, c posterior.Config, root uint64, path ...string) *posterior.Posterior {
	t.Helper()
	p, err := posterior.Fit(context.Background(), func() posterior.Problem { return o.Clone() }, OPNames(), c, root, path...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var readings = map[string]OPVariant{"asrun": OPAsRun(), "table5": OPTable5()}

// mostZ is the largest difference between a mean and its reference, in combined standard errors. By chance, one of an
// agent's nine means exceeds it in one fit of 16 000.
const mostZ = 4.5

// TestAgainstReferences fits agents of a synthetic response table and compares the means with two references: a slice
// sampler over the whole prior, which moves between modes, and long Hamiltonian chains for the agents that have them. It
// fits two agents with 500 draws a chain: a perfect one, and one of pure noise. With -long it fits all agents of the references by
// default, with both variants of the layout (readings), from three root seeds.
func TestAgainstReferences(t *testing.T) {
	table := readOP(t)
	slice, chains := references(t, "reference_slice.csv"), references(t, "reference_nuts.csv")
	roots := []uint64{1}
	agents := []cell{{"asrun", "Agent1", ""}, {"table5", "Agent2", ""}}
	config := posterior.Default()
	if config.Draws = 500; longtest.On() {
		config = posterior.Default()
		roots = []uint64{1, 2, 3}
		agents = nil
		for c := range slice {
			if c.parameter == "op" {
				agents = append(agents, cell{c.reading, c.agent, ""})
			}
		}
		slices.SortFunc(agents, func(a, b cell) int { return slices.Compare([]string{a.reading, a.agent}, []string{b.reading, b.agent}) })
	}
	worst := 0.0
	for _, root := range roots {
		for _, a := range agents {
			p := fitOP(t, table.Target(a.agent, readings[a.reading]), config, root, a.reading, a.agent)
			if len(p.Warnings) > 0 {
				t.Errorf("root %d, %s, %s: %v", root, a.reading, a.agent, p.Warnings)
			}
			for k, name := range p.Parameters {
				for _, ref := range []map[cell]infertest.Reference{slice, chains} {
					want, ok := ref[cell{a.reading, a.agent, name}]
					if !ok {
						continue
					}
					s := p.Summaries[k]
					z := (s.Mean - want.Value) / math.Hypot(s.MCSEMean, want.SE)
					worst = max(worst, math.Abs(z))
					if !(math.Abs(z) <= mostZ) {
						t.Errorf("root %d, %s, %s, %s: mean %.5g ± %.2g, reference %.5g ± %.2g: z = %.1f", root, a.reading, a.agent, name, s.Mean, s.MCSEMean, want.Value, want.SE, z)
					}
					if !(min(s.ESSBulk, s.ESSTail) >= 400) || !(s.RHat <= 1.01) {
						t.Errorf("root %d, %s, %s, %s: R-hat %.3f, ESS %.0f and %.0f", root, a.reading, a.agent, name, s.RHat, s.ESSBulk, s.ESSTail)
					}
				}
			}
			t.Logf("root %d, %s, %s: %v; %d gradients, %d likelihoods; log evidence %.2f ± %.2f", root, a.reading, a.agent, p.Engine, p.Work.Gradients, p.Work.Likelihoods, p.LogEvidence, p.LogEvidenceError)
		}
	}
	t.Logf("largest |z| of %d fits: %.2f", len(roots)*len(agents), worst)
}

// TestTwoEqualModes fits agent 26 of the table, whose posterior has two modes: op below 10 with a quarter of the weight
// (0.23 … 0.28 in long tempered chains) and above 40 otherwise. NUTS chains stay where they start. It checks that the
// tempered engine takes over and gives the first mode's weight within its error.
func TestTwoEqualModes(t *testing.T) {
	p := fitOP(t, readOP(t).Target("Agent26", OPAsRun()), posterior.Default(), 1, "asrun", "Agent26")
	if p.Engine != posterior.Tempered || len(p.Doubts) == 0 {
		t.Fatalf("engine %v, doubts %v", p.Engine, p.Doubts)
	}
	if limit := p.Doubts[0].Limit; limit < 1.03 {
		t.Errorf("the first doubt has the limit %g of all draws: hopeless chains should end after a quarter, which is held to 1.04", limit)
	}
	low := infertest.Quantity(p.Draws, func(theta []float64) float64 {
		if theta[0] < 10 {
			return 1
		}
		return 0
	})
	infertest.CheckMeans(t, [][][]float64{low}, []infertest.Reference{{Name: "share of the mode of small op", Value: 0.25, SE: 0.02}})
}

// TestEnginesAgree checks that both engines give the same means and the same evidence.
func TestEnginesAgree(t *testing.T) {
	o := readOP(t).Target("Agent9", OPAsRun())
	c := posterior.Default()
	c.Pilots, c.Draws = 1, 500
	c.Engine = posterior.NUTS
	a := fitOP(t, o, c, 1, "agree")
	c.Engine = posterior.Tempered
	b := fitOP(t, o, c, 2, "agree")
	if a.Engine != posterior.NUTS || b.Engine != posterior.Tempered {
		t.Fatalf("engines %v and %v", a.Engine, b.Engine)
	}
	bound := infertest.ZBound(len(a.Parameters)+1, infertest.FamilyAlpha)
	for k, name := range a.Parameters {
		x, y := a.Summaries[k], b.Summaries[k]
		if z := (x.Mean - y.Mean) / math.Hypot(x.MCSEMean, y.MCSEMean); math.Abs(z) > bound {
			t.Errorf("%s: %.5g and %.5g, z = %.1f", name, x.Mean, y.Mean, z)
		}
	}
	if z := (a.LogEvidence - b.LogEvidence) / math.Hypot(a.LogEvidenceError, b.LogEvidenceError); math.Abs(z) > bound {
		t.Errorf("log evidence %.3f ± %.3f and %.3f ± %.3f", a.LogEvidence, a.LogEvidenceError, b.LogEvidence, b.LogEvidenceError)
	}
}

// TestExtremeAgents checks that fits of agents which pass or fail everything have no warning. Most of their parameters
// lie at a bound, or the responses say nothing about them. The plain tests fit one of them: TestAgainstReferences has a perfect agent
// and one of pure noise.
func TestExtremeAgents(t *testing.T) {
	table := readOP(t)
	for _, c := range []struct {
		name, parameter string
		passes          func(item int) bool
		low, high       float64 // where the parameter's mean must lie
	}{
		{"passes everything", "visual", func(int) bool { return true }, 5.9, 6},
		{"fails everything", "noise", func(int) bool { return false }, 0, 0.01}, // ν is 1 here: an agent with noise would pass
		{"every other item", "noise", func(item int) bool { return item%2 == 0 }, 0.9, 1},
	} {
		if c.name != "fails everything" && !longtest.On() {
			continue
		}
		p := fitOP(t, table.Simulated(OPAsRun(), c.passes), posterior.Default(), 1, c.name)
		if len(p.Warnings) > 0 {
			t.Errorf("%s: %v", c.name, p.Warnings)
		}
		k := slices.Index(p.Parameters, c.parameter)
		if m := p.Summaries[k].Mean; m < c.low || m > c.high {
			t.Errorf("%s: mean %s is %g, want it within %g … %g", c.name, c.parameter, m, c.low, c.high)
		}
		t.Logf("%s: %v, log evidence %.2f", c.name, p.Engine, p.LogEvidence)
	}
}
