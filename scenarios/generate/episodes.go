package generate

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"achilles/sim/record"
)

// episodeFolder has what everybody did, and why they failed: JSON lines in shards, a header first.
const episodeFolder = "episodes/"

// episodesPerShard is the same for every shard.
const episodesPerShard = 1 << 14

// episodeFormat is the one that is written. Version 1 had neither eyes nor beliefs.
var episodeFormat = episodeHeader{"achilles-episodes", 2}

type episodeHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// A SealedEpisode is an episode as sealed/episodes/ has it. Replayed in the trial's world, which is public, its moves
// give everything that happened, what nobody saw included.
type SealedEpisode struct {
	Item       string `json:"item"`
	Trial      int    `json:"trial"` // as the public directory numbers it
	Subject    string `json:"subject"`
	Repetition int    `json:"repetition"`
	Moves      string `json:"moves"`             // as EncodeMoves writes them
	Eyes       string `json:"eyes,omitempty"`    // how well a body saw, as DecodeEyes reads it; empty for perfect eyes
	Beliefs    string `json:"beliefs,omitempty"` // what a body held about the reward, as DecodeBeliefs reads it
	Cause      string `json:"cause,omitempty"`   // why it was not passed; empty where it was
}

// An acted is an episode in the order of publication: by item, trial, subject and repetition, as they are called there.
type acted struct {
	*Episode
	trial int // public
}

// actedInOrder sorts the episodes of a session. It refuses one that names what the session does not have.
func (s *Session) actedInOrder(id *identity) ([]acted, error) {
	list := make([]acted, len(s.Episodes))
	for i := range s.Episodes {
		e := &s.Episodes[i]
		if e.Subject < 0 || e.Subject >= len(s.Subjects) || e.Item < 0 || e.Item >= len(s.Battery.Items) {
			return nil, fmt.Errorf("an episode names subject %d, item %d: the session has no such", e.Subject, e.Item)
		}
		it := &s.Battery.Items[e.Item]
		if e.Trial < 0 || e.Trial >= len(it.Trials) || it.Trials[e.Trial].World == "" {
			return nil, fmt.Errorf("item %q has no trial %d to act in", it.Name, e.Trial)
		}
		list[i] = acted{e, id.publicTrial(e.Item, e.Trial)}
	}
	slices.SortFunc(list, func(a, b acted) int {
		return cmp.Or(int(id.itemRow[a.Item]-id.itemRow[b.Item]), a.trial-b.trial, int(id.subjectRow[a.Subject]-id.subjectRow[b.Subject]), a.Repetition-b.Repetition)
	})
	return list, nil
}

// sealEpisodes writes the shards of sealed/episodes/.
func sealEpisodes(list []acted, id *identity, create Create) ([]record.File, error) {
	var files []record.File
	for shard := range slices.Chunk(list, episodesPerShard) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		e := json.NewEncoder(z)
		err := e.Encode(episodeFormat)
		for _, x := range shard {
			if err == nil {
				err = e.Encode(SealedEpisode{
					Item: id.item[x.Item], Trial: x.trial, Subject: id.subject[x.Subject], Repetition: x.Repetition, Moves: x.Moves, Eyes: x.Eyes, Beliefs: x.Beliefs, Cause: x.Cause,
				})
			}
		}
		if err = cmp.Or(err, z.Close()); err != nil {
			return nil, err
		}
		f := record.NewFile(fmt.Sprintf("%s%06d.jsonl.gz", episodeFolder, len(files)), b.Bytes())
		if err := put(create, SealedPart, f.Path, b.Bytes()); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Episodes reads the episodes of a sealed directory, in the order of public ids. It stops at the first error, which
// names the file and the line.
func Episodes(sealed fs.FS) iter.Seq2[SealedEpisode, error] {
	return func(yield func(SealedEpisode, error) bool) {
		names, err := fs.Glob(sealed, episodeFolder+"*.jsonl.gz")
		if err != nil {
			yield(SealedEpisode{}, err)
			return
		}
		for _, name := range names {
			if !readEpisodes(sealed, name, yield) {
				return
			}
		}
	}
}

// EpisodeShards lists the files of t that have episodes, in order.
func (t *Sealed) EpisodeShards() []record.File {
	var shards []record.File
	for _, f := range t.Files {
		if strings.HasPrefix(f.Path, episodeFolder) {
			shards = append(shards, f)
		}
	}
	return shards
}

// EpisodeShard reads one of the shards that EpisodeShards lists, and verifies it.
func EpisodeShard(sealed fs.FS, f record.File) (list []SealedEpisode, err error) {
	if err := f.Verify(sealed); err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	readEpisodes(sealed, f.Path, func(e SealedEpisode, problem error) bool {
		list, err = append(list, e), problem
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func readEpisodes(sealed fs.FS, name string, yield func(SealedEpisode, error) bool) bool {
	fail := func(line int, err error) bool {
		yield(SealedEpisode{}, fmt.Errorf("sealed: %s: line %d: %w", name, line, err))
		return false
	}
	f, err := sealed.Open(name)
	if err != nil {
		return fail(0, err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return fail(0, err)
	}
	lines := json.NewDecoder(z)
	lines.DisallowUnknownFields()
	var head episodeHeader
	if err := lines.Decode(&head); err != nil || head.Format != episodeFormat.Format || head.Version < 1 || head.Version > episodeFormat.Version {
		return fail(1, cmp.Or(err, fmt.Errorf("format %q version %d: this reader knows %q up to version %d", head.Format, head.Version, episodeFormat.Format, episodeFormat.Version)))
	}
	for line := 2; ; line++ {
		var e SealedEpisode
		switch err := lines.Decode(&e); {
		case err == io.EOF:
			return true
		case err != nil:
			return fail(line, err)
		}
		if !yield(e, nil) {
			return false
		}
	}
}
