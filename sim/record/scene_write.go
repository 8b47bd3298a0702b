package record

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// sceneFolder has the scenes, in shards of gzipped JSON lines: a header, then one item per line.
const sceneFolder = "scenes/"

// ScenesPerShard is the number of items in every shard except the last. It is fixed, so that a shard's name says
// nothing about its content.
const ScenesPerShard = 256

// sceneHeader is the first line of every shard.
type sceneHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

var sceneFormat = sceneHeader{"achilles-scenes", 1}

// jsonWatched is an item in JSON. What several trials share is listed once, and they refer to it by index; see
// docs/reference/format.md.
type jsonWatched struct {
	Item   string      `json:"item"`
	Walls  [][][4]int  `json:"walls"`  // distinct lists of walls, each wall as x, y, width, height
	Looks  []jsonLook  `json:"looks"`  // distinct looks of shapes
	Trials []jsonTrial `json:"trials"` // distinct trials
	Videos [][]int     `json:"videos"` // indices of the trials of each video, the test last
}

type jsonLook struct {
	Icon   string `json:"icon"`
	Half   int    `json:"half"`
	Colour [3]int `json:"colour"`
}

// A jsonShape is the index of a look, then x and y.
type jsonShape [3]int

type jsonTrial struct {
	Size    [2]int       `json:"size"`
	Walls   int          `json:"walls"`
	Barrier [][4]int     `json:"barrier,omitempty"`
	Covers  [][4]int     `json:"covers,omitempty"`
	Keys    []jsonShape  `json:"keys,omitempty"`
	Locks   []jsonShape  `json:"locks,omitempty"`
	Objects []jsonShape  `json:"objects"`
	Home    jsonShape    `json:"home"`
	Agent   jsonShape    `json:"agent"`
	Away    bool         `json:"away,omitempty"`
	Path    [][3]int     `json:"path"` // steps from the agent's place in the first frame: dx, dy, and the number of frames
	Changes []jsonChange `json:"changes,omitempty"`
}

// A jsonChange has only what differs from the state before the change.
type jsonChange struct {
	Frame   int          `json:"frame"`
	Barrier *[][4]int    `json:"barrier,omitempty"`
	Keys    *[]jsonShape `json:"keys,omitempty"`
	Locks   *[]jsonShape `json:"locks,omitempty"`
	Objects *[]jsonShape `json:"objects,omitempty"`
	Covers  *[][4]int    `json:"covers,omitempty"`
	Away    *bool        `json:"away,omitempty"`
}

// EncodeSceneShard returns the shard of scenes with a number, counted from 0, so that a writer need not hold all items
// at once. Items must be sorted and distinct. Every shard but the last must have ScenesPerShard items.
func EncodeSceneShard(number int, items []Watched) (path string, data []byte, err error) {
	for i := range items {
		if err := items[i].check(); err != nil {
			return "", nil, fmt.Errorf("scenes of item %s: %w", items[i].Item, err)
		}
	}
	if err := checkOrder(items); err != nil {
		return "", nil, err
	}
	data, err = encodeShard(items)
	return fmt.Sprintf("%s%06d.jsonl.gz", sceneFolder, number), data, err
}

func checkOrder(items []Watched) error {
	for i := 1; i < len(items); i++ {
		if items[i-1].Item >= items[i].Item {
			return fmt.Errorf("scenes of item %s: items are not sorted, or one is listed twice", items[i].Item)
		}
	}
	return nil
}

func encodeShard(items []Watched) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	lines := json.NewEncoder(z)
	lines.SetEscapeHTML(false)
	err = lines.Encode(sceneFormat)
	for i := range items {
		err = cmp.Or(err, lines.Encode(packScenes(&items[i])))
	}
	err = cmp.Or(err, z.Close())
	return b.Bytes(), err
}

// maxFrames is the largest number of frames of a trial: over ten minutes at 25 frames a second.
const maxFrames = 1 << 14

func (w *Watched) check() error {
	if err := CheckName(w.Item); err != nil || strings.Contains(w.Item, " ") {
		return errors.New("an item id has no spaces and only characters that print")
	}
	if len(w.Videos) < 1 || len(w.Videos) > 26 {
		return fmt.Errorf("%d videos; want 1 to 26", len(w.Videos))
	}
	for i := range w.Videos {
		for k := range len(w.Videos[i].Familiarisation) + 1 {
			if err := w.Videos[i].trial(k).check(); err != nil {
				return fmt.Errorf("video %s, trial %d: %w", VideoName(i), k, err)
			}
		}
	}
	return nil
}

// trial returns trial k. The test trial comes after the familiarisation trials.
func (v *Video) trial(k int) *SceneTrial {
	if k == len(v.Familiarisation) {
		return &v.Test
	}
	return &v.Familiarisation[k]
}

func (t *SceneTrial) check() error {
	s := &t.Scene
	switch {
	case s.Width < 1 || s.Height < 1:
		return fmt.Errorf("a scene of %d × %d pixels", s.Width, s.Height)
	case len(t.Path) < 1 || len(t.Path) > maxFrames:
		return fmt.Errorf("%d frames; want 1 to %d", len(t.Path), maxFrames)
	case t.Path[0] != Point{s.Agent.X, s.Agent.Y}:
		return errors.New("the path does not begin where the agent is")
	}
	for _, r := range slices.Concat(s.Walls, s.Barrier, s.Covers) {
		if r.W < 1 || r.H < 1 {
			return fmt.Errorf("a wall or cover of %d × %d pixels", r.W, r.H)
		}
	}
	for i, c := range t.Changes {
		if c.Frame < 1 || c.Frame >= len(t.Path) || i > 0 && t.Changes[i-1].Frame >= c.Frame {
			return fmt.Errorf("change %d: frame %d is not in order", i, c.Frame)
		}
		if len(c.Objects) != len(s.Objects) {
			return fmt.Errorf("change %d: %d objects instead of %d", i, len(c.Objects), len(s.Objects))
		}
	}
	return nil
}

// A scenePacker makes the JSON form of scenes. It lists once what several trials share.
type scenePacker struct {
	out   jsonWatched
	looks map[jsonLook]int
}

func packScenes(w *Watched) *jsonWatched {
	p := &scenePacker{out: jsonWatched{Item: w.Item}, looks: map[jsonLook]int{}}
	var distinct []*SceneTrial
	for i := range w.Videos {
		v := &w.Videos[i]
		var trials []int
		for k := range len(v.Familiarisation) + 1 {
			t := v.trial(k)
			n := slices.IndexFunc(distinct, func(u *SceneTrial) bool { return t.same(u) })
			if n < 0 {
				n = len(distinct)
				distinct = append(distinct, t)
				p.out.Trials = append(p.out.Trials, p.trial(t))
			}
			trials = append(trials, n)
		}
		p.out.Videos = append(p.out.Videos, trials)
	}
	return &p.out
}

// same says whether t and u are equal.
func (t *SceneTrial) same(u *SceneTrial) bool {
	a, b := &t.Scene, &u.Scene
	first, other := a.State(), b.State()
	return a.Width == b.Width && a.Height == b.Height && a.Home == b.Home && a.Agent == b.Agent && slices.Equal(t.Path, u.Path) &&
		slices.Equal(a.Walls, b.Walls) && first.Same(&other) &&
		slices.EqualFunc(t.Changes, u.Changes, func(c, d Change) bool { return c.Frame == d.Frame && c.Same(&d) })
}

func (p *scenePacker) trial(t *SceneTrial) jsonTrial {
	s := &t.Scene
	j := jsonTrial{Size: [2]int{int(s.Width), int(s.Height)}, Walls: p.walls(packRects(s.Walls)), Barrier: packRects(s.Barrier), Covers: packRects(s.Covers), Away: s.Away,
		Keys: p.shapes(s.Keys), Locks: p.shapes(s.Locks), Objects: p.shapes(s.Objects), Home: p.shape(s.Home), Agent: p.shape(s.Agent), Path: [][3]int{}}
	for i := 1; i < len(t.Path); i++ {
		dx, dy := int(t.Path[i].X-t.Path[i-1].X), int(t.Path[i].Y-t.Path[i-1].Y)
		if n := len(j.Path); n > 0 && j.Path[n-1][0] == dx && j.Path[n-1][1] == dy {
			j.Path[n-1][2]++
			continue
		}
		j.Path = append(j.Path, [3]int{dx, dy, 1})
	}
	before := s.State()
	for _, c := range t.Changes {
		j.Changes = append(j.Changes, p.change(&before, &c))
		before = c
	}
	return j
}

func (p *scenePacker) change(before, c *Change) jsonChange {
	j := jsonChange{Frame: c.Frame}
	if !slices.Equal(c.Barrier, before.Barrier) {
		b := packRects(c.Barrier)
		j.Barrier = &b
	}
	if !slices.Equal(c.Keys, before.Keys) {
		k := p.shapes(c.Keys)
		j.Keys = &k
	}
	if !slices.Equal(c.Locks, before.Locks) {
		l := p.shapes(c.Locks)
		j.Locks = &l
	}
	if !slices.Equal(c.Objects, before.Objects) {
		o := p.shapes(c.Objects)
		j.Objects = &o
	}
	if !slices.Equal(c.Covers, before.Covers) {
		r := packRects(c.Covers)
		j.Covers = &r
	}
	if c.Away != before.Away {
		j.Away = &c.Away
	}
	return j
}

func packRects(rects []Rect) [][4]int {
	all := [][4]int{}
	for _, r := range rects {
		all = append(all, [4]int{int(r.X), int(r.Y), int(r.W), int(r.H)})
	}
	return all
}

// walls returns the index of a list of walls. It adds the list if it is new.
func (p *scenePacker) walls(list [][4]int) int {
	n := slices.IndexFunc(p.out.Walls, func(o [][4]int) bool { return slices.Equal(o, list) })
	if n < 0 {
		n = len(p.out.Walls)
		p.out.Walls = append(p.out.Walls, list)
	}
	return n
}

func (p *scenePacker) shape(s Shape) jsonShape {
	l := jsonLook{Icon: s.Icon, Half: int(s.Half)}
	for i, c := range s.Colour {
		l.Colour[i] = int(c)
	}
	n, ok := p.looks[l]
	if !ok {
		n = len(p.out.Looks)
		p.looks[l] = n
		p.out.Looks = append(p.out.Looks, l)
	}
	return jsonShape{n, int(s.X), int(s.Y)}
}

func (p *scenePacker) shapes(list []Shape) []jsonShape {
	all := []jsonShape{}
	for _, s := range list {
		all = append(all, p.shape(s))
	}
	return all
}
