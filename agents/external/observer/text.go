package observer

import (
	"cmp"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"achilles/sim/record"
)

// A TextQuestion is a Question whose trials are text that can be read, as docs/theory/bib.md has it.
type TextQuestion struct {
	Video           string   `json:"video"`
	Familiarisation []string `json:"familiarisation"`
	Test            string   `json:"test"`
}

func textQuestion(name string, v *record.Video) TextQuestion {
	l := letters(v)
	q := TextQuestion{Video: name, Test: l.trial(&v.Test), Familiarisation: []string{}}
	for i := range v.Familiarisation {
		q.Familiarisation = append(q.Familiarisation, l.trial(&v.Familiarisation[i]))
	}
	return q
}

// textCell is the side of a cell of the text worlds in pixels, as that of the benchmark's walls.
const textCell = 20

// A lettering has the letters of the objects of a video, by how they look.
type lettering map[string]byte

// letters returns a letter for each object of a video. An object has the same letter in all trials. The letters are in
// the order of looks, because that of the objects in a scene could tell which one is preferred.
func letters(v *record.Video) lettering {
	l := lettering{}
	var seen []string
	for _, t := range append(slices.Clone(v.Familiarisation), v.Test) {
		for i := range t.Scene.Objects {
			if look := looks(&t.Scene.Objects[i]); l[look] == 0 {
				l[look] = '*'
				seen = append(seen, look)
			}
		}
	}
	slices.Sort(seen)
	for i, look := range seen[:min(len(seen), 26)] {
		l[look] = byte('a' + i)
	}
	return l
}

// looks returns the name and the colour of a shape.
func looks(s *record.Shape) string {
	return fmt.Sprintf("%s, rgb %d %d %d", strings.TrimSuffix(path.Base(s.Icon), path.Ext(s.Icon)), s.Colour[0], s.Colour[1], s.Colour[2])
}

// at returns the centre of a shape in pixels.
func at(s *record.Shape) string { return fmt.Sprintf("(%d, %d)", s.X+s.Half, s.Y+s.Half) }

// trial returns a trial as text: the things with their places, and then a world whenever one of its cells has changed.
func (l lettering) trial(t *record.SceneTrial) string {
	var b strings.Builder
	s := &t.Scene
	fmt.Fprintf(&b, "%d x %d pixels in cells of %d; (x, y) is a centre in pixels from the bottom left; 25 frames a second\n", s.Width, s.Height, textCell)
	fmt.Fprintf(&b, "# wall, + barrier, . free\n@ actor: %s; home at %s\n", looks(&s.Agent), at(&s.Home))
	objects := slices.SortedFunc(slices.Values(s.Objects), func(x, y record.Shape) int { return cmp.Compare(looks(&x), looks(&y)) })
	for i := range objects {
		fmt.Fprintf(&b, "%c object: %s; at %s\n", l[looks(&objects[i])], looks(&objects[i]), at(&objects[i]))
	}
	for i := range s.Keys {
		fmt.Fprintf(&b, "K key: at %s\n", at(&s.Keys[i]))
	}
	for i := range s.Locks {
		fmt.Fprintf(&b, "L lock: at %s\n", at(&s.Locks[i]))
	}
	l.worlds(&b, t)
	return b.String()
}

// worlds writes the world of the first frame, and that of every frame in which a cell differs from the last world
// written. Its last line has the place where the actor is at the end.
func (l lettering) worlds(b *strings.Builder, t *record.SceneTrial) {
	before := ""
	for x := range states(t) {
		if world := x.unseen() + "\n" + l.world(&t.Scene, &x); world != before {
			fmt.Fprintf(b, "\nframe %d: @ at %s%s", x.frame, at(&x.actor), world)
			before = world
		}
		if x.frame == len(t.Path)-1 {
			fmt.Fprintf(b, "\nframe %d, the last: @ at %s\n", x.frame, at(&x.actor))
		}
	}
}

// A state is what can change in a trial, in one frame.
type state struct {
	frame int
	now   record.Change
	actor record.Shape
}

// unseen says what the actor does not see.
func (x *state) unseen() string {
	var b strings.Builder
	for i, r := range x.now.Covers {
		b.WriteString([]string{"; covers over ", " and "}[min(i, 1)])
		fmt.Fprintf(&b, "(%d, %d)", r.X+r.W/2, r.Y+r.H/2)
	}
	if x.now.Away {
		b.WriteString("; it is away and sees nothing")
	}
	return b.String()
}

// states returns the states of a trial, frame by frame.
func states(t *record.SceneTrial) iter.Seq[state] {
	return func(yield func(state) bool) {
		s, next := state{now: t.Scene.State(), actor: t.Scene.Agent}, 0
		for frame, p := range t.Path {
			for ; next < len(t.Changes) && t.Changes[next].Frame <= frame; next++ {
				s.now = t.Changes[next]
			}
			s.frame, s.actor.X, s.actor.Y = frame, p.X, p.Y
			if !yield(s) {
				return
			}
		}
	}
}

// world draws a frame, one character per cell, the top row first. The actor hides what is under it.
func (l lettering) world(s *record.Scene, x *state) string {
	w, h := (int(s.Width)+textCell-1)/textCell, (int(s.Height)+textCell-1)/textCell
	cells := slices.Repeat([]byte{'.'}, w*h)
	put := func(x, y int, c byte) {
		if x, y = x/textCell, h-1-y/textCell; x >= 0 && x < w && y >= 0 && y < h {
			cells[y*w+x] = c
		}
	}
	fill := func(r record.Rect, c byte) { // in every cell of which r covers a part
		for y := int(r.Y) / textCell * textCell; y < int(r.Y)+int(r.H); y += textCell {
			for x := int(r.X) / textCell * textCell; x < int(r.X)+int(r.W); x += textCell {
				put(x, y, c)
			}
		}
	}
	centre := func(q *record.Shape, c byte) { put(int(q.X+q.Half), int(q.Y+q.Half), c) }
	for _, r := range s.Walls {
		fill(r, '#')
	}
	for _, r := range x.now.Barrier {
		fill(r, '+')
	}
	for i := range x.now.Objects {
		centre(&x.now.Objects[i], l[looks(&x.now.Objects[i])])
	}
	for i := range x.now.Locks {
		centre(&x.now.Locks[i], 'L')
	}
	for i := range x.now.Keys {
		centre(&x.now.Keys[i], 'K')
	}
	if !x.now.Away {
		centre(&x.actor, '@')
	}
	var b strings.Builder
	for row := range slices.Chunk(cells, w) {
		b.Write(row)
		b.WriteByte('\n')
	}
	return b.String()
}
