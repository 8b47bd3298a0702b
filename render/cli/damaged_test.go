package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// actedRun has the results of a run of two bodies in dir.
func actedRun(t *testing.T, dir string) {
	t.Helper()
	clitest.Once(t, dir, "run", "embodied", "--set", "battery.items=12", "--set", "population[0].count=2", "--draws", "100", "--warmup", "50")
}

// TestDamagedPublic checks that every command that reads a directory refuses a public file which was changed, cut
// short, lengthened or removed. The commands must do so even if they would not read the file, and the error must have
// the name of the file and a hint. Nothing may be written.
func TestDamagedPublic(t *testing.T) {
	dir := t.TempDir()
	acted, watched := filepath.Join(dir, "acted"), filepath.Join(dir, "watched")
	actedRun(t, acted)
	must(t, "run", "bib", "--set", "episodes=1", "--out", watched)
	infer := func(dir string, args ...string) []string { // with the seed of the run
		return append([]string{"infer", "--force", dir, "--seed", inferredSeed(t, dir)}, args...)
	}
	for _, c := range []struct {
		dir   string
		lines [][]string
	}{
		{acted, [][]string{
			infer(acted, "--layout", "embodied", "--draws", "100", "--warmup", "50"),
			{"view", acted, "--subject", "nobody"}, {"score", acted}, {"report", acted}, {"export", acted, "--out", filepath.Join(dir, "x")},
			{"export", "strip", acted, "--subject", "body-001", "--item", "worlds-000005", "--out", filepath.Join(dir, "x.png")},
		}},
		{watched, [][]string{
			infer(watched), {"view", watched, "--item", "nothing"}, {"score", watched}, {"export", "videos", watched, "--out", filepath.Join(dir, "x")},
			{"export", "png", watched, "--item", "preference 000000", "--out", filepath.Join(dir, "x.png")},
		}},
	} {
		before := tree(t, c.dir)
		for name, b := range before {
			if !strings.HasPrefix(name, "public/") || name == "public/manifest.json" {
				continue
			}
			flipped := bytes.Clone(b)
			flipped[len(b)/3] ^= 4
			path := filepath.Join(c.dir, name)
			for why, put := range map[string]func(){
				"changed since it was written": func() { write(t, path, flipped) },
				"truncated":                    func() { write(t, path, b[:len(b)/2]) },
				"longer than":                  func() { write(t, path, append(flipped, 0)) },
				"file does not exist":          func() { _ = os.Remove(path) },
			} {
				put()
				for _, line := range c.lines {
					code, _, stderr := achilles(t, line...)
					if code != 1 || !strings.Contains(stderr, filepath.Join(c.dir, "public")+": "+strings.TrimPrefix(name, "public/")+": "+why) || !strings.Contains(stderr, "hint: regenerate ") {
						t.Errorf("%s %s: %s: exit %d, %s", name, why, strings.Join(line, " "), code, stderr)
					}
				}
			}
			write(t, path, b)
		}
		must(t, slices.DeleteFunc(slices.Clone(c.lines[0]), func(word string) bool { return word == "--force" })...) // has nothing to do
		if after := tree(t, c.dir); !equal(before, after) {
			t.Errorf("what was refused has changed %v", differing(before, after))
		}
	}
}

// TestEditedDirectory checks that commands refuse an edited ledger, and manifests and files whose digests are not those
// in the ledger, before they write anything.
func TestEditedDirectory(t *testing.T) {
	dir := t.TempDir()
	acted := filepath.Join(dir, "acted")
	actedRun(t, acted)
	lines := [][]string{
		{"export", acted, "--out", filepath.Join(dir, "x")},
		{"export", acted, "--format", "cmdstan", "--out", filepath.Join(dir, "x")},
		{"export", "figures", acted, "--out", filepath.Join(dir, "x")},
		{"export", "strip", acted, "--subject", "body-001", "--item", "worlds-000005", "--out", filepath.Join(dir, "x.png")},
		{"analyse", acted, "--out", filepath.Join(dir, "x")},
	}
	for _, c := range []struct {
		file, from, to, want string
		lines                [][]string
	}{
		{"ledger.json", `"generate"`, `"import"`, "the ledger was edited", lines},
		{"ledger.json", "{", "[", "acted: ledger: ", lines},
		{"public/manifest.json", "  ", " \t", filepath.Join(acted, "public") + " differs from the record in the ledger", lines},
		{"scores/scores.json", "0.", "1.", "scores/scores.json: changed since it was written", lines},
		{"scores/manifest.json", "  ", " \t", filepath.Join(acted, "scores") + " differs from the record in the ledger", lines},
		{"inferred/profiles.csv", "0.", "1.", "inferred/profiles.csv", lines[:3]},
		{"inferred/manifest.json", `"version": 3`, `"version": 9`, "version 9", lines[:3]},
	} {
		path := filepath.Join(acted, filepath.FromSlash(c.file))
		was := read(t, path)
		now := bytes.Replace(was, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(was, now) {
			t.Fatalf("%s has no %q", c.file, c.from)
		}
		write(t, path, now)
		for _, line := range c.lines {
			if code, out, stderr := achilles(t, line...); code != 1 || out != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("%s: %s: exit %d, %s%s", c.file, strings.Join(line, " "), code, out, stderr)
			}
		}
		write(t, path, was)
	}
	for _, line := range lines[:4] {
		must(t, append(line, "--force")...)
	}
}

// inferredSeed returns the seed of the inference in a results directory.
func inferredSeed(t *testing.T, dir string) string {
	t.Helper()
	var m struct{ Settings struct{ Seed string } }
	if err := json.Unmarshal(read(t, filepath.Join(dir, "inferred", "manifest.json")), &m); err != nil {
		t.Fatal(err)
	}
	return m.Settings.Seed
}

// TestDamagedRest checks that a damaged file of the inferred part is refused, and that damage in the sealed part is
// reported and the picture drawn without sealed values. Both messages name the file.
func TestDamagedRest(t *testing.T) {
	replays := filepath.Join(repository(t), "render/replay/testdata")
	for _, c := range []struct{ of, file, want string }{
		{"embodied", "sealed/truth.json", "nothing sealed is shown: sealed: truth.json was changed"},
		{"embodied", "inferred/draws.parquet", "inferred/draws.parquet: changed since"},
		{"bib", "inferred/surprises.parquet", "inferred/surprises.parquet: changed since"},
		{"bib", "inferred/moments/000000.parquet", "inferred/moments/000000.parquet: changed since"},
	} {
		dir := filepath.Join(t.TempDir(), "r")
		copyDir(t, filepath.Join(replays, c.of), dir)
		b := read(t, filepath.Join(dir, c.file))
		b[len(b)/2] ^= 1
		write(t, filepath.Join(dir, c.file), b)
		for _, args := range [][]string{{"export", "png", dir, "--item", "preference 000000", "--out", filepath.Join(t.TempDir(), "x.png")}, {"view", dir, "--item", "nothing"}} {
			code, _, stderr := achilles(t, args...)
			if !strings.Contains(stderr, "achilles: "+dir+": ") || !strings.Contains(stderr, c.want) {
				t.Errorf("%s: %s: %s", c.file, args[0], stderr)
			}
			if refused := strings.Contains(stderr, "rerun achilles infer"); refused != strings.HasPrefix(c.file, "inferred") || refused && code != 1 {
				t.Errorf("%s: %s: exit %d, %s", c.file, args[0], code, stderr)
			}
		}
	}
}
