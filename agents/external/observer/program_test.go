package observer_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"achilles/agents/external/observer"
	"achilles/agents/external/process"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// watches is the argument that makes the test program act as an observer. The next says how the observer behaves.
const watches = "act-as-observer"

// as returns the observer that is the test program.
func as(how string) *observer.Program {
	return &observer.Program{Command: []string{os.Args[0], watches, how}, Seat: &process.Seat{Launcher: os.Args[0], Pass: []string{"GORACE"}}} // where .ci/race.sh says not to sleep at the end
}

func TestMain(m *testing.M) {
	process.Launch(os.Args[1:])
	if len(os.Args) == 3 && os.Args[1] == watches {
		observe(os.Args[2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func observe(how string) {
	switch how {
	case "exits":
		os.Exit(3)
	case "does not listen":
		os.Stdin.Close()
	case "repeats":
		for {
			fmt.Println("{}")
		}
	case "writes empty lines":
		for {
			fmt.Println()
		}
	case "reads":
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "complains":
		fmt.Fprintln(os.Stderr, "help")
		fmt.Println("what")
	default: // what it writes before it falls silent
		fmt.Print(how)
		fallthrough
	case "falls silent":
		time.Sleep(time.Hour)
	}
}

// four returns two items of two videos each, and the answer to the first video that an observer is asked about.
func four(t *testing.T) (items []record.Watched, first string) {
	t.Helper()
	video := record.Video{Familiarisation: []record.SceneTrial{vault(), vault()}, Test: vault()}
	for i := range 2 {
		items = append(items, record.Watched{Item: fmt.Sprint("i-", i), Videos: []record.Video{video, video}})
	}
	return items, fmt.Sprintf("{\"video\": %q, \"surprise\": 1}\n", asked(t, items)[0])
}

// TestBadPrograms checks the errors about programs that do not observe.
func TestBadPrograms(t *testing.T) {
	items, _ := four(t)
	for how, want := range map[string]string{
		"exits":           "0 of 4 videos are answered",
		"does not listen": "0 of 4 videos are answered",
		"repeats":         "video or surprise is missing",
		"reads":           "0 of 4 videos are answered",
		"complains":       "line 1",
	} {
		var said bytes.Buffer
		p := as(how)
		p.Complaints = &said
		p.SetAlarm()
		_, err := p.Ask(context.Background(), items)
		if err == nil || !strings.Contains(err.Error(), want) || (how == "complains") != strings.Contains(said.String(), "help") {
			t.Errorf("it %s: error %v, want %q; it said %q", how, err, want, said.String())
		}
	}
	if _, err := (&observer.Program{Command: []string{"/no/such/program"}, Seat: &process.Seat{}}).Ask(context.Background(), items); err == nil || !strings.Contains(err.Error(), "cannot start /no/such/program") {
		t.Errorf("a program that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := as("falls silent").Ask(ctx, items); err == nil {
		t.Error("a program outlives its context")
	}
}

// TestLateObservers checks that an observer is stopped when its time is over, however much it writes that is no answer.
func TestLateObservers(t *testing.T) {
	items, first := four(t)
	for _, c := range []struct {
		how, want string
		answered  int // as often as it answers before its time is over
	}{
		{"falls silent", "it took more than 1s over answer 1 of 4", 0},
		{first, "it took more than 1s over answer 2 of 4", 1},
		{"writes empty lines", "it took more than 1s over answer 1 of 4", 0},
	} {
		var heard []int
		p := as(c.how)
		p.Timeout = time.Second
		ring := p.SetAlarm()
		p.Progress = func(n, total int) {
			if heard = append(heard, n); total != 4 {
				t.Errorf("it %s: %d videos", c.how, total)
			}
			if n == c.answered {
				ring()
			}
		}
		if _, err := p.Ask(context.Background(), items); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("it %s: error %v, want %q", c.how, err, c.want)
		}
		if len(heard) != 1+c.answered || heard[0] != 0 {
			t.Errorf("it %s: progress %v", c.how, heard)
		}
	}
}

// TestRealTime checks by the clock of the machine that an observer that never answers is stopped when its time is over,
// together with everything that it started, even a process that left its process group and keeps the output open.
func TestRealTime(t *testing.T) {
	longtest.Only(t, "starts sh and waits for real delays")
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh to run programs with")
	}
	items, first := four(t)
	for script, want := range map[string]string{
		"sleep 600":                      "it took more than 700ms over answer 1 of 4",
		"sleep 600 & wait":               "it took more than 700ms over answer 1 of 4",
		"setsid sleep 15 & exit":         "it took more than 700ms over answer 1 of 4",
		"echo '" + first + "'; sleep 19": "it took more than 700ms over answer 2 of 4",
		"while true; do echo; done":      "it took more than 700ms over answer 1 of 4", // it writes a lot, but no answer
	} {
		begin := time.Now()
		if _, err := (&observer.Program{Command: []string{sh, "-c", script}, Seat: &process.Seat{Launcher: os.Args[0]}, Timeout: 700 * time.Millisecond}).Ask(context.Background(), items); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", script, err, want)
		}
		if took := time.Since(begin); took > 8*time.Second {
			t.Errorf("%s: it took %v", script, took)
		}
	}
}
