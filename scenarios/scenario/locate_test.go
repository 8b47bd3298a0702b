package scenario_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"achilles/scenarios"
	"achilles/scenarios/scenario"
)

func TestLocate(t *testing.T) {
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
`
	lines := scenario.LocateLines(text)
	for path, want := range map[string]int{
		"name": 2, `"odd key"`: 3, "a.b": 4, "text": 5, "literal": 9, "list": 11, "list[0].p": 12, "list[0].q.r": 12, "list[1]": 13, "list[1][1]": 13,
		"table": 15, "table.k": 16, "array": 17, "array[0]": 17, "array[0].x": 18, "array[0].sub.y": 20, "array[0].deep[0].z": 22, "array[1]": 23, "array[1].x": 24,
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

// keysWithoutIndex are the paths that locate finds, without their indices, as the decoder lists them.
func keysWithoutIndex(text string) map[string]bool {
	found := map[string]bool{}
	for path := range scenario.LocateLines(text) {
		found[regexp.MustCompile(`\[\d+\]`).ReplaceAllString(path, "")] = true
	}
	return found
}

// FuzzLocate: in valid TOML every key that the decoder knows is found, and on anything else locate ends.
func FuzzLocate(f *testing.F) {
	f.Add(small)
	f.Add("a = [[1], {b.c = '''x''', \"d\\\"e\" = 1}]\n[[x.y]]\n[x.y.z]\n'q' = \"\"\"\\\"\"\"\"\"")
	for _, name := range scenarios.Names() {
		text, _ := scenarios.FS.ReadFile(name + ".toml")
		f.Add(string(text[:min(len(text), 4000)]))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return
		}
		found := keysWithoutIndex(text)
		var m map[string]any
		meta, err := toml.Decode(text, &m)
		if err != nil {
			return
		}
		bare := regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
		for _, key := range meta.Keys() {
			plain := true
			for _, k := range key {
				plain = plain && bare.MatchString(k)
			}
			if path := strings.Join(key, "."); plain && !found[path] {
				t.Errorf("key %s is not found in\n%s", path, text)
			}
		}
	})
}

// FuzzCheck: whatever the text, Check ends, and every error is one line that names the file.
func FuzzCheck(f *testing.F) {
	f.Add(small)
	for _, spoil := range []string{"[battery]", "rule", "0.2", `"`, "\n", "[[agent]]"} {
		f.Add(strings.Replace(small, spoil, "", 1))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 || strings.Contains(text, "count") && regexp.MustCompile(`count\s*=\s*\+?[\d_]{4}`).MatchString(text) {
			return // large populations are legal and slow
		}
		for _, err := range scenario.Check("file.toml", text) {
			if msg := err.Error(); !strings.HasPrefix(msg, "file.toml") {
				t.Errorf("error does not name the file: %s", msg)
			}
		}
	})
}

// FuzzOverride: a setting that is accepted leaves valid TOML with that value, and nothing else changed.
func FuzzOverride(f *testing.F) {
	f.Add(small, "responses.repetitions=3")
	f.Add(small, "battery.where=lava == 1")
	f.Add("a = {}\n[b]\n[[c]]\n", "c[0].d=[1, 2]")
	f.Add("a.b = 1", "a.c=2")
	f.Fuzz(func(t *testing.T, text, setting string) {
		out, err := scenario.Override(text, setting)
		if err != nil {
			return
		}
		var before, after map[string]any
		if _, err := toml.Decode(text, &before); err != nil {
			t.Fatalf("%q was accepted", text)
		}
		if _, err := toml.Decode(out, &after); err != nil {
			t.Fatalf("%s makes %q of %q", setting, out, text)
		}
		key, value, _ := strings.Cut(setting, "=")
		if strings.ContainsAny(key, ".[") {
			return
		}
		var want map[string]any
		if _, err := toml.Decode("x = "+strings.TrimSpace(value), &want); err != nil || strings.Contains(strings.TrimSpace(value), "\n") {
			want = map[string]any{"x": strings.TrimSpace(value)}
		}
		key = strings.TrimSpace(key)
		if fmt.Sprint(after[key]) != fmt.Sprint(want["x"]) {
			t.Errorf("%s sets %v, want %v", setting, after[key], want["x"])
		}
		delete(before, key)
		delete(after, key)
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%s changes more than its key:\n%s\nbecame\n%s", setting, text, out)
		}
	})
}
