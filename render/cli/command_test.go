package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"achilles/render/cli"
	"achilles/render/cli/clitest"
	"achilles/sim/longtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Helpers of all tests of the command line.
var (
	achilles   = clitest.Achilles
	must       = clitest.Must
	smallRun   = clitest.SmallRun
	graded     = clitest.Graded
	trio       = clitest.Trio
	repository = clitest.Repository
	dataFile   = clitest.DataFile
	read       = clitest.Read
	write      = clitest.Write
	tree       = clitest.Tree
	differing  = clitest.Differing
	copyDir    = clitest.CopyDir
	unblinded  = clitest.Unblinded
)

func equal(a, b map[string][]byte) bool { return len(differing(a, b)) == 0 }

func TestMain(m *testing.M) { clitest.Main(m) }

// TestHelp checks the help of every command against the golden file. Help must start with a capital, and no summary may
// end with a full stop.
func TestHelp(t *testing.T) {
	var b strings.Builder
	for _, c := range []string{"", "run", "generate", "infer", "merge", "verify", "submit", "submit slurm", "submit kubernetes", "score", "score labels", "report", "show", "compare", "design", "next", "predict", "analyse", "import", "import bib", "ask", "irt", "export", "export bib", "export irw", "export arviz", "export card", "export states", "export videos", "export stimuli", "export png", "export gif", "export strip", "export figure", "export figures", "scenarios", "scenarios list", "scenarios show", "scenarios check", "layouts", "layouts list", "layouts show", "layouts new", "layouts compare", "layouts check", "layouts calibrate", "select", "agreement", "view", "play", "study", "study serve", "study collect", "env", "env list", "env serve", "version", "completion"} {
		args := append(strings.Fields(c), "--help")
		out := must(t, args...)
		b.WriteString("$ achilles " + strings.Join(args, " ") + "\n" + out + "\n")
		if first := out[0]; first < 'A' || first > 'Z' {
			t.Errorf("help of %q starts with %q", c, first)
		}
	}
	golden(t, "help.txt", b.String())
	for _, line := range regexp.MustCompile(`(?m)^  [a-z]+ +[A-Z].*\.$`).FindAllString(b.String(), -1) {
		t.Errorf("summary ends with a full stop: %s", line)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from what was printed; -update rewrites it. Printed:\n%s", path, got)
	}
}

// TestExitCodes checks that wrong usage exits with 2 and a failure with 1, and that every line on stderr is a message
// of ours, never a stack.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	smallRun(t, filepath.Join(dir, "r"))
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"unknown command", []string{"rnu"}, 2, `unknown command "rnu"`},
		{"unknown flag", []string{"run", "--sed", "1"}, 2, "unknown flag: --sed: did you mean --seed?"},
		{"too many arguments", []string{"run", "a", "b"}, 2, "2 arguments given: want achilles run [SCENARIO]"},
		{"bad number", []string{"run", "--seed", "x"}, 2, "want a whole number from 0, or drawn"},
		{"a seed that is a word", []string{"infer", "r", "--seed", "abc"}, 2, `invalid argument "abc" for "--seed" flag: want a whole number from 0`},
		{"a number that is a word", []string{"infer", "r", "--draws", "1.5"}, 2, `invalid argument "1.5" for "--draws" flag: want a whole number`},
		{"a number that no machine has", []string{"infer", "r", "--draws", "99999999999999999999"}, 2, "want a whole number from 100 to 10000000"},
		{"a time that is a word", []string{"infer", "r", "--timeout", "soon"}, 2, "want a duration such as 90s or 5m"},
		{"a switch that is a word", []string{"run", "--force=maybe"}, 2, "want true or false"},
		{"bad setting", []string{"run", "--set", "nothing"}, 2, "KEY=VALUE"},
		{"no layout", []string{"infer", filepath.Join(dir, "r")}, 2, "--layout"},
		{"unknown scenario", []string{"run", "nosuch"}, 1, `no scenario is called "nosuch"`},
		{"missing file", []string{"run", "no/such.toml"}, 1, "no/such.toml: no such file"},
		{"unknown layout", []string{"infer", filepath.Join(dir, "r"), "--layout", "nosuch"}, 1, `no layout is called "nosuch"`},
		{"no directory", []string{"infer", filepath.Join(dir, "none"), "--layout", "op"}, 1, "there is no directory"},
		{"no result", []string{"score", filepath.Join(dir, "none")}, 1, "there is no directory"},
		{"few chains", []string{"run", "--chains", "1", "--out", filepath.Join(dir, "c")}, 2, "want a whole number from 2 to 1000"},
		{"other seed, same place", []string{"run", trio(t), "--seed", "9", "--out", filepath.Join(dir, "r")}, 1, "exists already"},
		{"other settings, same place", []string{"infer", filepath.Join(dir, "r"), "--layout", "constant", "--seed", "5"}, 1, "exists already"},
		{"unwritable", []string{"run", trio(t), "--out", "/dev/null/x"}, 1, "cannot"},
		{"bad mapping", []string{"import", "--items", "x", "--responses", "y", "--mapping", "nosuch", "--out", dir}, 1, "no mapping"},
		{"two who say it", []string{"import", "x", "--mapping", "aaio", "--metric", "acc"}, 2, "--metric says how to read the file, and so does the mapping"},
		{"a name after files", []string{"import", filepath.Join("..", "..", "docs", "examples", "matrix.csv"), "named"}, 1, "a directory named: --out named"},
		{"import of nothing", []string{"import"}, 2, "import needs a PATH"},
		{"export format", []string{"export", filepath.Join(dir, "r"), "--format", "xml", "--out", dir}, 2, "csv or cmdstan"},
	} {
		code, _, stderr := achilles(t, c.args...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d; stderr %q, want %q in it", c.name, code, c.code, stderr, c.want)
		}
		for _, line := range strings.Split(strings.TrimSpace(stderr), "\n") {
			if !strings.HasPrefix(line, "achilles: ") {
				t.Errorf("%s: stderr line %q", c.name, line)
			}
		}
	}
}

// TestBadScenarioLeavesNothing checks that the error of a faulty scenario has file, line and key, and that nothing is
// written.
func TestBadScenarioLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bad.toml")
	text := strings.Replace(must(t, "scenarios", "show", "quickstart"), "repetitions = 1", "repetitons = 1", 1)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := achilles(t, "run", file, "--out", filepath.Join(dir, "out"))
	if code != 1 || !regexp.MustCompile(`bad\.toml:\d+: key responses\.repetitons.*repetitions`).MatchString(stderr) {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("something was written")
	}
}

// TestSameBytes checks that two runs of the same scenario with different numbers of jobs give the same bytes, and that
// a third run in the same directory changes nothing.
func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	one := smallRun(t, a, "--jobs", "1")
	smallRun(t, b, "--jobs", "3")
	if x, y := tree(t, a), tree(t, b); !equal(x, y) {
		t.Errorf("jobs 1 and 3 differ in %v", differing(x, y))
	}
	before := tree(t, a)
	if again := must(t, "run", trio(t), "--out", a); again != one {
		t.Error("the second run prints something else")
	}
	if after := tree(t, a); !equal(before, after) {
		t.Errorf("the second run changed %v", differing(before, after))
	}
	if bytes.Contains(before["ledger.json"], []byte("seed")) {
		t.Error("the ledger has more than digests")
	}
}

// TestInterrupted checks that an interrupted run leaves no half-written stage, and that the same command then goes on
// and gives the same bytes as a run without a stop.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	whole, cut := filepath.Join(dir, "whole"), filepath.Join(dir, "cut")
	smallRun(t, whole)
	ctx, cancel := context.WithCancel(context.Background())
	var errs bytes.Buffer
	watch := clitest.Writer(func(p []byte) (int, error) { // the first message, which says that the data are made
		cancel()
		return errs.Write(p)
	})
	args := []string{"run", trio(t), "--out", cut}
	if code := cli.Run(ctx, cli.Host{}, args, io.Discard, watch); code != 130 || !strings.Contains(errs.String(), "interrupted") {
		t.Fatalf("exit %d, stderr %q", code, errs.String())
	}
	for name := range tree(t, cut) {
		if strings.HasPrefix(name, "inferred/") || strings.HasPrefix(name, "scores/") {
			t.Errorf("half-written stage: %s", name)
		}
	}
	must(t, args...)
	if x, y := tree(t, whole), tree(t, cut); !equal(x, y) {
		t.Errorf("resumed run differs in %v", differing(x, y))
	}
}

// TestNonInterference checks that the inferred files do not depend on whether sealed/ is there, is missing, or is that
// of another run.
func TestNonInterference(t *testing.T) {
	dir := t.TempDir()
	must(t, "generate", trio(t), "--out", filepath.Join(dir, "one"))
	must(t, "generate", trio(t), "--seed", "9", "--out", filepath.Join(dir, "other"))
	var results []map[string][]byte
	for _, sealed := range []string{"one", "", "other"} {
		d := filepath.Join(dir, "with-"+sealed)
		copyDir(t, filepath.Join(dir, "one", "public"), filepath.Join(d, "public"))
		if sealed != "" {
			copyDir(t, filepath.Join(dir, sealed, "sealed"), filepath.Join(d, "sealed"))
		}
		must(t, "infer", d, "--layout", "constant", "--draws", "100", "--warmup", "50")
		results = append(results, tree(t, filepath.Join(d, "inferred")))
	}
	for i, r := range results {
		if len(r) == 0 || !equal(r, results[0]) {
			t.Errorf("result %d differs in %v", i, differing(r, results[0]))
		}
	}
}

// TestTampering checks that score notices a changed byte in any file of a results directory except its own output and
// the report.
func TestTampering(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	smallRun(t, dir)
	for name, b := range tree(t, dir) {
		if strings.HasPrefix(name, "scores/") || strings.HasPrefix(name, "report/") || name == "inferred/profiles.csv" && len(b) == 0 {
			continue
		}
		bad := bytes.Clone(b)
		bad[len(bad)/2] ^= 1
		path := filepath.Join(dir, name)
		write(t, path, bad)
		if code, _, stderr := achilles(t, "score", dir); code != 1 || strings.Count(stderr, "\n") > 2 {
			t.Errorf("%s changed: exit %d, stderr %q", name, code, stderr)
		}
		write(t, path, b)
	}
	must(t, "score", dir)
}

// TestUnblinded checks that a result which was inferred after the seal was opened is marked as unblinded.
func TestUnblinded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	out := smallRun(t, dir)
	if unblinded(t, dir) || strings.Contains(out, "UNBLINDED") {
		t.Error("the first result is marked unblinded")
	}
	must(t, "infer", dir, "--layout", "constant", "--draws", "100", "--warmup", "50", "--force")
	out = must(t, "score", dir)
	if !unblinded(t, dir) || !strings.Contains(out, "UNBLINDED") {
		t.Errorf("the second result is not marked unblinded: %s", out)
	}
}

// TestScoresNames checks the names in scores.json and the columns of profiles.csv, because scripts rely on them.
func TestScoresNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	graded(t, dir)
	var s map[string]any
	if err := json.Unmarshal(read(t, filepath.Join(dir, "scores", "scores.json")), &s); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"recovery.overall.op.rmse", "recovery.overall.flatNav.rmse", "recovery.overall.visual.rmse", "recovery.overall.lava.rmse",
		"recovery.overall.platform.rmse", "recovery.overall.ramp.rmse", "recovery.overall.memory.rmse", "coverage.50.op", "coverage.90.memory",
		"prediction.subjects.perfect.brier", "prediction.subjects.perfect.brier_aggregate", "prediction.subjects.coin.calibration", "prediction.subjects.coin.refinement",
		"diagnostics.divergences", "diagnostics.worst_rhat", "diagnostics.min_ess_bulk"} {
		var v any = s
		for _, k := range strings.Split(path, ".") {
			m, _ := v.(map[string]any)
			v = m[k]
		}
		if _, ok := v.(float64); !ok {
			t.Errorf("scores.json: %s is %v, want a number", path, v)
		}
	}
	head, _, _ := strings.Cut(string(read(t, filepath.Join(dir, "inferred", "profiles.csv"))), "\n")
	if head != "subject,parameter,mean,sd,mcse,q5,q25,q50,q75,q95,ess_bulk,ess_tail,rhat,log_evidence,log_evidence_se" {
		t.Errorf("profiles.csv has columns %s", head)
	}
	if !strings.Contains(string(read(t, filepath.Join(dir, "scores", "profiles.csv"))), "perfect,") {
		t.Error("scores/profiles.csv does not name the subjects")
	}
}

func TestExport(t *testing.T) {
	dir := t.TempDir()
	r := filepath.Join(dir, "r")
	smallRun(t, r)
	must(t, "export", r, "--out", filepath.Join(dir, "csv"))
	must(t, "export", r, "--out", filepath.Join(dir, "stan"), "--format", "cmdstan")
	if n := strings.Count(string(read(t, filepath.Join(dir, "csv", "responses.csv"))), "\n"); n != 1+3*40 {
		t.Errorf("responses.csv has %d lines, want %d", n, 1+3*40)
	}
	draws, err := filepath.Glob(filepath.Join(dir, "stan", "*-1.csv"))
	if err != nil || len(draws) != 3 {
		t.Errorf("%d first chains, want 3", len(draws))
	}
	if code, _, stderr := achilles(t, "export", r, "--out", filepath.Join(dir, "csv")); code != 1 || !strings.Contains(stderr, "--force") {
		t.Errorf("exporting over something: exit %d, %q", code, stderr)
	}
}

func TestListsAndChecks(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"scenarios", "list"}, []string{"quickstart", "op-burden", "op-design"}},
		{[]string{"layouts", "list"}, []string{"aaio", "op", "constant", "aaio-fixed", "op-fixed"}},
		{[]string{"layouts", "show", "op"}, []string{"memory", "uniform(0, maxPositions*memory)"}},
		{[]string{"layouts", "show", "op", "--dot"}, []string{"digraph"}},
		{[]string{"layouts", "check", "op"}, []string{"9 parameters"}},
		{[]string{"design", "op-burden", "--items", "40", "--runs", "0"}, []string{"of 435 pairs", "\nagent-03  agent-04  0.00\n"}},
		{[]string{"design", "quickstart", "--items", "30", "--runs", "1"}, []string{"\nPredicted classification of each subject\n", "\nperfect        capable           1.00 [0.03, 1.00]", "of 36 pairs"}},
		{[]string{"scenarios", "power", "quickstart", "--items", "30", "--set", "inference.candidates=none"}, []string{"no agent types are predicted: the scenario names no candidate set", "of 36 pairs"}},
		{[]string{"scenarios", "check", "op-burden"}, []string{"2,188 items × 30 subjects", "of the 588 items that test", "0.33  0.96  16.7", "passed by a shortcut:\n  lastSeenPasses (95.9 %)"}},
		{[]string{"scenarios", "check", "op-design"}, []string{"\nCorrelations of the demands\n", "\nlava                  5  0.00  0.00  0.00  0.00  1.00  "}},
		{[]string{"scenarios", "check", "permanence"}, []string{"of the 672 items that test", "\nperseveratePasses  "}},
	} {
		out := must(t, c.args...)
		for _, w := range c.want {
			if !strings.Contains(out, w) {
				t.Errorf("achilles %s: no %q in\n%s", strings.Join(c.args, " "), w, out)
			}
		}
	}
}

// TestCheckCatchesShortcuts checks that scenarios check refuses a battery which is made to catch shortcuts, if its
// levels are set so that a shortcut passes too many items.
func TestCheckCatchesShortcuts(t *testing.T) {
	code, out, err := achilles(t, "scenarios", "check", "permanence", "--set", "battery.levels.congruent=[1]", "--set", "battery.levels.gravity=[1]")
	if want := "more than 75 % of the object-permanence items are passed by a shortcut: motionFollowerPasses (89"; code != 1 || !strings.Contains(err, want) || !strings.Contains(out, "nats") {
		t.Errorf("exit %d, %s, want %q", code, err, want)
	}
}

// TestShippedWorldsPassTheirCheck checks that scenarios check accepts the shipped scenarios of generated worlds: in the plain suite one whose
// few items chance may let a shortcut pass, in the long suite all.
func TestShippedWorldsPassTheirCheck(t *testing.T) {
	names := []string{"quickstart-bodies"}
	if longtest.On() {
		names = append(names, "blocks", "comparative", "deficits", "embodied", "imitators", "learners", "op-worlds", "permanence", "physical", "radial", "tradeoffs")
	}
	for _, name := range names {
		if code, out, err := achilles(t, "scenarios", "check", name); code != 0 || !strings.Contains(out, "\nlearner ") {
			t.Errorf("%s: exit %d, %s", name, code, err)
		}
	}
}

func TestLayoutIdentification(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	must(t, "generate", trio(t), "--out", dir)
	out := must(t, "layouts", "check", "constant", dir, "--subjects", "8")
	if !strings.Contains(out, "identified") || !strings.Contains(out, "contraction") {
		t.Errorf("layouts check prints\n%s", out)
	}
}

// TestInterruptedEarly checks that an interrupt does not wait until a large battery is made: the context ends when it is
// asked for the hundredth time. 5000 allocations have been made then, and 280,000 or more when the battery is made.
func TestInterruptedEarly(t *testing.T) {
	for _, args := range [][]string{
		{"generate", "embodied", "--set", "battery.items=200000", "--jobs", "1", "--out", filepath.Join(t.TempDir(), "r")},
		{"scenarios", "check", "embodied", "--set", "battery.items=200000"},
	} {
		allocated := testing.AllocsPerRun(1, func() {
			ctx := &patient{Context: t.Context(), left: 100}
			var out, errs bytes.Buffer
			code := cli.Run(ctx, cli.Host{}, args, &out, &errs)
			if kept := strings.Contains(errs.String(), "rerun the command to resume"); code != 130 || !strings.Contains(errs.String(), "interrupted") || kept != (args[0] == "generate") {
				t.Errorf("%v: exit %d, stderr %q", args, code, errs.String())
			}
		})
		if allocated > 20e3 {
			t.Errorf("%v: %.0f allocations", args, allocated)
		}
	}
}

// A patient context ends when it has been asked often enough whether it has.
type patient struct {
	context.Context
	left int
}

func (p *patient) Err() error {
	if p.left--; p.left <= 0 {
		return context.Canceled
	}
	return nil
}
