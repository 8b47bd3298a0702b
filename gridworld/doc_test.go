package gridworld_test

import (
	"os"
	"strings"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/gridtest"
)

// TestDocumentation checks every example of docs/reference/gridworld.md: worlds parse, films run as written, and
// the texts marked as canonical are what String returns.
func TestDocumentation(t *testing.T) {
	const name = "../docs/reference/gridworld.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	parts := strings.Split(string(text), "\n```")
	line := 1
	for i, part := range parts {
		kind, body, _ := strings.Cut(part, "\n")
		if i%2 == 1 {
			count[kind]++
			example(t, name, line, kind, body+"\n")
		}
		line += strings.Count(part, "\n") + 1
	}
	if len(parts)%2 == 0 || count["world"] == 0 || count["world canonical"] == 0 || count["film"] < 4 || len(count) != 3 {
		t.Errorf("%s has examples %v: the test does not see what it should", name, count)
	}
}

func example(t *testing.T, name string, line int, kind, body string) {
	if kind == "film" {
		for _, fault := range gridtest.Film(body) {
			t.Errorf("%s: example at line %d: %s", name, line, fault)
		}
		return
	}
	w, err := gridworld.Parse(body)
	if err != nil {
		t.Errorf("%s: example at line %d: %v", name, line, err)
	} else if kind == "world canonical" && w.String() != body {
		t.Errorf("%s: example at line %d is not canonical, but\n%s", name, line, w)
	}
}

// TestDocumentationListsEveryKind checks that the reference names every kind of cell.
func TestDocumentationListsEveryKind(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/gridworld.md")
	if err != nil {
		t.Fatal(err)
	}
	for k := range gridworld.Kind(gridworld.Kinds) {
		if !strings.Contains(string(text), "`"+k.String()+"`") {
			t.Errorf("no kind %s in the table of cells", k)
		}
	}
}
