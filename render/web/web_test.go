package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"achilles/render/canvas"
	"achilles/render/palette"
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

// site is the viewer of a directory whose seal is closed.
func site() *web.Site {
	return &web.Site{Title: "results/mine", MinWidth: viewer.LeastWidth, MinHeight: viewer.LeastHeight, Open: func(place string) (canvas.View, func()) {
		v := viewer.Open(viewer.Options{Title: "results/mine"}.At(place), func() (*replay.Archive, error) { return replay.Open(results()) })
		return v, v.Close
	}}
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
	address := serve(t, site())
	if !strings.HasPrefix(address, "http://127.0.0.1:") || len(strings.Split(address, "/")[3]) < 26 {
		t.Errorf("the address is %s", address)
	}
	root := strings.Join(strings.Split(address, "/")[:3], "/")
	for _, c := range []struct {
		why, address, host string
		status             int
		has                string
	}{
		{"the page", address, "", 200, "page.js"},
		{"the script", address + "page.js", "", 200, "putImageData"},
		{"no token", root + "/", "", 404, ""},
		{"another token", root + "/AAAAAAAAAAAAAAAAAAAAAAAAAA/", "", 404, ""},
		{"files of the directory", address + "public/manifest.json", "", 404, ""},
		{"what is sealed", address + "sealed/truth.json", "", 404, ""},
		{"outside", address + "..%2f..%2fetc/passwd", "", 404, ""},
		{"a page that is not open", address + "frame?page=x&have=0", "", 404, ""},
		{"a name that leads here", address, "evil.example", 403, ""},
	} {
		status, text := ask(t, http.MethodGet, c.address, c.host, "")
		if status != c.status || !strings.Contains(text, c.has) {
			t.Errorf("%s: status %d, want %d: %.80s", c.why, status, c.status, text)
		}
	}
	for body, want := range map[string]int{"nonsense": 400, `{"place":"` + strings.Repeat("x", 1<<19) + `"}`: 400} {
		if status, _ := ask(t, http.MethodPost, address+"open", "", body); status != want {
			t.Errorf("%.20s is opened: status %d", body, status)
		}
	}
}

// A spot is a view with one dot, where it was clicked last, that writes down its input.
type spot struct {
	at     canvas.Point
	inputs []canvas.Input
	clicks uint64
}

func (s *spot) Update(in canvas.Input) (uint64, bool) {
	if in.Keys != nil || in.Down || in.Wheel != 0 {
		s.inputs = append(s.inputs, in)
	}
	if in.Down {
		s.at = canvas.Point{X: in.X, Y: in.Y}
		s.clicks++
	}
	return s.clicks, slices.Contains(in.Keys, "escape")
}

func (s *spot) Draw(w, h float32) *canvas.Canvas {
	c := canvas.New(w, h)
	c.Disc(s.at, 5, palette.Blue)
	return c
}

// A shown is what a page would show: it puts parts of pictures together as page.js does.
type shown struct {
	t       *testing.T
	address string
	page    string
	picture *image.RGBA
	frame   struct {
		Picture, Width, Height, Side int
		Tiles                        []int
		Words, Place                 string
		Done                         bool
	}
	bytes int // of the last part
}

func open(t *testing.T, address, place string) *shown {
	t.Helper()
	body, err := json.Marshal(map[string]string{"place": place})
	if err != nil {
		t.Fatal(err)
	}
	status, text := ask(t, http.MethodPost, address+"open", "", string(body))
	var answer struct{ Page string }
	if err := json.Unmarshal([]byte(text), &answer); status != 200 || err != nil {
		t.Fatalf("status %d: %s", status, text)
	}
	return &shown{t: t, address: address, page: answer.Page}
}

func (s *shown) send(events string) {
	s.t.Helper()
	if status, text := ask(s.t, http.MethodPost, s.address+"input?page="+s.page, "", events); status != 200 {
		s.t.Fatalf("status %d: %s", status, text)
	}
}

func (s *shown) look() {
	s.t.Helper()
	status, text := ask(s.t, http.MethodGet, fmt.Sprintf("%sframe?page=%s&have=%d", s.address, s.page, s.frame.Picture), "", "")
	line, part, _ := strings.Cut(text, "\n")
	if err := json.Unmarshal([]byte(line), &s.frame); status != 200 || err != nil {
		s.t.Fatalf("status %d: %.80s", status, text)
	}
	if s.picture == nil || s.picture.Rect.Dx() != s.frame.Width || s.picture.Rect.Dy() != s.frame.Height {
		s.picture = image.NewRGBA(image.Rect(0, 0, s.frame.Width, s.frame.Height))
	}
	side := s.frame.Side
	if s.bytes = len(part); s.bytes != len(s.frame.Tiles)/2*side*side*4 {
		s.t.Fatalf("%d bytes of %d tiles", s.bytes, len(s.frame.Tiles)/2)
	}
	tiles := &image.RGBA{Pix: []byte(part), Stride: 4 * side, Rect: image.Rect(0, 0, side, s.bytes/4/max(side, 1))}
	for i := 0; i < len(s.frame.Tiles); i += 2 {
		x, y := s.frame.Tiles[i], s.frame.Tiles[i+1]
		draw.Draw(s.picture, image.Rect(x, y, x+side, y+side), tiles, image.Pt(0, side*i/2), draw.Src)
	}
}

// TestPage checks that what a page shows is the view's picture after every input, at each density and below the least size, though only parts are
// sent; that no input is lost or comes in another order; that a page which lost a picture gets a whole one; and that another page has a view of its own.
func TestPage(t *testing.T) {
	var views []*spot
	ended := make(chan bool, 99)
	address := serve(t, &web.Site{Title: "spot", MinWidth: 300, MinHeight: 100, Open: func(string) (canvas.View, func()) {
		views = append(views, &spot{})
		return views[len(views)-1], func() { ended <- true }
	}})
	p := open(t, address, "")
	for _, c := range []struct {
		event         string
		width, height float32 // of the view's picture
		ratio         float32
		at            canvas.Point
	}{
		{`[{"width":400,"height":200,"ratio":1,"x":40,"y":30,"down":true}]`, 400, 200, 1, canvas.Point{X: 40, Y: 30}},
		{`[{"width":400,"height":200,"ratio":1,"x":41,"y":33,"down":true},{"width":400,"height":200,"ratio":1,"x":60,"y":99}]`, 400, 200, 1, canvas.Point{X: 41, Y: 33}},
		{`[{"width":400,"height":200,"ratio":2,"x":100,"y":50,"down":true}]`, 400, 200, 2, canvas.Point{X: 100, Y: 50}},
		{`[{"width":150,"height":100,"ratio":1,"x":100,"y":50,"down":true}]`, 300, 200, 1, canvas.Point{X: 200, Y: 100}},
	} {
		p.send(c.event)
		p.look()
		want := canvas.New(c.width, c.height)
		want.Disc(c.at, 5, palette.Blue)
		if n := differ(p.picture, canvas.Render(want.Scaled(c.ratio))); n > 0 {
			t.Errorf("after %s %d pixels differ", c.event, n)
		}
	}
	whole := p.bytes
	p.send(`[{"keys":["a"],"width":150,"height":100,"ratio":1},{"keys":["b","c"],"width":150,"height":100,"ratio":1},{"wheel":-3,"x":9,"y":9,"down":true,"width":150,"height":100,"ratio":1}]`)
	if p.look(); p.bytes == 0 || p.bytes >= whole {
		t.Errorf("a part has %d bytes, the whole %d", p.bytes, whole)
	}
	in := views[0].inputs[len(views[0].inputs)-3:]
	if !slices.Equal(in[0].Keys, []string{"a"}) || !slices.Equal(in[1].Keys, []string{"b", "c"}) || in[2].Wheel != -3 || in[2].X != 18 {
		t.Errorf("the view had %+v", in)
	}
	p.frame.Picture = 1 // as if the last answers were lost
	lost := p.picture
	p.picture = nil
	if p.look(); differ(p.picture, lost) > 0 {
		t.Error("a page that lost a picture does not get a whole one")
	}
	q := open(t, address, "")
	q.send(`[{"width":1e9,"height":1e9,"ratio":1e9,"x":1,"y":1,"down":true}]`)
	if q.look(); q.frame.Width*q.frame.Height > 1<<24 || q.frame.Width < 1000 {
		t.Errorf("a page of any size has %d × %d pixels", q.frame.Width, q.frame.Height)
	}
	if len(views) != 2 || len(views[1].inputs) != 1 {
		t.Errorf("%d views, of which the second had %+v", len(views), views[len(views)-1].inputs)
	}
	if q.send(`[{"keys":["escape"],"width":300,"height":100,"ratio":1}]`); true {
		q.look()
	}
	if !q.frame.Done || p.frame.Done {
		t.Errorf("who has ended: %v and %v", p.frame.Done, q.frame.Done)
	}
	for range 16 {
		open(t, address, "")
	}
	<-ended // too many are open
	<-ended
	if status, _ := ask(t, http.MethodGet, address+"frame?page="+p.page+"&have=0", "", ""); status != 404 {
		t.Errorf("what was closed answers with status %d", status)
	}
}

// TestPageOfViewer checks that a page opens the place in its address, says what it shows and where, and is told nothing that is sealed.
func TestPageOfViewer(t *testing.T) {
	address := serve(t, site())
	p := open(t, address, "")
	p.send(`[{"width":1280,"height":720,"ratio":1}]`)
	for p.frame.Place == "" {
		p.look()
	}
	for _, key := range []string{"2", "down"} { // another panel, another episode
		before := p.frame.Place
		p.send(`[{"keys":["` + key + `"],"width":1280,"height":720,"ratio":1}]`)
		for p.frame.Place == before {
			p.look()
		}
	}
	if !strings.Contains(p.frame.Words, "Episode 2 of 36") || strings.Contains(p.frame.Words, "body-0") {
		t.Errorf("it says who the subject is: %s", p.frame.Words)
	}
	q := open(t, address, p.frame.Place)
	q.send(`[{"width":1280,"height":720,"ratio":1}]`)
	for q.frame.Place != p.frame.Place {
		q.look()
	}
	if n := differ(p.picture, q.picture); n > 0 {
		t.Errorf("at the same place %d pixels differ", n)
	}
}
