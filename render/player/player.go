// Package player makes a page that plays a few episodes of a results directory: what was predicted, what happened, and why. The
// page is one file that loads nothing, works from a disk and within another page, and shows its last moments without JavaScript.
package player

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"achilles/render/canvas"
	"achilles/render/format"
	"achilles/render/picture"
	"achilles/render/replay"
	"achilles/scenarios/score"
)

var (
	//go:embed page.html
	pageText string
	//go:embed player.css
	styleText string
	//go:embed player.js
	scriptText string
)

// Episodes is the number of episodes that a player has by default.
const Episodes = 5

// MostWrong returns up to n rows of an archive: those whose predictions are the most wrong, of as many subjects as there are. It returns
// the first rows, and false, if nothing was predicted.
func MostWrong(a *replay.Archive, n int) (rows []int, wrong bool) {
	order := replay.NewList(a.Rows).Select(nil, replay.Query{Order: replay.MostWrong})
	known := slices.DeleteFunc(slices.Clone(order), func(i int32) bool {
		h := a.Rows[i].HeldOut
		return h == nil || math.IsNaN(h.Wrong())
	})
	if wrong = len(known) > 0; !wrong {
		known = order
	}
	seen := map[string]bool{}
	for _, again := range []bool{false, true} {
		for _, i := range known {
			if len(rows) < n && (!seen[a.Rows[i].Subject] || again && !slices.Contains(rows, int(i))) {
				seen[a.Rows[i].Subject] = true
				rows = append(rows, int(i))
			}
		}
	}
	return rows, wrong
}

// A Player has episodes to play.
type Player struct {
	Title    string
	Episodes []Episode
}

// An Episode is an episode in a form that a script can play: the elements of all pictures once each, and how every picture differs
// from the one before.
type Episode struct {
	Title, Outcome string
	Facts          []string // sentences about the prediction
	Question       string   // Why p = …?; empty: nothing is known
	Hurdles        []Hurdle
	Sentences      []string
	Last           template.HTML // picture of the last tick, which is there without the script
	Width, Height  int
	LastTick       int
	Ticks          template.JS // what the script reads
}

// A Hurdle is a row of the table of hurdles, in print.
type Hurdle struct {
	Name, Demand, Mean, Interval, Truth string
	Bar                                 template.HTML
}

// data is what the script reads of an episode.
type data struct {
	Rate     float64        `json:"rate"`
	Words    [][2]string    `json:"words"` // letter in Elements, and what it stands for
	Elements []string       `json:"elements"`
	Frames   [][]int        `json:"frames"` // number of elements kept at the beginning of the frame before, and at its end, elements between; empty: the same
	Events   map[int]string `json:"events"`
}

// side is the length of the longer side of a picture, in units of its viewBox.
const side = 400

// Add adds an episode, and what was predicted of it.
func (p *Player) Add(e *replay.Episode) error {
	w, h := size(e)
	out := Episode{Title: title(e), Outcome: e.Outcome, LastTick: e.Last, Width: int(w), Height: int(h)}
	if e.Cause != "" {
		out.Outcome += ": " + e.Cause
	}
	if e.HeldOut != nil && !math.IsNaN(e.HeldOut.P) {
		out.Facts = append(out.Facts, "Predicted without this response: p = "+format.Number(e.HeldOut.P, 2)+".")
		if !math.IsNaN(e.HeldOut.Truth) {
			out.Facts = append(out.Facts, "Under the truth: p = "+format.Number(e.HeldOut.Truth, 2)+".")
		}
		if e.HeldOut.Residual != nil {
			out.Facts = append(out.Facts, "Residual: "+e.HeldOut.Residual.String()+".")
		}
	}
	if e.Predicted != nil {
		out.Facts = append(out.Facts, "Blue: the actual path. Orange: paths that the profile predicts, the dashed one the most central.")
	}
	if why, ok := picture.WhyOf(e); ok {
		out.explain(why)
	}
	for every := 1 + e.Last/mostFrames; ; every *= 2 {
		if err := out.film(e, w, h, every); err != nil {
			return err
		}
		if len(out.Ticks) <= room || every > e.Last {
			break
		}
	}
	p.Episodes = append(p.Episodes, out)
	return nil
}

// room is the size, in bytes, of the pictures of an episode above which fewer ticks are drawn, so that five episodes take 300 kB at most.
const room = 40000

// mostFrames is about the largest number of ticks that are drawn.
const mostFrames = 250

// film draws the ticks of an episode: those at events, the last one, and of the others each that every divides.
func (out *Episode) film(e *replay.Episode, w, h float32, every int) error {
	d := data{Rate: e.Rate, Events: map[int]string{}}
	for _, v := range e.Events {
		d.Events[v.Tick] = strings.TrimPrefix(d.Events[v.Tick]+", "+v.Caption(), ", ")
	}
	index, before := map[string]int{}, []int(nil)
	for tick := 0; tick <= e.Last; tick++ {
		if d.Events[tick] == "" && tick%every != 0 && tick < e.Last {
			d.Frames = append(d.Frames, []int{})
			continue
		}
		c := canvas.New(w, h)
		picture.Moment{Episode: e, Tick: tick, Show: picture.All()}.Draw(c, c.Bounds())
		var frame []int
		elements := canvas.SVG(c)
		for _, x := range elements {
			k, ok := index[x]
			if !ok {
				k = len(d.Elements)
				index[x] = k
				d.Elements = append(d.Elements, x)
			}
			frame = append(frame, k)
		}
		d.Frames = append(d.Frames, differing(before, frame))
		before = frame
		if tick == e.Last {
			out.Last = template.HTML(strings.Join(elements, ""))
		}
	}
	d.shorten()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // texts within elements are escaped already
	if err := enc.Encode(d); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	out.Ticks = template.JS(b.String())
	return nil
}

// shorten puts letters in the place of what elements often have, which halves them.
func (d *data) shorten() {
	letters := []string{}
	all := strings.Join(d.Elements, "")
	for _, c := range strings.Split("`^|~$@!_{}[]*+", "") {
		if !strings.Contains(all, c) {
			letters = append(letters, c)
		}
	}
	often := []string{"<path d='M", "' fill='none' stroke-width='", "' stroke='#", "' stroke-opacity='0.", "' fill-opacity='0.", "<rect x='", "' y='", "' width='", "' height='", "<circle cx='", "' cy='", "' r='", "' fill='#", "'/>"}
	var pairs []string
	for i, word := range often[:min(len(often), len(letters))] {
		d.Words = append(d.Words, [2]string{letters[i], word})
		pairs = append(pairs, word, letters[i])
	}
	short := strings.NewReplacer(pairs...)
	for i, e := range d.Elements {
		d.Elements[i] = short.Replace(e)
	}
}

// differing returns how a list differs from the one before: how many elements are the same at the beginning, how many at the end, and
// those between.
func differing(before, now []int) []int {
	head := 0
	for head < len(before) && head < len(now) && before[head] == now[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(now)-head && before[len(before)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	return append([]int{head, tail}, now[head:len(now)-tail]...)
}

// size returns the size of the pictures of an episode, which is that of its world with a little margin, or of its scenes.
func size(e *replay.Episode) (w, h float32) {
	if e.Trajectory == nil {
		return side * 2.1, side * 1.25
	}
	columns, rows := float32(e.Trajectory.World.Width())+1, float32(e.Trajectory.World.Height())+1
	cell := max(float32(int(side/max(columns, rows))), 6)
	return columns * cell, rows * cell
}

func title(e *replay.Episode) string {
	if e.Subject == "" {
		return e.Item
	}
	return e.Subject + " on " + e.Item
}

// explain adds the hurdles.
func (e *Episode) explain(w picture.Why) {
	e.Question, e.Sentences = w.Title(), w.Sentences()
	if w.Why != "" {
		return
	}
	add := func(name, demand string, c score.Cleared) {
		h := Hurdle{Name: name, Demand: demand, Mean: format.Number(c.Mean, 2), Interval: format.Number(c.Low, 2) + "–" + format.Number(c.High, 2), Truth: "–"}
		bar := canvas.New(100, 14)
		at := func(p float64) canvas.Point { return canvas.Point{X: 7 + 86*float32(p), Y: 7} }
		picture.Interval(bar, at, &c)
		if c.Truth != nil {
			h.Truth = format.Number(*c.Truth, 2)
		}
		h.Bar = template.HTML(strings.Join(canvas.SVG(bar), ""))
		e.Hurdles = append(e.Hurdles, h)
	}
	for _, c := range w.Asked() {
		add(c.Name, c.Words(), c)
	}
	name, demand := w.All()
	add(name, demand, score.Cleared{Mean: w.P, Low: w.Low, High: w.High, Truth: w.Truth})
}

// Fragment returns the player as a part of another page, with its style and script. A page can have one.
func (p *Player) Fragment() (template.HTML, error) { return p.execute("player") }

// most is the largest size of a page, in bytes.
const most = 300_000

// Page returns the player as a page of at most 300 kB, without the last episodes if all would take more. It has one episode at least.
func (p *Player) Page() ([]byte, error) {
	some := *p
	for {
		b, err := some.execute("page")
		if err != nil || len(b) <= most || len(some.Episodes) == 1 {
			return []byte(b), err
		}
		some.Episodes = some.Episodes[:len(some.Episodes)-1]
	}
}

func (p *Player) execute(name string) (template.HTML, error) {
	t, err := template.New("").Parse(pageText)
	if err != nil {
		panic("player: the page's template does not parse")
	}
	var b bytes.Buffer
	err = t.ExecuteTemplate(&b, name, struct {
		*Player
		Alone  bool // whether it is the whole page
		Style  template.CSS
		Script template.JS
	}{p, name == "page", template.CSS(styleText), template.JS(scriptText)})
	if err != nil {
		return "", fmt.Errorf("player: %w", err)
	}
	return template.HTML(b.String()), nil
}
