package scenario_test

import (
	"strings"
	"testing"

	"achilles/scenarios/scenario"
)

// TestAdaptive checks the section adaptive: its values, and one line for each mistake.
func TestAdaptive(t *testing.T) {
	const agent = "[[agent]]\nname = \"a\"\nrule = [{ p = 1 }]\n"
	const layout = "[inference]\nlayout = \"op-fixed\"\n[responses]\nheld_out = 0\n"
	s, err := scenario.Parse("f", "name = \"x\"\n[adaptive]\nitems = 9\nsd = 0.1\norder = \"random\"\n"+agent+layout)
	if err != nil {
		t.Fatal(err)
	}
	if want := (scenario.Adaptive{Items: 9, SD: 0.1, Checks: 0.2, Order: "random"}); *s.Adaptive != want {
		t.Errorf("%+v, want %+v", *s.Adaptive, want)
	}
	for _, c := range []struct{ text, want string }{
		{"[adaptive]\nsd = 0.1\n" + agent + layout, "adaptive.items"},
		{"[adaptive]\nitems = 0\n" + agent + layout, "adaptive.items"},
		{"[adaptive]\nitems = 9\nsd = 1\n" + agent + layout, "adaptive.sd"},
		{"[adaptive]\nitems = 9\norder = \"best\"\n" + agent + layout, "adaptive.order"},
		{"[adaptive]\nitems = 9\n" + agent + "[inference]\nlayout = \"op-fixed\"\n", "want held_out = 0"},
		{"[adaptive]\nitems = 9\n" + agent + layout + "repetitions = 2\n", "want repetitions = 1"},
		{"[adaptive]\nitems = 9\n" + agent + "[responses]\nheld_out = 0\n", "[inference] must name one"},
		{"[adaptive]\nitems = 9\n[[agent]]\nname = \"a\"\ncommand = [\"x\"]\n[[collective]]\nname = \"c\"\nmembers = [\"a\"]\nrule = \"plurality\"\n" + layout, "collective[0].members"},
		{"[adaptive]\nitems = 9\n[bib]\n", "nobody takes a battery"},
	} {
		if _, err := scenario.Parse("f", "name = \"x\"\n"+c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

// TestAdaptiveLearners checks that bodies that learn can take chosen items, by themselves and not in a collective, whose items would
// not be theirs.
func TestAdaptiveLearners(t *testing.T) {
	text := "name = \"x\"\n[battery]\ncoding = \"worlds\"\nitems = 30\n[adaptive]\nitems = 9\n[[agent]]\nname = \"a\"\nbody = [{ memory = 1, learns = \"memory\", asymptote = 3, rate = 0.1 }]\n" +
		"[[population]]\nname = \"p\"\ncount = 2\nbody = [{ memory = \"1\", learns = \"memory\", asymptote = \"3\", rate = \"0.1\" }]\n[[agent]]\nname = \"b\"\nbody = {}\n" +
		"[inference]\nlayout = \"op-fixed\"\n[responses]\nheld_out = 0\n"
	if errs := scenario.Check(t.Context(), "f", text); len(errs) > 0 {
		t.Errorf("errors %v", errs)
	}
	for member, named := range map[string]string{"a": "a", "p": "p-001", "p-002": "p-002"} {
		errs := scenario.Check(t.Context(), "f", text+"[[collective]]\nname = \"all\"\nmembers = [\""+member+"\", \"b\"]\nrule = \"majority\"\n")
		if want := named + " would have to take them besides its own: a body that learns"; len(errs) != 1 || !strings.Contains(errs[0].Error(), want) {
			t.Errorf("errors %v, want %q", errs, want)
		}
	}
}
