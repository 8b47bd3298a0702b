package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"achilles/sim/part"
)

// Scenes reads all scenes of a public directory, sorted by item, and verifies their files.
func Scenes(fsys fs.FS, m *Manifest) ([]Watched, error) {
	var all []Watched
	for _, f := range SceneShards(m) {
		shard, err := SceneShard(fsys, f)
		if err != nil {
			return nil, err
		}
		all = append(all, shard...)
	}
	return all, checkOrder(all)
}

// SceneShards returns the shards of scenes in order, or nil if there are none.
func SceneShards(m *Manifest) []part.File { return m.below(sceneFolder) }

// SceneShard reads one of the shards that SceneShards lists, and verifies it.
func SceneShard(fsys fs.FS, f part.File) ([]Watched, error) {
	b, err := f.Content(fsys)
	if err != nil {
		return nil, err
	}
	items, err := decodeShard(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return items, checkOrder(items)
}

// Limits of what a reader accepts, so that a small file cannot ask for all memory. They are about twenty times what the
// project's batteries need.
const (
	maxShard      = 1 << 26 // bytes of a shard after decompression
	maxTrials     = 256     // trials of a video
	maxItemFrames = 1 << 17 // frames of an item, all trials together: 87 minutes at 25 a second
)

// A Decompressed reads from From, and fails after Limit bytes.
type Decompressed struct {
	From  io.Reader
	Limit int
	read  int
}

// Read reads, and fails once more than Limit bytes have been read.
func (b *Decompressed) Read(p []byte) (int, error) {
	n, err := b.From.Read(p)
	if b.read += n; b.read > b.Limit {
		return 0, fmt.Errorf("more than %d bytes after decompression", b.Limit)
	}
	return n, err
}

func decodeShard(data []byte) ([]Watched, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not gzipped: %w", err)
	}
	lines := json.NewDecoder(&Decompressed{From: z, Limit: maxShard})
	lines.DisallowUnknownFields()
	var h sceneHeader
	if err := lines.Decode(&h); err != nil || h != sceneFormat {
		return nil, fmt.Errorf("line 1: want format %s, version %d, the only one that this reader knows", sceneFormat.Format, sceneFormat.Version)
	}
	var items []Watched
	for line := 2; ; line++ {
		var j jsonWatched
		if err := lines.Decode(&j); err == io.EOF {
			return items, nil
		} else if err != nil {
			return nil, fmt.Errorf("line %d: truncated or corrupt: %w", line, err)
		}
		if len(items) == ScenesPerShard {
			return nil, fmt.Errorf("line %d: more than %d items in a shard", line, ScenesPerShard)
		}
		w, err := j.unpack()
		if err != nil {
			return nil, fmt.Errorf("line %d: item %s: %w", line, j.Item, err)
		}
		items = append(items, w)
	}
}

// A sceneUnpacker makes scenes from their JSON form. It keeps the first error.
type sceneUnpacker struct {
	in    *jsonWatched
	walls [][]Rect

	frames int // number of frames of all trials so far
	err    error
}

func (j *jsonWatched) unpack() (Watched, error) {
	u := &sceneUnpacker{in: j}
	for _, list := range j.Walls {
		u.walls = append(u.walls, u.rects(list))
	}
	if len(j.Videos) > 26 || len(j.Trials) > 26*maxTrials || slices.ContainsFunc(j.Videos, func(v []int) bool { return len(v) > maxTrials }) {
		return Watched{}, fmt.Errorf("more than 26 videos, or more than %d trials in one", maxTrials)
	}
	trials := make([]SceneTrial, len(j.Trials))
	for i := range j.Trials {
		if trials[i] = u.trial(&j.Trials[i]); u.err != nil {
			return Watched{}, u.err
		}
	}
	w := Watched{Item: j.Item}
	for i, list := range j.Videos {
		var v Video
		for k, n := range list {
			if n < 0 || n >= len(trials) {
				u.fail("video %s: there is no trial %d", VideoName(i), n)
				return w, u.err
			}
			if k == len(list)-1 {
				v.Test = trials[n]
			} else {
				v.Familiarisation = append(v.Familiarisation, trials[n])
			}
		}
		w.Videos = append(w.Videos, v)
	}
	if u.err != nil {
		return w, u.err
	}
	return w, w.check()
}

func (u *sceneUnpacker) fail(format string, args ...any) {
	if u.err == nil {
		u.err = fmt.Errorf(format, args...)
	}
}

func (u *sceneUnpacker) pixel(n int) int16 {
	if n < math.MinInt16 || n > math.MaxInt16 {
		u.fail("%d pixels do not fit", n)
		return 0
	}
	return int16(n)
}

func (u *sceneUnpacker) rects(list [][4]int) []Rect {
	var all []Rect
	for _, r := range list {
		all = append(all, Rect{u.pixel(r[0]), u.pixel(r[1]), u.pixel(r[2]), u.pixel(r[3])})
	}
	return all
}

func (u *sceneUnpacker) shape(j jsonShape) Shape {
	if j[0] < 0 || j[0] >= len(u.in.Looks) {
		u.fail("there is no look %d", j[0])
		return Shape{}
	}
	l := &u.in.Looks[j[0]]
	s := Shape{X: u.pixel(j[1]), Y: u.pixel(j[2]), Half: u.pixel(l.Half), Icon: l.Icon}
	for i, c := range l.Colour {
		if c < 0 || c > math.MaxUint8 {
			u.fail("%d is not a colour", c)
		}
		s.Colour[i] = uint8(c)
	}
	return s
}

func (u *sceneUnpacker) shapes(list []jsonShape) []Shape {
	var all []Shape
	for _, s := range list {
		all = append(all, u.shape(s))
	}
	return all
}

func (u *sceneUnpacker) trial(j *jsonTrial) (t SceneTrial) {
	if j.Walls < 0 || j.Walls >= len(u.walls) {
		u.fail("there is no list of walls %d", j.Walls)
		return t
	}
	t.Scene = Scene{Width: u.pixel(j.Size[0]), Height: u.pixel(j.Size[1]), Walls: u.walls[j.Walls], Barrier: u.rects(j.Barrier), Covers: u.rects(j.Covers), Away: j.Away,
		Keys: u.shapes(j.Keys), Locks: u.shapes(j.Locks), Objects: u.shapes(j.Objects), Home: u.shape(j.Home), Agent: u.shape(j.Agent)}
	x, y, frames := int(t.Scene.Agent.X), int(t.Scene.Agent.Y), 1
	t.Path = append(t.Path, Point{t.Scene.Agent.X, t.Scene.Agent.Y})
	for _, run := range j.Path {
		if frames += max(run[2], 1); frames > maxFrames || run[2] < 1 {
			u.fail("more than %d frames, or a step for no frame", maxFrames)
			return t
		}
		for range run[2] {
			x, y = x+run[0], y+run[1]
			t.Path = append(t.Path, Point{u.pixel(x), u.pixel(y)})
		}
	}
	if u.frames += frames; u.frames > maxItemFrames {
		u.fail("more than %d frames in all trials", maxItemFrames)
	}
	before := t.Scene.State()
	for i := range j.Changes {
		before = u.change(before, &j.Changes[i])
		t.Changes = append(t.Changes, before)
	}
	return t
}

func (u *sceneUnpacker) change(c Change, j *jsonChange) Change {
	c.Frame = j.Frame
	if j.Barrier != nil {
		c.Barrier = u.rects(*j.Barrier)
	}
	if j.Keys != nil {
		c.Keys = u.shapes(*j.Keys)
	}
	if j.Locks != nil {
		c.Locks = u.shapes(*j.Locks)
	}
	if j.Objects != nil {
		c.Objects = u.shapes(*j.Objects)
	}
	if j.Covers != nil {
		c.Covers = u.rects(*j.Covers)
	}
	if j.Away != nil {
		c.Away = *j.Away
	}
	if *j == (jsonChange{Frame: j.Frame}) {
		u.fail("frame %d: a change in which nothing changes", j.Frame)
	}
	return c
}
