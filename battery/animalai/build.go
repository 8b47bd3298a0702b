package animalai

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/gridworld"
	"achilles/sim/rng"
)

// World returns the world of an arena, and what of it the world has not or has otherwise. What the file leaves to chance is drawn from r. A file
// that says of which grid it is made comes before s. The error says why there is no world.
func (a *Arena) World(s Settings, r rng.Rand) (*gridworld.World, Losses, error) {
	b := &builder{arena: a, grid: gridFor(s), rand: r, losses: slices.Clone(a.Losses), once: map[lost]bool{}}
	if a.Grid != nil {
		b.grid = *a.Grid
	}
	w, err := b.world()
	return w, b.losses, err
}

const chance = "has an unspecified position, size or rotation: drawn at random"

// mostParts is the largest number of cells of all objects together.
const mostParts = 1 << 20

// mostTicks is the time limit of an arena that has none.
const mostTicks = 1000

// A builder makes a world of an arena.
type builder struct {
	arena  *Arena
	grid   Grid
	rand   rng.Rand
	losses Losses
	made   *gridworld.World
	solids [][]solid // by cell
	cells  []stack
	parts  int // of objects in cells
	once   map[lost]bool
	levels []float64 // heights of the ground, by height of the world
	base   float64
}

// goals are what the goals of an arena become.
var (
	goals = map[string]gridworld.Thing{
		"GoodGoal": {Kind: gridworld.Reward, Value: 1, Final: true}, "GrowGoal": {Kind: gridworld.Reward, Value: 1, Final: true}, "ShrinkGoal": {Kind: gridworld.Reward, Value: 1, Final: true},
		"GoodGoalMulti": {Kind: gridworld.Reward, Value: 1}, "DecayGoal": {Kind: gridworld.Reward, Value: 1}, "RipenGoal": {Kind: gridworld.Reward, Value: 1}, "AntiDecayGoal": {Kind: gridworld.Reward, Value: 1},
		"BadGoalMulti": {Kind: gridworld.Reward, Value: -1}, "DecoyGoal": {Kind: gridworld.Shape},
	}
	standing = []string{"Wall", "WallTransparent", "Ramp", "DeathZone", "BadGoal"}
)

// world returns the world.
func (b *builder) world() (*gridworld.World, error) {
	g := &b.grid
	b.solids = make([][]solid, g.Width*g.Height)
	var agent *Object
	var things []*Object
	objects := slices.Clone(b.arena.Objects)
	for i := range objects {
		o := &objects[i]
		name := strings.TrimSuffix(o.Name, "Bounce")
		switch _, goal := goals[name]; {
		case o.Name == "Agent" && agent != nil:
			b.losses.add(o.Name, "there is another one already: left out")
		case o.Name == "Agent":
			agent = o
		case name != o.Name && (goal || name == "BadGoal"):
			b.losses.add(o.Name, "rolls: here it stays where it starts")
			fallthrough
		case goal || slices.Contains(standing, o.Name):
			o.Name = name
			if !goal {
				b.stand(o)
				continue
			}
			if strings.HasPrefix(name, "Grow") || strings.HasPrefix(name, "Shrink") || strings.HasPrefix(name, "Decay") || name == "RipenGoal" || name == "AntiDecayGoal" {
				b.losses.add(o.Name, "grows, shrinks or decays: here it keeps its initial size and value")
			}
			things = append(things, o)
		default:
			b.losses.add(o.Name, "has no counterpart in a grid: left out")
		}
	}
	if b.parts > mostParts {
		return nil, fmt.Errorf("its objects cover more than %d cells", mostParts)
	}
	for _, o := range things {
		o.Size.X = b.drawn(o, o.Size.X, .5, 5)
	}
	earned := b.worth(things)
	limit := int(math.Ceil(b.arena.Limit * b.inTime(things, earned) / float64(g.Frames)))
	if limit < 1 {
		limit = mostTicks
		b.losses.add("time limit", fmt.Sprintf("the arena has none, the world %d ticks", mostTicks))
	}
	b.made = gridworld.New(g.Width, g.Height, gridworld.Rules{Move: g.Move, Limit: limit, Reach: g.Reach})
	b.cells = make([]stack, len(b.solids))
	for i := range b.cells {
		b.cells[i] = stacked(b.solids[i], b.lose)
	}
	if agent == nil {
		agent = &Object{Name: "Agent", Pos: Vector{math.NaN(), math.NaN(), math.NaN()}, Turn: math.NaN()}
	}
	start, err := b.start(agent)
	if err != nil {
		return nil, err
	}
	if at := &b.cells[b.index(start)]; at.lethal {
		at.lethal = false
		b.lose(agent, "begins on a cell of a DeathZone: the zone is removed from that cell")
	}
	b.flood(start)
	pits := b.pits(start)
	b.widePits(start, pits)
	b.scale(pits)
	for i := range b.cells {
		b.made.Place(b.at(i), b.cell(i, pits[i]))
	}
	if !b.made.At(start).Kind.Passable() {
		return nil, fmt.Errorf("the agent is at %s, inside a %s", start, b.made.At(start).Kind)
	}
	b.made.SetActor(start, b.heading(agent))
	if agent.Frozen > 0 {
		b.made.Freeze(gridworld.Window{To: int(math.Ceil(agent.Frozen / float64(g.Frames)))})
	}
	for i, t := range earned {
		b.thing(things[i], t)
	}
	b.goal()
	if err := b.blackouts(limit); err != nil {
		return nil, err
	}
	return b.made, b.made.Check()
}

// lose counts a loss of an object, once.
func (b *builder) lose(o *Object, why string) {
	if k := (lost{o, why}); !b.once[k] {
		b.once[k] = true
		b.losses.add(o.Name, why)
	}
}

// A lost is a loss of an object.
type lost struct {
	*Object
	why string
}

func (b *builder) at(i int) gridworld.Pos {
	return gridworld.Pos{X: i % b.grid.Width, Y: i / b.grid.Width}
}

func (b *builder) index(p gridworld.Pos) int { return p.Y*b.grid.Width + p.X }

// drawn returns x, or, where it is left to chance, a number between a and z.
func (b *builder) drawn(o *Object, x, a, z float64) float64 {
	if !math.IsNaN(x) {
		return x
	}
	b.lose(o, chance)
	return a + b.rand.Float64()*(z-a)
}

// stand adds what does not move to the cells on which it stands. The sizes of what is drawn are those of the manual of Animal-AI.
func (b *builder) stand(o *Object) {
	small, large := .1, 40.
	switch o.Name {
	case "Ramp":
		small = .5
	case "DeathZone":
		small = 1
	case "BadGoal":
		small, large = .5, 5
	}
	o.Size = Vector{b.drawn(o, o.Size.X, small, large), b.drawn(o, o.Size.Y, small, 10), b.drawn(o, o.Size.Z, small, large)}
	o.Pos = Vector{b.drawn(o, o.Pos.X, 0, Side), b.drawn(o, o.Pos.Y, 0, 0), b.drawn(o, o.Pos.Z, 0, Side)}
	if o.Name == "BadGoal" {
		o.Turn = 0
	}
	if math.IsNaN(o.Turn) {
		o.Turn = 90 * math.Floor(b.drawn(o, o.Turn, 0, 4))
	}
	s := solid{o, o.Pos.Y, o.Pos.Y + o.Size.Y}
	switch {
	case o.Name == "BadGoal":
		b.losses.add(o.Name, "becomes a cell of lava, which also ends the episode as a failure")
		o.Name, s.high = "DeathZone", s.low+unit
		o.Size.X, o.Size.Z = 0, 0 // one cell
	case o.Name == "DeathZone":
		s.high = s.low + max(o.Size.Y, unit)
	case o.Name == "Ramp" && o.Size.Y < unit/2:
		b.losses.add(o.Name, "is too low to be a slope: left out")
		return
	}
	var cells []gridworld.Pos
	fits := b.grid.footprint(o, func(p gridworld.Pos) { cells = append(cells, p) })
	switch {
	case fits || o.Size.X == 0:
	case o.Size.Y <= flat && o.Name == "Wall":
		b.losses.add(o.Name, "is flat, a mark on the ground: left out")
		return
	default:
		b.losses.add(o.Name, "is not aligned with the cells: moved, widened or stepped by up to one cell")
	}
	if b.parts += len(cells); b.parts > mostParts {
		cells = nil
	}
	for _, p := range cells {
		b.solids[b.index(p)] = append(b.solids[b.index(p)], s)
	}
}

// start returns the cell of the agent.
func (b *builder) start(o *Object) (gridworld.Pos, error) {
	if math.IsNaN(o.Pos.X) || math.IsNaN(o.Pos.Z) {
		return b.free(o)
	}
	return b.outside(o, b.cellOf(o.Pos)), nil
}

// cellOf returns the cell of a place; what is on the edge of the grid is in it.
func (b *builder) cellOf(v Vector) gridworld.Pos {
	within := func(x float64, n int) int { return max(0, min(n-1, int(math.Floor(x/b.grid.Cell+1e-9)))) }
	return gridworld.Pos{X: within(v.X, b.grid.Width), Y: within(v.Z, b.grid.Height)}
}

// free draws a cell of the floor of the arena on which nothing stands, in the row or column that is given.
func (b *builder) free(o *Object) (gridworld.Pos, error) {
	var list []gridworld.Pos
	floor := sill + slices.MinFunc(b.cells, func(x, y stack) int { return cmp.Compare(x.ground, y.ground) }).ground // some arenas have a floor of their own
	near := b.cellOf(o.Pos)
	for i := range b.cells {
		s, p := &b.cells[i], b.at(i)
		taken := false
		for k := range b.made.Len() {
			taken = taken || b.made.Thing(k).Pos == p
		}
		if s.ground <= floor && !s.clear && !s.lethal && !taken && (math.IsNaN(o.Pos.X) || p.X == near.X) && (math.IsNaN(o.Pos.Z) || p.Y == near.Y) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return gridworld.Pos{}, fmt.Errorf("no free cell is left for %s, whose position is left to chance", o.Name)
	}
	b.lose(o, chance)
	return list[b.rand.IntN(len(list))], nil
}

// heading returns where an agent looks.
func (b *builder) heading(o *Object) gridworld.Dir {
	turn := o.Turn
	if math.IsNaN(turn) {
		turn = 90 * math.Floor(b.drawn(o, turn, 0, 4))
	}
	step := 90.
	if b.grid.Move == gridworld.Eight {
		step = 45
	}
	n := math.Round(turn / step)
	if math.Abs(turn-n*step) > 1e-6 {
		b.losses.add(o.Name, "faces no direction of the grid: turned to the nearest")
	}
	return gridworld.North.Turn(int(n * step / 45))
}

// thing adds t, which a goal becomes, where the goal lies.
func (b *builder) thing(o *Object, t gridworld.Thing) {
	if math.IsNaN(o.Pos.X) || math.IsNaN(o.Pos.Z) {
		p, err := b.free(o)
		if err != nil {
			b.losses.add(o.Name, "no free cell is left: left out")
			return
		}
		t.Pos, o.Pos.Y = p, 0
	} else {
		t.Pos = b.outside(o, b.cellOf(o.Pos))
	}
	if !b.made.At(t.Pos).Kind.Passable() {
		b.losses.add(o.Name, "lies on or inside something that cannot be entered: left out")
		return
	}
	t.Size = int(math.Round(100 * max(.01, min(100, o.Size.X))))
	t.Colour = inWorld(gridworld.Home, o) // a goal without a colour has its own, as in the world
	fall := gridworld.Cue{Tick: b.grid.Fall, Pos: t.Pos, State: gridworld.Ground}
	s := &b.cells[b.index(t.Pos)]
	if o.Pos.Y > s.ground+2 {
		t.State = gridworld.Air
	}
	fall.Thing = b.made.Add(t)
	if t.State == gridworld.Air {
		b.made.Script(fall)
	}
}

// goal says that nobody can pass where nothing ends the episode well.
func (b *builder) goal() {
	good := 0
	for i := range b.made.Len() {
		t := b.made.Thing(i)
		if t.Final {
			return
		}
		good += max(0, t.Value)
	}
	if good == 0 {
		b.losses.add(goalless, "no reward within reach ends the episode: no subject can pass")
		return
	}
	b.losses.add(goalless, "several rewards must be taken to pass, which a grid world cannot express: no subject can pass")
}

// goalless names the loss of a world that nobody passes.
const goalless = "goal"

// Goalless returns why no episode can end well, as far as the losses of its world say; "" if one can.
func (l Losses) Goalless() string {
	for _, x := range l {
		if x.Name == goalless {
			return x.Why
		}
	}
	return ""
}

// blackouts darkens the world.
func (b *builder) blackouts(limit int) error {
	list, per := b.arena.Blackouts, float64(b.grid.Frames)
	if len(list) == 1 && list[0] < 0 {
		every := -list[0]
		list = nil
		for x := every; x < float64(limit)*per && len(list) < 2*mostTicks; x += every {
			list = append(list, x)
		}
	}
	for i := 0; i < len(list); i += 2 {
		end := float64(limit) * per
		if i+1 < len(list) {
			end = list[i+1]
		}
		if list[i] < 0 || end < list[i] {
			return fmt.Errorf("blackouts %v: want growing steps, or one negative number", b.arena.Blackouts)
		}
		from, to := math.Floor(list[i]/per), math.Ceil(end/per)
		if to > from {
			b.made.Darken(gridworld.Window{From: int(from), To: int(to)})
		}
		if from*per != list[i] || to*per != end {
			b.losses.add("blackouts", "begin or end within a tick: lengthened by less than a tick")
		}
	}
	return nil
}
