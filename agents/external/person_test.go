package external_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim"
)

// scripted is a Peer that answers every observation with the next of its answers, and leaves when there are no more.
type scripted struct {
	answers []string
	heard   []string // types of the lines that it was sent
}

func (s *scripted) Tell(_ context.Context, line []byte) error {
	s.heard = append(s.heard, typeOf(line))
	return nil
}

func (s *scripted) Ask(ctx context.Context, line []byte) ([]byte, error) {
	s.heard = append(s.heard, typeOf(line))
	if len(s.answers) == 0 {
		return nil, fmt.Errorf("the door: %w", sim.ErrLeft)
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	return []byte(a), nil
}

func typeOf(line []byte) string {
	var m struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return err.Error()
	}
	return m.Type
}

const ahead = `{"action":"forward"}`

func everything(int, int) bool { return true }

func TestPerson(t *testing.T) {
	peer := &scripted{answers: []string{ahead, ahead, ahead, ahead}}
	p := external.NewPerson(peer, everything)
	x := trial(t, "ledge")
	actions, err := play(context.Background(), p, x)
	if err != nil || !slices.Equal(actions, []gridworld.Action{gridworld.Forward, gridworld.Forward, gridworld.Forward}) || x.World.Outcome() != gridworld.Finished {
		t.Fatalf("actions %v, outcome %s (%v)", actions, x.World.Outcome(), err)
	}
	if want := []string{"reset", "observation", "observation", "observation", "done"}; !slices.Equal(peer.heard, want) {
		t.Errorf("heard %q, want %q", peer.heard, want)
	}
	// The person leaves in the second trial after one step, and is not offered the third.
	for range 2 {
		_, err = play(context.Background(), p, trial(t, "ledge"))
		var absent interface {
			Unscored() string
			Later() bool
		}
		if !errors.As(err, &absent) || absent.Unscored() != external.NotTaken || !absent.Later() {
			t.Fatalf("after leaving the error is %v", err)
		}
	}
	if n := len(peer.heard); n != 8 {
		t.Errorf("%d lines were heard, want 8: who has left is not spoken to", n)
	}
}

func TestPersonTakesSome(t *testing.T) {
	peer := &scripted{answers: []string{ahead, ahead, ahead}}
	p := external.NewPerson(peer, func(number, _ int) bool { return number == 2 })
	for n := range 4 {
		x := trial(t, "ledge")
		x.Number = n
		_, err := play(context.Background(), p, x)
		if taken := err == nil; taken != (n == 2) {
			t.Errorf("trial %d: %v", n, err)
		}
	}
}

func TestPersonAnswers(t *testing.T) {
	peer := &scripted{answers: []string{`{"answer":"e"}`, `{"answer":"z"}`}}
	p := external.NewPerson(peer, func(number, of int) bool { return number > 0 && of == 5 })
	ask := func(number int) (int, error) {
		return p.Answer(context.Background(), agents.Question{Brief: "Next?", Text: "abcd", Options: []string{"c", "e"}, Number: number, Of: 5})
	}
	if _, err := ask(0); !errors.Is(err, external.Absence{}) {
		t.Errorf("a question that is not shown: %v", err)
	}
	if option, err := ask(1); option != 1 || err != nil {
		t.Errorf("option %d (%v), want 1", option, err)
	}
	var f *external.Failure
	if _, err := ask(2); !errors.As(err, &f) || f.Reason != external.Nonsense {
		t.Errorf("z is no option: %v", err)
	}
	for range 2 {
		if _, err := ask(3); !errors.Is(err, external.Absence{}) {
			t.Errorf("after leaving: %v", err)
		}
	}
	if want := []string{"question", "question", "question"}; !slices.Equal(peer.heard, want) {
		t.Errorf("heard %q, want %q", peer.heard, want)
	}
}

func TestPersonTalksNonsense(t *testing.T) {
	p := external.NewPerson(&scripted{answers: []string{`{"action":"fly"}`}}, everything)
	var f *external.Failure
	if _, err := play(context.Background(), p, trial(t, "ledge")); !errors.As(err, &f) || f.Reason != external.Nonsense {
		t.Errorf("error %v", err)
	}
}

// forward is a Peer that answers every line with the action forward.
type forward struct{}

func (forward) Tell(ctx context.Context, _ []byte) error { return ctx.Err() }

func (forward) Ask(ctx context.Context, _ []byte) ([]byte, error) { return []byte(ahead), ctx.Err() }

// TestPeopleConform checks that a Person passes the conformance suite of agents (gridtest.Conform).
func TestPeopleConform(t *testing.T) {
	turning := slices.DeleteFunc(gridtest.Trials(), func(x gridtest.Trial) bool { return x.Open().Rules().Move != gridworld.Turning })
	gridtest.Conform(t, "person", turning, 2, func(gridtest.Trial, *gridworld.World) gridworld.Agent {
		return external.NewPerson(forward{}, everything)
	})
}
