package observer

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/agents/external/chat"
	"achilles/sim/record"
)

// instructions is what a language model is told if its settings name no file.
//
//go:embed prompt.txt
var instructions string

// A LanguageModel is an observer that is a language model: it reads each video as a TextQuestion.
type LanguageModel struct {
	Settings *agents.LanguageModel
	Key      string    // sent to the address
	Kept     chat.Kept // has the answers that were given before
	Progress func(answered, total int)
}

// Calls says what a language model was asked about a video.
type Calls struct {
	Item   string
	Video  int
	Failed string // external.Refused or Malformed, if the last answer was; else empty

	agents.Calls
}

// Ask lets the model read the videos of the items. If it has no surprise for a video, in spite of retries, the item's videos have the
// same surprise, 0, so that the item says nothing. Answers and calls are sorted by item and video. The error is that of the context, or
// says why the address cannot be asked.
func (m *LanguageModel) Ask(ctx context.Context, items []record.Watched) ([]Answer, []Calls, error) {
	client, err := external.NewClient(m.Settings, m.Key, m.Kept)
	if err != nil {
		return nil, nil, err
	}
	names := map[place]string{}
	for _, n := range shuffled(items) {
		names[place{n.item, n.index}] = n.name
	}
	var answers []Answer
	var calls []Calls
	for i := range items {
		mute, first := false, len(answers)
		for k := range items[i].Videos {
			q := textQuestion(names[place{items[i].Item, k}], &items[i].Videos[k])
			c := Calls{Item: items[i].Item, Video: k}
			x, err := m.watch(ctx, client, q, &c)
			if err != nil {
				return nil, nil, fmt.Errorf("observer: %w", err)
			}
			answers, calls, mute = append(answers, Answer{Item: items[i].Item, Video: k, Surprise: x}), append(calls, c), mute || c.Failed != ""
			if m.Progress != nil {
				m.Progress(len(answers), len(names))
			}
		}
		for k := first; mute && k < len(answers); k++ {
			answers[k].Surprise = 0
		}
	}
	return answers, calls, nil
}

// watch asks for the surprise of one video.
func (m *LanguageModel) watch(ctx context.Context, client *chat.Client, q TextQuestion, c *Calls) (surprise float64, err error) {
	var text strings.Builder
	for i, t := range q.Familiarisation {
		fmt.Fprintf(&text, "Familiarisation %d of %d\n%s\n", i+1, len(q.Familiarisation), t)
	}
	text.WriteString("Test\n" + q.Test)
	check := func(line []byte) (err error) {
		surprise, err = readSurprise(line)
		return err
	}
	_, err = external.Until(ctx, client, m.Settings.Retries, []chat.Message{
		{Role: "system", Content: strings.TrimSpace(cmp.Or(m.Settings.Instructions, instructions))}, {Role: "user", Content: text.String()},
	}, q.Video, `{"surprise": 50}`, check, &c.Calls)
	if f := (*external.Failure)(nil); errors.As(err, &f) {
		c.Failed = f.Reason
		return 0, nil
	}
	return surprise, err
}

// readSurprise reads the surprise in an answer.
func readSurprise(line []byte) (float64, error) {
	var a struct {
		Surprise *float64 `json:"surprise"`
	}
	switch err := json.Unmarshal(line, &a); {
	case err != nil:
		return 0, fmt.Errorf("it is not a JSON object with a number: %w", err)
	case a.Surprise == nil:
		return 0, errors.New("it has no surprise")
	case *a.Surprise < 0 || *a.Surprise > 100:
		return 0, fmt.Errorf("%v is not from 0 to 100", *a.Surprise)
	}
	return *a.Surprise, nil
}
