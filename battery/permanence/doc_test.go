package permanence_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"achilles/battery/permanence"
	"achilles/gridworld/gridtest"
)

// TestDocumentation checks that the pictures in the manual are the maps of the films in testdata, and that its tables are
// those of the factors, features and shortcuts of the package. The -update flag rewrites pictures and tables.
func TestDocumentation(t *testing.T) {
	for _, c := range []struct {
		page     string
		coding   permanence.Coding
		pictures []string // names of films
	}{
		{"permanence", permanence.Displaced, []string{"a-not-b", "transposition", "displacement", "rotation", "tubes", "tunnel"}},
		{"comparative", permanence.Comparative, []string{"detour", "aperture", "size", "number", "what-where-when"}},
		{"radial", permanence.Radial, []string{"radial-maze"}},
	} {
		file := "../../docs/reference/" + c.page + ".md"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := withPictures(t, string(text), c.pictures)
		for _, x := range []struct{ before, table string }{
			{"| factor | default levels | |\n|---|---|---|\n", factorRows(c.coding)},
			{"| feature | |\n|---|---|\n", featureRows(t, c.coding)},
			{"passes, and of the controls:\n\n", shares(t, c.coding)},
		} {
			got = replaceTable(t, got, x.before, x.table)
		}
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got != string(text) {
			t.Errorf("the pictures or tables of %s are out of date: run with -update and look at the difference", file)
		}
	}
}

// withPictures returns the text with the maps of the films with these names in place of its first pictures.
func withPictures(t *testing.T, text string, names []string) string {
	t.Helper()
	pictures := regexp.MustCompile("(?s)```map\n.*?```\n").FindAllStringIndex(text, -1)
	if pictures = pictures[:min(len(names), len(pictures))]; len(pictures) != len(names) {
		t.Fatalf("%d pictures, want %d", len(pictures), len(names))
	}
	for i := len(names) - 1; i >= 0; i-- {
		film, err := os.ReadFile("testdata/" + names[i] + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		text = text[:pictures[i][0]] + "```map\n" + gridtest.Map(t, string(film)) + "```\n" + text[pictures[i][1]:]
	}
	return text
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
	"retreat": "of detour: by how many cells the way leads away from the reward first", "number": "of number: rewards in the right well; another has one fewer",
	"visits": "arms of which the reward is carried off, 1 to 4", "unbaited": "arms that never have a reward, 0 to 3",
}

// factorRows returns the rows of the factors of a coding. The page of Displaced has all of its own; those of other codings
// leave out what it says.
func factorRows(c permanence.Coding) string {
	var s strings.Builder
	for _, f := range c.Factors() {
		levels := strings.Join(f.Text, ", ")
		if f.Text == nil {
			levels = strings.NewReplacer(" ", ", ", "[", "", "]", "", "-", "−").Replace(fmt.Sprint(f.Number))
		}
		doc := factorDocs[f.Name]
		if c == permanence.Radial && f.Name == "numPositions" {
			doc = "no level can be chosen: the number of other arms is `visits` + `unbaited`"
		}
		row := fmt.Sprintf("| `%s` | %s | %s |\n", f.Name, levels, doc)
		if c == permanence.Displaced || !strings.Contains(factorRows(permanence.Displaced), row) {
			s.WriteString(row)
		}
	}
	return s.String()
}

// featureRows returns the rows of the features of a coding that docs/reference/worlds.md does not define, on pages of codings
// other than Displaced without those of its page.
func featureRows(t *testing.T, c permanence.Coding) string {
	t.Helper()
	worlds, err := os.ReadFile("../../docs/reference/worlds.md")
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	for _, f := range c.Schema() {
		row := fmt.Sprintf("| `%s` | %s |\n", f.Name, strings.ReplaceAll(f.Doc, "-1", "−1"))
		elsewhere := strings.Contains(string(worlds), "`"+f.Name+"`") || c != permanence.Displaced && strings.Contains(featureRows(t, permanence.Displaced), row)
		if !elsewhere {
			s.WriteString(row)
		}
	}
	return s.String()
}

// shares returns the table of the shares of items that each shortcut passes, by paradigm. A shortcut stands by its feature.
func shares(t *testing.T, c permanence.Coding) string {
	b := designOf(t, c, nil, 600, 501)
	paradigms, list := b.ByShortcuts()
	s := &strings.Builder{}
	fmt.Fprintf(s, "| feature | %s | all | control |\n|%s\n", strings.Join(paradigms, " | "), strings.Repeat("---|", len(paradigms)+3))
	for _, p := range list {
		fmt.Fprintf(s, "| `%s` |", p.Shortcut)
		for _, x := range append(p.Hidden, p.All) {
			fmt.Fprintf(s, " %.0f %% |", 100*x.Rate())
		}
		n, of := count(t, b, "occluder == 0", p.Shortcut)
		fmt.Fprintf(s, " %.0f %% |\n", 100*float64(n)/float64(of))
	}
	return s.String()
}
