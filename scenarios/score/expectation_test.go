package score

import (
	"testing"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/infer/voe"
)

// TestExpectations counts by hand: of three videos as expected one is reached and two are nearest; the unexpected one, and a surprise
// without a goal, do not count.
func TestExpectations(t *testing.T) {
	outcomes := []battery.Outcome{battery.Unexpected, battery.Expected}
	labels := []bib.Label{{Item: "i", Task: bib.Preference, Outcome: outcomes}, {Item: "j", Task: bib.Preference, Outcome: outcomes},
		{Item: "k", Task: bib.Preference, Outcome: outcomes}, {Item: "l", Task: bib.SingleObject, Outcome: outcomes[1:]}}
	row := func(item, video string, reached, nearest bool) voe.Surprise {
		s := voe.Surprise{Observer: "x", Item: item, Video: video}
		s.Expect(voe.Expectation{Goal: "heart", Reached: reached, Nearest: nearest})
		return s
	}
	got := expectations([]voe.Surprise{row("i", "a", true, true), row("i", "b", true, false), row("j", "b", false, true), row("k", "b", false, true),
		{Observer: "y", Item: "k", Video: "b"}, row("l", "a", true, true)}, labels)
	if len(got) != 2 || got[0].N != 3 || got[0].There != 100./3 || got[0].Near != 200./3 || got[1].Task != bib.SingleObject || got[1].N != 1 || got[1].There != 100 {
		t.Errorf("%+v", got)
	}
	if expectationTable(&Scores{Expected: got}) == nil || expectationTable(&Scores{}) != nil {
		t.Error("there is no table, or one of nothing")
	}
}
