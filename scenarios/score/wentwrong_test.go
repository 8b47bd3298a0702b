package score_test

import (
	"math"
	"testing"

	"achilles/infer/layout"
	scene "achilles/scenarios/scenario"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// TestErrorsOfBodies lets sixty bodies from the prior of each layout of errors act, and compares where those that did not pass went with what the
// layout expects of their true traits, by paradigm. The layouts are not exact: a wrong place can be too far away, or a larger wrong reward be all
// that was seen. So each of the five frequencies may differ by 3 % of a paradigm's failures and four standard deviations.
func TestErrorsOfBodies(t *testing.T) {
	longtest.Only(t, "takes a minute")
	for _, name := range []string{"permanence", "physical"} {
		t.Run(name, func(t *testing.T) {
			text := string(shippedFile(t, name+".toml"))
			for _, setting := range []string{"population[0].count=60", "battery.items=480", "responses.trajectories=false"} {
				var err error
				if text, err = scene.Override("f", text, setting); err != nil {
					t.Fatal(err)
				}
			}
			d, truth := taken(t, text, 601)
			l, err := layout.Parse("f.toml", string(shippedFile(t, "layouts/"+name+"-errors.toml")))
			if err != nil {
				t.Fatal(err)
			}
			design, err := l.Bind(&d.Items, d.Manifest.Measures)
			if err != nil {
				t.Fatal(err)
			}
			family, _ := d.Items.Column("family")
			type errors struct{ n, seen, want, variance [5]float64 }
			of := map[string]*errors{}
			for k, id := range d.Subjects {
				var theta []float64
				for _, p := range design.Parameters() {
					theta = append(theta, truth.Subjects[id].Body[0].Trait[p.Name])
				}
				for _, r := range d.Responses.Of(k) {
					went, failed := r.Chosen.Error()
					if !failed {
						continue
					}
					e := of[family.Text[r.Item]]
					if e == nil {
						e = new(errors)
						of[family.Text[r.Item]] = e
					}
					for c, p := range errorChances(t, design, r, theta) {
						e.n[c]++
						e.seen[c] += float64(one(c == went))
						e.want[c] += p
						e.variance[c] += p * (1 - p)
					}
				}
			}
			for family, e := range of {
				for c, word := range record.ErrorWords() {
					off := e.seen[c] - e.want[c]
					t.Logf("%-14s %-9s %5.0f, expected %7.1f", family, word, e.seen[c], e.want[c])
					if math.Abs(off) > 0.03*e.n[c]+4*math.Sqrt(e.variance[c]) {
						t.Errorf("%s: %.0f of %.0f that did not pass went to %s, expected %.1f", family, e.seen[c], e.n[c], word, e.want[c])
					}
				}
			}
			if len(of) < 6 {
				t.Errorf("failures in %d paradigms", len(of))
			}
		})
	}
}

// errorChances returns the probability of each category of record.ErrorWords, given that the subject with parameters theta did not pass.
func errorChances(t *testing.T, design *layout.Design, r record.Response, theta []float64) []float64 {
	t.Helper()
	p, all := make([]float64, len(record.ErrorWords())), 0.0
	for c := range p {
		r.Chosen.Went = record.ToA + record.Went(c)
		data, err := design.NewData([]record.Response{r})
		if err != nil {
			t.Fatal(err)
		}
		each := make([]float64, len(data.Tallies()))
		design.NewTarget(data).PointwiseLogLik(theta, each)
		for _, x := range each {
			p[c] += x
		}
		p[c] = math.Exp(p[c])
		all += p[c]
	}
	for c := range p {
		p[c] /= all
	}
	return p
}
