// Package replay reads the episodes of a results directory: the list of all episodes, and for each episode what
// happened tick by tick, what the actor saw and believed, and what was inferred and predicted. It reads through an
// fs.FS, so that the directory can be on a disk, in memory or behind a web server. Open reads the tables that the
// list needs; everything else is read when an episode is opened.
//
// Sealed files are read only if the ledger says that the seal was opened.
package replay

import (
	"errors"
	"fmt"
	"io/fs"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/scenarios/score"
	"achilles/sim/part"
	"achilles/sim/record"
)

// ErrNoEpisodes says that a directory has neither trajectories nor scenes, because its subjects respond by rules or
// because the data were imported.
var ErrNoEpisodes = errors.New("no episodes: neither trajectories nor scenes were published")

// Parts of a results directory.
const (
	publicPart   = "public"
	sealedPart   = "sealed"
	inferredPart = "inferred"
	scoresPart   = "scores"
	ledgerFile   = "ledger.json"
)

// An Archive is an open results directory. Only one goroutine may use it at a time.
type Archive struct {
	Rows     []Row    // one for each episode, in the order of the public directory; the caller must not change them
	Unsealed bool     // whether the seal was opened, so that names, causes, truths and beliefs are known
	Notes    []string // messages about files that could not be read

	Observers []string // observers with surprises, in the order of the table
	Observer  string   // observer whose surprises and beliefs the rows and episodes have; Observe changes it

	dir    fs.FS
	public fs.FS
	data   *record.Dataset
	keys   []record.Key // by row; the key of a scene has no subject, and trial 0
	acts   *record.Trajectories
	scenes shelf
	sealed sealed

	result    *infer.Result    // nil if the method inferred has not read it
	asked     bool             // whether the method inferred was called
	scores    *score.Scores    // nil if the method Scores has not found them
	graded    bool             // whether the method Scores was called
	explainer *score.Explainer // nil until an episode is explained
	layouts   layout.Library
	measured  *layout.Layout // layout of result; nil if the method layout has not found it
	surprises surprises
	tables    *observations // observers' beliefs about the scenes on the shelf; nil if not read yet
}

// Open reads the list of episodes of a results directory. dir has public/ and perhaps inferred/, sealed/, scores/ and
// ledger.json. The error wraps ErrNoEpisodes if there are none.
func Open(dir fs.FS) (*Archive, error) {
	a := &Archive{dir: dir}
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
	a.scenes = shelf{public: a.public, shards: record.SceneShards(&a.data.Manifest), shard: -1}
	if a.acts.Len() == 0 && len(a.scenes.shards) == 0 {
		return nil, ErrNoEpisodes
	}
	if a.sealed, err = openSealed(dir, a.data.Manifest.Parents[part.Sealed]); err != nil {
		a.note("nothing sealed is shown: %v", err)
	}
	a.Unsealed = a.sealed.truth != nil
	a.readSurprises()
	a.list()
	return a, nil
}

// Close closes the open files. The archive cannot be used afterwards.
func (a *Archive) Close() error { return a.acts.Close() }

// Items returns the number of items of the battery.
func (a *Archive) Items() int { return a.data.Items.Len() }

// note adds a note about something that could not be read.
func (a *Archive) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}
