package joint_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestStartOfMany looks for a point at which the responses of many subjects are possible, where few prior draws explain one of them and none explains
// all: the probability of a failure rounds to 0 from a margin of 37 on, and everybody fails something easy. Where items or groups of them have needs, half of
// which nobody may reach who fails, and the others nobody may miss, these must give way, too.
// It is found from both of two streams.
func TestStartOfMany(t *testing.T) {
	const far = `name = "far"
[metafeature]
d = { column = "d", range = [0, 100] }
[capability]
reach = { prior = "uniform(0, 100)" }
[shared]
level = { prior = "normal(200, 1)" }
[response.y]
p = "min(logistic(reach - d), logistic(level - d))"
`
	replaced := strings.NewReplacer("[shared]", "[item]\nneed = { prior = \"uniform(0, 100)\" }\n[shared]\nlift = { prior = \"normal(0, 30)\" }", "logistic(reach - d)", "mix(d > 50, logistic(40*(reach - need) + lift), logistic(40*(need - reach)))")
	for name, of := range map[string]struct {
		text            string
		subjects, items int
	}{
		"few subjects":  {far, 15, 500},
		"many subjects": {far, 300, 30},
		"items":         {replaced.Replace(far), 15, 500},
		"both":          {replaced.Replace(far), 300, 30},
		"groups":        {strings.Replace(replaced.Replace(far), "uniform(0, 100)\" }\n[shared]", "uniform(0, 100)\", per = \"task\" }\n[shared]", 1), 40, 30},
	} {
		t.Run(name, func(t *testing.T) {
			r := rng.Stream(1, "start", name)
			d := make([]float64, of.items)
			for i := range d {
				d[i] = 100 * r.Float64()
			}
			names := func(prefix string, n int) (out []string) {
				for i := range n {
					out = append(out, fmt.Sprint(prefix, i))
				}
				return out
			}
			items := battery(1, map[string][]float64{"d": d})
			items.ID, items.Suite, items.Paradigm, items.Task = names("i", of.items), make([]string, of.items), make([]string, of.items), make([]string, of.items)
			for i := range items.Task {
				items.Task[i] = fmt.Sprint(i%7, d[i] > 50)
			}
			j, err := parse(t, of.text).BindJoint(items, names("s", of.subjects), nil, []record.Measure{{Name: "y", Family: record.Binary}})
			if err != nil {
				t.Fatal(err)
			}
			var all []record.Response
			for s := range of.subjects {
				reach := 100 * r.Float64()
				for i := range of.items {
					x := record.Response{Subject: int32(s), Item: int32(i)}
					if d[i] < reach && i%10 != s%10 {
						x.Value = 1
					}
					all = append(all, x)
				}
			}
			c := cells(t, j, all)
			for stream := range 2 {
				r := rng.Stream(uint64(stream), "start")
				q, err := joint.Start(c, &r)
				if err != nil {
					t.Fatal(err)
				}
				if l := c.NewTarget(make([]bool, len(j.Layout().Parameters)), 1).LogDensity(q, make([]float64, len(q))); math.IsInf(l, 0) || math.IsNaN(l) {
					t.Errorf("the log density is %g", l)
				}
			}
		})
	}
}

// TestStartOfNone checks that the error of a table that no point explains names a response to blame.
func TestStartOfNone(t *testing.T) {
	j := bind(t, "name = \"some\"\n[metafeature]\ncan = { column = \"can\", range = [0, 1] }\n[capability]\na = { prior = \"normal(0, 1)\" }\n[shared]\nb = { prior = \"normal(0, 1)\" }\n[response.y]\np = \"can*logistic(a - b)\"\n",
		battery(2, map[string][]float64{"can": {1, 0}}), 3, record.Binary)
	r := rng.Stream(1, "start")
	_, err := joint.Start(cells(t, j, []record.Response{{}, {Item: 1}, {Subject: 1}, {Subject: 1, Item: 1, Value: 1}, {Subject: 2, Value: 1}}), &r)
	var none *joint.Impossible
	if !errors.As(err, &none) || fmt.Sprint(none.Subjects) != "[1]" || !strings.Contains(err.Error(), "subject sAb to item iAb has probability 0 at") {
		t.Errorf("error %v", err)
	}
}
