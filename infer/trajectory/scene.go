package trajectory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"achilles/gridworld"
)

// Units say how a battery counts its demands.
type Units struct {
	PerCell      float64 // distance that a step is worth
	TicksPerTime float64 // ticks in a unit of time under occlusion
	Largest      float64 // size of the largest reward
}

// DefaultUnits are those of the suite opiaagets (docs/reference/worlds.md): arena units, fourths of the longest time, size 5.
func DefaultUnits() Units { return Units{PerCell: 2, TicksPerTime: 50, Largest: 5} }

// A Scene is one trial: its world at tick 0, the places in which a reward could lie, and what follows from them for
// whoever walks there.
type Scene struct {
	Brief  string // what a subject is told; may be empty
	Places []gridworld.Pos
	Units  Units

	world  *gridworld.World // at tick 0
	layout gridworld.World  // cells and rules alone: what one plans in
	start  gridworld.Actor
	turns  bool
	watch  gridworld.Board // the places
	goal   int             // index of the reward that counts
	final  gridworld.Pos   // where it will lie after the last cue
	free   int             // first tick at which an intent has an effect
	lava   gridworld.Board
	brink  gridworld.Board // the cells from which a step leads into lava

	hasLava, hasRamp, hasLedge bool // there is ground of which a walker may not be master

	courses map[courseKey]*Course
	ways    []*way
}

// An Unfit error says why nothing can be predicted in a world that is otherwise right.
type Unfit struct{ Reason string }

// Error is the reason.
func (e *Unfit) Error() string { return e.Reason }

// ReadScene reads the text of a trial's public world, of which comment lines name the places. The error is an *Unfit
// where the world has no actor, no time limit or no reward that ends the episode on the ground.
func ReadScene(text string) (*Scene, error) {
	s := &Scene{Units: DefaultUnits(), courses: map[courseKey]*Course{}}
	var err error
	if s.world, err = gridworld.Parse(text); err != nil {
		return nil, fmt.Errorf("world: %w", err)
	}
	if s.Brief, s.Places, err = comments(text); err != nil {
		return nil, err
	}
	for _, p := range s.Places {
		if !s.world.Inside(p) {
			return nil, fmt.Errorf("place %s lies outside the world", p)
		}
		s.watch.Set(p)
	}
	s.start = s.world.Actor()
	if !s.world.Inside(s.start.Pos) || s.world.Rules().Limit == 0 || s.world.Tick() != 0 {
		return nil, &Unfit{"paths are predicted from tick 0 on, of an actor, up to a time limit"}
	}
	s.turns = s.world.Rules().Move == gridworld.Turning
	s.layout.CopyLayout(s.world)
	s.findGround()
	s.findFree()
	return s, s.findGoal()
}

// comments reads the brief and the places from the comment lines above a world.
func comments(text string) (brief string, places []gridworld.Pos, err error) {
	for line := range strings.Lines(text) {
		c, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "// ")
		if !ok {
			break
		}
		list, ok := strings.CutPrefix(c, "places ")
		if !ok {
			brief = c
			continue
		}
		for word := range strings.FieldsSeq(list) {
			p, err := cell(word)
			if err != nil {
				return "", nil, err
			}
			if slices.Contains(places, p) {
				return "", nil, fmt.Errorf("place %s is listed twice", p)
			}
			places = append(places, p)
		}
	}
	return brief, places, nil
}

func cell(word string) (gridworld.Pos, error) {
	x, y, _ := strings.Cut(word, ",")
	a, err1 := strconv.Atoi(x)
	b, err2 := strconv.Atoi(y)
	if err1 != nil || err2 != nil {
		return gridworld.Pos{}, fmt.Errorf("place %q is not X,Y", word)
	}
	return gridworld.Pos{X: a, Y: b}, nil
}

// findGround finds what a walker may not be master of.
func (s *Scene) findGround() {
	s.lava = s.layout.Where(gridworld.Lava)
	s.hasLava = !s.lava.Empty()
	for y := range s.layout.Height() {
		for x := range s.layout.Width() {
			k := s.layout.At(gridworld.Pos{X: x, Y: y}).Kind
			s.hasRamp = s.hasRamp || k.Sloped()
			s.hasLedge = s.hasLedge || k == gridworld.Platform
		}
	}
	for q := range s.lava.All() {
		for d := gridworld.North; d < gridworld.Directions; d++ {
			if p := q.Add(d.Opposite()); s.layout.CanStep(p, d) {
				s.brink.Set(p)
			}
		}
	}
}

// findFree finds the first tick that lies in no freeze.
func (s *Scene) findFree() {
	_, frozen := s.world.Windows()
	for again := true; again; {
		again = false
		for _, f := range frozen {
			if f.Has(s.free) {
				s.free, again = f.To, true
			}
		}
	}
}

// findGoal finds the most valuable of the rewards that end the episode, and where it will lie.
func (s *Scene) findGoal() error {
	s.goal = -1
	best := 0
	cues := s.world.Cues()
	for i := range s.world.Len() {
		t := s.world.Thing(i)
		if t.Kind != gridworld.Reward || !t.Final {
			continue
		}
		for _, c := range cues {
			if c.Thing == i {
				t.Pos, t.State = c.Pos, c.State
			}
		}
		if t.State == gridworld.Ground && (s.goal < 0 || t.Value > best) {
			s.goal, s.final, best = i, t.Pos, t.Value
		}
	}
	if s.goal < 0 {
		return &Unfit{"no reward comes to rest on the ground and ends the episode"}
	}
	return nil
}

// size is the size of that reward.
func (s *Scene) size() float64 { return float64(s.world.Thing(s.goal).Size) / 100 }

// World returns a copy of the world at tick 0.
func (s *Scene) World() *gridworld.World { return s.world.Clone() }

// Goal is where the reward that counts will lie in the end.
func (s *Scene) Goal() gridworld.Pos { return s.final }

// Free is the first tick at which an intent has an effect: until then every path stands still.
func (s *Scene) Free() int { return s.free }

// lateral is how far p lies to the right of the line along which the actor looks at first; negative: to the left.
func (s *Scene) lateral(p gridworld.Pos) int {
	ahead := gridworld.Pos{}.Add(s.start.Heading)
	dx, dy := p.X-s.start.Pos.X, p.Y-s.start.Pos.Y
	return dx*ahead.Y - dy*ahead.X
}

// side is −1 for a cell on the left of that line, 1 on the right, 0 on it.
func (s *Scene) side(p gridworld.Pos) float64 {
	l := s.lateral(p)
	switch {
	case l < 0:
		return -1
	case l > 0:
		return 1
	}
	return 0
}
