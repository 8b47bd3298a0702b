package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"achilles/sim/rng"
)

// coin returns 0 or 1, the latter with this probability in log odds.
func coin(r *rng.Rand, logOdds float64) int {
	if r.Float64() < 1/(1+math.Exp(-logOdds)) {
		return 1
	}
	return 0
}

// childrenTable returns children × trials as European spreadsheets write them: semicolons, decimal commas, an age, a word for a missing
// response. Ability grows by 1.5 log odds a year.
func childrenTable(seed uint64) string {
	r := rng.Stream(seed, "children")
	var b strings.Builder
	b.WriteString("child;age;trial;correct\n")
	for s := range 40 {
		age := 3 + float64(s)/10
		ability := 1.5*(age-5) + 0.7*r.Norm()
		for i := range 12 {
			value := fmt.Sprint(coin(&r, ability-float64(i)/3+2))
			if (s+i)%23 == 0 {
				value = "ill"
			}
			fmt.Fprintf(&b, "k%02d;%s;t%02d;%s\n", s, strings.Replace(fmt.Sprintf("%.1f", age), ".", ",", 1), i, value)
		}
	}
	return b.String()
}

// matrixTable returns subjects × items of a Rasch model, as a table with a column an item. odd may change a cell; "" is no response.
func matrixTable(seed uint64, subjects, items int, odd func(s, i, x int) string) string {
	r := rng.Stream(seed, "matrix")
	var b strings.Builder
	b.WriteString("person")
	for i := range items {
		fmt.Fprintf(&b, ",q%02d", i)
	}
	for s := range subjects {
		fmt.Fprintf(&b, "\np%03d", s)
		ability := 1.5 * r.Norm()
		for i := range items {
			b.WriteString("," + odd(s, i, coin(&r, ability+2*float64(i%5)/4-1)))
		}
	}
	return b.String() + "\n"
}

// questionnaire returns the agreement of 25 people of some age with ten statements, from 1 to 5, by a graded response model.
func questionnaire(seed uint64) string {
	r := rng.Stream(seed, "questionnaire")
	var b strings.Builder
	b.WriteString("person,age")
	var slope [10]float64
	var ends [10][4]float64
	for i := range slope {
		fmt.Fprintf(&b, ",item %d", i+1)
		slope[i] = math.Exp(0.2 + 0.5*r.Norm())
		at := -1.5
		for k := range ends[i] {
			at += 0.8 * r.Float64()
			ends[i][k] = at
		}
	}
	for s := range 25 {
		fmt.Fprintf(&b, "\np%02d,%d", s, 20+s)
		ability := r.Norm()
		for i := range slope {
			u, x := r.Float64(), 1
			for _, end := range ends[i] {
				if u < 1/(1+math.Exp(slope[i]*(end-ability))) {
					x++
				}
			}
			fmt.Fprintf(&b, ",%d", x)
		}
	}
	return b.String() + "\n"
}

// bitsTable returns a table with a word of responses a subject.
func bitsTable(words string) string {
	var b strings.Builder
	for s, word := range strings.Fields(words) {
		if s == 0 {
			b.WriteString("subject")
			for i := range word {
				fmt.Fprintf(&b, ",q%d", i+1)
			}
		}
		fmt.Fprintf(&b, "\ns%d,%s", s+1, strings.Join(strings.Split(word, ""), ","))
	}
	return b.String() + "\n"
}

func usual(_, _, x int) string { return fmt.Sprint(x) }

// inspectFolder writes logs of models that pass samples with two demands, one of which stands within an object of the metadata.
func inspectFolder(t *testing.T, dir string) {
	r := rng.Stream(501, "inspect")
	for m := range 5 {
		var samples []string
		for i := range 40 {
			x := coin(&r, float64(m)+1.5-float64(i%5)) * coin(&r, 4-float64(m)/2-float64(i/8))
			samples = append(samples, fmt.Sprintf(`{"id":"s%02d","epoch":1,"metadata":{"difficulty":{"steps":%d},"words":%d},"scores":{"match":{"value":"%s"}}}`, i, i%5+1, i/8+1, []string{"I", "C"}[x]))
		}
		write(t, filepath.Join(dir, fmt.Sprintf("m%d.json", m)), fmt.Appendf(nil, `{"version":2,"status":"success","eval":{"task":"mazes","task_id":"t%d","run_id":"r%d","model":"lab/m%d","created":"2026-11-01T10:00:0%d+00:00"},"samples":[%s]}`, m, m, m, m, strings.Join(samples, ",")))
	}
}

// TestAsk goes from files to an answer without a file written by hand, and looks for what the answer must say.
func TestAsk(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		write(t, filepath.Join(dir, name), []byte(text))
		return filepath.Join(dir, name)
	}
	logs := filepath.Join(dir, "logs")
	if err := os.Mkdir(logs, 0o755); err != nil {
		t.Fatal(err)
	}
	inspectFolder(t, logs)
	likert := file("likert.csv", matrixTable(508, 30, 4, func(s, i, x int) string { return fmt.Sprint(1 + (s*(i+3)/7+2*x)%5) }))
	for _, c := range []struct {
		name string
		args []string
		want []string // in the answer
		not  string
	}{
		{"subjects × items", []string{file("tests.csv", matrixTable(501, 120, 5, usual))},
			[]string{"120 subjects × 5 items: 600 responses", "Layout rasch, because:", "items have no demands", "Subjects by ability", "difficulty", "a pass in every response: ability has only a lower bound"}, ""},
		{"children", []string{file("children.csv", childrenTable(501)), "--missing", "ill"},
			[]string{"Layout rasch-growth, because:", "covariate age: the mean ability changes in proportion to it", "\nsuccess rate  ", "\nrasch-growth", "\nrasch ", "perAge", "do not decide between it and rasch"}, ""},
		{"an Inspect folder", []string{logs},
			[]string{"2: difficulty_steps, words", "2 demands", "pools by log evidence of the responses that are not held out: product", "Pools of demands compared", "\nsoftmin", "\ngeometric", "\nadditive", "lab/m4", "\nrasch"}, ""},
		{"few", []string{file("few.csv", matrixTable(502, 12, 5, usual))}, []string{"How well layout rasch predicts is not known: ", "responses held out, fewer than 20, show nothing"}, "better than"},
		{"one subject", []string{file("one.csv", matrixTable(503, 1, 30, usual))}, []string{"1 subject × 30 items", "only one subject: p000", "fewer than 20", "\np000  "}, "1 subjects"},
		{"one item", []string{file("item.csv", matrixTable(504, 40, 1, usual))}, []string{"40 subjects × 1 item:", "only one item: q00"}, "1 items"},
		{"all pass", []string{file("all.csv", matrixTable(505, 12, 8, func(s, i, x int) string { return "1" }))},
			[]string{"responses that are all the same", "subjects with a pass in every response: p000, p001", "items with a pass in every response: q00"}, "better than"},
		{"two parts", []string{file("parts.csv", matrixTable(506, 40, 20, func(s, i, x int) string {
			if (s < 25) != (i < 12) {
				return ""
			}
			return fmt.Sprint(x)
		}))}, []string{"part 1: 25 subjects, 12 items, part 2: 15 subjects, 8 items", "within each part", "across parts nothing compares them"}, ""},
		{"a copy and a reversed item", []string{file("odd.csv", copiedTable())}, []string{"agree beyond chance: p000, p001", "items with negative discrimination: q07", "] negative discrimination", "] responses agree beyond chance", "with doubtful ones in between"}, ""},
		{"ordered categories", []string{likert, "--model", "pcm"}, []string{"5 categories, treated as ordered", "numbered from 0", "Layout pcm, because:", "squared error"}, ""},
		{"discriminations of few", []string{file("steep.csv", bitsTable("11110 00010 11011 01111 00010 11111 00111 11111 01011 00110 00000 01010")), "--model", "2pl"}, []string{"too far from normal for the approximation, and was sampled", "Layout 2pl, because:", "with their 90 % intervals. "}, "--engine laplace"},
		{"a questionnaire", []string{file("questionnaire.csv", questionnaire(1)), "--model", "grm"}, []string{"covariates are left out, because", "--model grm writes the layout with them", "Layout grm, because:"}, "perAge"},
	} {
		out := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"))
		said := must(t, append([]string{"ask", "--out", out}, c.args...)...)
		said += string(read(t, filepath.Join(out, "answer.md"))) // where cells have one line
		for _, want := range c.want {
			if !strings.Contains(strings.Join(strings.Fields(said), " "), strings.Join(strings.Fields(want), " ")) {
				t.Errorf("%s: no %q in\n%s", c.name, want, said)
			}
		}
		if c.not != "" && strings.Contains(said, c.not) {
			t.Errorf("%s: %q in\n%s", c.name, c.not, said)
		}
		if !strings.HasPrefix(string(read(t, filepath.Join(out, "answer.md"))), "# "+filepath.Base(out)+"\n") {
			t.Errorf("%s: answer.md has no heading", c.name)
		}
		for _, name := range []string{"layout.toml", "mapping.toml", "report/index.html", "scores/scores.json"} {
			if len(read(t, filepath.Join(out, filepath.FromSlash(name)))) == 0 {
				t.Errorf("%s: %s is empty", c.name, name)
			}
		}
	}
	// Only the person knows whether categories are ordered.
	code, _, stderr := achilles(t, "ask", likert, "--out", filepath.Join(dir, "question"))
	if code != 1 || !strings.Contains(stderr, "question: are the categories of the score ordered") || !strings.Contains(stderr, "--model pcm") {
		t.Errorf("of categories: exit %d, %s", code, stderr)
	}
}

// copiedTable returns a table in which one subject has copied another, and an item is scored the wrong way round.
func copiedTable() string {
	lines := strings.Split(matrixTable(507, 60, 40, func(s, i, x int) string {
		if i == 7 {
			x = 1 - x
		}
		return fmt.Sprint(x)
	}), "\n")
	lines[2] = "p001" + strings.TrimPrefix(lines[1], "p000")
	return strings.Join(lines, "\n")
}

// TestAskRepeats imports by the mapping and infers by the layout that ask wrote, with the command on its page: the result has the same
// bytes. Asking again changes nothing, and overwrites no layout that was edited.
func TestAskRepeats(t *testing.T) {
	dir := t.TempDir()
	table, out, again := filepath.Join(dir, "children.csv"), filepath.Join(dir, "out"), filepath.Join(dir, "again")
	write(t, table, []byte(childrenTable(502)))
	ask := []string{"ask", table, "--missing", "ill", "--out", out}
	must(t, ask...)
	page := read(t, filepath.Join(out, "answer.md"))
	must(t, "import", table, "--mapping", filepath.Join(out, "mapping.toml"), "--out", again)
	m := regexp.MustCompile(`Infer again: achilles (infer .*)`).FindSubmatch(page)
	if m == nil {
		t.Fatalf("no command on the page:\n%s", page)
	}
	args := strings.Fields(string(m[1]))
	for i := range args {
		if args[i] == filepath.ToSlash(out) {
			args[i] = again
		}
	}
	must(t, args...)
	for _, name := range []string{"public/manifest.json", "inferred/manifest.json", "inferred/profiles.csv"} {
		if string(read(t, filepath.Join(out, name))) != string(read(t, filepath.Join(again, name))) {
			t.Errorf("%s is other", name)
		}
	}
	must(t, ask...)
	if string(read(t, filepath.Join(out, "answer.md"))) != string(page) {
		t.Error("asked again, it says something else")
	}
	write(t, filepath.Join(out, "layout.toml"), []byte("# mine\n"))
	if code, _, stderr := achilles(t, ask...); code != 1 || !strings.Contains(stderr, "layout.toml") || !strings.Contains(stderr, "--force overwrites it") {
		t.Errorf("over an edited layout: exit %d, %s", code, stderr)
	}
}

// TestCompareLayouts compares layouts on mazes: no number of jobs changes what is said, and a layout for another measure names those that
// fit.
func TestCompareLayouts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mazes")
	examples := filepath.Join(repository(t), "docs", "examples")
	must(t, "import", "--items", filepath.Join(examples, "maze-items.csv"), "--responses", filepath.Join(examples, "maze-responses.csv"), "--mapping", filepath.Join(examples, "maze.toml"), "--out", dir)
	compare := []string{"layouts", "compare", dir, "constant", filepath.Join(examples, "maze-layout.toml"), "rasch"}
	said := must(t, compare...)
	for _, want := range []string{"\nsuccess rate  ", "\nconstant", "\nmaze", "\nrasch", "LOO", "log evidence"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if again := must(t, append(compare, "--jobs", "3")...); again != said {
		t.Errorf("jobs change the comparison:\n%s\n%s", said, again)
	}
	if code, _, stderr := achilles(t, "layouts", "compare", dir, "grm"); code != 1 || !strings.Contains(stderr, "of the shipped ones these fit") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
