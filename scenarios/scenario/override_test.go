package scenario_test

import (
	"strings"
	"testing"

	"achilles/scenarios/scenario"
)

func TestOverride(t *testing.T) {
	const text = `name = "x" # a comment
battery = { coding = "released" }
empty = {}
[responses] # another
repetitions = 1     # how often
[[agent]]
name = "one"
rule = [{ p = 0.5 }, { p = "a # b" }]
[agent.truth]
family = "capable"
`
	for _, c := range []struct{ setting, from, to string }{
		{"responses.repetitions=3", "repetitions = 1 ", "repetitions = 3 "},
		{"battery.coding=design", `"released"`, `"design"`},
		{`battery.coding="design"`, `"released"`, `"design"`},
		{"name=y", `name = "x"`, `name = "y"`},
		{"seed=7", `name = "x"`, "seed = 7\nname = \"x\""},
		{"responses.heldOut=0.3", "[responses] # another\n", "[responses] # another\nheldOut = 0.3\n"},
		{"battery.sample=9", "{ coding", "{ sample = 9,  coding"},
		{"empty.sample=9", "{}", "{ sample = 9}"},
		{"agent[0].rule[1].p=0.25", `"a # b"`, "0.25"},
		{"agent[0].rule[0].if=lava == 1", "{ p = 0.5 }", `{ if = "lava == 1",  p = 0.5 }`},
		{"agent[0].truth.family=fraudster", `"capable"`, `"fraudster"`},
		{"agent[0].doc=it's new", "[[agent]]\n", "[[agent]]\ndoc = \"it's new\"\n"},
		{"agent[0].rule=[{ p = 1 }]", `[{ p = 0.5 }, { p = "a # b" }]`, "[{ p = 1 }]"},
		{"battery.levels.lava = [0]", "", "\n[battery.levels]\nlava = [0]\n"},
		{"scale.op=52.8", "", "\n[scale]\nop = 52.8\n"},
	} {
		want := strings.Replace(text, c.from, c.to, 1)
		if c.from == "" {
			want = text + c.to
		}
		got, err := scenario.Override(text, c.setting)
		if err != nil || got != want {
			t.Errorf("%s gives (%v)\n%s\nwant\n%s", c.setting, err, got, want)
		}
	}
	for setting, says := range map[string]string{
		"responses":            "want KEY=VALUE",
		"=3":                   "want KEY=VALUE",
		"a b=3":                "want KEY=VALUE",
		"responses.=3":         "want KEY=VALUE",
		"responses=3":          "responses is a table: set a key in it",
		"agent[1].name=two":    "there is no agent[1]",
		"agent[3]=1":           "there is no agent[3]",
		"agent[0].rule[2].p=1": "there is no agent[0].rule[2]",
	} {
		if _, err := scenario.Override(text, setting); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v does not say %q", setting, err, says)
		}
	}
	if _, err := scenario.Override("name = ", "name=x"); err == nil || !strings.Contains(err.Error(), "not valid TOML") {
		t.Errorf("error %v does not say that the text is at fault", err)
	}
}

// TestOverrideKeepsLines: a message about an overridden scenario still has the line of the file.
func TestOverrideKeepsLines(t *testing.T) {
	text, err := scenario.Override(small, "responses.repetitions=0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scenario.Parse("f", text); err == nil || !strings.HasPrefix(err.Error(), "f:8: key responses.repetitions: want a whole number") {
		t.Errorf("error %v", err)
	}
}
