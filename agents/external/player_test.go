package external_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/agents/external/process"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// acts is the argument that makes the test program act as an agent. The next says how the agent behaves, and one more names a file
// that it writes.
const acts = "act-as-agent"

func TestMain(m *testing.M) {
	process.Launch(os.Args[1:])
	if len(os.Args) > 3 && os.Args[1] == acts {
		agent(os.Args[2], os.Args[3])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// agent answers every observation with forward, except at the times when `how` demands something else.
func agent(how, file string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	asked := 0
	if how == "once" {
		if _, err := os.Stat(file); err == nil {
			how = "forward"
		}
	}
	var draws rng.Rand
	for in.Scan() {
		var m struct {
			Type string `json:"type"`
			Tick int    `json:"tick"`
			Seed uint64 `json:"seed"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			os.Exit(9)
		}
		if how == "listen" {
			listen(file, in.Bytes())
		}
		switch m.Type {
		case "question":
			asked++
			switch {
			case how == "crash":
				os.Exit(3)
			case how == "unknown" || how == "once" && asked == 1:
				fmt.Println(`{"answer": "?"}`)
			case how == "no action":
				fmt.Println(`{"action": "forward"}`)
			case how == "sleep":
				time.Sleep(time.Hour)
			default:
				fmt.Println(`{"answer": "e", "why": "because"}`)
			}
		case "reset":
			draws = rng.Stream(m.Seed)
		case "observation":
			asked++
			switch bad := m.Tick == 1; {
			case how == "sleep" && bad:
				time.Sleep(time.Hour)
			case how == "crash" && bad:
				fmt.Fprintln(os.Stderr, "Traceback\n  somewhere\nZeroDivisionError: division by zero")
				os.Exit(3)
			case how == "quit" && bad:
				os.Exit(0)
			case how == "no json" && bad:
				fmt.Println("I would go forward.")
			case how == "no action" && bad:
				fmt.Println(`{"act": "forward"}`)
			case how == "unknown" && bad:
				fmt.Println(`{"action": "jump"}`)
			case how == "other mode" && bad:
				fmt.Println(`{"action": "north-east"}`)
			case how == "long" && bad:
				fmt.Println(strings.Repeat("x", 1<<21))
			case how == "chatter":
				fmt.Print(strings.Repeat("{\"action\": \"forward\"}\n", 2))
			case how == "seed":
				fmt.Printf("{\"action\": %q}\n", [...]string{"forward", "left", "right"}[draws.IntN(3)])
			case how == "listen":
				fmt.Println(`{"action": "stay"}`)
			case how == "once" && asked == 1:
				listen(file, nil)
				os.Exit(1)
			default:
				fmt.Println(`{"action": "forward", "why": "because"}`)
			}
		}
	}
	if how == "linger" {
		time.Sleep(time.Hour)
	}
}

func listen(file string, line []byte) {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(8)
	}
	fmt.Fprintf(f, "%s\n", line)
	f.Close()
}

// A clock counts the waits for a program, and calls over at some of them. Otherwise no wait ends by itself.
type clock struct {
	waits int
	over  func(wait int) bool // whether the time of this wait is over at once; nil: never
}

func (c *clock) within(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if c.waits++; c.over != nil && c.over(c.waits) {
		cancel()
	}
	return ctx, cancel
}

// stuck is the number of the wait for an answer in tick 1: before it come the reset, and a message and an answer in tick 0, and a
// message in tick 1.
const stuck = 5

// start starts the test program, which has all the time in the world.
func start(t *testing.T, how string) *external.Player {
	t.Helper()
	return startBy(t, how, &clock{})
}

// startBy starts the test program, with a second for each answer by a clock.
func startBy(t *testing.T, how string, c *clock) *external.Player {
	t.Helper()
	p := startNow(t, how, 1)
	p.SetClock(c.within)
	return p
}

// startNow starts the test program with a timeout in real seconds.
func startNow(t *testing.T, how string, timeout float64) *external.Player {
	t.Helper()
	return startOn(t, &process.Seat{Launcher: os.Args[0], Pass: []string{"GORACE"}}, timeout, how, "-") // GORACE: where .ci/race.sh says not to sleep at the end
}

// startOn starts the test program on a seat.
func startOn(t *testing.T, seat *process.Seat, timeout float64, how, file string) *external.Player {
	t.Helper()
	p, err := external.Start(&agents.Spec{Name: how, Command: []string{os.Args[0], acts, how, file}, Timeout: timeout}, seat)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func trial(t *testing.T, name string) *gridworld.Env {
	t.Helper()
	for _, s := range gridtest.Trials() {
		if s.Name == name {
			return &gridworld.Env{Brief: "Find it.", World: s.Open(), Places: s.Places}
		}
	}
	t.Fatalf("no trial %s", name)
	return nil
}

// play runs an episode and returns the actions. After an error these are the actions before it.
func play(ctx context.Context, a gridworld.Agent, e *gridworld.Env) (actions []gridworld.Action, err error) {
	_, err = sim.Run(ctx, e, a, gridworld.Options{Record: func(_ gridworld.Observation, x gridworld.Action) { actions = append(actions, x) }})
	return actions, err
}

func TestPlay(t *testing.T) {
	p := start(t, "forward")
	for range 3 {
		x := trial(t, "ledge")
		actions, err := play(context.Background(), p, x)
		if err != nil || !slices.Equal(actions, []gridworld.Action{gridworld.Forward, gridworld.Forward, gridworld.Forward}) || x.World.Outcome() != gridworld.Finished {
			t.Fatalf("actions %v, outcome %s (%v)", actions, x.World.Outcome(), err)
		}
	}
}

// TestProgramsConform checks that a Player passes the conformance suite of agents (gridtest.Conform).
func TestProgramsConform(t *testing.T) {
	turning := slices.DeleteFunc(gridtest.Trials(), func(x gridtest.Trial) bool { return x.Open().Rules().Move != gridworld.Turning })
	for _, how := range []string{"forward", "seed"} {
		gridtest.Conform(t, how, turning, 2, func(gridtest.Trial, *gridworld.World) gridworld.Agent { return start(t, how) })
	}
}

// TestFailures checks for every kind of fault of a program that the error has the right reason, and that the next episode
// is played.
func TestFailures(t *testing.T) {
	for how, want := range map[string][2]string{
		"sleep":      {external.TimedOut, "more than 1s to answer"},
		"crash":      {external.Crashed, "exit status 3: ZeroDivisionError: division by zero"},
		"quit":       {external.Crashed, "it ended"},
		"no json":    {external.Nonsense, "I would go forward. is not a JSON object"},
		"no action":  {external.Nonsense, `{"act": "forward"} has no action: want for instance {"action": "forward"}`},
		"unknown":    {external.Nonsense, `"jump" is not an action of this world`},
		"other mode": {external.Nonsense, `"north-east" is not an action of this world`},
		"long":       {external.Nonsense, "xxx… is not a JSON object"},
		"chatter":    {external.Nonsense, "it spoke before it was asked"},
	} {
		t.Run(how, func(t *testing.T) {
			c := &clock{}
			if how == "sleep" {
				c.over = func(wait int) bool { return wait%stuck == 0 }
			}
			p := startBy(t, how, c)
			for k := range 5 {
				actions, err := play(context.Background(), p, trial(t, "open"))
				var f *external.Failure
				if !errors.As(err, &f) {
					t.Fatalf("error %v", err)
				}
				if k < 3 && (f.Unscored() != want[0] || !strings.Contains(f.Detail, want[1]) || len(actions) > 1 && how != "chatter") {
					t.Fatalf("episode %d: %q, %q after %v", k, f.Reason, f.Detail, actions)
				}
				if k >= 3 && (f.Unscored() != external.GivenUp || !strings.Contains(f.Detail, want[1])) {
					t.Fatalf("episode %d: %q, %q: after three failures nobody should try", k, f.Reason, f.Detail)
				}
				if strings.Contains(f.Error(), "\n") {
					t.Errorf("the reason has lines: %q", f.Error())
				}
			}
		})
	}
}

// TestRecovers checks that a program that crashed is started again, and that only failures in a row are counted.
func TestRecovers(t *testing.T) {
	p := startOn(t, &process.Seat{}, 1, "once", filepath.Join(t.TempDir(), "started")) // not confined: it writes a file that its successor finds
	p.SetClock((&clock{}).within)
	var reasons []string
	for range 8 {
		if _, err := play(context.Background(), p, trial(t, "ledge")); err != nil {
			reasons = append(reasons, err.Error())
		}
	}
	if len(reasons) != 1 || !strings.HasPrefix(reasons[0], "crashed: exit status 1") {
		t.Errorf("failures are %q", reasons)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := startBy(t, "sleep", &clock{over: func(wait int) bool {
		if wait == stuck {
			cancel()
		}
		return false
	}})
	if _, err := play(ctx, p, trial(t, "open")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestLinger checks that Close kills a program that does not end.
func TestLinger(t *testing.T) {
	c := &clock{}
	p := startBy(t, "linger", c)
	if _, err := play(context.Background(), p, trial(t, "ledge")); err != nil {
		t.Error(err)
	}
	c.over = func(int) bool { return true }
}

// TestRealTime checks by the clock of the machine that a program is killed that does not answer, or does not end.
func TestRealTime(t *testing.T) {
	longtest.Only(t, "waits for real delays")
	var f *external.Failure
	if _, err := play(context.Background(), startNow(t, "sleep", 0.3), trial(t, "open")); !errors.As(err, &f) || f.Error() != "timed out: it took more than 300ms to answer" {
		t.Errorf("error %v", err)
	}
	if _, err := play(context.Background(), startNow(t, "linger", 0.3), trial(t, "ledge")); err != nil {
		t.Error(err)
	}
}

func TestMissingProgram(t *testing.T) {
	_, err := external.Start(&agents.Spec{Command: []string{"no-such-program-anywhere"}}, &process.Seat{})
	if err == nil || !strings.Contains(err.Error(), "cannot start no-such-program-anywhere") {
		t.Errorf("error %v", err)
	}
}

// TestDocumentedLines checks that the lines in the manual are those that a program is sent. The program of this test writes
// all lines that it reads to a file.
func TestDocumentedLines(t *testing.T) {
	heard := filepath.Join(t.TempDir(), "heard")
	p := startOn(t, &process.Seat{}, 1, "listen", heard)
	p.SetClock((&clock{}).within)
	x := trial(t, "holes")
	x.Key = rng.NewKey(7)
	if _, err := play(context.Background(), p, x); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(readFile(t, heard))), "\n")
	manual := string(readFile(t, "../../docs/reference/protocol.md"))
	if len(lines) != 62 {
		t.Errorf("%d lines for 60 ticks", len(lines))
	}
	for _, line := range []string{lines[0], lines[1], lines[len(lines)-1]} {
		if !strings.Contains(manual, line+"\n") {
			t.Errorf("docs/reference/protocol.md does not show %s", line)
		}
	}
	for _, word := range []string{external.Crashed, external.TimedOut, external.Nonsense, external.GivenUp, `"version":` + fmt.Sprint(external.Version)} {
		if !strings.Contains(manual, word) {
			t.Errorf("docs/reference/protocol.md does not mention %s", word)
		}
	}
}

// TestPython runs the agent of the manual, which walks to a reward that it sees or to where it last saw the reward.
func TestPython(t *testing.T) {
	longtest.Only(t, "starts python3")
	python, err := exec.LookPath("/usr/bin/python3") // one that needs nothing of a home
	if err != nil {
		t.Skip("python3 is not there")
	}
	p, err := external.Start(&agents.Spec{Command: []string{python, filepath.Join("..", "..", "docs", "examples", "agent.py")}}, &process.Seat{Launcher: os.Args[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, s := range gridtest.Trials() {
		x := &gridworld.Env{World: s.Open(), Places: s.Places}
		if x.World.Rules().Move != gridworld.Turning {
			continue
		}
		if _, err := play(context.Background(), p, x); err != nil {
			t.Fatalf("trial %s: %v", s.Name, err)
		}
		if x.World.Outcome() != gridworld.Finished {
			t.Errorf("trial %s: %s", s.Name, x.World.Outcome())
		}
	}
	lines := strings.Count(string(readFile(t, "../../docs/examples/agent.py")), "\n")
	if lines > 35 {
		t.Errorf("the example has %d lines", lines)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestAnswers checks that a program answers questions, and that its faults have the same reasons as in episodes.
func TestAnswers(t *testing.T) {
	q := agents.Question{Brief: "Next?", Text: "abcd", Options: []string{"c", "e"}, Seed: 7}
	p := start(t, "forward")
	for range 3 {
		if option, err := p.Answer(context.Background(), q); option != 1 || err != nil {
			t.Fatalf("option %d (%v), want 1", option, err)
		}
	}
	for how, reason := range map[string]string{"crash": external.Crashed, "unknown": external.Nonsense, "no action": external.Nonsense} {
		p := start(t, how)
		var f *external.Failure
		for range 3 {
			if _, err := p.Answer(context.Background(), q); !errors.As(err, &f) || f.Reason != reason {
				t.Errorf("%s: %v, want %s", how, err, reason)
			}
		}
		for range 2 {
			if _, err := p.Answer(context.Background(), q); !errors.As(err, &f) || f.Reason != external.GivenUp {
				t.Errorf("%s: %v, want given up", how, err)
			}
		}
	}
	p = start(t, "once")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Answer(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled question: %v", err)
	}
}
