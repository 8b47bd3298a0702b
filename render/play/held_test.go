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

// TestWords checks what is said to who cannot see the picture.
func TestWords(t *testing.T) {
	m := play.Model{}.Receive(play.Welcome(3, 0)).Receive([]byte(reset)).Receive([]byte(held))
	for _, c := range []struct {
		name, want string
		m          play.Model
	}{
		{"card", "item 1 of 3\nFind it. Watch where the reward goes. At first you can look but not move. Dimmed areas are out of your sight.\n" +
			"up forward\nleft, right turn\nspace stay\nescape leave: finished items are kept\nenter: I am ready; escape: leave", m},
		{"held", "item 1 of 3\nFind it.\nYou are at column 3, row 1 from the south-west, and face north.\nNo way behind.\n" +
			"A reward in the air, 1 ahead, 2 to the right.\nA place where the reward can be, 1 ahead, 1 to the left.\nA place where the reward can be, 1 ahead, 2 to the right.\nwatch: you are held for the moment; escape: leave", pressed(m, "enter")},
		{"free", "Achilles\nYou carry a key.\nYou are at column 3, row 1 from the south-west, and face east.\nNo way to the right.\nNo reward in sight.\n" +
			"A place where the reward can be, 1 behind, 1 to the left.\nAn empty place, 2 ahead, 1 to the left.\n59 ticks left\nup: forward; left, right: turn; space: stay; escape: leave", received(reset, free)},
		{"west", "Achilles\nFind it.\nYou are at column 3, row 1 from the south-west, and face west.\nNo way to the left.\n" +
			"A reward, 1 to the right, 2 behind.\nA place where the reward can be, 1 ahead, 1 to the right.\nA place where the reward can be, 1 to the right, 2 behind.\n59 ticks left\nup: forward; left, right: turn; space: stay; escape: leave",
			received(reset, strings.NewReplacer(`"tick":0`, `"tick":1`, "north", "west", `"frozen":true`, `"frozen":false`, `"air":true`, `"air":false`).Replace(held))},
		{"eight directions", "Achilles\nFind it.\nYou are at column 3, row 1 from the south-west.\nNo way south.\nA reward, 1 north, 2 east.\nA place where the reward can be, 1 north, 1 west.\nA place where the reward can be, 1 north, 2 east.\n59 ticks left\n" +
			"arrows: north, west, south, east; q e z c: the diagonals; space: stay; escape: leave", received(strings.ReplaceAll(reset, "turning", "eight"),
			strings.NewReplacer(`"tick":0`, `"tick":1`, "north", "south-west", `"frozen":true`, `"frozen":false`, `"air":true`, `"air":false`).Replace(held))},
		{"question", "Achilles\nWhich one?\nWhat is hidden?\n1 a cup, 2 a hole\ntype the number of an answer; escape: leave", received(which)},
		{"leaving", "Achilles\nLeave?\nFinished items are saved: rerun the command to resume. The item under way starts again.\ny: leave; enter: go on", pressed(received(which), "escape")},
	} {
		if got := c.m.Words(); got != c.want {
			t.Errorf("%s: it says\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
