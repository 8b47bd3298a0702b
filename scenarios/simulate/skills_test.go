package simulate_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"testing"

	"achilles/infer/chargrid"
	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// skilled returns n items of which each needs one or two of three skills, and the shipped layout with these skills.
func skilled(t *testing.T, name string, n int) (*layout.Layout, *record.Items) {
	t.Helper()
	text, err := scenarios.FS.ReadFile("layouts/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`columns = \[[^]]*\]`).ReplaceAll(text, []byte(`columns = ["a", "b", "c"]`))
	l, err := layout.Parse(name+".toml", string(text))
	if err != nil {
		t.Fatal(err)
	}
	items := &record.Items{Suite: make([]string, n), Paradigm: make([]string, n), Task: make([]string, n)}
	needs := make([][]float64, 3)
	for i := range n {
		items.ID = append(items.ID, fmt.Sprintf("i%03d", i))
		for k := range needs {
			need := 0.0
			if k == i%3 || i%2 == 1 && k == (i+1)%3 {
				need = 1
			}
			needs[k] = append(needs[k], need)
		}
	}
	for k, column := range []string{"a", "b", "c"} {
		items.Columns = append(items.Columns, record.Column{Feature: record.Feature{Name: column, Kind: record.Number}, Number: needs[k]})
	}
	return l, items
}

// TestSkillLayouts draws a table of 60 subjects and 30 items from each layout with skills and fits it. Posterior means
// correlate with the values, and the central 90 % intervals hold as many of the values as chance allows: the exact interval
// of their share at level 1 − 1e-6 has 0.9 in it. Chains mix slowly in mirt, of whose slopes 30 items tell little: it may have
// warnings.
func TestSkillLayouts(t *testing.T) {
	longtest.Only(t, "takes a minute")
	for _, name := range []string{"camilla-base", "camilla-base-paper", "mirt"} {
		l, items := skilled(t, name, 30)
		var subjects []string
		for s := range 60 {
			subjects = append(subjects, fmt.Sprintf("s%03d", s))
		}
		j, err := l.BindJoint(items, subjects, nil, []record.Measure{{Name: "success", Family: record.Binary}})
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, j.Len())
		r := rng.Stream(501, "skills")
		j.DrawPrior(&r, theta)
		responses, err := j.Simulate(theta, &r)
		if err != nil {
			t.Fatal(err)
		}
		cells, err := j.NewCells(responses, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := joint.Default()
		c.Warmup, c.Draws = 500, 1000
		p, err := joint.Fit(context.Background(), cells, c, 501, "skills")
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Warnings) > 0 && name != "mirt" {
			t.Errorf("%s: warnings %v", name, p.Warnings)
		}
		var values, means []float64 // of abilities
		var held, n int
		for i, q := range l.Parameters {
			for u := range j.Units(i) {
				at := j.First(i) + u
				d := p.Summaries[at]
				if d.Q5 <= theta[at] && theta[at] <= d.Q95 {
					held++
				}
				n++
				if q.Group == layout.Capability {
					values, means = append(values, theta[at]), append(means, d.Mean)
				}
			}
		}
		interval := score.ClopperPearson(held, n, 1-1e-6)
		rho := chargrid.Pearson(values, means, nil)
		t.Logf("%s: %d of %d values in 90 %%, correlation of abilities %.3f, %d gradients", name, held, n, rho, p.Work.Gradients)
		if interval[0] > 0.9 || interval[1] < 0.9 {
			t.Errorf("%s: %d of %d values in the central 90 %%", name, held, n)
		}
		if !(rho > 0.75) {
			t.Errorf("%s: posterior means of abilities correlate %.3f with the values", name, rho)
		}
	}
}

// TestSkillsMask checks that an ability matters for exactly the items that need its skill, with the formulas written out.
func TestSkillsMask(t *testing.T) {
	for _, name := range []string{"camilla-base", "camilla-base-paper", "mirt"} {
		l, items := skilled(t, name, 6)
		j, err := l.BindJoint(items, []string{"s"}, nil, []record.Measure{{Name: "success", Family: record.Binary}})
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, j.Len())
		r := rng.Stream(1, "mask")
		j.DrawPrior(&r, theta)
		at := map[string]int{}
		for i, p := range l.Parameters {
			at[p.Name] = j.First(i)
		}
		responses, err := j.Simulate(theta, &r)
		if err != nil {
			t.Fatal(err)
		}
		cells, err := j.NewCells(responses, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(cells.Used()))
		cells.NewTarget(make([]bool, len(l.Parameters)), 1).Expected(theta, got)
		for i := range items.ID {
			x := 0.0
			for k, skill := range []string{"a", "b", "c"} {
				gap := theta[at["ability["+skill+"]"]]
				if name == "camilla-base-paper" {
					gap -= theta[at["difficulty["+skill+"]"]+i]
				}
				x += items.Columns[k].Number[i] * theta[at["slope["+skill+"]"]+i] * gap
			}
			if name != "camilla-base-paper" {
				x -= theta[at["difficulty"]+i]
			}
			if name == "mirt" {
				x += theta[at["discrimination"]+i] * theta[at["general"]]
			}
			if want := 1 / (1 + math.Exp(-x)); !(math.Abs(got[i]-want) <= 1e-12) {
				t.Errorf("%s: item %d has success probability %g, want %g", name, i, got[i], want)
			}
		}
	}
}
