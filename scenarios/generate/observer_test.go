package generate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"achilles/agents/external/observer"
	"achilles/battery/bib"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

func episodes(t *testing.T, n int, tasks ...bib.Task) []record.Watched {
	t.Helper()
	all := generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: n, Tasks: tasks}}, 1)
	var items []record.Watched
	for i := range all {
		w, _ := all[i].Blind(fmt.Sprintf("%s-%d", all[i].Task, all[i].Index), false)
		items = append(items, w)
	}
	return items
}

// TestQuestions checks that an observer gets one line for each video, with all of the video and nothing that reveals
// which outcome it shows.
func TestQuestions(t *testing.T) {
	items := episodes(t, 6, bib.InstrumentalNoBarrier)
	var b bytes.Buffer
	if err := observer.Write(&b, items, observer.Pixels); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 12 {
		t.Fatalf("%d lines for 12 videos", len(lines))
	}
	together, seen := 0, map[string]bool{}
	var before observer.Question
	for i, l := range lines {
		var q observer.Question
		if err := json.Unmarshal([]byte(l), &q); err != nil {
			t.Fatal(err)
		}
		if seen[q.Video] || strings.Contains(l, "instrumental") || strings.Contains(l, "expected") {
			t.Errorf("line %d: video %s appears twice, or says what it is", i+1, q.Video)
		}
		seen[q.Video] = true
		f := q.Familiarisation[0]
		if len(q.Familiarisation) != 8 || len(f.Walls) == 0 || len(f.Barrier) != 7 || len(f.Locks) != 1 || len(f.Keys) != 1 || len(f.Changes) < 8 ||
			len(f.Path) < bib.StillBefore+bib.StillAfter || f.Path[0] != [2]int{f.Agent.X, f.Agent.Y} || len(q.Test.Barrier) != 0 {
			t.Errorf("line %d: %+v", i+1, f)
		}
		if i > 0 && fmt.Sprint(before.Familiarisation) == fmt.Sprint(q.Familiarisation) {
			together++
		}
		before = q
	}
	if together == 6 {
		t.Error("the two videos of every item stand together")
	}
}

// answerAll returns the answers of f to every question, one per line.
func answerAll(questions io.Reader, f func(q *observer.Question) string) string {
	var b strings.Builder
	for d := json.NewDecoder(questions); ; {
		var q observer.Question
		if err := d.Decode(&q); err != nil {
			return b.String()
		}
		fmt.Fprintln(&b, f(&q))
	}
}

// TestAnswers checks that answers find their video in any order, and that bad ones are refused with their line number.
func TestAnswers(t *testing.T) {
	items := episodes(t, 3, bib.Preference)
	var b bytes.Buffer
	if err := observer.Write(&b, items, observer.Pixels); err != nil {
		t.Fatal(err)
	}
	good := answerAll(&b, func(q *observer.Question) string {
		return fmt.Sprintf(`{"video": %q, "surprise": %d, "steps": [1, 2], "goal": [151, 46]}`, q.Video, len(q.Test.Path))
	})
	lines := strings.Split(strings.TrimSpace(good), "\n")
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	answers, err := observer.Read(strings.NewReader(strings.Join(lines, "\n\n")), items)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		if v := items[i/2].Videos[i%2]; a.Item != items[i/2].Item || a.Video != i%2 || a.Surprise != float64(len(v.Test.Path)) || len(a.Steps) != 2 || *a.Goal != [2]float64{151, 46} {
			t.Errorf("answer %d: %+v", i, a)
		}
	}
	for name, text := range map[string]string{
		"line 2: invalid character":        lines[0] + "\nsurprised!\n",
		"line 1: video or surprise":        `{"video": "x"}`,
		"goal has 1 numbers; want [x, y]":  `{"video": "x", "surprise": 1, "goal": [3]}`,
		"no video is called \"x\"":         `{"video": "x", "surprise": 1}`,
		"is answered twice":                lines[0] + "\n" + lines[0],
		"5 of 6 videos are answered":       strings.Join(lines[1:], "\n"),
		"cannot unmarshal number":          `{"video": "x", "surprise": 1e999}`,
		"line 1: json: cannot unmarshal s": `{"video": "x", "surprise": "much"}`,
	} {
		if _, err := observer.Read(strings.NewReader(text), items); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("the error is %v, want one with %q", err, name)
		}
	}
}

// TestPython runs the observer in docs/examples, which judges by the actors' preferences for objects only. It must be
// right about all pairs of the two tasks on preferences, with one actor and with several, and gets one half, as by
// guessing, in a task in which both outcomes show ways to the same object.
func TestPython(t *testing.T) {
	longtest.Only(t, "starts python3")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to run docs/examples/observer.py with")
	}
	for task, want := range map[bib.Task]float64{bib.Preference: 1, bib.MultiAgent: 1, bib.EfficiencyTime: 0.5} {
		items := episodes(t, 8, task)
		answers, err := (&observer.Program{Command: []string{python, filepath.Join("..", "..", "docs", "examples", "observer.py")}}).Ask(context.Background(), items)
		if err != nil {
			t.Fatal(err)
		}
		right := 0.0
		for i := 0; i < len(answers); i += 2 {
			switch e, u := answers[i].Surprise, answers[i+1].Surprise; {
			case u > e:
				right++
			case u == e:
				right += 0.5
			}
		}
		if got := right / float64(len(items)); got != want {
			t.Errorf("%s: right about %.2f, want %.2f", task, got, want)
		}
	}
}
