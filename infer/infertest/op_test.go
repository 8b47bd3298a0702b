package infertest_test

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"achilles/infer/infertest"
	"achilles/sim/rng"
)

func readOP(t testing.TB) *infertest.OPTable {
	t.Helper()
	root := os.Getenv("ACHILLES_DATA")
	if root == "" {
		_, here, _, _ := runtime.Caller(0)
		root = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, "op", "responses.csv"))
	if err != nil {
		t.Skip("no reference data: set ACHILLES_DATA to the folder that holds op")
	}
	defer f.Close()
	table, err := infertest.ReadOP(f)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

var variants = []struct {
	name    string
	variant infertest.OPVariant
}{{"asrun", infertest.OPAsRun()}, {"table5", infertest.OPTable5()}}

// TestOPGradient checks the gradient at positions drawn from the prior, for four agents.
func TestOPGradient(t *testing.T) {
	table := readOP(t)
	for _, r := range variants {
		for _, agent := range []string{"Agent1", "Agent2", "Agent19", "Agent22"} {
			o := table.Target(agent, r.variant)
			rng := rng.Stream(1, "op", agent)
			z, q := make([]float64, 9), make([]float64, 9)
			for range 25 {
				for i := range z {
					u := rng.Float64()
					z[i] = math.Log(u / (1 - u))
				}
				o.FromOdds(z, q)
				infertest.CheckGradient(t, o, q, 1e-6)
			}
		}
	}
}

// TestOPFacesAgree checks that LogDensity and LogLikelihood differ by the log prior density on the unconstrained scale,
// which the test computes by hand.
func TestOPFacesAgree(t *testing.T) {
	table := readOP(t)
	for _, r := range variants {
		o := table.Target("Agent7", r.variant)
		rng := rng.Stream(2, "op")
		z, q, grad := make([]float64, 9), make([]float64, 9), make([]float64, 9)
		for range 100 {
			want := 0.0
			for i := range z {
				u := rng.Float64()
				z[i] = math.Log(u / (1 - u))
				if i != 7 {
					want += math.Log(u * (1 - u))
				}
			}
			o.FromOdds(z, q)
			want += o.LogLikelihood(z) - q[7]*q[7]/2 - math.Log(2*math.Pi)/2
			if got := o.LogDensity(q, grad); math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Fatalf("%s: log density %.12g, likelihood and prior %.12g", r.name, got, want)
			}
		}
	}
}

func BenchmarkOP(b *testing.B) {
	o := readOP(b).Target("Agent19", infertest.OPAsRun())
	z, q, grad := make([]float64, 9), make([]float64, 9), make([]float64, 9)
	for i := range z {
		z[i] = 0.8
	}
	o.FromOdds(z, q)
	b.Run("gradient", func(b *testing.B) {
		for b.Loop() {
			o.LogDensity(q, grad)
		}
	})
	b.Run("likelihood", func(b *testing.B) {
		for b.Loop() {
			o.LogLikelihood(z)
		}
	})
}
