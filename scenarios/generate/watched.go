package generate

import (
	"context"

	"achilles/battery/bib"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

// A sceneShard is a public file with the episodes of several items as observers see them, and the sealed labels of
// these items.
type sceneShard struct {
	path   string
	data   []byte
	labels []bib.Label
}

// publishScenes makes the episodes of all items that observers watch, in up to jobs goroutines, and writes what can be
// seen in them. Few episodes are in memory at a time. It returns the files, and the labels by opaque id.
func publishScenes(ctx context.Context, s *Session, id *identity, jobs int, progress func(done, total int), create results.Create) ([]part.File, map[string]*bib.Label, error) {
	if s.Scene == nil {
		return nil, nil, nil
	}
	var files []part.File
	labels := map[string]*bib.Label{}
	total := (len(id.itemAt) + record.ScenesPerShard - 1) / record.ScenesPerShard
	err := ordered(ctx, jobs, fewAhead(jobs), total, func() *Session { return s }, func(s *Session, number int) (*sceneShard, error) { return s.sceneShard(ctx, id, number) }, func(x *sceneShard) error {
		files = append(files, part.NewFile(x.path, x.data))
		for i := range x.labels {
			labels[x.labels[i].Item] = &x.labels[i]
		}
		if progress != nil {
			progress(len(files), total)
		}
		return create.Put(seal.PublicPart, x.path, x.data)
	})
	return files, labels, err
}

// sceneShard makes the file with a given number, counted from 0. Its episodes are in the order of their ids. A random
// bit computed from the key decides which outcome is video a.
func (s *Session) sceneShard(ctx context.Context, id *identity, number int) (*sceneShard, error) {
	x := &sceneShard{}
	first := number * record.ScenesPerShard
	var watched []record.Watched
	for _, i := range id.itemAt[first:min(first+record.ScenesPerShard, len(id.itemAt))] {
		if err := ctx.Err(); err != nil { // before every episode, because making the rest of the shard takes seconds
			return nil, err
		}
		e, err := s.Scene(i)
		if err != nil {
			return nil, err
		}
		w, label := e.Blind(id.item[i], id.swapped(i, 1))
		watched, x.labels = append(watched, w), append(x.labels, label)
	}
	var err error
	x.path, x.data, err = record.EncodeSceneShard(number, watched)
	return x, err
}
