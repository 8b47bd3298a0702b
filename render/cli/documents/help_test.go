package documents_test

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"achilles/render/cli/clitest"
)

// TestHelpExamples checks that every example in the help succeeds in a directory with results of the quick start and a
// user's own files, and that what it prints, on either stream, is no wider than a terminal of 60 characters.
func TestHelpExamples(t *testing.T) {
	help := string(clitest.Read(t, filepath.Join("..", "testdata", "help.txt")))
	var lines []string
	for _, section := range regexp.MustCompile(`(?s)\nExamples:\n(.*?)\n\n`).FindAllStringSubmatch(help, -1) {
		for _, m := range commandLine.FindAllStringSubmatch(section[1], -1) {
			if !slices.Contains(lines, m[1]) {
				lines = append(lines, m[1])
			}
		}
	}
	if len(lines) < 15 {
		t.Fatalf("only %d examples found", len(lines))
	}
	made := filepath.Join(t.TempDir(), "results")
	quickstart, analysis, bib, embodied := filepath.Join(made, "quickstart"), filepath.Join(made, "quickstart-analysis"), filepath.Join(made, "bib"), filepath.Join(made, "embodied")
	clitest.SmallRun(t, quickstart)
	graded := filepath.Join(t.TempDir(), "graded")
	clitest.Graded(t, graded)
	clitest.Must(t, "run", clitest.Trio(t), "--out", quickstart, "--shard", "0/1")
	config := filepath.Join(t.TempDir(), "few.toml")
	clitest.Write(t, config, []byte(clitest.Few))
	clitest.Must(t, "analyse", quickstart, "--config", config, "--out", analysis)
	clitest.Must(t, "run", "bib", "--set", "episodes=1", "--set", "bib.tasks=[\"preference\"]", "--out", bib)
	clitest.Once(t, embodied, quick(t, "achilles run embodied")...)
	mine := []byte(clitest.Must(t, "layouts", "show", "op", "--toml"))
	for _, line := range lines {
		t.Run(strings.ReplaceAll(line, "/", "-"), func(t *testing.T) {
			dir := t.TempDir()
			if strings.Contains(line, "task_codes.csv") || strings.Contains(line, "results/aaio") {
				clitest.Write(t, filepath.Join(dir, "task_codes.csv"), clitest.DataFile(t, "aaio/task_codes.csv"))
				clitest.Write(t, filepath.Join(dir, "scores_all.csv"), entrants(t))
			}
			if strings.Contains(line, "import bib") {
				clitest.Must(t, "export", "bib", bib, "--out", filepath.Join(dir, "episodes"))
			}
			if !strings.HasPrefix(line, "achilles run") && !strings.HasPrefix(line, "achilles predict") && !strings.HasPrefix(line, "achilles generate") {
				for _, from := range []string{quickstart, analysis, bib, embodied} {
					if name := filepath.Base(from); slices.ContainsFunc(strings.Fields(line), func(arg string) bool { return path.Base(arg) == name || strings.HasPrefix(arg, "results/"+name+"/") }) {
						clitest.CopyDir(t, from, filepath.Join(dir, "results", name))
					}
				}
			}
			if strings.HasPrefix(line, "achilles predict") { // of demands, which the layout of the others does not have
				clitest.CopyDir(t, graded, filepath.Join(dir, "results", "quickstart"))
				clitest.Write(t, filepath.Join(dir, "new.csv"), []byte("timeUnderOcclusion,numPositions,occluder,goalSize,goalDistance,rightLeft,lava,ramp,platform\n4,11,1,4,50,0,0,0,0\n"))
			}
			t.Chdir(dir)
			clitest.Write(t, "few.toml", []byte(clitest.Few))
			clitest.Write(t, "mine.toml", mine)
			examples := []string{"docs/examples/matrix.csv"} // the table of results/matrix
			for _, arg := range strings.Fields(line) {
				if strings.HasPrefix(arg, "docs/examples/") {
					examples = append(examples, arg)
				}
			}
			for _, name := range examples {
				clitest.Write(t, filepath.FromSlash(name), clitest.Read(t, filepath.Join(clitest.Repository(t), filepath.FromSlash(name))))
			}
			if strings.Contains(line+" ", " results/matrix ") && !strings.HasPrefix(line, "achilles import") && !strings.HasPrefix(line, "achilles ask") {
				clitest.Must(t, "import", "docs/examples/matrix.csv", "--out", "results/matrix")
			}
			if strings.HasPrefix(line, "achilles next results/matrix") {
				clitest.Must(t, "infer", "results/matrix", "--layout", "rasch", "--draws", "100", "--warmup", "50")
			}
			if strings.Contains(line, "score results/aaio") {
				clitest.Must(t, "import", "--items", "task_codes.csv", "--responses", "scores_all.csv", "--mapping", "aaio", "--out", "results/aaio")
				clitest.Must(t, "infer", "results/aaio", "--layout", "constant", "--no-predict", "--draws", "100", "--warmup", "50")
			}
			if strings.Contains(line, "--prior-from results/navigation") { // the same subjects, as if in another battery
				clitest.CopyDir(t, graded, "results/navigation")
				clitest.Must(t, "export", "results/navigation", "--out", "tables")
				clitest.Must(t, "import", "--items", "tables/items.csv", "--responses", "tables/responses.csv", "--out", "results/permanence")
			}
			if strings.HasPrefix(line, "achilles score labels") {
				clitest.Must(t, "export", "states", "results/embodied", "--out", "judged")
				clitest.Write(t, "labels.csv", []byte(labelled(t, "judged/states.jsonl")))
			}
			args := quick(t, line)
			if args[0] == "play" {
				args = append(args, fewItems(args)...)
			}
			if args[0] == "infer" || args[0] == "analyse" {
				args = append(args, "--force") // the directory has a result already
			}
			if args[0] == "study" && !slices.Contains(args, "ctest") {
				clitest.Must(t, "study", "ctest", "--items", "4", "--out", "studies/ctest")
				studied(t, args)
				return
			}
			if args[0] == "view" {
				interrupted(t, "(interrupt to end)", args...)
				return
			}
			t.Setenv("COLUMNS", "60")
			code, out, said := clitest.Achilles(t, args...)
			if code != 0 {
				t.Fatalf("exit %d\n%s", code, said)
			}
			if forPrograms.MatchString(line) {
				out = ""
			}
			for _, l := range strings.Split(out+said, "\n") {
				long := slices.ContainsFunc(strings.Fields(l), func(word string) bool { return utf8.RuneCountInString(word) > 40 }) // which nothing can break
				if utf8.RuneCountInString(l) > 60 && !long {
					t.Errorf("wider than 60 characters: %s", l)
				}
			}
		})
	}
}

// labelled returns labels of the states in a file.
func labelled(t *testing.T, file string) string {
	t.Helper()
	text := "state,goalDistance\n"
	for i, m := range regexp.MustCompile(`"state":"(\w+)"`).FindAllStringSubmatch(string(clitest.Read(t, file)), -1) {
		text += fmt.Sprintf("%s,%d\n", m[1], i%7)
	}
	return text
}

// forPrograms matches commands that print what other programs read.
var forPrograms = regexp.MustCompile(`--format (csv|json|md|html|latex)|--toml|--dot|scenarios show|layouts new`)
