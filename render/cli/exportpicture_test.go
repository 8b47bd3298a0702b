package cli_test

import (
	"bytes"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportPictures checks that the commands write files of the right format and size, and the same bytes every time.
func TestExportPictures(t *testing.T) {
	acted, watched := filepath.Join(repository(t), "render/replay/testdata/embodied"), filepath.Join(repository(t), "render/replay/testdata/bib")
	dir := t.TempDir()
	for _, c := range []struct {
		name          string
		args          []string
		width, height int
	}{
		{"moment.png", []string{"png", acted, "--subject", "body-002", "--item", "worlds-000005", "--tick", "hidden", "--width", "320", "--height", "250"}, 320, 250},
		{"watched.png", []string{"png", watched, "--item", "preference 000000", "--tick", "test", "--without", "goals,sight"}, 1280, 720},
		{"strip.png", []string{"strip", acted, "--subject", "body-002", "--item", "worlds-000005", "--frames", "2", "--columns", "5", "--width", "300", "--height", "200"}, 8 + 2*308, 46 + 216 + 76}, // a title above, a legend of three lines below
		{"film.gif", []string{"gif", acted, "--subject", "body-001", "--item", "worlds-000005", "--from", "hidden", "--width", "240", "--height", "200"}, 240, 200},
		{"watched.gif", []string{"gif", watched, "--item", "preference 000000", "--from", "test", "--speed", "8", "--width", "240", "--height", "200"}, 240, 200},
	} {
		out := filepath.Join(dir, c.name)
		args := append(append([]string{"export"}, c.args...), "--out", out)
		must(t, args...)
		first := read(t, out)
		decode := png.DecodeConfig
		if strings.HasSuffix(c.name, ".gif") {
			decode = gif.DecodeConfig
		}
		got, err := decode(bytes.NewReader(first))
		if err != nil || got.Width != c.width || got.Height != c.height {
			t.Errorf("%s is %d × %d (%v), want %d × %d", c.name, got.Width, got.Height, err, c.width, c.height)
		}
		if code, _, stderr := achilles(t, args...); code != 1 || !strings.Contains(stderr, "--force") {
			t.Errorf("%s over what is there: exit %d, %q", c.name, code, stderr)
		}
		must(t, append(args, "--force")...)
		if !bytes.Equal(read(t, out), first) {
			t.Errorf("%s has other bytes the second time", c.name)
		}
	}
}

func TestExportPictureMistakes(t *testing.T) {
	acted, watched := filepath.Join(repository(t), "render/replay/testdata/embodied"), filepath.Join(repository(t), "render/replay/testdata/bib")
	dir := t.TempDir()
	smallRun(t, filepath.Join(dir, "r"))
	out := filepath.Join(dir, "x.png")
	whole := []string{"--subject", "body-002", "--item", "worlds-000005", "--out", out}
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no item", []string{"png", acted, "--out", out}, 2, "--item"},
		{"no file", []string{"png", acted, "--item", "worlds-000005"}, 2, "--out"},
		{"another ending", []string{"gif", acted, "--item", "worlds-000005", "--out", out}, 2, ".gif"},
		{"no subject", []string{"png", acted, "--item", "worlds-000005", "--out", out}, 2, "--subject body-00"},
		{"unknown subject", []string{"png", acted, "--subject", "body-02", "--item", "worlds-000005", "--out", out}, 1, "did you mean body-002?\nachilles: hint: achilles view "},
		{"unknown item", []string{"png", acted, "--subject", "body-002", "--item", "words-000005", "--out", out}, 1, "did you mean worlds-000005?"},
		{"unlike any subject", []string{"gif", acted, "--subject", "nobody", "--item", "worlds-000005", "--out", filepath.Join(dir, "x.gif")}, 1, "no subject nobody; there is body-001, body-002"},
		{"unlike any item", []string{"strip", acted, "--subject", "body-002", "--item", "nothing", "--out", out}, 1, "no item nothing; there is worlds-000001"},
		{"a subject of what is watched", []string{"png", watched, "--subject", "nobody", "--item", "preference 000000", "--out", out}, 1, "these episodes are watched"},
		{"nobody to view", []string{"view", acted, "--subject", "nobody"}, 1, "no subject nobody; there is body-001, body-002"},
		{"nothing to view", []string{"view", watched, "--item", "nothing"}, 1, "no item nothing; there is "},
		{"a typo to view", []string{"view", acted, "--item", "world-000005"}, 1, "did you mean worlds-000005?\nachilles: hint: without --subject and --item"},
		{"no such trial", append([]string{"png", acted, "--repetition", "1"}, whole...), 2, "count from 0"},
		{"no such moment", append([]string{"png", acted, "--tick", "lunch"}, whole...), 2, "hidden"},
		{"too late", append([]string{"png", acted, "--tick", "9999"}, whole...), 2, "0 to"},
		{"too small", append([]string{"png", acted, "--width", "3"}, whole...), 2, "at least 200"},
		{"unknown overlay", append([]string{"png", acted, "--without", "hope"}, whole...), 2, "sight, belief"},
		{"no moments", append([]string{"strip", acted, "--frames", "0"}, whole...), 2, "at least 1"},
		{"backwards", []string{"gif", acted, "--subject", "body-002", "--item", "worlds-000005", "--from", "20", "--to", "10", "--out", filepath.Join(dir, "x.gif")}, 2, "from tick 20 to 10"},
		{"no episodes", []string{"png", filepath.Join(dir, "r"), "--item", "x", "--out", out}, 1, "no episodes"},
		{"no directory", []string{"png", dir, "--item", "x", "--out", out}, 1, "not a results directory"},
	} {
		args := c.args
		if args[0] != "view" {
			args = append([]string{"export"}, args...)
		}
		code, _, stderr := achilles(t, args...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d; stderr %q, want %q in it", c.name, code, c.code, stderr, c.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a picture was written after all")
	}
}
