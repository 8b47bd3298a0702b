package cli_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"achilles/sim/longtest"
)

// TestReadmeExcerpt checks that the README shows what the quick start prints, on a screen of 24 lines of 80 characters, and that
// the quick start has its subjects as bodies, whose episodes can be drawn. -update rewrites the excerpt.
func TestReadmeExcerpt(t *testing.T) {
	if !longtest.On() && !*update {
		t.Skip("a whole quick start takes twenty seconds of processor time: -long runs it")
	}
	path := filepath.Join(repository(t), "README.md")
	text := string(read(t, path))
	const mark = "<!-- excerpt of: achilles run -->\n```\n"
	before, rest, ok := strings.Cut(text, mark)
	excerpt, after, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("README.md has no excerpt")
	}
	t.Chdir(t.TempDir())
	dir := filepath.Join("results", "quickstart")
	printed := must(t, "run")
	if lines := strings.Split(strings.TrimSuffix(printed, "\n"), "\n"); len(lines) > 24 {
		t.Errorf("%d lines", len(lines))
	} else if k := slices.IndexFunc(lines, func(l string) bool { return utf8.RuneCountInString(l) > 80 }); k >= 0 {
		t.Errorf("longer than 80 characters: %s", lines[k])
	}
	must(t, "export", "figure", "profiles", dir, "--out", "profiles.svg")
	holdPicture(t, "quickstart-profiles.svg", read(t, "profiles.svg"), sameLabels)
	if b := read(t, filepath.Join(dir, "report", "classifications.svg")); !bytes.HasPrefix(b, []byte("<svg ")) {
		t.Error("the picture of the report is none")
	}
	must(t, "export", "png", dir, "--subject", "burnt", "--item", "worlds-000001", "--out", "burnt.png")
	if *update {
		write(t, path, []byte(before+mark+printed+"```"+after))
		return
	}
	if excerpt != printed {
		t.Errorf("the README shows\n%s\nbut what is printed is\n%s", excerpt, printed)
	}
}
