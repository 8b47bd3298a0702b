package rendertest

import (
	"achilles/infer"
	"achilles/render/figure"
	"achilles/scenarios/score"
)

// CTest returns a graded result of a C-test. It has two agents that are not drawn from a population, of which pattern-1
// is compared with a published ability; an agent that is drawn from a population, able-001; and two groups, alike and
// three.
func CTest() *figure.Material {
	m := &figure.Material{Dir: ".", Name: "ctest", Scores: &score.Scores{Format: score.Format, Version: score.Version, Public: "aa", Inferred: "bb", Sealed: "cc", Source: "a paper"}}
	s := m.Scores
	rates := []score.RateAt{{K: 7, Answers: 5, N: 20, Right: 15}, {K: 12, Answers: 5, N: 20, Right: 8}, {K: 15, Answers: 5, N: 3, Right: 3}}
	s.CTest = &score.CTest{Weight: 28, Fitted: ptr(31.5), Like: map[string]float64{"pattern-1": 11.28}, Note: "two quantities", Subjects: map[string]score.SeriesScore{}}
	for i, name := range []string{"able-001", "pattern-1", "random", "alike", "three"} {
		r := 0.1 + 0.1*float64(i)
		s.CTest.Subjects[name] = score.SeriesScore{
			ID: "s" + name, Drawn: i == 0, N: 43, Score: r, Ability: ptr(28 * r), Expected: ptr(r - 0.01), Measured: &score.Moments{30 * r, 4}, ExpectedMeasured: ptr(r + 0.02), Rates: rates,
		}
		s.Profiles = append(s.Profiles, score.Profile{Name: name, Scale: 50, Profile: infer.Profile{
			Subject: "s" + name, Parameter: "ability", Group: "capability", Mean: 30 * r, SD: 4, Q5: 30*r - 2, Q25: 30*r - 1, Q50: 30 * r, Q75: 30*r + 1, Q95: 30*r + 3,
		}})
	}
	s.CTest.Published = []score.SeriesScore{{Score: 0.4, Ability: ptr(11.28), Expected: ptr(0.399)}}
	group := score.Collective{ID: "salike", Rule: "majority", Members: []string{"able-001", "able-001", "able-001"}, N: 43, Actual: 0.4, Mean: 0.35, Best: 0.4, Abilities: []float64{12, 12, 12}, TrueMajority: ptr(0.38), TruePlurality: ptr(0.5)}
	group.Independent = &score.Independent{Share: 0.42, Interval: &score.Interval{0.3, 0.5}, Z: ptr(-0.2), Majority: 0.42, Plurality: ptr(0.55)}
	other := group
	other.ID, other.Rule, other.Abilities, other.TrueMajority, other.TruePlurality, other.Published = "sthree", "borda", nil, nil, nil, ptr(0.51)
	other.Independent = &score.Independent{Share: 0.42, SE: ptr(0.01), Majority: 0.42}
	s.Collectives = map[string]score.Collective{"alike": group, "three": other}
	return m
}
