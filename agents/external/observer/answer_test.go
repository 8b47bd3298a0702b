package observer_test

import (
	"slices"
	"strings"
	"testing"

	"achilles/agents/external/observer"
	"achilles/sim/record"
)

// watched returns one item with two videos.
func watched() []record.Watched {
	return []record.Watched{{Item: "i-1", Videos: make([]record.Video, 2)}}
}

// asked returns the names under which an observer is asked about the videos of items.
func asked(t testing.TB, items []record.Watched) (names []string) {
	t.Helper()
	var said strings.Builder
	if err := observer.Write(&said, items, observer.Pixels); err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(said.String(), `"video":"`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// TestLongAnswers checks that Read refuses a line without an end and an answer with too many steps, instead of keeping
// them in memory, and text that is no answer.
func TestLongAnswers(t *testing.T) {
	items := watched()
	name := asked(t, items)[0]
	for _, c := range []struct{ why, text, want string }{
		{"a line without an end", strings.Repeat("x", 1<<24+1), "too long"},
		{"more steps than a video has frames", `{"video": "` + name + `", "surprise": 1, "steps": [` + strings.Repeat("0,", 1<<14) + "0]}", "line 1: 16385 steps; at most 16384"},
		{"a path with half a point", `{"video": "` + name + `", "surprise": 1, "path": [[1, 2], [3]]}`, "line 1: a point of path has 1 numbers; want [x, y], in pixels"},
		{"a path outside", `{"video": "` + name + `", "surprise": 1, "path": [[1, -2]]}`, "line 1: path: -2; want pixels, from 0 to 4096"},
		{"an answer that is no text", "\xff\x00\n", "line 1"},
	} {
		if _, err := observer.Read(strings.NewReader(c.text), items); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.why, err)
		}
	}
}

// TestPaths checks that a path is rounded to pixels, and that it says the goal unless that is given.
func TestPaths(t *testing.T) {
	items := watched()
	names := asked(t, items)
	answers, err := observer.Read(strings.NewReader(`{"video": "`+names[0]+`", "surprise": 1, "path": [[1, 2.6], [30, 40]]}
{"video": "`+names[1]+`", "surprise": 1, "path": [[1, 2]], "goal": [9, 9]}`), items)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(answers, func(a, b observer.Answer) int { return len(b.Path) - len(a.Path) })
	if a, b := answers[0], answers[1]; !slices.Equal(a.Path, [][2]int{{1, 3}, {30, 40}}) || *a.Goal != [2]float64{30, 40} || *b.Goal != [2]float64{9, 9} {
		t.Errorf("%+v, %+v", a, b)
	}
}

// FuzzRead checks that Read returns, whatever an observer writes, either an answer to every video or an error of one
// line.
func FuzzRead(f *testing.F) {
	items := watched()
	var good strings.Builder
	for _, name := range asked(f, items) {
		good.WriteString(`{"video": "` + name + `", "surprise": 1.5, "steps": [0, 1.5]}` + "\n")
	}
	f.Add(good.String())
	f.Fuzz(func(t *testing.T, text string) {
		answers, err := observer.Read(strings.NewReader(text), items)
		if err != nil && strings.Contains(err.Error(), "\n") || err == nil && len(answers) != 2 {
			t.Errorf("%d answers, %v", len(answers), err)
		}
	})
}
