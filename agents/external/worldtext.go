package external

import (
	"fmt"
	"strings"

	"achilles/gridworld"
)

// A worldText tells in words what a program is told in JSON.
type worldText struct{ reset }

// meanings say what the characters of a map are, in the order of glyphs; ramps have their own.
var meanings = [...]string{
	"floor", "wall: cannot be entered or seen through", "clear wall: cannot be entered, can be seen through",
	"low wall: cannot be entered, can be seen over from its own ground", "occluder: a wall that hides what is behind it",
	"platform: higher ground; you can step down from it, not up to it", "ramp: leads up to higher ground, the way it points, and down again",
	"climb: a ramp that leads up only", "slide: a ramp that leads down only", "hole: cannot be left; what lies in it is seen from adjacent cells only",
	"shallow hole: cannot be left", "lava: kills whoever enters it", "barrier: in the way until a lock opens",
	"lock: in the way until a carried key touches it", "home: floor",
}

// intro returns the task, the map with its legend, the places, the actions and the time limit.
func (t *worldText) intro() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Task: %s\n\nThe world has %d x %d cells. (x, y) is column x from the west and row y from the south, from (0, 0). North is at the top.\n", t.Brief, len(t.Map[0]), len(t.Map))
	for i, row := range t.Map {
		fmt.Fprintf(&b, "%2d %s\n", len(t.Map)-1-i, row)
	}
	used := strings.Join(t.Map, "")
	for k, g := range []byte(glyphs) {
		chars := string(g)
		if gridworld.Kind(k) == gridworld.Ramp {
			chars = "^>v<"
		}
		if strings.ContainsAny(used, chars) {
			fmt.Fprintf(&b, "%s %s\n", strings.Join(strings.Split(chars, ""), " "), meanings[k])
		}
	}
	if strings.Contains(t.Room, "\nlegend ") {
		fmt.Fprintf(&b, "\nThe same with heights and colours, as a legend and a map:\n%s\n", strings.TrimSpace(strings.TrimSuffix(t.Room, "actor nowhere north\n")))
	}
	if len(t.Places) > 0 {
		b.WriteString("\nPlaces where a reward could lie:")
		for _, p := range t.Places {
			b.WriteString(" " + p.String())
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nActions: " + strings.Join(t.Actions, ", ") + ".")
	if t.Move == gridworld.Turning.String() {
		b.WriteString(" forward goes one cell ahead; left and right turn by a quarter on the spot; stay waits.")
	} else {
		b.WriteString(" All but stay go one cell in that direction.")
	}
	fmt.Fprintf(&b, "\nTime limit: %d ticks.\n", t.Limit)
	return b.String()
}

// String returns a cell as (x, y).
func (c cell) String() string { return fmt.Sprintf("(%d, %d)", c[0], c[1]) }

// seen returns an observation in one line, or a line for each thing.
func (t *worldText) seen(o *observation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Tick %d of %d. You are at %v, facing %s.", o.Tick, t.Limit, o.Position, o.Heading)
	for _, x := range []struct {
		is   bool
		text string
	}{{o.Frozen, "You are held: no action has an effect."}, {o.Trapped, "There is no way out of where you are."}, {o.Carrying, "You carry a key."}} {
		if x.is {
			b.WriteString(" " + x.text)
		}
	}
	switch {
	case o.Dark:
		b.WriteString(" It is dark: you see nothing.\n")
		return b.String()
	case len(o.Things) == 0:
		b.WriteString(" No thing is in sight.")
	}
	for i := range o.Things {
		b.WriteString("\n- " + t.thing(&o.Things[i], o))
	}
	if len(o.Open) > 0 {
		b.WriteString("\nThese places are in sight, and empty where nothing above lies there:")
		for _, p := range o.Open {
			b.WriteString(" " + p.String())
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// thing describes a thing, and where it is as seen from the actor.
func (t *worldText) thing(x *thing, o *observation) string {
	s := x.Kind
	if x.Kind == gridworld.Reward.String() {
		s += fmt.Sprintf(" of value %d", x.Value)
	}
	s += fmt.Sprintf(", size %g", x.Size)
	if x.Colour != nil {
		s += fmt.Sprintf(", colour %d %d %d", x.Colour[0], x.Colour[1], x.Colour[2])
	}
	s += ", at " + x.Position.String()
	if x.Air {
		s += ", in the air"
	}
	dx, dy := x.Position[0]-o.Position[0], x.Position[1]-o.Position[1]
	words := [4]string{"ahead", "behind", "to the right", "to the left"}
	right, ahead, ok := turned(o.Heading, dx, dy)
	if !ok {
		right, ahead, words = dx, dy, [4]string{"north", "south", "east", "west"}
	}
	var where []string
	for i, n := range [2]int{ahead, right} {
		switch {
		case n > 0:
			where = append(where, fmt.Sprintf("%d %s", n, words[2*i]))
		case n < 0:
			where = append(where, fmt.Sprintf("%d %s", -n, words[2*i+1]))
		}
	}
	if where == nil {
		where = []string{"where you are"}
	}
	return s + ": " + strings.Join(where, ", ")
}

// turned turns a vector so that ahead is the heading; ok is false for a heading that is no side of a cell.
func turned(heading string, dx, dy int) (right, ahead int, ok bool) {
	switch heading {
	case "north":
		return dx, dy, true
	case "east":
		return -dy, dx, true
	case "south":
		return -dx, -dy, true
	case "west":
		return dy, -dx, true
	}
	return 0, 0, false
}

// reach is how far the view around the actor goes, in cells.
const reach = 3

// now returns an observation, and the view around the actor: ahead at the top where it turns, else north.
func (t *worldText) now(o *observation) string {
	heading, top := o.Heading, "what is ahead of you"
	if _, _, ok := turned(heading, 0, 0); !ok || t.Move != gridworld.Turning.String() {
		heading, top = "north", "north"
	}
	var b strings.Builder
	b.WriteString(t.seen(o))
	fmt.Fprintf(&b, "Around you, with %s at the top (@ you, R reward, S shape, K key in sight, ~ beyond the world):\n", top)
	for ahead := reach; ahead >= -reach; ahead-- {
		for right := -reach; right <= reach; right++ {
			b.WriteByte(t.around(o, heading, right, ahead))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// around returns the character of a cell as seen from the actor.
func (t *worldText) around(o *observation, heading string, right, ahead int) byte {
	if right == 0 && ahead == 0 {
		return '@'
	}
	var x, y, turns int // quarter turns by which the picture is turned
	switch heading {
	case "north":
		x, y = right, ahead
	case "east":
		x, y, turns = ahead, -right, 1
	case "south":
		x, y, turns = -right, -ahead, 2
	case "west":
		x, y, turns = -ahead, right, 3
	}
	x, y = o.Position[0]+x, o.Position[1]+y
	if x < 0 || y < 0 || y >= len(t.Map) || x >= len(t.Map[0]) {
		return '~'
	}
	for i := range o.Things {
		if o.Things[i].Position == (cell{x, y}) {
			return strings.ToUpper(o.Things[i].Kind)[0]
		}
	}
	g := t.Map[len(t.Map)-1-y][x]
	if k := strings.IndexByte("^>v<", g); k >= 0 {
		g = "^>v<"[(k-turns+4)%4]
	}
	return g
}
