package play_test

import (
	"strings"
	"testing"

	"achilles/render/play"
)

func TestHeldAnswersItself(t *testing.T) {
	m := received(reset, held)
	if m, r := m.Press("up"); r.Answer != nil || m.Waits() {
		t.Errorf("who is held goes: %s", said(r))
	}
	m, r := m.Advance(play.HeldTick / 2)
	if r.Answer != nil {
		t.Errorf("%s is said before anybody could look", said(r))
	}
	if _, r = m.Advance(play.HeldTick / 2); said(r) != `{"action":"stay"}` {
		t.Errorf("after a while %q is said", said(r))
	}
}

// TestHeldKeysKeepCards checks that no card goes by a key that is held: not by keys of steps, nor by enter, whatever the rate at
// which it is repeated, nor by a key that came before the card could be read.
func TestHeldKeysKeepCards(t *testing.T) {
	cards := map[string]play.Model{
		"ready":   play.Model{}.Receive([]byte(reset)).Receive([]byte(free)),
		"profile": play.Model{}.Receive(play.Profile(profile)).Receive(play.End()),
		"leave":   pressed(received(reset, free), "escape"),
	}
	over, _ := received(reset, free).Press("up")
	cards["over"] = over.Receive([]byte(done))
	for name, card := range cards {
		shown := card.Text(whole)
		for _, key := range []string{"space", "enter", "up", "y", "s"} {
			m, _ := card.Press(key) // before it can be read
			for _, wait := range []float64{0.66, 0.04, 0.04, 0.4, 0.5, 0.5, 0.5} {
				var r play.Reply
				m, _ = m.Advance(wait)
				if m, r = m.Press(key); r.Leave || r.Answer != nil {
					t.Fatalf("%s: %s, which is held, says %q", name, key, said(r))
				}
			}
			if text := m.Text(whole); !strings.HasPrefix(text, strings.TrimSpace(shown[:20])) || !strings.Contains(text, "enter: ") {
				t.Errorf("%s: %s, which is held, sends the card away\n%s", name, key, text)
			}
		}
		m, _ := card.Press("enter")
		if again, _ := m.Advance(play.CardTime); !strings.Contains(again.Text(whole), "enter: ") || !strings.Contains(m.Text(whole), "Please read first.") {
			t.Errorf("%s: who presses enter at once is not told to read first\n%s", name, m.Text(whole))
		}
		if m = pressed(card, "enter"); m.Text(whole) == shown && name != "profile" {
			t.Errorf("%s: enter does not go on", name)
		}
	}
	m := received(string(play.Welcome(2, 0)), series)
	m, _ = m.Press("e")
	m = m.Receive([]byte(series))
	for range 9 {
		var r play.Reply
		m, _ = m.Advance(0.04)
		if m, r = m.Press("e"); r.Answer != nil {
			t.Fatal("a key that is held answers the next question, which nobody has seen")
		}
	}
	m, _ = m.Advance(1)
	if _, r := m.Press("e"); said(r) != `{"answer":"e"}` {
		t.Error("a question cannot be answered as the last one was")
	}
}

// TestTold checks that the person is told of keys that do nothing, and of steps that something stopped, and of nothing else.
func TestTold(t *testing.T) {
	m := received(reset, free)
	if m, _ := m.Press("j"); !strings.Contains(m.Text(whole), "j does nothing here.") {
		t.Errorf("j: it says\n%s", m.Text(whole))
	}
	if m, _ := received(reset, held).Press("up"); !strings.Contains(m.Text(whole), "You are held: watch.") {
		t.Errorf("who is held is told\n%s", m.Text(whole))
	}
	freed, _ := received(reset, held).Press("up")
	if freed, _ = freed.Advance(play.HeldTick); strings.Contains(freed.Receive([]byte(free)).Text(whole), "You are held") {
		t.Error("who is free is told to be held")
	}
	if m, _ := received(series).Press("b"); !strings.Contains(m.Text(whole), "b is not one of the answers.") {
		t.Errorf("b: it says\n%s", m.Text(whole))
	}
	const blocked = "something is in the way"
	for _, c := range []struct {
		key, next string
		told      bool
	}{
		{"up", free, true},
		{"up", strings.Replace(free, "[2,0]", "[3,0]", 1), false},
		{"left", free, false},
		{"space", free, false},
		{"up", strings.Replace(free, `"trapped":false`, `"trapped":true`, 1), false},
	} {
		m, _ := m.Press(c.key)
		if m = m.Receive([]byte(c.next)); strings.Contains(m.Text(whole), blocked) != c.told {
			t.Errorf("%s and then %s: it says\n%s", c.key, c.next, m.Text(whole))
		}
		m, _ = m.Press("left")
		if strings.Contains(m.Text(whole), blocked) {
			t.Error("the next key does not take away what was said of the last")
		}
	}
}
