package infer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"achilles/infer/voe"
	"achilles/sim/part"
	"achilles/sim/record"
)

// surprisesFile is the table of the surprises of all scenes. There are three more tables, trials, beliefs and moments, for
// every shard: a file with the scenes of at most record.ScenesPerShard items.
const surprisesFile = "surprises.parquet"

// askedFile is the table of what observers that are language models were asked.
const askedFile = "asked.parquet"

func trialsFile(shard int) string  { return fmt.Sprintf("trials/%06d.parquet", shard) }
func beliefsFile(shard int) string { return fmt.Sprintf("beliefs/%06d.parquet", shard) }
func momentsFile(shard int) string { return fmt.Sprintf("moments/%06d.parquet", shard) }

// watching is the part of a run in which observers watch scenes.
type watching struct{ *run }

// observe lets the observers watch all scenes, shard by shard, and calls put with their tables of every shard. It returns the
// surprises of all scenes, with those of external observers last. It returns nil if there are no scenes and no external
// observers.
func (r watching) observe(ctx context.Context, put func(name string, data []byte) error) (all []voe.Surprise, err error) {
	for number, f := range record.SceneShards(&r.data.Manifest) {
		if first, to := r.inShard(number); !slices.ContainsFunc(r.data.Items.ID[first:to], r.wants) {
			continue
		}
		p, err := r.observed(ctx, number, f)
		if err != nil {
			return nil, err
		}
		rows, err := record.DecodeRows[voe.Surprise](p.surprises)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
		for _, t := range []struct {
			name string
			data []byte
		}{{trialsFile(number), p.trials}, {beliefsFile(number), p.beliefs}, {momentsFile(number), p.moments}} {
			if len(t.data) == 0 {
				continue
			}
			if err := put(t.name, t.data); err != nil {
				return nil, err
			}
		}
	}
	for _, o := range r.Outside {
		all = append(all, o.Surprises...)
	}
	return all, nil
}

// observed returns the results of the observers for one shard: those that an earlier run with the same key saved, or new
// ones, which it saves.
func (r watching) observed(ctx context.Context, number int, f part.File) (*observation, error) {
	first, to := r.inShard(number)
	var p *observation
	if ok, err := r.stored(f.Path, func(content []byte, _ bool) (err error) { p, err = decodeObservation(content); return err }); err != nil {
		return nil, err
	} else if ok {
		r.watchedSoFar(to)
		return p, nil
	}
	items, err := record.SceneShard(r.public, f)
	if err != nil {
		return nil, err
	}
	if want := r.data.Items.ID[first:to]; !slices.EqualFunc(items, want, func(w record.Watched, id string) bool { return w.Item == id }) {
		return nil, fmt.Errorf("%s: its items are not those of items.parquet from row %d on", f.Path, first+1)
	}
	t := &voe.Tables{}
	if r.Only == nil {
		err = r.watch(ctx, t, first, items)
	}
	for i := range items {
		if r.Only != nil && r.wants(items[i].Item) && err == nil {
			err = r.watch(ctx, t, first+i, items[i:i+1])
		}
	}
	if err != nil {
		return nil, err
	}
	files, err := t.Encode()
	if err != nil {
		return nil, err
	}
	p = &observation{surprises: files["surprises.parquet"], trials: files["trials.parquet"], beliefs: files["beliefs.parquet"], moments: files["moments.parquet"]}
	b, err := p.encode()
	if err != nil {
		return nil, err
	}
	return p, r.keep(f.Path, b)
}

// inShard returns the first item of a shard in the table of all items, and the one behind its last.
func (r watching) inShard(number int) (first, to int) {
	n := len(r.data.Items.ID)
	return min(number*record.ScenesPerShard, n), min((number+1)*record.ScenesPerShard, n)
}

// watch lets the observers watch items, which are one after the other in one shard, and adds what they say to t. first is the index of
// the first item in the table of all items. The beliefs by frame are kept only for the first r.Moments items of that table.
func (r watching) watch(ctx context.Context, t *voe.Tables, first int, items []record.Watched) error {
	chosen, err := voe.Select(r.Observers, r.Seed)
	if err != nil {
		return err
	}
	n := max(0, min(r.Moments-first, len(items)))
	for _, part := range []struct {
		from, to int
		moments  bool
	}{{0, n, true}, {n, len(items), false}} {
		c := voe.Watching{Observers: chosen, Jobs: r.Jobs, Moments: part.moments}
		c.Progress = func(done, _ int) { r.watchedSoFar(first + part.from + done) }
		err := voe.Run(ctx, items[part.from:part.to], c, func(s *voe.Sighting) error {
			t.Add(s)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r watching) watchedSoFar(items int) {
	if r.Progress != nil {
		r.Progress(items, r.data.Items.Len())
	}
}

// An observation has the results of the observers for one shard of scenes: four tables as Parquet files, empty for a
// table without rows.
type observation struct {
	Sizes [4]int `json:"sizes"` // lengths of the tables, in bytes

	surprises, trials, beliefs, moments []byte
}

func (p *observation) tables() [4]*[]byte {
	return [4]*[]byte{&p.surprises, &p.trials, &p.beliefs, &p.moments}
}

// encode returns one line of JSON followed by the tables.
func (p *observation) encode() ([]byte, error) {
	for i, t := range p.tables() {
		p.Sizes[i] = len(*t)
	}
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, []byte{'\n'}, p.surprises, p.trials, p.beliefs, p.moments), nil
}

var errNoObservation = errors.New("it has no tables of observers")

// decodeObservation inverts encode.
func decodeObservation(b []byte) (*observation, error) {
	head, rest, ok := bytes.Cut(b, []byte{'\n'})
	p := &observation{}
	if !ok || json.Unmarshal(head, p) != nil {
		return nil, errNoObservation
	}
	for i, t := range p.tables() {
		n := p.Sizes[i]
		if n < 0 || n > len(rest) {
			return nil, errNoObservation
		}
		*t, rest = rest[:n], rest[n:]
	}
	if len(rest) > 0 {
		return nil, errNoObservation
	}
	return p, nil
}
