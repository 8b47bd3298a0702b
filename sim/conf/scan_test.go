package conf_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"achilles/sim/conf"
)

func TestScan(t *testing.T) {
	const text = `# name = "no key"
name = "a # b = [c]"
"odd key" = 'x'
a.b = 1
text = """
[no.header]
x = "y" \"""
"""
literal = '''
z = 1'''
list = [ # = 1
  { p = 1, q = { r = "]" } },
  [1, 2],
]
[table] # [no]
k = 1979-05-27T07:32:00Z
[[array]]
x = 1
[array.sub]
y = 2
[[array.deep]]
z = 3
[[array]]
x = 4
"\u0061\te" = 1
`
	lines := conf.Lines(text)
	for path, want := range map[string]int{
		"name": 2, `"odd key"`: 3, "a.b": 4, "text": 5, "literal": 9, "list": 11, "list[0].p": 12, "list[0].q.r": 12, "list[1]": 13, "list[1][1]": 13,
		"table": 15, "table.k": 16, "array": 17, "array[0]": 17, "array[0].x": 18, "array[0].sub.y": 20, "array[0].deep[0].z": 22, "array[1]": 23, "array[1].x": 24,
		`array[1]."a\te"`: 25,
	} {
		if lines[path] != want {
			t.Errorf("%s is on line %d, want %d", path, lines[path], want)
		}
	}
	for _, path := range []string{"x", "no", "z", "no.header"} {
		if _, found := lines[path]; found {
			t.Errorf("%s is found, and it stands in a text", path)
		}
	}
}

// shipped adds every TOML file of the project to a corpus.
func shipped(f *testing.F, add func(text string)) {
	n := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".toml" {
			return err
		}
		text, err := os.ReadFile(file)
		add(string(text))
		n++
		return err
	})
	if err != nil || n < 40 {
		f.Fatalf("%d shipped files: %v", n, err)
	}
}

// FuzzParse checks that no text makes Parse panic, that an error is one line that names the file, and that every
// key of a text that Parse accepts has its line and is within the limits.
func FuzzParse(f *testing.F) {
	shipped(f, func(text string) { f.Add(text) })
	for _, h := range hostile() {
		f.Add(h.text[:min(len(h.text), 3000)])
	}
	f.Add("a = [[1], {b.c = '''x''', \"d\\\"e\" = 1}]\n[[x.y]]\n[x.y.z]\n'q' = \"\"\"\\\"\"\"\"\"")
	f.Add("x = { a = 1,\n # c\n b = [ { c = 2 }, ], }\n\"\\e\" = 1")
	f.Fuzz(func(t *testing.T, text string) {
		root, err := conf.Parse("f.toml", text)
		if err != nil {
			if msg := err.Error(); !strings.HasPrefix(msg, "f.toml:") || strings.Contains(msg, "\n") || len(msg) > 3000 {
				t.Errorf("%q: error is %q", text, msg)
			}
			return
		}
		lines := conf.Lines(strings.TrimPrefix(text, "\ufeff"))
		var walk func(path string, v any, depth int)
		walk = func(path string, v any, depth int) {
			if path != "" && lines[path] == 0 {
				t.Errorf("key %s is not found in\n%s", path, text)
			}
			if depth > conf.MaxDepth {
				t.Errorf("depth %d in\n%s", depth, text)
			}
			switch v := v.(type) {
			case map[string]any:
				for key, below := range v {
					walk(conf.Join(path, key), below, depth+1)
				}
			case []any:
				for i, below := range v {
					walk(path+"["+strconv.Itoa(i)+"]", below, depth+1)
				}
			case []map[string]any:
				for i, below := range v {
					walk(path+"["+strconv.Itoa(i)+"]", below, depth+1)
				}
			}
		}
		var tree map[string]any
		if _, err := toml.Decode(text, &tree); err != nil {
			t.Fatalf("%q: read, and then not: %v", text, err)
		}
		walk("", tree, 0)
		for _, key := range root.Keys() { // reading the wrong kind must not panic either
			root.Expression(key)
			root.Numbers(key, "numbers", nil)
			root.Tables(key)
			root.Table(key)
		}
		for _, fault := range root.Faults() {
			if msg := fault.Error(); strings.Contains(msg, "\n") || len(msg) > 3000 {
				t.Errorf("%q: fault is %q", text, msg)
			}
		}
	})
}
