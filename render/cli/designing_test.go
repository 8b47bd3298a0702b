package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"achilles/sim/rng"
)

// TestNext goes through a test item by item: what is next, why it ends, and what is wrong with a table of responses.
func TestNext(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "matrix")
	file := filepath.Join(filepath.Dir(dir), "taken.csv")
	must(t, "import", repository(t)+"/docs/examples/matrix.csv", "--out", dir)
	if code, _, stderr := achilles(t, "next", dir); code != 1 || !strings.Contains(stderr, "nothing was inferred") {
		t.Errorf("without an inference: exit %d, %q", code, stderr)
	}
	must(t, "infer", dir, "--layout", "rasch", "--engine", "laplace", "--draws", "100", "--as", "quick")
	for _, args := range [][]string{{"next", dir}, {"design", dir}, {"compare", dir, "--table", "capabilities"}, {"export", dir, "--format", "cmdstan", "--out", file}} {
		if code, _, stderr := achilles(t, args...); code != 1 || !strings.Contains(stderr, "no inference yet, except as quick\nachilles: hint: add --as quick\n") {
			t.Errorf("%s of a directory with a named result alone: exit %d, %q", args[0], code, stderr)
		}
	}
	for _, args := range [][]string{{"next", dir, "--as", "quick"}, {"design", dir, "--as", "quick", "--items", "3", "--runs", "2"}} {
		must(t, args...)
	}
	must(t, "infer", dir, "--layout", "rasch", "--draws", "100", "--warmup", "100")
	type step struct {
		Item      string   `json:"item"`
		Now       float64  `json:"sd_now"`
		After     *float64 `json:"sd_after"`
		Responses int      `json:"responses"`
		Stop      string   `json:"stop"`
	}
	text, seen, last := "item,response\n", map[string]bool{}, 2.0
	for n := 0; ; n++ {
		args := []string{"next", dir, "--sd", "0.65", "--format", "json"}
		if n > 0 {
			write(t, file, []byte(text))
			args = append(args, "--responses", file)
		}
		var table struct {
			Rows []step `json:"rows"`
		}
		out := must(t, args...)
		if err := json.Unmarshal([]byte(out), &table); err != nil {
			if err := json.Unmarshal([]byte(out), &table.Rows); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		x := table.Rows[0]
		if x.Responses != n || x.Now > last+0.05 {
			t.Errorf("after %d responses: %+v, before %.3f", n, x, last)
		}
		if last = x.Now; x.Stop != "" {
			if x.Stop != "sd" || x.Now > 0.65 || n < 3 {
				t.Errorf("stops after %d: %+v", n, x)
			}
			break
		}
		if seen[x.Item] || x.After == nil || *x.After >= x.Now {
			t.Errorf("after %d responses: %+v", n, x)
		}
		seen[x.Item] = true
		text += x.Item + "," + string("01"[n%2]) + "\n"
	}
	if out := must(t, "next", dir, "--responses", file, "--items", "2"); !strings.Contains(out, "Stop: 2 items were allowed.") {
		t.Error(out)
	}
	if out := must(t, "next", dir, "--subject", "model-3"); !strings.Contains(out, "Stop: no item is left. After 10 responses") {
		t.Error(out)
	}
	for wrong, want := range map[string]string{
		"item,response\nq1,2\n":       `taken.csv:2: response "2": want 1 for a success or 0 for a failure`,
		"item,response\nq11,1\n":      "taken.csv:2: there is no item q11",
		"thing,response\nq1,1\n":      "the columns item and response are needed, and it has thing, response",
		"item,response\nq1,1\nq1,1\n": "item q1 has two responses",
	} {
		write(t, file, []byte(wrong))
		if code, _, stderr := achilles(t, "next", dir, "--responses", file); code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit %d, %q, want %q", wrong, code, stderr, want)
		}
	}
}

// TestDesign asks how many items of a fitted table and of a scenario are needed, and for the best of them.
func TestDesign(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "matrix")
	must(t, "import", repository(t)+"/docs/examples/matrix.csv", "--out", dir)
	must(t, "infer", dir, "--layout", "rasch", "--draws", "100", "--warmup", "100")
	out := must(t, "design", dir, "--sd", "0.8", "--difference", "1", "--runs", "4")
	for _, want := range []string{"per group", "10 items, layout rasch: 4 subjects simulated.", "An SD of 0.8 takes ", " items chosen for each subject, or ", "A difference of 1 between two subjects takes more than 10"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out := must(t, "design", dir, "--items", "4", "--table", "form", "--format", "csv"); strings.Count(out, "\n") != 5 {
		t.Errorf("a form of 4 items:\n%s", out)
	}
	picture := filepath.Join(filepath.Dir(dir), "curves.svg")
	if out := must(t, "design", dir, "--table", "curves", "--where", `item == "q1" || item == "q10"`, "--format", "csv", "--out", picture); strings.Count(out, "\n") != 51 || !strings.Contains(string(read(t, picture)), "q10") {
		t.Errorf("curves of 10 items:\n%.300s", out)
	}
	if out := must(t, "design", dir, "--table", "information", "--where", "at > 0"); !strings.Contains(out, "Test information") {
		t.Errorf("information:\n%s", out)
	}
	out = must(t, "design", "op-burden", "--layout", "op-fixed", "--items", "6", "--stratify", "task", "--table", "form", "--format", "csv", "--set", "battery.sample=40")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 7 || !strings.Contains(lines[0], "task") {
		t.Errorf("a form of 6 items:\n%s", out)
	}
	for _, c := range []struct{ args, want string }{
		{"design " + dir + " --stratify level", "--stratify level: items have no such column"},
		{"design " + dir + " --table curves --out curves.svg", "the curves of 10 items are unreadable in one figure"},
		{"design " + dir + " --items 20", "--items 20: there are only 10"},
		{"design op-burden --sd 0.2", "op uses the mean of the responses"},
		{"design " + dir + " --layout 2pl", "infers items together with subjects"},
	} {
		if code, _, stderr := achilles(t, strings.Fields(c.args)...); code == 0 || !strings.Contains(strings.Join(strings.Fields(stderr), " "), c.want) {
			t.Errorf("%s: exit %d, %q, want %q", c.args, code, stderr, c.want)
		}
	}
	if code, stdout, _ := achilles(t, "scenarios", "power", "quickstart", "--items", "10", "--runs", "0"); code != 0 || !strings.Contains(stdout, "of 36 pairs") {
		t.Errorf("the former name: exit %d, %q", code, stdout)
	}
}

// TestDesignOfClusters names the passages within which responses are alike, with the error that this adds, and chooses one trial of items whose trials
// were counted, and items of scores.
func TestDesignOfClusters(t *testing.T) {
	dir := t.TempDir()
	r := rng.Stream(2750, "passages")
	passages, trials, scores, items := "subject,item,score\n", "subject,item,solved,of\n", "subject,item,score\n", "item,passage\n"
	for s := range 30 {
		ability := r.Norm()
		for i := range 20 {
			if i%4 == 0 {
				ability = float64(s%5)/2 - 1 + 1.5*r.Norm() // of the subject and the passage
			}
			passages += fmt.Sprintf("s%d,q%d,%d\n", s, i, int(max(0, min(1, math.Ceil(ability+r.Norm())))))
			if s == 0 {
				items += fmt.Sprintf("q%d,p%d\n", i, i/4)
			}
			if s < 8 && i < 6 {
				trials += fmt.Sprintf("s%d,q%d,%d,%d\n", s, i, r.IntN(i+2), i+1)
				scores += fmt.Sprintf("s%d,q%d,%.3f\n", s, i, r.Float64())
			}
		}
	}
	for name, text := range map[string]string{"passages": passages, "trials": trials, "scores": scores, "items": items} {
		write(t, filepath.Join(dir, name+".csv"), []byte(text))
	}
	d := filepath.Join(dir, "p")
	must(t, "import", "--responses", filepath.Join(dir, "passages.csv"), "--items", filepath.Join(dir, "items.csv"), "--out", d)
	must(t, "infer", d, "--layout", "rasch", "--engine", "laplace", "--draws", "100", "--no-predict")
	for _, command := range [][]string{{"next", d}, {"design", d, "--items", "2", "--runs", "2"}} {
		_, _, stderr := achilles(t, command...)
		said := regexp.MustCompile(`responses are alike within passage \(correlation (0\.\d+)\), and SDs allow for it: an estimate from all 20 items has about (1\.\d+) times the error`).FindStringSubmatch(strings.Join(strings.Fields(stderr), " "))
		if said == nil {
			t.Errorf("%s: %q", command[0], stderr)
			continue
		}
		rho, _ := strconv.ParseFloat(said[1], 64)
		if times, _ := strconv.ParseFloat(said[2], 64); math.Abs(times-math.Sqrt(1+3*rho)) > 0.02 { // four items in each
			t.Errorf("%s: %.2f times at correlation %.2f", command[0], times, rho)
		}
	}
	for _, name := range []string{"trials", "scores"} {
		d, file := filepath.Join(dir, name), filepath.Join(dir, name+".toml")
		must(t, "import", d+".csv", "--out", d)
		must(t, "layouts", "new", d, "--out", file)
		must(t, "infer", d, "--layout", file, "--engine", "laplace", "--draws", "100", "--no-predict")
	}
	d = filepath.Join(dir, "trials")
	if out := must(t, "next", d); !strings.Contains(out, "Next: one trial of q") {
		t.Error(out)
	}
	if out := must(t, "design", d, "--items", "2", "--runs", "2"); !strings.Contains(out, "layout rasch, one trial of each: 2 subjects simulated.") {
		t.Error(out)
	}
	d = filepath.Join(dir, "scores")
	if out := must(t, "next", d); !strings.Contains(out, "Next: q") || !strings.Contains(out, "expected  information") {
		t.Error(out)
	}
	taken := filepath.Join(dir, "taken.csv")
	write(t, taken, []byte("item,response\nq1,0.25\nq2,1\n"))
	if out := must(t, "next", d, "--responses", taken); !strings.Contains(strings.Join(strings.Fields(out), " "), "After 2 responses the largest posterior SD") {
		t.Error(out)
	}
	write(t, taken, []byte("item,response\nq1,1.25\n"))
	if code, _, stderr := achilles(t, "next", d, "--responses", taken); code != 1 || !strings.Contains(stderr, `response "1.25": want a score from 0 to 1`) {
		t.Errorf("exit %d, %q", code, stderr)
	}
	if out := must(t, "design", d, "--items", "2", "--runs", "2", "--difference", "1"); !strings.Contains(out, "layout rasch: 2 subjects simulated.") {
		t.Error(out)
	}
	if out := must(t, "design", d, "--table", "information"); !strings.Contains(out, "Test information") {
		t.Error(out)
	}
	if out := must(t, "compare", d, "--table", "pairs"); !strings.Contains(out, "more") {
		t.Error(out)
	}
}
