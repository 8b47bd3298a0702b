package observer

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"achilles/sim/record"
)

// A Question is a line for the observer: a video with an opaque name. It does not say whether the video shows the
// expected or the unexpected outcome.
type Question struct {
	Video           string  `json:"video"`
	Familiarisation []Trial `json:"familiarisation"`
	Test            Trial   `json:"test"`
}

// A Trial is all that can be seen in a trial: the content of the first frame, the agent's place in every frame, and the
// changes of other things.
type Trial struct {
	Size    [2]int   `json:"size"`    // width and height in pixels
	Walls   [][4]int `json:"walls"`   // x, y, width, height; the origin is at the bottom left
	Barrier [][4]int `json:"barrier"` // rectangles like Walls; the agent cannot pass them until they vanish, if they do (Changes)
	Keys    []Shape  `json:"keys"`
	Locks   []Shape  `json:"locks"`
	Objects []Shape  `json:"objects"`
	Home    Shape    `json:"home"`
	Agent   Shape    `json:"agent"`
	Path    [][2]int `json:"path"` // x and y of the agent in every frame, at 25 frames per second
	Changes []Change `json:"changes"`
	Covers  [][4]int `json:"covers,omitempty"` // the agent does not see what is under these rectangles
	Away    bool     `json:"away,omitempty"`   // the agent is not there in the first frame
}

// A Shape is a square of side 2·half with its bottom-left corner at x, y. Icon and colour are its identity.
type Shape struct {
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Half   int    `json:"half"`
	Icon   string `json:"icon"`
	Colour [3]int `json:"colour"`
}

// A Change is the state, from a frame on, of all that can change. Objects is left out where no object moves in the trial.
type Change struct {
	Frame   int      `json:"frame"`
	Barrier [][4]int `json:"barrier"`
	Keys    []Shape  `json:"keys"`
	Locks   []Shape  `json:"locks"`
	Objects []Shape  `json:"objects,omitempty"`
	Covers  [][4]int `json:"covers,omitempty"`
	Away    bool     `json:"away,omitempty"`
}

// A Form is how an observer gets the trials of a video.
type Form string

const (
	// Pixels is a Question: places in pixels, frame by frame.
	Pixels Form = "pixels"
	// Text is a TextQuestion: worlds of letters.
	Text Form = "text"
)

// named is a video with its opaque name.
type named struct {
	name  string
	item  string
	index int
	video *record.Video
}

// shuffled names the videos of all items and sorts them by name, so that the two videos of an item are not adjacent.
func shuffled(items []record.Watched) []named {
	var all []named
	for i := range items {
		for k := range items[i].Videos {
			sum := sha256.Sum256([]byte(items[i].Item + "\x00" + record.VideoName(k)))
			all = append(all, named{hex.EncodeToString(sum[:8]), items[i].Item, k, &items[i].Videos[k]})
		}
	}
	slices.SortFunc(all, func(a, b named) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.item, b.item)) })
	return all
}

// Write writes one line for every video of the items, in the order of their opaque names, which tells the observer nothing.
// It panics if there is no such form.
func Write(out io.Writer, items []record.Watched, form Form) error {
	if form != Pixels && form != Text {
		panic("observer: no such form")
	}
	b := bufio.NewWriterSize(out, 1<<16)
	lines := json.NewEncoder(b)
	lines.SetEscapeHTML(false)
	for _, n := range shuffled(items) {
		var q any = question(n.name, n.video)
		if form == Text {
			q = textQuestion(n.name, n.video)
		}
		if err := lines.Encode(q); err != nil {
			return fmt.Errorf("observer: %w", err)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("observer: %w", err)
	}
	return nil
}

func question(name string, v *record.Video) Question {
	q := Question{Video: name, Test: trial(&v.Test), Familiarisation: []Trial{}}
	for i := range v.Familiarisation {
		q.Familiarisation = append(q.Familiarisation, trial(&v.Familiarisation[i]))
	}
	return q
}

func trial(t *record.SceneTrial) Trial {
	s := &t.Scene
	q := Trial{Size: [2]int{int(s.Width), int(s.Height)}, Walls: rects(s.Walls), Barrier: rects(s.Barrier), Keys: shapes(s.Keys),
		Locks: shapes(s.Locks), Objects: shapes(s.Objects), Home: shape(s.Home), Agent: shape(s.Agent), Path: [][2]int{}, Changes: []Change{}, Away: s.Away, Covers: rects(s.Covers)}
	for _, p := range t.Path {
		q.Path = append(q.Path, [2]int{int(p.X), int(p.Y)})
	}
	moved := slices.ContainsFunc(t.Changes, func(c record.Change) bool { return !slices.Equal(c.Objects, s.Objects) })
	for _, c := range t.Changes {
		next := Change{Frame: c.Frame, Barrier: rects(c.Barrier), Keys: shapes(c.Keys), Locks: shapes(c.Locks), Covers: rects(c.Covers), Away: c.Away}
		if moved {
			next.Objects = shapes(c.Objects)
		}
		q.Changes = append(q.Changes, next)
	}
	return q
}

func rects(list []record.Rect) [][4]int {
	all := [][4]int{}
	for _, r := range list {
		all = append(all, [4]int{int(r.X), int(r.Y), int(r.W), int(r.H)})
	}
	return all
}

func shape(s record.Shape) Shape {
	return Shape{int(s.X), int(s.Y), int(s.Half), s.Icon, [3]int{int(s.Colour[0]), int(s.Colour[1]), int(s.Colour[2])}}
}

func shapes(list []record.Shape) []Shape {
	all := []Shape{}
	for _, s := range list {
		all = append(all, shape(s))
	}
	return all
}
