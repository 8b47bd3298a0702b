package joint_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// BenchmarkGradient takes one gradient of a two-parameter layout of 353 subjects × 418 items (1,193 parameters), half-way
// from the middle of the prior to a draw from it, so that log odds have both signs.
func BenchmarkGradient(b *testing.B) {
	const subjects, items = 353, 418
	l, err := layout.Parse("2pl.toml", twoParameter)
	if err != nil {
		b.Fatal(err)
	}
	j, err := l.BindJoint(battery(items, nil), ids("s", subjects), nil, []record.Measure{{Name: "y", Family: record.Binary}})
	if err != nil {
		b.Fatal(err)
	}
	c, err := j.NewCells(answers(subjects, items, "bench"), nil)
	if err != nil {
		b.Fatal(err)
	}
	t := c.NewTarget(make([]bool, len(l.Parameters)), 1)
	q, grad := make([]float64, t.Dim()), make([]float64, t.Dim())
	r := rng.Stream(1, "bench")
	j.DrawNear(&r, 0.5, q)
	t.Unconstrain(q, q)
	b.ReportAllocs()
	for b.Loop() {
		t.LogDensity(q, grad)
	}
}

// BenchmarkMaximum compiles the responses of 1,000 subjects to 1,000 items, which a two-parameter layout has drawn, and climbs once
// to the maximum of all 3,000 values of units. With -table it writes the responses, one row a subject, and for each item the truth and
// the estimates, which docs/examples/peers/irt_map.py reads.
func BenchmarkMaximum(b *testing.B) {
	const subjects, items = 1000, 1000
	j, responses, truth := drawn(b, subjects, items)
	var theta []float64
	b.ReportAllocs()
	for b.Loop() {
		c, err := j.NewCells(responses, nil)
		if err != nil {
			b.Fatal(err)
		}
		at, _, gradients, err := joint.Climb(c)
		if err != nil {
			b.Fatal(err)
		}
		theta = at
		b.ReportMetric(float64(gradients), "gradients")
	}
	if *table != "" {
		writeTable(b, responses, truth, theta, subjects, items)
	}
}

var table = flag.String("table", "", "folder to which BenchmarkMaximum writes its table and its estimates")

// writeTable writes a table of responses and, item by item, true and estimated values.
func writeTable(b *testing.B, responses []record.Response, truth, theta []float64, subjects, items int) {
	b.Helper()
	var y, values strings.Builder
	for i, x := range responses {
		end := ","
		if (i+1)%items == 0 {
			end = "\n"
		}
		fmt.Fprintf(&y, "%g%s", x.Value, end)
	}
	values.WriteString("difficulty,discrimination,difficulty_map,discrimination_map\n")
	for i := subjects; i < subjects+items; i++ {
		fmt.Fprintf(&values, "%g,%g,%g,%g\n", truth[i], truth[i+items], theta[i], theta[i+items])
	}
	for name, text := range map[string]string{"responses.csv": y.String(), "items.csv": values.String()} {
		if err := os.WriteFile(filepath.Join(*table, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}

// drawn returns a table that a two-parameter layout has drawn, and the values of all parameters.
func drawn(b *testing.B, subjects, items int) (*layout.Joint, []record.Response, []float64) {
	b.Helper()
	l, err := layout.Parse("2pl.toml", hierarchical)
	if err != nil {
		b.Fatal(err)
	}
	it := &record.Items{Suite: make([]string, items), Paradigm: make([]string, items), Task: make([]string, items)}
	for i := range items {
		it.ID = append(it.ID, "i"+strconv.Itoa(i))
	}
	var ids []string
	for s := range subjects {
		ids = append(ids, "s"+strconv.Itoa(s))
	}
	j, err := l.BindJoint(it, ids, nil, []record.Measure{{Name: "y", Family: record.Binary}})
	if err != nil {
		b.Fatal(err)
	}
	theta := make([]float64, j.Len())
	r := rng.Stream(1, "drawn")
	j.DrawNear(&r, 0.5, theta)
	ability, difficulty, discrimination := theta[:subjects], theta[subjects:subjects+items], theta[subjects+items:]
	responses := make([]record.Response, 0, subjects*items)
	for s := range subjects {
		for i := range items {
			x := record.Response{Subject: int32(s), Item: int32(i)}
			if r.Bernoulli(num.Logistic(discrimination[i] * (ability[s] - difficulty[i]))) {
				x.Value = 1
			}
			responses = append(responses, x)
		}
	}
	return j, responses, theta
}
