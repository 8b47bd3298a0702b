package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestTogether measures the subjects and items of a table together. The same command gives the same bytes with any number
// of jobs.
func TestTogether(t *testing.T) {
	base := t.TempDir()
	table := func(name string) string { return filepath.Join(repository(t), "docs", "examples", name) }
	var trees []map[string][]byte
	for _, jobs := range []string{"1", "5"} {
		dir := filepath.Join(base, jobs)
		must(t, "import", "--items", table("maze-items.csv"), "--responses", table("maze-responses.csv"), "--mapping", table("maze.toml"), "--out", dir)
		out := must(t, "infer", dir, "--layout", "rasch", "--draws", "100", "--warmup", "50", "--jobs", jobs)
		for _, want := range []string{"\ndifficulty  item    35  ", "\nspread      shared   1  ", "\nsigma       shared   1  "} {
			if !strings.Contains(out, want) {
				t.Errorf("infer does not print %q:\n%s", want, out)
			}
		}
		trees = append(trees, tree(t, filepath.Join(dir, "inferred")))
	}
	if !equal(trees[0], trees[1]) {
		t.Errorf("jobs change %v", differing(trees[0], trees[1]))
	}
	dir := filepath.Join(base, "1")
	must(t, "score", dir)
	must(t, "report", dir)
	page := string(read(t, filepath.Join(dir, "report", "index.html")))
	if !strings.Contains(page, "Items by difficulty") || !strings.Contains(page, "everybody") {
		t.Error("the report has no figure of items, or no table of them")
	}
	for _, c := range []struct{ name, want string }{
		{"--candidates=op", "a candidate set compares layouts subject by subject"},
		{"--engine=tempered", "engine tempered is for layouts that fit subjects separately"},
	} {
		if code, _, stderr := achilles(t, "infer", dir, "--layout", "rasch", "--force", c.name); code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %s", c.name, code, stderr)
		}
	}
}

// TestDrawnFromALayout runs a scenario whose subjects and items a layout draws, with all stages.
func TestDrawnFromALayout(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "drawn")
	out := must(t, "run", "2pl", "--set", "battery.items=6", "--set", "battery.subjects=14", "--draws", "100", "--warmup", "100", "--tables", "--out", dir)
	for _, want := range []string{"2pl: 14 subjects × 6 items; 84 responses", "Correlation with truth, ability ", "\nRecovery of what the layout drew", "\ndiscrimination  item      6 ", "\nSampling: 2 fits by layout 2pl"} {
		if !strings.Contains(out, want) {
			t.Errorf("run does not print %q:\n%s", want, out)
		}
	}
	var truth struct{ Layout string }
	if err := json.Unmarshal(read(t, filepath.Join(dir, "sealed", "truth.json")), &truth); err != nil {
		t.Fatal(err)
	}
	if want := must(t, "layouts", "show", "2pl", "--toml"); truth.Layout != want {
		t.Errorf("the sealed truth has the layout %q, want %q", truth.Layout, want)
	}
	page := string(read(t, filepath.Join(dir, "report", "index.html")))
	for _, want := range []string{"RMSE of the posterior mean, in the unit of the parameter", "sealed value that the layout drew", ">item-003<", "truth "} {
		if !strings.Contains(page, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if out := must(t, "scenarios", "check", "2pl"); !strings.Contains(out, "40 items × 80 subjects, 3,200 responses; layout 2pl") {
		t.Errorf("check prints %q", out)
	}
	for _, c := range []struct{ setting, want string }{
		{"battery.layout=lltm", "2pl.toml:16: key battery.layout: lltm.toml:5: key metafeature.time: the items have no column timeUnderOcclusion"},
		{"battery.layout=3pI", `no layout is called "3pI"`},
		{"responses.repetitions=32767", "2pl.toml:21: key responses.repetitions: more than 33554432 responses"},
	} {
		if code, _, stderr := achilles(t, "scenarios", "check", "2pl", "--set", c.setting); code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %s", c.setting, code, stderr)
		}
	}
}

// TestSkills runs a scenario whose subjects have skills or not, with all stages, and refuses every engine that cannot infer these.
func TestSkills(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "skills")
	out := must(t, "run", "dina", "--set", "battery.items=8", "--set", "battery.subjects=3", "--set", "responses.held_out=0", "--draws", "100", "--warmup", "50", "--tables", "--out", dir)
	for _, want := range []string{"dina: 3 subjects × 8 items; 24 responses", " of 12", "Whole patterns correct", "\nClassification by the binary parameters that the layout drew", "\nmastery[platform]  3  ", "\nall                3  ", "\nslip "} {
		if !strings.Contains(out, want) {
			t.Errorf("run does not print %q:\n%s", want, out)
		}
	}
	if page := string(read(t, filepath.Join(dir, "report", "index.html"))); !strings.Contains(page, "Classification by the binary parameters") {
		t.Error("the report does not say who has what")
	}
	const want = "dina.toml:9: key capability.mastery.prior: mastery[occluder] is binary, and no step leads from 0 to 1: engine marginal sums over both"
	for _, engine := range []string{"nuts", "laplace", "tempered"} {
		if code, _, stderr := achilles(t, "infer", dir, "--layout", "dina", "--engine", engine, "--force"); code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("engine %s: exit %d, %s", engine, code, stderr)
		}
	}
}
