package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"achilles/sim/record"
)

// typed runs a command that reads keys from its standard input.
func typed(t *testing.T, keys string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "keys")
	write(t, file, []byte(keys))
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	old := os.Stdin
	os.Stdin = in
	defer func() { os.Stdin = old }()
	return achilles(t, args...)
}

// reasons returns the number of responses in a directory by the reason why they are unscored; "" stands for scored
// responses.
func reasons(t *testing.T, dir string) map[string]int {
	t.Helper()
	d, err := record.Read(os.DirFS(filepath.Join(dir, "public")))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range d.Responses.All() {
		count[d.Reasons[r.Unscored]]++
	}
	return count
}

// TestPlay checks that a person can take some items by keys, leave, come back for the others, and then be measured like
// any subject.
func TestPlay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "me")
	args := []string{"play", "embodied", "--text", "--items", "4", "--out", dir, "--practice=false", "--set", "battery.items=16", "--set", "population[0].count=1"}
	item := "\r" + strings.Repeat("w", 250) + "\r" // the person is ready, walks ahead until the trial ends, and goes on to the next
	for _, c := range []struct {
		why, keys, said string
		taken           int
	}{
		{"who does nothing", "", "item 1 of 4", 0},
		{"who leaves in the second item", item + "\rww\x1by", "item 2 of 4", 1},
		{"who stays after all", item + "\x1b\r" + item, "item 3 of 4", 3},
		{"the rest", item, "item 4 of 4", 4},
		{"nothing is left", "", "That was all.", 4},
	} {
		code, out, said := typed(t, c.keys, args...)
		if code != 0 || !strings.Contains(out, "16 items × 2 subjects") || !strings.Contains(said, c.said) {
			t.Fatalf("%s: exit %d, %s\n%s", c.why, code, out, said)
		}
		if strings.Contains(said, "item 1 of 4") != (c.taken == 0 || c.why == "who leaves in the second item") {
			t.Errorf("%s: an item that was taken is offered again", c.why)
		}
		if got := reasons(t, dir); got["not taken"] != 16-c.taken || got[""] != 16+c.taken {
			t.Errorf("%s: responses by reason %v", c.why, got)
		}
	}
	must(t, "infer", dir, "--layout", "embodied", "--draws", "100", "--warmup", "50")
	if scores := must(t, "score", dir, "--tables"); !strings.Contains(scores, "person") {
		t.Errorf("the person is not in the tables:\n%s", scores)
	}
	more := append(args[:4:4], append([]string{"6"}, args[5:]...)...)
	if code, _, said := typed(t, item+item, more...); code != 0 || strings.Count(said, "You reached the reward.")+strings.Count(said, "Time is up.") == 0 || reasons(t, dir)["not taken"] != 10 {
		t.Errorf("two items more: exit %d, %v\n%s", code, reasons(t, dir), said)
	}
	if code, _, said := typed(t, "", append(args, "--seed", "5")...); code != 1 || !strings.Contains(said, "exists already") {
		t.Errorf("another session in the same place: exit %d\n%s", code, said)
	}
	if code, _, said := typed(t, "", "play", "quickstart", "--text", "--out", filepath.Join(t.TempDir(), "q")); code != 1 || !strings.Contains(said, "person") {
		t.Errorf("a scenario without worlds: exit %d\n%s", code, said)
	}
}

// TestPractice checks that a practice trial comes before the first item and is not scored, and that the person's
// profile is shown after the last item.
func TestPractice(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "me")
	args := []string{"play", "embodied", "--text", "--items", "1", "--out", dir, "--set", "battery.items=16", "--set", "population[0].count=1", "--set", "inference.draws=100", "--set", "inference.warmup=50"}
	item := "\r" + strings.Repeat("w", 250) + "\r"
	code, out, said := typed(t, item+item, args...)
	before, _, offered := strings.Cut(said, "item 1 of 1")
	if code != 0 || !offered || !strings.Contains(before, "is not scored") {
		t.Fatalf("exit %d\n%s", code, said)
	}
	if got := reasons(t, dir); got["not taken"] != 15 || got[""] != 17 {
		t.Errorf("responses by reason %v", got)
	}
	for _, parameter := range []string{"flatNav", "rightLeft", "noise"} {
		if !strings.Contains(out, parameter+" ") || !strings.Contains(said, parameter+" ") {
			t.Errorf("the profile has no %s:\n%s", parameter, out)
		}
	}
	if code, _, said := typed(t, "", args...); code != 0 || strings.Contains(said, "is not scored") {
		t.Errorf("who goes on practises again: exit %d\n%s", code, said)
	}
}

// TestPlayQuestions checks that a battery of questions is answered by one key for each item, without feedback. The
// order of the questions is random, so the test finds the questions on the screen.
func TestPlayQuestions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "me")
	args := []string{"play", "ctest", "--text", "--items", "0", "--out", dir, "--set", "population[1].count=1", "--set", "battery.coding=published-options"}
	_, _, said := typed(t, "", args...)
	first := question.FindAllStringSubmatch(said, -1)
	if len(first) != 1 {
		t.Fatalf("%d questions for who leaves at once\n%s", len(first), said)
	}
	code, out, said := typed(t, "1"+first[0][2], args...) // 1 is no letter
	shown := question.FindAllStringSubmatch(said, -1)
	if code != 0 || !strings.Contains(out, "20 items × 35 subjects") || len(shown) != 3 || shown[0][1] != first[0][1] || shown[1][1] != first[0][1] || !strings.Contains(said, "1 is not one of the answers.") || !strings.Contains(said, "item 2 of 20") {
		t.Fatalf("exit %d, %s\n%s", code, out, said)
	}
	if got := reasons(t, dir); got["not taken"] != 19 {
		t.Errorf("responses by reason %v", got)
	}
	if code, _, said = typed(t, shown[2][2], args...); code != 0 || strings.Contains(said, shown[0][1]) || !strings.Contains(said, shown[2][1]) || reasons(t, dir)["not taken"] != 18 {
		t.Errorf("going on: exit %d\n%s", code, said)
	}
}

// question matches the text of a question on the screen, and the first of its options.
var question = regexp.MustCompile(`(?m)^ *((?:[a-z] )+…) *\n\s*([a-z])   `)

// TestPlayNeedsWorlds checks that play refuses a scenario that a person cannot join, says why without a place in a text that the
// user did not write, and writes nothing.
func TestPlayNeedsWorlds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	for name, want := range map[string]string{
		"quickstart": "scenario quickstart: person acts, and item ",
		"2pl":        "scenario 2pl draws its subjects from the layout 2pl",
	} {
		code, out, errs := achilles(t, "play", name, "--text", "--out", dir)
		if code != 1 || !strings.HasPrefix(errs, "achilles: "+want) || out != "" {
			t.Errorf("%s: exit %d\n%s\n%s", name, code, out, errs)
		}
	}
	if code, _, errs := achilles(t, "play", "bib", "--text", "--out", dir); code != 2 || !strings.Contains(errs, "episodes are watched in a browser") {
		t.Errorf("bib in the terminal: exit %d\n%s", code, errs)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("something was written")
	}
}
