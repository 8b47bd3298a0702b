package worlds_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/worlds"
	"achilles/gridworld/gridtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// film returns the film of an item in a small world, with what it is of in its first line: the name of a paradigm in designs, and then
// names of factors, each followed by its level.
func film(t testing.TB, codings []*worlds.Coding, what string) string {
	t.Helper()
	words := strings.Fields(what)
	for _, c := range codings {
		if !slices.Contains(c.Factors()[0].Text, words[0]) {
			continue
		}
		wells := c.Factors()[0].Name == "paradigm"
		level := map[string]float64{"goalSize": 2, "goalDistance": 16}
		if wells {
			maps.Copy(level, map[string]float64{"occluder": 1, "congruent": 0, "timeUnderOcclusion": 1, "numPositions": 2, "rightLeft": 1})
		}
		for i := 1; i+1 < len(words); i += 2 {
			x, err := strconv.ParseFloat(words[i+1], 64)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			level[words[i]] = x
		}
		fs := []battery.Factor{{Name: c.Factors()[0].Name, Text: words[:1]}}
		for name, x := range level {
			fs = append(fs, battery.Factor{Name: name, Number: []float64{x}})
		}
		g, point := c.Generator(fs...), c.Generator(fs...).First()
		if !wells { // their rooms are those of the default design
			g = c.Generator()
		}
		it, err := g.Item(1, 1-is(wells), point)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return fmt.Sprintf("// %s\n%s", what, batterytest.Strip(t, it, g.Way(), g.Sighting(), wells))
	}
	t.Fatalf("no paradigm of %s", what)
	return ""
}

func is(claim bool) int {
	if claim {
		return 1
	}
	return 0
}

// TestFilms checks that every film in testdata, which was checked by eye, is that of the item which its first line names, that every
// paradigm has one, and that all are true of their worlds (gridtest.Films). The -update flag rewrites the films; a file with
// a first line is enough for a new one.
func TestFilms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range codings() {
		for _, name := range c.Factors()[0].Text {
			if !slices.Contains(files, filepath.Join("testdata", map[string]string{"cup": "cups", "cv": "chick"}[name]+".txt")) && !slices.Contains(files, filepath.Join("testdata", name+".txt")) {
				t.Errorf("paradigm %s has no film", name)
			}
		}
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(want), "\n")
		got := film(t, codings(), strings.TrimPrefix(first, "// "))
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if got != string(want) {
			t.Errorf("%s: the item is\n%swant\n%s", file, got, want)
		}
	}
	gridtest.Films(t, os.DirFS("testdata"), "*.txt")
}

func codings() []*worlds.Coding {
	return []*worlds.Coding{worlds.Displaced(), worlds.Comparative(), worlds.Radial(), worlds.Physical(), worlds.OPIAAGETS()}
}
