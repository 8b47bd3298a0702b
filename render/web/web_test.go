package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"achilles/render/canvas"
	"achilles/render/play"
	"achilles/render/rendertest"
	"achilles/render/replay"
	"achilles/render/viewer"
	"achilles/render/web"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
)

// results returns the files of a small results directory with generated episodes. It has no ledger, so that the viewer
// takes its seal for closed.
var results = sync.OnceValue(func() fstest.MapFS {
	file, err := scenarios.FS.ReadFile("embodied.toml")
	if err != nil {
		panic(err)
	}
	text := strings.Replace(strings.Replace(string(file), "items = 600", "items = 12", 1), "count = 24", "count = 3", 1)
	s, err := scenario.Parse("embodied.toml", text)
	if err != nil {
		panic(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: 1})
	if err != nil {
		panic(err)
	}
	public, sealed, err := generatetest.Files(session)
	if err != nil {
		panic(err)
	}
	dir := fstest.MapFS{}
	for part, files := range map[string]map[string][]byte{"public": public, "sealed": sealed} {
		for name, data := range files {
			dir[part+"/"+name] = &fstest.MapFile{Data: data}
		}
	}
	return dir
})

// program returns a program for tests that do not run it.
func program(t *testing.T) *web.Program {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte("wasm")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &web.Program{Wasm: b.Bytes(), Glue: []byte("glue"), Bytes: 4}
}

// serve serves a site until the test ends, and returns its address.
func serve(t *testing.T, s *web.Site) (address string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- web.Serve(ctx, s, func(a string) { ready <- a }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return <-ready
}

func site(t *testing.T, unsealed bool) *web.Site {
	t.Helper()
	s := &web.Site{Program: program(t), Dir: results()}
	s.Title = "results/mine"
	var err error
	if s.Files, err = web.Parts(results(), unsealed); err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends a request. If host is not empty, the request names it as its host.
func ask(t *testing.T, method, address, host, body string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		r.Host = host
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(data)
}

func TestServes(t *testing.T) {
	address := serve(t, site(t, false))
	if !strings.HasPrefix(address, "http://127.0.0.1:") || len(strings.Split(address, "/")[3]) < 26 {
		t.Errorf("the address is %s", address)
	}
	root := strings.Join(strings.Split(address, "/")[:3], "/")
	for _, c := range []struct {
		why, address, host string
		status             int
		has                string
	}{
		{"the page", address, "", 200, "boot.js"},
		{"the script", address + "boot.js", "", 200, "instantiateStreaming"},
		{"the glue", address + "wasm_exec.js", "", 200, "glue"},
		{"the program, unpacked by the client", address + "viewer.wasm", "", 200, "wasm"},
		{"what there is", address + "config.json", "", 200, `"public/manifest.json"`},
		{"a file", address + "data/public/manifest.json", "", 200, "achilles-public"},
		{"no token", root + "/", "", 404, ""},
		{"no token, a file", root + "/data/public/manifest.json", "", 404, ""},
		{"another token", root + "/AAAAAAAAAAAAAAAAAAAAAAAAAA/", "", 404, ""},
		{"a folder", address + "data/public/", "", 404, ""},
		{"what is sealed", address + "data/sealed/truth.json", "", 404, ""},
		{"outside", address + "data/..%2f..%2fetc/passwd", "", 404, ""},
		{"round about", address + "data/public/..%2fsealed/truth.json", "", 404, ""},
		{"a name that leads here", address, "evil.example", 403, ""},
		{"nobody plays", address + "lines?after=0", "", 404, ""},
	} {
		status, text := ask(t, http.MethodGet, c.address, c.host, "")
		if status != c.status || !strings.Contains(text, c.has) {
			t.Errorf("%s: status %d, want %d: %.80s", c.why, status, c.status, text)
		}
	}
	if status, _ := ask(t, http.MethodPost, address+"data/public/manifest.json", "", "x"); status != 405 {
		t.Errorf("a file can be written to: status %d", status)
	}
	opened := serve(t, site(t, true))
	if status, text := ask(t, http.MethodGet, opened+"data/sealed/truth.json", "", ""); status != 200 || !strings.Contains(text, `"salt"`) {
		t.Errorf("unsealed, the truth is not served: status %d", status)
	}
}

// TestSwappedLinks puts links to what is sealed in the place of a file, and of a folder, after the list of files was made.
func TestSwappedLinks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"public/manifest.json", "sealed/truth.json", "sealed/manifest.json", "scores/truth.json"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("what is in "+name), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s := &web.Site{Program: program(t), Dir: root.FS()}
	if s.Files, err = web.Parts(s.Dir, false); err != nil {
		t.Fatal(err)
	}
	address := serve(t, s)
	status := func(name string) string {
		code, text := ask(t, http.MethodGet, address+"data/"+name, "", "")
		return fmt.Sprint(code, " ", text)
	}
	if got := status("public/manifest.json") + status("scores/truth.json"); got != "200 what is in public/manifest.json200 what is in scores/truth.json" {
		t.Errorf("before: %s", got)
	}
	for name, to := range map[string]string{"public/manifest.json": "../sealed/truth.json", "scores": "sealed"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	for _, name := range []string{"public/manifest.json", "scores/truth.json"} {
		if got := status(name); !strings.Contains(got, "500 ") || strings.Contains(got, "what is in") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestPlayBehindServer checks that a person behind a server receives lines and answers questions, and that a line which
// is no question cannot be answered.
func TestPlayBehindServer(t *testing.T) {
	gone := errors.New("gone")
	r := play.NewPipe(gone)
	address := serve(t, &web.Site{Program: program(t), Pipe: r})
	answers := make(chan string)
	go func() {
		for _, q := range []string{"first?", "second?"} {
			a, err := r.Ask(context.Background(), []byte(q))
			if err != nil {
				a = []byte(err.Error())
			}
			answers <- string(a)
		}
	}()
	if _, text := ask(t, http.MethodGet, address+"lines?after=0", "", ""); text != "[\"first?\"]\n" {
		t.Errorf("heard %s", text)
	}
	if status, _ := ask(t, http.MethodPost, address+"reply", "", `{"received":7,"answer":"x"}`); status != 409 {
		t.Errorf("an answer to nothing: status %d", status)
	}
	if status, _ := ask(t, http.MethodPost, address+"reply", "", `nonsense`); status != 400 {
		t.Errorf("nonsense: status %d", status)
	}
	if status, _ := ask(t, http.MethodPost, address+"reply", "", `{"received":1,"answer":"x"}`); status != 200 || <-answers != "x" {
		t.Errorf("an answer: status %d", status)
	}
	if _, text := ask(t, http.MethodGet, address+"lines?after=1", "", ""); text != "[\"second?\"]\n" {
		t.Errorf("heard %s", text)
	}
	if ask(t, http.MethodPost, address+"reply", "", `{"leave":true}`); <-answers != "gone" {
		t.Error("who leaves is still asked")
	}
}

// TestBrowser checks that the viewer in a browser shows the pictures that the renderer draws, also after keys are
// pressed.
func TestBrowser(t *testing.T) {
	browser := rendertest.Browser(t)
	s := site(t, false)
	var err error
	began := time.Now()
	if s.Program, err = web.Build(t.Context()); errors.Is(err, web.ErrNoSource) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Logf("built in %v: %d bytes, %d gzipped", time.Since(began).Round(10*time.Millisecond), s.Program.Bytes, len(s.Program.Wasm))
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
	p, err := web.Build(t.Context())
	if errors.Is(err, web.ErrNoSource) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	const reset = `{"type":"reset","brief":"Find it.","move":"turning","limit":60,"map":["......",".H..H.","......"],"room":"world 1\nlimit 60\nmap\n......\n.H..H.\n......\n\nactor nowhere north\n","places":[[1,1],[4,1]]}`
	const free = `{"type":"observation","tick":1,"position":[2,0],"heading":"north","things":[{"kind":"reward","position":[4,1],"air":true,"size":2,"colour":[0,255,0]}],"open":[[1,1]]}`
	pipe := play.NewPipe(errors.New("left"))
	s := &web.Site{Program: p, Pipe: pipe}
	s.Title, s.Play = "play", true
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
	s := site(t, false)
	var err error
	if s.Program, err = web.Build(t.Context()); errors.Is(err, web.ErrNoSource) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	const words = "document.getElementById('words').textContent"
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
