package worlds_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/shortcut"
	"achilles/battery/worlds"
	"achilles/gridworld/gridtest"
)

// TestDocumentationOfFamilies checks that the manual has the pictures of the films in testdata, the numbers of the default battery,
// every factor with its levels, and every feature.
func TestDocumentationOfFamilies(t *testing.T) {
	file, err := os.ReadFile("../../docs/reference/worlds.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	need := func(what, words string) {
		t.Helper()
		if !strings.Contains(text, words) {
			t.Errorf("%s is not in the documentation: %s", what, words)
		}
	}
	pictures := regexp.MustCompile("(?s)```map\n.*?```").FindAllString(text, -1)
	if len(pictures) != 4 {
		t.Errorf("%d pictures, want 4", len(pictures))
	}
	for _, name := range []string{"cups", "grid", "chick-unseen", "basic-control"} {
		film, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		need("the picture of "+name, "```map\n"+gridtest.Map(t, string(film))+"```")
	}
	for _, f := range worlds.OPIAAGETS().Factors() {
		levels := strings.Join(f.Text, ", ")
		if f.Text == nil {
			levels = strings.NewReplacer(" ", ", ", "[", "", "]", "", "-", "−").Replace(fmt.Sprint(f.Number))
		}
		if !regexp.MustCompile("(?m)^\\| .*`" + f.Name + "`.* \\| " + regexp.QuoteMeta(levels) + " \\|").MatchString(text) {
			t.Errorf("factor %s with its levels %s is not in the table", f.Name, levels)
		}
	}
	for _, f := range worlds.OPIAAGETS().Schema() {
		need("feature "+f.Name, "`"+f.Name+"`")
	}
	for _, p := range shortcut.Policies() {
		need("policy "+p.Name, "| `"+p.Name+"Passes` | "+p.Doc+" |")
	}
	numbersOf(t, text, need)
}

// numbersOf checks the numbers that the manual gives for the default battery of 2,000 items with seed 1.
func numbersOf(t *testing.T, text string, need func(what, words string)) {
	b, err := worlds.OPIAAGETS().Design(t.Context(), battery.Request{Items: 2000, Root: 1})
	if err != nil {
		t.Fatal(err)
	}
	c, err := b.Correlate(worlds.OPIAAGETS().Demands()...)
	if err != nil {
		t.Fatal(err)
	}
	x, y, r := c.Largest()
	need("the largest correlation", fmt.Sprintf("that of `%s` and `%s`, %s", x, y, strings.Replace(fmt.Sprintf("%.3f", r), "-", "−", 1)))
	if c, err = b.Correlate("occluder", "numPositions"); err != nil {
		t.Fatal(err)
	}
	need("the one correlation that stays", fmt.Sprintf("correlate %.2f. Both", c.R[0][1]))
	lost := 0
	for _, n := range worlds.OPIAAGETS().Rejected(2000, 1) {
		lost += n
	}
	need("the number of candidates not kept", fmt.Sprintf("For the 2,000 items, %d were.", lost))
}
