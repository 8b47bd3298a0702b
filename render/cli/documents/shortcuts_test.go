package documents_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/redteam"
	"achilles/scenarios/scenario"
	"achilles/sim/expr"
)

var update = flag.Bool("update", false, "rewrite the tables of shortcuts in the manual")

// TestTablesOfShortcuts checks the tables of the manual that say which shortcuts and which ways without looking pass how many items of
// which paradigm. go test -update rewrites them.
func TestTablesOfShortcuts(t *testing.T) {
	best := map[string]string{} // by paradigm: the last cells of its row in the comparison of batteries
	for page, coding := range map[string]string{"permanence": "paradigms", "comparative": "comparative", "radial": "radial", "physical": "physical", "worlds": "worlds", "blocks": "blocks"} {
		suite := "permanence"
		switch page {
		case "worlds":
			suite = "opiaagets"
		case "blocks":
			suite = "learning"
		}
		file := filepath.Join("..", "..", "..", "docs", "reference", page+".md")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := scenario.Parse("f", fmt.Sprintf("name = \"f\"\nseed = 501\nbattery = { suite = %q, coding = %q, items = 600 }\n[[agent]]\nname = \"a\"\nbody = {}\n", suite, coding))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.MakeBattery(t.Context(), s.Seed, 2)
		if err != nil {
			t.Fatal(err)
		}
		want := tableOfShortcuts(t, &b)
		bestOf(t, &b, best)
		at := regexp.MustCompile(`(?m)^\|per cent\|(.*\n\|)*.*\n`).FindIndex(text)
		switch {
		case at == nil:
			t.Errorf("%s has no table of shortcuts:\n%s", file, want)
		case string(text[at[0]:at[1]]) == want:
		case *update:
			if err := os.WriteFile(file, []byte(string(text[:at[0]])+want+string(text[at[1]:])), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s has another table than\n%s", file, want)
		}
	}
	comparison(t, best)
}

// comparison checks the last cells of the rows of the page that compares batteries. go test -update rewrites them.
func comparison(t *testing.T, best map[string]string) {
	t.Helper()
	file := filepath.Join("..", "..", "..", "docs", "reference", "comparison.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for paradigm, cells := range best {
		row := regexp.MustCompile(`(?m)^(\|` + paradigm + `\|(?:[^|\n]*\|){4})[^|\n]*\|[^|\n]*\|$`)
		if !row.MatchString(got) {
			t.Errorf("%s has no row of %s", file, paradigm)
		}
		got = row.ReplaceAllString(got, "${1}"+cells)
	}
	switch {
	case got == string(text):
	case *update:
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s has other numbers than\n%s", file, got)
	}
}

// bestOf adds, for every paradigm, the shortcut that passes most of its hidden items, and the way without looking that passes most of those
// that leave a choice, with their rates in per cent. An index is left out: it chooses among rewards, and not among places.
func bestOf(t *testing.T, b *battery.Battery, best map[string]string) {
	t.Helper()
	paradigms, list := b.ByShortcuts()
	of, rows, err := redteam.Rows(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	for k, name := range paradigms {
		shortcut, most := "", -1.0
		for _, p := range list {
			if rate := p.Hidden[k].Rate(); rate > most {
				shortcut, most = strings.TrimSuffix(p.Shortcut, "Passes"), rate
			}
		}
		cells := fmt.Sprintf("`%s` %.0f|", shortcut, 100*most)
		blind, top := "–", -1.0
		for _, r := range rows {
			for i, x := range r.Right {
				if of[i] == name && x.Of > 0 && r.Name != "index" && x.Rate() > top {
					blind, top = fmt.Sprintf("%s %.0f", r.Name, 100*x.Rate()), x.Rate()
				}
			}
		}
		best[name] = cells + blind + "|"
	}
}

// tableOfShortcuts returns a table in Markdown: of the hidden items of each paradigm and of all, and of the controls, the per cent that each
// shortcut passes; then of the hidden items that leave a choice those that each way without looking passes, and chance.
func tableOfShortcuts(t *testing.T, b *battery.Battery) string {
	paradigms, list := b.ByShortcuts()
	rate := func(of, all int) string {
		if all == 0 {
			return "–"
		}
		return fmt.Sprintf("%.0f", 100*float64(of)/float64(all))
	}
	row := func(cells ...string) string { return "|" + strings.Join(cells, "|") + "|\n" }
	out := row(append(append([]string{"per cent"}, paradigms...), "all", "controls")...) + "|" + strings.Repeat("---|", len(paradigms)+3) + "\n"
	controls, err := b.Where(battery.HiddenFeature + " == 0")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		cells := []string{"`" + p.Shortcut + "`"}
		for _, share := range append(p.Hidden, p.All) {
			cells = append(cells, rate(share.Passed, share.Of))
		}
		n, err := expr.Parse(p.Shortcut + " == 1")
		if err != nil {
			t.Fatal(err)
		}
		program, err := expr.Compile(n, controls.Column, controls.ColumnNames()...)
		if err != nil {
			t.Fatal(err)
		}
		passed := 0
		for i := range controls.Items.Len() {
			if program.Bool(i) {
				passed++
			}
		}
		out += row(append(cells, rate(passed, controls.Items.Len()))...)
	}
	of, rows, err := redteam.Rows(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	chance := 0.0
	for _, r := range rows {
		cells := []string{r.Name}
		for _, p := range paradigms {
			cell := "–"
			for k, x := range r.Right {
				if of[k] == p {
					cell = rate(x.Passed, x.Of)
				}
			}
			cells = append(cells, cell)
		}
		out += row(append(cells, rate(r.All.Passed, r.All.Of), "–")...)
		if r.Name == "nearest" {
			chance = r.All.Luck()
		}
	}
	cells := []string{"chance"}
	for range paradigms {
		cells = append(cells, "")
	}
	return out + row(append(cells, fmt.Sprintf("%.0f", 100*chance), "–")...)
}
