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
	"strconv"
	"strings"

	"achilles/sim/part"
	"achilles/sim/record"
)

// episodeFolder has the moves of all subjects and the causes of their failures, in shards of gzipped JSON lines, each
// with a header line.
const episodeFolder = "episodes/"

// maxShard is the largest size of a shard after decompression, in bytes: 16 kB for each of its episodes.
const maxShard = 1 << 28

// EpisodesPerShard is the number of episodes in each shard. Only the last shard may have fewer.
const EpisodesPerShard = 1 << 14

// episodeFormat is the header of new shards. Version 1 had neither eyes nor beliefs.
var episodeFormat = episodeHeader{"achilles-episodes", 2}

type episodeHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// An Episode is one record of sealed/episodes/. Its moves, replayed in the public world of the trial, show everything
// that happened, seen or not.
type Episode struct {
	Item       string `json:"item"`
	Trial      int    `json:"trial"` // number of the trial in the public directory
	Subject    string `json:"subject"`
	Repetition int    `json:"repetition"`
	Moves      string `json:"moves"`             // actions, for DecodeMoves
	Eyes       string `json:"eyes,omitempty"`    // how well a body saw, for DecodeEyes; empty: perfect
	Beliefs    string `json:"beliefs,omitempty"` // what a body believed about the reward that it wanted, for DecodeBeliefs
	Cause      string `json:"cause,omitempty"`   // why the trial was not passed; empty if it was
}

// An EpisodeWriter writes the shards of sealed/episodes/. It holds one in memory, compressed.
type EpisodeWriter struct {
	put      func(path string, data []byte) error
	files    []part.File
	shard    bytes.Buffer
	zip      *gzip.Writer
	line     []byte
	episodes int // number of episodes in the shard
}

// NewEpisodeWriter returns a writer that calls put with every shard: its path in the sealed directory, and its content, which is valid
// until put returns.
func NewEpisodeWriter(put func(path string, data []byte) error) *EpisodeWriter {
	w := &EpisodeWriter{put: put}
	w.zip = gzip.NewWriter(&w.shard)
	return w
}

// Write appends an episode. After an error neither Write nor Close may be called.
func (w *EpisodeWriter) Write(e *Episode) error {
	if w.episodes == 0 {
		w.shard.Reset()
		w.zip.Reset(&w.shard)
		if err := json.NewEncoder(w.zip).Encode(episodeFormat); err != nil {
			return err
		}
	}
	w.line = append(e.appendJSON(w.line[:0]), '\n')
	if _, err := w.zip.Write(w.line); err != nil {
		return err
	}
	if w.episodes++; w.episodes < EpisodesPerShard {
		return nil
	}
	return w.end()
}

// appendJSON appends what json.Marshal returns of an episode, in a fraction of the time.
func (e *Episode) appendJSON(b []byte) []byte {
	b = appendText(append(b, `{"item":`...), e.Item)
	b = strconv.AppendInt(append(b, `,"trial":`...), int64(e.Trial), 10)
	b = appendText(append(b, `,"subject":`...), e.Subject)
	b = strconv.AppendInt(append(b, `,"repetition":`...), int64(e.Repetition), 10)
	b = appendText(append(b, `,"moves":`...), e.Moves)
	for _, x := range [...]struct{ key, text string }{{`,"eyes":`, e.Eyes}, {`,"beliefs":`, e.Beliefs}, {`,"cause":`, e.Cause}} {
		if x.text != "" {
			b = appendText(append(b, x.key...), x.text)
		}
	}
	return append(b, '}')
}

// appendText appends a text as JSON has it.
func appendText(b []byte, text string) []byte {
	if !isPlain(text) {
		quoted, _ := json.Marshal(text) // of a text it never fails
		return append(b, quoted...)
	}
	return append(append(append(b, '"'), text...), '"')
}

// isPlain reports whether a text stands in JSON as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// end ends the shard.
func (w *EpisodeWriter) end() error {
	if err := w.zip.Close(); err != nil {
		return err
	}
	path := fmt.Sprintf("%s%06d.jsonl.gz", episodeFolder, len(w.files))
	w.files, w.episodes = append(w.files, part.NewFile(path, w.shard.Bytes())), 0
	return w.put(path, w.shard.Bytes())
}

// Close ends the last shard, and returns the files. There are none if no episode was written.
func (w *EpisodeWriter) Close() ([]part.File, error) {
	if w.episodes == 0 {
		return w.files, nil
	}
	err := w.end()
	return w.files, err
}

// EpisodeShards returns the shards of episodes among the files of a truth that was read, in order.
func (t *Truth) EpisodeShards() []part.File {
	var shards []part.File
	for _, f := range t.manifest.Files {
		if strings.HasPrefix(f.Path, episodeFolder) {
			shards = append(shards, f)
		}
	}
	return shards
}

// EpisodeShard verifies and reads a shard that EpisodeShards lists.
func EpisodeShard(sealed fs.FS, f part.File) ([]Episode, error) {
	if err := f.Verify(sealed); err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	r, err := sealed.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("sealed: %w", err)
	}
	defer r.Close()
	list, err := decodeEpisodes(bufio.NewReader(r), maxShard)
	if err != nil {
		return nil, fmt.Errorf("sealed: %s: %w", f.Path, err)
	}
	return list, nil
}

// decodeEpisodes reads the episodes of a shard, which may have at most `most` bytes after decompression.
func decodeEpisodes(in io.Reader, most int) ([]Episode, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	lines := json.NewDecoder(&record.Decompressed{From: z, Limit: most})
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
		case len(list) == EpisodesPerShard:
			return nil, fmt.Errorf("line %d: more than %d episodes in a shard", line, EpisodesPerShard)
		}
		list = append(list, e)
	}
}
