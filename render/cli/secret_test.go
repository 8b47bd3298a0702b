package cli_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/cryptotest"

	"achilles/render/cli"
	"achilles/render/cli/clitest"
)

// truthOf returns the root seed and the salt that are sealed in a results directory.
func truthOf(t *testing.T, dir string) (root, salt string) {
	t.Helper()
	var truth struct{ Root, Salt string }
	if err := json.Unmarshal(read(t, filepath.Join(dir, "sealed", "truth.json")), &truth); err != nil {
		t.Fatal(err)
	}
	return truth.Root, truth.Salt
}

// trioRun returns the arguments of a small run.
func trioRun(t *testing.T, dir string, more ...string) []string {
	return append([]string{"run", trio(t), "--out", dir}, more...)
}

// TestRootStaysSealed checks that no file outside sealed/ contains the root seed or the salt, in any of several ways to
// write them.
func TestRootStaysSealed(t *testing.T) {
	const root = 18364758544493064720
	dir := t.TempDir()
	seed := strconv.FormatUint(root, 10)
	answered, watched := filepath.Join(dir, "answered"), filepath.Join(dir, "watched")
	must(t, trioRun(t, answered, "--seed", seed)...)
	must(t, "run", "bib", "--set", "episodes=1", "--seed", seed, "--out", watched)
	for _, d := range []string{answered, watched} {
		sealed, salt := truthOf(t, d)
		raw, err := hex.DecodeString(salt)
		if err != nil || sealed != seed {
			t.Fatalf("sealed are %s and %s", sealed, salt)
		}
		secrets := []string{seed, strconv.FormatUint(root, 16), salt, string(raw),
			string(binary.LittleEndian.AppendUint64(nil, root)), string(binary.BigEndian.AppendUint64(nil, root))}
		for name, b := range tree(t, d) {
			for _, s := range secrets {
				if !strings.HasPrefix(name, "sealed/") && bytes.Contains(b, []byte(s)) {
					t.Errorf("%s/%s has the secret %q", filepath.Base(d), name, s)
				}
			}
		}
		if inferredSeed(t, d) == "" {
			t.Error("the result names no seed")
		}
	}
}

// TestDrawnSeed checks that a drawn seed differs between directories, is sealed, and is kept if a run is stopped or
// repeated. With --force, another seed is drawn.
func TestDrawnSeed(t *testing.T) {
	cryptotest.SetGlobalRandom(t, 1)
	dir := t.TempDir()
	a, b, cut := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "cut")
	must(t, trioRun(t, a, "--seed", "drawn")...)
	before := tree(t, a)
	first, _ := truthOf(t, a)
	must(t, trioRun(t, a, "--seed", "drawn")...)
	if after := tree(t, a); !equal(before, after) {
		t.Errorf("repeated, it changes %v", differing(before, after))
	}
	must(t, trioRun(t, b, "--set", "seed=drawn")...)
	if second, _ := truthOf(t, b); second == first || len(first) < 10 || len(second) < 10 {
		t.Errorf("drawn are %s and %s", first, second)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var errs bytes.Buffer
	stop := clitest.Writer(func(p []byte) (int, error) { cancel(); return errs.Write(p) })
	if code := cli.Run(ctx, cli.Host{}, trioRun(t, cut, "--seed", "drawn"), io.Discard, stop); code != 130 {
		t.Fatalf("exit %d, %s", code, errs.String())
	}
	root, _ := truthOf(t, cut)
	must(t, trioRun(t, cut, "--seed", "drawn")...)
	if again, _ := truthOf(t, cut); again != root {
		t.Errorf("stopped with the root seed %s, it went on with %s", root, again)
	}
	must(t, trioRun(t, cut, "--seed", "drawn", "--force")...)
	if anew, _ := truthOf(t, cut); anew == root {
		t.Error("--force draws the same again")
	}
	for name := range tree(t, cut) {
		if strings.HasPrefix(name, ".drawn") {
			t.Errorf("%s is left", name)
		}
	}
	known := filepath.Join(dir, "known")
	must(t, trioRun(t, known, "--seed", "5")...)
	if code, _, stderr := achilles(t, trioRun(t, known, "--seed", "drawn")...); code != 1 || !strings.Contains(stderr, "exists already") {
		t.Errorf("a seed that somebody gave is taken for a drawn one: exit %d, %s", code, stderr)
	}
	if code, _, stderr := achilles(t, trioRun(t, a, "--seed", "abc")...); code != 2 || !strings.Contains(stderr, "want a whole number from 0, or drawn") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
