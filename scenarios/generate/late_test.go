package generate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/accuracy"
	"achilles/scenarios/generate"
)

// TestActingLate checks that a session whose bodies act when it is published, one whose bodies have acted before, and one with lists of
// episodes and responses, in whatever order, are published in the same way; also that of one subject alone.
func TestActingLate(t *testing.T) {
	s := acting(t, "battery.items=6", "population[0].count=2")
	for _, jobs := range []int{1, 2} {
		out := run(t, s, generate.Config{Seed: 3, Jobs: jobs})
		want := publishTo(t, out, jobs)
		late := run(t, s, generate.Config{Seed: 3, Jobs: jobs, Late: true})
		if !panics(func() { late.Alone("stroller") }) {
			t.Error("a subject is taken alone that has not acted yet")
		}
		for r := range late.All() {
			if name := late.Subjects[r.Subject].Name; r.Value == 1 && name != "rule" {
				t.Fatalf("%s has passed a trial before it acts", name)
			}
		}
		if got := publishTo(t, late, jobs); !maps.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%d jobs: bodies that act late are published otherwise", jobs)
		}
		if !reflect.DeepEqual(generate.Unpacked(t, late), generate.Unpacked(t, out)) {
			t.Errorf("%d jobs: bodies that act late act otherwise", jobs)
		}
		if want, got := publishTo(t, out.Alone("stroller"), jobs), publishTo(t, late.Alone("stroller"), jobs); !maps.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%d jobs: one of them alone is published otherwise", jobs)
		}
	}
	for _, alone := range []string{"", "stroller"} {
		out := run(t, s, generate.Config{Seed: 3, Jobs: 2})
		if alone != "" {
			out = out.Alone(alone)
		}
		want := publishTo(t, out, 2)
		plain := *out
		generate.Unpack(t, &plain)
		slices.Reverse(plain.Episodes)
		slices.Reverse(plain.Responses)
		if n := 6 * 2 * len(out.Subjects); alone == "" && len(plain.Episodes) != n-6*2 || alone != "" && len(plain.Episodes) != n {
			t.Errorf("%d subjects: %d episodes", len(out.Subjects), len(plain.Episodes))
		}
		if got := publishTo(t, &plain, 2); !maps.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%d subjects: lists of episodes and responses are published otherwise", len(out.Subjects))
		}
	}
}

// TestActingBeforeAVote checks that bodies act before the session is published if a collective needs to know whether they pass.
func TestActingBeforeAVote(t *testing.T) {
	s := acting(t)
	s.Agents = append(s.Agents, agents.Spec{Name: "both", Collective: &agents.Collective{Members: []string{"fraud", "stroller"}, Rule: accuracy.BordaCount}})
	want := publishTo(t, run(t, s, generate.Config{Seed: 3}), 1)
	if got := publishTo(t, run(t, s, generate.Config{Seed: 3, Late: true}), 1); !maps.EqualFunc(got, want, bytes.Equal) {
		t.Error("a collective of bodies that might act late is published otherwise")
	}
}

// TestLateFault checks that an error of what is written of bodies that act late names that file alone.
func TestLateFault(t *testing.T) {
	full := errors.New("no space left")
	for _, jobs := range []int{1, 2} {
		late := run(t, acting(t, "battery.items=6"), generate.Config{Seed: 3, Jobs: jobs, Late: true})
		err := generate.PublishTo(context.Background(), late, jobs, nil, func(_, path string) (io.WriteCloser, error) {
			if strings.HasPrefix(path, "trajectories") {
				return nil, fmt.Errorf("%s: %w", path, full)
			}
			return nowhere{}, nil
		})
		if !errors.Is(err, full) || !strings.Contains(err.Error(), "trajectories") || strings.Contains(err.Error(), "responses") {
			t.Errorf("%d jobs: %v", jobs, err)
		}
	}
}

// nowhere keeps nothing.
type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }

func panics(f func()) (does bool) {
	defer func() { does = recover() != nil }()
	f()
	return false
}
