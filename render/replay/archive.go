// Package replay reads the episodes of a results directory: the list of all of them and, of each, what happened tick by
// tick, what the actor saw and believed, and what was inferred and predicted. It reads through an fs.FS, so the directory
// may be on a disk, in memory or behind a web server. Open reads the tables that the list needs; everything else is read
// when an episode is opened.
//
// Sealed files are read only where the ledger says that the seal was opened.
package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"golang.org/x/sync/errgroup"

	"achilles/infer"
	"achilles/infer/voe"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// ErrNoEpisodes says that a directory has neither trajectories nor scenes: its responses come from rules or were imported.
var ErrNoEpisodes = errors.New("no episodes: neither trajectories nor scenes were published")

// The parts of a results directory.
const (
	publicPart   = "public"
	sealedPart   = "sealed"
	inferredPart = "inferred"
	scoresPart   = "scores"
	ledgerFile   = "ledger.json"
)

// An Archive is a results directory that was opened. It is for one goroutine at a time.
type Archive struct {
	Rows     []Row    // one an episode, in the order of the public directory; the caller must not change them
	Unsealed bool     // the seal was opened: names, causes, truths and beliefs are known
	Notes    []string // what could not be read and is left out

	dir    fs.FS
	public fs.FS
	data   *record.Dataset
	keys   []record.Key // by row; trial and subject are zero for scenes
	acts   *record.Trajectories
	scenes []record.File
	truth  *seal.Truth    // nil while sealed
	sealed []seal.Episode // in the order of keys; nil while sealed

	shard     int // the shard of scenes in memory; −1: none
	watched   []record.Watched
	result    *infer.Result   // nil until inferred has read it
	asked     bool            // inferred was called
	draws     map[string]span // rows of result.Draws, by subject
	surprises map[videoKey]voe.Surprise
	tables    *observations // of the shard of scenes in memory
}

// Open reads the list of the episodes of a results directory: dir has public/ and perhaps inferred/, sealed/, scores/
// and ledger.json. The error wraps ErrNoEpisodes where there is nothing to watch.
func Open(dir fs.FS) (*Archive, error) {
	a := &Archive{dir: dir, shard: -1}
	var err error
	if a.public, err = fs.Sub(dir, publicPart); err != nil {
		return nil, err
	}
	if a.data, err = record.Tables(a.public); err != nil {
		return nil, fmt.Errorf("public: %w", err)
	}
	if a.acts, err = record.OpenTrajectories(a.public, &a.data.Manifest); err != nil {
		return nil, fmt.Errorf("public: %w", err)
	}
	a.scenes = record.SceneShards(&a.data.Manifest)
	if a.acts.Len() == 0 && len(a.scenes) == 0 {
		return nil, ErrNoEpisodes
	}
	a.unseal()
	a.readSurprises()
	a.list()
	return a, nil
}

// Close closes the open files. The archive cannot be read afterwards.
func (a *Archive) Close() error { return a.acts.Close() }

// note adds a note about something that is left out.
func (a *Archive) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}

// unseal reads the sealed part where the ledger says that the seal was opened.
func (a *Archive) unseal() {
	text, err := fs.ReadFile(a.dir, ledgerFile)
	if errors.Is(err, fs.ErrNotExist) || a.data.Manifest.Sealed == "" {
		return
	}
	if err == nil {
		err = a.openSeal(text)
	}
	if err != nil {
		a.truth, a.sealed = nil, nil
		a.note("nothing sealed is shown: %v", err)
	}
	a.Unsealed = a.truth != nil
}

func (a *Archive) openSeal(text []byte) error {
	ledger, err := seal.ParseLedger(text)
	if err != nil {
		return err
	}
	opened := false
	for _, e := range ledger.Entries {
		opened = opened || e.Read[seal.SealedPart] == a.data.Manifest.Sealed
	}
	if !opened {
		return nil
	}
	sealed, err := fs.Sub(a.dir, sealedPart)
	if err != nil {
		return err
	}
	if a.truth, err = seal.ReadTruth(sealed, a.data.Manifest.Sealed); err != nil {
		return err
	}
	a.sealed, err = readEpisodes(sealed, a.truth)
	return err
}

// readEpisodes reads all shards in parallel: one for every ten thousand episodes.
func readEpisodes(sealed fs.FS, truth *seal.Truth) ([]seal.Episode, error) {
	shards := truth.EpisodeShards()
	lists := make([][]seal.Episode, len(shards))
	var g errgroup.Group
	for i, f := range shards {
		g.Go(func() (err error) {
			lists[i], err = seal.EpisodeShard(sealed, f)
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(lists...), err
}
