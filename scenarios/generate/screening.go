package generate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"achilles/battery/bib"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// What items.parquet says of every item that is watched. The task is sealed: whoever knows it knows what to look for.
const (
	watchedSuite    = "bib"
	watchedParadigm = "violation-of-expectation"
	watchedTask     = "watch"
)

// A Screening is a set of episodes for observers to watch, before redaction. Fields tagged sealed never reach the public
// directory.
type Screening struct {
	Episode func(i int) (bib.Episode, error) // makes or reads episode i; called from several goroutines

	Names     []string        `sealed:"say what is expected"`              // of the episodes, no two alike
	Imported  bool            `sealed:"says where the episodes come from"` // Names are those of files
	Root      uint64          `sealed:"makes everything"`
	Scenario  string          `sealed:"says how the episodes are made"`
	Published json.RawMessage `sealed:"belongs to the scores"` // tables of published values to print beside ours; may be nil
}

// Screen prepares the episodes of a scenario that has some. They are made when they are asked for.
func Screen(s *scenario.Scenario, root uint64) (*Screening, error) {
	if s.Bib == nil {
		return nil, fmt.Errorf("scenario %s has no episodes to watch", s.Name)
	}
	crew, err := NewCrew(Plan{Design: s.Bib.Design, Actors: s.Bib.Actors}, root)
	if err != nil {
		return nil, err
	}
	out := &Screening{Episode: crew.Episode, Root: root, Scenario: s.Text, Published: s.Published}
	for i := range crew.Len() {
		task, index := crew.Name(i)
		out.Names = append(out.Names, fmt.Sprintf("%s %06d", task, index))
	}
	return out, nil
}

// PublishScreening is PublishTo for episodes that are watched: a coin with a stream of its own decides which outcome of
// an episode is video a, and items stand in the order of their opaque ids. Episodes are made in so many goroutines, on
// which no byte depends, and few are in memory at a time. Progress may be nil.
func PublishScreening(ctx context.Context, s *Screening, jobs int, progress func(done, total int), create Create) error {
	if err := publishScreening(ctx, s, jobs, progress, create); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

func publishScreening(ctx context.Context, s *Screening, jobs int, progress func(done, total int), create Create) error {
	if len(s.Names) == 0 {
		return errors.New("there is no episode to watch")
	}
	salt := newSalt(s.Root)
	p := &projection{Screening: s, id: opaque(salt, "item", "i-", s.Names), items: map[string]seal.Item{}}
	p.at, _ = order(p.id)
	total := (len(p.at) + record.ScenesPerShard - 1) / record.ScenesPerShard
	err := ordered(ctx, total, jobs, func(number int) (*screenReel, error) { return p.shard(ctx, number) }, func(r *screenReel) error {
		p.files = append(p.files, record.NewFile(r.path, r.data))
		for i := range r.labels {
			p.items[r.labels[i].Item] = seal.Item{Name: r.names[i], Episode: &r.labels[i]}
		}
		if progress != nil {
			progress(len(p.files), total)
		}
		return put(create, seal.PublicPart, r.path, r.data)
	})
	if err != nil {
		return err
	}
	t := seal.New(s.Root, salt)
	t.Scenario, t.Published, t.Items = s.Scenario, s.Published, p.items
	truth, err := t.Encode()
	if err != nil {
		return err
	}
	if err := put(create, seal.SealedPart, seal.TruthFile, truth); err != nil {
		return err
	}
	tables, err := record.Encode(p.redact(seal.Merkle([]record.File{record.NewFile(seal.TruthFile, truth)})), p.files...)
	if err != nil {
		return err
	}
	return putAll(create, tables)
}

// A projection is a screening being published.
type projection struct {
	*Screening
	id    []string // by index
	at    []int    // index by place
	files []record.File
	items map[string]seal.Item
}

// A screenReel is a shard of scenes, with what is sealed of it.
type screenReel struct {
	path   string
	data   []byte
	labels []bib.Label
	names  []string
}

// shard makes the episodes of one shard.
func (p *projection) shard(ctx context.Context, number int) (*screenReel, error) {
	r := &screenReel{}
	first := number * record.ScenesPerShard
	var watched []record.Watched
	for _, i := range p.at[first:min(first+record.ScenesPerShard, len(p.at))] {
		if err := ctx.Err(); err != nil { // a shard takes a second or two
			return nil, err
		}
		e, err := p.Episode(i)
		if err != nil {
			return nil, err
		}
		coin := rng.Stream(p.Root, "outcome", p.id[i], "1")
		w, label := e.Blind(p.id[i], coin.Bernoulli(0.5))
		if p.Imported {
			label.Source = p.Names[i]
		}
		watched, r.labels, r.names = append(watched, w), append(r.labels, label), append(r.names, p.Names[i])
	}
	var err error
	r.path, r.data, err = record.EncodeSceneShard(number, watched)
	return r, err
}

// redact is the redaction point: all that is public beside the scenes.
func (p *projection) redact(sealed string) *record.Dataset {
	d := &record.Dataset{Manifest: record.Manifest{Sealed: sealed}, Reasons: []string{""}}
	for _, i := range p.at {
		d.Items.ID = append(d.Items.ID, p.id[i])
	}
	d.Items.Suite = slices.Repeat([]string{watchedSuite}, len(p.at))
	d.Items.Paradigm = slices.Repeat([]string{watchedParadigm}, len(p.at))
	d.Items.Task = slices.Repeat([]string{watchedTask}, len(p.at))
	return d
}
