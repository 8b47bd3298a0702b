package seal_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// zipped returns a directory with one shard of episodes, whose text is what write writes.
func zipped(t *testing.T, write func(z *gzip.Writer)) (fstest.MapFS, record.File) {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	write(z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	const name = "episodes/000000.jsonl.gz"
	return fstest.MapFS{name: &fstest.MapFile{Data: b.Bytes()}}, record.NewFile(name, b.Bytes())
}

// TestEpisodeShardLimits checks that a small file with more text or episodes than a shard may have is refused before it
// takes much memory.
func TestEpisodeShardLimits(t *testing.T) {
	const head = `{"format":"achilles-episodes","version":2}` + "\n"
	for _, c := range []struct {
		why, want string
		write     func(z *gzip.Writer)
	}{
		{"a line of a quarter of a gigabyte", "more than 268435456 bytes after decompression", func(z *gzip.Writer) {
			z.Write([]byte(head + `{"item":"`))
			spaces := []byte(strings.Repeat("a", 1<<20))
			for range 257 {
				z.Write(spaces)
			}
		}},
		{"an episode too many", "line 16386: more than 16384 episodes in a shard", func(z *gzip.Writer) {
			z.Write([]byte(head + strings.Repeat("{}\n", seal.EpisodesPerShard+1)))
		}},
		{"as many as there may be", "", func(z *gzip.Writer) { z.Write([]byte(head + strings.Repeat("{}\n", seal.EpisodesPerShard))) }},
	} {
		fsys, file := zipped(t, c.write)
		_, err := seal.EpisodeShard(fsys, file)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.why, err)
		}
	}
}
