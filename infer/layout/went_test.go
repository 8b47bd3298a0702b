package layout_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

const wrongTurns = `name = "turns"
[capability]
memory = { prior = "uniform(0, 1)" }
habit = { prior = "uniform(0, 1)" }
[response.success]
p = "memory*(1 - habit)"
[response.error]
family = "choice"
utility = ["log(memory*habit)", "log(0.01)", "log(0.02)", "log(0.03)", "log(1 - memory)"]
`

func wentDesign(t *testing.T, text string) *layout.Design {
	t.Helper()
	l, err := layout.Parse("turns.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Bind(&record.Items{ID: []string{"a", "b"}, Suite: []string{"", ""}, Paradigm: []string{"", ""}, Task: []string{"", ""}}, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestErrorsByHand compares the log likelihood of one response of each sort with what one computes by hand.
func TestErrorsByHand(t *testing.T) {
	d := wentDesign(t, wrongTurns)
	const memory, habit = 0.8, 0.25
	pass := memory * (1 - habit)
	all := memory*habit + 0.06 + 1 - memory
	for _, c := range []struct {
		value float64
		went  record.Went
		want  float64
	}{
		{1, record.ToRight, pass}, {1, record.Unrecorded, pass}, {0, record.Unrecorded, 1 - pass},
		{0, record.ToA, (1 - pass) * memory * habit / all}, {0, record.ToLastSeen, (1 - pass) * 0.01 / all}, {0, record.ToNearest, (1 - pass) * 0.02 / all},
		{0, record.ToOther, (1 - pass) * 0.03 / all}, {0, record.ToNone, (1 - pass) * (1 - memory) / all},
	} {
		data, err := d.NewData([]record.Response{{Value: c.value, Chosen: record.Chosen{Went: c.went}}})
		if err != nil {
			t.Fatal(err)
		}
		each := make([]float64, len(data.Tallies()))
		d.NewTarget(data).PointwiseLogLik([]float64{memory, habit}, each)
		got := 0.0
		for _, x := range each {
			got += x
		}
		if math.Abs(got-math.Log(c.want)) > 1e-12 {
			t.Errorf("value %v, went to %s: %v, want %v", c.value, c.went, got, math.Log(c.want))
		}
	}
}

// TestErrorsAreDrawn checks that who does not pass goes to each place as often as the layout says, and who passes to the right one. Each
// of five frequencies is compared at a rate of false alarms of 1e-6.
func TestErrorsAreDrawn(t *testing.T) {
	d := wentDesign(t, wrongTurns)
	r := rng.Stream(501, "errors")
	count, failed := map[record.Went]float64{}, 0.0
	for range 10000 {
		drawn := d.Simulate([]float64{0.8, 0.25}, &r)
		if len(drawn) != d.Items() {
			t.Fatalf("%d responses to %d items", len(drawn), d.Items())
		}
		for _, x := range drawn {
			if (x.Value == 1) != (x.Chosen.Went == record.ToRight) {
				t.Fatalf("value %v, and the subject went to %s", x.Value, x.Chosen.Went)
			}
			if x.Value == 0 {
				count[x.Chosen.Went]++
				failed++
			}
		}
	}
	for k, weight := range []float64{0.2, 0.01, 0.02, 0.03, 0.2} {
		p, w := weight/0.46, record.ToA+record.Went(k)
		if z := (count[w] - failed*p) / math.Sqrt(failed*p*(1-p)); math.Abs(z) > 4.9 {
			t.Errorf("%v of %v went to %s, want %v", count[w], failed, w, failed*p)
		}
	}
}

// TestErrorsOfErrors checks what is said of layouts whose errors cannot be explained.
func TestErrorsOfErrors(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"log(0.03)", `, ``, "4 utilities: an error has 5"},
		{"[response.success]\np = \"memory*(1 - habit)\"\n", "", "[response.success] first"},
		{"[capability]", "[item]\nease = { prior = \"normal(0, 1)\" }\n[capability]", "one by one"},
	} {
		text := strings.Replace(wrongTurns, c.from, c.to, 1)
		text = strings.Replace(text, "p = \"memory*(1 - habit)\"", "p = \"memory*(1 - habit)"+map[bool]string{true: "*logistic(ease)"}[strings.Contains(text, "ease")]+"\"", 1)
		if _, err := layout.Parse("turns.toml", text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", c.want, err)
		}
	}
}
