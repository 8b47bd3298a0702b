package play

import (
	"fmt"
	"slices"
	"strings"

	"achilles/gridworld"
)

// Words says what the view shows in words, for who cannot see the picture.
func (v *View) Words() string { return v.model.Words() }

// Words says what the picture of the model shows: how many items are done, what has happened, the card or the question, and where the actor is
// and what it sees, from its own point of view. While the actor is held the ticks that are left are not said, so that a reader is not interrupted at
// each.
func (m Model) Words() string {
	lines := []string{m.progress()}
	if c, ok := m.card(); ok {
		for _, l := range c.lines() {
			if l = strings.Join(strings.Fields(l), " "); l != "" && l != lines[0] {
				lines = append(lines, l)
			}
		}
		return strings.Join(append(lines, spoken(c.foot)), "\n")
	}
	for _, l := range []string{m.message(), m.notice} {
		if l != "" {
			lines = append(lines, l)
		}
	}
	switch {
	case m.asks():
		lines = append(lines, m.question.asked(), strings.Join(m.question.choices(), ", "))
	case m.world != nil && m.now != nil && !m.veiled():
		lines = append(lines, m.surroundings()...)
		if !m.now.Frozen {
			lines = append(lines, m.clock())
		}
	}
	return strings.Join(append(lines, spoken(m.guide())), "\n")
}

// spoken returns a line of keys with its parts as a list.
func spoken(keys string) string { return strings.ReplaceAll(keys, "    ", "; ") }

// surroundings says where the actor is, which neighbouring cells it cannot enter, and what is in sight: as the actor looks or, in worlds with
// eight directions, by compass.
func (t trial) surroundings() []string {
	self, names := t.actor(), [...]string{"ahead", "to the right", "behind", "to the left"}
	at := fmt.Sprintf("You are at column %d, row %d from the south-west", self.Pos.X+1, self.Pos.Y+1)
	if t.world.Rules().Move == gridworld.Eight {
		self.Heading, names = gridworld.North, [...]string{"north", "east", "south", "west"}
	} else {
		at += ", and face " + self.Heading.String()
	}
	toward := func(p gridworld.Pos) string {
		n := [4]int{p.Y - self.Pos.Y, p.X - self.Pos.X, self.Pos.Y - p.Y, self.Pos.X - p.X}
		var parts []string
		for i, name := range names {
			if steps := n[(i+int(self.Heading)/2)%4]; steps > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", steps, name))
			}
		}
		if parts == nil {
			return "here"
		}
		return strings.Join(parts, ", ")
	}
	lines := []string{at + "."}
	var blocked []string
	for i, name := range names {
		if !t.world.CanStep(self.Pos, self.Heading.Turn(2*i)) {
			blocked = append(blocked, name)
		}
	}
	if blocked != nil {
		lines = append(lines, "No way "+strings.Join(blocked, ", ")+".")
	}
	for _, x := range t.now.Things {
		air := ""
		if x.Air {
			air = " in the air"
		}
		lines = append(lines, fmt.Sprintf("A %s%s, %s.", x.Kind, air, toward(x.Position.pos())))
	}
	if len(t.now.Things) == 0 && !t.now.Dark {
		lines = append(lines, "No reward in sight.")
	}
	for _, p := range t.reset.Places {
		what := "A place where the reward can be, "
		if slices.Contains(t.now.Open, p) {
			what = "An empty place, "
		}
		lines = append(lines, what+toward(p.pos())+".")
	}
	return lines
}
