package cli_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/cryptotest"

	"achilles/render/cli/clitest"
)

// answeredScenario returns the text of a small scenario with the given name and section inference.
func answeredScenario(name, inference string) []byte {
	return []byte("name = \"" + name + "\"\n[battery]\nsample = 20\n[[agent]]\nname = \"one\"\n[[agent.rule]]\np = 0.5\n[inference]\n" + inference + "\n")
}

// TestCheckFindsAll checks that scenarios check finds faults of the section inference that would stop a run only after
// the battery was generated.
func TestCheckFindsAll(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "scenario.toml")
	short := filepath.Join(dir, "5-trials.toml")
	write(t, short, []byte(`name = "5-trials"
[metafeature]
trial = { column = "position", range = [1, 5] }
[capability]
start = { prior = "normal(0, 1)" }
gain = { prior = "normal(0, 1)" }
[response.success]
p = "logistic(start + gain*trial)"
`))
	for _, c := range []struct{ inference, want string }{
		{`layout = "opp"`, `no layout is called "opp"`},
		{`layout = "embodied"`, "scenario.toml: section inference: "},
		{"layout = \"op\"\ncandidates = \"shortcutz\"", "shortcutz"},
		{"layout = \"op\"\nchains = 1", "key inference.chains"},
		{"layout = \"op\"\ndraws = 10", "scenario.toml:10: key inference.draws: want a whole number from 100 to 10000000, not 10"},
		{"layout = \"op\"\nchains = 1000\ndraws = 100000", "at most 10000000 draws of all chains together"},
		{"layout = \"op\"\nengine = \"nut\"", "key inference.engine"},
		{`layout = 1979-05-27`, "scenario.toml:9: key inference.layout: want a text in quotes, not a date"},
		{"layout = \"op\"\nchains = { n = 4 }", "scenario.toml:10: key inference.chains: want a whole number from 2 to 1000, not a table"},
		{"layout = \"op\"\ndraw = 100", "scenario.toml:10: key inference.draw: unknown key: did you mean draws?"},
		{"layout = \"op\"\nmoments = 3", "scenario.toml:10: key inference.moments: unknown key"},
		{"layout = \"op\"\njobs = 2", "scenario.toml:10: key inference.jobs: unknown key"},
		{"layout = \"op\"\nengine = \"marginal\"", "layout op: engine marginal is for joint fits of all subjects"},
		{"layout = \"rasch\"\nengine = \"marginal\"", "layout rasch: engine marginal sums over binary parameters, and this layout has none; rerun with --engine nuts"},
		{"layout = \"2pl\"\nengine = \"tempered\"", "layout 2pl: engine tempered is for layouts that fit subjects separately; this layout needs a joint fit: choose nuts or laplace or mml"},
		{"layout = \"lltm\"\nengine = \"tempered\"", "this layout needs a joint fit: choose nuts or laplace"},
		{"layout = \"dina\"\nengine = \"mml\"", "by engine mml; rerun with --engine marginal"},
		{`layout = "op"`, ""},
		{"layout = \"op\"\n[responses]\nheld_out = 0\n[adaptive]\nitems = 5", "key adaptive: layout op uses the mean of the responses"},
		{"layout = \"op-fixed\"\n[responses]\nheld_out = 0\n[adaptive]\nitems = 5", ""},
		{"layout = \"" + short + "\"\n[responses]\nheld_out = 0\n[adaptive]\nitems = 5", ""},
		{"layout = \"" + short + "\"\n[responses]\nheld_out = 0\n[adaptive]\nitems = 6", "outside the declared range 1 to 5"},
	} {
		write(t, file, answeredScenario("mine", c.inference))
		code, _, stderr := achilles(t, "scenarios", "check", file)
		if c.want == "" && code != 0 || c.want != "" && (code != 1 || !strings.Contains(stderr, c.want)) {
			t.Errorf("%s: exit %d, %s", c.inference, code, stderr)
		}
	}
}

// TestCheckStartsPrograms checks that scenarios check accepts an agent whose program can be started, and no other.
func TestCheckStartsPrograms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program.toml")
	for _, c := range []struct{ program, want string }{{clitest.Program(t), ""}, {"/no/such/program", "cannot start /no/such/program"}} {
		for _, battery := range []string{"suite = \"opiaagets\"\ncoding = \"worlds\"\nitems = 8", `suite = "ctest"`} {
			write(t, file, []byte("name = \"p\"\n[battery]\n"+battery+"\n[[agent]]\nname = \"mine\"\ncommand = [\""+c.program+"\", \"agent.py\"]\n"))
			code, _, stderr := achilles(t, "scenarios", "check", file)
			if c.want == "" && code != 0 || c.want != "" && (code != 1 || !strings.Contains(stderr, c.want)) {
				t.Errorf("%s, %s: exit %d, %s", c.program, battery, code, stderr)
			}
		}
	}
}

// TestMendedScenario checks that a fault in the section inference can be mended: the same run command then goes on with
// the responses that were generated, also if their seed was drawn. If the section is changed after an inference, the
// command fails.
func TestMendedScenario(t *testing.T) {
	cryptotest.SetGlobalRandom(t, 1)
	for _, seed := range []string{"1", "drawn"} {
		dir := t.TempDir()
		file, r := filepath.Join(dir, "scenario.toml"), filepath.Join(dir, "r")
		args := []string{"run", file, "--out", r, "--seed", seed}
		write(t, file, answeredScenario("mine", "layout = \"embodied\"\ndraws = 100\nwarmup = 50"))
		if code, _, stderr := achilles(t, args...); code != 1 || strings.Contains(stderr, "exists already") {
			t.Fatalf("seed %s: a layout that does not fit: exit %d, %s", seed, code, stderr)
		}
		before := read(t, filepath.Join(r, "public", "responses.parquet"))
		write(t, file, answeredScenario("mine", "layout = \"constant\"\ndraws = 100\nwarmup = 50"))
		must(t, args...)
		if string(before) != string(read(t, filepath.Join(r, "public", "responses.parquet"))) {
			t.Errorf("seed %s: other responses", seed)
		}
		write(t, file, answeredScenario("mine", "layout = \"constant\"\ndraws = 200\nwarmup = 50"))
		if code, _, stderr := achilles(t, args...); code != 1 || !strings.Contains(stderr, "exists already") {
			t.Errorf("seed %s: another scenario after an inference: exit %d, %s", seed, code, stderr)
		}
	}
}

// TestNamesStayInside checks that scenarios and persons whose names are paths are refused, so that no results directory
// is made outside results/.
func TestNamesStayInside(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"../../evil", "..", "a/b", `a\\b`, ".hidden", "c:evil"} {
		write(t, filepath.Join(dir, "scenario.toml"), answeredScenario(name, `layout = "op"`))
		if code, _, stderr := achilles(t, "generate", "scenario.toml"); code != 1 || !strings.Contains(stderr, "scenario.toml:1: key name: ") || !strings.Contains(stderr, "cannot name a folder") {
			t.Errorf("%s: exit %d, %s", name, code, stderr)
		}
	}
	if code, _, stderr := achilles(t, "play", "embodied", "--text", "--name", "../../../evil"); code != 2 || !strings.Contains(stderr, "cannot name a folder") {
		t.Errorf("a person: exit %d, %s", code, stderr)
	}
	if _, err := os.Stat("results"); err == nil {
		t.Error("something was written")
	}
}

// TestHugeDraws checks that numbers of chains and draws for which no machine has enough memory are refused at once.
func TestHugeDraws(t *testing.T) {
	r := filepath.Join(t.TempDir(), "r")
	must(t, "generate", "quickstart", "--set", "battery.sample=20", "--out", r)
	for _, c := range []struct {
		flags []string
		code  int
		want  string
	}{
		{[]string{"--draws", "1000000000000"}, 2, "to 10000000"},
		{[]string{"--warmup", "1000000000000"}, 2, "to 10000000"},
		{[]string{"--chains", "1000000000000"}, 2, "to 1000"},
		{[]string{"--chains", "9223372036854775807", "--draws", "9223372036854775807"}, 2, "to 1000"},
		{[]string{"--chains", "4", "--draws", "2500001"}, 1, "at most 10000000 draws of all chains together"},
	} {
		if code, _, stderr := achilles(t, append([]string{"infer", r, "--layout", "op"}, c.flags...)...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %s", c.flags, code, stderr)
		}
	}
}

// TestHugeCounts checks that numbers of bins, rows, subjects and the like for which no machine has enough memory are
// refused.
func TestHugeCounts(t *testing.T) {
	dir := t.TempDir()
	r := filepath.Join(dir, "r")
	must(t, "generate", "quickstart", "--set", "battery.sample=20", "--out", r)
	write(t, filepath.Join(dir, "bins.toml"), []byte("[[feature]]\nname = \"goalSize\"\n[feature.binning]\nbins = 2000000000\n"))
	write(t, filepath.Join(dir, "rows.toml"), []byte("[prediction]\nmax_rows = 2000000000\n"))
	var crowd strings.Builder
	crowd.WriteString("name = \"crowd\"\n[battery]\nsuite = \"opiaagets\"\n")
	for _, name := range []string{"a", "b"} {
		crowd.WriteString("[[population]]\nname = \"" + name + "\"\ncount = 60000\n[[population.rule]]\np = 0.5\n")
	}
	write(t, filepath.Join(dir, "crowd.toml"), []byte(crowd.String()))
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "want a whole number from 1 to 100000", []string{"layouts", "check", "op", r, "--subjects", "1000000000000"}},
		{2, "want a whole number from 20 to 100000", []string{"layouts", "calibrate", "constant", r, "--replications", "1000000000000"}},
		{1, "bins.toml:4: key feature[0].binning.bins: want a whole number from 0 to 10000", []string{"analyse", r, "--config", filepath.Join(dir, "bins.toml"), "--out", filepath.Join(dir, "x")}},
		{1, "rows.toml:2: key prediction.max_rows: want a whole number from 100 to 10000000", []string{"analyse", r, "--config", filepath.Join(dir, "rows.toml"), "--out", filepath.Join(dir, "x")}},
		{1, "key responses.repetitions: more than 33554432 responses", []string{"generate", "quickstart", "--set", "responses.repetitions=32767", "--out", filepath.Join(dir, "x")}},
		{1, "crowd.toml:11: key population[1].count: more than 100000 subjects in all", []string{"scenarios", "check", filepath.Join(dir, "crowd.toml")}},
		{1, "key battery.sample: want a whole number from 0 to 1000000", []string{"generate", "quickstart", "--set", "battery.sample=1000000000000", "--out", filepath.Join(dir, "x")}},
		{1, "key bib.episodes: want a whole number from 1 to 999999", []string{"generate", "bib", "--set", "episodes=1000000000000", "--out", filepath.Join(dir, "x")}},
		{2, "at most 8192 × 8192", []string{"export", "png", r, "--item", "i", "--width", "1000000", "--out", filepath.Join(dir, "x.png")}},
	} {
		if code, _, stderr := achilles(t, c.args...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, code, stderr)
		}
	}
}

// TestMazes checks that the capability of navigation is recovered from the tables of docs/examples with the layout
// beside them: ines, whose responses were made with a capability of 30 cells, must get more than 20, and greta, with 6
// cells, less than 15.
func TestMazes(t *testing.T) {
	r := filepath.Join(t.TempDir(), "r")
	example := func(name string) string { return filepath.Join(repository(t), "docs", "examples", name) }
	must(t, "import", "--items", example("maze-items.csv"), "--responses", example("maze-responses.csv"), "--mapping", example("maze.toml"), "--out", r)
	must(t, "infer", r, "--layout", example("maze-layout.toml"), "--draws", "500", "--warmup", "500", "--no-predict")
	must(t, "export", r, "--format", "csv", "--out", filepath.Join(r, "csv"))
	navigation := map[string]float64{}
	for line := range strings.Lines(string(read(t, filepath.Join(r, "csv", "profiles.csv")))) {
		if cells := strings.Split(strings.TrimSpace(line), ","); len(cells) > 2 && cells[1] == "navigation" {
			navigation[cells[0]], _ = strconv.ParseFloat(cells[2], 64)
		}
	}
	if len(navigation) != 10 || navigation["ines"] < 20 || navigation["greta"] > 15 {
		t.Errorf("navigation %v", navigation)
	}
}

// TestCheckClassification checks that layouts check reads what a layout says of classification, as a candidate set would.
func TestCheckClassification(t *testing.T) {
	file := filepath.Join(t.TempDir(), "one.toml")
	const head = "name = \"one\"\n[capability]\nrate = { prior = \"uniform(0, 1)\" }\n[response.success]\np = \"rate\"\n"
	for rules, want := range map[string]string{
		"[classification]\nfamily = \"capable\"\n":                                                        "",
		"[classification]\nfamily = \"zzz\"\n":                                                            `one.toml:7: key classification.family: "zzz" is not one of "capable"`,
		"[verdict]\nfamily = \"capable\"\nknows = \"zzz\"\n":                                              "one.toml:8: key verdict.knows: unknown name zzz",
		"[classification]\nfamily = [{ if = \"zzz < 1\", is = \"capable\" }, { is = \"nonspecific\" }]\n": "unknown name zzz",
	} {
		write(t, file, []byte(head+rules))
		code, out, errs := achilles(t, "layouts", "check", file)
		if want == "" && (code != 0 || !strings.Contains(out, "no fault")) || want != "" && (code != 1 || !strings.Contains(errs, want)) {
			t.Errorf("%q: exit %d: %s%s", rules, code, out, errs)
		}
	}
}
