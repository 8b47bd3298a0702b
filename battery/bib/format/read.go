package format

import (
	"encoding/json"
	"fmt"
	"slices"

	"achilles/sim/record"
)

// Trials is the number of trials of an episode; the last one is the test.
const Trials = 9

// A Fault is a fault of a file that Read could correct.
type Fault struct {
	Trial, Frame int // numbers of the trial and the frame with its first occurrence, from 0; −1: the whole file
	What         string
	Times        int // number of occurrences
}

// String returns a description of the fault and, unless it concerns the whole file, where it first occurs and how many times
// more.
func (f Fault) String() string {
	switch {
	case f.Trial < 0:
		return f.What
	case f.Times > 1:
		return fmt.Sprintf("trial %d, frame %d and %d more: %s", f.Trial, f.Frame, f.Times-1, f.What)
	}
	return fmt.Sprintf("trial %d, frame %d: %s", f.Trial, f.Frame, f.What)
}

// faults collects the faults of a file. Faults with the same description make one Fault, which counts them.
type faults struct {
	list         []Fault
	trial, frame int
}

func (f *faults) add(what string) {
	for i := range f.list {
		if f.list[i].What == what {
			f.list[i].Times++
			return
		}
	}
	f.list = append(f.list, Fault{Trial: f.trial, Frame: f.frame, What: what, Times: 1})
}

// Read returns the video in the bytes of a file. It corrects the faults that files of the benchmark are known to have, and
// returns them too. The error names the trial and the frame that cannot be read.
func Read(data []byte) (record.Video, []Fault, error) {
	f := &faults{trial: -1, frame: -1}
	trials, err := split(data, f)
	if err != nil {
		return record.Video{}, nil, err
	}
	var v record.Video
	for k, frames := range trials {
		t, err := readTrial(frames, k, f)
		if err != nil {
			return record.Video{}, nil, err
		}
		if k == Trials-1 {
			v.Test = t
		} else {
			v.Familiarisation = append(v.Familiarisation, t)
		}
	}
	return v, f.list, nil
}

// split returns the frames of each trial of an episode. In some files the frames of the last trial stand directly in the outer
// list, and in some a frame is itself a list of frames.
func split(data []byte, f *faults) ([][]json.RawMessage, error) {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return nil, fmt.Errorf("not a list of trials: %w", err)
	}
	var trials [][]json.RawMessage
	var loose []json.RawMessage
	for k, p := range parts {
		if isObject(p) {
			loose = append(loose, p)
			continue
		}
		var frames []json.RawMessage
		if err := json.Unmarshal(p, &frames); err != nil {
			return nil, fmt.Errorf("trial %d: not a list of frames", k)
		}
		flat, err := flatten(frames, 0)
		if err != nil {
			return nil, fmt.Errorf("trial %d: %w", k, err)
		}
		if slices.ContainsFunc(frames, isList) {
			f.add("a frame is a list of frames; they are taken one after the other")
		}
		trials = append(trials, flat)
	}
	if len(loose) > 0 {
		if len(trials) != Trials-1 {
			return nil, fmt.Errorf("%d trials and %d loose frames; want %d trials", len(trials), len(loose), Trials)
		}
		f.add("the frames of the last trial have no list around them; they are taken together")
		trials = append(trials, loose)
	}
	if len(trials) != Trials {
		return nil, fmt.Errorf("%d trials; want %d", len(trials), Trials)
	}
	return trials, nil
}

func isObject(r json.RawMessage) bool { return len(r) > 0 && r[0] == '{' }
func isList(r json.RawMessage) bool   { return !isObject(r) }

// flatten replaces lists of frames by their frames, at most four levels deep.
func flatten(frames []json.RawMessage, depth int) ([]json.RawMessage, error) {
	if !slices.ContainsFunc(frames, isList) {
		return frames, nil
	}
	var flat []json.RawMessage
	for i, r := range frames {
		if isObject(r) {
			flat = append(flat, r)
			continue
		}
		var inner []json.RawMessage
		if depth > 3 || json.Unmarshal(r, &inner) != nil {
			return nil, fmt.Errorf("frame %d: %w", i, wrong(r, "an object"))
		}
		inner, err := flatten(inner, depth+1)
		if err != nil {
			return nil, err
		}
		flat = append(flat, inner...)
	}
	return flat, nil
}

func readTrial(frames []json.RawMessage, k int, f *faults) (t record.SceneTrial, err error) {
	if len(frames) == 0 {
		return t, fmt.Errorf("trial %d: no frames", k)
	}
	p := &parser{faults: f}
	var last record.Change
	absent := 0 // number of frames at the beginning without an agent
	for i, raw := range frames {
		f.trial, f.frame = k, i
		now, err := p.parse(raw)
		if err != nil {
			return t, fmt.Errorf("trial %d, frame %d: %w", k, i, err)
		}
		if i == 0 {
			t.Scene = record.Scene{Width: now.size[0], Height: now.size[1], Walls: now.walls, Barrier: now.barrier,
				Covers: now.covers, Keys: now.keys, Locks: now.locks, Objects: now.objects, Home: now.home, Agent: now.agent, Away: now.away}
			last = t.Scene.State()
		} else {
			if absent == i && !now.away {
				t.Scene.Agent = now.agent
			}
			f.compare(&t.Scene, &now)
		}
		if absent == i && now.away {
			absent++
		}
		if !sameObjects(t.Scene.Objects, now.objects) {
			now.objects = t.Scene.Objects
		}
		t.Path = append(t.Path, record.Point{X: now.agent.X, Y: now.agent.Y})
		c := record.Change{Frame: i, Barrier: now.barrier, Keys: now.keys, Locks: now.locks, Objects: now.objects, Covers: now.covers, Away: now.away}
		if !c.Same(&last) {
			t.Changes = append(t.Changes, c)
			last = c
		}
	}
	if absent == len(frames) {
		return t, fmt.Errorf("trial %d: no frame has an agent", k)
	}
	for i := range absent {
		t.Path[i] = t.Path[absent]
	}
	return t, nil
}

// compare adds a fault if a part of the frame differs from the first frame of the trial although it must not change.
func (f *faults) compare(s *record.Scene, now *frame) {
	if [2]int16{s.Width, s.Height} != now.size || !slices.Equal(s.Walls, now.walls) || !sameObjects(s.Objects, now.objects) || s.Home != now.home {
		f.add("size, walls, looks of objects or home change within a trial; those of the first frame are taken")
	}
	if a, b := s.Agent, now.agent; !now.away && (a.Half != b.Half || a.Icon != b.Icon || a.Colour != b.Colour) {
		f.add("the actor changes its looks within a trial; those of the first frame are taken")
	}
}

// sameObjects reports whether two lists have the same objects in the same order, wherever they are.
func sameObjects(a, b []record.Shape) bool {
	return slices.EqualFunc(a, b, func(x, y record.Shape) bool {
		x.X, x.Y = y.X, y.Y
		return x == y
	})
}
