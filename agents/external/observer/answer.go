package observer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"achilles/sim/record"
)

// An Answer is the observer's surprise at one video.
type Answer struct {
	Item     string
	Video    int         // index: 0 is a, 1 is b
	Surprise float64     // larger: less expected
	Steps    []float64   // surprise at single steps; nil if the observer gives none
	Goal     *[2]float64 // where it expects the actor to end, the centre in pixels: Path's end, if only Path is given; nil if it does not say
	Path     [][2]int    // corners of the way on which it expects the actor's centre, in pixels; nil if it does not say
}

// line is the JSON form of an answer.
type line struct {
	Video    *string     `json:"video"`
	Surprise *float64    `json:"surprise"`
	Steps    []float64   `json:"steps"`
	Goal     []float64   `json:"goal"`
	Path     [][]float64 `json:"path"`
}

// maxLine is the largest length of a line of an answer, in bytes.
const maxLine = 1 << 24

// farthest is the largest coordinate of a path, in pixels: scenes are smaller.
const farthest = 4096

// maxSteps is the largest number of surprises in one answer: a video has no more frames.
const maxSteps = 1 << 14

// Read reads the answers to the videos of the items: one JSON object per line, in any order, one per video. It ignores
// empty lines. It returns the answers sorted by item and video. The error names the wrong line and what would be right,
// or a video without an answer.
func Read(in io.Reader, items []record.Watched) ([]Answer, error) {
	return read(in, items, func(int, int) {})
}

// read does what Read does. At the start and after every answer it calls progress with the numbers of answers and videos.
func read(in io.Reader, items []record.Watched, progress func(answered, total int)) ([]Answer, error) {
	videos := shuffled(items)
	progress(0, len(videos))
	answers, err := collect(in, videos, progress)
	if err != nil {
		return nil, fmt.Errorf("observer: answers%w", err)
	}
	var all []Answer
	for i := range items {
		for k := range items[i].Videos {
			a, ok := answers[place{items[i].Item, k}]
			if !ok {
				return nil, fmt.Errorf("observer: answers: %d of %d videos are answered; %s is not", len(answers), len(videos), missing(videos, items[i].Item, k))
			}
			all = append(all, a)
		}
	}
	return all, nil
}

// A place identifies a video by its item and index.
type place struct {
	item  string
	index int
}

// collect returns the answers in all lines of in, by video. It calls progress after every answer.
func collect(in io.Reader, videos []named, progress func(answered, total int)) (map[place]Answer, error) {
	known := make(map[string]named, len(videos))
	for _, n := range videos {
		known[n.name] = n
	}
	answers := make(map[place]Answer, len(known))
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 {
			continue
		}
		l, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf(", line %d: %w", n, err)
		}
		v, ok := known[*l.Video]
		if !ok {
			return nil, fmt.Errorf(", line %d: no video is called %q", n, *l.Video)
		}
		at := place{v.item, v.index}
		if _, twice := answers[at]; twice {
			return nil, fmt.Errorf(", line %d: video %s is answered twice", n, *l.Video)
		}
		answers[at] = Answer{v.item, v.index, *l.Surprise, l.Steps, l.goal(), l.path()}
		progress(len(answers), len(videos))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf(": %w", err)
	}
	return answers, nil
}

func missing(videos []named, item string, index int) string {
	for _, n := range videos {
		if n.item == item && n.index == index {
			return n.name
		}
	}
	return item
}

func (l *line) goal() *[2]float64 {
	if l.Goal == nil {
		if n := len(l.Path); n > 0 {
			return (*[2]float64)(l.Path[n-1])
		}
		return nil
	}
	return (*[2]float64)(l.Goal)
}

func (l *line) path() (corners [][2]int) {
	for _, p := range l.Path {
		corners = append(corners, [2]int{int(math.Round(p[0])), int(math.Round(p[1]))})
	}
	return corners
}

func parse(text []byte) (l line, err error) {
	const want = `{"video": "…", "surprise": 1.5}`
	if err := json.Unmarshal(text, &l); err != nil {
		return l, fmt.Errorf("%w; want %s", err, want)
	}
	if l.Video == nil || l.Surprise == nil {
		return l, fmt.Errorf("video or surprise is missing; want %s", want)
	}
	if l.Goal != nil && len(l.Goal) != 2 {
		return l, fmt.Errorf("goal has %d numbers; want [x, y], in pixels", len(l.Goal))
	}
	if len(l.Path) > maxSteps {
		return l, fmt.Errorf("path has %d points; at most %d", len(l.Path), maxSteps)
	}
	for _, p := range l.Path {
		if len(p) != 2 {
			return l, fmt.Errorf("a point of path has %d numbers; want [x, y], in pixels", len(p))
		}
		for _, x := range p {
			if !(x >= 0 && x <= farthest) {
				return l, fmt.Errorf("path: %v; want pixels, from 0 to %d", x, farthest)
			}
		}
	}
	if len(l.Steps) > maxSteps {
		return l, fmt.Errorf("%d steps; at most %d", len(l.Steps), maxSteps)
	}
	for _, x := range append(l.Steps, *l.Surprise) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return l, errors.New("a surprise must be a finite number")
		}
	}
	return l, nil
}

// converse writes the videos to an observer and at the same time reads the answers, which it returns. It closes out when
// all videos are written, and returns when `in` has ended.
func converse(items []record.Watched, form Form, out io.WriteCloser, in io.Reader, progress func(answered, total int)) ([]Answer, error) {
	written := make(chan error, 1)
	go func() {
		err := Write(out, items, form)
		written <- errors.Join(err, out.Close())
	}()
	answers, err := read(in, items, progress)
	if err != nil {
		return nil, err // if the observer stopped listening, an error of writing is not the cause
	}
	return answers, <-written
}
