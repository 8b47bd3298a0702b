package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/sim/record"
	"achilles/sim/rng"
)

// judged returns data of subjects × items; p returns the probability of a success, or a negative number for no response.
func judged(subjects, items int, seed uint64, p func(s, i int) float64) *record.Dataset {
	d := &record.Dataset{Reasons: []string{""}}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	r := rng.Stream(seed, "judge")
	for i := range items {
		d.Items.ID = append(d.Items.ID, fmt.Sprintf("i%02d", i))
	}
	var list []record.Response
	for s := range subjects {
		d.Subjects = append(d.Subjects, fmt.Sprintf("s%03d", s))
		for i := range items {
			q := p(s, i)
			if q < 0 {
				continue
			}
			v := 0.0
			if r.Float64() < q {
				v = 1
			}
			list = append(list, record.Response{Subject: int32(s), Item: int32(i), Value: v})
		}
	}
	d.Responses = record.PackResponses(list)
	return d
}

// TestJudge plants each fault in a table and looks for its finding, with number and names, and for no other.
func TestJudge(t *testing.T) {
	able := func(s, i int) float64 { return 0.05 + 0.9*float64((s*7)%60)/60*(0.5+float64(i%4)/6) }
	copied := rng.Stream(508, "copied")
	answers := make([]float64, 40)
	for i := range answers {
		answers[i] = math.Round(copied.Float64())
	}
	for _, c := range []struct {
		name string
		d    *record.Dataset
		want []string // count, of, finding
	}{
		{"a good table", judged(60, 16, 521, func(s, i int) float64 { return 0.2 + 0.6*able(s, i) }), nil},
		{"constant items", judged(60, 16, 502, func(s, i int) float64 {
			if i < 2 {
				return float64(i)
			}
			return 0.2 + 0.6*able(s, i)
		}), []string{"1 16 items with a pass in every response: i01", "1 16 items with a failure in every response: i00"}},
		{"blanks as wrong", judged(60, 16, 503, func(s, i int) float64 {
			if s%2 == 0 {
				return 0
			}
			return 0.2 + 0.6*float64(s)/60
		}), []string{"30 60 subjects with a failure in every response: s000, s002, s004, s006, s008 and 25 more"}},
		{"two who pass everything", judged(60, 16, 513, func(s, i int) float64 {
			if s < 2 {
				return 1
			}
			return 0.2 + 0.6*able(s, i)
		}), []string{"2 60 subjects with a pass in every response: s000, s001"}},
		{"two parts", judged(60, 31, 504, func(s, i int) float64 {
			if (s < 30) != (i < 15) {
				return -1
			}
			return 0.1 + 0.8*float64((s*7)%60)/60
		}), []string{"2 60 parts that nothing connects: part 1: 30 subjects, 15 items, part 2: 30 subjects, 16 items"}},
		{"a reversed key", judged(60, 16, 505, func(s, i int) float64 {
			if i == 7 {
				return 0.8 - 0.6*float64((s*7)%60)/60
			}
			return 0.2 + 0.6*float64((s*7)%60)/60
		}), []string{"1 16 items with negative discrimination: i07"}},
		{"blank rows and columns", judged(60, 16, 506, func(s, i int) float64 {
			if s == 3 || i == 4 {
				return -1
			}
			return 0.2 + 0.6*able(s, i)
		}), []string{"1 60 subjects without a response: s003", "1 16 items without a response: i04"}},
		{"coins", judged(60, 16, 507, func(s, i int) float64 { return 0.5 }), []string{"60 60 subjects that hardly differ (reliability"}},
		{"copied", judged(60, 40, 508, func(s, i int) float64 {
			if s < 2 {
				return answers[i]
			}
			return 0.1 + 0.8*float64((s*7)%60)/60
		}), []string{"2 60 subjects whose responses agree beyond chance: s000, s001"}},
		{"a perfect order", judged(20, 12, 510, func(s, i int) float64 {
			if 2*s > 3*i {
				return 1
			}
			return 0
		}), []string{"3 20 subjects with a pass in every response: s017, s018, s019", "1 20 subjects with a failure in every response: s000", "12 12 items that are passed in one order without exception: 12 steps"}},
		{"a perfect order but for one response", judged(20, 12, 510, func(s, i int) float64 {
			if 2*s > 3*i != (s == 9 && i == 3) {
				return 1
			}
			return 0
		}), []string{"3 20 subjects with a pass in every response: s017, s018, s019", "1 20 subjects with a failure in every response: s000"}},
		{"one subject", judged(1, 16, 509, func(s, i int) float64 { return 0.5 }), []string{"1 1 only one subject: s000"}},
		{"all pass", judged(3, 2, 511, func(s, i int) float64 { return 1 }), []string{"6 6 responses that are all the same", "2 2 items with a pass in every response: i00, i01", "3 3 subjects with a pass in every response: s000, s001, s002"}},
	} {
		j, err := Judge(c.d, "success")
		if err != nil {
			t.Fatal(err)
		}
		got := FindingsTable(j.Findings)
		if err := got.Check(); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, row := range got.Rows {
			lines = append(lines, fmt.Sprintf("%s %s %s", row[1].Text(), row[2].Text(), row[0].Text()))
		}
		if len(lines) != len(c.want) {
			t.Errorf("%s: found %q, want %q", c.name, lines, c.want)
			continue
		}
		for i, w := range c.want {
			if !strings.HasPrefix(lines[i], w) {
				t.Errorf("%s: found %q, want %q", c.name, lines[i], w)
			}
		}
		switch c.name {
		case "two parts":
			if j.Parts["s000"] != 1 || j.Parts["s059"] != 2 || len(j.Parts) != 60 {
				t.Errorf("parts %v", j.Parts)
			}
		case "all pass":
			if j.Findings[1].Remedy != "" || j.Findings[2].Remedy != "" {
				t.Errorf("%s: everything is to be left out: %+v", c.name, j.Findings)
			}
		case "a reversed key":
			if len(j.Items["i07"]) != 1 || len(j.Items) != 1 || len(j.Subjects) != 0 {
				t.Errorf("doubts of items %v, of subjects %v", j.Items, j.Subjects)
			}
		}
	}
	if _, err := Judge(judged(2, 2, 512, func(s, i int) float64 { return -1 }), "success"); err == nil {
		t.Error("a table without responses is judged")
	}
	if _, err := Judge(judged(2, 2, 512, func(s, i int) float64 { return 1 }), "pass"); err == nil {
		t.Error("an unknown measure is judged")
	}
}

// TestTyped: what is printed can be typed: names with spaces stand between quotes, and what no shell takes as it is makes no command.
func TestTyped(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"q1", "q2"}, "--reverse q1,q2"},
		{[]string{"item 3", "item 8"}, `--reverse "item 3,item 8"`},
		{[]string{"I like it (really)"}, `--reverse "I like it (really)"`},
		{[]string{"a,b"}, ""},
		{[]string{"costs $5"}, ""},
		{[]string{" a"}, ""},
		{nil, ""},
	} {
		if got := typed("--reverse", c.names); got != c.want {
			t.Errorf("%q: %s, want %s", c.names, got, c.want)
		}
	}
}

// TestReversedSaysWhichLayout checks that a layout for responses of 0 and 1 is named where they are that, and not where they are categories.
func TestReversedSaysWhichLayout(t *testing.T) {
	for _, c := range []struct {
		family record.Family
		want   bool
	}{{record.Binary, true}, {record.Choice, false}} {
		d := judged(200, 12, 1, func(s, i int) float64 {
			if i == 3 {
				return 1 - float64(s)/200
			}
			return float64(s) / 200
		})
		d.Manifest.Measures[0].Family = c.family
		j, err := Judge(d, "success")
		if err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(j.Findings, func(f Finding) bool { return f.Kind == Reversed })
		if k < 0 || !slices.Equal(j.Findings[k].Names, []string{"i03"}) || strings.Contains(j.Findings[k].Meaning, "2pl-signed") != c.want {
			t.Errorf("%s: %+v", c.family, j.Findings)
		}
	}
}

// TestReliabilityOfNumbers checks that the reliability of a table of numbers without a gap is coefficient alpha (Cronbach 1951), which is Hoyt's.
func TestReliabilityOfNumbers(t *testing.T) {
	const subjects, items = 14, 5
	r := rng.Stream(601, "alpha")
	d := judged(subjects, items, 1, func(s, i int) float64 { return 1 })
	d.Manifest.Measures[0].Family = record.Real
	list := d.Responses.List()
	value := make([][]float64, items+1) // last the sums
	value[items] = make([]float64, subjects)
	for k := range list {
		list[k].Value = 0.5*float64(list[k].Subject%4) + r.Norm()
		value[list[k].Item] = append(value[list[k].Item], list[k].Value)
		value[items][list[k].Subject] += list[k].Value
	}
	d.Responses = record.PackResponses(list)
	single, whole := 0.0, 0.0
	for i, column := range value {
		mean, square := 0.0, 0.0
		for _, x := range column {
			mean += x / subjects
		}
		for _, x := range column {
			square += (x - mean) * (x - mean) / (subjects - 1)
		}
		if i == items {
			whole = square
		} else {
			single += square
		}
	}
	table, err := degrees(d, "success")
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := table.reliability(table.margins()); !ok || math.Abs(got-items/(items-1.)*(1-single/whole)) > 1e-12 {
		t.Errorf("reliability %v, alpha %v", got, items/(items-1.)*(1-single/whole))
	}
}
