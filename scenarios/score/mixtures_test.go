package score_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/scenarios/generate"
	scene "achilles/scenarios/scenario"
	"achilles/sim/longtest"
)

// gradeFile adds the grades of a scenario in testdata, by the layout and the bank that it names, on the seeds that the flags say.
func (c *composed) gradeFile(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scene.Parse(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	for k := range uint64(*verdictSeeds) {
		root := *verdictFrom + k
		session, err := generate.Run(context.Background(), s, generate.Config{Seed: root, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		c.add(root, gradeBy(t, session, root, s.Inference.Text("layout"), s.Inference.Text("candidates")).Verdicts.Rows)
	}
	t.Logf("right %v\nundecided %v\nconfident and wrong %v\n%s", c.right, c.undecided, c.confident, strings.Join(c.wrong, "\n"))
}

// TestTriples grades verdicts on subjects with three components on the designed battery. None may be confident and wrong.
func TestTriples(t *testing.T) {
	longtest.Only(t, "takes minutes")
	var c composed
	c.gradeFile(t, "triples.toml")
	if c.right.short(0.8) || c.confident.k > 0 {
		t.Errorf("right %v; confident and wrong %v", c.right, c.confident)
	}
}

// TestMixturesOfBodies grades verdicts on bodies that cheat and have a weakness, or have two weaknesses.
func TestMixturesOfBodies(t *testing.T) {
	longtest.Only(t, "takes minutes")
	var c composed
	c.gradeFile(t, "mixtures.toml")
	if c.right.short(0.8) || c.confident.k > 0 {
		t.Errorf("right %v; confident and wrong %v", c.right, c.confident)
	}
}
