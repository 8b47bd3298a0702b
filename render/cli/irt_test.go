package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// lsat6 is section 6 of the Law School Admission Test, as patterns and counts.
func lsat6(t *testing.T) string {
	return filepath.Join(repository(t), "docs", "examples", "lsat6.csv")
}

// cellsOf returns a column of a table that irt wrote, by the text of the first column, or of the first two joined by a space.
func cellsOf(t *testing.T, dir, table, column string, keys int) map[string]string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(read(t, filepath.Join(dir, table+".csv")))), "\n")
	at := -1
	for k, name := range strings.Split(lines[0], ",") {
		if name == column {
			at = k
		}
	}
	if at < 0 {
		t.Fatalf("table %s has no column %s: %s", table, column, lines[0])
	}
	out := map[string]string{}
	for _, l := range lines[1:] {
		cells := strings.Split(l, ",")
		out[strings.Join(cells[:keys], " ")] = cells[at]
	}
	return out
}

func within(t *testing.T, what, got string, want, by float64) {
	t.Helper()
	if x, err := strconv.ParseFloat(got, 64); err != nil || math.Abs(x-want) > by {
		t.Errorf("%s: %s, want %g ± %g", what, got, want, by)
	}
}

// TestIRT analyses LSAT6 as a user would: the printed values, a first screen of 24 lines at three widths, the same bytes twice, and the tables by show.
func TestIRT(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "rasch")
	for _, columns := range []int{60, 80, 120} {
		t.Setenv("COLUMNS", strconv.Itoa(columns))
		said := must(t, "irt", lsat6(t), "--count", "count", "--model", "rasch", "--out", out, "--force")
		lines := strings.Split(strings.TrimSuffix(said, "\n"), "\n")
		if columns > 60 && len(lines) > 24 {
			t.Errorf("%d lines at %d columns:\n%s", len(lines), columns, said)
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l) > columns && !strings.Contains(l, out) {
				t.Errorf("wider than %d: %s", columns, l)
			}
		}
		if !strings.Contains(strings.Join(strings.Fields(said), " "), "Standard deviation of abilities 0.7551 (SE 0.0694)") {
			t.Errorf("no spread in\n%s", said)
		}
		if omits := strings.Contains(said, "mitted for width"); omits == strings.Contains(said, "RMSEA\n") {
			t.Errorf("columns are omitted at %d and not named:\n%s", columns, said)
		}
		if !strings.Contains(strings.Join(strings.Fields(said), " "), "subjects 0 of 1,000") {
			t.Errorf("patterns are counted as subjects in\n%s", said)
		}
	}
	first := tree(t, out)
	difficulty := cellsOf(t, out, "items", "difficulty", 1)
	for item, want := range map[string]float64{"q1": -2.730, "q2": -0.999, "q3": -0.240, "q4": -1.306, "q5": -2.099} {
		within(t, item, difficulty[item], want, 1e-3)
	}
	// Σ p(1 − p) at an ability of 0 log odds, in whose unit difficulties and subjects are
	within(t, "information", cellsOf(t, out, "information", "information", 1)["0"], 0.7656, 1e-3)
	within(t, "spread", cellsOf(t, out, "model", "spread", 1)["rasch"], 0.7551, 1e-4)
	must(t, "irt", lsat6(t), "--count", "count", "--model", "rasch", "--out", out, "--force")
	if names := differing(first, tree(t, out)); names != nil {
		t.Errorf("%v differ the second time", names)
	}
	if said := must(t, "show", out); !strings.Contains(said, "parameters") || !strings.Contains(said, "information") {
		t.Errorf("show lists\n%s", said)
	}
	if said := must(t, "verify", out); !strings.Contains(said, "irt") {
		t.Errorf("verify says\n%s", said)
	}
	write(t, filepath.Join(out, "items.csv"), []byte("x\n"))
	if code, _, _ := achilles(t, "verify", out); code != 1 {
		t.Error("verify does not see a changed table")
	}
	if page := string(read(t, filepath.Join(filepath.Dir(out), "rasch", "report", "index.html"))); !strings.Contains(page, "0.7551") || !strings.Contains(page, "S-X²") || strings.Contains(page, "regenerates") {
		t.Error("the page has no spread or no item fit")
	}
}

// TestEveryWarningOfIRTIsListed makes every kind of warning that infer/irt declares, but for a fit without a maximum, and those of the table
// itself: they are in table warnings, the number that they are about has its note, and docs/guide/warnings.md has the kind.
func TestEveryWarningOfIRTIsListed(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		write(t, path, []byte(text))
		return path
	}
	as := func(_, _ int, v byte) byte { return v }
	coins := rng.Stream(545, "coins")
	guttman, levels, ages, runs := "subject,a,b,c,d\n", "subject,a,b,c\n", "subject,age\n", "subject,item,run,score\n"
	for s := range 24 {
		guttman += fmt.Sprintf("s%d,%d,%d,%d,%d\n", s, min(s%5, 1), min(s%5/2, 1), min(s%5/3, 1), s%5/4)
		levels += fmt.Sprintf("s%d,%d,%d,%d\n", s, []int{0, 1, 3}[s*5%3], s*s/3%4, (s+s*s/5)%4)
		for i := range 4 {
			runs += fmt.Sprintf("s%d,q%d,1,%d\ns%d,q%d,2,%d\n", s, i, (s+i*i)/2%2, s, i, (s+i*i)/2%2)
		}
	}
	for s := range 59 {
		ages += fmt.Sprintf("s%d,%d\n", s+1, s)
	}
	ages += "s60,\n"
	made := map[string]bool{"not-converged": true}
	for k, c := range []struct {
		args  []string
		kinds string // that must be there
		table string // with a note, or a sentence below, about Says
		says  string
	}{
		{[]string{file("coins.csv", planted(546, 60, 16, func(int, int, byte) byte { return '0' + byte(coins.Uint64()&1) }))}, "hardly-differ few-subjects", "model", "Do not rank them"},
		{[]string{file("small.csv", planted(547, 12, 5, as))}, "few-subjects one-sided", "subjects", "ability has only a"},
		{[]string{file("guttman.csv", guttman)}, "perfect-order few-items one-sided", "model", "distances between them are not known"},
		{[]string{file("parts.csv", planted(548, 40, 20, func(s, i int, v byte) byte {
			if (s < 20) != (i < 10) {
				return ' '
			}
			return v
		}))}, "disconnected", "subjects", "2 parts that nothing connects"},
		{[]string{file("reversed.csv", planted(549, 60, 16, func(_, i int, v byte) byte {
			if i == 6 {
				return '0' + '1' - v
			}
			return v
		}))}, "reversed", "items", "negative discrimination"},
		{[]string{file("constant.csv", planted(550, 60, 16, func(s, i int, v byte) byte {
			if i < 2 {
				return '1'
			}
			return v
		}))}, "constant-items", "items", "difficulty has only a bound"},
		{[]string{file("blanks.csv", planted(551, 60, 16, func(s, _ int, v byte) byte {
			if s%2 == 0 {
				return '0'
			}
			return v
		}))}, "blanks", "subjects", "ability has only an upper bound"},
		{[]string{file("steep.csv", planted(552, 250, 8, func(s, i int, v byte) byte {
			switch i {
			case 0:
				return '0' + byte(s%2)
			case 1, 2:
				return '0' + byte(s/125)
			}
			return v
		})), "--model", "2pl"}, "at-bound flat-slopes", "items", "at its bound"},
		{[]string{file("scales.csv", twoScales(554, 400, 16))}, "several-abilities", "", ""},
		{[]string{file("slopes.csv", sloped(555, 150, 14))}, "misfit", "warnings", "items differ in slope. AIC of 2pl is lower by"},
		{[]string{file("levels.csv", levels)}, "absent-categories", "", ""},
		{[]string{file("runs.csv", runs), "--repetition", "run"}, "repeated", "", ""},
		{[]string{filepath.Join(dir, "small60.csv"), "--subjects", file("ages.csv", ages), "--by", "age"}, "median-split small-group no-group", "", ""},
		{[]string{file("many.csv", "a,b,c,n\n0,0,1,1000000\n0,1,0,1500000\n1,1,1,900000\n1,0,1,800000\n"), "--count", "n"}, "not-judged", "", ""},
	} {
		file("small60.csv", planted(553, 60, 16, as))
		out := filepath.Join(dir, fmt.Sprint(k))
		said := must(t, append([]string{"irt", "--out", out}, c.args...)...)
		seen := cellsOf(t, out, "warnings", "kind", 1)
		for _, kind := range strings.Fields(c.kinds) {
			if made[kind] = true; seen[kind] == "" || !strings.Contains(said, "Caution: ") {
				t.Errorf("%s: no warning %s in\n%s\n%s", c.args[0], kind, read(t, filepath.Join(out, "warnings.csv")), said)
			}
		}
		if c.table != "" && !strings.Contains(strings.Join(strings.Fields(must(t, "show", out, c.table)), " "), c.says) {
			t.Errorf("%s: table %s does not say %q:\n%s", c.args[0], c.table, c.says, must(t, "show", out, c.table))
		}
	}
	root := repository(t)
	_, list, _ := strings.Cut(string(read(t, filepath.Join(root, "docs", "guide", "warnings.md"))), "## Warnings of an item analysis")
	list, _, _ = strings.Cut(list, "\n## ")
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ += "([a-z-]+)" +//`).FindAllStringSubmatch(string(read(t, filepath.Join(root, "infer", "irt", "warnings.go"))), -1) {
		if !made[m[1]] || !strings.Contains(list, "`"+m[1]+"`") {
			t.Errorf("%s: made: %t; is it in docs/guide/warnings.md?", m[1], made[m[1]])
		}
	}
}

// twoScales returns responses of which the second half of the items measures an ability of its own, which the first says nothing of.
func twoScales(seed uint64, subjects, items int) string {
	r, able := rng.Stream(seed, "scales"), 0.0
	return planted(seed, subjects, items, func(_, i int, _ byte) byte {
		if i%(items/2) == 0 {
			able = r.Norm()
		}
		return map[bool]byte{true: '1', false: '0'}[r.Float64() < num.Logistic(2*able)]
	})
}

// TestSeveralAbilities checks that items of one ability are not said to measure several.
func TestSeveralAbilities(t *testing.T) {
	dir := t.TempDir()
	for k, shape := range [][2]int{{60, 10}, {200, 16}, {400, 16}, {1000, 24}} {
		file := filepath.Join(dir, fmt.Sprintf("one%d.csv", k))
		write(t, file, []byte(planted(561+uint64(k), shape[0], shape[1], func(_, _ int, v byte) byte { return v })))
		out := filepath.Join(dir, fmt.Sprint(k))
		must(t, "irt", file, "--out", out)
		if _, err := os.Stat(filepath.Join(out, "warnings.csv")); err != nil {
			continue
		}
		for _, kind := range []string{"several-abilities", "misfit"} {
			if strings.Contains(string(read(t, filepath.Join(out, "warnings.csv"))), kind) {
				t.Errorf("%v: %s", shape, kind)
			}
		}
	}
}

// TestIRTRefusals checks what is said where responses or flags are not what irt takes.
func TestIRTRefusals(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		write(t, path, []byte(text))
		return path
	}
	ok := file("ok.csv", "s,a,b,c\nx,1,0,1\ny,0,1,1\nz,1,1,0\nw,0,0,1\n")
	anchor := file("anchor.csv", "item,parameter,estimate\na,slope,x\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"irt"}, "a PATH"},
		{[]string{"irt", file("times.csv", "child,rt_1,rt_2,rt_3\na,312,272,350\nb,354,346,384\nc,256,266,282\nd,260,294,306\ne,470,302,332\nf,344,284,362\ng,308,315,371\nh,401,333,299\n")}, "subject h, item rt_1: 401 is not a category: irt needs 0 and 1, or up to 20 ordered whole numbers; achilles infer"},
		{[]string{"irt", file("real.csv", "s,a,b\nx,0.25,0.5\ny,0.75,0.1\n")}, "is not a category: irt needs 0 and 1, or up to 20 ordered whole numbers; achilles infer"},
		{[]string{"irt", file("half.csv", "s,a,b\nx,0.5,1\ny,0,1\nz,0.5,0\n")}, "--family choice --levels 0=0,0.5=1,1=2"},
		{[]string{"irt", file("same.csv", "s,a,b\nx,1,1\ny,1,1\n")}, "irt needs two"},
		{[]string{"irt", file("alone.csv", "s,a,b\nx,1,0\n")}, "no item has responses of two subjects"},
		{[]string{"irt", file("one.csv", "subject,item,score\nx,a,0\ny,a,1\nz,a,1\n")}, "1 item with different responses, of 1 with any"},
		{[]string{"irt", ok, "--by", "age"}, "--subjects FILE"},
		{[]string{"irt", ok, "--model", "4pl"}, `"rasch", "2pl"`},
		{[]string{"irt", ok, "--abilities", "topic"}, "no such column"},
		{[]string{"irt", ok, "--anchor", anchor}, "anchor.csv:2: column estimate"},
		{[]string{"irt", ok, "--anchor", ok}, "no column item"},
		{[]string{"irt", ok, "--guess", "0.9"}, "from 0.01 to 0.5"},
	} {
		code, _, stderr := achilles(t, append(c.args, "--out", filepath.Join(dir, "none"))...)
		if code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %q, want %q in it", c.args, code, stderr, c.want)
		}
	}
}

// TestIRTOfAbilities: responses that an ability of its own explains are not called alike within the column that names it.
func TestIRTOfAbilities(t *testing.T) {
	dir := t.TempDir()
	r := rng.Stream(3, "abilities")
	var table, items strings.Builder
	items.WriteString("item,ability\n")
	table.WriteString("subject")
	for i := range 12 {
		fmt.Fprintf(&items, "q%d,%s\n", i, []string{"read", "math"}[i%2])
		fmt.Fprintf(&table, ",q%d", i)
	}
	for s := range 300 {
		of := [2]float64{1.5 * r.Norm(), 1.5 * r.Norm()}
		fmt.Fprintf(&table, "\ns%d", s)
		for i := range 12 {
			fmt.Fprintf(&table, ",%d", coin(&r, of[i%2]+float64(i%3)-1))
		}
	}
	paths := map[string]string{"t.csv": table.String() + "\n", "i.csv": items.String()}
	for name, text := range paths {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := func(out string, more ...string) string {
		args := append([]string{"irt", filepath.Join(dir, "t.csv"), "--items", filepath.Join(dir, "i.csv"), "--out", filepath.Join(dir, out)}, more...)
		return strings.Join(strings.Fields(must(t, args...)), " ")
	}
	const clustered = "lusters of responses by ability"
	if got := said("one"); !strings.Contains(got, clustered) {
		t.Errorf("one ability of two:\n%s", got)
	}
	if got := said("two", "--abilities", "ability"); strings.Contains(got, clustered) || strings.Contains(got, "subjects not tested") {
		t.Errorf("two abilities:\n%s", got)
	}
}

// TestIRTOfManyItems analyses more items than standard errors of all parameters together are computed for: the spread of abilities is printed with its
// own, of 1.44/√(2·9), and is not called 0.
func TestIRTOfManyItems(t *testing.T) {
	dir := t.TempDir()
	r := rng.Stream(1, "many items")
	var b strings.Builder
	b.WriteString("subject")
	for i := range 450 {
		fmt.Fprintf(&b, ",q%d", i)
	}
	for s := range 10 {
		fmt.Fprintf(&b, "\ns%d", s)
		for i := range 450 {
			y := 0
			if r.Bernoulli(1 / (1 + math.Exp(float64(i%5-2)-0.5*float64(s-5)))) {
				y = 1
			}
			fmt.Fprintf(&b, ",%d", y)
		}
	}
	file := filepath.Join(dir, "many.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	said := must(t, "irt", file, "--out", filepath.Join(dir, "out"), "--draws", "100")
	if found := regexp.MustCompile(`Standard deviation\s+of\s+abilities\s+(\d\.\d+)\s+\(SE\s+(\d\.\d+)\)\s+log\s+odds`).FindStringSubmatch(said); found == nil {
		t.Errorf("no standard deviation of abilities:\n%s", said)
	} else {
		within(t, "standard deviation", found[1], 1.44, 0.25)
		within(t, "its standard error", found[2], 0.34, 0.08)
	}
}

// TestIRTWithBlanks analyses 60 subjects, half of whom left out an item: M2 is of the others, and the first screen says so.
func TestIRTWithBlanks(t *testing.T) {
	dir := t.TempDir()
	r := rng.Stream(1, "blanks")
	var b strings.Builder
	b.WriteString("subject,q0,q1,q2,q3,q4,q5")
	for s := range 60 {
		fmt.Fprintf(&b, "\ns%d", s)
		ability := r.Norm()
		for i := range 6 {
			cell := ",0"
			if r.Bernoulli(num.Logistic(ability - float64(i%3-1))) {
				cell = ",1"
			}
			if s < 30 && s%6 == i {
				cell = ","
			}
			b.WriteString(cell)
		}
	}
	file := filepath.Join(dir, "blanks.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	said := strings.Join(strings.Fields(must(t, "irt", file, "--out", out)), " ")
	if !strings.Contains(said, "Fit of the 30 subjects without a missing response: M2 ") {
		t.Errorf("M2 is not said to be of some:\n%s", said)
	}
	within(t, "subjects of M2", cellsOf(t, out, "model", "m2_subjects", 1)["rasch"], 30, 0)
	if said := must(t, "irt", lsat6(t), "--count", "count", "--model", "rasch", "--out", filepath.Join(dir, "all")); !strings.Contains(said, "Fit: M2 ") {
		t.Errorf("M2 is said to be of some:\n%s", said)
	}
}

// TestIRTOfCounts analyses numbers of successes of trials, and the same trials one by one: parameters, reliability and the likeness of trials are the same.
func TestIRTOfCounts(t *testing.T) {
	dir := t.TempDir()
	r := rng.Stream(2, "counts")
	counts, trials := strings.Builder{}, strings.Builder{}
	counts.WriteString("model,task,success,n_trials\n")
	trials.WriteString("model,task,epoch,score\n")
	for s := range 60 {
		ability := r.Norm()
		for i := range 6 {
			n, k, tilt := 2+(s+i)%5, 0, r.Norm()
			for e := range n {
				y := coin(&r, ability+tilt+float64(i)/2-1)
				k += y
				fmt.Fprintf(&trials, "s%d,q%d,%d,%d\n", s, i, e, y)
			}
			fmt.Fprintf(&counts, "s%d,q%d,%d,%d\n", s, i, k, n)
		}
	}
	write(t, filepath.Join(dir, "counts.csv"), []byte(counts.String()))
	write(t, filepath.Join(dir, "trials.csv"), []byte(trials.String()))
	said := must(t, "irt", filepath.Join(dir, "counts.csv"), "--out", filepath.Join(dir, "a"))
	must(t, "irt", filepath.Join(dir, "trials.csv"), "--out", filepath.Join(dir, "b"))
	if !strings.Contains(strings.Join(strings.Fields(said), " "), "Responses of a subject to one item are alike beyond ability") {
		t.Errorf("trials that go together are not said to:\n%s", said)
	}
	for _, column := range []string{"responses", "mean", "rest", "difficulty", "difficulty_se"} {
		want := cellsOf(t, filepath.Join(dir, "b"), "items", column, 1)
		for name, got := range cellsOf(t, filepath.Join(dir, "a"), "items", column, 1) {
			if x, err := strconv.ParseFloat(want[name], 64); err != nil {
				t.Fatal(err)
			} else {
				within(t, column+" of "+name, got, x, 1e-6)
			}
		}
	}
}
