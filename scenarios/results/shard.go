package results

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/part"
	"achilles/sim/store"
)

// MaxShards is the largest number of shards of a run.
const MaxShards = 100_000

// ShardsPart is the folder of a results directory that has the directories of its shards.
const ShardsPart = "shards"

// The stages that can be divided into shards.
const (
	ActStage   = "generate" // programs take the battery; the pieces are their journal
	InferStage = "infer"    // the pieces are fits, and files of scenes that observers have watched
)

// A Shard is the part of a stage that one of Of processes did. Its directory is a part, with these settings, whose files are the pieces; the
// manifest is written last, so that a directory that has it is a complete shard.
type Shard struct {
	Stage string `json:"stage"`
	Index int    `json:"index"` // from 0
	Of    int    `json:"of"`
	Key   string `json:"key"`   // digest of everything that the pieces depend on; equal in all shards of one run
	Total int    `json:"total"` // number of pieces of all shards together; 0: not known

	Public string      `json:"-"` // digest of the public part that the pieces are made from; empty if there was none
	Pieces []part.File `json:"-"` // sorted by path

	dir *Dir // where it is
}

// ShardDir returns the path of the directory of a shard, in the results directory dir.
func ShardDir(dir string, index, of int) string {
	return filepath.Join(dir, ShardsPart, fmt.Sprintf("%d-of-%d", index, of))
}

// OpenShards opens the directories of shards, complete or not: those that are named, or all below the results directory dir. The caller
// closes those that it returns, also with an error.
func OpenShards(dir string, named []string) (list []*Dir, err error) {
	if len(named) == 0 {
		entries, err := os.ReadDir(filepath.Join(dir, ShardsPart))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, Hinted(fmt.Errorf("%s has no folder %s", dir, ShardsPart), "achilles run SCENARIO --shard I/N --out %s makes a shard in it", expr.Quote(dir))
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() {
				named = append(named, filepath.Join(dir, ShardsPart, e.Name()))
			}
		}
	}
	for _, name := range named {
		d, err := store.Open(name)
		if err != nil {
			return list, err
		}
		list = append(list, &Dir{Dir: d, dir: name})
	}
	return list, nil
}

// folderOf returns the folder of the pieces of a stage.
func folderOf(stage string) string {
	if stage == ActStage {
		return actedPart
	}
	return piecesPart
}

func (d *Dir) piecesOf(stage string) *store.Pieces { return d.Dir.Pieces(folderOf(stage)) }

// BeginShard marks the directory of a shard as incomplete.
func (d *Dir) BeginShard() error { return d.Remove(part.ManifestFile) }

// PutShard completes the directory of a shard. names are the pieces that it has. It sets the Pieces of s.
func (d *Dir) PutShard(s Shard, names []string) error {
	parents := map[string]string{}
	if s.Public != "" {
		parents[part.Public] = s.Public
	}
	m := part.New(part.Shard, parents, s)
	pieces := d.piecesOf(s.Stage)
	for _, name := range slices.Sorted(slices.Values(names)) {
		b, err := pieces.Get(name)
		if err != nil {
			return err
		}
		m.Add(folderOf(s.Stage)+"/"+name, b, nil)
	}
	return d.WriteFile(part.ManifestFile, m.Encode())
}

// oldShard is the file that said what a shard has before it had a manifest.
const oldShard = "shard.json"

// Shard reads what a directory says of its shard. The error wraps fs.ErrNotExist if the directory is no complete shard.
func (d *Dir) Shard() (s Shard, err error) {
	root, err := d.FS(".")
	if err != nil {
		return s, err
	}
	m, err := part.ReadManifest(root, part.Shard)
	if errors.Is(err, fs.ErrNotExist) && d.Has(oldShard) {
		err = errors.New("an older version of this program wrote it")
	}
	if err == nil {
		err = part.Strictly(m.Settings, &s)
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", d, err)
	}
	s.Public, s.Pieces, s.dir = m.Parents[part.Public], m.Files, d
	switch {
	case s.Stage != ActStage && s.Stage != InferStage || s.Index < 0 || s.Index >= s.Of || s.Of > MaxShards:
		return s, fmt.Errorf("%s: no shard %d of %d of stage %q", d.Path(part.ManifestFile), s.Index, s.Of, s.Stage)
	}
	for _, p := range s.Pieces {
		if path.Dir(p.Path) != folderOf(s.Stage) {
			return s, fmt.Errorf("%s: %s is not a piece: pieces are below %s", d.Path(part.ManifestFile), p.Path, folderOf(s.Stage))
		}
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

// CheckShards returns the shards of the directories if they are the whole of one stage of one run: it reads every piece, and
// changes nothing. A directory that is no complete shard counts as missing, and so does one with a manifest that cannot be read or a piece
// that it did not finish with. The error wraps an *Incomplete if shards are missing, and otherwise says which directories do not belong together.
func CheckShards(dirs []*Dir) ([]Shard, error) {
	byIndex := map[int]Shard{}
	var first Shard
	var damaged error
	for _, d := range dirs {
		s, err := d.Shard()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			damaged = cmp.Or(damaged, err)
			continue
		}
		if len(byIndex) == 0 {
			first = s
		}
		if err := together(first, s); err != nil {
			return nil, Hinted(fmt.Errorf("%s and %s: %w", first.dir, d, err), "remove those that you do not want, or name the others: achilles merge DIR SHARD...")
		}
		if other, ok := byIndex[s.Index]; ok {
			return nil, fmt.Errorf("%s and %s are both shard %d", other.dir, d, s.Index)
		}
		byIndex[s.Index] = s
	}
	missing := &Incomplete{Of: first.Of, Damaged: damaged}
	if len(byIndex) == 0 {
		if missing.Of = ofShards(dirs); missing.Of == 0 {
			return nil, cmp.Or(damaged, errors.New("there is no complete shard"))
		}
	}
	var list []Shard
	for i := range missing.Of {
		s, ok := byIndex[i]
		if ok {
			if err := s.check(); err != nil {
				ok, missing.Damaged = false, cmp.Or(missing.Damaged, err)
			}
		}
		if !ok {
			missing.Missing = append(missing.Missing, i)
			continue
		}
		list = append(list, s)
	}
	if missing.Missing != nil {
		return nil, Hinted(missing, "rerun the command of the shards with --shard I/%d, I being %s", missing.Of, Array(missing.Missing))
	}
	if damaged != nil { // of one more than there are
		return nil, damaged
	}
	return list, whole(list)
}

// whole returns an error unless all pieces of a run are in its shards, each in one of them.
func whole(list []Shard) error {
	has := map[string]*Dir{}
	for _, s := range list {
		for _, p := range s.Pieces {
			if other := has[p.Path]; other != nil {
				return fmt.Errorf("%s and %s both have piece %s: shards must not overlap", other, s.dir, p.Path)
			}
			has[p.Path] = s.dir
		}
	}
	if total := list[0].Total; total != 0 && len(has) != total {
		var counts []string
		for _, s := range list {
			counts = append(counts, fmt.Sprintf("%s lists %d", s.dir, len(s.Pieces)))
		}
		return Hinted(fmt.Errorf("the shards have %d pieces, the run has %d: %s", len(has), total, strings.Join(counts, ", ")), "rerun the shard that lists too few")
	}
	return nil
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

// check returns an error if a piece of a shard is not the one that the shard finished with, has the name of another one, or if an
// inference with another key made it.
func (s Shard) check() error {
	root, err := s.dir.FS(".")
	if err != nil {
		return err
	}
	for _, f := range s.Pieces {
		b, err := f.Content(root)
		if err != nil {
			return fmt.Errorf("%s: piece %s differs from the one that the shard finished with: %w", s.dir, f.Path, err)
		}
		if s.Stage != InferStage {
			continue // a line of the journal of a program
		}
		switch p, err := part.ReadPiece(b); {
		case err != nil:
			return fmt.Errorf("%s: piece %s: %w", s.dir, f.Path, err)
		case p.Key != s.Key:
			return fmt.Errorf("%s: piece %s: it is outdated: made from other data, by another layout or seed, or by another version of the program", s.dir, f.Path)
		case part.PieceName(p.Of) != path.Base(f.Path):
			return fmt.Errorf("%s: piece %s: it is the result of %s, which has another name", s.dir, f.Path, p.Of)
		}
	}
	return nil
}

// together returns an error if two shards are not of one run.
func together(a, b Shard) error {
	switch {
	case a.Stage != b.Stage:
		return fmt.Errorf("one is a shard of %s, one of %s", a.Stage, b.Stage)
	case a.Of != b.Of:
		return fmt.Errorf("one is a shard of %d, one of %d", a.Of, b.Of)
	case a.Key != b.Key || a.Public != b.Public || a.Total != b.Total:
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

// Merge copies the pieces of all shards, which CheckShards has returned, into d, where the stage then has nothing left to do but to put
// them together. It returns the number of pieces.
func (d *Dir) Merge(list []Shard) (n int, err error) {
	if err := list[0].isOf(d); err != nil {
		return 0, err
	}
	for _, s := range list {
		root, err := s.dir.FS(".")
		if err != nil {
			return n, err
		}
		to := d.piecesOf(s.Stage)
		for _, f := range s.Pieces {
			b, err := f.Content(root)
			if err != nil {
				return n, fmt.Errorf("%s: %w", s.dir, err)
			}
			if err := to.Put(path.Base(f.Path), b); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// isOf returns an error if d has a public part, and the shard is made from another one.
func (s Shard) isOf(d *Dir) error {
	if !d.Has(part.Public) || s.Public == "" {
		return nil
	}
	b, err := d.ReadFile(part.Public + "/" + part.ManifestFile)
	if err == nil && part.Digest(b) != s.Public {
		err = Hinted(fmt.Errorf("the shards are outdated: they are made from another public part than that of %s", d), "rerun the shards, with --out %s", d)
	}
	return err
}
