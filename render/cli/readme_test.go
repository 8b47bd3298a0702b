package cli_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"achilles/sim/longtest"
)

// TestReadmeExcerpt checks that the excerpt in the README agrees with the result in a sentence, the recovery, the verdicts and
// the profiles that the quick start prints. -update rewrites the excerpt.
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
	dir := t.TempDir()
	made := filepath.Join(dir, "r")
	out := must(t, "run", "--out", made)
	runEnds(t, made, out)
	must(t, "export", "figure", "profiles", made, "--out", filepath.Join(dir, "profiles.svg"))
	holdPicture(t, "quickstart-profiles.svg", read(t, filepath.Join(dir, "profiles.svg")), sameLabels)
	sentence, _, _ := strings.Cut(out[strings.Index(out, "\n\n")+2:], "\n")
	want := sentence + "\n\n" + section(t, out, "Recovery:") + "\n" + section(t, out, "Verdicts:") + "\n" + section(t, out, "Profiles:")
	if *update {
		write(t, path, []byte(before+mark+want+"```"+after))
		return
	}
	if excerpt != want {
		t.Errorf("the README shows\n%s\nbut what is printed is\n%s", excerpt, want)
	}
}

// runEnds checks the end of a run's output: the result in a sentence, the paths of the pictures, and the next command.
// It also checks that the quick start has its subjects as bodies, whose episodes can be drawn.
func runEnds(t *testing.T, dir, out string) {
	t.Helper()
	_, end, _ := strings.Cut(out, "\nthe same subjects as bodies, to be watched, in "+dir+"/episodes\n")
	for _, want := range []string{"held-out Brier score ", "report in " + dir + "/report/index.html\n", "picture in " + dir + "/report/verdicts.svg\n", "next: achilles view " + dir + "\n"} {
		if !strings.Contains(end, want) {
			t.Errorf("the run ends without %q:\n%s", want, end)
		}
	}
	if b := read(t, filepath.Join(dir, "report", "verdicts.svg")); !bytes.HasPrefix(b, []byte("<svg ")) {
		t.Error("the picture is none")
	}
	must(t, "export", "png", dir, "--subject", "burnt", "--item", "worlds-000001", "--out", filepath.Join(t.TempDir(), "burnt.png"))
}

// section returns the part of the output that begins with a title and ends before an empty line.
func section(t *testing.T, out, title string) string {
	t.Helper()
	_, rest, ok := strings.Cut(out, "\n"+title)
	if !ok {
		t.Fatalf("no section %s in\n%s", title, out)
	}
	body, _, _ := strings.Cut(title+rest, "\n\n")
	var b strings.Builder
	for line := range strings.Lines(body) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}
