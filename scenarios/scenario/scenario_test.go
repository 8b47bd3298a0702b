package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"achilles/scenarios/scenario"
	"achilles/sim/conf"
)

// small is a short scenario with two agents, a population and published values. Each of the tests below spoils one line
// of it.
const small = `name = "small"
seed = 5
[battery]
coding = "released"
where = 'family == "cup"'
sample = 40
[responses]
repetitions = 2
held_out = 0.25
[scale]
lava = 1
memory = 4.8
[inference]
layout = "op"
chains = 4
draws = 500
[[agent]]
name = "one"
rule = [
  { if = "lava == 1", p = 0.2 },
  { p = 1 },
]
[agent.truth]
family = "achilles-heel"
has_op = "yes"
groups = ["included"]
capability = { lava = 0.2, memory = 1 }
[[agent]]
name = "two"
[[agent.rule]]
p = "goalSize/5"
[[population]]
name = "some"
count = 3
rule = [{ p = "pass" }]
[population.parameters]
pass = "beta(2, 2)"
[population.truth.capability]
memory = "pass"
[published]
source = "a paper"
[published.recovery]
overall = { lava = 0.2 }
[published.prediction]
one = { brier = 0.1, brier_aggregate = 0.2 }
[published.profile]
two = { memory = [4, 0.5] }
`

func TestParse(t *testing.T) {
	s, err := scenario.Parse("small.toml", small)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "small" || s.Seed != 5 || s.Repetitions != 2 || s.HeldOut != 0.25 || s.Text != small {
		t.Errorf("head is %q %d %d %v", s.Name, s.Seed, s.Repetitions, s.HeldOut)
	}
	if b := s.Battery; b.Suite != "opiaagets" || b.Coding != "released" || b.Sample != 40 || b.Where != `family == "cup"` {
		t.Errorf("battery is %+v", b)
	}
	if keys := s.Inference.Keys(); !slices.Equal(keys, []string{"layout", "chains", "draws"}) || s.Inference.Text("layout") != "op" || s.Inference.Place("draws").Line != 16 {
		t.Errorf("inference has %q, and draws at %+v", keys, s.Inference.Place("draws"))
	}
	if len(s.Agents) != 2 || s.Agents[0].Rule[1].P != "1" || s.Agents[1].Rule[0].P != "goalSize/5" || s.Agents[0].Truth.Capability["lava"] != 0.2 {
		t.Errorf("agents are %+v", s.Agents)
	}
	if want := `{"source":"a paper","recovery":{"overall":{"lava":0.2}},"prediction":{"one":{"brier":0.1,"brier_aggregate":0.2}},"profile":{"two":{"memory":[4,0.5]}}}`; string(s.Published) != want {
		t.Errorf("published is %s", s.Published)
	}
	specs, err := s.Subjects(1)
	if err != nil || len(specs) != 5 || specs[4].Name != "some-003" || specs[2].Truth.Capability["memory"] != specs[2].Parameter["pass"] {
		t.Errorf("subjects are %+v (%v)", specs, err)
	}
	b, err := s.MakeBattery(t.Context(), 1, 1)
	if err != nil || b.Items.Len() != 40 {
		t.Errorf("%d items (%v), want 40", b.Items.Len(), err)
	}
	if errs := scenario.Check(t.Context(), "small.toml", small); len(errs) > 0 {
		t.Errorf("it does not fit together: %v", errs)
	}
}

// TestBadInput checks that each fault gives one line with file, line, key and what would be right. A fault whose `from`
// is "" is appended to the text.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ why, from, to, want string }{
		{"syntax", `seed = 5`, `seed = `, "small.toml:2: key seed: want a value: a text in quotes, a number, true or false, or a list in brackets, not the end of the line"},
		{"key twice", `seed = 5`, "seed = 5\nseed = 6", "small.toml:3: key seed: is in line 2 already: keep one"},
		{"unknown key", `seed = 5`, `sed = 5`, "small.toml:2: key sed: unknown key: did you mean seed?"},
		{"unknown table", `[responses]`, `[response]`, "small.toml:7: key response: unknown key: did you mean responses?"},
		{"old spelling of a key of an agent", `has_op = "yes"`, `hasOP = "yes"`, "small.toml:25: key agent[0].truth.hasOP: unknown key: write has_op"},
		{"unknown key in a rule", `{ p = 1 }`, `{ p = 1, when = "" }`, "small.toml:21: key agent[0].rule[1].when: unknown key"},
		{"no name", `name = "small"`, ``, "small.toml: key name: is missing: what the scenario is called"},
		{"name of two lines", `name = "small"`, `name = "a\nb"`, `small.toml:1: key name: "a\nb" is not a name: want one line`},
		{"wrong type", `seed = 5`, `seed = "five"`, `small.toml:2: key seed: want a whole number from 0, or "drawn", not the text "five"`},
		{"a fraction for a count", `repetitions = 2`, `repetitions = 2.5`, "small.toml:8: key responses.repetitions: want a whole number from 1 to 32767, not 2.5"},
		{"out of range", `held_out = 0.25`, `held_out = 1`, "small.toml:9: key responses.held_out: want a fraction from 0 to below 1, not 1"},
		{"old spelling of a key", `held_out = 0.25`, `heldOut = 0.25`, "small.toml:9: key responses.heldOut: unknown key: write held_out"},
		{"NaN", `held_out = 0.25`, `held_out = nan`, "small.toml:9: key responses.held_out: want a fraction from 0 to below 1, not NaN"},
		{"unknown suite", `[battery]`, "[battery]\nsuite = \"opiagets\"", `small.toml:4: key battery.suite: "opiagets" is not one of "opiaagets", "permanence", "learning", "own", "ctest": did you mean opiaagets?`},
		{"unknown coding", `coding = "released"`, `coding = "relaesed"`, `small.toml:4: key battery.coding: "relaesed" is not one of "released", "corrected", "design", "worlds", "suite-worlds": did you mean released?`},
		{"levels of a fixed battery", `sample = 40`, `items = 40`, "small.toml:6: key battery.items: coding released has no items to choose: it belongs to a designed battery"},
		{"where that does not parse", `where = 'family == "cup"'`, `where = 'family = "cup"'`, "small.toml:5: key battery.where: column 8: = is not an operator: compare with =="},
		{"where with an unknown feature", `where = 'family == "cup"'`, `where = 'famly == "cup"'`, "small.toml:5: key battery.where: column 1: unknown name famly: did you mean family?"},
		{"where that leaves nothing", `where = 'family == "cup"'`, `where = 'family == "cups"'`, "small.toml:3: key battery: no item is left"},
		{"complete with an unknown feature", `sample = 40`, `complete = ["goalsize"]`, "small.toml:6: key battery.complete: unknown feature goalsize: did you mean goalSize?"},
		{"maximum of 0", `memory = 4.8`, `memory = 0`, "small.toml:12: key scale.memory: want the capability's maximum, a number above 0, not 0"},
		{"rule that does not parse", `"lava == 1"`, `"lava == "`, "small.toml:20: key agent[0].rule[0].if: column"},
		{"rule with an unknown feature", `"lava == 1"`, `"lavva == 1"`, "small.toml:20: key agent[0].rule[0].if: agent one: column 1: unknown feature lavva: did you mean lava?"},
		{"rule that is no probability", `p = "goalSize/5"`, `p = "goalSize"`, "small.toml:31: key agent[1].rule[0].p: agent two: item OP-"},
		{"rule without probability", `{ p = 1 }`, `{ if = "lava == 0" }`, "small.toml:21: key agent[0].rule[1].p: is missing: the probability of success"},
		{"rules that leave an item", `  { p = 1 },`, ``, "small.toml:17: key agent[0]: agent one: item OP-"},
		{"no rule", "[[agent.rule]]\np = \"goalSize/5\"", ``, "small.toml:28: key agent[1]: has no rule, body, command, solver, kind, copies: add for instance rule = [{ p = 0.5 }]"},
		{"rules that are no list", `rule = [{ p = "pass" }]`, `rule = "pass"`, `small.toml:35: key population[0].rule: want a list of tables, not the text "pass"`},
		{"unknown family", `"achilles-heel"`, `"achilles"`, `small.toml:24: key agent[0].truth.family: "achilles" is not one of capable, nonspecific, achilles-heel`},
		{"group of all", `["included"]`, `["overall"]`, `small.toml:26: key agent[0].truth.groups: a group cannot be called "overall"`},
		{"groups that are no texts", `["included"]`, `[1]`, `small.toml:26: key agent[0].truth.groups: want a list of texts, such as ["a", "b"], not [1]`},
		{"capability without maximum", `{ lava = 0.2, memory = 1 }`, `{ lavva = 0.2 }`, "small.toml:27: key agent[0].truth.capability.lavva: no maximum in scale: did you mean lava?"},
		{"capability above its maximum", `{ lava = 0.2, memory = 1 }`, `{ lava = 2 }`, "small.toml:27: key agent[0].truth.capability.lava: want the fraction of its maximum, 0 to 1, not 2"},
		{"same name twice", `name = "two"`, `name = "one"`, `small.toml:29: key agent[1].name: "one" is the name of agent[0] too`},
		{"member with an agent's name", "[[population]]", "[[agent]]\nname = \"some-002\"\nrule = [{ p = 1 }]\n[[population]]", `small.toml:36: key population[0].name: its member some-002 has the name of another subject`},
		{"no count", `count = 3`, ``, "small.toml:32: key population[0].count: is missing: how many subjects to draw"},
		{"unknown distribution", `"beta(2, 2)"`, `"betta(2, 2)"`, "small.toml:37: key population[0].parameters.pass: column 1: unknown distribution betta: did you mean beta?"},
		{"parameter that is no name", `pass = "beta(2, 2)"`, "pass = \"beta(2, 2)\"\n\"a b\" = 1", `small.toml:38: key population[0].parameters."a b": "a b" is not a name that an expression can mention`},
		{"parameter named like a feature", "\"pass\" }]\n[population.parameters]", "\"lava\" }]\n[population.parameters]\nlava = 1", "small.toml:35: key population[0].rule[0].p: agent some-001: column 1: lava is a parameter and a feature: rename"},
		{"truth outside 0 to 1", `memory = "pass"`, `memory = "1 + pass"`, "small.toml:39: key population[0].truth.capability.memory: subject some-001: 1."},
		{"truths without an end", "[population.truth.capability]", "[[population.truth]]\nif = \"pass > 1\"\n[population.truth.capability]", "small.toml:38: key population[0].truth: subject some-001: no truth applies: end with a truth that has no if"},
		{"unknown parameter in one of several truths", "[population.truth.capability]", "[[population.truth]]\nif = \"pass > 1\"\n[[population.truth]]\nif = \"past > 0\"\n[population.truth.capability]", "small.toml:41: key population[0].truth[1].if: column 6: unknown parameter past: did you mean pass?"},
		{"condition of the only truth", "[population.truth.capability]", "[population.truth]\nif = \"pass > 1\"\n[population.truth.capability]", "small.toml:39: key population[0].truth.if: unknown key"},
		{"parameter of no truth", "[population.truth.capability]", "[population.truth]\nreason = \"passes {pas}\"\n[population.truth.capability]", "small.toml:39: key population[0].truth.reason: {pas}: unknown parameter: did you mean pass?"},
		{"published value of nobody", `one = {`, `nobody = {`, `small.toml:45: key published.prediction.nobody: no agent is called "nobody"`},
		{"published verdict of nobody", "[published.profile]", "[published.classification]\ntoo = { decision = \"able\" }\n[published.profile]", `small.toml:47: key published.classification.too: no agent is called "too": did you mean two?`},
		{"unknown word of a verdict", "[published.profile]", "[published.classification]\ntwo = { decided = \"able\" }\n[published.profile]", `small.toml:47: key published.classification.two.decided: unknown key`},
		{"unknown grade", `brier_aggregate`, `brierAggregate`, "small.toml:45: key published.prediction.one.brierAggregate: unknown key: write brier_aggregate"},
		{"no moments", `[4, 0.5]`, `[4]`, "small.toml:47: key published.profile.two.memory: want [mean, sd] with a standard deviation of 0 or more, not [4]"},
		{"no source", `source = "a paper"`, ``, "small.toml:40: key published.source: is missing"},
	} {
		text := strings.Replace(small, c.from, c.to, 1)
		if text == small {
			t.Fatalf("%s: %q is not in the text", c.why, c.from)
		}
		errs := scenario.Check(t.Context(), "small.toml", text)
		if len(errs) == 0 {
			t.Errorf("%s: no error, want %q", c.why, c.want)
			continue
		}
		if got := errs[0].Error(); !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: error is\n\t%s\nwant\n\t%s", c.why, got, c.want)
		}
	}
}

// TestCheckReportsAll checks that all faults are found at once, those that a reader of [inference] finds among them.
func TestCheckReportsAll(t *testing.T) {
	read := func(section *conf.Table, watched bool) {
		if section.Skip("layout", "chains"); watched || section.Whole("draws", 0, 1, 9) != 0 {
			t.Error("the section is not as it is written")
		}
	}
	text := strings.NewReplacer(`seed = 5`, `sed = 5`, `draws = 500`, `draws = 0`, `count = 3`, `count = -1`).Replace(small)
	var lines []string
	for _, err := range scenario.Check(t.Context(), "f", text, read) {
		lines = append(lines, strings.SplitN(err.Error(), ": ", 2)[0])
	}
	if got := strings.Join(lines, " "); got != "f:2 f:16 f:34" {
		t.Errorf("faults are on %s, want f:2 f:16 f:34, in the order of the file", got)
	}
}

func TestEmptyScenario(t *testing.T) {
	for text, want := range map[string]string{
		"": "f: key name: is missing: what the scenario is called",
		"name = \"x\"\n[battery]\nsuite = \"ctest\"\n[[population]]\nname = \"p\"\ncount = 0\nrule = [{ p = 1 }]": "f:6: key population[0].count: no population has a subject: want a count of at least 1",
		"name = \"x\"": "f: has no subject: add an [[agent]] or a [[population]], or [bib] for episodes to watch",
	} {
		if _, err := scenario.Parse("f", text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// drawn is a scenario whose subjects and items a layout draws.
const drawn = `name = "drawn"
[battery]
layout = "2pl"
items = 3
subjects = 2
[inference]
layout = "2pl"
`

func TestDrawnBattery(t *testing.T) {
	if errs := scenario.Check(t.Context(), "f", drawn); len(errs) > 0 {
		t.Fatal(errs)
	}
	s, err := scenario.Parse("f", drawn)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.MakeBattery(t.Context(), 1, 1)
	if err != nil || b.Items.Len() != 3 || b.Items.Name(2) != "item-003" || len(b.Schema) != 0 {
		t.Errorf("the battery is %+v (%v)", b, err)
	}
	if err := b.Check(t.Context(), 2); err != nil {
		t.Error(err)
	}
	specs, err := s.Subjects(1)
	if err != nil || len(specs) != 2 || specs[1].Name != "subject-002" {
		t.Errorf("subjects are %+v (%v)", specs, err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"items = 3", "", "f:2: key battery.items: is missing: how many items to draw"},
		{"items = 3", "items = 0", "f:4: key battery.items: want a whole number from 1 to 1000000"},
		{"subjects = 2", "", "f:2: key battery.subjects: is missing: how many subjects to draw"},
		{"subjects = 2", "subjects = 1000000", "f:5: key battery.subjects: want a whole number from 1 to 100000"},
		{"items = 3\nsubjects = 2", "items = 1000000\nsubjects = 1001", "f:4: key battery.items: 1000000 items for each of 1001 subjects are 1001000000 responses: want at most 1000000000"},
		{`layout = "2pl"`, "layout = 2", "f:3: key battery.layout: want a text in quotes, not 2"},
		{"items = 3", "items = 3\nwhere = \"a == 1\"", "f:5: key battery.where: unknown key"},
		{"items = 3", "items = 3\nsuite = \"ctest\"\ncoding = \"published\"", "f:4: key battery.items: coding published has no items to choose"},
		{"[inference]", "[scale]\nability = 2\n[inference]", "f:6: key scale: the subjects are drawn from layout 2pl: remove it"},
		{"[inference]", "[[agent]]\nname = \"a\"\nrule = [{ p = 1 }]\n[inference]", "f:6: key agent: the subjects are drawn from layout 2pl: remove it"},
		{`layout = "2pl"`, "", "f: has no subject: add an [[agent]]"},
	} {
		errs := scenario.Check(t.Context(), "f", strings.Replace(drawn, c.from, c.to, 1))
		if len(errs) == 0 || !strings.HasPrefix(errs[0].Error(), c.want) {
			t.Errorf("%s → %s: errors %v, want %s", c.from, c.to, errs, c.want)
		}
	}
}

func TestDesignedBattery(t *testing.T) {
	design := strings.Replace(small, `coding = "released"`, `coding = "design"`, 1)
	design = strings.Replace(design, "sample = 40", "items = 90\nlevels = { goalSize = [1, 2], family = [\"cup\"] }", 1)
	s, err := scenario.Parse("f", design)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.MakeBattery(t.Context(), 3, 1)
	if err != nil || b.Items.Len() != 90 {
		t.Fatalf("%d items (%v), want 90", b.Items.Len(), err)
	}
	for from, want := range map[string]string{
		"[1, 2]":     "f:7: key battery.levels: factor goalSize: level 9 is outside 0.5 to 5",
		`["cup"]`:    "f:7: key battery.levels.family: want a list of levels",
		"goalSize":   "f:7: key battery.levels: goalsize is not a factor of the design: did you mean goalSize?",
		"items = 90": "f:6: key battery.items: want a whole number from 0 to 1000000",
	} {
		to := map[string]string{"[1, 2]": "[1, 9]", `["cup"]`: `"cup"`, "goalSize": "goalsize", "items = 90": "items = -1"}[from]
		errs := scenario.Check(t.Context(), "f", strings.Replace(design, from, to, 1))
		if len(errs) == 0 || !strings.HasPrefix(errs[0].Error(), want) {
			t.Errorf("%s → %s: errors %v, want %s", from, to, errs, want)
		}
	}
}

// TestCompleteOnTheCorrectedCoding checks that `complete` leaves the items that have a value of each feature that the
// rules use.
func TestCompleteOnTheCorrectedCoding(t *testing.T) {
	text := strings.Replace(small, `coding = "released"`, `coding = "corrected"`, 1)
	text = strings.Replace(text, `where = 'family == "cup"'`, `where = 'family == "basic"'`, 1)
	errs := scenario.Check(t.Context(), "f", text)
	if len(errs) == 0 || !strings.Contains(errs[0].Error(), "the item has no lava") {
		t.Errorf("errors %v do not say what the basic items lack", errs)
	}
	text = strings.Replace(text, `sample = 40`, `complete = ["lava", "goalSize"]`, 1)
	if errs := scenario.Check(t.Context(), "f", text); len(errs) > 0 {
		t.Errorf("complete does not help: %v", errs)
	}
	s, _ := scenario.Parse("f", text)
	if b, err := s.MakeBattery(t.Context(), 1, 1); err != nil || b.Items.Len() != 162 {
		t.Errorf("%d basic items are complete (%v), want 162", b.Items.Len(), err)
	}
}
