package animalai

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An Arena is one arena of a file.
type Arena struct {
	Name      string // its key in the file
	Limit     float64
	PassMark  float64
	Blackouts []float64 // steps at which the lights go off, on, off …; one negative number: every so many steps
	Objects   []Object
	Grid      *Grid  // what the head of the file says of the grid from which it was made; nil: nothing
	Losses    Losses // keys of the file that mean nothing here
}

// A Vector has three lengths: x to the east, y up, z to the north. NaN is left to chance.
type Vector struct{ X, Y, Z float64 }

// An Object is one object of an arena. Pos is the middle of its base.
type Object struct {
	Name      string
	Pos, Size Vector
	Turn      float64 // degrees clockwise, seen from above; NaN: left to chance
	Colour    [3]float64
	Coloured  bool
	Frozen    float64 // steps for which an agent is held
}

// most are the largest sizes of a file and the largest number of its arenas and objects.
const (
	mostBytes   = 4 << 20
	mostArenas  = 10_000
	mostObjects = 20_000
)

// Read reads the arenas of a file, in the order of their keys. The error has file and line.
func Read(file string, text []byte) ([]Arena, error) {
	if len(text) > mostBytes {
		return nil, fmt.Errorf("%s: %d bytes; a file of arenas has at most %d", file, len(text), mostBytes)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r := &reader{file: file, grid: gridOf(string(text))}
	if len(doc.Content) != 1 {
		return nil, fmt.Errorf("%s: it is empty: want !ArenaConfig with arenas", file)
	}
	arenas := r.key(doc.Content[0], "arenas")
	if r.err == nil && arenas == nil {
		r.fail(doc.Content[0], "want a map with the key arenas, as in an !ArenaConfig of Animal-AI")
	}
	var out []Arena
	for k, v := range r.pairs(arenas) {
		if len(out) == mostArenas {
			r.fail(k, fmt.Sprintf("more than %d arenas", mostArenas))
			break
		}
		out = append(out, r.arena(k.Value, v))
	}
	if r.err != nil {
		return nil, r.err
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: it has no arenas", file)
	}
	return out, nil
}

// A reader keeps the first error.
type reader struct {
	file    string
	grid    *Grid
	objects int
	losses  *Losses
	err     error
}

func (r *reader) fail(n *yaml.Node, why string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s:%d: %s", r.file, n.Line, why)
	}
}

// pairs gives the keys and values of a map.
func (r *reader) pairs(n *yaml.Node) func(yield func(k, v *yaml.Node) bool) {
	return func(yield func(k, v *yaml.Node) bool) {
		if n == nil || r.err != nil || n.Tag == "!!null" {
			return
		}
		if n.Kind != yaml.MappingNode {
			r.fail(n, "want a map, such as x: 1")
			return
		}
		for i := 0; i+1 < len(n.Content) && r.err == nil; i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// key returns the value of a key; nil if there is none.
func (r *reader) key(n *yaml.Node, name string) (value *yaml.Node) {
	for k, v := range r.pairs(n) {
		if k.Value == name {
			value = v
		}
	}
	return value
}

// list returns the entries of a list; a single value is a list of one.
func (r *reader) list(n *yaml.Node) []*yaml.Node {
	switch {
	case n.Tag == "!!null":
		return nil
	case n.Kind == yaml.SequenceNode:
		return n.Content
	case n.Kind == yaml.AliasNode:
		r.fail(n, "an alias; write the value out")
		return nil
	}
	return []*yaml.Node{n}
}

func (r *reader) number(n *yaml.Node) float64 {
	x, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsInf(x, 0) || math.IsNaN(x) || math.Abs(x) > 1e6 {
		r.fail(n, fmt.Sprintf("want a number from -1000000 to 1000000, not %q", n.Value))
	}
	return x
}

func (r *reader) numbers(n *yaml.Node) (out []float64) {
	for _, e := range r.list(n) {
		out = append(out, r.number(e))
	}
	return out
}

func (r *reader) arena(name string, n *yaml.Node) Arena {
	a := Arena{Name: name, Grid: r.grid}
	r.losses = &a.Losses
	for k, v := range r.pairs(n) {
		switch k.Value {
		case "t", "timeLimit":
			a.Limit = r.number(v)
		case "pass_mark", "passMark":
			a.PassMark = r.number(v)
		case "blackouts":
			a.Blackouts = r.numbers(v)
		case "items":
			for _, e := range r.list(v) {
				a.Objects = append(a.Objects, r.item(e)...)
			}
		default:
			a.Losses.add(k.Value, "is an option without a counterpart in a grid: ignored")
		}
	}
	return a
}

// item returns the objects of an item: as many as its longest list has entries. What is missing is left to chance.
func (r *reader) item(n *yaml.Node) []Object {
	var (
		name               string
		odd                bool // it has an option that means nothing here
		places, sizes      []Vector
		turns, held        []float64
		colours            [][3]float64
		chance, everything = math.NaN(), Vector{math.NaN(), math.NaN(), math.NaN()}
	)
	for k, v := range r.pairs(n) {
		switch k.Value {
		case "name":
			name = v.Value
		case "positions":
			places = r.vectors(v)
		case "sizes":
			sizes = r.vectors(v)
		case "rotations":
			turns = r.numbers(v)
		case "frozenAgentDelays":
			held = r.numbers(v)
		case "colors":
			for _, e := range r.list(v) {
				var c [3]float64
				for k, x := range r.pairs(e) {
					if i := strings.Index("rgb", k.Value); i >= 0 && len(k.Value) == 1 {
						c[i] = r.number(x)
					}
				}
				colours = append(colours, c)
			}
		case "skins": // how the agent looks
		default:
			odd = true
		}
	}
	if odd {
		r.losses.add(name, "has options without a counterpart in a grid: ignored")
	}
	if name == "" {
		r.fail(n, "an item without a name")
	}
	count := max(len(places), len(turns), len(sizes), 1)
	if r.objects += count; r.objects > mostObjects {
		r.fail(n, fmt.Sprintf("more than %d objects", mostObjects))
	}
	if r.err != nil {
		return nil
	}
	out := slices.Repeat([]Object{{Name: name, Pos: everything, Size: everything, Turn: chance}}, count)
	for i := range out {
		o := &out[i]
		if i < len(places) {
			o.Pos = places[i]
		}
		if i < len(sizes) {
			o.Size = sizes[i]
		}
		if i < len(turns) && turns[i] != -1 {
			o.Turn = turns[i]
		}
		if i < len(held) {
			o.Frozen = held[i]
		}
		if i < len(colours) && colours[i][0] >= 0 {
			o.Colour, o.Coloured = colours[i], true
		}
	}
	return out
}

// vectors reads a list of vectors, in which -1 is left to chance.
func (r *reader) vectors(n *yaml.Node) (out []Vector) {
	for _, e := range r.list(n) {
		v := Vector{math.NaN(), math.NaN(), math.NaN()}
		for k, x := range r.pairs(e) {
			value := r.number(x)
			if value == -1 {
				value = math.NaN()
			}
			switch k.Value {
			case "x":
				v.X = value
			case "y":
				v.Y = value
			case "z":
				v.Z = value
			default:
				r.fail(k, fmt.Sprintf("%s: a vector has x, y and z", k.Value))
			}
		}
		out = append(out, v)
	}
	return out
}
