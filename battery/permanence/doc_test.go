package permanence_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"achilles/battery/permanence"
	"achilles/battery/shortcut"
)

// TestDocumentation checks that the pictures in the manual are those of the films in testdata, and that its tables are
// those of the factors, features and shortcuts of the package. The -update flag rewrites pictures and tables.
func TestDocumentation(t *testing.T) {
	const file = "../../docs/reference/permanence.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	pictures := regexp.MustCompile("(?s)(@[a-z-]+|```world\n.*?```)\n").FindAllStringIndex(got, -1)
	names := []string{"a-not-b", "transposition", "displacement", "rotation", "tubes", "tunnel"}
	if pictures = pictures[:min(len(names), len(pictures))]; len(pictures) != len(names) {
		t.Fatalf("%d pictures, want %d", len(pictures), len(names))
	}
	for i := len(names) - 1; i >= 0; i-- {
		film, err := os.ReadFile("testdata/" + names[i] + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		_, world, _ := strings.Cut(string(film), "world 1\n")
		world, _, _ = strings.Cut(world, "\nfilm\n")
		got = got[:pictures[i][0]] + "```world\nworld 1\n" + world + "```\n" + got[pictures[i][1]:]
	}
	for _, c := range []struct{ before, table string }{
		{"| factor | default levels | |\n|---|---|---|\n", factorRows()},
		{"| feature | |\n|---|---|\n", featureRows()},
		{"passes, and of the controls:\n\n", shares(t)},
	} {
		got = replaceTable(t, got, c.before, c.table)
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(text) {
		t.Error("the pictures or tables of the documentation are out of date: run with -update and look at the difference")
	}
}

// replaceTable returns the text with other rows in the table that follows `before`.
func replaceTable(t *testing.T, text, before, rows string) string {
	t.Helper()
	at := strings.Index(text, before)
	if at < 0 {
		t.Fatalf("no table behind %q", before)
	}
	at += len(before)
	end := strings.Index(text[at:], "\n\n")
	return text[:at] + strings.TrimSuffix(rows, "\n") + text[at+end:]
}

var factorDocs = map[string]string{
	"paradigm": "", "occluder": "with 0 the item is a control", "congruent": "the mistake leads to the right well",
	"timeUnderOcclusion": "multiples of 0.02 from 1", "numPositions": "1 to 7; controls have 0", "goalSize": "0.5 to 5",
	"goalDistance": "even, 16 to 40", "rightLeft": "", "goalColour": "",
	"hidings": "of A not B: in A", "moves": "of transposition, displacement and, odd ones, rotation: how often the cover comes to a well",
	"gravity": "of tubes: with 0 the reward rolls in from aside",
}

func factorRows() string {
	var s strings.Builder
	for _, f := range permanence.Factors() {
		levels := strings.Join(f.Text, ", ")
		if f.Text == nil {
			levels = strings.NewReplacer(" ", ", ", "[", "", "]", "", "-", "−").Replace(fmt.Sprint(f.Number))
		}
		fmt.Fprintf(&s, "| `%s` | %s | %s |\n", f.Name, levels, factorDocs[f.Name])
	}
	return s.String()
}

func featureRows() string {
	var s strings.Builder
	for _, f := range permanence.Schema() {
		fmt.Fprintf(&s, "| `%s` | %s |\n", f.Name, strings.ReplaceAll(f.Doc, "-1", "−1"))
	}
	return s.String()
}

// shares returns the table of the shares of items that each shortcut passes, by paradigm.
func shares(t *testing.T) string {
	b := design(t, nil, 600, 501)
	paradigms, list := b.ByShortcuts()
	s := &strings.Builder{}
	fmt.Fprintf(s, "| whoever … passes | %s | all | control |\n|%s\n", strings.Join(paradigms, " | "), strings.Repeat("---|", len(paradigms)+3))
	for i, p := range list {
		fmt.Fprintf(s, "| %s |", shortcut.MorePolicies()[i].Doc)
		for _, x := range append(p.Hidden, p.All) {
			fmt.Fprintf(s, " %.0f %% |", 100*x.Rate())
		}
		n, of := count(t, b, "occluder == 0", p.Shortcut)
		fmt.Fprintf(s, " %.0f %% |\n", 100*float64(n)/float64(of))
	}
	return s.String()
}
