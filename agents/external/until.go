package external

import (
	"context"
	"fmt"
	"strings"
	"time"

	"achilles/agents"
	"achilles/agents/external/chat"
)

// The reasons of a Failure of a language model: its last answer in a trial refused, or was not what was asked for.
const (
	Refused   = "refused"
	Malformed = "malformed"
)

// NewClient returns a client of the address of a language model. key is sent to it; kept has the answers that were given before.
func NewClient(m *agents.LanguageModel, key string, kept chat.Kept) (*chat.Client, error) {
	return chat.New(chat.Settings{
		Address: m.Address, Model: m.Model, Key: key, Temperature: m.Temperature, Tokens: m.Tokens, Retries: m.Retries,
		Timeout: time.Duration(m.Timeout * float64(time.Second)), Rate: m.Rate, Requests: m.Requests,
	}, kept, nil)
}

// Until sends messages until an answer passes a check, and returns it. After an answer that does not, it sends what is wrong with it
// and the answer that would be right (want), at most `retries` times. The messages are sent for themselves, whoever else sends the same
// (draw). It adds to calls. The error is a *Failure if the last answer did not pass, else that of chat.Client.Ask.
func Until(ctx context.Context, client *chat.Client, retries int, messages []chat.Message, draw, want string, check func([]byte) error, calls *agents.Calls) ([]byte, error) {
	for try := 0; ; try++ {
		r, err := client.Ask(ctx, messages, fmt.Sprint(draw, " ", try))
		if err != nil {
			return nil, err
		}
		calls.Add(agents.Calls{Requests: 1, Input: r.Input, Output: r.Output, Seconds: []float64{r.Seconds}})
		line := []byte(strings.TrimSpace(r.Content))
		why := fault(&r, line, check)
		if why == nil {
			return line, nil
		}
		if why.Reason == Refused {
			calls.Refused++
		} else {
			calls.Malformed++
		}
		if try == retries {
			return nil, why
		}
		messages = append(messages, chat.Message{Role: "assistant", Content: r.Content},
			chat.Message{Role: "user", Content: "This cannot be read: " + why.Detail + ". Answer with one JSON object and nothing else, for instance " + want})
	}
}

// fault returns what is wrong with an answer; nil if nothing is.
func fault(r *chat.Reply, line []byte, check func([]byte) error) *Failure {
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
