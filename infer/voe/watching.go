package voe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// A Task says what is to be watched by whom. The zero value lets every observer watch, without moments.
type Task struct {
	Seed      uint64
	Observers []string   // by name; nil: all of Observers
	Moments   int        // of so many items, the first by their ids, moments are kept
	Outside   []Outsider // observers from outside, who have watched already
	Jobs      int        // goroutines; 0: one. No result depends on it

	Progress func(done, total int) // called with numbers of items, from one goroutine at a time; may be nil
}

// An Outsider is an observer from outside. It has watched every video.
type Outsider struct {
	Name      string     `json:"name"`
	Asked     string     `json:"asked"` // its program, or the digest of its answers
	Surprises []Surprise `json:"-"`
}

// A Sink receives files. Put is atomic: a name that Get finds was put whole. Get returns nil for a name that was not.
type Sink interface {
	Put(name string, data []byte) error
	Get(name string) ([]byte, error)
}

// Infer lets observers watch the scenes of a public directory and puts the files of an inferred directory into out, the
// manifest last. Finished shards are put into pieces first; a run that was stopped finds them there and ends with the
// same bytes.
func Infer(ctx context.Context, public fs.FS, t Task, pieces, out Sink) (*Result, error) {
	w, err := newWatching(public, t)
	if err != nil {
		return nil, err
	}
	res := &Result{Manifest: w.manifest}
	put := func(name string, data []byte) error {
		if len(data) == 0 {
			return nil
		}
		res.Manifest.Files = append(res.Manifest.Files, record.NewFile(name, data))
		return out.Put(name, data)
	}
	for number, f := range w.shards {
		p, err := w.piece(ctx, number, f, pieces)
		if err != nil {
			return nil, err
		}
		rows, err := ReadSurprises(bytes.NewReader(p.surprises), int64(len(p.surprises)))
		if err != nil {
			return nil, err
		}
		res.Surprises = append(res.Surprises, rows...)
		if err := errors.Join(put(trialsFile(number), p.trials), put(beliefsFile(number), p.beliefs), put(momentsFile(number), p.moments)); err != nil {
			return nil, err
		}
	}
	for _, o := range t.Outside {
		res.Surprises = append(res.Surprises, o.Surprises...)
	}
	table, err := encodeRows(res.Surprises)
	if err != nil {
		return nil, err
	}
	if err := put(surprisesFile, table); err != nil {
		return nil, err
	}
	manifest, err := res.Manifest.encode()
	if err != nil {
		return nil, err
	}
	return res, out.Put(manifestFile, manifest)
}

// Expect returns the manifest, without its files, that Infer would give: two runs that agree in it agree in every byte.
func Expect(public fs.FS, t Task) (Manifest, error) {
	raw, err := fs.ReadFile(public, manifestFile)
	if err != nil {
		return Manifest{}, fmt.Errorf("public: %w", err)
	}
	chosen, err := Select(t.Observers, t.Seed)
	if err != nil {
		return Manifest{}, err
	}
	m := Manifest{Format: Format, Version: Version, Public: record.NewFile("", raw).SHA256,
		Config: Settings{Seed: strconv.FormatUint(t.Seed, 10), Moments: t.Moments, Outside: t.Outside}}
	for _, o := range chosen {
		m.Config.Observers = append(m.Config.Observers, o.Name)
	}
	for i, o := range t.Outside {
		taken := slices.ContainsFunc(t.Outside[:i], func(p Outsider) bool { return p.Name == o.Name })
		if taken || slices.ContainsFunc(Observers(0), func(n Named) bool { return n.Name == o.Name }) || !goodName(o.Name) {
			return m, fmt.Errorf("observer %q: an observer from outside needs a name of its own, of letters, digits, - and _", o.Name)
		}
	}
	return m, nil
}

// goodName says whether a name can be a key of scores.json and a word of a table.
func goodName(s string) bool {
	const legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return s != "" && len(s) <= 60 && strings.Trim(s, legal) == ""
}

// Select returns the observers with these names, in the order of Observers; none: all. The error says which name there
// is not.
func Select(names []string, root uint64) ([]Named, error) {
	all := Observers(root)
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, o := range all {
		known = append(known, o.Name)
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("no observer is called %q%s; there are %s", n, expr.DidYouMean(n, known), strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(o Named) bool { return !slices.Contains(names, o.Name) }), nil
}

// A watching is one call of Infer.
type watching struct {
	Task
	public   fs.FS
	shards   []record.File
	ids      []string // of all items
	chosen   []Named
	manifest Manifest
	key      string // of all that the pieces depend on
}

func newWatching(public fs.FS, t Task) (*watching, error) {
	w := &watching{Task: t, public: public}
	var err error
	if w.manifest, err = Expect(public, t); err != nil {
		return nil, err
	}
	if w.chosen, err = Select(t.Observers, t.Seed); err != nil {
		return nil, err
	}
	data, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	w.ids, w.shards = data.Items.ID, record.SceneShards(&data.Manifest)
	if len(w.shards) == 0 {
		return nil, errors.New("public: there are no scenes to watch")
	}
	alone := w.manifest
	alone.Config.Outside = nil // who watches elsewhere is not watched for
	b, err := alone.encode()
	w.key = record.NewFile("", b).SHA256
	return w, err
}

// piece watches one shard, or takes what an earlier run left of it.
func (w *watching) piece(ctx context.Context, number int, f record.File, pieces Sink) (*piece, error) {
	name := fmt.Sprintf("watched-%06d", number)
	old, err := pieces.Get(name)
	if err != nil {
		return nil, err
	}
	first := min(number*record.ScenesPerShard, len(w.ids))
	if p := decodePiece(old, w.key); p != nil {
		w.report(min(first+record.ScenesPerShard, len(w.ids)))
		return p, nil
	}
	items, err := record.SceneShard(w.public, f)
	if err != nil {
		return nil, err
	}
	if err := w.checkItems(f.Path, first, items); err != nil {
		return nil, err
	}
	t, err := w.watch(ctx, first, items)
	if err != nil {
		return nil, err
	}
	p := &piece{Key: w.key}
	if err := p.fill(t); err != nil {
		return nil, err
	}
	b, err := p.encode()
	if err != nil {
		return nil, err
	}
	return p, pieces.Put(name, b)
}

// checkItems compares a shard with the table of items.
func (w *watching) checkItems(path string, first int, items []record.Watched) error {
	same := len(items) == min(record.ScenesPerShard, len(w.ids)-first)
	for i := 0; same && i < len(items); i++ {
		same = items[i].Item == w.ids[first+i]
	}
	if !same {
		return fmt.Errorf("%s: its items are not those of items.parquet from row %d on", path, first+1)
	}
	return nil
}

// watch lets the observers watch the items of one shard, of which the first few may be asked for moments.
func (w *watching) watch(ctx context.Context, first int, items []record.Watched) (*Tables, error) {
	t := &Tables{}
	n := max(0, min(w.Moments-first, len(items)))
	for _, part := range []struct {
		from, to int
		moments  bool
	}{{0, n, true}, {n, len(items), false}} {
		c := Config{Observers: w.chosen, Jobs: w.Jobs, Moments: part.moments}
		c.Progress = func(done, _ int) { w.report(first + part.from + done) }
		err := Run(ctx, items[part.from:part.to], c, func(s *Sighting) error {
			t.Add(s)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (w *watching) report(done int) {
	if w.Progress != nil {
		w.Progress(done, len(w.ids))
	}
}

// A piece is what observers made of one shard, as finished tables; a table without rows is empty. Key is the digest of
// all that it depends on: a piece of another run is not taken.
type piece struct {
	Key   string `json:"key"`
	Sizes [4]int `json:"sizes"`

	surprises, trials, beliefs, moments []byte
}

func (p *piece) fill(t *Tables) error {
	files, err := t.Encode()
	p.surprises, p.trials, p.beliefs, p.moments = files["surprises.parquet"], files["trials.parquet"], files["beliefs.parquet"], files["moments.parquet"]
	return err
}

// encode is one line of JSON followed by the tables.
func (p *piece) encode() ([]byte, error) {
	p.Sizes = [4]int{len(p.surprises), len(p.trials), len(p.beliefs), len(p.moments)}
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, []byte{'\n'}, p.surprises, p.trials, p.beliefs, p.moments), nil
}

// decodePiece returns nil for bytes that are not a whole piece with that key: the shard is then watched again.
func decodePiece(b []byte, key string) *piece {
	head, rest, ok := bytes.Cut(b, []byte{'\n'})
	p := &piece{}
	if !ok || json.Unmarshal(head, p) != nil || p.Key != key {
		return nil
	}
	sum := 0
	for _, n := range p.Sizes {
		if n < 0 || n > len(rest) {
			return nil
		}
		sum += n
	}
	if sum != len(rest) {
		return nil
	}
	for i, table := range []*[]byte{&p.surprises, &p.trials, &p.beliefs, &p.moments} {
		*table, rest = rest[:p.Sizes[i]], rest[p.Sizes[i]:]
	}
	return p
}
