package external_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/agents/external/chat"
	"achilles/agents/external/chat/chattest"
	"achilles/gridworld"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

var update = flag.Bool("update", false, "rewrite testdata")

// kept is a chat.Kept in memory.
type kept struct {
	mu   sync.Mutex
	data map[string][]byte
}

func (k *kept) Get(name string) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.data[name], nil
}

func (k *kept) Put(name string, data []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.data == nil {
		k.data = map[string][]byte{}
	}
	k.data[name] = data
	return nil
}

func (k *kept) text() string {
	var b strings.Builder
	for _, x := range k.data {
		b.Write(x)
	}
	return b.String()
}

// modelOf returns a language model at a server.
func modelOf(t *testing.T, s *chattest.Server, k *kept, set func(*agents.LanguageModel)) *external.LanguageModel {
	t.Helper()
	m := agents.NewLanguageModel()
	m.Address, m.Model = s.Address, "test-1"
	if set != nil {
		set(m)
	}
	out, err := external.NewLanguageModel(&agents.Spec{Name: "m", Model: m}, "sk-secret", k)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func does(a string) chattest.Answer {
	return chattest.Answer{Content: `{"thought": "so", "action": "` + a + `"}`}
}

// hidden is a world with a reward that vanishes behind an occluder while the actor is held.
const hidden = `world 1
move turning
limit 40
legend P platform + actor east
legend O occluder colour 236,195,153
legend g floor + reward air size 2.5 value 1 colour 0,255,0 final
map
.g..#.^...
OOO.#.OOO.
....#...L.
==========
====P=====

cue 3 thing 0 1,4 ground
dark 4 6
freeze 0 3
`

// TestLanguageModelIsTold compares all that a model is told in an episode with a file that a person has read.
func TestLanguageModelIsTold(t *testing.T) {
	answers := []chattest.Answer{does("stay"), {Content: "forward"}, does("left"), {Refusal: "No."}, does("forward"), does("left"), does("forward"), does("forward"), {Content: "I'm sorry, I can't."}, {Content: "{}"}, {Finish: "length"}}
	s := chattest.NewServer(t, func(r *chattest.Request) chattest.Answer {
		a := answers[0]
		answers = answers[1:]
		return a
	})
	m := modelOf(t, s, &kept{}, func(m *agents.LanguageModel) { m.History, m.Temperature = 1, 0.5 })
	x := gridtest.Trial{Name: "hidden", World: hidden}
	actions, err := play(context.Background(), m, &gridworld.Env{Brief: "Find it.", World: x.Open(), Places: []gridworld.Pos{{X: 1, Y: 4}, {X: 7, Y: 4}}})
	want := []gridworld.Action{0, 0, 0, gridworld.Stay, gridworld.TurnLeft, gridworld.Forward, gridworld.TurnLeft, gridworld.Forward, gridworld.Forward}
	if !slices.Equal(actions, want) {
		t.Errorf("it does %v, want %v", actions, want)
	}
	var f *external.Failure
	if !errors.As(err, &f) || f.Reason != external.Malformed || f.Detail != "the answer was cut off after 10 tokens" {
		t.Errorf("the error is %v", err)
	}
	if c := m.Calls(); c.Requests != 11 || c.Refused != 2 || c.Malformed != 3 || c.Input != 1100 || c.Output != 110 || len(c.Seconds) != 11 {
		t.Errorf("counted are %+v", c)
	}
	var b strings.Builder
	for i, r := range s.Asked() {
		if r.Key != "Bearer sk-secret" || r.Model != "test-1" || r.Temperature != 0.5 || r.Tokens != 500 {
			t.Errorf("request %d: %+v", i, r)
		}
		if i == 0 || i == 2 || i == 8 {
			for _, x := range r.Messages {
				b.WriteString("=== " + x.Role + "\n" + strings.TrimSpace(x.Content) + "\n")
			}
			b.WriteString("=== end of request\n\n")
		}
	}
	const file = "testdata/told.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if known, err := os.ReadFile(file); err != nil || string(known) != b.String() {
		t.Errorf("%s differs (%v): run with -update and look at the difference", file, err)
	}
}

// TestLanguageModelIsAskedOnce checks that a model whose answers are kept is not asked again, that repetitions of a trial are other
// questions, and that nothing kept has the key, although the server repeats it.
func TestLanguageModelIsAskedOnce(t *testing.T) {
	s := chattest.NewServer(t, func(r *chattest.Request) chattest.Answer {
		return chattest.Answer{Content: `{"key": "sk-secret", "action": "forward"}`}
	})
	k := &kept{}
	for range 2 {
		for draw := range uint64(2) {
			x := trial(t, "ledge")
			x.Key = rng.NewKey(draw)
			if _, err := play(context.Background(), modelOf(t, s, k, nil), x); err != nil || x.World.Outcome() != gridworld.Finished {
				t.Fatalf("%v (%v)", x.World.Outcome(), err)
			}
		}
	}
	if n := len(s.Asked()); n != 6 {
		t.Errorf("it was asked %d times, want 3 for each of two trials", n)
	}
	if strings.Contains(k.text(), "secret") || !strings.Contains(k.text(), "[key]") {
		t.Errorf("kept are %s", k.text())
	}
}

// TestLanguageModelConforms checks that a model behaves as agents must (gridtest.Conform).
func TestLanguageModelConforms(t *testing.T) {
	s := chattest.NewServer(t, func(r *chattest.Request) chattest.Answer {
		if strings.Contains(r.Messages[0].Content, "north-east") {
			return does([]string{"north", "east", "stay"}[len(r.Messages)%3])
		}
		return does([]string{"forward", "left", "forward"}[len(r.Messages)/2%3])
	})
	gridtest.Conform(t, "a language model", gridtest.Trials(), 1, func(gridtest.Trial, *gridworld.World) gridworld.Agent {
		return modelOf(t, s, &kept{}, nil)
	})
}

// TestLanguageModelAnswers checks which answers to a question count, and as what.
func TestLanguageModelAnswers(t *testing.T) {
	q := agents.Question{Brief: "Which letter comes next?", Text: "abcd", Options: []string{"e", "a b"}, Seed: 7}
	for _, c := range []struct {
		chattest.Answer
		option int
		reason string
	}{
		{Answer: chattest.Answer{Content: `{"answer": "a b"}`}, option: 1},
		{Answer: chattest.Answer{Content: " {\"why\": [1], \"answer\": \"e\"}\n"}},
		{Answer: chattest.Answer{Content: "```json\n{\"answer\": \"e\"}\n```"}, reason: external.Malformed},
		{Answer: chattest.Answer{Content: `{"answer": "e"} {"answer": "e"}`}, reason: external.Malformed},
		{Answer: chattest.Answer{Content: `{"answer": "f"}`}, reason: external.Malformed},
		{Answer: chattest.Answer{Content: `{"answer": 1}`}, reason: external.Malformed},
		{Answer: chattest.Answer{Content: `e`}, reason: external.Malformed},
		{Answer: chattest.Answer{}, reason: external.Malformed},
		{Answer: chattest.Answer{Content: "I’m sorry, but I can’t help with that."}, reason: external.Refused},
		{Answer: chattest.Answer{Content: `{"answer": "e"}`, Finish: "content_filter"}, reason: external.Refused},
		{Answer: chattest.Answer{Content: `{"answer": "e"}`, Refusal: "no"}, reason: external.Refused},
	} {
		s := chattest.NewServer(t, func(*chattest.Request) chattest.Answer { return c.Answer })
		m := modelOf(t, s, &kept{}, func(m *agents.LanguageModel) { m.Retries, m.Instructions = 1, "Guess." })
		option, err := m.Answer(context.Background(), q)
		reason := ""
		if f := (*external.Failure)(nil); errors.As(err, &f) {
			reason = f.Reason
		} else if err != nil {
			t.Fatal(err)
		}
		if option != c.option || reason != c.reason {
			t.Errorf("%+v is option %d, %q (%v)", c.Answer, option, reason, err)
		}
		calls, want := m.Calls(), agents.Calls{Requests: 1}
		switch c.reason {
		case external.Malformed:
			want.Requests, want.Malformed = 2, 2
		case external.Refused:
			want.Requests, want.Refused = 2, 2
		}
		if calls.Requests != want.Requests || calls.Malformed != want.Malformed || calls.Refused != want.Refused {
			t.Errorf("%+v counts as %+v", c.Answer, calls)
		}
		first := s.Asked()[0].Messages
		if first[0].Content != "Guess.\n\nWhich letter comes next?" || first[1].Content != "abcd\nOptions: [\"e\",\"a b\"]\n" {
			t.Errorf("it was asked %q", first)
		}
	}
}

// TestLanguageModelStops checks that a wrong key, or too many requests, ends the run and not the episode alone.
func TestLanguageModelStops(t *testing.T) {
	s := chattest.NewServer(t, func(*chattest.Request) chattest.Answer {
		return chattest.Answer{Status: 401, Body: `{"error": {"message": "wrong key sk-secret"}}`}
	})
	_, err := play(context.Background(), modelOf(t, s, &kept{}, nil), trial(t, "ledge"))
	if err == nil || err.Error() != s.Address+": HTTP 401 Unauthorized: wrong key [key]" || len(s.Asked()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Asked()))
	}
	many := chattest.NewServer(t, func(*chattest.Request) chattest.Answer { return does("stay") })
	_, err = play(context.Background(), modelOf(t, many, &kept{}, func(m *agents.LanguageModel) { m.Requests = 2 }), trial(t, "ledge"))
	if !errors.Is(err, chat.ErrEnough) || len(many.Asked()) != 2 {
		t.Errorf("%v after %d requests", err, len(many.Asked()))
	}
}
