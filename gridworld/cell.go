package gridworld

// A Kind is a kind of cell.
type Kind uint8

const (
	Floor       Kind = iota
	Wall             // cannot be entered or seen through
	ClearWall        // cannot be entered; can be seen through
	LowWall          // cannot be entered; one height above its ground: an actor on ground of the same height sees over it
	Occluder         // like Wall; by convention it has a colour and is there to hide a reward
	Platform         // ground at Height ≥ 1; one can step off it, but not up to it
	Ramp             // rises in direction Facing from Height to Height+1; walkable both ways
	Climb            // a ramp that can only be walked up
	Slide            // a ramp that can only be walked down
	Hole             // cannot be left; what lies in it is seen by who is in it only
	ShallowHole      // cannot be left; what lies in it is seen from anywhere
	Lava             // kills the actor that enters it
	Barrier          // like LowWall; vanishes when a lock opens
	Lock             // like LowWall; opens and vanishes when a carried key touches it
	Home             // floor that is marked as where the actor starts
)

// Kinds is the number of kinds.
const Kinds = 15

// MaxHeight is the greatest height of a cell.
const MaxHeight = 3

// The properties of kinds, one bit each.
const (
	solid     = 1 << iota // cannot be entered
	opaque                // blocks sight at every height
	raised                // its top is one height above its ground
	terminal              // cannot be left
	lethal                // kills the actor that enters
	deep                  // its contents are seen from within only
	sloped                // is a ramp: has a facing
	removable             // vanishes when a lock opens
)

var kinds = [Kinds]struct {
	name       string
	glyph      byte // character for a cell of that kind in a map without a legend; two-way ramps have four (see glyphOf)
	properties uint8
}{
	Floor:       {"floor", '.', 0},
	Wall:        {"wall", '#', solid | opaque},
	ClearWall:   {"clear-wall", 'T', solid},
	LowWall:     {"low-wall", 'o', solid | raised},
	Occluder:    {"occluder", 'O', solid | opaque},
	Platform:    {"platform", '=', 0},
	Ramp:        {"ramp", '^', sloped | raised},
	Climb:       {"climb", 'n', sloped | raised},
	Slide:       {"slide", 'u', sloped | raised},
	Hole:        {"hole", 'H', terminal | deep},
	ShallowHole: {"shallow-hole", 'h', terminal},
	Lava:        {"lava", 'L', terminal | lethal},
	Barrier:     {"barrier", 'B', solid | raised | removable},
	Lock:        {"lock", 'X', solid | raised | removable},
	Home:        {"home", '*', 0},
}

// String returns the name of k, as in the text form.
func (k Kind) String() string {
	if k < Kinds {
		return kinds[k].name
	}
	return nameOf(nil, int(k))
}

// Passable says whether the actor can enter a cell of kind k.
func (k Kind) Passable() bool { return !k.has(solid) }

// Opaque says whether a cell of kind k blocks sight from every height.
func (k Kind) Opaque() bool { return k.has(opaque) }

// Absorbing says whether a cell of kind k can be entered but not left.
func (k Kind) Absorbing() bool { return k.has(terminal) }

// Lethal says whether entering a cell of kind k is death.
func (k Kind) Lethal() bool { return k.has(lethal) }

// Sloped says whether k is a ramp: Ramp, Climb or Slide.
func (k Kind) Sloped() bool { return k.has(sloped) }

func (k Kind) has(p uint8) bool { return k < Kinds && kinds[k].properties&p != 0 }

// A Cell is the content of one position of a world, except things and the actor. The zero Cell is floor.
type Cell struct {
	Kind   Kind
	Facing Dir   // orthogonal direction in which a ramp rises; North for all other kinds
	Height uint8 // height of the ground: 0 … MaxHeight, at least 1 for a platform; of a ramp: that of its low end
	Colour Colour
}

// Top returns the height up to which c hides what is behind it, MaxHeight+2 if it hides everything.
func (c Cell) Top() int {
	switch {
	case c.Kind.Opaque():
		return MaxHeight + 2
	case c.Kind.has(raised):
		return int(c.Height) + 1
	}
	return int(c.Height)
}

// valid returns what is wrong with c, or "" if c is valid.
func (c Cell) valid() string {
	switch {
	case c.Kind >= Kinds:
		return "no such kind of cell"
	case c.Height > MaxHeight:
		return "a height is 0 to 3"
	case c.Kind == Platform && c.Height == 0:
		return "a platform has height 1 to 3"
	case (c.Kind == Floor || c.Kind == Home) && c.Height != 0:
		return "ground of height 1 to 3 is a platform"
	case c.Kind.Sloped() && c.Height == MaxHeight:
		return "a ramp's low end has height 0 to 2"
	case c.Kind.Sloped() && (c.Facing >= Directions || c.Facing.Diagonal()):
		return "a ramp faces north, east, south or west"
	case !c.Kind.Sloped() && c.Facing != North:
		return "only a ramp has a facing"
	}
	return ""
}

// opened returns the cell that c, a barrier or a lock, becomes when it vanishes: ground of the same height.
func (c Cell) opened() Cell {
	if c.Height == 0 {
		return Cell{}
	}
	return Cell{Kind: Platform, Height: c.Height}
}
