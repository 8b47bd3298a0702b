package results_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/store"
)

// A small has the files of a public and of a sealed part. Its manifests have a commitment and one file.
type small struct{ public, commitment, sealed string }

func (s small) put(d *results.Dir, force bool) error { return d.PutPublic("generate", force, s.files) }

func (s small) files(create results.Create) error {
	if s.sealed != "" {
		if err := create.Put(seal.SealedPart, "episodes/0", []byte(s.sealed)); err != nil {
			return err
		}
	}
	f := part.NewFile("worlds/0", []byte(s.public))
	manifest := fmt.Sprintf(`{"format": "achilles-public", "version": 2, "files": [{"path": %q, "bytes": %d, "sha256": %q}], "sealed": %q,
			"features": [], "measures": [{"name": "success", "family": "binary"}]}`, f.Path, f.Bytes, f.SHA256, s.commitment)
	return create.PutAll(map[string][]byte{"worlds/0": []byte(s.public), "manifest.json": []byte(manifest)})
}

// TestPutPublic publishes again and again in one directory, where something was inferred from the first data.
func TestPutPublic(t *testing.T) {
	first := small{"a", digest('1'), "truth"}
	for _, c := range []struct {
		name            string
		second          small
		inferred, force bool
		refused, stays  bool // stays: what was inferred is still there
	}{
		{name: "equal", second: first, inferred: true, stays: true},
		{name: "other data", second: small{"b", digest('1'), "truth"}, refused: true, inferred: true, stays: true},
		{name: "other data by force", second: small{"b", digest('1'), "truth"}, force: true, inferred: true},
		{name: "another truth", second: small{"a", digest('2'), "true"}},
		{name: "another truth after inference", second: small{"a", digest('2'), "true"}, refused: true, inferred: true, stays: true},
		{name: "no truth", second: small{"a", "", ""}, inferred: true, force: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			d, err := results.Make(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if err := first.put(d, false); err != nil {
				t.Fatal(err)
			}
			if c.inferred {
				if err := d.Write(seal.InferredPart, map[string][]byte{"x": nil}, false); err != nil {
					t.Fatal(err)
				}
			}
			err = c.second.put(d, c.force)
			if errors.Is(err, store.ErrExists) != c.refused || err != nil && !c.refused {
				t.Fatalf("second time: %v", err)
			}
			want := c.second
			if c.refused {
				want = first
			}
			if d.Has(seal.InferredPart) != c.stays {
				t.Errorf("inferred part: there is %v, want %v", d.Has(seal.InferredPart), c.stays)
			}
			if public, err := d.ReadFile("public/worlds/0"); err != nil || string(public) != want.public {
				t.Errorf("public %q (%v), want %q", public, err, want.public)
			}
			if sealed, err := d.ReadFile("sealed/episodes/0"); string(sealed) != want.sealed || (err != nil) != (want.sealed == "") {
				t.Errorf("sealed %q (%v), want %q", sealed, err, want.sealed)
			}
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if !slices.Contains([]string{"ledger.json", seal.PublicPart, seal.SealedPart, seal.InferredPart}, e.Name()) {
					t.Errorf("left behind: %s", filepath.Join(dir, e.Name()))
				}
			}
		})
	}
}

// TestPutPublicStopped checks that a publication that fails changes nothing.
func TestPutPublicStopped(t *testing.T) {
	d, err := results.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	full := errors.New("the disk is full")
	err = d.PutPublic("generate", true, func(create results.Create) error {
		return errors.Join(create.Put(seal.SealedPart, "episodes/0", []byte("truth")), create.Put(seal.PublicPart, "worlds/0", nil), full)
	})
	if !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
	for _, name := range []string{seal.PublicPart, seal.SealedPart, ".public.partial", ".sealed.partial", "ledger.json"} {
		if d.Has(name) {
			t.Errorf("%s is there", name)
		}
	}
}

func digest(c byte) string { return string(slices.Repeat([]byte{c}, 64)) }

// TestPutPublicAfterKill checks that the truth that a killed process was writing, or replacing, does not stay beside data without
// truth.
func TestPutPublicAfterKill(t *testing.T) {
	dir := t.TempDir()
	d, err := results.Make(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, part := range []string{".sealed.partial", ".sealed.old"} {
		if err := os.Mkdir(filepath.Join(dir, part), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, part, "truth.json"), []byte("truth"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := (small{"a", "", ""}).put(d, true); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "public" && e.Name() != "ledger.json" && e.Name() != ".lock" {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// TestNothingUnlisted checks that nothing is published that the manifest does not list, and that what is published tells nothing by its
// times and permissions.
func TestNothingUnlisted(t *testing.T) {
	dir := t.TempDir()
	d, err := results.Make(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	err = d.PutPublic("generate", false, func(create results.Create) error {
		if err := create.Put(seal.PublicPart, "hint/x", nil); err != nil {
			return err
		}
		return small{"a", digest('1'), "truth"}.files(create)
	})
	if err == nil || !strings.Contains(err.Error(), "public/hint is in no manifest") || d.Has(seal.PublicPart) {
		t.Errorf("a file that no manifest lists: %v", err)
	}
	if err := (small{"a", digest('1'), "truth"}).put(d, false); err != nil {
		t.Fatal(err)
	}
	n := 0
	err = filepath.Walk(filepath.Join(dir, "public"), func(path string, info fs.FileInfo, err error) error {
		if err != nil {
			return err
		}
		n++
		if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o644 && mode != 0o755 || !info.ModTime().Equal(store.Settled) {
			t.Errorf("%s: %s, %s", path, info.Mode(), info.ModTime().UTC())
		}
		return nil
	})
	if err != nil || n != 4 {
		t.Errorf("%d files and folders (%v)", n, err)
	}
}

// TestPublicShowsBytesOnly plants what no byte of a listed file says beside and in a public part, and looks at it as an inference does.
func TestPublicShowsBytesOnly(t *testing.T) {
	dir := t.TempDir()
	d, err := results.Make(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := (small{"a", digest('1'), "truth"}).put(d, false); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "public", "worlds", "0")
	at := time.Unix(1_000_000_007, 0)
	if err := errors.Join(os.Chtimes(file, at, at), os.Chmod(file, 0o640), os.WriteFile(filepath.Join(dir, "public", ".cache"), []byte("truth"), 0o644),
		os.MkdirAll(filepath.Join(dir, "public", "x", "one-fraudster"), 0o755), os.Link(filepath.Join(dir, "sealed", "episodes", "0"), filepath.Join(dir, "public", "t"))); err != nil {
		t.Fatal(err)
	}
	public, err := d.Public()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".", "worlds", ".cache", "x", "x/one-fraudster", "t", "../sealed/episodes/0", "/etc/passwd", ""} {
		if f, err := public.Open(name); err == nil {
			t.Errorf("%q can be opened", name)
			f.Close()
		}
	}
	if list, err := fs.ReadDir(public, "."); err == nil {
		t.Errorf("the folder lists %v", list)
	}
	info, err := fs.Stat(public, "worlds/0")
	if err != nil || !info.ModTime().IsZero() || info.Mode() != 0o444 || info.Sys() != nil || info.Size() != 1 || info.Name() != "0" {
		t.Errorf("the file is %+v (%v)", info, err)
	}
	if b, err := fs.ReadFile(public, "worlds/0"); string(b) != "a" || err != nil {
		t.Errorf("it has %q (%v)", b, err)
	}
}
