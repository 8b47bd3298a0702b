package compare_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/compare"
)

// composing returns a bank with a constant rate and three components: lava, ramp and other. Other does not compose with ramp,
// because both are about "slopes". components is the largest number of components of an explanation.
func composing(t testing.TB, components string) *compare.Bound {
	t.Helper()
	about := func(text, what string) string {
		return strings.Replace(text, "[classification]\n", "[classification]\nabout = "+what+"\n", 1)
	}
	ramp := strings.Replace(about(heel("ramp"), `["ramp", "slopes"]`), "uniform(0, 1)", "uniform(0.5, 1)", 1)
	other := strings.Replace(about(heel("lava"), `["slopes"]`), `name = "lava"`, `name = "other"`, 1)
	b, err := compare.Parse(compare.Source{Text: compare.Text{File: "toy.toml", Text: strings.Replace(bankText, "name = \"toy\"", "name = \"toy\"\ncomponents = "+components, 1) + "[[candidate]]\nfile = \"other.toml\"\n"}, Rivals: []compare.Text{
		{File: "constant.toml", Text: constant}, {File: "lava.toml", Text: about(heel("lava"), `["lava"]`)}, {File: "ramp.toml", Text: ramp}, {File: "other.toml", Text: other}}})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := b.Bind(items(240), measures)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

// TestUnvisitedCountsASetOnce checks the probability of what was screened and not fitted by hand: a set that was screened from
// two bases counts once, with the larger weight. Fitted are weights of 6 and 2, left are 3 (screened as 1 and as 3) and 1.
func TestUnvisitedCountsASetOnce(t *testing.T) {
	b := composing(t, "2")
	fitted := []float64{math.Log(6), math.Log(2)}
	if got := b.Unvisited(fitted); got != 0 {
		t.Errorf("nothing was left, and it has probability %v", got)
	}
	for _, order := range [][]float64{{1, 3}, {3, 1}} {
		got := b.Unvisited(fitted, compare.Screened{Set: []int{1, 2}, LogWeight: math.Log(order[0])}, compare.Screened{Set: []int{1, 3}},
			compare.Screened{Set: []int{1, 2}, LogWeight: math.Log(order[1])})
		if want := 4.0 / 12; math.Abs(got-want) > 1e-12 {
			t.Errorf("screened as %v: %v, want %v", order, got, want)
		}
	}
}

// TestComposeByHand checks the composition of lava and ramp by hand: one parameter strong with the wider of the two priors, and
// the product of the shares.
func TestComposeByHand(t *testing.T) {
	b := composing(t, "2")
	l := compare.Compose(b.Rivals[1], b.Rivals[2])
	var names []string
	for _, p := range l.Parameters {
		names = append(names, p.Name+" "+p.Prior)
	}
	if got := strings.Join(names, ", "); got != "strong uniform(0, 1), cope1 uniform(0, 1), cope2 uniform(0, 1)" {
		t.Errorf("parameters %s", got)
	}
	d, err := l.Bind(items(240), measures)
	if err != nil {
		t.Fatal(err)
	}
	data, err := d.NewData(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, d.Rows())
	d.NewTarget(data).Predict([]float64{0.9, 0.5, 0.2}, p)
	for i, want := range []float64{0.9, 0.45, 0.18, 0.09} { // lava is 0 1 0 1, ramp is 0 0 1 1
		if got := p[d.Row(i)]; math.Abs(got-want) > 1e-12 {
			t.Errorf("item %d: %v; want %v", i, got, want)
		}
	}
}

// TestComposedStrong checks that the prior of strong allows all that the components allow: the wider prior, in either order,
// and the uniform distribution over both ranges if neither contains the other.
func TestComposedStrong(t *testing.T) {
	named := func(name, prior string) compare.Text {
		text := strings.Replace(heel("lava"), `name = "lava"`, `name = "`+name+`"`, 1)
		return compare.Text{File: name, Text: strings.NewReplacer("strong = { prior = \"uniform(0, 1)\"", "strong = { prior = \""+prior+"\"", "[classification]\n", "[classification]\nabout = [\""+name+"\"]\n").Replace(text)}
	}
	texts := []compare.Text{named("a", "uniform(0.7, 1)"), named("b", "uniform(0.5, 1)"), named("c", "uniform(0.6, 0.9)"), named("d", "uniform(0.4, 0.8)")}
	bank := "name = \"strong\"\n" + strings.Repeat("[[candidate]]\nfile = \"x\"\n", len(texts))
	b, err := compare.Parse(compare.Source{Text: compare.Text{File: "bank.toml", Text: bank}, Rivals: texts})
	if err != nil {
		t.Fatal(err)
	}
	for pair, want := range map[[2]int]string{{0, 1}: "uniform(0.5, 1)", {1, 2}: "uniform(0.5, 1)", {2, 0}: "uniform(0.6, 1)", {2, 3}: "uniform(0.4, 0.9)"} {
		if got := compare.Compose(b.Rivals[pair[0]], b.Rivals[pair[1]]).Parameters[0].Prior; got != want {
			t.Errorf("%v: %s; want %s", pair, got, want)
		}
	}
}

// TestPriorPaysForMultiplicity checks the prior probabilities of explanations by hand. With 3 components, the prior
// BetaBinomial(3; 1, 3) gives two components half the probability of one. The two pairs that compose, lava with ramp and lava
// with other, share it equally; ramp and other are about the same thing and do not compose.
func TestPriorPaysForMultiplicity(t *testing.T) {
	alone, pairs := composing(t, "1"), composing(t, "2")
	if alone.Composed != 0 || alone.Entries[1].Share != 1.0/5 {
		t.Errorf("one component: lava %v and composed %v", alone.Entries[1].Share, alone.Composed)
	}
	if want := 1.5 / 6.5; math.Abs(pairs.Composed-want) > 1e-12 {
		t.Errorf("composed %v; want %v: half of the three components' mass, of 2 + 3 + 1.5", pairs.Composed, want)
	}
	for set, want := range map[[2]int]float64{{1, 2}: 0.75 / 6.5, {1, 3}: 0.75 / 6.5} {
		if got := math.Exp(pairs.LogPrior(set[:])); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v; want %v", set, got, want)
		}
	}
}

// TestPriorAlone checks that a large prior of a rival alone makes no pair with it likelier: lava with prior 9 has 9 of 14.5, and
// each pair 0.75 as before.
func TestPriorAlone(t *testing.T) {
	b := composing(t, "2").Bank
	b.Rivals[1].Prior = 9
	bound, err := b.Bind(items(240), measures)
	if err != nil {
		t.Fatal(err)
	}
	if got := bound.Entries[1].Share; math.Abs(got-9/14.5) > 1e-12 {
		t.Errorf("lava alone %v; want %v", got, 9/14.5)
	}
	for _, set := range [][]int{{1, 2}, {1, 3}} {
		if got := math.Exp(bound.LogPrior(set)); math.Abs(got-0.75/14.5) > 1e-12 {
			t.Errorf("%v: %v; want %v", set, got, 0.75/14.5)
		}
	}
}

// TestMildBesideOthers checks that darkness is mild if all dark items have lava, of which the subject passes few anyway, and is
// named if there are dark items without lava.
func TestMildBesideOthers(t *testing.T) {
	for _, c := range []struct {
		name       string
		nested     bool
		weak, mild string
	}{{"dark with lava only", true, "lava", "lights-out"}, {"dark without lava too", false, "lava lights-out", ""}} {
		it := battery(240)
		lava, dark := number(it, "lava"), number(it, "lightsOut")
		if c.nested {
			for i := range dark {
				dark[i] *= lava[i]
			}
		}
		v := judge(t, it, c.name, func(i int) float64 { return 0.97 * (1 - 0.85*lava[i]) * (1 - dark[i]) })
		names := func(of []compare.Weakness) string {
			var out []string
			for _, w := range of {
				if w.Probability >= 0.5 {
					out = append(out, w.Name)
				}
			}
			slices.Sort(out)
			return strings.Join(out, " ")
		}
		if weak, mild := names(v.Weaknesses), names(v.Mild); weak != c.weak || mild != c.mild {
			t.Errorf("%s: weak at %q and mildly at %q; want %q and %q", c.name, weak, mild, c.weak, c.mild)
		}
	}
}

// TestSearchFindsBoth checks that the search finds two weaknesses of a subject that has both, and that a subject which fails
// only at lava has the component ramp with a probability of at most 0.2.
func TestSearchFindsBoth(t *testing.T) {
	b := composing(t, "2")
	it := items(240)
	r := respond(it, "both", func(i int) float64 {
		return 0.95 * (1 - 0.8*number(it, "lava")[i]) * (1 - 0.6*number(it, "ramp")[i])
	})
	fits := fit(t, b, r, "both")
	best := slices.MaxFunc(fits, func(a, b *compare.Fitted) int { return int(math.Copysign(1, a.Weight-b.Weight)) })
	if best.Layout.Name != "lava + ramp" || best.Weight < 0.95 {
		t.Errorf("%s %.2f; want lava + ramp", best.Layout.Name, best.Weight)
	}
	r = respond(it, "lava alone", func(i int) float64 { return 0.95 * (1 - 0.8*number(it, "lava")[i]) })
	ramp := 0.0
	for _, f := range fit(t, b, r, "lava alone") {
		if strings.Contains(f.Layout.Name, "ramp") {
			ramp += f.Weight
		}
	}
	if ramp > 0.2 {
		t.Errorf("ramp %.2f where only lava costs anything", ramp)
	}
}

// TestJudgeComposed checks verdicts on subjects with two components: a cheat with a weakness, a subject with two weaknesses,
// and one with a weakness and a mild weakness. All must be named, the mild one as mild.
func TestJudgeComposed(t *testing.T) {
	it := battery(600)
	lava, ramp, works, size := number(it, "lava"), number(it, "ramp"), number(it, "lastSeenPasses"), number(it, "goalSize")
	without := func(share, there float64) float64 { return 1 - (1-share)*there }
	for _, c := range []struct {
		name, family string
		hasOP        float64
		weak, mild   []string
		p            func(i int) float64
	}{
		{"cheat with lava", compare.Fraudster, 0, []string{"lava", "op"}, nil, func(i int) float64 { return 0.97 * without(0.1, 1-works[i]) * without(0.3, lava[i]) }},
		{"small and ramp", compare.AchillesHeel, 1, []string{"ramp", "visual"}, nil, func(i int) float64 { return 0.97 * without(0.2, ramp[i]) / (1 + math.Exp(3*(1.5-size[i]))) }},
		{"lava, mildly ramp", compare.AchillesHeel, 1, []string{"lava"}, []string{"ramp"}, func(i int) float64 { return without(0.2, lava[i]) * without(0.86, ramp[i]) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judge(t, it, c.name, c.p)
			var weak, mild []string
			for _, w := range v.Weaknesses {
				if w.Probability >= 0.5 {
					weak = append(weak, w.Name)
				}
			}
			for _, w := range v.Mild {
				mild = append(mild, w.Name)
			}
			slices.Sort(weak)
			if v.Family != c.family || math.Abs(v.HasOP-c.hasOP) > 0.1 || !slices.Equal(weak, c.weak) || !slices.Equal(mild, c.mild) {
				t.Errorf("%s, op %.2f, weak at %v, mildly %v: %s", v.Family, v.HasOP, weak, mild, v.Words)
			}
			if v.Unvisited > 0.2 || len(v.Components) < 2 {
				t.Errorf("unvisited %v, components %v", v.Unvisited, v.Components)
			}
		})
	}
}

func TestComponentsMustBeShares(t *testing.T) {
	text := strings.Replace(constant, "[classification]\n", "[classification]\nabout = [\"rate\"]\n", 1)
	_, err := compare.Parse(compare.Source{Text: compare.Text{File: "toy.toml", Text: bankText}, Rivals: []compare.Text{{File: "constant.toml", Text: text}, {File: "l", Text: heel("lava")}, {File: "r", Text: heel("ramp")}}})
	if err == nil || !strings.Contains(err.Error(), "constant.toml:8: key classification.about: a candidate model that composes passes with a probability of the form strong*share") {
		t.Errorf("error %v", err)
	}
	text = strings.NewReplacer("strong = { prior = \"uniform(0, 1)\"", "strong = { prior = \"uniform(least, 1)\"", "[capability]", "[constant]\nleast = 0.5\n[capability]", "[classification]\n", "[classification]\nabout = [\"lava\"]\n").Replace(heel("lava"))
	_, err = compare.Parse(compare.Source{Text: compare.Text{File: "toy.toml", Text: bankText}, Rivals: []compare.Text{{File: "constant.toml", Text: constant}, {File: "lava.toml", Text: text}, {File: "r", Text: heel("ramp")}}})
	if err == nil || !strings.Contains(err.Error(), "the prior of strong in a candidate model that composes has numbers as arguments, not uniform(least, 1)") {
		t.Errorf("error %v", err)
	}
}
