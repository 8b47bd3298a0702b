package gridtest

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/gridworld"
)

// Films runs every film strip (see Film) in the folder whose file name matches the pattern, each as a subtest. The test
// fails if no name matches.
func Films(t *testing.T, folder fs.FS, pattern string) {
	t.Helper()
	files, err := fs.Glob(folder, pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no film strips match %s (%v)", pattern, err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(path.Base(name), ".txt"), func(t *testing.T) {
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range Film(string(text)) {
				t.Errorf("%s:%s", name, fault)
			}
		})
	}
}

// Film runs one film strip and returns everything that differs from what the strip says, each with its line number
// first.
//
// A strip is a world, then the line "film" with the viewer (half-angle N, acuity N in hundredths, overhead), then
// frames. A frame begins with "> " and actions, which are carried out one after the other. Its other lines say what
// must hold then:
//
//	events KIND…        of the frame's last action, in order; "events none" if there were none
//	actor X,Y HEADING
//	thing I X,Y STATE
//	sees I…             the things in view; "sees nothing"
//	is CLAIM…           dark, frozen, carrying, trapped, or an outcome
//	gain N
//	state, view         and then, row by row from the north, a picture of everything, or of what is seen ('?' elsewhere)
//
// A picture has the characters of the strip's own map, A for the actor, and the index of each thing on the ground.
func Film(text string) (faults []string) {
	head, rest, found := strings.Cut(text, "\nfilm")
	if !found {
		return []string{"1: no line \"film\""}
	}
	w, err := gridworld.Parse(head + "\n")
	if err != nil {
		return []string{strings.TrimPrefix(err.Error(), "line ")}
	}
	f := &film{w: w, glyphs: glyphsOf(head, w), line: strings.Count(head, "\n") + 2}
	lines := strings.Split(rest, "\n")
	f.options(strings.Fields(lines[0]))
	for f.lines = lines[1:]; len(f.lines) > 0; {
		f.take()
	}
	if f.frames == 0 {
		f.failf("a film has at least one frame")
	}
	return f.faults
}

type film struct {
	w      *gridworld.World
	viewer gridworld.Viewer
	view   gridworld.View
	events []gridworld.Event
	glyphs map[gridworld.Cell]byte
	lines  []string
	line   int
	frames int
	faults []string
}

func (f *film) failf(format string, args ...any) {
	f.faults = append(f.faults, fmt.Sprintf("%d: ", f.line)+fmt.Sprintf(format, args...))
}

// expect notes a fault if what a line of the strip says differs from what was found.
func (f *film) expect(what, got, want string) {
	if got != want {
		f.failf("%s: got %q, the strip says %q", what, got, want)
	}
}

func (f *film) options(words []string) {
	f.viewer.Watch = gridworld.Everywhere()
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "overhead":
			f.viewer.Overhead = true
		case "half-angle", "acuity":
			n, err := strconv.Atoi(strings.Join(words[i+1:min(i+2, len(words))], ""))
			if err != nil {
				f.failf("%s wants a number", words[i])
			}
			if words[i] == "acuity" {
				f.viewer.Acuity = n
			} else {
				f.viewer.HalfAngle = n
			}
			i++
		default:
			f.failf("no option %q", words[i])
		}
	}
}

// take reads one line of the strip and runs or checks it.
func (f *film) take() {
	line := f.lines[0]
	f.lines, f.line = f.lines[1:], f.line+1
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "", "//":
	case ">":
		f.act(strings.Fields(rest))
	case "events":
		f.expect(word, f.told(), rest)
	case "actor":
		f.expect(word, fmt.Sprint(f.w.Actor().Pos, " ", f.w.Actor().Heading), rest)
	case "thing":
		f.thing(rest)
	case "sees":
		f.expect(word, f.sees(), rest)
	case "is":
		f.claims(strings.Fields(rest))
	case "gain":
		f.expect(word, strconv.Itoa(f.w.Gain()), rest)
	case "state", "view":
		f.picture(word)
	default:
		f.failf("no such line: %q", line)
	}
}

func (f *film) act(words []string) {
	f.frames++
	f.events = nil
	for _, word := range words {
		a, err := gridworld.ParseAction(word)
		if err != nil {
			f.failf("%v", err)
		}
		f.events = slices.Clone(f.w.Step(a))
	}
	if err := f.w.Check(); err != nil {
		f.failf("invariant: %v", err)
	}
	f.w.View(f.viewer, &f.view)
}

func (f *film) told() string {
	var kinds []string
	for _, e := range f.events {
		kinds = append(kinds, e.Kind.String())
	}
	if kinds == nil {
		return "none"
	}
	return strings.Join(kinds, " ")
}

func (f *film) thing(rest string) {
	word, _, _ := strings.Cut(rest, " ")
	i, err := strconv.Atoi(word)
	if err != nil || i < 0 || i >= f.w.Len() {
		f.failf("no thing %q", word)
		return
	}
	t := f.w.Thing(i)
	f.expect("thing", fmt.Sprint(i, " ", t.Pos, " ", t.State), rest)
}

func (f *film) sees() string {
	var seen []string
	for _, s := range f.view.Things {
		seen = append(seen, strconv.Itoa(s.Index))
	}
	if seen == nil {
		return "nothing"
	}
	return strings.Join(seen, " ")
}

func (f *film) claims(words []string) {
	for _, claim := range words {
		var holds bool
		switch claim {
		case "dark":
			holds = f.view.Dark
		case "frozen":
			holds = f.view.Frozen
		case "carrying":
			holds = f.view.Carrying
		case "trapped":
			holds = f.view.Trapped
		default:
			holds = f.w.Outcome().String() == claim
		}
		if !holds {
			f.failf("it is not so that: %s", claim)
		}
	}
}

// picture compares the next lines of the strip, the northernmost row first, with the world or the view.
func (f *film) picture(word string) {
	for y := f.w.Height() - 1; y >= 0; y-- {
		var want string
		if len(f.lines) > 0 {
			want, f.lines, f.line = f.lines[0], f.lines[1:], f.line+1
		}
		got := make([]byte, f.w.Width())
		for x := range got {
			got[x] = f.glyph(gridworld.Pos{X: x, Y: y}, word == "view")
		}
		f.expect(word, string(got), want)
	}
}

// glyph returns the character of a picture at p.
func (f *film) glyph(p gridworld.Pos, seenOnly bool) byte {
	if f.w.Actor().Pos == p {
		return 'A'
	}
	for i := range f.w.Len() {
		t := f.w.Thing(i)
		seen := slices.ContainsFunc(f.view.Things, func(s gridworld.Sighting) bool { return s.Index == i })
		if t.State == gridworld.Ground && t.Pos == p && (seen || !seenOnly) {
			return byte('0' + i)
		}
	}
	if c, ok := f.view.Cell(p); seenOnly {
		if !ok {
			return '?'
		}
		return f.glyphs[c]
	}
	return f.glyphs[f.w.At(p)]
}

// glyphsOf returns the character of every cell that occurs in a map. A cell that occurs only below the actor or a thing
// gets the character of the text form.
func glyphsOf(text string, w *gridworld.World) map[gridworld.Cell]byte {
	glyphs := map[gridworld.Cell]byte{}
	_, drawn, _ := strings.Cut(text, "\nmap\n")
	rows := strings.Split(drawn, "\n")
	for p := range Cells(w) {
		occupied := w.Actor().Pos == p
		for i := range w.Len() {
			occupied = occupied || w.Thing(i).Pos == p
		}
		if !occupied {
			glyphs[w.At(p)] = rows[w.Height()-1-p.Y][p.X]
		}
	}
	for _, c := range []gridworld.Cell{{}, {Kind: gridworld.Platform, Height: 1}} {
		if _, ok := glyphs[c]; !ok {
			glyphs[c] = canonical(c)
		}
	}
	for p := range Cells(w) {
		if _, ok := glyphs[w.At(p)]; !ok {
			glyphs[w.At(p)] = canonical(w.At(p))
		}
	}
	return glyphs
}

func canonical(c gridworld.Cell) byte {
	w := gridworld.New(1, 1, gridworld.Rules{})
	w.Place(gridworld.Pos{}, c)
	_, drawn, _ := strings.Cut(w.String(), "\nmap\n")
	return drawn[0]
}
