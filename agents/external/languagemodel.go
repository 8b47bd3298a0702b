package external

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"achilles/agents"
	"achilles/agents/external/chat"
	"achilles/gridworld"
	"achilles/sim"
)

// instructions is what a language model is told if its settings name no file.
//
//go:embed prompt.txt
var instructions string

// The reasons of a Failure of a language model: its last answer in a trial refused, or was not what was asked for.
const (
	Refused   = "refused"
	Malformed = "malformed"
)

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
	client, err := chat.New(chat.Settings{
		Address: m.Address, Model: m.Model, Key: key, Temperature: m.Temperature, Tokens: m.Tokens, Retries: m.Retries,
		Timeout: time.Duration(m.Timeout * float64(time.Second)), Rate: m.Rate, Requests: m.Requests,
	}, kept, nil)
	if err != nil {
		return nil, err
	}
	told := instructions
	if m.Instructions != "" {
		told = m.Instructions
	}
	return &LanguageModel{voice: voice{client: client, settings: m, told: strings.TrimSpace(told)}}, nil
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
	answer, err := v.until(ctx, text, want, check)
	if err == nil {
		v.log = append(v.log, exchange{text, string(answer)})
	}
	return answer, err
}

// until asks until an answer passes the check.
func (v *voice) until(ctx context.Context, text, want string, check func([]byte) error) ([]byte, error) {
	messages := v.messages(text)
	for try := 0; ; try++ {
		r, err := v.client.Ask(ctx, messages, fmt.Sprintf("%d %d %d", v.seed, len(v.log), try))
		if err != nil {
			return nil, err
		}
		v.calls.Add(agents.Calls{Requests: 1, Input: r.Input, Output: r.Output, Seconds: []float64{r.Seconds}})
		line := []byte(strings.TrimSpace(r.Content))
		why := v.fault(&r, line, check)
		if why == nil {
			return line, nil
		}
		if why.Reason == Refused {
			v.calls.Refused++
		} else {
			v.calls.Malformed++
		}
		if try == v.settings.Retries {
			return nil, why
		}
		messages = append(messages, chat.Message{Role: "assistant", Content: r.Content},
			chat.Message{Role: "user", Content: "This cannot be read: " + why.Detail + ". Answer with one JSON object and nothing else, for instance " + want})
	}
}

// fault returns what is wrong with an answer; nil if nothing is.
func (v *voice) fault(r *chat.Reply, line []byte, check func([]byte) error) *Failure {
	switch {
	case r.Refusal != "":
		return &Failure{Refused, clip([]byte(r.Refusal))}
	case r.Finish == "content_filter":
		return &Failure{Refused, "the address filtered the answer"}
	}
	err := check(line)
	switch {
	case err == nil:
		return nil
	case refuses(line):
		return &Failure{Refused, clip(line)}
	case r.Finish == "length":
		return &Failure{Malformed, fmt.Sprintf("the answer was cut off after %d tokens", r.Output)}
	case len(line) == 0:
		return &Failure{Malformed, "the answer was empty"}
	}
	return &Failure{Malformed, err.Error()}
}

// refuses reports whether an answer that is no JSON begins as refusals do.
func refuses(line []byte) bool {
	text := strings.ToLower(strings.ReplaceAll(string(line[:min(len(line), 200)]), "’", "'"))
	for _, opening := range []string{"i'm sorry", "i am sorry", "sorry", "i can't", "i cannot", "i can not", "i won't", "i will not", "i'm unable", "i am unable", "i'm not able", "i am not able", "as an ai", "i must decline", "i decline"} {
		if strings.HasPrefix(text, opening) {
			return true
		}
	}
	return false
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
		return errors.New(clip(line) + " is no JSON object")
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
