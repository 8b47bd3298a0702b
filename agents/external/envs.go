package external

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"achilles/gridworld"
	"achilles/gridworld/eye"
	"achilles/sim/rng"
)

// A TrainingWorld is a world in which an episode can begin.
type TrainingWorld struct {
	World  *gridworld.World // at tick 0; it must not change
	Places []gridworld.Pos  // cells in which a reward could lie
}

// Envs are environments for a learner at the other end of a pipe. All act at once, one action each, in binary frames
// (docs/reference/frames.md). An episode begins in a world that is drawn; the step after its end begins the next.
type Envs struct {
	header frameHeader
	starts []TrainingWorld
	maps   [][]byte // of the starts
	legal  []gridworld.Action
	envs   []env
	frame  []byte // states, pictures, and the maps that follow them
}

// An env is one environment.
type env struct {
	world gridworld.World
	view  gridworld.View
	draw  rng.Rand
	start int
	seen  eye.Picture
}

// mostEnvs is the largest number of environments.
const mostEnvs = 1 << 16

// mostPixels is the largest number of bytes of the pictures of one step.
const mostPixels = 1 << 30

// NewEnvs returns n environments of a task whose episodes begin in the starts, with pictures in first person of some pixels on a side, or none for 0.
// The error says what cannot be put into frames.
func NewEnvs(task string, starts []TrainingWorld, n, pixels int) (*Envs, error) {
	if pixels < 0 || pixels > eye.MaxSize {
		return nil, fmt.Errorf("pictures of %d pixels: want 1 to %d, or 0 for none", pixels, eye.MaxSize)
	}
	if n < 1 || n > mostEnvs {
		return nil, fmt.Errorf("%d environments: want 1 to %d", n, mostEnvs)
	}
	if n*pixels*pixels*3 > mostPixels {
		return nil, fmt.Errorf("%d environments with pictures of %d × %d pixels: they take more than %d bytes", n, pixels, pixels, mostPixels)
	}
	if len(starts) == 0 {
		return nil, errors.New("there is no world to begin in")
	}
	e := &Envs{starts: starts, envs: make([]env, n)}
	h := &e.header
	*h = frameHeader{Format: "achilles-env", Version: FrameVersion, Task: task, Envs: n, Worlds: len(starts), FirstPerson: pixels}
	mode := starts[0].World.Rules().Move
	for i, s := range starts {
		w := s.World
		rules := w.Rules()
		switch {
		case rules.Move != mode:
			return nil, fmt.Errorf("world %d: its actions differ from those of world 0", i)
		case rules.Limit < 1 || rules.Limit > math.MaxUint16:
			return nil, fmt.Errorf("world %d: its time limit is %d; it must be 1 to %d", i, rules.Limit, math.MaxUint16)
		case len(s.Places) > 64:
			return nil, fmt.Errorf("world %d: %d places; there can be at most 64", i, len(s.Places))
		case w.Len() > math.MaxUint8:
			return nil, fmt.Errorf("world %d: %d things; there can be at most 255", i, w.Len())
		}
		for k := range w.Len() {
			if v := w.Thing(k).Value; v < math.MinInt16 || v > math.MaxInt16 {
				return nil, fmt.Errorf("world %d: the value of thing %d is %d; it must fit into 16 bits", i, k, v)
			}
		}
		h.Width, h.Height, h.Limit = max(h.Width, w.Width()), max(h.Height, w.Height()), max(h.Limit, rules.Limit)
		h.Things, h.Places = max(h.Things, w.Len()), max(h.Places, len(s.Places))
	}
	for a := range gridworld.Action(gridworld.Actions) {
		if mode.Legal(a) {
			e.legal, h.Actions = append(e.legal, a), append(h.Actions, a.String())
		}
	}
	for k := range gridworld.Kind(gridworld.Kinds) {
		h.Kinds = append(h.Kinds, k.String())
	}
	for _, s := range starts {
		e.maps = append(e.maps, h.appendMap(nil, s.World, s.Places))
	}
	for i := range e.envs {
		e.envs[i].seen.Size = pixels
	}
	e.frame = make([]byte, n*(h.stride()+h.pictureSize()))
	return e, nil
}

// Serve writes the header and answers one frame after another, until r ends. A frame is a letter and what it needs: r and a seed (uint64)
// for each environment begins an episode in each, s and an action (one byte) for each is a step. The answer is the states, and
// then a map for each environment whose state says so. The error says what is wrong with a frame, or is that of r or w.
func (e *Envs) Serve(r io.Reader, w io.Writer) error {
	head, err := json.Marshal(e.header)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head...)); err != nil {
		return err
	}
	in := bufio.NewReaderSize(r, 1<<16)
	asked := make([]byte, 8*len(e.envs))
	for begun := false; ; begun = true {
		letter, err := in.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case letter == 'r':
			if err := fill(in, asked); err != nil {
				return err
			}
			e.reset(asked)
		case letter == 's' && begun:
			actions := asked[:len(e.envs)]
			if err := fill(in, actions); err != nil {
				return err
			}
			if err := e.step(actions); err != nil {
				return err
			}
		case letter == 's':
			return errors.New("a frame s before any frame r: no episode has begun")
		default:
			return fmt.Errorf("a frame that begins with %q: want r (begin) or s (step)", letter)
		}
		if _, err := w.Write(e.frame); err != nil {
			return err
		}
	}
}

// fill reads the rest of a frame.
func fill(r io.Reader, b []byte) error {
	if _, err := io.ReadFull(r, b); err != nil {
		return fmt.Errorf("a frame that ends too early: %w", err)
	}
	return nil
}

func (e *Envs) state(i int) []byte {
	n := e.header.stride()
	return e.frame[i*n : (i+1)*n]
}

// reset begins an episode in every environment. seeds has a uint64 each.
func (e *Envs) reset(seeds []byte) {
	e.frame = e.frame[:len(e.envs)*(e.header.stride()+e.header.pictureSize())]
	for i := range e.envs {
		e.envs[i].draw = rng.Stream(binary.LittleEndian.Uint64(seeds[8*i:]), "training", "episodes")
		e.begin(i)
	}
}

// begin begins an episode in environment i.
func (e *Envs) begin(i int) {
	v := &e.envs[i]
	v.start = v.draw.IntN(len(e.starts))
	v.world.Share(e.starts[v.start].World)
	b := e.state(i)
	e.put(i, b)
	b[5] |= flagBegins
	b[7] = 1
	e.frame = append(e.frame, e.maps[v.start]...)
}

func (e *Envs) put(i int, b []byte) {
	v := &e.envs[i]
	putState(b, &v.world, &v.view, e.starts[v.start].Places)
	binary.LittleEndian.PutUint32(b[8:], uint32(v.start))
	if n := e.header.pictureSize(); n > 0 {
		v.seen.Draw(&v.world, eye.Eyes{})
		copy(e.frame[len(e.envs)*e.header.stride()+i*n:], v.seen.Pix)
	}
}

// step carries out an action in every environment. Where the episode is over, the next begins instead.
func (e *Envs) step(actions []byte) error {
	for i, a := range actions {
		if int(a) >= len(e.legal) {
			return fmt.Errorf("action %d of environment %d: it must be 0 to %d", a, i, len(e.legal)-1)
		}
	}
	e.frame = e.frame[:len(e.envs)*(e.header.stride()+e.header.pictureSize())]
	for i, a := range actions {
		v := &e.envs[i]
		if v.world.Outcome() != gridworld.Running {
			e.begin(i)
			continue
		}
		happened := v.world.Step(e.legal[a])
		b := e.state(i)
		e.put(i, b)
		if slices.ContainsFunc(happened, func(x gridworld.Event) bool { return x.Kind == gridworld.Unlocked }) {
			b[7] = 1
			e.frame = e.header.appendMap(e.frame, &v.world, e.starts[v.start].Places)
		}
	}
	return nil
}
