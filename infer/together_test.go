package infer

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestLeaveOutTogether checks that what is left out one by one does not depend on the number of goroutines, in a complete table
// whose blocks share one plan.
func TestLeaveOutTogether(t *testing.T) {
	const subjects, items = 192, 64
	l, err := layout.Parse("rasch.toml", `name = "rasch"
[capability]
ability = { prior = "normal(0, 1)" }
[item]
difficulty = { prior = "normal(0, 1)" }
[response.success]
p = "logistic(ability - difficulty)"
`)
	if err != nil {
		t.Fatal(err)
	}
	names := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("n%03d", i))
		}
		return out
	}
	none := make([]string, items)
	j, err := l.BindJoint(&record.Items{ID: names(items), Suite: none, Paradigm: none, Task: none}, names(subjects), nil, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(1, "together")
	theta := make([]float64, j.Len())
	j.DrawPrior(&r, theta)
	responses, err := j.Simulate(theta, &r)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := j.NewCells(responses, nil)
	if err != nil {
		t.Fatal(err)
	}
	if cells.Blocks() < 3 {
		t.Fatalf("%d blocks, want 3", cells.Blocks())
	}
	post := &posterior.Posterior{Engine: posterior.NUTS, Draws: make([][][]float64, 4)}
	for c := range post.Draws {
		for range 10 {
			draw := make([]float64, j.Len())
			for i, x := range theta {
				draw[i] = x + 0.2*r.Norm()
			}
			post.Draws[c] = append(post.Draws[c], draw)
		}
	}
	var want *LeaveOneOut
	for _, jobs := range []int{1, 2, 3, 8} {
		got, err := leaveOutTogether(context.Background(), cells, post, jobs)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d goroutines: %s", jobs, diff)
		}
	}
}
