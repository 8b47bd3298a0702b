package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/sim/part"
)

// piecesOf returns the files of finished fits in a directory, and of which fit each is.
func piecesOf(t *testing.T, dir string) (names []string, pieces map[string]part.Piece) {
	t.Helper()
	pieces = map[string]part.Piece{}
	for name, b := range tree(t, filepath.Join(dir, ".pieces")) {
		p, err := part.ReadPiece(b)
		if err != nil {
			t.Fatal(err)
		}
		names, pieces[name] = append(names, name), p
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(pieces[a].Of, pieces[b].Of) })
	return names, pieces
}

// edited changes the first number behind a key in the head of a fit.
func edited(t *testing.T, content []byte, key string) []byte {
	t.Helper()
	i := bytes.Index(content, []byte(`"`+key+`":`))
	if i < 0 {
		t.Fatalf("no %s in %.80s", key, content)
	}
	out := bytes.Clone(content)
	i = bytes.IndexByte(out[i:], '.') + i + 3
	out[i] = '0' + (out[i]-'0'+1)%10
	return out
}

// TestEditedPieces checks that finished fits of a stopped inference are believed only if they are as they were written, of the subject
// whose name they have, and agree with their draws: otherwise the fit is done again, infer says so, and the result has the same bytes.
func TestEditedPieces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	must(t, "generate", trio(t), "--out", dir)
	infer := []string{"infer", dir, "--layout", "constant", "--draws", "100", "--warmup", "50"}
	must(t, append(infer, "--shard", "0/1")...)
	must(t, infer...)
	want := tree(t, filepath.Join(dir, "inferred"))
	names, pieces := piecesOf(t, filepath.Join(dir, "shards", "0-of-1"))
	one, two := names[0], names[2] // the fits of the first two subjects to all their responses
	if !strings.HasSuffix(pieces[one].Of, " all") || !strings.HasSuffix(pieces[two].Of, " all") || pieces[one].Of == pieces[two].Of {
		t.Fatalf("pieces of %q and %q", pieces[one].Of, pieces[two].Of)
	}
	flip := func(b []byte) []byte {
		b = bytes.Clone(b)
		b[len(b)-3] ^= 1
		return b
	}
	again := func(content []byte) []byte { return part.NewPiece(pieces[one].Key, pieces[one].Of, content).Encode() }
	for _, c := range []struct {
		why   string
		piece []byte
		said  string
	}{
		{"an edited mean", edited(t, pieces[one].Encode(), "Mean"), "it was changed since it was written"},
		{"a bit of a draw", flip(pieces[one].Encode()), "it was changed since it was written"},
		{"the fit of another subject", pieces[two].Encode(), "it is the result of " + pieces[two].Of},
		{"an edited mean with its digest", again(edited(t, pieces[one].Content, "Mean")), "has a mean, SD or quantile that differs from that of its draws"},
		{"an edited quantile with its digest", again(edited(t, pieces[one].Content, "Q95")), "has a mean, SD or quantile that differs from that of its draws"},
		{"a bit of a draw with its digest", again(flip(pieces[one].Content)), "has a mean, SD or quantile that differs from that of its draws"},
		{"the fit of another subject with name and digest", again(pieces[two].Content), "it has results of another subject"},
		{"no draws", again(pieces[one].Content[:len(pieces[one].Content)-8]), "another number of draws"},
		{"a piece of an older version", []byte("{\"key\":\"form 9\"}\n"), "it is not a piece of this version"},
		{"nothing wrong", pieces[one].Encode(), ""},
	} {
		must(t, "merge", dir)
		write(t, filepath.Join(dir, ".pieces", one), c.piece)
		if err := os.RemoveAll(filepath.Join(dir, "inferred")); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := achilles(t, infer...)
		if code != 0 || !equal(want, tree(t, filepath.Join(dir, "inferred"))) {
			t.Errorf("%s: exit %d, the result differs: %s", c.why, code, stderr)
		}
		if said := strings.Contains(stderr, "the stored result of "+pieces[one].Of+" is computed again: "); said != (c.said != "") || !strings.Contains(stderr, c.said) {
			t.Errorf("%s: %s", c.why, stderr)
		}
	}
}

// relisted makes the manifest of a shard list its pieces as they are now.
func relisted(t *testing.T, dir string, keep func(name string) bool) {
	t.Helper()
	m, err := part.ReadManifest(os.DirFS(dir), part.Shard)
	if err != nil {
		t.Fatal(err)
	}
	m.Files = []part.File{}
	pieces := tree(t, filepath.Join(dir, ".pieces"))
	for _, name := range sortedNames(pieces) {
		if keep(name) {
			m.Add(".pieces/"+name, pieces[name], nil)
		}
	}
	write(t, filepath.Join(dir, part.ManifestFile), m.Encode())
}

func sortedNames(files map[string][]byte) (names []string) {
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestMergeRefusesPieces checks that shards whose manifests fit their pieces are refused if these are too few, in two shards, of another
// run or edited, and that merge names the rule.
func TestMergeRefusesPieces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	must(t, "generate", trio(t), "--out", dir)
	infer := []string{"infer", dir, "--layout", "constant", "--draws", "100", "--warmup", "50"}
	for _, shard := range []string{"0/2", "1/2"} {
		must(t, append(infer, "--shard", shard)...)
	}
	all := func(string) bool { return true }
	for _, c := range []struct {
		why  string
		edit func(dir, piece string, b []byte, other string, ob []byte)
		want string
	}{
		{"empty", func(dir, _ string, _ []byte, _ string, _ []byte) {
			relisted(t, dir, func(string) bool { return false })
		}, "the shards have 4 pieces, the run has 6"},
		{"overlapping", func(dir, _ string, _ []byte, other string, ob []byte) {
			write(t, filepath.Join(dir, ".pieces", other), ob)
			relisted(t, dir, all)
		}, "both have piece .pieces/"},
		{"the result of another shard under the name of its own", func(dir, piece string, _ []byte, _ string, ob []byte) {
			write(t, filepath.Join(dir, ".pieces", piece), ob)
			relisted(t, dir, all)
		}, "which has another name"},
		{"edited", func(dir, piece string, b []byte, _ string, _ []byte) {
			write(t, filepath.Join(dir, ".pieces", piece), append(b, 0))
			relisted(t, dir, all)
		}, "it was changed since it was written"},
		{"edited, not listed", func(dir, piece string, b []byte, _ string, _ []byte) {
			write(t, filepath.Join(dir, ".pieces", piece), append(b, 0))
		}, "differs from the one that the shard finished with"},
		{"of another run", func(dir, piece string, b []byte, _ string, _ []byte) {
			p, err := part.ReadPiece(b)
			if err != nil {
				t.Fatal(err)
			}
			p.Key = strings.Repeat("0", 64)
			write(t, filepath.Join(dir, ".pieces", piece), p.Encode())
			relisted(t, dir, all)
		}, "it is outdated"},
		{"a file that is no piece", func(dir, _ string, _ []byte, _ string, _ []byte) {
			m, err := part.ReadManifest(os.DirFS(dir), part.Shard)
			if err != nil {
				t.Fatal(err)
			}
			m.Add("shards/x", []byte("x"), nil)
			write(t, filepath.Join(dir, "shards", "x"), []byte("x"))
			write(t, filepath.Join(dir, part.ManifestFile), m.Encode())
		}, "pieces are below .pieces"},
	} {
		copied := filepath.Join(t.TempDir(), "r")
		copyDir(t, dir, copied)
		first, second := filepath.Join(copied, "shards", "0-of-2"), filepath.Join(copied, "shards", "1-of-2")
		names, pieces := piecesOf(t, second)
		others, theirs := piecesOf(t, first)
		c.edit(second, names[0], pieces[names[0]].Encode(), others[0], theirs[others[0]].Encode())
		code, _, stderr := achilles(t, "merge", copied)
		if code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %s", c.why, code, stderr)
		}
	}
	must(t, "generate", trio(t), "--seed", "5", "--out", dir, "--force")
	if code, _, stderr := achilles(t, "merge", dir); code != 1 || !strings.Contains(stderr, "the shards are outdated: they are made from another public part") {
		t.Errorf("other data: exit %d, %s", code, stderr)
	}
	var m map[string]any
	if err := json.Unmarshal(read(t, filepath.Join(dir, "shards", "0-of-2", part.ManifestFile)), &m); err != nil || m["format"] != "achilles-shard" {
		t.Errorf("%v, %v", m["format"], err)
	}
}
