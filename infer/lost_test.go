package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

const someCan = `name = "some"
[metafeature]
can = { column = "can", range = [0, 1] }
[shared]
spread = { prior = "halfnormal(1)" }
[capability]
ability = { prior = "normal(0, spread)" }
[item]
difficulty = { prior = "normal(0, 1)" }
[response.success]
p = "can*logistic(ability - difficulty)"
`

// TestImpossibleByMML estimates abilities of sixty subjects by maximum likelihood, of whom one passes an item that the layout says nobody can pass: it
// alone is lost.
func TestImpossibleByMML(t *testing.T) {
	l, err := layout.Parse("some.toml", someCan)
	if err != nil {
		t.Fatal(err)
	}
	data := &record.Dataset{Items: record.Items{Columns: []record.Column{{Feature: record.Feature{Name: "can", Kind: record.Number}}}}}
	items := &data.Items
	for i := range 9 {
		items.ID = append(items.ID, fmt.Sprint("i", i))
		items.Columns[0].Number = append(items.Columns[0].Number, min(float64(i), 1))
	}
	items.Suite, items.Paradigm, items.Task = make([]string, 9), make([]string, 9), make([]string, 9)
	r := rng.Stream(501, "impossible")
	var use []record.Response
	for s := range 60 {
		data.Subjects = append(data.Subjects, fmt.Sprintf("s%02d", s))
		able := 1.5 * r.Norm()
		for i := range 9 {
			x := record.Response{Subject: int32(s), Item: int32(i)}
			if i > 0 && r.Float64() < num.Logistic(able+float64(i)/4-1) || i == 0 && s == 7 {
				x.Value = 1
			}
			use = append(use, x)
		}
	}
	j, err := l.BindJoint(items, data.Subjects, nil, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	one := &run{joint: j, data: data}
	one.Sampling = posterior.Sampling{Chains: 4, Warmup: 50, Draws: 100, Engine: posterior.MML}
	one.Jobs, one.Seed = 1, 501
	if f, err := (jointly{one}).fitExplained(context.Background(), AllRows, use, nil); err != nil || !slices.Equal(f.lost, []int{7}) {
		t.Fatalf("lost %+v, %v", f, err)
	}
}

// TestOneImpossibleSubject fits a table in which one of four subjects passes an item that the layout says nobody can pass. By each engine
// the others get the draws that they get without it, bit for bit, and it gets a reason. Where everybody is impossible there is no fit.
func TestOneImpossibleSubject(t *testing.T) {
	l, err := layout.Parse("some.toml", someCan)
	if err != nil {
		t.Fatal(err)
	}
	none := make([]string, 4)
	items := &record.Items{ID: []string{"a", "b", "c", "d"}, Suite: none, Paradigm: none, Task: none,
		Columns: []record.Column{{Feature: record.Feature{Name: "can", Kind: record.Number}, Number: []float64{1, 1, 1, 0}}}}
	subjects, measures := []string{"s0", "s1", "s2", "s3"}, []record.Measure{{Name: "success", Family: record.Binary}}
	j, err := l.BindJoint(items, subjects, nil, measures)
	if err != nil {
		t.Fatal(err)
	}
	table := func(passes func(s, i int) bool) (out []record.Response) {
		for s := range 4 {
			for i := range 4 {
				x := record.Response{Subject: int32(s), Item: int32(i)}
				if passes(s, i) {
					x.Value = 1
				}
				out = append(out, x)
			}
		}
		return out
	}
	responses := table(func(s, i int) bool { return i < s || s == 2 && i == 3 })
	engines := []posterior.Engine{posterior.NUTS, posterior.Laplace}
	if longtest.On() {
		engines = append(engines, posterior.Marginal)
	}
	for _, engine := range engines {
		r := &run{joint: j, data: &record.Dataset{Subjects: subjects}}
		r.Sampling = posterior.Sampling{Chains: 4, Warmup: 50, Draws: 100, Engine: engine}
		r.Jobs, r.Seed = 1, 501
		fit := func(use []record.Response) (*tableFit, error) {
			return jointly{r}.fitExplained(context.Background(), AllRows, use, nil)
		}
		got, err := fit(responses)
		if err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		want, err := fit(slices.DeleteFunc(slices.Clone(responses), func(x record.Response) bool { return x.Subject == 2 }))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.lost, []int{2}) || want.lost != nil {
			t.Fatalf("%s: subjects %d are lost, and %d without the one that is impossible", engine, got.lost, want.lost)
		}
		if diff := cmp.Diff(want.post.Draws, got.post.Draws); diff != "" {
			t.Errorf("%s: the other subjects have other draws: %s", engine, diff)
		}
		p := &piece{Lost: []Fit{noExplanation("s2", AllRows, got.tried)}}
		jointly{r}.describeUnits(p, got.post)
		if len(p.Profiles) != 3 || slices.ContainsFunc(p.Profiles, func(x Profile) bool { return x.Subject == "s2" || !(x.SD > 0) || math.IsInf(x.SD, 0) }) {
			t.Errorf("%s: profiles %+v", engine, p.Profiles)
		}
		if w := p.Lost[0].Warnings; len(w) != 1 || w[0].Kind != posterior.NoResult || !strings.Contains(w[0].Message, "at all 200 points") {
			t.Errorf("%s: warnings %v", engine, w)
		}
		var impossible *joint.Impossible
		if f, err := fit(table(func(s, i int) bool { return i == 3 })); !errors.As(err, &impossible) || f != nil {
			t.Errorf("%s: everybody is impossible, and the error is %v", engine, err)
		}
	}
}
