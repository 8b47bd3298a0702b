package study_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"achilles/render/rendertest"
	"achilles/render/study"
	"achilles/render/web"
)

// screen says in a word what a participant has to do, and what the page says about it: "" while there is nothing to do yet.
const screen = `(() => {
	const text = (s) => { const e = document.querySelector(s); return e ? e.textContent.trim() : ""; };
	if (document.querySelector(".code")) return "end " + text(".code");
	if (document.querySelector(".question")) return "question " + text(".question").replaceAll(" ", "");
	if (document.querySelector("svg.world")) return "world " + text("#say");
	if (text("h2") === "Quick check") return "check " + text("#stage p kbd");
	const b = document.querySelector(".go button");
	if (!b || b.classList.contains("early")) return "";
	const field = document.querySelector("#stage input");
	if (field) return document.activeElement === field ? "code " : "";
	return "card " + text("h2");
})()`

// A participant takes a study by keys alone.
type participant struct {
	t      *testing.T
	c      *rendertest.Chrome
	answer map[string]string // of questions in practice
	seen   []string          // the kinds of screens, in their order
	acts   int               // keys that were pressed in a world
}

// finish goes through the study to its end, and looks at every kind of screen by the rules of axe-core. It returns the completion code.
func (p *participant) finish() string {
	before := ""
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		now := p.c.Eval(screen)
		kind, what, _ := strings.Cut(now, " ")
		name := kind
		if kind == "card" {
			name = what
		}
		if now == "" || now == before && kind != "world" { // a card goes once
			continue
		}
		before = now
		if !slices.Contains(p.seen, name) {
			p.seen = append(p.seen, name)
			p.c.Axe(name)
		}
		switch kind {
		case "end":
			return what
		case "code":
			p.c.Call(nil, "Input.insertText", map[string]any{"text": "P7"})
			p.c.Press("Enter", "Enter", "\r")
		case "card":
			p.c.Press("Enter", "Enter", "\r")
		case "question":
			key, ok := p.answer[what]
			if !ok {
				key = "e"
			}
			p.c.Press(key, "Key"+strings.ToUpper(key), key)
		case "check":
			p.c.Press(strings.ToLower(what), "Key"+what, strings.ToLower(what))
		case "world":
			if what == "Watch." {
				continue
			}
			key := [...]string{"ArrowUp", "ArrowUp", "ArrowLeft"}[p.acts%3]
			p.acts++
			p.c.Press(key, key, "")
		}
	}
	p.t.Fatalf("no end after %q; the page says %q, its console %q", p.seen, p.c.Eval("document.body.innerText"), p.c.Logs)
	return ""
}

// TestBrowser lets a participant take studies of questions and of worlds in a browser, by keys alone, from the code to the completion code,
// and checks what the server has kept then.
func TestBrowser(t *testing.T) {
	browser := rendertest.Browser(t)
	program, err := web.BuildStudy(t.Context())
	if errors.Is(err, web.ErrNoSource) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	asked, walked := questions(), worlds()
	for range 3 {
		asked.Items = append(asked.Items, study.Item{ID: fmt.Sprintf("i-%d", len(asked.Items)), Question: &study.Question{Text: "mnop", Options: []string{"a", "e"}}})
	}
	asked.Pause, asked.Attention = 2, 3
	walked.Consent, walked.Attempts = "One.", 1
	for name, c := range map[string]struct {
		site   *study.Site
		seen   []string
		events []string
	}{
		"questions": {asked,
			[]string{"code", "Before you begin", "What to do", "First, some practice", "question", "You have it.", "Ready?", "Time for a rest", "check", "end"},
			[]string{"agreed", "began", "practice", "practice", "practice passed", "item", "item", "item", "attention", "item", "item", "finished"}},
		"worlds": {walked,
			[]string{"code", "Before you begin", "What to do", "How to move", "First, some practice", "world", "Time is up.", "Ready?", "end"},
			[]string{"agreed", "began", "practice", "practice failed", "item", "finished"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.site.Completion = "C0DE"
			files, err := c.site.Files(program)
			if err != nil {
				t.Fatal(err)
			}
			site := fstest.MapFS{}
			for name, b := range files {
				site[name] = &fstest.MapFile{Data: b}
			}
			config, err := study.ReadPage(site)
			if err != nil {
				t.Fatal(err)
			}
			d := &disk{}
			server := httptest.NewServer(study.Handler(site, config, opened(t, d, config)))
			defer server.Close()
			p := &participant{t: t, c: rendertest.Browse(t, browser, server.URL), answer: map[string]string{"aaaa…": "a", "bcde…": "f", "abab…": "a", "aabb…": "c", "hijk…": "l"}}
			if code := p.finish(); code != "C0DE" {
				t.Errorf("the completion code is %q", code)
			}
			if !slices.Equal(p.seen, c.seen) {
				t.Errorf("the participant saw %q\nwant %q", p.seen, c.seen)
			}
			var events []string
			for line := range strings.SplitSeq(strings.TrimSpace(d.safe()), "\n") {
				var r struct{ Participant, Kind, Event, Item, Input string }
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Fatal(err)
				}
				if r.Participant != "P7" || r.Kind == "item" && r.Input != "key" {
					t.Errorf("a row says %s", line)
				}
				if r.Kind == "event" {
					r.Kind = r.Event
				}
				events = append(events, r.Kind)
			}
			if !slices.Equal(events, c.events) {
				t.Errorf("the server has %q\nwant %q", events, c.events)
			}
		})
	}
}
