package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"achilles/sim/longtest"
)

// A mutant is a line of the inference engines with an error in it.
type mutant struct {
	what, file, right, wrong string
	tests                    string // packages whose plain tests must find it
}

var mutants = []mutant{
	{"a share of a product's complement", "infer/loglik/chancevalue.go", "slopes[n.args[1]].no += second", "slopes[n.args[1]].no += first", "loglik"},
	{"a factor of a complement", "infer/loglik/chancevalue.go", "num.LogAddExp(a.no, a.yes+b.no)", "num.LogAddExp(a.no, b.no)", "loglik"},
	{"a sign in a gradient", "infer/loglik/bernoulli.go", "u := -f[i] / r", "u := f[i] / r", "loglik layout"},
	{"a sign in the gradient of a product", "infer/loglik/step.go", "db[j] += float64(t * x)", "db[j] -= float64(t * x)", "loglik layout"},
	{"a missing Jacobian of a prior", "infer/prior/density.go", "p.LogP, p.LogPQ = logS+logR, r-s", "p.LogP, p.LogPQ = logR, r-s", "prior"},
	{"a missing Jacobian of the margins", "infer/posterior/gaussian.go", "return l + logSlope", "return l", "posterior"},
	{"half a step of a trajectory", "infer/nuts/hamiltonian.go", "\t\tnum.AddTo(z.p, half, z.force)\n\t}\n\treturn true", "\t}\n\treturn true", "nuts"},
	{"a weight of a divided step", "infer/nuts/refine.go", "z.tilt += logSeldom", "z.tilt += logOften", "nuts"},
	{"a sign in a rotation", "infer/nuts/rotor.go", "float64(p*cos) - float64(x*sin)", "float64(p*cos) + float64(x*sin)", "nuts"},
	{"a prior left out of a leap", "infer/smc/walker.go", "prior.log() + w.mixture.LogDensity(w.now.z)", "w.mixture.LogDensity(w.now.z)", "smc"},
	{"a weight of the bridge", "infer/posterior/bridge.go", "(float64(share1*e) + float64(share2*r)) / n2", "(float64(share1*e) + share2) / n2", "posterior"},
	{"a prior left out of a gradient", "infer/layout/jointtarget.go", "grad[at] = d.LogPQ + float64(g*d.ThetaQ)", "grad[at] = float64(g * d.ThetaQ)", "layout"},
	{"a sign in the gradient of a walk", "infer/layout/jointtarget.go", "t.dtheta[at-1] += d.LogPA[0]", "t.dtheta[at-1] -= d.LogPA[0]", "layout"},
	{"a prior that counts once for many", "infer/layout/nodes.go", "float64(n * d.LogPA[0])", "d.LogPA[0]", "joint"},
	{"a coordinate that is not undone", "infer/joint/sweep.go", "p.target.In(s.target, p.whole, s.q)", "copy(s.q, p.whole)", "joint"},
	{"leaps that are always taken", "infer/joint/sweep.go", "-r.Exp() < to-now", "-r.Exp() < to-now+1e300", "joint"},
}

// TestMutantsApply checks that every line that TestMutants breaks is where it says, in plain tests, as code moves.
func TestMutantsApply(t *testing.T) {
	for _, m := range mutants {
		src, err := os.ReadFile(m.file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(src, []byte(m.right)); n == 0 || m.right == m.wrong {
			t.Errorf("%s: %s has no %q", m.what, m.file, m.right)
		}
	}
}

// TestMutants breaks one line of the engines at a time and checks that the plain tests of a package find it.
func TestMutants(t *testing.T) {
	longtest.Only(t, "compiles and tests sixteen broken copies, some minutes")
	for _, m := range mutants {
		t.Run(m.what, func(t *testing.T) {
			src, err := os.ReadFile(m.file)
			if err != nil {
				t.Fatal(err)
			}
			broken := bytes.Replace(src, []byte(m.right), []byte(m.wrong), 1)
			for _, p := range strings.Fields(m.tests) {
				out, err := testBroken(t, m.file, broken, "./infer/"+p)
				switch {
				case bytes.Contains(out, []byte("[build failed]")):
					t.Fatalf("it does not compile:\n%s", out)
				case err != nil:
					name, _, _ := strings.Cut(string(out[max(bytes.Index(out, []byte("--- FAIL: ")), 0):]), "\n")
					t.Logf("%s finds it: %s", p, name)
					return
				}
			}
			t.Errorf("%s: %q instead of %q, and no test fails", m.file, m.wrong, m.right)
		})
	}
}

// testBroken runs the plain tests of a package with another text of a file.
func testBroken(t *testing.T, file string, text []byte, pkg string) ([]byte, error) {
	t.Helper()
	other := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(other, text, 0o600); err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: other}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(t.Context(), "go", "test", "-failfast", "-overlay", list, pkg).CombinedOutput()
}
