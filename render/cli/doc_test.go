package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"achilles/render/cli"
	"achilles/sim/longtest"
)

// dataFile reads a file of the data folder. It skips the test if there is none.
func dataFile(t *testing.T, name string) []byte {
	t.Helper()
	data := os.Getenv("ACHILLES_DATA")
	if data == "" {
		data = filepath.Join(repository(t), "..", "shared", "data")
	}
	b, err := os.ReadFile(filepath.Join(data, name))
	if err != nil {
		t.Skipf("no data folder at %s: set ACHILLES_DATA", data)
	}
	return b
}

func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// quick returns the arguments of a command line of the documents, changed so that the command has fewer items and draws
// and is quick enough for a test.
func quick(line string) []string {
	line = strings.Replace(line, "go run . ", "achilles ", 1)
	args := word.FindAllString(line, -1)[1:]
	for i, a := range args {
		args[i] = strings.Trim(strings.ReplaceAll(a, `"`, ""), `'`)
	}
	if slices.ContainsFunc(args, func(a string) bool {
		return a == "bib" || strings.HasPrefix(a, "results/bib") || a == "results/watched"
	}) {
		if args[0] == "run" || args[0] == "generate" {
			args = append(args, "--set", "episodes=1")
		}
		return args
	}
	sampling := []string{"--draws", "150", "--warmup", "100"}
	if args[0] == "run" && args[len(args)-1] == "embodied" { // enough items for the bodies and worlds that the documents name
		return append(append(args, "--set", "battery.items=120", "--set", "population[0].count=15", "--layout", "constant"), sampling...)
	}
	if slices.Equal(args, []string{"run", "2pl"}) { // its figures are of what its own layout drew
		return append(append(args, "--set", "battery.items=6", "--set", "battery.subjects=8"), sampling...)
	}
	switch args[0] {
	case "run":
		if !slices.Contains(args, "--bank") {
			args = append(args, "--bank", "none") // fitting a bank takes long; TestBank tests banks
		}
		return append(append(args, "--set", "battery.sample=60", "--layout", "constant"), sampling...)
	case "generate":
		return append(args, "--set", "battery.sample=60")
	case "infer":
		return append(append(args, "--layout", "constant"), sampling...)
	case "analyse":
		if slices.Contains(args, "models.toml") { // the next commands of this document draw figures of abilities
			return append(args, "--config", "abilities.toml")
		}
		return append(args, "--config", "few.toml")
	case "export":
		if args[1] == "figure" && args[2] == "recovery" {
			args[2] = "profiles" // the layout of these tests has no capability to recover
		}
		if args[1] == "figure" && args[2] == "size" { // likewise; this figure takes two directories, profiles one
			args = slices.Delete(slices.Replace(args, 2, 3, "profiles"), 4, 5)
		}
	}
	return args
}

// fewItems returns further arguments for play: it reads keys from the standard input, which has none in a test, and
// makes few items.
func fewItems(args []string) []string {
	if slices.Contains(args, "ctest") {
		return []string{"--text"}
	}
	return []string{"--text", "--set", "battery.items=16"}
}

// few is a configuration of analyse with one model and few resamplings.
const few = "replicates = 10\npermutations = 10\n[prediction]\nmodels = [\"majority\"]\n"

// abilities is a configuration of analyse with two models that measure abilities, few resamplings and one split.
const abilities = "replicates = 10\npermutations = 10\n[prediction]\nmodels = [\"irt\", \"camilla_base\"]\nskills = [\"Sex_female\", \"Sex_male\"]\nsplits = 1\n"

// titanic returns the tables of docs/guide/abilities.md: the responses, and the skills with the names of the items.
func titanic(t *testing.T) (responses, skills []byte) {
	t.Helper()
	responses = dataFile(t, "camilla/titanic.csv")
	names := strings.Split(string(responses), "\n")
	for i, l := range strings.Split(string(dataFile(t, "camilla/titanic_sample_class.csv")), "\n") {
		if l != "" {
			name, _, _ := strings.Cut(names[i], ",")
			skills = append(skills, name+","+l+"\n"...)
		}
	}
	return responses, skills
}

// word matches an argument of a command line, which may have quotes in it.
var word = regexp.MustCompile(`(?:[^\s"]|"[^"]*")+`)

// saved matches a file that a document tells its reader to save: its name and its text.
var saved = regexp.MustCompile("(?s)Save\\s+this as `([^`]+)`[^\n]*:\n\n```toml\n(.*?)```")

var commandLine = regexp.MustCompile(`(?m)^\s*(achilles [a-z].*|go run \. .*)$`)

// commandLines returns the commands of achilles in the code blocks of a document.
func commandLines(text string) (lines []string) {
	for i, block := range strings.Split(text, "```") {
		if i%2 == 1 {
			for _, m := range commandLine.FindAllStringSubmatch(block, -1) {
				line, _, _ := strings.Cut(m[1], " #")
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	return lines
}

// TestDocuments checks that every command of the README and the tutorials succeeds, in the order of the page.
func TestDocuments(t *testing.T) {
	made := t.TempDir()
	for _, name := range []string{"README.md", "docs/guide/your-data.md", "docs/guide/animal-ai.md", "docs/guide/abilities.md", "docs/guide/report.md", "docs/guide/pictures.md", "docs/guide/viewer.md", "docs/guide/start.md", "docs/guide/your-agent.md", "docs/guide/cluster.md", "docs/theory/collectives.md", "docs/theory/ctest.md"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			page := string(read(t, filepath.Join(repository(t), name)))
			lines := commandLines(page)
			if len(lines) < 3 {
				t.Fatalf("%d commands found in %s", len(lines), name)
			}
			files := map[string][]byte{"task_codes.csv": nil, "scores_all.csv": nil}
			for name := range files {
				files[name] = dataFile(t, "aaio/"+name)
			}
			files["titanic.csv"], files["skills.csv"] = titanic(t)
			for _, example := range []string{"agent.py", "observer.py"} {
				files[example] = read(t, filepath.Join(repository(t), "docs", "examples", example))
			}
			examples := os.DirFS(filepath.Join(repository(t), "docs", "examples"))
			t.Chdir(t.TempDir())
			if err := os.CopyFS(filepath.Join("docs", "examples"), examples); err != nil {
				t.Fatal(err)
			}
			for name, b := range files {
				write(t, name, b)
			}
			write(t, "few.toml", []byte(few))
			write(t, "abilities.toml", []byte(abilities))
			for _, m := range saved.FindAllStringSubmatch(page, -1) {
				write(t, m[1], []byte(m[2]))
			}
			for _, line := range lines {
				switch args := quick(line); args[0] {
				case "view":
					interrupted(t, "building the viewer", args...)
				case "play":
					must(t, append(args, fewItems(args)...)...)
				case "run":
					run(t, made, args)
				default:
					must(t, args...)
				}
			}
		})
	}
}

// run runs a command of a document. If it makes the directory results/SCENARIO of a shipped scenario, a copy is kept below made
// for later pages that begin with the same command: they get the copy.
func run(t *testing.T, made string, args []string) {
	t.Helper()
	dir, kept := filepath.Join("results", args[1]), filepath.Join(made, strings.Join(args, " "))
	if _, err := os.Stat(dir); err == nil || strings.HasPrefix(args[1], "-") || strings.HasSuffix(args[1], ".toml") || slices.Contains(args, "--out") {
		must(t, args...)
		return
	}
	from, to := kept, dir
	if _, err := os.Stat(kept); err != nil {
		must(t, args...)
		from, to = dir, kept
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// TestHelpExamples checks that every example in the help succeeds in a directory with results of the quick start and a
// user's own files.
func TestHelpExamples(t *testing.T) {
	help := string(read(t, "testdata/help.txt"))
	var lines []string
	for _, section := range regexp.MustCompile(`(?s)\nExamples:\n(.*?)\n\n`).FindAllStringSubmatch(help, -1) {
		for _, m := range commandLine.FindAllStringSubmatch(section[1], -1) {
			lines = append(lines, m[1])
		}
	}
	if len(lines) < 15 {
		t.Fatalf("only %d examples found", len(lines))
	}
	made := t.TempDir()
	smallRun(t, filepath.Join(made, "results", "quickstart"))
	must(t, "run", "bib", "--set", "episodes=1", "--set", "bib.tasks=[\"preference\"]", "--out", filepath.Join(made, "results", "bib"))
	smallRun(t, filepath.Join(made, "results", "quickstart"), "--shard", "0/1")
	write(t, filepath.Join(made, "few.toml"), []byte(few))
	must(t, "analyse", filepath.Join(made, "results", "quickstart"), "--config", filepath.Join(made, "few.toml"), "--out", filepath.Join(made, "results", "quickstart-analysis"))
	must(t, "run", "embodied", "--set", "battery.items=16", "--set", "population[0].count=7", "--draws", "100", "--warmup", "50", "--out", filepath.Join(made, "results", "embodied"))
	write(t, filepath.Join(made, "mine.toml"), []byte(must(t, "layouts", "show", "op", "--toml")))
	for _, line := range lines {
		t.Run(strings.ReplaceAll(line, "/", "-"), func(t *testing.T) {
			dir := t.TempDir()
			if strings.Contains(line, "task_codes.csv") || strings.Contains(line, "results/aaio") {
				for _, table := range []string{"task_codes.csv", "scores_all.csv"} {
					write(t, filepath.Join(dir, table), dataFile(t, "aaio/"+table))
				}
			}
			if strings.Contains(line, "import bib") {
				must(t, "export", "bib", filepath.Join(made, "results", "bib"), "--out", filepath.Join(dir, "episodes"))
			}
			if !strings.HasPrefix(line, "achilles run") && !strings.HasPrefix(line, "achilles generate") {
				copyDir(t, made, dir)
			}
			t.Chdir(dir)
			write(t, "few.toml", []byte(few))
			if strings.Contains(line, "score results/aaio") {
				must(t, "import", "--items", "task_codes.csv", "--responses", "scores_all.csv", "--mapping", "aaio", "--out", "results/aaio")
				must(t, "infer", "results/aaio", "--layout", "constant", "--no-predict", "--draws", "100", "--warmup", "50")
			}
			args := quick(line)
			if args[0] == "play" {
				args = append(args, fewItems(args)...)
			}
			if args[0] == "infer" || args[0] == "analyse" {
				args = append(args, "--force") // the directory has a result already
			}
			if args[0] == "layouts" && args[1] == "check" && len(args) > 3 {
				args = append(args, "--subjects", "4")
			}
			if args[0] == "view" {
				interrupted(t, "building the viewer", args...)
				return
			}
			must(t, args...)
		})
	}
}

// interrupted runs a command that would go on for ever, without a display, and interrupts it when it has printed the
// text `said`. The test fails if the command does not report the interruption and exit with 130.
func interrupted(t *testing.T, said string, args ...string) {
	t.Helper()
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := &listener{said: said, do: cancel}
	code := cli.Run(ctx, args, io.Discard, w)
	if ctx.Err() == nil || !strings.Contains(w.text.String(), "interrupted") || code != 130 {
		t.Errorf("achilles %s: exit %d\n%s", strings.Join(args, " "), code, &w.text)
	}
}

// A listener is a writer that calls do whenever something is written and all text so far contains `said`.
type listener struct {
	said string
	do   func()
	text bytes.Buffer
}

func (l *listener) Write(b []byte) (int, error) {
	l.text.Write(b)
	if strings.Contains(l.text.String(), l.said) {
		l.do()
	}
	return len(b), nil
}

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
