package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/sim"
)

// A corridor is an environment of cells 0 to length. Cell `length` ends the episode.
type corridor struct{ at, length int }

func (c *corridor) Observe() (int, bool) { return c.at, c.at >= c.length }
func (c *corridor) Step(d int)           { c.at += d }

// A walker goes one cell per action, and returns the errors that its test chooses.
type walker struct {
	fails map[string]error // by call, such as "act 2"
	calls []string
}

func (w *walker) call(name string, at int) error {
	w.calls = append(w.calls, fmt.Sprint(name, " ", at))
	return w.fails[w.calls[len(w.calls)-1]]
}

func (w *walker) Reset(_ context.Context, first int) error    { return w.call("reset", first) }
func (w *walker) Act(_ context.Context, now int) (int, error) { return 1, w.call("act", now) }
func (w *walker) End(_ context.Context, last int) error       { return w.call("end", last) }

func TestRun(t *testing.T) {
	broken := errors.New("broken")
	left := fmt.Errorf("the door: %w", sim.ErrLeft)
	for _, c := range []struct {
		why       string
		length    int
		limit     int
		fails     map[string]error
		calls     string
		record    string
		truncated bool
		err       error
	}{
		{"the environment ends it", 3, 0, nil, "reset 0, act 0, act 1, act 2, end 3", "0+1 1+1 2+1", false, nil},
		{"it is over before it begins", 0, 0, nil, "reset 0, end 0", "", false, nil},
		{"the limit ends it", 3, 2, nil, "reset 0, act 0, act 1, end 2", "0+1 1+1", true, nil},
		{"the end comes with the limit", 3, 3, nil, "reset 0, act 0, act 1, act 2, end 3", "0+1 1+1 2+1", false, nil},
		{"it does not take place", 3, 0, map[string]error{"reset 0": broken}, "reset 0", "", false, broken},
		{"the agent breaks", 3, 0, map[string]error{"act 1": broken}, "reset 0, act 0, act 1", "0+1", false, broken},
		{"the agent leaves", 3, 0, map[string]error{"act 2": left}, "reset 0, act 0, act 1, act 2", "0+1 1+1", false, sim.ErrLeft},
		{"the agent breaks when told the end", 1, 0, map[string]error{"end 1": broken}, "reset 0, act 0, end 1", "0+1", false, broken},
	} {
		w := &walker{fails: c.fails}
		var record []string
		truncated, err := sim.Run(context.Background(), &corridor{length: c.length}, w, sim.Options[int, int]{
			Limit: c.limit, Record: func(now, action int) { record = append(record, fmt.Sprintf("%d+%d", now, action)) },
		})
		if calls := strings.Join(w.calls, ", "); calls != c.calls || truncated != c.truncated || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%s: %s; truncated %v, error %v", c.why, calls, truncated, err)
		}
		if got := strings.Join(record, " "); got != c.record {
			t.Errorf("%s: recorded %q, want %q", c.why, got, c.record)
		}
	}
}

// TestRunIsCancelled checks that a cancelled episode takes no further step, and that End is not called.
func TestRunIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := &walker{}
	_, err := sim.Run(ctx, &corridor{length: 9}, w, sim.Options[int, int]{Record: func(now, _ int) {
		if now == 1 {
			cancel()
		}
	}})
	if want := []string{"reset 0", "act 0", "act 1"}; !errors.Is(err, context.Canceled) || !slices.Equal(w.calls, want) {
		t.Errorf("%v, error %v", w.calls, err)
	}
}
