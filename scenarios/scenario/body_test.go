package scenario_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"achilles/agents/embodied"
	"achilles/gridworld/policy"
	"achilles/scenarios/scenario"
)

// acting is a scenario with every kind of subject that acts. Each of the tests below spoils one line of
// it.
const acting = `name = "acting"
[battery]
coding = "worlds"
items = 12
[responses]
trajectories = false
[scale]
memory = 4.8
[[agent]]
name = "one"
[agent.body]
memory = 1.2
goal = "reward"
lost = "guess"
[[agent]]
name = "two"
body = [
  { if = 'family == "cup"', noise = "0.5*0.5" },
  { goal = "last-seen" },
]
[[agent]]
name = "program"
command = ["python3", "agent.py"]
timeout = 2.5
[[population]]
name = "some"
count = 3
[population.parameters]
m = "uniform(0, 4.8)"
[population.body]
memory = "m"
fieldOfView = "60 + 10"
[population.truth.capability]
memory = "m/4.8"
`

func TestParseActing(t *testing.T) {
	s, err := scenario.Parse("acting.toml", acting)
	if err != nil {
		t.Fatal(err)
	}
	specs, err := s.Subjects(1)
	if err != nil || s.Trajectories {
		t.Fatalf("trajectories %v (%v)", s.Trajectories, err)
	}
	one, two, program, sampled := specs[0], specs[1], specs[2], specs[4]
	if b := one.Body; len(b) != 1 || b[0].If != "" || b[0].Trait["memory"] != 1.2 || b[0].Goal != policy.Reward || b[0].Fallback != policy.GuessPlace {
		t.Errorf("one is %+v", b)
	}
	if b := two.Body; len(b) != 2 || b[0].If != `family == "cup"` || b[0].Trait["noise"] != 0.25 || b[0].Goal != "" || b[1].Goal != policy.LastSeen {
		t.Errorf("two is %+v", b)
	}
	if len(program.Command) != 2 || program.Command[1] != "agent.py" || program.Timeout != 2.5 {
		t.Errorf("program is %+v", program)
	}
	if b := sampled.Body; len(b) != 1 || b[0].Trait["memory"] != sampled.Parameter["m"] || b[0].Trait["fieldOfView"] != 70 || sampled.Truth.Capability["memory"] != sampled.Parameter["m"]/4.8 {
		t.Errorf("some-002 is %+v with %v", b, sampled.Parameter)
	}
	if errs := scenario.Check(t.Context(), "acting.toml", acting); len(errs) > 0 {
		t.Errorf("it does not fit together: %v", errs)
	}
}

// TestBadBodies checks that each fault gives one line with file, line, key and what would be right.
func TestBadBodies(t *testing.T) {
	for _, c := range []struct{ why, from, to, want string }{
		{"unknown trait", "memory = 1.2", "memry = 1.2", "acting.toml:12: key agent[0].body.memry: unknown key: did you mean memory?"},
		{"trait out of range", `noise = "0.5*0.5"`, "noise = 1.5", "acting.toml:18: key agent[1].body[0].noise: want a number from 0 to 1, not 1.5"},
		{"trait of the wrong type", "memory = 1.2", "memory = true", "acting.toml:12: key agent[0].body.memory: want a number or an expression in quotes, not true"},
		{"trait with a parameter", "memory = 1.2", `memory = "m"`, "acting.toml:12: key agent[0].body.memory: column 1: unknown parameter m"},
		{"unknown goal", `goal = "reward"`, `goal = "rewrad"`, `acting.toml:13: key agent[0].body.goal: "rewrad" is not one of "reward", "oracle"`},
		{"unknown way to be lost", `lost = "guess"`, `lost = "gess"`, `acting.toml:14: key agent[0].body.lost: "gess" is not one of "stay", "guess", "search": did you mean guess?`},
		{"condition that does not parse", `family == "cup"`, `family = "cup"`, "acting.toml:18: key agent[1].body[0].if: column 8: = is not an operator"},
		{"condition with an unknown feature", `family == "cup"`, `famly == "cup"`, "acting.toml:18: key agent[1].body[0].if: agent two: column 1: unknown feature famly: did you mean family?"},
		{"condition that is a number", `family == "cup"`, `lava`, "acting.toml:18: key agent[1].body[0].if: agent two: column 1: lava is a number: compare it with something"},
		{"items that no body takes", `{ goal = "last-seen" }`, `{ if = 'family == "grid"' }`, "acting.toml:15: key agent[1]: agent two: item worlds-0000"},
		{"neither rule nor body", "[agent.body]\nmemory = 1.2\ngoal = \"reward\"\nlost = \"guess\"", "", "acting.toml:9: key agent[0]: has no rule, body, command, solver, kind, copies: add for instance rule"},
		{"rule and body", `command = [`, "rule = [{ p = 1 }]\ncommand = [", "acting.toml:24: key agent[2].command: the subject has a rule already: it responds by one of rule, body, command"},
		{"a command for a population", `[population.body]`, "command = [\"a\"]\n[population.body]", "key population[0].parameters.command: want a number or an expression in quotes, not [\"a\"]"},
		{"empty command", `command = ["python3", "agent.py"]`, `command = []`, "acting.toml:23: key agent[2].command: want a program with its arguments"},
		{"command that is a text", `command = ["python3", "agent.py"]`, `command = "python3 agent.py"`, "acting.toml:23: key agent[2].command: want a list of texts"},
		{"no time", `timeout = 2.5`, `timeout = 0`, "acting.toml:24: key agent[2].timeout: want seconds above 0, at most 3600, not 0"},
		{"time for nobody", `lost = "guess"`, "lost = \"guess\"\n[[agent]]\nname = \"x\"\nrule = [{ p = 1 }]\ntimeout = 2", "acting.toml:18: key agent[1].timeout: is how long a command may take over an answer: there is no command"},
		{"trait of a population out of range", `fieldOfView = "60 + 10"`, `fieldOfView = "600"`, "acting.toml:32: key population[0].body.fieldOfView: subject some-001: want a number from 1 to 180, not 600"},
		{"trait of a population with a stranger", `memory = "m"`, `memory = "n"`, "acting.toml:31: key population[0].body.memory: subject some-001: column 1: unknown parameter n: did you mean m?"},
		{"a battery without worlds", `coding = "worlds"`, `coding = "design"`, `acting.toml:9: key agent[0]: one acts, and item design-000001 has no world to act in: choose a battery of worlds, such as coding = "worlds"`},
		{"learning without an asymptote", "memory = 1.2", "memory = 1.2\nlearns = \"memory\"\nrate = 0.1", "acting.toml:11: key agent[0].body.asymptote: is missing: the trait memory changes from trial to trial"},
		{"an asymptote of nothing", "memory = 1.2", "memory = 1.2\nasymptote = 3", "acting.toml:13: key agent[0].body.asymptote: is how a trait changes from trial to trial: say which one"},
		{"a list of what changes", "memory = 1.2", "memory = 1.2\nlearns = [\"memory\"]", "acting.toml:13: key agent[0].body.learns: several traits change, each with its own asymptote and rate: learns = { memory"},
		{"a trait by the position", "memory = 1.2", "memory = \"4 - position/100\"", "acting.toml:12: key agent[0].body.memory: position changes from trial to trial, and this is one number: say learns"},
		{"an unknown trait to learn", "memory = 1.2", "memory = 1.2\nlearns = \"memry\"\nasymptote = 3\nrate = 0.1", "acting.toml:13: key agent[0].body.learns: unknown trait: did you mean memory?"},
		{"learning backwards", "memory = 1.2", "memory = 1.2\nlearns = \"memory\"\nasymptote = 3\nrate = -1", "acting.toml:15: key agent[0].body.rate: want a number from 0, not -1"},
		{"an unknown parameter of learning", `memory = "m"`, "memory = \"m\"\nlearns = \"memory\"\nasymptote = \"a\"\nrate = 0.1", "acting.toml:33: key population[0].body.asymptote: subject some-001: column 1: unknown parameter a"},
		{"several traits that learn, one without a rate", "memory = 1.2", "memory = 1.2\nlearns = { memory = { asymptote = 3, rate = 0.1 }, slip = { asymptote = 0.1 } }", "key agent[0].body.learns.slip.rate: is missing: the trait slip changes"},
		{"several traits that learn, one out of range", "memory = 1.2", "memory = 1.2\nlearns = { memory = { asymptote = 3, rate = 0.1 }, slip = { asymptote = 2, rate = 0.1 } }", "key agent[0].body.learns.slip.asymptote: want a number from 0 to 1, as slip is, not 2"},
		{"one rate for several traits", "memory = 1.2", "memory = 1.2\nrate = 1\nlearns = { memory = { asymptote = 3, rate = 0.1 } }", "key agent[0].body.rate: several traits change, each with its own"},
		{"condition with a name of nothing", `family == "cup"`, `fatigue > 3`, "unknown feature fatigue: a condition of a body may name features of the items, parameters, and position, coin, passed, before"},
		{"a copy of a stranger", "timeout = 2.5", "timeout = 2.5\n[[agent]]\nname = \"c\"\ncopies = \"onee\"", "key agent[3].copies: no subject is called onee: did you mean one?"},
		{"a copy of a population", "timeout = 2.5", "timeout = 2.5\n[[agent]]\nname = \"c\"\ncopies = \"some\"", "key agent[3].copies: some is a population: copy one of its subjects, such as some-001"},
		{"a copy of itself", "timeout = 2.5", "timeout = 2.5\n[[agent]]\nname = \"c\"\ncopies = \"c\"", "key agent[3].copies: c copies itself: name another subject"},
		{"a copy of nobody", "timeout = 2.5", "timeout = 2.5\n[[agent]]\nname = \"cc\"\ncopies = \"c\"", "key agent[3].copies: no subject is called c: there are one, two, program, some-001"},
		{"a mixture by weights", "memory = 1.2", "memory = 1.2\nweight = 0.5", "acting.toml:13: key agent[0].body.weight: unknown key: a list of bodies mixes trial by trial: body = [{ if = \"coin < 0.3\""},
		{"a switch", "memory = 1.2", "memory = 1.2\nswitch-at = 200", "acting.toml:13: key agent[0].body.switch-at: unknown key: a list of bodies changes at a trial: body = [{ if = \"position > 200\""},
		{"sudden fatigue", "memory = 1.2", "memory = 1.2\nfatigue = 0.5", "acting.toml:13: key agent[0].body.fatigue: unknown key: tiring is sudden by"},
		{"what is avoided", "memory = 1.2", "memory = 1.2\navoids = \"last-seen\"", "acting.toml:13: key agent[0].body.avoids: unknown key: goal = \"avoid\" goes to"},
		{"win-stay, lose-shift", `goal = "reward"`, `goal = "win-stay, lose-shift"`, "key agent[0].body.goal: \"win-stay, lose-shift\" is not a goal: who stays after passing and shifts after failing is body"},
		{"a mixture of an agent", "timeout = 2.5", "timeout = 2.5\nmixture = [0.5]", "key agent[2].mixture: unknown key: a list of bodies mixes"},
		{"a copy of a program", "timeout = 2.5", "timeout = 2.5\n[[agent]]\nname = \"c\"\ncopies = \"program\"", "key agent[3].copies: program has no rule and no body"},
		{"a copy that has a body", "timeout = 2.5", "timeout = 2.5\n[[agent]]\nname = \"c\"\ncopies = \"one\"\nbody = {}", "key agent[3].copies: the subject has a body already"},
		{"trajectories that are no flag", "trajectories = false", "trajectories = 0", "acting.toml:6: key responses.trajectories: want true or false, not 0"},
	} {
		text := strings.Replace(acting, c.from, c.to, 1)
		if text == acting {
			t.Fatalf("%s: %q is not in the text", c.why, c.from)
		}
		errs := scenario.Check(t.Context(), "acting.toml", text)
		if len(errs) == 0 || !strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("%s: errors %v, want %q", c.why, errs, c.want)
		}
		if (c.why == "unknown goal" || c.why == "unknown way to be lost") && len(errs) != 1 {
			t.Errorf("%s: errors %v, want one", c.why, errs)
		}
	}
}

// TestDocumentedBodies checks that every scenario of the manuals fits its battery, and that the manuals name every
// trait, goal, fallback and cause.
func TestDocumentedBodies(t *testing.T) {
	for _, name := range []string{"theory/embodied", "reference/protocol"} {
		data, err := os.ReadFile("../../docs/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		blocks := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(text, -1)
		if len(blocks) == 0 {
			t.Errorf("docs/%s.md has no scenario", name)
		}
		for _, b := range blocks {
			for _, err := range scenario.Check(t.Context(), "docs", b[1]) {
				t.Errorf("docs/%s.md: %v in\n%s", name, err, b[1])
			}
		}
		if name != "theory/embodied" {
			continue
		}
		var words []string
		for _, trait := range embodied.Traits() {
			words = append(words, trait.Name)
		}
		for _, g := range embodied.Goals() {
			words = append(words, string(g))
		}
		for _, l := range embodied.Fallbacks() {
			words = append(words, string(l))
		}
		for c := policy.NotSeen; c <= policy.TimeOut; c++ {
			words = append(words, c.String())
		}
		for _, w := range words {
			if !strings.Contains(text, "`"+w+"`") {
				t.Errorf("docs/theory/embodied.md does not mention %s", w)
			}
		}
	}
}
