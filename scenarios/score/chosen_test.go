package score_test

import (
	"context"
	"testing"

	chooser "achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/scenarios/adaptive"
	"achilles/scenarios/generate"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// TestChosenItemsShowMisfit classifies twelve subjects that no candidate model describes on 120 items of 600, chosen by information and
// drawn at random, on each of -seeds seeds. Chosen items must do no worse: among subjects that are classified correctly in one
// order only (unclassified, or with a failed fit check), those in which it is the chosen one must not be so few that this has a probability
// below .01 under even odds. Each order must classify half correctly.
func TestChosenItemsShowMisfit(t *testing.T) {
	longtest.Only(t, "takes minutes")
	r := trialRun{scenario: "op-unknown", settings: []string{"battery.coding=design", "battery.items=600", "population[0].count=12", "responses.held_out=0"}}
	l, err := layout.Parse("op-fixed.toml", string(shippedFile(t, "layouts/op-fixed.toml")))
	if err != nil {
		t.Fatal(err)
	}
	var chosen, drawn tally
	better, worse := 0, 0
	for root := *verdictFrom; root < *verdictFrom+uint64(*verdictSeeds); root++ {
		right := map[string][2]bool{}
		for k, order := range []string{chooser.ByInformation, chooser.AtRandom} {
			choice := adaptive.Choice{Settings: chooser.Settings{Items: 120, Checks: 0.2, Order: order}, Layout: l, Bank: bank(t, "op")}
			session, err := generate.Run(context.Background(), r.open(t), generate.Config{Seed: root, Jobs: 2, Choose: choice.Begin})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range gradeSession(t, session, root).Verdicts.Rows {
				both := right[row.Name]
				both[k] = row.Right
				right[row.Name] = both
			}
		}
		for _, both := range right {
			chosen.count(both[0])
			drawn.count(both[1])
			better, worse = better+one(both[0] && !both[1]), worse+one(both[1] && !both[0])
		}
	}
	t.Logf("correct: chosen %v; at random %v; by chosen items only %d, by random ones only %d", chosen, drawn, better, worse)
	// P(at most better of better + worse) for even odds
	p, term := 0.0, 1.0
	for range better + worse {
		term /= 2
	}
	for k := 0; k <= better; k++ {
		p += term
		term *= float64(better+worse-k) / float64(k+1)
	}
	if p < 0.01 {
		t.Errorf("chosen items do worse: p = %.4f", p)
	}
	if 2*chosen.k < chosen.n || 2*drawn.k < drawn.n {
		t.Errorf("fewer than half are classified correctly")
	}
}

func one(held bool) int {
	if held {
		return 1
	}
	return 0
}

// TestTenthOfItems classifies the thirty agents of op-burden by all 2188 items, and by the tenth of them that is chosen for each: on each of -seeds seeds the classification may
// differ for one agent of thirty, and none that all items classify correctly may be wrong for more than one. docs/theory/adaptive.md has the counts.
func TestTenthOfItems(t *testing.T) {
	longtest.Only(t, "takes an hour")
	l, err := layout.Parse("op-fixed.toml", string(shippedFile(t, "layouts/op-fixed.toml")))
	if err != nil {
		t.Fatal(err)
	}
	r := trialRun{scenario: "op-burden", settings: []string{"responses.held_out=0"}}
	same, of, chosenRight, allRight := 0, 0, 0, 0
	for root := *verdictFrom; root < *verdictFrom+uint64(*verdictSeeds); root++ {
		var rows [2][]score.VerdictRow
		for k, choose := range []func(*record.Dataset) (generate.Choosing, error){nil, adaptive.Choice{Settings: chooser.Settings{Items: 218, Checks: 0.2}, Layout: l, Bank: bank(t, "op")}.Begin} {
			session, err := generate.Run(context.Background(), r.open(t), generate.Config{Seed: root, Jobs: 2, Choose: choose})
			if err != nil {
				t.Fatal(err)
			}
			rows[k] = gradeSession(t, session, root).Verdicts.Rows
		}
		for i, all := range rows[0] {
			few := rows[1][i]
			of, same = of+1, same+one(all.Family == few.Family)
			chosenRight, allRight = chosenRight+one(few.Right), allRight+one(all.Right)
			if all.Family != few.Family {
				t.Logf("seed %d, %s: %s by all items, %s by the tenth that was chosen", root, all.Name, all.Family, few.Family)
			}
		}
	}
	t.Logf("of %d agents %d have the classification of all items; correct by all items %d, by a tenth %d", of, same, allRight, chosenRight)
	if 30*same < 29*of || chosenRight < allRight-*verdictSeeds {
		t.Errorf("of %d agents %d have the classification of all items; correct by all items %d, by a tenth %d", of, same, allRight, chosenRight)
	}
}
