package seal

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"achilles/sim/record"
)

// episodeFolder has what everybody did, and why they failed: JSON lines in shards, a header first.
const episodeFolder = "episodes/"

// EpisodesPerShard is how many episodes a shard has, but for the last.
const EpisodesPerShard = 1 << 14

// episodeFormat is the one that is written. Version 1 had neither eyes nor beliefs.
var episodeFormat = episodeHeader{"achilles-episodes", 2}

type episodeHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// An Episode is an episode as sealed/episodes/ has it. Replayed in the trial's world, which is public, its moves
// give everything that happened, what nobody saw included.
type Episode struct {
	Item       string `json:"item"`
	Trial      int    `json:"trial"` // as the public directory numbers it
	Subject    string `json:"subject"`
	Repetition int    `json:"repetition"`
	Moves      string `json:"moves"`             // as EncodeMoves writes them
	Eyes       string `json:"eyes,omitempty"`    // how well a body saw, as DecodeEyes reads it; empty for perfect eyes
	Beliefs    string `json:"beliefs,omitempty"` // what a body held about the reward, as DecodeBeliefs reads it
	Cause      string `json:"cause,omitempty"`   // why it was not passed; empty where it was
}

// EncodeEpisodes returns shard number n of sealed/episodes/: its path and its text.
func EncodeEpisodes(n int, episodes []Episode) (path string, data []byte, err error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	e := json.NewEncoder(z)
	err = e.Encode(episodeFormat)
	for i := range episodes {
		if err == nil {
			err = e.Encode(episodes[i])
		}
	}
	if err = cmp.Or(err, z.Close()); err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("%s%06d.jsonl.gz", episodeFolder, n), b.Bytes(), nil
}

// EpisodeShards lists the files of t that have episodes, in order.
func (t *Truth) EpisodeShards() []record.File {
	var shards []record.File
	for _, f := range t.Files {
		if strings.HasPrefix(f.Path, episodeFolder) {
			shards = append(shards, f)
		}
	}
	return shards
}

// EpisodeShard reads one of the shards that EpisodeShards lists, and verifies it.
func EpisodeShard(sealed fs.FS, f record.File) ([]Episode, error) {
	if err := f.Verify(sealed); err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	r, err := sealed.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	defer r.Close()
	list, err := decodeEpisodes(bufio.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("sealed: %s: %w", f.Path, err)
	}
	return list, nil
}

func decodeEpisodes(in io.Reader) ([]Episode, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	lines := json.NewDecoder(z)
	lines.DisallowUnknownFields()
	var head episodeHeader
	if err := lines.Decode(&head); err != nil || head.Format != episodeFormat.Format || head.Version < 1 || head.Version > episodeFormat.Version {
		return nil, fmt.Errorf("line 1: %w", cmp.Or(err, fmt.Errorf("format %q version %d: this reader knows %q up to version %d", head.Format, head.Version, episodeFormat.Format, episodeFormat.Version)))
	}
	var list []Episode
	for line := 2; ; line++ {
		var e Episode
		switch err := lines.Decode(&e); {
		case err == io.EOF:
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		list = append(list, e)
	}
}
