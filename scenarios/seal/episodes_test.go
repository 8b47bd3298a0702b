package seal_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/scenarios/seal"
	"achilles/sim/longtest"
	"achilles/sim/part"
)

// zipped returns a directory with one shard of episodes with this text.
func zipped(t *testing.T, text string) (fstest.MapFS, part.File) {
	t.Helper()
	return asFile(compressed(t, text))
}

func compressed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asFile(data []byte) (fstest.MapFS, part.File) {
	const name = "episodes/000000.jsonl.gz"
	return fstest.MapFS{name: &fstest.MapFile{Data: data}}, part.NewFile(name, data)
}

// TestEpisodeShardLimits checks that a small file with more text or episodes than a shard may have is refused before it
// takes much memory.
func TestEpisodeShardLimits(t *testing.T) {
	const head = `{"format":"achilles-episodes","version":2}` + "\n"
	for _, c := range []struct {
		why, want string
		text      string // the text, and a mebibyte
		more      int    // so often
	}{
		{"a line of a quarter of a gigabyte", "more than 268435456 bytes after decompression", head + `{"item":"`, 257}, // -long
		{"an episode too many", "line 16386: more than 16384 episodes in a shard", head + strings.Repeat("{}\n", seal.EpisodesPerShard+1), 0},
		{"as many as there may be", "", head + strings.Repeat("{}\n", seal.EpisodesPerShard), 0},
	} {
		shard := compressed(t, c.text)
		if c.more > 0 && !longtest.On() {
			continue // it takes seconds, and half a gigabyte of memory
		}
		if c.more > 0 { // files of gzip one after the other are one file
			shard = append(shard, bytes.Repeat(compressed(t, strings.Repeat("a", 1<<20)), c.more)...)
		}
		fsys, file := asFile(shard)
		_, err := seal.EpisodeShard(fsys, file)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.why, err)
		}
	}
	for _, limit := range []int{2000, 4000} {
		_, err := seal.DecodeEpisodes(bytes.NewReader(compressed(t, head+`{"item":"`+strings.Repeat("a", 3000)+"\"}\n")), limit)
		if over := limit < 3000; (err != nil) != over || over && !strings.Contains(err.Error(), "more than 2000 bytes after decompression") {
			t.Errorf("3000 bytes, of which %d are allowed: %v", limit, err)
		}
	}
}

// encode returns the content of a shard.
func encode(episodes []seal.Episode) (shard []byte, err error) {
	w := seal.NewEpisodeWriter(func(_ string, data []byte) error { shard = bytes.Clone(data); return nil })
	for i := range episodes {
		if err := w.Write(&episodes[i]); err != nil {
			return nil, err
		}
	}
	_, err = w.Close()
	return shard, err
}

// TestEpisodesAreJSON checks that the lines of a shard are what the encoder of the standard library makes of the episodes.
func TestEpisodesAreJSON(t *testing.T) {
	episodes := []seal.Episode{
		{}, {Item: "i-1", Trial: 3, Subject: "s-1", Repetition: 12, Moves: ".12 f3 l f2", Eyes: "60 350 50", Beliefs: "0 sees 9,5; 3 infers 9,5; 12 lost", Cause: "time-out"},
		{Moves: "N", Cause: "<html> & \"quotes\" \\ \x00\n\x7f\xff"}, {Item: "ü", Beliefs: "\u2028", Trial: -1, Eyes: "~ "},
	}
	shard, err := encode(episodes)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(shard))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(text, []byte("\n"))
	for i, e := range episodes {
		if want, _ := json.Marshal(e); !bytes.Equal(lines[i+1], want) {
			t.Errorf("%s, want %s", lines[i+1], want)
		}
	}
}

// FuzzShard checks that no text makes EpisodeShard or the decoders of an episode's fields panic, and that an
// EpisodeWriter accepts the episodes that were read.
func FuzzShard(f *testing.F) {
	data, err := encode([]seal.Episode{
		{Item: "i-1", Subject: "s-1", Moves: ".12 f3 l f2", Eyes: "60 350 50", Beliefs: "0 sees 9,5; 3 infers 9,5; 12 lost", Cause: "time-out"},
		{Item: "i-2", Trial: 1, Subject: "s-1", Repetition: 2, Moves: "N NE2 SW"},
	})
	if err != nil {
		f.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		f.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		fsys, file := zipped(t, string(text))
		list, err := seal.EpisodeShard(fsys, file)
		if err != nil {
			return
		}
		for _, e := range list {
			_, _ = seal.DecodeMoves(nil, e.Moves)
			_, _ = seal.DecodeEyes(e.Eyes)
			_, _ = seal.DecodeBeliefs(e.Beliefs)
		}
		if _, err := encode(list); err != nil {
			t.Errorf("what was read does not encode: %v", err)
		}
	})
}

// FuzzTruth checks that no text of truth.json makes Open panic, and that Encode accepts a truth that was read.
func FuzzTruth(f *testing.F) {
	x := seal.New(7)
	x.Scenario, x.Scale = "name = \"x\"\n", map[string]float64{"op": 50}
	x.Items["i-1"] = seal.Item{Name: "one", Labels: []seal.Label{{Pair: 1, Trial: 2, Name: "a", Outcome: "expected"}}, Answer: "b"}
	text, err := x.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		truth := &fstest.MapFile{Data: text}
		m := part.New(part.Sealed, nil, nil)
		m.Add(seal.TruthFile, text, nil)
		manifest := m.Encode()
		for commitment, files := range map[string]fstest.MapFS{
			part.Digest(manifest): {seal.TruthFile: truth, part.ManifestFile: {Data: manifest}},
			seal.Merkle(m.Files):  {seal.TruthFile: truth}, // of version 1
		} {
			got, err := seal.Open(files, commitment)
			if err != nil {
				continue
			}
			if _, err := got.Encode(); err != nil {
				t.Errorf("what was read does not encode: %v", err)
			}
		}
	})
}
