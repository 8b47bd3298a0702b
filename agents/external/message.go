package external

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"achilles/gridworld"
)

// Version is the version of the protocol.
const Version = 1

// A reset begins an episode.
type reset struct {
	Type    string   `json:"type"` // reset
	Version int      `json:"version"`
	Brief   string   `json:"brief"`
	Move    string   `json:"move"`    // turning or eight
	Actions []string `json:"actions"` // the legal actions
	Limit   int      `json:"limit"`   // time limit in ticks
	Map     []string `json:"map"`     // rows from north to south, one character per cell
	Room    string   `json:"room"`    // the map in the text form of worlds, with heights and colours
	Places  []cell   `json:"places"`  // cells in which a reward could lie
	Seed    uint32   `json:"seed"`    // for agents that need random numbers
}

// A cell is a column and a row, counted from the south-west.
type cell [2]int

// An observation asks for an action.
type observation struct {
	Type     string  `json:"type"` // observation
	Tick     int     `json:"tick"`
	Position cell    `json:"position"`
	Heading  string  `json:"heading"`
	Dark     bool    `json:"dark"`
	Frozen   bool    `json:"frozen"`
	Trapped  bool    `json:"trapped"`
	Carrying bool    `json:"carrying"`
	Things   []thing `json:"things"` // things in sight
	Open     []cell  `json:"open"`   // those of the places in the reset that are in sight

	Picture []byte `json:"picture,omitempty"` // in first person, if pictures are wanted: red, green, blue, row by row from the top
}

type thing struct {
	Index    int       `json:"index"`
	Kind     string    `json:"kind"`
	Position cell      `json:"position"`
	Air      bool      `json:"air"`
	Size     float64   `json:"size"`
	Value    int       `json:"value"`
	Colour   *[3]uint8 `json:"colour,omitempty"` // red, green, blue; an array is numbers in JSON, a slice would be base64
}

// done ends an episode.
type done struct {
	Type    string `json:"type"` // done
	Outcome string `json:"outcome"`
	Ticks   int    `json:"ticks"`
}

// A question asks for an answer.
type question struct {
	Type     string   `json:"type"` // question
	Version  int      `json:"version"`
	Brief    string   `json:"brief"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Seed     uint32   `json:"seed"`
}

func resetOf(first gridworld.Observation) reset {
	var room gridworld.World
	first.Layout(&room)
	rules := room.Rules()
	r := reset{
		Type: "reset", Version: Version, Brief: first.Brief(), Move: rules.Move.String(), Limit: rules.Limit,
		Room: room.String(), Places: []cell{}, Seed: uint32(first.Key().Seed()),
	}
	for a := range gridworld.Action(gridworld.Actions) {
		if rules.Move.Legal(a) {
			r.Actions = append(r.Actions, a.String())
		}
	}
	for _, p := range first.Places() {
		r.Places = append(r.Places, cellOf(p))
	}
	for y := room.Height() - 1; y >= 0; y-- {
		row := make([]byte, room.Width())
		for x := range row {
			row[x] = glyph(room.At(gridworld.Pos{X: x, Y: y}))
		}
		r.Map = append(r.Map, string(row))
	}
	return r
}

func cellOf(p gridworld.Pos) cell { return cell{p.X, p.Y} }

// glyphs are the characters of the kinds of cells, by Kind, as in the text form of worlds.
const glyphs = ".#ToO=^nuHhLBX*"

// glyph returns the character of a cell: that of its kind or, for a two-way ramp, an arrow that points up the ramp.
func glyph(c gridworld.Cell) byte {
	if c.Kind == gridworld.Ramp {
		return "^>v<"[c.Facing/2]
	}
	return glyphs[c.Kind]
}

func observationOf(v *gridworld.View, places []gridworld.Pos) observation {
	o := observation{
		Type: "observation", Tick: v.Tick, Position: cellOf(v.Self.Pos), Heading: v.Self.Heading.String(),
		Dark: v.Dark, Frozen: v.Frozen, Trapped: v.Trapped, Carrying: v.Carrying, Things: []thing{}, Open: []cell{},
	}
	for _, s := range v.Things {
		t := thing{Index: s.Index, Kind: s.Kind.String(), Position: cellOf(s.Pos), Air: s.State == gridworld.Air, Size: float64(s.Size) / 100, Value: s.Value}
		if r, g, b, ok := s.Colour.RGB(); ok {
			t.Colour = &[3]uint8{r, g, b}
		}
		o.Things = append(o.Things, t)
	}
	for _, p := range places {
		if v.Seen.Has(p) {
			o.Open = append(o.Open, cellOf(p))
		}
	}
	return o
}

// readAction returns the action in the answer to an observation, such as {"action": "forward"}. The answer may have further
// keys.
func readAction(line []byte, mode gridworld.Mode) (gridworld.Action, error) {
	var answer struct {
		Action *string `json:"action"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, fmt.Errorf("%s is not a JSON object: %v", clip(line), err)
	}
	if answer.Action == nil {
		return 0, fmt.Errorf(`%s has no action: want for instance {"action": "forward"}`, clip(line))
	}
	a, err := gridworld.ParseAction(*answer.Action)
	if err != nil || !mode.Legal(a) {
		return 0, fmt.Errorf("%q is not an action of this world: the message reset lists them", clip([]byte(*answer.Action)))
	}
	return a, nil
}

// readAnswer returns the index of the option in the answer to a question, such as {"answer": "e"}. The answer may have
// further keys.
func readAnswer(line []byte, options []string) (int, error) {
	var answer struct {
		Answer *string `json:"answer"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, fmt.Errorf("%s is not a JSON object: %v", clip(line), err)
	}
	if answer.Answer == nil {
		return 0, fmt.Errorf(`%s has no answer: want for instance {"answer": %q}`, clip(line), options[0])
	}
	i := slices.Index(options, *answer.Answer)
	if i < 0 {
		return 0, fmt.Errorf("%q is not an option of the question", clip([]byte(*answer.Answer)))
	}
	return i, nil
}

// clip returns the beginning of what a program wrote, on one line.
func clip(line []byte) string {
	const most = 80
	s := strings.ToValidUTF8(string(line[:min(len(line), most)]), "?")
	if len(line) > most {
		s += "…"
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s))
}
