package play_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"achilles/render/canvas"
	"achilles/render/canvastest"
	"achilles/render/palette"
	"achilles/render/play"
)

const (
	reset  = `{"type":"reset","version":1,"brief":"Find it.","move":"turning","actions":["stay","forward","left","right"],"limit":60,"map":["......",".H..H.","......"],"room":"world 1\nmove turning\nlimit 60\nmap\n......\n.H..H.\n......\n\nactor nowhere north\n","places":[[1,1],[4,1]],"seed":7}`
	held   = `{"type":"observation","tick":0,"position":[2,0],"heading":"north","dark":false,"frozen":true,"trapped":false,"carrying":false,"things":[{"index":0,"kind":"reward","position":[4,1],"air":true,"size":1,"value":1,"colour":[0,255,0]}],"open":[]}`
	free   = `{"type":"observation","tick":1,"position":[2,0],"heading":"east","dark":false,"frozen":false,"trapped":false,"carrying":true,"things":[],"open":[[4,1]]}`
	dark   = `{"type":"observation","tick":2,"position":[2,0],"heading":"north","dark":true,"frozen":false,"trapped":false,"carrying":false,"things":[],"open":[]}`
	series = `{"type":"question","version":1,"brief":"Which letter comes next?","question":"abcd","options":["c","e","d","x","a"],"seed":7}`
	which  = `{"type":"question","version":1,"brief":"Which one?","question":"What is hidden?","options":["a cup","a hole"],"seed":7}`
	done   = `{"type":"done","outcome":"finished","ticks":9}`
)

// pressed returns a model after a key that the person presses once all can be read.
func pressed(m play.Model, key string) play.Model {
	m, _ = m.Advance(play.CardTime)
	m, _ = m.Press(key)
	return m
}

// received returns a model that has received the lines, and whose person presses enter whenever a trial is ready.
func received(lines ...string) (m play.Model) {
	for _, l := range lines {
		m = m.Receive([]byte(l))
		if strings.Contains(m.Text(whole), "enter: I am ready") {
			m = pressed(m, "enter")
		}
	}
	return m
}

// TestReady checks that a trial begins only when the person is ready. Until then, time and keys have no effect, and no
// part of the world is shown.
func TestReady(t *testing.T) {
	m := play.Model{}.Receive(play.Welcome(3, 0)).Receive([]byte(reset)).Receive([]byte(held))
	if text := m.Text(whole); !strings.Contains(text, "Find it.") || !strings.Contains(text, "up  forward") || strings.Contains(text, ".H..") || !strings.Contains(text, "60 ticks left") {
		t.Errorf("it says\n%s", text)
	}
	waiting, r := m.Advance(100)
	if r.Answer != nil || waiting.Holds() || !waiting.Waits() {
		t.Errorf("time goes by for who is not ready: %s", said(r))
	}
	if _, r = m.Press("up"); r.Answer != nil {
		t.Errorf("who is not ready says %s", said(r))
	}
	if back, _ := m.Press("escape"); strings.Contains(back.Text(whole), ".H..") {
		t.Error("who wants to leave sees the world")
	}
	m = pressed(m, "enter")
	if _, r = m.Advance(play.HeldTick); said(r) != `{"action":"stay"}` || !strings.Contains(m.Text(whole), ".H..") {
		t.Errorf("who is ready says %q and sees\n%s", said(r), m.Text(whole))
	}
}

// TestPractice checks that a practice trial is announced as one, and that it does not count as an item.
func TestPractice(t *testing.T) {
	m := play.Model{}.Receive(play.Practice()).Receive([]byte(reset)).Receive([]byte(free))
	if text := m.Text(whole); !strings.Contains(text, "practice") || !strings.Contains(text, "is not scored") {
		t.Errorf("it says\n%s", text)
	}
	m = pressed(m, "enter")
	m, _ = m.Press("up")
	m = pressed(m.Receive([]byte(done)), "enter")
	m = m.Receive(play.Welcome(3, 0)).Receive([]byte(reset)).Receive([]byte(free))
	if text := m.Text(whole); !strings.Contains(text, "item 1 of 3") || strings.Contains(text, "is not scored") {
		t.Errorf("after practice it says\n%s", text)
	}
}

// profile is a person's profile. Its first parameter has the posterior means of two other subjects.
var profile = []play.Parameter{{Name: "op", Text: "7.1 (4.2–9.9)", Mean: 0.54, Low: 0.32, High: 0.75, Others: []float64{0.1, 0.56}, Like: "body-012"}, {Name: "lava", Text: "0.9 (0.7–1.0)", Mean: 0.9, Low: 0.7, High: 1}}

func TestProfile(t *testing.T) {
	m := play.Model{}.Receive(play.Inferring())
	if text := m.Text(whole); !strings.Contains(text, "Your profile is being inferred") {
		t.Errorf("it says\n%s", text)
	}
	m = m.Receive(play.Profile(profile)).Receive(play.End())
	if text := m.Text(whole); !m.Ended() || !strings.Contains(text, "7.1 (4.2–9.9)") || strings.Count(text, "like ") != 1 || !strings.Contains(text, "like body-012") {
		t.Errorf("it says\n%s", text)
	}
}

// TestCardsFit checks that, at three window sizes, the texts of a card are inside its box, and all other texts inside
// the picture.
func TestCardsFit(t *testing.T) {
	asked, _ := received(reset, free).Press("escape")
	for name, m := range map[string]play.Model{
		"ready": play.Model{}.Receive(play.Practice()).Receive([]byte(strings.Replace(reset, "Find it.", strings.Repeat("Touch the reward. ", 12), 1))).Receive([]byte(free)),
		"leave": asked, "profile": play.Model{}.Receive(play.Profile(profile)).Receive(play.End()),
	} {
		for _, size := range [][2]float32{{320, 240}, {640, 400}, {1920, 1080}} {
			dst := m.Draw(size[0], size[1])
			var box canvas.Rect
			for _, op := range dst.Ops {
				if f, ok := op.(canvas.FillRect); ok && f.Colour == palette.Panel {
					box = f.Rect
				}
				x, ok := op.(canvas.Text)
				if !ok {
					continue
				}
				at, wide := x.At.X, canvas.Measure(x.Face, x.Size, x.Text)
				switch x.Align {
				case canvas.Centre:
					at -= wide / 2
				case canvas.Right:
					at -= wide
				}
				bounds := dst.Bounds()
				if box != (canvas.Rect{}) {
					bounds = box
				}
				if at < bounds.X0-0.5 || at+wide > bounds.X1+0.5 || x.At.Y > bounds.Y1 || x.At.Y-x.Size*0.7 < bounds.Y0 {
					t.Errorf("%s at %v: %q is outside of %v", name, size, x.Text, bounds)
				}
			}
		}
	}
}

func said(r play.Reply) string { return string(r.Answer) }

func TestKeys(t *testing.T) {
	m := received(reset, free)
	for key, want := range map[string]string{
		"up": `{"action":"forward"}`, "w": `{"action":"forward"}`, "left": `{"action":"left"}`, "d": `{"action":"right"}`, "space": `{"action":"stay"}`, "down": "", "q": "", "enter": "",
	} {
		if _, r := m.Press(key); said(r) != want {
			t.Errorf("%s says %q, want %q", key, said(r), want)
		}
	}
	if _, r := m.Advance(99); r.Answer != nil {
		t.Error("time acts for a person who may act")
	}
	eight := received(strings.Replace(strings.Replace(reset, `"move":"turning"`, `"move":"eight"`, 1), `move turning`, `move eight`, 1), free)
	for key, want := range map[string]string{"up": "north", "e": "north-east", "c": "south-east", "left": "west", "s": "stay"} {
		if _, r := eight.Press(key); said(r) != `{"action":"`+want+`"}` {
			t.Errorf("in mode eight %s says %q", key, said(r))
		}
	}
}

// TestQuestion checks that one key answers a question, by letter or by number, that other keys do not, and that no
// question is answered twice.
func TestQuestion(t *testing.T) {
	m := received(string(play.Welcome(2, 0)), series)
	if text := m.Text(whole); !m.Waits() || !strings.Contains(text, "a b c d …") || !strings.Contains(text, "c   e   d   x   a") || !strings.Contains(text, "item 1 of 2    Which letter comes next?") {
		t.Errorf("the text is\n%s", text)
	}
	for _, key := range []string{"b", "up", "1", "space", "enter"} {
		if _, r := m.Press(key); r.Answer != nil {
			t.Errorf("%s answers %s", key, said(r))
		}
	}
	m, r := m.Press("e")
	if said(r) != `{"answer":"e"}` || m.Waits() {
		t.Errorf("e answers %q", said(r))
	}
	if _, r = m.Press("c"); r.Answer != nil {
		t.Error("a question is answered twice")
	}
	m = m.Receive([]byte(which))
	if text := m.Text(whole); !strings.Contains(text, "What is hidden?") || !strings.Contains(text, "1 a cup   2 a hole") || !strings.Contains(text, "item 2 of 2") {
		t.Errorf("the text is\n%s", text)
	}
	for key, want := range map[string]string{"2": `{"answer":"a hole"}`, "3": "", "0": "", "a": ""} {
		if _, r := m.Press(key); said(r) != want {
			t.Errorf("%s answers %q, want %q", key, said(r), want)
		}
	}
	left, _ := m.Press("escape")
	if back := pressed(left, "enter"); !back.Waits() || !strings.Contains(back.Text(whole), "What is hidden?") {
		t.Error("who does not leave is not asked any more")
	}
	m, _ = m.Press("1")
	if m = m.Receive(play.End()); !m.Ended() {
		t.Error("the end is not the end")
	}
	if text := received(`{"type":"question","question":"?"}`).Text(whole); !strings.Contains(text, "without options") {
		t.Errorf("the text is\n%s", text)
	}
	for _, size := range [][2]float32{{1, 1}, {300, 200}, {1920, 1080}} {
		received(series).Draw(size[0], size[1])
		received(which).Draw(size[0], size[1])
	}
}

func TestOverWaits(t *testing.T) {
	m := received(string(play.Welcome(3, 0)), reset, free)
	m, _ = m.Press("up")
	m = m.Receive([]byte(done)).Receive([]byte(reset)).Receive([]byte(free))
	if !strings.Contains(m.Text(whole), "You reached the reward.") || !strings.Contains(m.Text(whole), "1 of 3 done") {
		t.Errorf("after the end it says\n%s", m.Text(whole))
	}
	if m, r := m.Press("up"); r.Answer != nil || !strings.Contains(m.Text(whole), "You reached the reward.") {
		t.Error("the key of a step goes on to the next trial")
	}
	m = pressed(m, "enter")
	m, _ = m.Advance(1)
	m = pressed(m, "enter") // the person is ready
	if _, r := m.Press("up"); said(r) == "" || !strings.Contains(m.Text(whole), "item 2 of 3") {
		t.Errorf("the next trial is not taken:\n%s", m.Text(whole))
	}
}

func TestLeave(t *testing.T) {
	m, _ := received(reset, free).Press("escape")
	if text := m.Text(whole); !strings.Contains(text, "Finished items are saved") || !strings.Contains(text, "y: leave    enter: go on") {
		t.Errorf("who wants to leave is told\n%s", text)
	}
	if early, r := m.Press("y"); r.Leave || early.Ended() {
		t.Error("a key leaves that was pressed before the card could be read")
	}
	m, _ = m.Advance(1)
	for _, key := range []string{"n", "space", "escape", "up"} {
		if after, r := m.Press(key); r.Leave || after.Ended() || !strings.Contains(after.Text(whole), "y: leave") || !strings.Contains(after.Text(whole), key+" does nothing here.") {
			t.Errorf("%s, which the card does not name, sends it away", key)
		}
	}
	stay, r := m.Press("enter")
	if r.Leave || stay.Ended() {
		t.Error("enter leaves, and not goes on")
	}
	if _, r := stay.Press("up"); said(r) == "" {
		t.Error("who stays cannot go on")
	}
	if gone, r := m.Press("y"); !r.Leave || !gone.Ended() {
		t.Error("y does not leave")
	}
	if m := received(reset, free, string(play.End())); m.Ended() {
		t.Error("an open question is overtaken by the end")
	}
	if m := received(string(play.End())); !m.Ended() {
		t.Error("the end is not the end")
	}
}

// TestSeesWhatIsHeard checks that the map shows the things that are in the observation, and no reward if none is in it.
func TestSeesWhatIsHeard(t *testing.T) {
	if got := received(reset, held).Text(whole); !strings.Contains(got, "......\n.H..'.\n..^...") {
		t.Errorf("the text is\n%s", got)
	}
	if got := received(reset, free).Text(whole); !strings.Contains(got, "......\n.H.._.\n..>...") || !strings.Contains(got, "59 ticks left") {
		t.Errorf("the text is\n%s", got)
	}
	if got := received(reset, dark).Text(whole); !strings.Contains(got, "The lights are out.") {
		t.Errorf("the text is\n%s", got)
	}
	with, without := len(received(reset, held).Draw(800, 600).Ops), len(received(reset, strings.Replace(held, `{"index":0,"kind":"reward","position":[4,1],"air":true,"size":1,"value":1,"colour":[0,255,0]}`, "", 1)).Draw(800, 600).Ops)
	if with <= without {
		t.Errorf("%d shapes with a reward in sight, %d without", with, without)
	}
	for _, size := range [][2]float32{{1, 1}, {300, 200}, {1920, 1080}} {
		for _, lines := range [][]string{{}, {reset}, {reset, held}, {reset, dark}, {reset, free, done}, {"no line"}} {
			received(lines...).Draw(size[0], size[1])
		}
	}
}

var errGone = errors.New("gone")

// TestPipe checks that a pipe passes lines on in order, and accepts only the first answer to the last question.
func TestPipe(t *testing.T) {
	r := play.NewPipe(errGone)
	ctx := context.Background()
	answers := make(chan string)
	go func() {
		_ = r.Tell(ctx, []byte("a")) // never fails
		for _, q := range []string{"b", "c", "d"} {
			a, err := r.Ask(ctx, []byte(q))
			if err != nil {
				a = []byte(err.Error())
			}
			answers <- string(a)
		}
	}()
	var heard []string
	for len(heard) < 2 {
		for _, l := range r.Wait(ctx, len(heard)) {
			heard = append(heard, string(l))
		}
	}
	if r.Reply(1, play.Reply{Answer: []byte("early")}) == nil {
		t.Error("a line that is no question is answered")
	}
	if err := r.Reply(2, play.Reply{Answer: []byte("one")}); err != nil || <-answers != "one" {
		t.Errorf("the answer to b: %v", err)
	}
	heard = append(heard, string(r.Wait(ctx, 2)[0]))
	if r.Reply(2, play.Reply{Answer: []byte("late")}) == nil {
		t.Error("b is answered twice")
	}
	if err := r.Reply(3, play.Reply{Answer: []byte("two")}); err != nil || <-answers != "two" {
		t.Errorf("the answer to c: %v", err)
	}
	heard = append(heard, string(r.Wait(ctx, 3)[0]))
	_ = r.Reply(0, play.Reply{Leave: true})
	_ = r.Reply(0, play.Reply{Leave: true})
	if got := <-answers; got != "gone" || !slices.Equal(heard, []string{"a", "b", "c", "d"}) {
		t.Errorf("heard %q, then %q", heard, got)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if r.Wait(over, 99) != nil {
		t.Error("who waits for ever gets a line")
	}
}

// TestChair checks that a View shows the lines that arrive, turns keys into answers, and closes the window when the
// person leaves.
func TestChair(t *testing.T) {
	r := play.NewPipe(errGone)
	c := play.NewView(r)
	answers := make(chan string)
	go func() {
		_ = r.Tell(context.Background(), []byte(reset)) // never fails
		a, _ := r.Ask(context.Background(), []byte(free))
		answers <- string(a)
	}()
	r.Wait(context.Background(), 1)
	r.Wait(context.Background(), 1)
	before, _ := c.Update(canvas.Input{})
	if again, _ := c.Update(canvas.Input{}); before == 1 || again != before {
		t.Error("lines that were heard do not change the picture once")
	}
	if _, done := c.Update(canvas.Input{Seconds: play.CardTime, Keys: []string{"enter", "right"}}); done || <-answers != `{"action":"right"}` {
		t.Error("a key does nothing")
	}
	c.Update(canvas.Input{Keys: []string{"escape"}})
	if _, done := c.Update(canvas.Input{Seconds: play.CardTime, Keys: []string{"y"}}); !done {
		t.Error("who leaves does not close the window")
	}
	var kinds int
	for _, op := range c.Draw(640, 480).Ops {
		if _, ok := op.(canvas.FillRect); ok {
			kinds++
		}
	}
	if kinds == 0 {
		t.Error("nothing is drawn")
	}
}

// TestGolden compares the pictures that a person sees with golden files: while the actor is held, when it is free, in
// the dark, after a step that was stopped, at the end of a trial, when it wants to leave, at a question, before a trial and with a profile.
func TestGolden(t *testing.T) {
	over, _ := received(string(play.Welcome(20, 3)), reset, free).Press("up")
	bumped := over
	for name, m := range map[string]play.Model{
		"held": received(string(play.Welcome(20, 3)), reset, held), "free": received(string(play.Welcome(20, 3)), reset, free), "dark": received(reset, dark), "over": over.Receive([]byte(done)),
		"leave": pressed(received(reset, free), "escape"), "bump": bumped.Receive([]byte(free)),
		"question": received(string(play.Welcome(20, 3)), series),
		"ready":    play.Model{}.Receive(play.Practice()).Receive([]byte(reset)).Receive([]byte(held)), "profile": play.Model{}.Receive(play.Profile(profile)).Receive(play.End()),
	} {
		canvastest.Golden(t, "testdata/"+name+".png", canvas.Render(m.Draw(640, 400)))
	}
}

func FuzzHear(f *testing.F) {
	for _, l := range []string{reset, held, free, dark, done, string(play.End()), string(play.Welcome(1, 2)), string(play.Practice()), string(play.Inferring()), string(play.Profile(profile))} {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, l string) {
		m := received(reset, l)
		m.Draw(320, 200)
		m.Text(whole)
		for _, k := range []string{"up", "enter", "escape", "y"} {
			m = pressed(m, k)
		}
		m.Advance(1)
	})
}

// whole is text on a line of any width.
func whole(text string) string { return text }

// TestNarrow checks that on a narrow screen nothing that is said is cut off, and that the world stays in its place when a notice comes.
func TestNarrow(t *testing.T) {
	brief := strings.Replace(reset, "Find it.", "Touch the reward. It falls into one of four holes, and stays there until the time is up.", 1)
	free := strings.Replace(free, `"carrying":true`, `"carrying":false`, 1)
	ready := play.Model{}.Receive([]byte(brief)).Receive([]byte(free))
	acting := pressed(ready, "enter")
	wrong, _ := acting.Press("g")
	bump, _ := acting.Press("up")
	bump = bump.Receive([]byte(free))
	world := func(c *canvas.Canvas) float32 {
		for _, op := range c.Ops {
			if x, ok := op.(canvas.Clip); ok {
				return x.Y0
			}
		}
		return 0
	}
	for _, w := range []float32{360, 400, 600} {
		for name, m := range map[string]play.Model{"ready": ready, "acting": acting, "wrong": wrong, "bump": bump} {
			c := m.Draw(w, 700)
			for _, op := range c.Ops {
				if x, ok := op.(canvas.Text); ok && strings.HasSuffix(x.Text, "…") {
					t.Errorf("%s at %g pixels: %s", name, w, x.Text)
				}
			}
			if name != "ready" && world(c) != world(acting.Draw(w, 700)) {
				t.Errorf("%s at %g pixels: the world is at %g and not at %g", name, w, world(c), world(acting.Draw(w, 700)))
			}
		}
	}
}
