package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/infer/chargrid"
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/sim/part"
	"achilles/sim/record"
)

// worldStates makes a battery of worlds, and returns its directory, items, states and demands.
func worldStates(t *testing.T, items string) (dir string, d *record.Dataset, states []score.State, demands []score.JudgedDemand) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "r")
	must(t, "generate", trioOfWorlds(t, items), "--out", dir)
	at, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	public, err := at.Public()
	if err != nil {
		t.Fatal(err)
	}
	if d, err = record.Read(public); err != nil {
		t.Fatal(err)
	}
	if states, err = score.States(public, d, part.Digest(read(t, filepath.Join(dir, "public", part.ManifestFile)))); err != nil {
		t.Fatal(err)
	}
	return dir, d, states, score.Demands(&d.Items)
}

func trioOfWorlds(t *testing.T, items string) string {
	file := filepath.Join(t.TempDir(), "w.toml")
	write(t, file, []byte("name = \"w\"\nseed = 502\n[battery]\ncoding = \"worlds\"\nitems = "+items+"\n[[agent]]\nname = \"c\"\nrule = [{ p = 0.5 }]\n"))
	return file
}

// TestStatesSayNothing exports 2000 states, and checks that nothing but the world is in a line, that it is the world of one trial, that
// the demands come without values, and that neither the order nor the names have anything to do with any demand: of some 15 demands a
// right program has a rank correlation of |ρ|√(n−1) > 4.5 once in 10,000 batteries; the seed is fixed.
func TestStatesSayNothing(t *testing.T) {
	dir, d, states, demands := worldStates(t, "2000")
	out := filepath.Join(t.TempDir(), "s")
	must(t, "export", "states", dir, "--out", out)
	lines := bytes.Split(bytes.TrimSpace(read(t, filepath.Join(out, "states.jsonl"))), []byte("\n"))
	if len(lines) != 2000 || len(states) != 2000 {
		t.Fatalf("%d lines", len(lines))
	}
	seen := map[string]bool{}
	for i, line := range lines {
		var x map[string]string
		if err := json.Unmarshal(line, &x); err != nil || len(x) != 2 || x["state"] != states[i].ID || x["world"] != states[i].Text || len(x["state"]) != 16 || seen[x["state"]] {
			t.Fatalf("line %d is %.200s (%v)", i, line, err)
		}
		seen[x["state"]] = true
		if strings.Contains(string(line), d.Items.ID[states[i].Item]) {
			t.Errorf("line %d names its item", i)
		}
	}
	var are []map[string]any
	if err := json.Unmarshal(read(t, filepath.Join(out, "demands.json")), &are); err != nil || len(are) != len(demands) || len(are) < 8 {
		t.Fatalf("%d demands (%v)", len(are), err)
	}
	for i, x := range demands {
		for key := range are[i] {
			if !slices.Contains([]string{"name", "kind", "role", "unit", "doc", "range"}, key) {
				t.Errorf("demand %s has %s", x.Name, key)
			}
		}
		var order, truth []float64
		for k, s := range states {
			if v := x.Values[s.Item]; !math.IsNaN(v) {
				order, truth = append(order, float64(k)), append(truth, v)
			}
		}
		if rho := chargrid.Spearman(order, truth, nil); math.Abs(rho)*math.Sqrt(float64(len(order)-1)) > 4.5 {
			t.Errorf("the order tells %s: ρ = %.3f", x.Name, rho)
		}
	}
}

// TestScoreLabels grades labels in every form a file may have.
func TestScoreLabels(t *testing.T) {
	dir, _, states, demands := worldStates(t, "80")
	before := tree(t, dir)
	at := func(name string) []float64 {
		i := slices.IndexFunc(demands, func(x score.JudgedDemand) bool { return x.Name == name })
		return demands[i].Values
	}
	lava, hidden := at("lava"), at("timeUnderOcclusion")
	long, wide, lines := "judge,state,demand,level\n", "state,lava,timeUnderOcclusion\n", ""
	for i, s := range states {
		l, h := lava[s.Item], hidden[s.Item]
		long += fmt.Sprintf("best,%s,lava,%v\nworst,%s,lava,%v\n", s.ID, l, s.ID, 1-l)
		if i%2 == 0 {
			wide += fmt.Sprintf("%s,%v,%v\n", s.ID, l, h+1)
		} else {
			wide += fmt.Sprintf("%s,,%v\n", s.ID, h+1)
		}
		lines += fmt.Sprintf("{\"state\": %q, \"lava\": %v}\n", s.ID, l)
	}
	rows := func(name, text string, more ...string) []string {
		file := filepath.Join(t.TempDir(), name)
		write(t, file, []byte(text))
		return strings.Split(strings.TrimSpace(must(t, append([]string{"score", "labels", file, "--of", dir, "--format", "csv"}, more...)...)), "\n")
	}
	// where all agree, or none, the interval is that of 80 of 80: its lower end is .025^(1/80)
	got := rows("long.csv", long)
	if len(got) != 3 || !strings.HasPrefix(got[1], "best,lava,80,0,80,1,0.95493596") || !strings.HasPrefix(got[2], "worst,lava,80,0,80,0,0,0.0450640") {
		t.Errorf("long form: %q", got)
	}
	got = rows("wide.csv", wide, "--cluster", "family")
	if len(got) != 3 || !strings.HasPrefix(got[2], "lava,40,40,") || !strings.HasPrefix(got[1], "timeUnderOcclusion,80,0,") || !strings.Contains(got[1], ",1,,") {
		t.Errorf("wide form: %q", got)
	}
	if got = rows("lines.jsonl", lines); len(got) != 2 || !strings.HasPrefix(got[1], "lava,80,0,80,1,0.95493596") {
		t.Errorf("JSON lines: %q", got)
	}
	if got = rows("lines.jsonl", lines, "--confusion"); len(got) != 3 || !strings.HasSuffix(got[1], ",1") || !strings.HasPrefix(got[1], ",lava,0,0,") || !strings.HasPrefix(got[2], ",lava,1,1,") {
		t.Errorf("confusion: %q", got)
	}
	if after := tree(t, dir); !equal(before, after) {
		t.Errorf("grading labels changes %v", differing(before, after)) // the ledger says when a seal is opened
	}
	some := states[0].ID
	for _, c := range []struct{ text, want string }{
		{"state,lava\n" + some + ",much\n", `f.csv:2: the label of lava is "much": want a number, or nothing`},
		{"state,lavva\n" + some + ",1\n", `f.csv:2: "lavva" is not a demand that varies: did you mean lava?`},
		{"state,lava\nx,1\n", `f.csv:2: no state is called "x"`},
		{"item,lava\nx,1\n", "the column state is missing"},
		{"state,demand\n" + some + ",lava\n", "want both columns demand and level"},
		{"state,lava\n" + some + ",\n", "no label"},
		{"state,lava\n" + some + ",NaN\n", "want a number"},
	} {
		file := filepath.Join(t.TempDir(), "f.csv")
		write(t, file, []byte(c.text))
		if code, _, stderr := achilles(t, "score", "labels", file, "--of", dir); code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%d %s, want %s", code, stderr, c.want)
		}
	}
	file := filepath.Join(t.TempDir(), "f.csv")
	write(t, file, []byte("state,lava\n"+some+",7\n"+states[1].ID+",1\n"))
	if code, _, stderr := achilles(t, "score", "labels", file, "--of", dir); code != 0 || !strings.Contains(stderr, "labels outside the range of their demand, graded as wrong: 1; the first: f.csv:2: lava is 7, its range is 0 to 1") {
		t.Errorf("a level that there is not: %d %s", code, stderr)
	}
	if code, _, stderr := achilles(t, "score", "labels", filepath.Join(dir, "ledger.json"), "--of", dir, "--cluster", "famly"); code != 2 || !strings.Contains(stderr, "did you mean family?") {
		t.Errorf("%d %s", code, stderr)
	}
}
