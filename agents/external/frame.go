package external

import (
	"encoding/binary"

	"achilles/gridworld"
)

// FrameVersion is the version of the frames.
const FrameVersion = 1

// A frameHeader is the first thing that is sent: its length as a uint32, then JSON. Sizes are the greatest among the worlds.
type frameHeader struct {
	Format  string   `json:"format"` // achilles-env
	Version int      `json:"version"`
	Task    string   `json:"task"`
	Envs    int      `json:"envs"`
	Worlds  int      `json:"worlds"`
	Actions []string `json:"actions"` // a byte of a step is an index
	Width   int      `json:"width"`
	Height  int      `json:"height"`
	Things  int      `json:"things"`
	Places  int      `json:"places"`
	Limit   int      `json:"limit"` // in ticks
	Kinds   []string `json:"kinds"` // of cells

	FirstPerson int `json:"first_person,omitempty"` // pixels on a side of the pictures; 0: none
}

// Sizes of the parts of a frame, in bytes. All numbers are little-endian.
const (
	stateSize = 24 // tick uint16, x, y, heading, flags, outcome, map follows, world uint32, gain int32, places in sight as bits of a uint64
	sightSize = 12 // of a thing: kind + 1, or 0 out of sight; x, y; 1 in the air; size uint16; value int16; red, green, blue; 1 if it has a colour
	mapSize   = 8  // limit uint16, width, height, number of places, 3 bytes unused; then the places, and the cells row by row from the south-west
	cellSize  = 4  // kind | height << 4 | facing/2 << 6, or outsideCell; red, green, blue, or 0, 0, 0
)

// outsideCell is the kind of what is beyond a world that is smaller than others.
const outsideCell = 15

// The flags of a state.
const (
	flagDark = 1 << iota
	flagFrozen
	flagTrapped
	flagCarrying
	flagBegins // the episode has just begun
)

// stride is the number of bytes of a state with its things.
func (h *frameHeader) stride() int { return stateSize + sightSize*h.Things }

// pictureSize is the number of bytes of a picture.
func (h *frameHeader) pictureSize() int { return 3 * h.FirstPerson * h.FirstPerson }

// appendMap appends the map of a world.
func (h *frameHeader) appendMap(b []byte, w *gridworld.World, places []gridworld.Pos) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(w.Rules().Limit))
	b = append(b, byte(w.Width()), byte(w.Height()), byte(len(places)), 0, 0, 0)
	for i := range h.Places {
		if i < len(places) {
			b = append(b, byte(places[i].X), byte(places[i].Y))
		} else {
			b = append(b, 255, 255)
		}
	}
	for y := range h.Height {
		for x := range h.Width {
			p := gridworld.Pos{X: x, Y: y}
			if !w.Inside(p) {
				b = append(b, outsideCell, 0, 0, 0)
				continue
			}
			c := w.At(p)
			red, green, blue, _ := c.Colour.RGB()
			b = append(b, byte(c.Kind)|c.Height<<4|byte(c.Facing)/2<<6, red, green, blue)
		}
	}
	return b
}

// putState writes what an agent sees of its world into b, which has stride bytes.
func putState(b []byte, w *gridworld.World, v *gridworld.View, places []gridworld.Pos) {
	w.View(gridworld.Viewer{}, v)
	binary.LittleEndian.PutUint16(b, uint16(v.Tick))
	b[2], b[3], b[4] = byte(v.Self.Pos.X), byte(v.Self.Pos.Y), byte(v.Self.Heading)
	b[5] = bit(v.Dark, flagDark) | bit(v.Frozen, flagFrozen) | bit(v.Trapped, flagTrapped) | bit(v.Carrying, flagCarrying)
	b[6], b[7] = byte(w.Outcome()), 0
	binary.LittleEndian.PutUint32(b[12:], uint32(int32(w.Gain())))
	var open uint64
	if !v.Dark {
		for i, p := range places {
			if w.Sees(v.Self.Pos, p) {
				open |= 1 << i
			}
		}
	}
	binary.LittleEndian.PutUint64(b[16:], open)
	things := b[stateSize:]
	clear(things)
	for i := range v.Things {
		s := &v.Things[i]
		t := things[sightSize*s.Index:][:sightSize]
		t[0], t[1], t[2], t[3] = byte(s.Kind)+1, byte(s.Pos.X), byte(s.Pos.Y), bit(s.State == gridworld.Air, 1)
		binary.LittleEndian.PutUint16(t[4:], uint16(s.Size))
		binary.LittleEndian.PutUint16(t[6:], uint16(int16(s.Value)))
		red, green, blue, ok := s.Colour.RGB()
		t[8], t[9], t[10], t[11] = red, green, blue, bit(ok, 1)
	}
}

func bit(is bool, flag byte) byte {
	if is {
		return flag
	}
	return 0
}
