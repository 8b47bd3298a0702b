package generate

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"sync"

	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

// PublishTo makes the files of a public and of a sealed directory from a session. No other function makes data for
// inference from a session: subjects and items get opaque ids and are sorted by them, and fields tagged sealed are left
// out. The public manifest is written last and commits to the sealed part by the digest of its manifest.
//
// Up to jobs goroutines let bodies act, replay the episodes and make the scenes; no byte depends on their number, and few episodes are
// in memory at a time. progress is called with the number of finished shards of scenes, or of finished items if bodies have not acted
// before; it may be nil.
func PublishTo(ctx context.Context, s *Session, jobs int, progress func(done, total int), create results.Create) error {
	if err := publish(ctx, s, jobs, progress, untilCancelled(ctx, create)); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

func publish(ctx context.Context, s *Session, jobs int, progress func(done, total int), create results.Create) error {
	id, err := s.identify()
	if err != nil {
		return err
	}
	shards, labels, err := publishScenes(ctx, s, id, jobs, progress, create)
	if err != nil {
		return err
	}
	acts, err := s.history(id)
	if err != nil {
		return err
	}
	d := redact(s, id) // before bodies act
	ctx, cancel := context.WithCancel(ctx)
	create = oneByOne(create)
	late := s.acting != nil && s.acting.told != nil
	if !late {
		progress = nil
	}
	trials := sync.OnceValues(func() (trialFiles, error) { return acts.publishTrials(ctx, jobs, progress, create) })
	truth := sync.OnceValues(func() (part.File, error) { return s.seal(id, labels, create) })
	if jobs > 1 { // beside the tables
		go trials()
		go truth()
	}
	var failed error // of bodies that act now, or of what is written of them
	acted := func() error {
		if late {
			_, failed = trials()
			s.taken.goBack(&s.Battery)
		}
		d.Visits = s.visits()
		return failed
	}
	err = publishTables(d, s.rows(ctx, id, d.Reasons, jobs, acted), create, shards, func() ([]part.File, error) {
		files, err := trials()
		if err != nil {
			return nil, err
		}
		sealed, err := truth()
		if err != nil {
			return nil, err
		}
		m := part.New(part.Sealed, nil, nil)
		m.Files = append(files.sealed, sealed) // sorted: truth.json comes after episodes/
		text := m.Encode()
		d.Manifest.Parents[part.Sealed] = part.Digest(text)
		return files.public, create.Put(seal.SealedPart, part.ManifestFile, text)
	})
	cancel()
	if jobs > 1 { // leaves no goroutine after an error
		_, _ = trials()
		_, _ = truth()
	}
	if late && err == nil {
		s.acting.told = nil // all outcomes are known
	}
	return cmp.Or(failed, err)
}

// publishTables writes the tables and then the manifest. It calls late between them, for files that are not in others and to seal.
func publishTables(d *record.Dataset, rows *record.Rows, create results.Create, others []part.File, late func() ([]part.File, error)) error {
	public := func(path string) (io.WriteCloser, error) { return create(seal.PublicPart, path) }
	return record.WriteBeside(d, rows, public, others, func() ([]part.File, error) {
		d.Items = record.Items{} // is written
		return late()
	})
}

// rows returns the responses for their table, or nil if there are none. See publicResponses about acted.
func (s *Session) rows(ctx context.Context, id *identity, reasons []string, jobs int, acted func() error) *record.Rows {
	if s.responses() == 0 {
		return nil
	}
	return &record.Rows{Each: s.publicResponses(ctx, id, reasons, jobs, acted), Chosen: s.chooses(), Jobs: jobs}
}
