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
	"time"

	"achilles/agents/external/observer"
	"achilles/battery/bib"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
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
			t.Errorf("line %d: video %s is there twice, or says what it is", i+1, q.Video)
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
		return fmt.Sprintf(`{"video": %q, "surprise": %d, "steps": [1, 2]}`, q.Video, len(q.Test.Path))
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
		if v := items[i/2].Videos[i%2]; a.Item != items[i/2].Item || a.Video != i%2 || a.Surprise != float64(len(v.Test.Path)) || len(a.Steps) != 2 {
			t.Errorf("answer %d: %+v", i, a)
		}
	}
	for name, text := range map[string]string{
		"line 2: invalid character":        lines[0] + "\nsurprised!\n",
		"line 1: video or surprise":        `{"video": "x"}`,
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

// TestBadPrograms checks the errors about programs that do not observe: one that exits at once, one that closes its
// input, one that answers for ever, one that does not answer, and one that complains.
func TestBadPrograms(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh to run programs with")
	}
	items := episodes(t, 2, bib.Preference)
	for script, want := range map[string]string{
		"exit 3":                   "0 of 4 videos are answered",
		"exec <&-; sleep 0.1":      "0 of 4 videos are answered",
		"yes '{}'":                 "video or surprise is missing",
		"cat >/dev/null":           "0 of 4 videos are answered",
		"echo help >&2; echo what": "line 1",
	} {
		var said bytes.Buffer
		_, err := (&observer.Program{Command: []string{sh, "-c", script}, Complaints: &said}).Ask(context.Background(), items)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(script, "help") != strings.Contains(said.String(), "help") {
			t.Errorf("%s: error %v, want %q; it said %q", script, err, want, said.String())
		}
	}
	if _, err := (&observer.Program{Command: []string{"/no/such/program"}}).Ask(context.Background(), items); err == nil || !strings.Contains(err.Error(), "cannot start /no/such/program") {
		t.Errorf("a program that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (&observer.Program{Command: []string{sh, "-c", "sleep 100"}}).Ask(ctx, items); err == nil {
		t.Error("a program outlives its context")
	}
}

// TestLateObservers checks that an observer that never answers is stopped when its time is over, together with
// everything that it started, even a process that left its process group and keeps the output open.
func TestLateObservers(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh to run programs with")
	}
	items := episodes(t, 2, bib.Preference)
	first, err := json.Marshal(map[string]any{"video": firstVideo(t, items), "surprise": 1})
	if err != nil {
		t.Fatal(err)
	}
	for script, want := range map[string]string{
		"sleep 600":                              "it took more than 700ms over answer 1 of 4",
		"sleep 600 & wait":                       "it took more than 700ms over answer 1 of 4",
		"setsid sleep 15 & exit":                 "it took more than 700ms over answer 1 of 4",
		"echo '" + string(first) + "'; sleep 19": "it took more than 700ms over answer 2 of 4",
		"while true; do echo; done":              "it took more than 700ms over answer 1 of 4", // it writes a lot, but no answer
	} {
		var heard []int
		p := &observer.Program{Command: []string{sh, "-c", script}, Timeout: 700 * time.Millisecond, Progress: func(n, total int) {
			if heard = append(heard, n); total != 4 {
				t.Errorf("%s: %d videos", script, total)
			}
		}}
		begin := time.Now()
		if _, err := p.Ask(context.Background(), items); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", script, err, want)
		}
		if took := time.Since(begin); took > 8*time.Second {
			t.Errorf("%s: it took %v", script, took)
		}
		if len(heard) == 0 || heard[0] != 0 || len(heard) != 1+strings.Count(script, "echo '") {
			t.Errorf("%s: progress %v", script, heard)
		}
	}
}

// firstVideo returns the name of the first video that an observer gets.
func firstVideo(t *testing.T, items []record.Watched) string {
	t.Helper()
	var b bytes.Buffer
	if err := observer.Write(&b, items, observer.Pixels); err != nil {
		t.Fatal(err)
	}
	var q observer.Question
	if err := json.NewDecoder(&b).Decode(&q); err != nil {
		t.Fatal(err)
	}
	return q.Video
}

// TestPython runs the observer in docs/examples, which judges by the actors' preferences for objects only. It must be
// right about all pairs of the two tasks on preferences, with one actor and with several, and gets one half, as by
// guessing, in a task in which both outcomes show ways to the same object.
func TestPython(t *testing.T) {
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
