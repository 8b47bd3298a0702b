package web_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"achilles/render/canvas"
	"achilles/render/play"
	"achilles/render/rendertest"
	"achilles/render/replay"
	"achilles/render/viewer"
	"achilles/render/web"
)

// TestBrowser checks that the viewer in a browser shows the pictures that the renderer draws, also after keys are
// pressed.
func TestBrowser(t *testing.T) {
	browser := rendertest.Browser(t)
	s := site()
	want := func(keys ...string) (image.Image, string) {
		d := viewer.Open(viewer.Options{Title: s.Title}, func() (*replay.Archive, error) { return replay.Open(results()) })
		defer d.Close()
		d.Settle()
		for _, k := range keys {
			d.Update(canvas.Input{Keys: []string{k}, Width: 1280, Height: 720})
			d.Settle()
		}
		return canvas.Render(d.Draw(1280, 720)), d.Fragment()
	}
	picture, place := want("down", "right", "2")
	c := rendertest.Browse(t, browser, serve(t, s)+"#"+place)
	c.Until("the viewer starts", "document.querySelector('canvas') !== null && Number(window.revision) > 2")
	first := shows(t, c, "start", picture)
	c.Press("ArrowRight", "ArrowRight", "")
	c.Press("w", "KeyW", "w")
	picture, place = want("down", "right", "2", "right", "w")
	second := shows(t, c, "after keys", picture)
	c.Until("the address has what is shown", "location.hash === "+strconv.Quote("#"+place))
	if differ(first, second) < 1000 {
		t.Error("keys change nothing")
	}
}

// tolerance is the number of pixels in which the browser's picture may differ from the renderer's, because of the mouse
// pointer or of rounding.
const tolerance = 400

// shows waits until the page shows a picture, and returns the screenshot. The test fails after a minute.
func shows(t *testing.T, c *rendertest.Chrome, name string, want image.Image) image.Image {
	t.Helper()
	var got image.Image
	n := 0
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		got = c.Screenshot()
		if n = differ(got, want); n <= tolerance {
			t.Logf("%s: %d pixels differ", name, n)
			return got
		}
	}
	for file, img := range map[string]image.Image{"got": got, "want": want} {
		path := filepath.Join(os.TempDir(), fmt.Sprintf("achilles-browser-%s-%s.png", strings.ReplaceAll(name, " ", "-"), file))
		if f, err := os.Create(path); err == nil {
			t.Logf("%s: %v", path, errors.Join(png.Encode(f, img), f.Close()))
		}
	}
	t.Fatalf("%s: %d pixels differ, %d may; the console says %q", name, n, tolerance, c.Logs)
	return nil
}

// differ counts the pixels in which two pictures differ by more than 2/255 of a component.
func differ(a, b image.Image) (n int) {
	if a.Bounds().Size() != b.Bounds().Size() {
		return math.MaxInt
	}
	r := a.Bounds()
	for y := range r.Dy() {
		for x := range r.Dx() {
			ar, ag, ab, _ := a.At(r.Min.X+x, r.Min.Y+y).RGBA()
			br, bg, bb, _ := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
			for _, d := range [3]int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb)} {
				if d > 2*257 || d < -2*257 {
					n++
					break
				}
			}
		}
	}
	return n
}

// TestBrowserPlay checks that a page of play shows the pictures that the model draws, and that keys become answers.
func TestBrowserPlay(t *testing.T) {
	browser := rendertest.Browser(t)
	const reset = `{"type":"reset","brief":"Find it.","move":"turning","limit":60,"map":["......",".H..H.","......"],"room":"world 1\nlimit 60\nmap\n......\n.H..H.\n......\n\nactor nowhere north\n","places":[[1,1],[4,1]]}`
	const free = `{"type":"observation","tick":1,"position":[2,0],"heading":"north","things":[{"kind":"reward","position":[4,1],"air":true,"size":2,"colour":[0,255,0]}],"open":[[1,1]]}`
	pipe := play.NewPipe(errors.New("left"))
	s := &web.Site{Title: "play", Open: func(string) (canvas.View, func()) { return play.NewView(pipe), func() {} }}
	answers := make(chan string, 1)
	go func() {
		_ = pipe.Tell(context.Background(), play.Welcome(3, 1)) // Tell never fails
		_ = pipe.Tell(context.Background(), []byte(reset))
		a, err := pipe.Ask(context.Background(), []byte(free))
		if err != nil {
			a = []byte(err.Error())
		}
		answers <- string(a)
	}()
	c := rendertest.Browse(t, browser, serve(t, s))
	c.Until("the page starts", "document.querySelector('canvas') !== null && Number(window.revision) > 2")
	m := play.Model{}.Receive(play.Welcome(3, 1)).Receive([]byte(reset)).Receive([]byte(free))
	m, _ = m.Advance(play.CardTime)
	c.Until("the card can go", "Number(window.revision) > 3")
	shows(t, c, "play", canvas.Render(m.Draw(1280, 720)))
	c.Axe("play")
	before := c.Eval("window.revision")
	c.Press("Enter", "Enter", "\r") // the person is ready
	m, _ = m.Press("enter")
	c.Until("the trial begins", "Number(window.revision) > "+before)
	shows(t, c, "ready", canvas.Render(m.Draw(1280, 720)))
	c.Press("ArrowUp", "ArrowUp", "")
	select {
	case a := <-answers:
		if a != `{"action":"forward"}` {
			t.Errorf("the answer is %s", a)
		}
	case <-time.After(time.Minute):
		t.Error("a key is no answer")
	}
}

// TestBrowserKeyboard goes through the viewer by keys alone, hearing what a screen reader does: an episode is found by search, played, looked at and
// left by a filter, and so at sizes of a telephone and a dense screen, where the canvas has every pixel. axe-core finds nothing.
func TestBrowserKeyboard(t *testing.T) {
	browser := rendertest.Browser(t)
	s := site()
	const words = "(document.getElementById('words')?.textContent ?? '')" // the page may not be there yet
	for _, size := range []struct {
		width, height int
		ratio         float64
	}{{1280, 720, 1}, {400, 800, 2}} {
		c := rendertest.Browse(t, browser, serve(t, s))
		c.Resize(size.width, size.height, size.ratio)
		c.Until("an episode is open", words+".includes('Episode 1 of 36')")
		c.Until("every pixel of the screen is drawn", fmt.Sprintf("document.querySelector('canvas').width === %g", float64(size.width)*size.ratio))
		c.Press("Tab", "Tab", "")
		if at := c.Eval("document.activeElement.tagName"); at != "CANVAS" {
			t.Errorf("keys go to %s", at)
		}
		c.Axe(fmt.Sprintf("the viewer at %d × %d", size.width, size.height))
		for _, step := range []struct{ key, code, text, says string }{
			{"ArrowDown", "ArrowDown", "", "Episode 2 of 36"},
			{"ArrowRight", "ArrowRight", "", "Tick 1 of "},
			{"2", "Digit2", "2", "Panel Profile."},
			{"3", "Digit3", "3", "Panel Battery."},
			{"1", "Digit1", "1", "outcome: "},
			{" ", "Space", " ", "Playing."},
			{"Home", "Home", "", "Tick 0 of "},
			{"o", "KeyO", "o", ""}, // the menu of outcomes
			{"ArrowDown", "ArrowDown", "", ""},
			{"Enter", "Enter", "\r", "Episode 1 of "},
			{"x", "KeyX", "x", " of 36 in the list"},
			{"/", "Slash", "/", ""},
			{"7", "Digit7", "7", " in the list"},
			{"Escape", "Escape", "", ""},
			{"x", "KeyX", "x", " of 36 in the list"},
		} {
			c.Press(step.key, step.code, step.text)
			c.Until("after "+step.key+" it says "+step.says, words+".includes("+strconv.Quote(step.says)+")")
		}
	}
}
