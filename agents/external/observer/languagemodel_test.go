package observer_test

import (
	"context"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/agents/external/chat/chattest"
	"achilles/agents/external/observer"
	"achilles/sim/record"
)

// TestLanguageModelReads checks what a model is asked about a video, which of its answers count, and that an item with a video
// without a surprise says nothing.
func TestLanguageModelReads(t *testing.T) {
	video := record.Video{Familiarisation: []record.SceneTrial{vault(), vault()}, Test: vault()}
	items := []record.Watched{{Item: "one", Videos: []record.Video{video, video}}, {Item: "two", Videos: []record.Video{video, video}}}
	answers := []chattest.Answer{
		{Content: `{"surprise": 12.5}`}, {Content: ` {"thought": "odd", "surprise": 100} `},
		{Content: `{"surprise": 101}`}, {Content: "I'm sorry, I cannot."}, {Content: `{"surprise": 3}`},
	}
	s := chattest.NewServer(t, func(*chattest.Request) chattest.Answer {
		a := answers[0]
		answers = answers[1:]
		return a
	})
	m := agents.NewLanguageModel()
	m.Address, m.Model, m.Retries = s.Address, "test-1", 1
	told := &observer.LanguageModel{Settings: m}
	got, calls, err := told.Ask(context.Background(), items)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []observer.Answer{{Item: "one", Surprise: 12.5}, {Item: "one", Video: 1, Surprise: 100}, {Item: "two"}, {Item: "two", Video: 1}} {
		if got[i].Item != want.Item || got[i].Video != want.Video || got[i].Surprise != want.Surprise {
			t.Errorf("answer %d is %+v, want %+v", i, got[i], want)
		}
	}
	if c := calls[2]; c.Failed != external.Refused || c.Requests != 2 || c.Refused != 1 || c.Malformed != 1 || calls[3].Failed != "" || calls[3].Requests != 1 {
		t.Errorf("counted are %+v", calls)
	}
	first := s.Asked()[0].Messages
	if len(first) != 2 || !strings.HasPrefix(first[0].Content, "You watch") || first[1].Content != "Familiarisation 1 of 2\n"+vaultText+"\nFamiliarisation 2 of 2\n"+vaultText+"\nTest\n"+vaultText {
		t.Errorf("it was asked %q", first)
	}
}
