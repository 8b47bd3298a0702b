package generate_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"achilles/scenarios/generatetest"
	"achilles/scenarios/seal"
	"achilles/sim/part"
)

// TestCommitmentByHand checks the Merkle tree of three files, written out by hand.
func TestCommitmentByHand(t *testing.T) {
	hash := func(b ...[]byte) []byte {
		sum := sha256.Sum256(bytes.Join(b, nil))
		return sum[:]
	}
	leaf := func(path, content string) []byte {
		return hash([]byte("\x00" + path + "\x00" + hex.EncodeToString(hash([]byte(content)))))
	}
	one := []byte{1}
	want := hash(one, hash(one, leaf("a", "x"), leaf("b", "y")), leaf("c", "z"))
	got := generatetest.Commitment(map[string][]byte{"c": []byte("z"), "a": []byte("x"), "b": []byte("y")})
	if got != hex.EncodeToString(want) {
		t.Errorf("commitment %s, want %x", got, want)
	}
}

// TestCommitmentTellsDirectoriesApart checks that no two of these directories share a commitment: contents moved
// between files, files renamed, split or joined.
func TestCommitmentTellsDirectoriesApart(t *testing.T) {
	seen := map[string]int{}
	for i, files := range []map[string]string{
		{}, {"a": ""}, {"b": ""}, {"a": "x"}, {"a": "x", "b": ""}, {"a": "", "b": "x"}, {"ab": "x"}, {"a": "x", "b": "y"}, {"a": "y", "b": "x"}, {"a": "x", "b": "y", "c": "z"}, {"a/b": "x"},
	} {
		b := map[string][]byte{}
		for k, v := range files {
			b[k] = []byte(v)
		}
		c := generatetest.Commitment(b)
		if j, ok := seen[c]; ok {
			t.Errorf("directories %d and %d share a commitment", i, j)
		}
		seen[c] = i
	}
}

func TestOpenSealed(t *testing.T) {
	public, sealed := publish(t, session(1, 3, 3))
	c := read(t, public).Manifest.Parents[part.Sealed]
	if c != generatetest.Commitment(sealed) {
		t.Fatal("the public manifest commits to something else")
	}
	for i := range sealed["truth.json"] {
		if i%97 != 0 {
			continue
		}
		bad := mapFS(sealed)
		bad["truth.json"].Data = slices.Clone(sealed["truth.json"])
		bad["truth.json"].Data[i] ^= 1
		if _, err := seal.Open(bad, c); err == nil || !strings.Contains(err.Error(), "truth.json was changed after it was committed to") {
			t.Fatalf("byte %d flipped: error %v", i, err)
		}
	}
	for _, x := range []struct {
		why    string
		change func(m fstest.MapFS)
		want   string
	}{
		{"a file too many", func(m fstest.MapFS) { m["notes.txt"] = &fstest.MapFile{Data: []byte("hi")} }, "notes.txt was added"},
		{"no truth", func(m fstest.MapFS) { delete(m, "truth.json") }, "truth.json: file does not exist"},
		{"truth of another run", func(m fstest.MapFS) {
			s := session(1, 3, 3)
			s.Scenario += "# another"
			_, other := publish(t, s)
			m["truth.json"].Data = other["truth.json"]
		}, "belongs to another run"},
	} {
		m := mapFS(sealed)
		x.change(m)
		if _, err := seal.Open(m, c); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v does not say %q", x.why, err, x.want)
		}
	}
	if _, err := seal.Open(fstest.MapFS{}, c); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty directory gives %v", err)
	}
	if _, err := seal.Open(mapFS(sealed), ""); err == nil {
		t.Error("public data that commit to nothing accept a truth")
	}
}

// TestSealedVersion checks that a committed truth of a later version is refused because of its version.
func TestSealedVersion(t *testing.T) {
	_, sealed := publish(t, session(1, 3, 3))
	sealed["truth.json"] = bytes.Replace(sealed["truth.json"], []byte(`"version": 1`), []byte(`"version": 2`), 1)
	_, err := seal.Open(mapFS(sealed), generatetest.Commitment(sealed))
	if err == nil || !strings.Contains(err.Error(), "this reader knows") {
		t.Errorf("error %v", err)
	}
}

// TestSealedEpisodes checks that the commitment includes the episodes, and that the error names the file that was
// changed.
func TestSealedEpisodes(t *testing.T) {
	public, sealed := publish(t, session(1, 3, 3))
	c := read(t, public).Manifest.Parents[part.Sealed]
	const name = "episodes/000000.jsonl.gz"
	if c != generatetest.Commitment(sealed) || len(sealed[name]) == 0 {
		t.Fatalf("%d bytes of episodes, commitment %s", len(sealed[name]), c)
	}
	bad := maps.Clone(sealed)
	bad[name] = append(slices.Clone(sealed[name]), 0)
	if _, err := seal.Open(mapFS(bad), c); err == nil || !strings.Contains(err.Error(), name+" was changed") {
		t.Errorf("changed: %v", err)
	}
	delete(bad, name)
	if _, err := seal.Open(mapFS(bad), c); err == nil || !strings.Contains(err.Error(), name+" is missing") {
		t.Errorf("missing: %v", err)
	}
}

// TestReadTruth checks that the truth can be read without the other files, and a shard of episodes without verifying
// all files.
func TestReadTruth(t *testing.T) {
	public, sealed := publish(t, session(1, 3, 3))
	c := read(t, public).Manifest.Parents[part.Sealed]
	truth, err := seal.ReadTruth(mapFS(map[string][]byte{"truth.json": sealed["truth.json"]}), c)
	if err != nil || truth.Digest != c {
		t.Fatalf("digest %s, want %s (%v)", truth.Digest, c, err)
	}
	want := sealedEpisodes(t, sealed)
	shards := truth.EpisodeShards()
	if len(shards) != 1 {
		t.Fatalf("%d shards", len(shards))
	}
	if got, err := seal.EpisodeShard(mapFS(sealed), shards[0]); err != nil || !slices.Equal(got, want) {
		t.Errorf("%d episodes, want %d (%v)", len(got), len(want), err)
	}
	bad := maps.Clone(sealed)
	bad["truth.json"] = bytes.Replace(sealed["truth.json"], []byte("fraudster"), []byte("capable"), 1)
	if _, err := seal.ReadTruth(mapFS(bad), c); err == nil {
		t.Error("a changed truth is read")
	}
	bad[shards[0].Path] = sealed[shards[0].Path][1:]
	if _, err := seal.EpisodeShard(mapFS(bad), shards[0]); err == nil {
		t.Error("a changed shard is read")
	}
}

// TestNothingSealedInPublicBytes checks that the salt, the root seed and names are not in the public files, even
// compressed: it searches the decoded tables and the raw bytes.
func TestNothingSealedInPublicBytes(t *testing.T) {
	s := session(987654321987654321, 6, 6)
	public, sealed := publish(t, s)
	d := read(t, public)
	x := unseal(t, d, sealed)
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(public)) {
		text.Write(public[name])
	}
	for _, list := range [][]string{d.Subjects, d.Reasons, d.Items.ID, d.Items.Suite, d.Items.Paradigm, d.Items.Task, d.Items.Values(1).Text} {
		text.WriteString(strings.Join(list, "\n"))
	}
	salt, err := hex.DecodeString(x.Salt)
	if err != nil || len(salt) != 32 {
		t.Fatalf("salt %q", x.Salt)
	}
	for _, secret := range []string{"canary", "fraudster", "included", "987654321987654321", x.Salt, string(salt), "52.8"} {
		if strings.Contains(text.String(), secret) {
			t.Errorf("the public files contain %q", secret)
		}
	}
}
