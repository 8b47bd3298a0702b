package scenario_test

import (
	"strings"
	"testing"

	"achilles/scenarios/scenario"
)

// TestOverride checks that an error about an overridden scenario has the line of the original file, and that an old
// spelling of a key gets the new one as advice, whether the text has the key or not.
func TestOverride(t *testing.T) {
	for setting, want := range map[string]string{
		"responses.repetitions=0":                  "f:8: key responses.repetitions: want a whole number",
		"agent[0].truth.hasOP=no":                  `setting "agent[0].truth.hasOP=no": unknown key agent[0].truth.hasOP: write agent[0].truth.has_op`,
		"heldOut=0.1":                              `setting "heldOut=0.1": unknown key heldOut: write responses.held_out`,
		"agent[1].truth.hasOP=no":                  "there is no agent[1].truth",
		"population[0].truth=[{ hasOP = \"no\" }]": "population[0].truth is a table",
		"agent[0].truth.reasom=why":                "f:24: key agent[0].truth.reasom: unknown key: did you mean reason?",
		"published.verdict.one.hasOP=no":           "key published.verdict.one.hasOP: unknown key: write has_op",
		"seed=2":                                   "",
	} {
		text, err := scenario.Override("f", small, setting)
		if err == nil {
			_, err = scenario.Parse("f", text)
		}
		if got := text; want == "" && (err != nil || !strings.Contains(got, "seed = 2\n")) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %s", setting, err, want)
		}
	}
}
