package cli_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"achilles/sim/rng"
)

// twoForms returns responses of two groups to two forms with common items, the second group abler by 1, and one item of them easier for the
// second group; beside it the table of subjects.
func twoForms(seed uint64) (responses, subjects string) {
	r := rng.Stream(seed, "forms")
	var b, s strings.Builder
	b.WriteString("person")
	for i := range 15 {
		fmt.Fprintf(&b, ",i%02d", i)
	}
	s.WriteString("person,form\n")
	for n := range 800 {
		form := n % 2
		fmt.Fprintf(&b, "\np%03d", n)
		fmt.Fprintf(&s, "p%03d,%s\n", n, []string{"old", "new"}[form])
		theta := r.Norm() + float64(form)
		for i := range 15 { // 0–4 old, 5–9 both, 10–14 new
			b.WriteByte(',')
			x := 1.2*theta - float64(i%5)/2 + 0.5
			if i == 7 && form == 1 {
				x += 1.5
			}
			y := coin(&r, x)
			if i < 5 && form == 0 || i >= 5 && i < 10 || i >= 10 && form == 1 {
				fmt.Fprint(&b, y)
			}
		}
	}
	return b.String() + "\n", s.String()
}

// byForm returns the table of each form of twoForms, with the items that its subjects took.
func byForm(responses, subjects string) map[string]string {
	of := map[string]string{}
	for line := range strings.Lines(subjects) {
		id, form, _ := strings.Cut(strings.TrimSpace(line), ",")
		of[id] = form
	}
	out := map[string]string{}
	header, rows, _ := strings.Cut(strings.TrimSpace(responses), "\n")
	for _, form := range []string{"new", "old"} {
		var b strings.Builder
		for line := range strings.Lines(rows) {
			cells, names := strings.Split(strings.TrimSpace(line), ","), strings.Split(header, ",")
			if of[cells[0]] != form {
				continue
			}
			if b.Len() == 0 {
				for i, h := range names {
					if cells[i] != "" {
						fmt.Fprint(&b, ",", h)
					}
				}
			}
			b.WriteString("\n" + cells[0])
			for _, c := range cells[1:] {
				if c != "" {
					b.WriteString("," + c)
				}
			}
		}
		out[form] = strings.TrimPrefix(b.String(), ",") + "\n"
	}
	return out
}

// TestIRTForms equates two forms by their common items, finds the one that is not the same in both groups, and brings a third sample onto the
// scale by anchors.
func TestIRTForms(t *testing.T) {
	dir := t.TempDir()
	responses, subjects := twoForms(501)
	write(t, filepath.Join(dir, "forms.csv"), []byte(responses))
	write(t, filepath.Join(dir, "people.csv"), []byte(subjects))
	out := filepath.Join(dir, "out")
	must(t, "irt", filepath.Join(dir, "forms.csv"), "--subjects", filepath.Join(dir, "people.csv"), "--by", "form", "--model", "rasch", "--out", out)
	mean := cellsOf(t, out, "groups", "mean", 1)
	spread := cellsOf(t, out, "model", "spread", 1)["rasch"]
	within(t, "mean of the first group", mean["new"], 0, 0)
	within(t, "mean of the other group", mean["old"], -1, 0.25)
	within(t, "spread", spread, 1.2, 0.2)
	corrected := cellsOf(t, out, "dif", "corrected", 1)
	for item, p := range corrected {
		x, err := strconv.ParseFloat(p, 64)
		if (err == nil && x < 0.01) != (item == "i07") {
			t.Errorf("item %s differs between groups with corrected p %q", item, p)
		}
	}
	// each form in a file of its own
	both := []string{"irt", "--model", "rasch", "--out", filepath.Join(dir, "joined")}
	tables := byForm(responses, subjects)
	for _, form := range []string{"new", "old"} {
		write(t, filepath.Join(dir, form+".csv"), []byte(tables[form]))
		both = append(both, filepath.Join(dir, form+".csv"))
	}
	if said := must(t, both...); !strings.Contains(said, "Ability by form, on one scale: new mean 0.000, SD 1.") {
		t.Errorf("two forms:\n%s", said)
	}
	for form, x := range cellsOf(t, filepath.Join(dir, "joined"), "groups", "mean", 1) {
		if x != mean[form] {
			t.Errorf("mean of form %s is %s from two files, %s from one", form, x, mean[form])
		}
	}
	// another sample of the same items, on the scale of the first
	more, _ := twoForms(502)
	write(t, filepath.Join(dir, "more.csv"), []byte(more))
	again := filepath.Join(dir, "again")
	must(t, "irt", filepath.Join(dir, "more.csv"), "--anchor", filepath.Join(out, "parameters.csv"), "--model", "rasch", "--out", again)
	was, is := cellsOf(t, out, "parameters", "estimate", 2), cellsOf(t, again, "parameters", "estimate", 2)
	for name := range was {
		if was[name] != is[name] {
			t.Errorf("anchor %s moved from %s to %s", name, was[name], is[name])
		}
	}
}
