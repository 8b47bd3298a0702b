package conf_test

import (
	"strings"
	"testing"

	"achilles/sim/conf"
)

// base has a value of every kind.
const base = `name = "x"
kind = "one"
count = 3
on = true
share = 0.5
range = [0, 1]
names = ["a", "b"]
rule = "1 + 2"
mixed = [1, "a"]
[part]
has_op = "yes"
[[row]]
p = 1
[[row]]
p = 2
[row.deep]
q = 3
`

func read(t *conf.Table) {
	t.NeedText("name", "what it is called")
	t.Text("doc")
	t.Word("kind", "one", "two")
	t.Whole("count", 1, 0, 9)
	t.Flag("on", false)
	t.Number("share", 0, "a fraction from 0 to 1", func(x float64) bool { return x >= 0 && x <= 1 })
	t.Numbers("range", "[lowest, highest]", func(x []float64) bool { return len(x) == 2 && x[0] <= x[1] })
	t.Texts("names")
	t.Expression("rule")
	t.Value("mixed")
	t.Table("part").Text("has_op")
	for _, r := range t.Tables("row") {
		r.Number("p", 0, "a number", nil)
		r.Table("deep").Number("q", 0, "a number", nil)
	}
}

func parse(t *testing.T, text string) *conf.Table {
	t.Helper()
	root, err := conf.Parse("f.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestReadsEveryKind(t *testing.T) {
	root := parse(t, base)
	if read(root); root.Err() != nil {
		t.Fatal(root.Err())
	}
	if got := root.Text("name") + root.Word("kind", "one", "two") + strings.Join(root.Texts("names"), ""); got != "xoneab" {
		t.Errorf("texts are %s", got)
	}
	source, n := root.Expression("rule")
	if root.Whole("count", 1, 0, 9) != 3 || !root.Flag("on", false) || root.Number("share", 0, "", nil) != 0.5 || root.Numbers("range", "", nil)[1] != 1 || source != "1 + 2" || n == nil {
		t.Error("numbers are wrong")
	}
	if rows := root.Tables("row"); len(rows) != 2 || rows[1].Table("deep").Number("q", 0, "", nil) != 3 || rows[1].Place("p").Line != 15 {
		t.Errorf("rows are %v", rows)
	}
	if got := strings.Join(root.Keys(), " "); got != "name kind count on share range names rule mixed part row" {
		t.Errorf("the keys are %s, not in the order of the file", got)
	}
	if absent := root.Table("absent"); absent.There() || absent.Has("x") || absent.Table("y").Text("z") != "" || absent.Tables("w") != nil {
		t.Error("a table that is absent is not empty")
	}
}

// TestRenamed checks that a key is found under its former name, and that of both the first counts, as after Set.
func TestRenamed(t *testing.T) {
	for _, c := range []struct{ text, set, want string }{
		{"now = 1", "", "now"},
		{"was = 1", "", "was"},
		{"", "", "now"},
		{"now = 2", "x.was=1", "was"},
		{"was = 2", "x.now=1", "now"},
	} {
		text := "[x]\n" + c.text + "\n"
		if c.set != "" {
			var err error
			if text, err = conf.Set("f.toml", text, c.set); err != nil {
				t.Fatal(err)
			}
		}
		root, err := conf.Parse("f.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		x := root.Table("x")
		key := x.Renamed("now", "was")
		if got := x.Whole(key, 1, 0, 9); key != c.want || got != 1 || root.Err() != nil {
			t.Errorf("%q: %s = %d, %v; want %s = 1", text, key, got, root.Err(), c.want)
		}
	}
}

// TestFaults checks that each fault gives one line with file, line, key and what would be right.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ why, from, to, want string }{
		{"syntax", `count = 3`, `count = `, `f.toml:3: key count: want a value: a text in quotes, a number, true or false, or a list in brackets, not the end of the line`},
		{"key twice", `count = 3`, "count = 3\ncount = 3", `f.toml:4: key count: is in line 3 already: keep one`},
		{"value of a table", `count = 3`, "count.of = 3\ncount = 3", `f.toml:4: key count: is a table since line 3: keep one`},
		{"inline table of a table", `count = 3`, "count.of = 3\ncount = {to = 3}", `f.toml:4: key count: is a table since line 3: keep one`},
		{"table twice", `[part]`, "[part]\n[part]", `f.toml:11: key part: is in line 10 already: keep one, or write each of a list of tables under [[part]]`},
		{"no equals sign", `count = 3`, `count: 3`, `f.toml:3: want key = value, with one key per line, not ':'`},
		{"no closing quote", `name = "x"`, `name = "x`, `f.toml:1: key name: want a closing quote on the same line, or """ at both ends of a text of several lines (strings cannot contain newlines)`},
		{"no closing bracket", `["a", "b"]`, `["a", "b"`, `f.toml:8: key names: want a comma between the elements of a list, and ] at its end, not 'r'`},
		{"a word without quotes", `"one"`, `one`, `f.toml:2: key kind: want a value: a text in quotes, a number, true or false, or a list in brackets, not "one"`},
		{"a unit", `3`, `3 s`, `f.toml:3: want nothing after a value but a comment, which begins with #; a text is in quotes, not 's'`},
		{"a path of Windows", `name = "x"`, `name = "C:\x\data"`, `f.toml:1: key name: want \\ for a backslash, or the text in single quotes, where a backslash is one, not "C:\\x\\"`},
		{"a number without a digit", `0.5`, `.5`, `f.toml:5: key share: want a number, such as 1000, -0.5 or 1e-3, or a text in quotes (floats must start with a digit, not '.')`},
		{"text", `name = "x"`, `name = 1`, `f.toml:1: key name: want a text in quotes, not 1`},
		{"absent", `name = "x"`, ``, `f.toml: key name: is missing: what it is called`},
		{"empty", `name = "x"`, `name = ""`, `f.toml:1: key name: is missing: what it is called`},
		{"absent, since misspelt", `name = "x"`, `nane = "x"`, `f.toml:1: key nane: unknown key: did you mean name?`},
		{"long list", `["a", "b"]`, `[1, 2, 3, 4, 5, 6, 7, 8, 9]`, `f.toml:7: key names: want a list of texts, such as ["a", "b"], not a list of 9`},
		{"list of lists", `["a", "b"]`, `[["a"]]`, `f.toml:7: key names: want a list of texts, such as ["a", "b"], not a list of 1`},
		{"word", `"one"`, `"ome"`, `f.toml:2: key kind: "ome" is not one of "one", "two": did you mean one?`},
		{"word that is none", `"one"`, `1979-05-27`, `f.toml:2: key kind: want a text in quotes, not a date`},
		{"whole", `3`, `3.5`, `f.toml:3: key count: want a whole number from 0 to 9, not 3.5`},
		{"large", `3`, `10`, `f.toml:3: key count: want a whole number from 0 to 9, not 10`},
		{"flag", `true`, `1`, `f.toml:4: key on: want true or false, not 1`},
		{"number", `0.5`, `2`, `f.toml:5: key share: want a fraction from 0 to 1, not 2`},
		{"NaN", `0.5`, `nan`, `f.toml:5: key share: want a fraction from 0 to 1, not NaN`},
		{"infinite", `p = 1`, `p = inf`, `f.toml:13: key row[0].p: want a number, not +Inf`},
		{"numbers", `[0, 1]`, `[1, 0]`, `f.toml:6: key range: want [lowest, highest], not [1, 0]`},
		{"numbers that are none", `[0, 1]`, `[0, "a"]`, `f.toml:6: key range: want [lowest, highest], not [0, "a"]`},
		{"texts", `["a", "b"]`, `["a", 1]`, `f.toml:7: key names: want a list of texts, such as ["a", "b"], not ["a", 1]`},
		{"expression", `"1 + 2"`, `"1 + + 2 3"`, `f.toml:8: key rule: column 9: expected 'EOF', found 3`},
		{"expression of a list", `"1 + 2"`, `[1]`, `f.toml:8: key rule: want a number or an expression in quotes, not [1]`},
		{"table", "[part]\nhas_op = \"yes\"", `part = 1`, `f.toml:10: key part: want a table, not 1`},
		{"tables", "[[row]]\np = 1\n[[row]]\np = 2\n[row.deep]\nq = 3\n", ``, ``},
		{"list that is no tables", "[[row]]\np = 1\n[[row]]\np = 2\n[row.deep]\nq = 3\n", `[row]`, `f.toml:12: key row: want a list of tables, not a table`},
		{"value in the second row", `q = 3`, `q = "3"`, `f.toml:17: key row[1].deep.q: want a number, not the text "3"`},
		{"unknown", `count =`, `cuont =`, `f.toml:3: key cuont: unknown key: did you mean count?`},
		{"capital letters", `has_op`, `hasOP`, `f.toml:11: key part.hasOP: unknown key: write has_op`},
		{"hyphen", `has_op`, `has-op`, `f.toml:11: key part.has-op: unknown key: write has_op`},
		{"another table's", `on = true`, "on = true\nhas_op = 1", `f.toml:5: key has_op: unknown key: did you mean part.has_op?`},
		{"an old spelling of another table's", `on = true`, "on = true\nhasOP = 1", `f.toml:5: key hasOP: unknown key: did you mean part.has_op?`},
		{"strange", `has_op`, `zzz`, `f.toml:11: key part.zzz: unknown key: there are has_op`},
		{"unknown in a row", `p = 2`, "p = 2\nzz = 1", `f.toml:16: key row[1].zz: unknown key: there are deep, p`},
		{"odd key", `has_op`, `"has op"`, `f.toml:11: key part."has op": unknown key: did you mean has_op?`},
		{"byte order mark", `name = "x"`, "\ufeffname = 1", `f.toml:1: key name: want a text in quotes, not 1`},
		{"two byte order marks", `name = "x"`, "\ufeff\ufeffname = 1", `f.toml:1: begins with two byte order marks`},
		{"UTF-16", `name = "x"`, "\xff\xfen\x00", `f.toml:1: want a text file in UTF-8 (files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8)`},
	} {
		text := strings.Replace(base, c.from, c.to, 1)
		if text == base {
			t.Fatalf("%s: %q is not in the text", c.why, c.from)
		}
		root, err := conf.Parse("f.toml", text)
		if err == nil {
			read(root)
			err = root.Err()
		}
		if got := message(err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.why, got, c.want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestFaultsAreAllThereInOrder(t *testing.T) {
	root := parse(t, "name = 1\nkimd = 2\ncount = \"x\"\n[part]\nhasOP = 1\n")
	read(root)
	var lines []string
	for _, f := range root.Faults() {
		lines = append(lines, strings.SplitN(f.Error(), ": ", 3)[0]+" "+f.Key)
	}
	if got, want := strings.Join(lines, ", "), "f.toml:1 name, f.toml:2 kimd, f.toml:3 count, f.toml:5 part.hasOP"; got != want {
		t.Errorf("faults are %s, want %s", got, want)
	}
}

func TestPlaces(t *testing.T) {
	root := parse(t, base)
	for path, want := range map[string]int{"row[1].deep.q": 17, "row[1].deep.nothing": 16, "row[1].nothing[3].x": 14, "row[7]": 12, "part.has_op": 11, "nowhere": 0} {
		if p := root.At(path); p.Line != want || p.Key != path || p.File != "f.toml" {
			t.Errorf("%s is at %+v, want line %d", path, p, want)
		}
	}
	err := root.Tables("row")[1].At("deep.q").Errorf("too %s", "small")
	if got := err.Error(); got != "f.toml:17: key row[1].deep.q: too small" {
		t.Errorf("error is %s", got)
	}
}

// TestLongValues checks that the message about a long value is one short line.
func TestLongValues(t *testing.T) {
	root := parse(t, `count = """`+strings.Repeat("line\n", 100_000)+`"""`)
	read(root)
	if got := root.Err().Error(); len(got) > 2100 || strings.Contains(got, "\n") {
		t.Errorf("message of %d bytes: %.100s", len(got), got)
	}
}
