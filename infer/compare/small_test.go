package compare_test

import (
	"testing"

	"achilles/infer/compare"
	"achilles/sim/record"
)

// items returns n items. lava is 0 1 0 1 …, and ramp is 0 0 1 1 0 0 1 1 ….
func items(n int) *record.Items {
	it := &record.Items{}
	lava := record.Column{Feature: record.Feature{Name: "lava", Kind: record.Number}}
	ramp := record.Column{Feature: record.Feature{Name: "ramp", Kind: record.Number}}
	for i := range n {
		it.ID = append(it.ID, string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676)))
		it.Suite, it.Paradigm, it.Task = append(it.Suite, "toy"), append(it.Paradigm, "toy"), append(it.Task, "toy")
		lava.Number = append(lava.Number, float64(i%2))
		ramp.Number = append(ramp.Number, float64(i/2%2))
	}
	it.Columns = []record.Column{lava, ramp}
	return it
}

// responses returns one response to each item. The first withLava items with lava, and the first without items without lava,
// are passed; all others are failed.
func responses(it *record.Items, withLava, without int) (out []record.Response) {
	passed := [2]int{without, withLava}
	for i := range it.Len() {
		r := record.Response{Item: int32(i)}
		if k := i % 2; passed[k] > 0 {
			r.Value = 1
			passed[k]--
		}
		out = append(out, r)
	}
	return out
}

const constant = `
name = "constant"
[robustness]
rate = { prior = "uniform(0, 1)" }
[response.success]
p = "rate"
[classification]
family = "nonspecific"
noise = "1 - rate"
`

// heel returns the layout of a rival with one weakness: items on which the column is 1.
func heel(column string) string {
	return `
name = "` + column + `"
[metafeature]
there = { column = "` + column + `", range = [0, 1] }
[capability]
strong = { prior = "uniform(0, 1)" }
cope = { prior = "uniform(0, 1)" }
[response.success]
p = "strong*present(cope, there)"
[classification]
family = "achilles-heel"
noise = "1 - strong"
[[classification.weakness]]
name = "` + column + `"
say = "passes {strong*cope} there"
[classification.profile]
op = "7"
` + column + ` = "cope"
`
}

const bankText = `
name = "toy"
[[candidate]]
file = "constant.toml"
prior = 2
[[candidate]]
file = "lava.toml"
[[candidate]]
file = "ramp.toml"
`

func bank(t testing.TB, it *record.Items) *compare.Bound {
	t.Helper()
	b, err := compare.Parse(compare.Source{Text: compare.Text{File: "toy.toml", Text: bankText}, Rivals: []compare.Text{
		{File: "constant.toml", Text: constant}, {File: "lava.toml", Text: heel("lava")}, {File: "ramp.toml", Text: heel("ramp")}}})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := b.Bind(it, measures)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}
