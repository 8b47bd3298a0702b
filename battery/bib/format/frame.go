package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"achilles/sim/record"
)

// rawFrame is a frame whose parts are not parsed yet. Most parts equal those of the frame before and need not be parsed
// again.
type rawFrame struct {
	Size     json.RawMessage `json:"size"`
	Walls    json.RawMessage `json:"walls"`
	Barrier  json.RawMessage `json:"fuse_walls"`
	Pin      json.RawMessage `json:"pin"`
	Key      json.RawMessage `json:"key"`
	Lock     json.RawMessage `json:"lock"`
	Objects  json.RawMessage `json:"objects"`
	Blocking json.RawMessage `json:"blocking"`
	Home     json.RawMessage `json:"home"`
	Agent    json.RawMessage `json:"agent"`
}

// keyAndLock returns the raw key and lock. In the benchmark's files the field pin has the key and the field key has the
// lock; in older files, which have a field lock, the field key has the key.
func (f *rawFrame) keyAndLock() (key, lock json.RawMessage) {
	if f.Lock != nil {
		return f.Key, f.Lock
	}
	return f.Pin, f.Key
}

// A frame is a parsed frame.
type frame struct {
	size                 [2]int16
	walls, barrier       []record.Rect
	covers               []record.Rect
	keys, locks, objects []record.Shape
	home, agent          record.Shape
	away                 bool // there is no agent; `agent` is the one that was or will be there
}

// A parser parses frames. It parses again only the parts that differ from the frame before.
type parser struct {
	last   rawFrame
	now    frame
	faults *faults
}

// parse returns the parsed frame. If a part of a frame, such as its walls, equals that of the frame before, both frames
// share one slice.
func (p *parser) parse(data []byte) (frame, error) {
	var raw rawFrame
	if err := json.Unmarshal(data, &raw); err != nil {
		return frame{}, err
	}
	key, lock := raw.keyAndLock()
	oldKey, oldLock := p.last.keyAndLock()
	for _, part := range []struct {
		name     string
		now, old json.RawMessage
		parse    func(json.RawMessage) error
	}{
		{"size", raw.Size, p.last.Size, p.size},
		{"walls", raw.Walls, p.last.Walls, func(r json.RawMessage) (err error) { p.now.walls, err = p.rects(r); return }},
		{"fuse_walls", raw.Barrier, p.last.Barrier, p.barrier},
		{"pin (the key)", key, oldKey, func(r json.RawMessage) (err error) { p.now.keys, err = p.shapes(r); return }},
		{"key (the lock)", lock, oldLock, func(r json.RawMessage) (err error) { p.now.locks, err = p.shapes(r); return }},
		{"objects", raw.Objects, p.last.Objects, func(r json.RawMessage) (err error) { p.now.objects, err = p.shapes(r); return }},
		{"home", raw.Home, p.last.Home, func(r json.RawMessage) (err error) { p.now.home, err = p.single(r); return }},
		{"blocking", raw.Blocking, p.last.Blocking, p.cover},
		{"agent", raw.Agent, p.last.Agent, p.agent},
	} {
		if bytes.Equal(part.now, part.old) && part.old != nil {
			continue
		}
		if err := part.parse(part.now); err != nil {
			return frame{}, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	p.last = raw
	return p.now, nil
}

// cover sets the covers of the frame. The published files known here have none, so that what is no list of rectangles is a fault.
func (p *parser) cover(r json.RawMessage) (err error) {
	if p.now.covers, err = p.rects(r); err != nil {
		p.faults.add("blocking is not a list of rectangles; its meaning is unknown, so it is left out")
	}
	return nil
}

// agent sets the agent of the frame, or that it is away if the list is empty: the agent of the frame before is kept.
func (p *parser) agent(r json.RawMessage) (err error) {
	if p.now.away = string(bytes.TrimSpace(r)) == "[]"; !p.now.away {
		p.now.agent, err = p.single(r)
	}
	return err
}

func (p *parser) size(r json.RawMessage) error {
	var n []float64
	if err := json.Unmarshal(r, &n); err != nil {
		return wrong(r, "[width, height]")
	}
	if len(n) != 2 || n[0] < 1 || n[1] < 1 || n[0] > maxSide || n[1] > maxSide {
		return wrong(r, "[width, height] of 1 to 2000 pixels")
	}
	p.now.size = [2]int16{p.pixel(n[0]), p.pixel(n[1])}
	return nil
}

// maxSide is the largest side of a scene, in pixels: a corrupt file must not ask for gigabytes.
const maxSide = 2000

// pixel returns a coordinate rounded to a whole number and clipped to ±2 maxSide. It adds a fault if this changes the
// coordinate.
func (p *parser) pixel(x float64) int16 {
	if math.Abs(x) > 2*maxSide {
		p.faults.add("a coordinate is far outside the scene; it is moved to its edge")
		x = math.Copysign(2*maxSide, x)
	}
	if x != math.Trunc(x) {
		p.faults.add("a coordinate is not a whole number; it is rounded")
	}
	return int16(math.Round(x))
}

// rects returns the rectangles in [[[x, y], [w, h]], …]. A missing field is an empty list.
func (p *parser) rects(r json.RawMessage) ([]record.Rect, error) {
	if r == nil {
		return nil, nil
	}
	var list [][2][2]float64
	if err := json.Unmarshal(r, &list); err != nil {
		return nil, wrong(r, "a list of [[x, y], [width, height]]")
	}
	var rects []record.Rect
	for _, v := range list {
		rects = append(rects, record.Rect{X: p.pixel(v[0][0]), Y: p.pixel(v[0][1]), W: p.pixel(v[1][0]), H: p.pixel(v[1][1])})
	}
	return rects, nil
}

// barrier sets the barrier of the frame to the pieces that are on the wall grid, each once. Some files have pieces off the
// grid, or the same piece twice; barrier adds a fault for these.
func (p *parser) barrier(r json.RawMessage) error {
	all, err := p.rects(r)
	if err != nil {
		return err
	}
	seen := map[record.Rect]bool{}
	p.now.barrier = nil
	for _, b := range all {
		switch {
		case b.W > 0 && b.H > 0 && (b.X%b.W != 0 || b.Y%b.H != 0):
			p.faults.add("a piece of the barrier is off the wall grid; it is left out")
		case seen[b]:
			p.faults.add("a piece of the barrier is listed twice; it is taken once")
		default:
			seen[b] = true
			p.now.barrier = append(p.now.barrier, b)
		}
	}
	return nil
}

// shapes returns the shapes in a list. A missing field is an empty list.
func (p *parser) shapes(r json.RawMessage) ([]record.Shape, error) {
	if r == nil {
		return nil, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(r, &list); err != nil {
		return nil, wrong(r, "a list of shapes")
	}
	var shapes []record.Shape
	for _, v := range list {
		s, err := p.shape(v)
		if err != nil {
			return nil, err
		}
		shapes = append(shapes, s)
	}
	return shapes, nil
}

// single returns the shape in r, which is a shape or a list of one shape.
func (p *parser) single(r json.RawMessage) (record.Shape, error) {
	if r == nil {
		return record.Shape{}, errors.New("is missing")
	}
	s, err := p.shape(r)
	if err == nil {
		return s, nil
	}
	if list, e := p.shapes(r); e == nil && len(list) == 1 {
		p.faults.add("home or agent is a list of one shape; the shape is taken")
		return list[0], nil
	}
	return s, err
}

// shape returns the shape in [[x, y], half, "icon", [r, g, b]].
func (p *parser) shape(r json.RawMessage) (s record.Shape, err error) {
	const want = "[[x, y], half, \"icon\", [red, green, blue]]"
	var part []json.RawMessage
	if json.Unmarshal(r, &part) != nil || len(part) != 4 {
		return s, wrong(r, want)
	}
	var at [2]float64
	var half float64
	var colour [3]float64
	if json.Unmarshal(part[0], &at) != nil || json.Unmarshal(part[1], &half) != nil || json.Unmarshal(part[2], &s.Icon) != nil ||
		json.Unmarshal(part[3], &colour) != nil || half < 0 {
		return s, wrong(r, want)
	}
	s.X, s.Y, s.Half = p.pixel(at[0]), p.pixel(at[1]), p.pixel(half)
	for i, c := range colour {
		if c < 0 || c > 255 || c != math.Trunc(c) {
			return s, wrong(r, want+", colours 0 to 255")
		}
		s.Colour[i] = uint8(c)
	}
	return s, nil
}

// wrong returns the error for a value r that has another form than `want`.
func wrong(r json.RawMessage, want string) error {
	s := string(r)
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return fmt.Errorf("%s; want %s", s, want)
}
