package documents_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"achilles/agents/external/chat/chattest"
	"achilles/render/cli/clitest"
	"achilles/sim/longtest"
)

// word matches an argument of a command line, which may have quotes in it.
var word = regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`)

var commandLine = regexp.MustCompile(`(?m)^\s*(achilles [a-z].*|go run \. .*)$`)

// commandLines returns the commands of achilles in the code blocks of a document.
func commandLines(text string) (lines []string) {
	for i, block := range strings.Split(text, "```") {
		if i%2 == 1 {
			for _, m := range commandLine.FindAllStringSubmatch(block, -1) {
				line, _, _ := strings.Cut(m[1], " #")
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	return lines
}

// A size says how large the commands of the documents are in a test.
type size struct {
	sampling []string            // flags of run and infer
	settings map[string][]string // settings by scenario; "" stands for all others
	flags    map[string][]string // further flags by the first two words of a command
}

// long is the size in the long suite, where bodies and worlds are enough for those that the documents name; short is the
// size elsewhere.
var (
	long = size{
		sampling: []string{"--draws", "150", "--warmup", "100"},
		settings: map[string][]string{"": {"battery.sample=60"}, "bib": {"episodes=1"}, "false-belief": {"episodes=1"}, "2pl": {"battery.items=6", "battery.subjects=8"},
			"embodied": {"battery.items=120", "population[0].count=15"}},
	}
	short = size{
		sampling: []string{"--draws", "100", "--warmup", "50"},
		settings: map[string][]string{"": {"battery.sample=20"}, "bib": {"episodes=1", `bib.tasks=["preference", "efficiency_irrational", "instrumental_blocking_barrier"]`}, "false-belief": {"episodes=1"}, "2pl": {"battery.items=6", "battery.subjects=8"},
			"embodied": {"battery.items=20", "population[0].count=3"}, "op-burden": {"battery.sample=6"}, "op-design": {"battery.sample=20", "population[0].count=3"},
			"ctest": {"battery.sample=8", "population[1].count=1"}},
		flags: map[string][]string{"export gif": {"--width", "240", "--height", "200"}, "design op-burden": {"--items", "20", "--runs", "0"}, "layouts calibrate": {"--replications", "20"}},
	}
)

// named stands for the bodies and worlds that the documents name, where there are few.
var named = strings.NewReplacer("body-015", "body-003", "body-007", "body-003", "worlds-000115", "worlds-000015")

// quick returns the arguments of a command line of the documents, changed so that the command has fewer items, subjects
// and draws and is quick enough for a test. In the long suite it has more of them, and starts the programs that it names.
func quick(t *testing.T, line string) []string {
	t.Helper()
	line = strings.Replace(line, "go run . ", "achilles ", 1)
	by := long
	if !longtest.On() {
		by, line = short, named.Replace(line)
	}
	line = programs(t, line)
	args := word.FindAllString(line, -1)[1:]
	for i, a := range args {
		if strings.HasPrefix(a, "'") {
			args[i] = strings.Trim(a, "'")
		} else {
			args[i] = strings.ReplaceAll(a, `"`, "")
		}
	}
	args = append(args, by.flags[strings.Join(args[:min(2, len(args))], " ")]...)
	switch args[0] {
	case "run", "generate":
		return by.made(args)
	case "infer":
		if slices.Contains(args, "--layout") { // else observers watch
			if !slices.Contains(args, "results/again") && !slices.Contains(args, "--prior-from") { // whose demands are asked for later, or parameters carried over
				args = append(args, "--layout", "constant")
			}
			args = append(args, by.sampling...)
		}
	case "analyse":
		if slices.Contains(args, "models.toml") { // the next commands of this document draw figures of abilities
			return append(args, "--config", "abilities.toml")
		}
		if slices.Contains(args, "abilities") { // graded by the next command
			return args
		}
		return append(args, "--config", "few.toml")
	case "layouts":
		if args[1] == "check" && len(args) > 3 && !longtest.On() { // simulates subjects
			args = append(args, "--subjects", "2")
		}
	case "export":
		if args[1] == "figure" && args[2] == "recovery" {
			args[2] = "profiles" // the layout of these tests has no capability to recover
		}
		if args[1] == "figure" && args[2] == "size" { // likewise; this figure takes two directories, profiles one
			args = slices.Delete(slices.Replace(args, 2, 3, "profiles"), 4, 5)
		}
	}
	return args
}

// programs returns a text in which this test stands for the Python programs, unless the long suite starts them.
func programs(t *testing.T, text string) string {
	t.Helper()
	const model = "http://127.0.0.1:8080/v1"
	if strings.Contains(text, model) {
		s := chattest.NewServer(t, func(*chattest.Request) chattest.Answer { return chattest.Answer{Content: `{"action": "forward"}`} })
		text = strings.ReplaceAll(text, model, s.Address)
	}
	if python, err := exec.LookPath("/usr/bin/python3"); longtest.On() && err == nil { // one that needs nothing of a home
		return strings.ReplaceAll(text, "python3", python)
	}
	return strings.ReplaceAll(text, "python3", clitest.Program(t))
}

// made returns the arguments of run or generate with those that make it quick.
func (s *size) made(args []string) []string {
	name := scenarioOf(args)
	settings, ok := s.settings[name]
	if !ok {
		settings = s.settings[""]
	}
	if slices.Contains(args, "coding=generated") { // its series are searched for, which takes long
		settings = []string{"battery.items=3", "population[1].count=1"}
	}
	if args[0] == "run" && name != "bib" && name != "false-belief" {
		if !slices.Contains(args, "--candidates") && name != "2pl" && name != "embodied" {
			args = append(args, "--candidates", "none") // fitting a bank takes long; TestBank tests banks
		}
		if name != "2pl" { // its figures are of what its own layout drew
			args = append(args, "--layout", "constant")
		}
		args = append(args, s.sampling...)
	}
	for _, x := range settings {
		if key, _, _ := strings.Cut(x, "="); key == "bib.tasks" && strings.Contains(strings.Join(args, " "), key) {
			continue // the command chooses them
		}
		args = append(args, "--set", x)
	}
	return args
}

// scenarioOf returns the name or file of the scenario that run or generate makes.
func scenarioOf(args []string) string {
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		return args[1]
	}
	return "quickstart"
}

// fewItems returns further arguments for play: it reads keys from the standard input, which has none in a test, and
// makes few items.
func fewItems(args []string) []string {
	switch args[1] {
	case "ctest":
		return []string{"--text"}
	case "embodied":
		return []string{"--text", "--set", "battery.items=16", "--set", "population[0].count=2"}
	}
	return []string{"--text", "--set", "battery.items=16"}
}
