package tabular_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"

	"achilles/render/tabular"
	"achilles/sim/table"
)

var update = flag.Bool("update", false, "rewrite the golden files")

type grade struct {
	subject                          string
	n                                int
	rmse, low, high, published, bias float64
	share                            float64
	right                            bool
	words                            string
}

// grades has what a long table can have: an interval, a value that is better than another, columns with weights, a share in
// per cent, sentences, notes, a subject with wide characters, values that are missing, and a row that sums up the others.
func grades() *table.Table {
	nan := math.NaN()
	t := table.Of(table.Table{Name: "grades", Title: "Grades of three subjects, one of them all together", Key: []string{"subject"}, Worst: []string{"rmse"}, Foot: []string{"In brackets the 95 % interval."}}, []grade{
		{"burnt", 1200, 0.0624, 0.0421, 0.0822, 0.1, -0.0004, 0.5, true, "It copes with everything but lava, which it crosses in one of ten."},
		{"短視", 30, 0.5, nan, nan, 0.25, 0.123, 0, false, ""},
		{"", 1230, 0.0712, 0.05, 0.09, nan, nan, 0.987, true, "a|b & c_d"},
	}, []table.Field[grade]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(g grade) table.Value { return table.Named(g.subject) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "responses"}, func(g grade) table.Value { return table.Int(g.n) }),
		table.Col(table.Column{Name: "rmse", Head: "RMSE", Unit: "cells", Digits: 3, Low: "low", High: "high", Better: table.Less, Than: "published"}, func(g grade) table.Value { return table.Float(g.rmse) }),
		table.Col(table.Column{Name: "low"}, func(g grade) table.Value { return table.Float(g.low) }),
		table.Col(table.Column{Name: "high"}, func(g grade) table.Value { return table.Float(g.high) }),
		table.Col(table.Column{Name: "published", Digits: 2, Weight: 1, Spread: "by_subjects_high"}, func(g grade) table.Value { return table.Float(g.published) }),
		table.Col(table.Column{Name: "bias", Digits: 3, Weight: 2}, func(g grade) table.Value { return table.Float(g.bias) }),
		table.Col(table.Column{Name: "told_right", Head: "right", Digits: 2, Percent: true, Low: "low", High: "high"}, func(g grade) table.Value { return table.Float(g.share) }),
		table.Col(table.Column{Name: "agrees", Kind: table.Flag, Weight: 3}, func(g grade) table.Value { return table.Bool(g.right) }),
		table.Col(table.Column{Name: "by_subjects", Head: "resampled", Digits: 2, To: "by_subjects_high", Weight: 4}, func(g grade) table.Value { return table.Float(g.low / 2) }),
		table.Col(table.Column{Name: "by_subjects_high"}, func(g grade) table.Value { return table.Float(2 * g.high) }),
		table.Col(table.Column{Name: "never", Digits: 1}, func(grade) table.Value { return table.None }),
		table.Col(table.Column{Name: "words", Kind: table.Text, Prose: true}, func(g grade) table.Value { return table.Named(g.words) }),
		table.Col(table.Column{Name: "id", Kind: table.Text, Hidden: true}, func(g grade) table.Value { return table.String("s-" + g.subject) }),
	})
	t.Note(0, "rmse", "burnt: R-hat of lava is 1.02; rerun with --draws 4000")
	t.Note(1, "subject", "another note", "burnt: R-hat of lava is 1.02; rerun with --draws 4000")
	return t
}

type estimate struct {
	subject, parameter               string
	mean, sd, least, most, truth, ev float64
}

// profiles is a long table that is seen as one line for each subject and one column for each parameter.
func profiles() *table.Table {
	nan := math.NaN()
	t := table.Of(table.Table{Name: "profiles", Key: []string{"subject", "parameter"}, View: &table.View{Down: "subject", Across: "parameter", Cell: "mean", Below: []string{"truth"}, Once: []string{"log_evidence"}, Short: map[string]string{"flatNav": "flat"}}}, []estimate{
		{"burnt", "op", 48.9, 3.1, 48.17, 0.98, 52.8, -691.63}, {"burnt", "lava", 0.1134, 0.0101, nan, nan, 0.105, -691.63}, {"burnt", "flatNav", 1, 0, nan, nan, nan, -691.63},
		{"coin", "op", 21.2, 15.4, nan, nan, math.Inf(1), -1518.79}, {"coin", "lava", 0.48, 0.0002, nan, nan, 0, -1518.79},
	}, []table.Field[estimate]{
		table.Col(table.Column{Name: "subject", Kind: table.Text}, func(e estimate) table.Value { return table.String(e.subject) }),
		table.Col(table.Column{Name: "parameter", Kind: table.Text}, func(e estimate) table.Value { return table.String(e.parameter) }),
		table.Col(table.Column{Name: "mean", Digits: -1, Spread: "sd", Low: "least", AtMost: "most"}, func(e estimate) table.Value { return table.Float(e.mean) }),
		table.Col(table.Column{Name: "sd"}, func(e estimate) table.Value { return table.Float(e.sd) }),
		table.Col(table.Column{Name: "least"}, func(e estimate) table.Value { return table.Float(e.least) }),
		table.Col(table.Column{Name: "most"}, func(e estimate) table.Value { return table.Float(e.most) }),
		table.Col(table.Column{Name: "truth", Digits: -1}, func(e estimate) table.Value { return table.Float(e.truth) }),
		table.Col(table.Column{Name: "log_evidence", Digits: 2}, func(e estimate) table.Value { return table.Float(e.ev) }),
	})
	t.Note(3, "subject", "coin: chains disagree")
	return t
}

// answers has two views and rows that no view has.
func answers() *table.Table {
	t := table.Of(table.Table{Name: "answers", Title: "Answers of members", Key: []string{"who", "task"}, Foot: []string{"A foot."},
		View: &table.View{Where: "group", Is: "first"}, More: []table.View{{Title: "Answers of the others", Where: "group", Is: "second", Down: "who", Across: "task", Cell: "said"}, {Title: "Nobody", Where: "group", Is: "none"}},
	}, [][4]string{{"first", "a", "x", "red"}, {"second", "b", "x", "blue"}, {"third", "c", "x", "grey"}, {"first", "a", "y", "green"}, {"second", "b", "y", "black"}, {"first", "d", "x", "pink"}}, []table.Field[[4]string]{
		table.Col(table.Column{Name: "group", Kind: table.Text, Hidden: true}, func(r [4]string) table.Value { return table.String(r[0]) }),
		table.Col(table.Column{Name: "who", Kind: table.Text}, func(r [4]string) table.Value { return table.String(r[1]) }),
		table.Col(table.Column{Name: "task", Kind: table.Text}, func(r [4]string) table.Value { return table.String(r[2]) }),
		table.Col(table.Column{Name: "said", Kind: table.Text}, func(r [4]string) table.Value { return table.String(r[3]) }),
	})
	t.Note(1, "who", "a note on the second view")
	return t
}

// one has a single row, which is laid out as pairs where it does not fit and on pages.
func one() *table.Table {
	t := grades()
	t.Name, t.Title, t.Rows, t.Notes = "one", "Grades of one subject", t.Rows[:1], t.Notes[:1]
	return t
}

func tables() []*table.Table { return []*table.Table{grades(), profiles(), answers(), one()} }

func TestGolden(t *testing.T) {
	for _, x := range tables() {
		if err := x.Check(); err != nil {
			t.Fatal(err)
		}
		for ext, got := range map[string][]byte{
			"60.txt": tabular.Text(x, 60), "100.txt": tabular.Text(x, 100), "csv": tabular.CSV(x), "json": tabular.JSON(x),
			"md": tabular.Markdown(x), "tex": tabular.LaTeX(x), "html": []byte(tabular.HTML(x, x.Name, tabular.Watch{"burnt": "achilles view ."})),
		} {
			path := filepath.Join("testdata", x.Name+"."+ext)
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, got) {
				t.Errorf("%s (-update rewrites it):\n%s", path, cmp.Diff(string(want), string(got)))
			}
		}
	}
}

// TestLaTeX checks what LaTeX would take for commands, or has no letter for: by hand, after its manual.
func TestLaTeX(t *testing.T) {
	x := table.Of(table.Table{Name: "x", Title: "θ ≤ 1 & τ → ∞", Foot: []string{"[q5, q95]"}}, []string{"[0.1, 0.2]", "*", `a_b{c}\d`, "50 % of #1", "−1 ± <0.5", "$5 | ~^"}, []table.Field[string]{
		table.Col(table.Column{Name: "a_name", Kind: table.Text}, func(s string) table.Value { return table.String(s) }),
	})
	want := `\begin{table}
\centering
\begin{threeparttable}
\caption{$\theta$ $\leq$ 1 \& $\tau$ $\to$ $\infty$}
\begin{tabular}{l}
\toprule
a name \\
\midrule
{[}0.1, 0.2] \\
{*} \\
a\_b\{c\}\textbackslash{}d \\
50 \% of \#1 \\
$-$1 $\pm$ \textless{}0.5 \\
\$5 \textbar{} \textasciitilde{}\textasciicircum{} \\
\bottomrule
\end{tabular}
\begin{tablenotes}
\item {[}q5, q95]
\end{tablenotes}
\end{threeparttable}
\end{table}
`
	if got := string(tabular.LaTeX(x)); got != want {
		t.Errorf("LaTeX: %s", cmp.Diff(want, got))
	}
}

// TestErrorInParentheses checks that a standard error is printed behind its estimate in parentheses, with the estimate's decimals, and
// has no column of its own; ± is for standard deviations.
func TestErrorInParentheses(t *testing.T) {
	x := table.Of(table.Table{Name: "x", Title: "X"}, []float64{1.25, -2}, []table.Field[float64]{
		table.Col(table.Column{Name: "slope", Digits: 2, Error: "slope_se"}, func(x float64) table.Value { return table.Float(x) }),
		table.Col(table.Column{Name: "slope_se"}, func(x float64) table.Value {
			if x < 0 {
				return table.None
			}
			return table.Float(x / 10)
		}),
	})
	if got, want := string(tabular.Text(x, 60)), "X\nslope\n1.25 (0.12)\n−2.00\n"; strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestWidth checks at every width that no line is wider, unless the first column and one other need more, and that every
// printed column is there or named as left out.
func TestWidth(t *testing.T) {
	for _, x := range tables() {
		for width := 40; width < 200; width++ {
			text := string(tabular.Text(x, width))
			for line := range strings.Lines(text) {
				if n := uniseg.StringWidth(strings.TrimRight(line, "\n")); n > width {
					t.Errorf("%s at %d: a line of %d: %s", x.Name, width, n, line)
				}
			}
			for _, head := range map[string][]string{"grades": {"RMSE, cells", "published", "bias", "right", "agrees", "resampled", "words"}, "profiles": {"op", "lava", "flat", "log evidence"}, "one": {"RMSE, cells", "published", "agrees", "resampled", "every"}, "answers": {"who", "task", "said", "green", "blue", "the others"}}[x.Name] {
				if !strings.Contains(text, head) {
					t.Errorf("%s at %d has no %s:\n%s", x.Name, width, head, text)
				}
			}
		}
	}
}

// TestLongWords lays out names, lists and heads that are wider than the screen: no line is, and no letter is lost.
func TestLongWords(t *testing.T) {
	type row struct {
		name, list string
		n          float64
	}
	long := "organisation/a-model-of-many-billions-of-parameters-quantised-to-4-bits-instructed-2026-01-31"
	for _, rows := range [][]row{{{"a", "[[46,111],[70,90],[70,50],[106,48],[110,50],[110,110],[90,150],[92,154],[95,157]]", 1}}, {{long, "x", 1}, {"b", long + long, 2}}, {{"信" + long, "長長長長長長長長長長長長長長長長長長長長長長長長長長長長長長", 3}}} {
		x := table.Of(table.Table{Name: "x", Key: []string{"name"}}, rows, []table.Field[row]{
			table.Col(table.Column{Name: "name", Kind: table.Text}, func(r row) table.Value { return table.String(r.name) }),
			table.Col(table.Column{Name: "n", Digits: 1}, func(r row) table.Value { return table.Float(r.n) }),
			table.Col(table.Column{Name: "a_list_of_places_with_a_head_that_is_longer_than_all_there_is_in_it", Kind: table.Text}, func(r row) table.Value { return table.String(r.list) }),
		})
		for width := 50; width < 260; width++ {
			text := string(tabular.Text(x, width))
			letters := map[rune]int{}
			for _, c := range text {
				letters[c]++
			}
			for line := range strings.Lines(text) {
				if n := uniseg.StringWidth(strings.TrimRight(line, "\n")); n > width {
					t.Errorf("at %d: a line of %d: %s", width, n, line)
				}
			}
			for _, r := range rows {
				for _, c := range strings.ReplaceAll(r.list, " ", "") {
					if letters[c]--; letters[c] < 0 {
						t.Fatalf("at %d a %q is lost:\n%s", width, c, text)
					}
				}
			}
		}
	}
}

// TestFormsParse checks that the machine-readable forms parse, and that values come back from CSV as they were.
func TestFormsParse(t *testing.T) {
	for _, x := range tables() {
		rows, err := csv.NewReader(bytes.NewReader(tabular.CSV(x))).ReadAll()
		if err != nil || len(rows) != len(x.Rows)+1 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for i, row := range rows[1:] {
			for k, text := range row {
				v, err := table.Parse(x.Columns[k].Kind, text)
				if err != nil || v != x.Rows[i][k] {
					t.Errorf("%s, row %d, %s: %q is %v (%v), was %v", x.Name, i, x.Columns[k].Name, text, v, err, x.Rows[i][k])
				}
			}
		}
		var objects []map[string]any
		if err := json.Unmarshal(tabular.JSON(x), &objects); err != nil || len(objects) != len(x.Rows) || len(objects[0]) != len(x.Columns) {
			t.Errorf("JSON: %v", err)
		}
		d := xml.NewDecoder(strings.NewReader("<div>" + string(tabular.HTML(x, x.Name, nil)) + "</div>"))
		for err = nil; err == nil; {
			_, err = d.Token()
		}
		if err != io.EOF {
			t.Errorf("HTML: %v", err)
		}
		cells := -1
		for line := range strings.Lines(string(tabular.Markdown(x))) {
			if !strings.HasPrefix(line, "|") {
				cells = -1
				continue
			}
			if n := strings.Count(strings.ReplaceAll(line, "\\|", ""), "|"); cells >= 0 && n != cells {
				t.Errorf("Markdown: %d bars, then %d in %s", cells, n, line)
			} else {
				cells = n
			}
		}
	}
}

// TestOmittedNames checks that names of omitted columns can be told apart where one has a comma.
func TestOmittedNames(t *testing.T) {
	of := func(heads ...string) string {
		fields := []table.Field[int]{table.Col(table.Column{Name: "n", Kind: table.Count}, func(n int) table.Value { return table.Int(n) })}
		for i, head := range heads {
			fields = append(fields, table.Col(table.Column{Name: string(rune('a' + i)), Head: head, Kind: table.Count, Weight: 1}, func(n int) table.Value { return table.Int(n) }))
		}
		return string(tabular.Text(table.Of(table.Table{Name: "x"}, []int{1, 2}, fields), 8))
	}
	if got := strings.Join(strings.Fields(of("sampled", "stay-put")), " "); !strings.HasSuffix(got, "sampled, stay-put.") {
		t.Errorf("%q", got)
	}
	if got := strings.Join(strings.Fields(of("sampled", "sampled, group")), " "); !strings.HasSuffix(got, "sampled; sampled, group.") {
		t.Errorf("%q", got)
	}
}

// TestTall checks that an HTML table is in a box that scrolls from 30 lines on.
func TestTall(t *testing.T) {
	for n, want := range map[int]bool{29: false, 30: false, 31: true} {
		x := table.Of(table.Table{Name: "t", Key: []string{"i"}}, make([]int, n), []table.Field[int]{table.Col(table.Column{Name: "i", Kind: table.Count}, func(int) table.Value { return table.Int(1) })})
		if got := strings.Contains(string(tabular.HTML(x, "t", nil)), "tall"); got != want {
			t.Errorf("%d lines: %v", n, got)
		}
	}
}

// TestBrief checks that a brief table keeps to its height where it has more than one row, and says how much it leaves out: rows
// without the one that sums up the others, and columns side by side, not values of a long table.
func TestBrief(t *testing.T) {
	for _, c := range []struct {
		table         *table.Table
		width, height int
		lines         int
		rest, omitted string
	}{
		{grades(), 200, 9, 4, "", ""},
		{grades(), 50, 9, 4, "3 of 4 columns", "published, bias, agrees, resampled"},
		{grades(), 200, 1, 2, "1 of 2 rows", ""},
		{profiles(), 200, 9, 5, "", ""},
		{profiles(), 200, 2, 3, "1 of 2 rows", ""},
		{profiles(), 30, 9, 5, "1 of 4 columns", ""},
	} {
		text, rest, omitted := tabular.Brief(c.table, c.width, c.height)
		if n := strings.Count(string(text), "\n"); n != c.lines || rest != c.rest || strings.Join(omitted, ", ") != c.omitted {
			t.Errorf("%s, %d × %d: %d lines, %q and %q left, want %d, %q and %q:\n%s", c.table.Name, c.width, c.height, n, rest, omitted, c.lines, c.rest, c.omitted, text)
		}
	}
}

// TestWhereOfNothing checks that a condition on a text column holds for no row of an empty table, and that a column that is not there
// is still an error.
func TestWhereOfNothing(t *testing.T) {
	empty := &table.Table{Name: "correlations", Columns: []table.Column{{Name: "set"}, {Name: "spearman"}}}
	if got, err := tabular.Where(empty, `set == "all"`); err != nil || len(got.Rows) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := tabular.Where(empty, `group == "all"`); err == nil {
		t.Error("no error for a column that is not there")
	}
}
