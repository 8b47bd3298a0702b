package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/store"
)

// MaxShards is the largest number of shards of a run.
const MaxShards = 100_000

// ShardsPart is the folder of a results directory that has the directories of its shards.
const ShardsPart = "shards"

// shardFile is written last: a directory that has it is a complete shard.
const shardFile = "shard.json"

// shardFormat and shardVersion name the format of shardFile.
const (
	shardFormat  = "achilles-shard"
	shardVersion = 1
)

// The stages that can be divided into shards.
const (
	ActStage   = "generate" // programs take the battery; the pieces are their journal
	InferStage = "infer"    // the pieces are fits, and files of scenes that observers have watched
)

// A Shard is the part of a stage that one of Of processes did.
type Shard struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	Stage   string      `json:"stage"`
	Index   int         `json:"index"` // from 0
	Of      int         `json:"of"`
	Key     string      `json:"key"`    // digest of everything that the pieces depend on; equal in all shards of one run
	Pieces  []part.File `json:"pieces"` // sorted by path
}

// ShardDir returns the path of the directory of a shard, in the results directory dir.
func ShardDir(dir string, index, of int) string {
	return filepath.Join(dir, ShardsPart, fmt.Sprintf("%d-of-%d", index, of))
}

// OpenShard opens the directory of a shard, complete or not.
func OpenShard(dir string) (*Dir, error) {
	d, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Dir{Dir: d, dir: dir}, nil
}

// piecesOf returns the folder of the pieces of a stage.
func (d *Dir) piecesOf(stage string) *store.Pieces {
	if stage == ActStage {
		return d.Acted()
	}
	return d.Pieces()
}

// BeginShard marks the directory of a shard as incomplete.
func (d *Dir) BeginShard() error { return d.Remove(shardFile) }

// PutShard completes the directory of a shard. names are the pieces that it has. It sets Format, Version and Pieces of s.
func (d *Dir) PutShard(s Shard, names []string) error {
	s.Format, s.Version = shardFormat, shardVersion
	pieces := d.piecesOf(s.Stage)
	for _, name := range names {
		b, err := pieces.Get(name)
		if err != nil {
			return err
		}
		s.Pieces = append(s.Pieces, part.NewFile(name, b))
	}
	slices.SortFunc(s.Pieces, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return d.WriteFile(shardFile, append(b, '\n'))
}

// Shard reads what a directory says of its shard. The error wraps fs.ErrNotExist if the directory is no complete shard.
func (d *Dir) Shard() (s Shard, err error) {
	b, err := d.ReadFile(shardFile)
	if err != nil {
		return s, err
	}
	in := json.NewDecoder(bytes.NewReader(b))
	in.DisallowUnknownFields()
	if err := in.Decode(&s); err != nil {
		return s, fmt.Errorf("%s: %w", d.Path(shardFile), err)
	}
	if _, err := in.Token(); err != io.EOF {
		return s, fmt.Errorf("%s: more text after the shard", d.Path(shardFile))
	}
	switch {
	case s.Format != shardFormat || s.Version != shardVersion:
		return s, fmt.Errorf("%s: format %q version %d; this program reads %q version %d", d.Path(shardFile), s.Format, s.Version, shardFormat, shardVersion)
	case s.Stage != ActStage && s.Stage != InferStage || s.Index < 0 || s.Index >= s.Of || s.Of > MaxShards:
		return s, fmt.Errorf("%s: no shard %d of %d of stage %q", d.Path(shardFile), s.Index, s.Of, s.Stage)
	}
	return s, nil
}

// Incomplete is the error of a merge that lacks shards.
type Incomplete struct {
	Missing []int // sorted
	Of      int
	Damaged error // why one of them has to be made again, though it is there; or nil
}

// Error names the missing shards in the syntax of array jobs.
func (e *Incomplete) Error() string {
	text := fmt.Sprintf("%d of %d shards are missing: %s", len(e.Missing), e.Of, Array(e.Missing))
	if e.Damaged != nil {
		text += "; " + e.Damaged.Error()
	}
	return text
}

// Array returns sorted numbers in the syntax of array jobs: 3,7-9.
func Array(list []int) string {
	var out []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		s := strconv.Itoa(list[i])
		if j > i {
			s += "-" + strconv.Itoa(list[j])
		}
		out, i = append(out, s), j+1
	}
	return strings.Join(out, ",")
}

// CheckShards returns the shards of the directories if they are the whole of one stage of one run. A directory that is no
// complete shard counts as missing, and so does one whose pieces are not those that it finished with, if they are to be read. The error is
// an *Incomplete if shards are missing, and otherwise says which directories do not belong together.
func CheckShards(dirs []*Dir, readPieces bool) ([]Shard, error) {
	var list []Shard
	of := map[int]*Dir{}
	missing := &Incomplete{}
	for _, d := range dirs {
		s, err := d.Shard()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(list) > 0 {
			if err := together(list[0], s); err != nil {
				return nil, Hinted(fmt.Errorf("%s and %s: %w", of[list[0].Index], d, err), "remove those that are not wanted, or name the others: achilles merge DIR SHARD...")
			}
		}
		if other := of[s.Index]; other != nil {
			return nil, fmt.Errorf("%s and %s are both shard %d", other, d, s.Index)
		}
		of[s.Index], list = d, append(list, s)
	}
	if len(list) == 0 {
		if missing.Of = ofShards(dirs); missing.Of == 0 {
			return nil, errors.New("no complete shard is there")
		}
	} else {
		missing.Of = list[0].Of
	}
	for i := range missing.Of {
		d := of[i]
		if d != nil && readPieces {
			if err := d.checkPieces(list[slices.IndexFunc(list, func(s Shard) bool { return s.Index == i })]); err != nil {
				d, missing.Damaged = nil, cmp.Or(missing.Damaged, err)
			}
		}
		if d == nil {
			missing.Missing = append(missing.Missing, i)
		}
	}
	if missing.Missing != nil {
		return nil, missing
	}
	return list, nil
}

// ofShards returns of how many shards the directories are by their names, or 0 if the names do not agree (ShardDir).
func ofShards(dirs []*Dir) (of int) {
	for _, d := range dirs {
		var index, n int
		_, err := fmt.Sscanf(filepath.Base(d.String()), "%d-of-%d", &index, &n)
		if err != nil || index < 0 || index >= n || n > MaxShards || of != 0 && n != of {
			return 0
		}
		of = n
	}
	return of
}

// checkPieces returns an error if a piece of a shard is not the one that the shard finished with.
func (d *Dir) checkPieces(s Shard) error {
	for _, p := range s.Pieces {
		if _, err := d.piece(s, p); err != nil {
			return err
		}
	}
	return nil
}

// piece returns a piece of a shard.
func (d *Dir) piece(s Shard, p part.File) ([]byte, error) {
	b, err := d.piecesOf(s.Stage).Get(p.Path)
	if err == nil && part.NewFile(p.Path, b) != p {
		err = fmt.Errorf("%s: piece %s is not the one that the shard finished with; run the shard again", d, p.Path)
	}
	return b, err
}

// together returns an error if two shards are not of one run.
func together(a, b Shard) error {
	switch {
	case a.Stage != b.Stage:
		return fmt.Errorf("one is a shard of %s, one of %s", a.Stage, b.Stage)
	case a.Of != b.Of:
		return fmt.Errorf("one is a shard of %d, one of %d", a.Of, b.Of)
	case a.Key != b.Key:
		return errors.New("made from other data, by another scenario, layout or seed, or by another version of the program")
	}
	return nil
}

// Root returns the root of the Merkle tree over the pieces of all shards, sorted by path (seal.Merkle). A piece belongs to one subject, or
// one file of scenes: the root commits to what the stage made, and does not depend on the number of shards.
func Root(list []Shard) string {
	var pieces []part.File
	for _, s := range list {
		pieces = append(pieces, s.Pieces...)
	}
	slices.SortFunc(pieces, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	return seal.Merkle(pieces)
}

// Merge copies the pieces of all shards into d, where the stage then has nothing left to do but to put them together. It
// returns the number of pieces. The shards must be the whole of one stage (CheckShards).
func (d *Dir) Merge(shards []*Dir) (n int, err error) {
	list, err := CheckShards(shards, false)
	if err != nil {
		return 0, err
	}
	byIndex := make([]*Dir, len(list))
	for _, s := range shards {
		if x, err := s.Shard(); err == nil {
			byIndex[x.Index] = s
		}
	}
	for _, s := range list {
		to := d.piecesOf(s.Stage)
		for _, p := range s.Pieces {
			b, err := byIndex[s.Index].piece(s, p)
			if err != nil {
				return n, err
			}
			if err := to.Put(p.Path, b); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}
