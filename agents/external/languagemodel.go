package external

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"achilles/agents"
	"achilles/agents/external/chat"
	"achilles/gridworld"
	"achilles/sim"
)

// instructions is what a language model is told if its settings name no file.
//
//go:embed prompt.txt
var instructions string

// A LanguageModel is an agent whose actions come from a language model. It tells the model the same as a program would be told, as
// text. It is for one goroutine at a time.
type LanguageModel struct {
	voice voice
	conversation
}

var (
	_ gridworld.Agent                  = (*LanguageModel)(nil)
	_ sim.Ender[gridworld.Observation] = (*LanguageModel)(nil)
)

// NewLanguageModel returns the language model of an agent. key is sent to its address; kept has the answers that were given before.
// The error says what is wrong with the address.
func NewLanguageModel(spec *agents.Spec, key string, kept chat.Kept) (*LanguageModel, error) {
	m := spec.Model
	client, err := NewClient(m, key, kept)
	if err != nil {
		return nil, err
	}
	told := strings.TrimSpace(cmp.Or(m.Instructions, instructions))
	return &LanguageModel{voice: voice{client: client, settings: m, told: told}}, nil
}

// Reset begins an episode. It asks nothing.
func (m *LanguageModel) Reset(ctx context.Context, first gridworld.Observation) error {
	return m.begin(ctx, &m.voice, first)
}

// Act asks the model for an action, unless it is held: then it stays, and is told later what it saw. The error is that of the
// context, a *Failure, or says why the address cannot be asked.
func (m *LanguageModel) Act(ctx context.Context, now gridworld.Observation) (gridworld.Action, error) {
	return m.act(ctx, now)
}

// End does nothing: the model is not told how the episode ended.
func (m *LanguageModel) End(context.Context, gridworld.Observation) error { return nil }

// Answer asks the model a question. Its errors are like those of Act.
func (m *LanguageModel) Answer(ctx context.Context, q agents.Question) (int, error) {
	m.voice.begin(q.Seed, q.Brief)
	return m.answer(ctx, &m.voice, q)
}

// Calls returns what the model was asked since the last Reset, or for the last Answer.
func (m *LanguageModel) Calls() agents.Calls { return m.voice.calls }

// Close does nothing: every request is over.
func (m *LanguageModel) Close() error { return nil }

// An exchange is a message and its answer.
type exchange struct{ asked, answered string }

// A voice is a partner that passes messages on to a language model as text, and its answers back.
type voice struct {
	client   *chat.Client
	settings *agents.LanguageModel
	told     string // instructions

	seed  uint32 // of the trial
	world worldText
	intro string // what is said of the trial before all else
	log   []exchange
	held  []string // what was seen since the last question, while the actor was held
	calls agents.Calls
}

func (v *voice) begin(seed uint32, intro string) {
	v.seed, v.intro, v.log, v.held, v.calls = seed, intro, nil, nil, agents.Calls{}
}

func (v *voice) tell(_ context.Context, message any) error {
	if r, ok := message.(reset); ok {
		v.world = worldText{reset: r}
		v.begin(r.Seed, v.world.intro())
	}
	return nil
}

// ask passes an observation or a question on, and returns the line of JSON with the answer. After an answer that refuses or is
// malformed it asks again, as often as the settings say.
func (v *voice) ask(ctx context.Context, message any) ([]byte, error) {
	var text, want string
	var check func(line []byte) error
	switch m := message.(type) {
	case observation:
		if m.Frozen {
			v.hold(v.world.seen(&m))
			return []byte(`{"action": "stay"}`), nil
		}
		text, want = v.heldText()+v.world.now(&m), `{"action": "`+v.world.Actions[len(v.world.Actions)-1]+`"}`
		check = func(line []byte) error { return checkAction(line, v.world.Actions) }
	case question:
		options, err := json.Marshal(m.Options)
		if err != nil {
			return nil, err
		}
		text = m.Question + "\nOptions: " + string(options) + "\n"
		want = fmt.Sprintf(`{"answer": %q}`, m.Options[0])
		check = func(line []byte) error { _, err := readAnswer(line, m.Options); return err }
	}
	v.held = nil
	answer, err := Until(ctx, v.client, v.settings.Retries, v.messages(text), fmt.Sprint(v.seed, " ", len(v.log)), want, check, &v.calls)
	if err == nil {
		v.log = append(v.log, exchange{text, string(answer)})
	}
	return answer, err
}

// messages returns the conversation up to a message: the instructions and the world, the first exchange, the last ones, and it.
func (v *voice) messages(text string) []chat.Message {
	list := []chat.Message{{Role: "system", Content: v.told + "\n\n" + v.intro}}
	for i, x := range v.log {
		if i == 0 || i >= len(v.log)-v.settings.History {
			list = append(list, chat.Message{Role: "user", Content: x.asked}, chat.Message{Role: "assistant", Content: x.answered})
		}
	}
	return append(list, chat.Message{Role: "user", Content: text})
}

// hold notes what is seen while the actor is held, if it is new.
func (v *voice) hold(seen string) {
	_, what, _ := strings.Cut(seen, ". ")
	if n := len(v.held); n > 0 {
		if _, last, _ := strings.Cut(v.held[n-1], ". "); last == what {
			return
		}
	}
	v.held = append(v.held, seen)
}

func (v *voice) heldText() string {
	if len(v.held) == 0 {
		return ""
	}
	return "While you were held:\n" + strings.Join(v.held, "") + "\nNow you can act.\n"
}

// checkAction reports what is wrong with an answer to an observation.
func checkAction(line []byte, actions []string) error {
	var answer struct {
		Action *string `json:"action"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return errors.New(clip(line) + " is not a JSON object")
	}
	if answer.Action == nil {
		return errors.New(clip(line) + " has no action")
	}
	for _, a := range actions {
		if a == *answer.Action {
			return nil
		}
	}
	return fmt.Errorf("%q is not one of the actions %s", clip([]byte(*answer.Action)), strings.Join(actions, ", "))
}
