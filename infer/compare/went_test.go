package compare_test

import (
	"math"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/sim/record"
)

// strategy is a candidate model that passes at some rate, and where it fails goes to A with probability toA, else to none.
func strategy(name, family, toA string) string {
	return `
name = "` + name + `"
[robustness]
rate = { prior = "uniform(0, 1)" }
[response.success]
p = "rate"
[response.error]
family = "choice"
utility = ["log(` + toA + `)", "-9", "-9", "-9", "log(1 - ` + toA + `)"]
[classification]
family = "` + family + `"
noise = "1 - rate"
`
}

// TestErrorsClassify checks that two strategies which pass alike are classified by where they go when they fail, with the exact odds, and not
// at all without that; that both predict passing; and that a set is refused of which one model alone explains errors.
func TestErrorsClassify(t *testing.T) {
	const bank = "name = \"went\"\n[[candidate]]\nfile = \"a.toml\"\n[[candidate]]\nfile = \"b.toml\"\n"
	it := items(12)
	bind := func(a, b string) (*compare.Bound, error) {
		set, err := compare.Parse(compare.Source{Text: compare.Text{File: "went.toml", Text: bank}, Rivals: []compare.Text{{File: "a.toml", Text: a}, {File: "b.toml", Text: b}}})
		if err != nil {
			t.Fatal(err)
		}
		return set.Bind(it, measures)
	}
	b, err := bind(strategy("perseverates", compare.AchillesHeel, "0.8"), strategy("forgets", compare.Nonspecific, "0.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, recorded := range []bool{false, true} {
		list := responses(it, 3, 3)
		want, toA := 0.0, 0
		for i := range list {
			if list[i].Value == 1 || !recorded {
				continue
			}
			if list[i].Chosen.Went = record.ToNone; toA < 4 {
				list[i].Chosen.Went = record.ToA
				toA++
				want += math.Log(0.8 / 0.1)
			} else {
				want += math.Log(0.2 / 0.9)
			}
		}
		fits := fit(t, b, list, "went")
		if got := math.Log(fits[0].Weight / fits[1].Weight); math.Abs(got-want) > 0.5 {
			t.Errorf("choices %t: log odds %.2f, exactly %.2f", recorded, got, want)
		}
		passed := 0.0
		for _, x := range list {
			passed += x.Value
		}
		for i, p := range compare.Predict(it, fits) { // by pass and fail, of which both say the same: errors are no measure of the data
			if exact := (passed + 1) / (float64(len(list)) + 2); math.Abs(p-exact) > 0.02 {
				t.Errorf("choices %t: item %d is passed with probability %.3f, exactly %.3f", recorded, i, p, exact)
			}
		}
	}
	if _, err := bind(strategy("perseverates", compare.AchillesHeel, "0.8"), constant); err == nil || !strings.Contains(err.Error(), "all models of a set explain the same") {
		t.Errorf("the error of a mixed set is %v", err)
	}
}
