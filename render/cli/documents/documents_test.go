// Package documents_test runs the commands of the documents and of the help.
package documents_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
	"achilles/sim/longtest"
)

func TestMain(m *testing.M) { clitest.Main(m) }

// abilities is a configuration of analyse with two models that measure abilities, few resamplings and one split.
const abilities = "replicates = 10\npermutations = 10\n[prediction]\nmodels = [\"irt\", \"camilla_base\"]\nskills = [\"Sex_female\", \"Sex_male\"]\nsplits = 1\n"

// titanic returns the tables of docs/guide/abilities.md: the responses, and the skills with the names of the items.
func titanic(t *testing.T) (responses, skills []byte) {
	t.Helper()
	responses = clitest.DataFile(t, "camilla/titanic.csv")
	names := strings.Split(string(responses), "\n")
	for i, l := range strings.Split(string(clitest.DataFile(t, "camilla/titanic_sample_class.csv")), "\n") {
		if l != "" {
			name, _, _ := strings.Cut(names[i], ",")
			skills = append(skills, name+","+l+"\n"...)
		}
	}
	return responses, skills
}

// entrants returns the table of the responses of docs/guide/animal-ai.md, outside the long suite of the first five entrants only.
func entrants(t *testing.T) []byte {
	t.Helper()
	table := clitest.DataFile(t, "aaio/scores_all.csv")
	if longtest.On() {
		return table
	}
	return []byte(strings.Join(strings.SplitAfter(string(table), "\n")[:6], ""))
}

// saved matches a file that a document tells its reader to save: its name and its text.
var saved = regexp.MustCompile("(?s)Save\\s+this as `([^`]+)`[^\n]*:\n\n```toml\n(.*?)```")

// pages lists the documents whose commands are run.
var pages = []string{"README.md", "docs/guide/ask.md", "docs/guide/irt.md", "docs/guide/your-data.md", "docs/guide/starts.md", "docs/guide/study.md", "docs/guide/eval-logs.md", "docs/guide/animal-ai.md", "docs/guide/arenas.md", "docs/guide/abilities.md", "docs/guide/report.md", "docs/guide/pictures.md", "docs/guide/viewer.md",
	"docs/guide/start.md", "docs/guide/your-agent.md", "docs/guide/cluster.md", "docs/theory/bib.md", "docs/theory/collectives.md", "docs/theory/ctest.md"}

// TestDocuments checks that every command of the README and the tutorials succeeds, in the order of the page.
func TestDocuments(t *testing.T) {
	for _, name := range pages {
		t.Run(filepath.Base(name), func(t *testing.T) {
			page := string(clitest.Read(t, filepath.Join(clitest.Repository(t), name)))
			lines := commandLines(page)
			if len(lines) < 3 {
				t.Fatalf("%d commands found in %s", len(lines), name)
			}
			t.Chdir(t.TempDir())
			files(t, page)
			for _, line := range lines {
				switch args := quick(t, line); args[0] {
				case "study":
					studied(t, args)
				case "view":
					interrupted(t, "(interrupt to end)", args...)
				case "play":
					clitest.Must(t, append(args, fewItems(args)...)...)
				case "run":
					run(t, args)
				default:
					clitest.Must(t, args...)
				}
			}
		})
	}
}

// files writes into the working directory what the commands of a page need: tables, programs, the benchmark's episodes, and
// what the page tells its reader to save.
func files(t *testing.T, page string) {
	t.Helper()
	clitest.Write(t, "task_codes.csv", clitest.DataFile(t, "aaio/task_codes.csv"))
	clitest.Write(t, "scores_all.csv", entrants(t))
	responses, skills := titanic(t)
	clitest.Write(t, "titanic.csv", responses)
	clitest.Write(t, "skills.csv", skills)
	examples := filepath.Join(clitest.Repository(t), "docs", "examples")
	clitest.CopyDir(t, examples, filepath.Join("docs", "examples"))
	for _, name := range []string{"agent.py", "observer.py", "reader.py"} {
		clitest.Write(t, name, clitest.Read(t, filepath.Join(examples, name)))
	}
	clitest.Write(t, "few.toml", []byte(clitest.Few))
	clitest.Write(t, "abilities.toml", []byte(abilities))
	for _, m := range saved.FindAllStringSubmatch(page, -1) {
		clitest.Write(t, m[1], []byte(programs(t, m[2])))
	}
	if strings.Contains(page, " FOLDER ") { // generated episodes stand for the benchmark's own files
		clitest.Must(t, "generate", "bib", "--set", "episodes=1", "--set", `bib.tasks=["preference"]`, "--out", "published")
		clitest.Must(t, "export", "bib", "published", "--out", "FOLDER")
	}
}

// run runs a command of a document. A page that begins with a command which another page has run gets a copy of what that
// made.
func run(t *testing.T, args []string) {
	t.Helper()
	dir := filepath.Join("results", scenarioOf(args))
	_, err := os.Stat(dir)
	if err == nil || strings.HasSuffix(dir, ".toml") || slices.Contains(args, "--out") {
		clitest.Must(t, args...)
		return
	}
	clitest.Once(t, dir, args...)
}
