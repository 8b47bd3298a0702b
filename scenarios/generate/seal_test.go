package generate_test

import (
	"bytes"
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

// TestOpenSealed checks that the sealed part is read with the digest to which the public manifest commits, and that the error names what
// was changed since.
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
		if _, err := seal.Open(bad, c); err == nil || !strings.Contains(err.Error(), "truth.json: changed since it was written") {
			t.Fatalf("byte %d flipped: error %v", i, err)
		}
	}
	for _, x := range []struct {
		why    string
		change func(m fstest.MapFS)
		want   string
	}{
		{"a file too many", func(m fstest.MapFS) { m["notes.txt"] = &fstest.MapFile{Data: []byte("hi")} }, "notes.txt: is not listed in manifest.json"},
		{"no truth", func(m fstest.MapFS) { delete(m, "truth.json") }, "truth.json: file does not exist"},
		{"a manifest that lists the files as they are", func(m fstest.MapFS) {
			m["truth.json"].Data = append(m["truth.json"].Data, '\n')
			list := part.New(part.Sealed, nil, nil)
			list.Add("episodes/000000.jsonl.gz", m["episodes/000000.jsonl.gz"].Data, nil)
			list.Add("truth.json", m["truth.json"].Data, nil)
			m["manifest.json"] = &fstest.MapFile{Data: list.Encode()}
		}, "manifest.json was changed after it was committed to"},
		{"no manifest", func(m fstest.MapFS) { delete(m, "manifest.json") }, "truth.json was changed after it was committed to"},
		{"the sealed part of another run", func(m fstest.MapFS) {
			s := session(1, 3, 3)
			s.Scenario += "# another"
			_, other := publish(t, s)
			maps.Copy(m, mapFS(other))
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
	sealed["manifest.json"] = bytes.Replace(sealed["manifest.json"], []byte(`"version": 2`), []byte(`"version": 3`), 1)
	_, err := seal.Open(mapFS(sealed), generatetest.Commitment(sealed))
	if err == nil || !strings.Contains(err.Error(), "where this program reads") {
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
	if _, err := seal.Open(mapFS(bad), c); err == nil || !strings.Contains(err.Error(), name+": longer than") {
		t.Errorf("changed: %v", err)
	}
	delete(bad, name)
	if _, err := seal.Open(mapFS(bad), c); err == nil || !strings.Contains(err.Error(), name+": file does not exist") {
		t.Errorf("missing: %v", err)
	}
}

// TestReadTruth checks that the truth can be read without the other files, and a shard of episodes without verifying
// all files.
func TestReadTruth(t *testing.T) {
	public, sealed := publish(t, session(1, 3, 3))
	c := read(t, public).Manifest.Parents[part.Sealed]
	truth, err := seal.ReadTruth(mapFS(map[string][]byte{"truth.json": sealed["truth.json"], "manifest.json": sealed["manifest.json"]}), c)
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
