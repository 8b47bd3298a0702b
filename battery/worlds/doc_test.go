package worlds_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"achilles/battery/worlds"
	"achilles/gridworld/gridtest"
)

// TestDocumentation checks that the pictures in the manual are the maps of the films in testdata, and that its tables are
// those of the factors, features and shortcuts of the package. The -update flag rewrites pictures and tables.
func TestDocumentation(t *testing.T) {
	for i, page := range []string{"permanence", "comparative", "radial", "physical"} {
		coding, factors, features := codings()[i], "", ""
		pictures := [][]string{{"a-not-b", "tubes", "tunnel"}, {"detour", "aperture"}, {"radial-maze"}, {"cylinder", "tools"}}[i] // of those that look unlike all others
		if i > 0 {
			factors, features = factorRows(codings()[0], ""), featureRows(t, codings()[0], "")
		}
		if page == "physical" {
			features += featureRows(t, codings()[1], "")
		}
		file := "../../docs/reference/" + page + ".md"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := withPictures(t, string(text), pictures)
		for _, x := range []struct{ before, table string }{
			{"| factor | default levels | |\n|---|---|---|\n", factorRows(coding, factors)},
			{"| feature | |\n|---|---|\n", featureRows(t, coding, features)},
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

// factorRows returns the rows of the factors of a coding. Pages of codings other than Displaced leave out what its page says.
func factorRows(c *worlds.Coding, elsewhere string) string {
	var s strings.Builder
	for _, f := range c.Factors() {
		levels := strings.Join(f.Text, ", ")
		if f.Text == nil {
			levels = strings.NewReplacer(" ", ", ", "[", "", "]", "", "-", "−").Replace(fmt.Sprint(f.Number))
		}
		row := fmt.Sprintf("| `%s` | %s | %s |\n", f.Name, levels, c.FactorDoc(f.Name))
		if !strings.Contains(elsewhere, row) {
			s.WriteString(row)
		}
	}
	return s.String()
}

// featureRows returns the rows of the features of a coding that docs/reference/worlds.md does not define, without those elsewhere.
func featureRows(t *testing.T, c *worlds.Coding, elsewhere string) string {
	t.Helper()
	worlds, err := os.ReadFile("../../docs/reference/worlds.md")
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	for _, f := range c.Schema() {
		row := fmt.Sprintf("| `%s` | %s |\n", f.Name, strings.ReplaceAll(f.Doc, "-1", "−1"))
		if !strings.Contains(string(worlds), "`"+f.Name+"`") && !strings.Contains(elsewhere, row) {
			s.WriteString(row)
		}
	}
	return s.String()
}
