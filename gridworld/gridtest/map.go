package gridtest

import (
	"slices"
	"strings"
	"testing"

	"achilles/gridworld"
)

// Map returns the map of a film strip (see Film) as a picture, row by row from the north: the characters of the strip's own
// map, A for the actor, and g where the first reward that ends the episode is when the schedule is over. The test fails if there is neither.
func Map(t testing.TB, film string) string {
	t.Helper()
	head, _, _ := strings.Cut(film, "\nfilm")
	w, err := gridworld.Parse(head + "\n")
	if err != nil {
		t.Fatalf("the world of the film: %v", err)
	}
	if !w.Inside(w.Actor().Pos) || w.Len() == 0 {
		t.Fatalf("no actor or no thing in the film\n%s", head)
	}
	_, text, _ := strings.Cut(head, "\nmap\n")
	text, _, _ = strings.Cut(text, "\n\n")
	rows := strings.Split(text, "\n")
	mark := func(p gridworld.Pos, sign string) {
		row := &rows[len(rows)-1-p.Y]
		*row = (*row)[:p.X] + sign + (*row)[p.X+1:]
	}
	goal := 0
	for i := w.Len() - 1; i >= 0; i-- {
		if w.Thing(i).Final {
			goal = i
		}
	}
	end := w.Thing(goal).Pos
	for _, c := range slices.Backward(w.Cues()) {
		if c.Thing == goal {
			end = c.Pos
			break
		}
	}
	mark(w.Actor().Pos, "A")
	mark(end, "g")
	return strings.Join(rows, "\n") + "\n"
}
