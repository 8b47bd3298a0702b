// Package episodes_test tests the commands about episodes to watch: making, watching, importing and exporting them.
package episodes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/battery/bib"
	"achilles/infer/voe"
	"achilles/render/cli"
	"achilles/render/cli/clitest"
	"achilles/sim/longtest"
)

// Helpers of all tests of the command line.
var (
	achilles   = clitest.Achilles
	must       = clitest.Must
	repository = clitest.Repository
	dataFile   = clitest.DataFile
	read       = clitest.Read
	write      = clitest.Write
	tree       = clitest.Tree
	differing  = clitest.Differing
	copyDir    = clitest.CopyDir
	unblinded  = clitest.Unblinded
)

func equal(a, b map[string][]byte) bool { return len(differing(a, b)) == 0 }

func TestMain(m *testing.M) { clitest.Main(m) }

// A grade is the entry of scores.json for an observer and a kind of episode.
type grade struct {
	N             int
	Accuracy, AUC *float64
	Interval      *[2]float64
}

func grades(t *testing.T, dir string) map[string]map[string]grade {
	t.Helper()
	var s struct {
		Observers map[string]map[string]grade
	}
	if err := json.Unmarshal(read(t, filepath.Join(dir, "scores", "scores.json")), &s); err != nil {
		t.Fatal(err)
	}
	return s.Observers
}

// TestWatchedScores runs a dozen episodes of each task from beginning to end, with the settings under which every nuisance
// is balanced and every tie exact. Every observer must have a score under every name that scripts rely on. The observer achilles must be right about all episodes. Every degenerate observer
// must have exactly the score that the design of each task gives it, where ties count half.
func TestWatchedScores(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	out := must(t, "run", "bib", "--set", "episodes=12", "--set", "motion=ideal", "--set", "split=telling", "--tables", "--out", dir)
	observers := grades(t, dir)
	for _, o := range voe.Observers(0) {
		for _, kind := range strings.Fields(`preference multi_agent multi_agent_a multi_agent_b inaccessible_goal efficiency_path efficiency_time
			efficiency_irrational efficiency_irrational_control instrumental_no_barrier instrumental_inconsequential_barrier instrumental_blocking_barrier`) {
			g := observers[o.Name][kind]
			n := 12
			if strings.HasPrefix(kind, "multi_agent_") {
				n = 6
			}
			if g.N != n || g.Accuracy == nil || g.AUC == nil || g.Interval == nil || g.Interval[0] > *g.Accuracy || g.Interval[1] < *g.Accuracy {
				t.Errorf("observers.%s.%s is %+v", o.Name, kind, g)
			}
		}
	}
	for kind, g := range observers["achilles"] {
		if *g.Accuracy != 100 {
			t.Errorf("achilles is right about %.1f %% of %s", *g.Accuracy, kind)
		}
	}
	for observer, row := range designed() {
		for i, task := range bib.Evaluation() {
			if want := row[i]; want >= 0 && *observers[observer][string(task)].Accuracy != want {
				t.Errorf("%s scores %v on %s, by design exactly %v", observer, *observers[observer][string(task)].Accuracy, task, want)
			}
		}
	}
	if a, b := observers["new_agent"]["multi_agent_a"], observers["new_agent"]["multi_agent_b"]; *a.Accuracy != 100 || *b.Accuracy != 0 {
		t.Errorf("new_agent scores %v and %v on the types of multi_agent, by design 100 and 0", *a.Accuracy, *b.Accuracy)
	}
	for _, g := range observers["new_agent"] { // new actors are in as many expected as unexpected videos
		if g.AUC != nil && g.N == 12 && *g.AUC != 50 {
			t.Errorf("the area under the curve of new_agent is %v, by design exactly 50", *g.AUC)
		}
	}
	for _, want := range []string{"168 items to be watched", "best published", "new_agent", "irene_local", "Zhi-Xuan"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if n := strings.Count(string(read(t, filepath.Join(dir, "scores", "episodes.csv"))), "\n"); n != 1+168 {
		t.Errorf("episodes.csv has %d lines", n)
	}
}

// designed returns the accuracy in per cent that the design of each task gives degenerate observers, in the order of
// bib.Evaluation. −1 means that the design does not fix it.
func designed() map[string][]float64 {
	return map[string][]float64{
		"closest_euclid":    {50, 50, 50, 100, 100, 50, 50, -1, -1, 50},
		"closest_path":      {50, 50, 75, 100, 100, 50, 50, 100, 100, -1},
		"previous_location": {0, 50, 50, -1, -1, 50, 50, -1, -1, 50},
		"previous_path":     {0, 50, 50, 0, 0, 50, 50, -1, -1, 50},
		"any_object":        {50, 50, 50, 100, 100, 50, 50, 50, 50, 50},
		"key_first":         {50, 50, 50, 100, 100, 50, 50, 0, 0, 50},
		"key_if_barrier":    {50, 50, 75, 100, 100, 50, 50, 100, 0, 50},
		"goto_object":       {50, 50, -1, 100, 100, 50, 50, 100, 100, 50},
		"duration":          {-1, 50, 50, 100, 50, 50, 50, 50, 50, 50},
		"familiarity":       {-1, 50, 0, 0, 0, 100, 50, -1, -1, -1},
		"new_agent":         {50, 50, 50, 50, 50, 50, 50, 50, 50, 50},
	}
}

// TestWatchedSameBytes checks that neither the number of goroutines nor an interruption changes a byte, and that a
// second run changes nothing.
func TestWatchedSameBytes(t *testing.T) {
	dir := t.TempDir()
	a, b, cut := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "cut")
	args := []string{"run", "bib", "--set", "episodes=2", "--set", `bib.tasks=["preference", "instrumental_blocking_barrier"]`}
	one := must(t, append(args, "--out", a, "--jobs", "1")...)
	must(t, append(args, "--out", b, "--jobs", "3")...)
	whole := tree(t, a)
	if x := tree(t, b); !equal(whole, x) {
		t.Errorf("jobs 1 and 3 differ in %v", differing(whole, x))
	}
	args = append(args, "--out")
	if again := must(t, append(args, a)...); again != one || !equal(whole, tree(t, a)) {
		t.Errorf("the second run changed %v, or prints something else", differing(whole, tree(t, a)))
	}
	ctx, cancel := context.WithCancel(context.Background())
	var errs bytes.Buffer
	stop := clitest.Writer(func(p []byte) (int, error) { cancel(); return errs.Write(p) })
	if code := cli.Run(ctx, cli.Host{}, append(args, cut), io.Discard, stop); code != 130 || !strings.Contains(errs.String(), "interrupted") {
		t.Fatalf("exit %d, stderr %q", code, errs.String())
	}
	must(t, append(args, cut)...)
	if x := tree(t, cut); !equal(whole, x) {
		t.Errorf("a resumed run differs in %v", differing(whole, x))
	}
}

// TestWatchedBlind checks that the observers' results do not depend on sealed files, that score notices a change of any
// file except its own output, and that a result which was made after the seal was opened is marked.
func TestWatchedBlind(t *testing.T) {
	dir := t.TempDir()
	r, other := filepath.Join(dir, "r"), filepath.Join(dir, "other")
	few := []string{"--set", "episodes=1", "--set", `bib.tasks=["preference", "multi_agent", "efficiency_irrational"]`}
	must(t, append([]string{"generate", "bib", "--out", r}, few...)...)
	must(t, append([]string{"generate", "bib", "--out", other, "--seed", "9"}, few...)...)
	var first map[string][]byte
	for _, sealed := range []string{r, "", other} {
		d := filepath.Join(dir, "with-"+filepath.Base(sealed))
		copyDir(t, filepath.Join(r, "public"), filepath.Join(d, "public"))
		if sealed != "" {
			copyDir(t, filepath.Join(sealed, "sealed"), filepath.Join(d, "sealed"))
		}
		must(t, "infer", d)
		if x := tree(t, filepath.Join(d, "inferred")); first == nil {
			first = x
		} else if !equal(first, x) || len(x) < 4 {
			t.Errorf("beside sealed %q the result differs in %v", sealed, differing(first, x))
		}
	}
	must(t, "infer", r)
	must(t, "score", r)
	for name, b := range tree(t, r) {
		if strings.HasPrefix(name, "scores/") {
			continue
		}
		bad := bytes.Clone(b)
		bad[len(bad)/2] ^= 1
		write(t, filepath.Join(r, name), bad)
		if code, _, stderr := achilles(t, "score", r); code != 1 || strings.Count(stderr, "\n") > 2 {
			t.Errorf("%s changed: exit %d, stderr %q", name, code, stderr)
		}
		write(t, filepath.Join(r, name), b)
	}
	if unblinded(t, r) {
		t.Error("the first result is marked unblinded")
	}
	must(t, "infer", r, "--observers", "duration", "--force")
	if must(t, "score", r); !unblinded(t, r) {
		t.Error("a result that was made after the seal was opened is not marked")
	}
}

// TestRealEpisodes imports the benchmark's published episodes: two pairs, and one episode with only an expected video.
// They must be watched and graded. The observer achilles must be right about both pairs, and three degenerate observers
// wrong. An export must give the same bytes.
func TestRealEpisodes(t *testing.T) {
	const one = "bib/000010loe.json"
	data := filepath.Dir(clitest.Data(t, one))
	dir := filepath.Join(t.TempDir(), "real")
	if out := must(t, "import", "bib", data, "--out", dir); !strings.Contains(out, "3 episodes of 2 tasks") {
		t.Errorf("imported: %s", out)
	}
	for name, b := range tree(t, filepath.Join(dir, "public")) {
		if bytes.Contains(b, []byte("000010lo")) {
			t.Errorf("public/%s names a file, and with it what is expected", name)
		}
	}
	must(t, "infer", dir)
	out := must(t, "score", dir, "--tables")
	observers := grades(t, dir)
	for observer, want := range map[string]float64{"achilles": 100, "previous_location": 0, "previous_path": 0, "familiarity": 0} {
		if g := observers[observer]["preference"]; g.N != 2 || *g.Accuracy != want {
			t.Errorf("%s: %+v, want %v", observer, g, want)
		}
	}
	if !strings.Contains(out, "best published") {
		t.Errorf("what was published is not beside\n%s", out)
	}
	back := filepath.Join(t.TempDir(), "episodes")
	must(t, "export", "bib", dir, "--out", back)
	if !bytes.Equal(read(t, filepath.Join(back, "000010loe.json")), dataFile(t, one)) {
		t.Error("a file that was imported and exported again is another")
	}
}

// TestEpisodesThereAndBack checks that episodes which were exported in the benchmark's format and imported again give
// observers the same scores.
func TestEpisodesThereAndBack(t *testing.T) {
	dir := t.TempDir()
	r, files, back := filepath.Join(dir, "r"), filepath.Join(dir, "files"), filepath.Join(dir, "back")
	tasks := `bib.tasks=["multi_agent", "efficiency_irrational", "instrumental_blocking_barrier", "instrumental_action"]`
	must(t, "run", "bib", "--set", "episodes=2", "--set", tasks, "--out", r)
	if out := must(t, "export", "bib", r, "--out", files, "--episodes", "1"); !strings.Contains(out, "7 videos") {
		t.Errorf("exported: %s", out)
	}
	if _, err := os.Stat(filepath.Join(files, "efficiency_irrational")); err != nil {
		t.Error(err)
	}
	faulty, err := filepath.Glob(filepath.Join(files, "multi_agent", "*e.json"))
	if err != nil || len(faulty) != 1 {
		t.Fatal(faulty, err)
	}
	write(t, faulty[0], bytes.Replace(read(t, faulty[0]), []byte(`"blocking": []`), []byte(`"blocking": [1]`), 1))
	code, _, stderr := achilles(t, "import", "bib", files, "--out", back)
	if name := filepath.Base(faulty[0])[:8]; code != 0 || !strings.Contains(stderr, "multi_agent/"+name+": trial 0, frame 0: blocking is not a list") {
		t.Errorf("exit %d; of a fault that can be put right the user is told %q", code, stderr)
	}
	must(t, "infer", back)
	must(t, "score", back)
	watched := func(dir string) map[string]string {
		rows := map[string]string{}
		for _, line := range strings.Split(string(read(t, filepath.Join(dir, "scores", "episodes.csv"))), "\n")[1:] {
			cells := strings.Split(line, ",")
			if len(cells) > 6 {
				task, index := cells[1], cells[2]
				rows[task+" "+index] = strings.Join(slices.Delete(cells[6:], 2, 3), " ") // without the observer random
			}
		}
		return rows
	}
	want, got := watched(r), watched(back)
	if len(got) != 4 {
		t.Fatalf("%d episodes came back", len(got))
	}
	for name, row := range got {
		if row != want[name] {
			t.Errorf("%s: observers are %s, were %s", name, row, want[name])
		}
	}
}

// TestOutsideObservers checks that observers can take part as a program, as a program that reads, by a file of answers, and
// by a folder of answers. Those of docs/examples, which the long suite starts, expect actors to want what they wanted; those
// that stand in for them judge by how long an actor moves, as the observer called duration.
func TestOutsideObservers(t *testing.T) {
	program, reader := clitest.Program(t)+" observer.py", clitest.Program(t)+" reader.py"
	right := map[string]float64{"efficiency_path": 100, "efficiency_time": 50}
	if longtest.On() {
		if _, err := exec.LookPath("/usr/bin/python3"); err != nil {
			t.Skip("no python3 to run docs/examples/observer.py with")
		}
		examples := filepath.Join(repository(t), "docs", "examples")
		program, reader = "/usr/bin/python3 "+filepath.Join(examples, "observer.py"), "/usr/bin/python3 "+filepath.Join(examples, "reader.py")
		right = map[string]float64{"preference": 100, "efficiency_time": 50}
	}
	dir := t.TempDir()
	r := filepath.Join(dir, "r")
	tasks := `"` + strings.Join(slices.Sorted(maps.Keys(right)), `", "`) + `"`
	must(t, "generate", "bib", "--set", "episodes=4", "--set", "bib.tasks=["+tasks+"]", "--out", r)
	questions, answers := filepath.Join(dir, "questions.jsonl"), filepath.Join(dir, "answers", "answers.jsonl")
	must(t, "export", "videos", r, "--out", questions)
	command := strings.Fields(program)
	asked := exec.Command(command[0], command[1:]...)
	asked.Stdin = bytes.NewReader(read(t, questions))
	text, err := asked.Output()
	if err != nil {
		t.Fatal(err)
	}
	write(t, answers, text)
	watch := []string{"infer", r, "--observers", "duration", "--outside", "mine=" + program, "--reader", "reads=" + reader,
		"--surprises", "file=" + answers, "--surprises", "folder=" + filepath.Dir(answers)}
	must(t, watch...)
	out := must(t, "score", r, "--tables")
	observers := grades(t, r)
	for _, name := range []string{"mine", "reads", "file", "folder"} {
		for task, want := range right {
			if g := observers[name][task]; g.N != 4 || *g.Accuracy != want {
				t.Errorf("%s: %s: %+v, want %v", name, task, g, want)
			}
		}
	}
	if len(observers) != 5 || !strings.Contains(out, "folder") || unblinded(t, r) {
		t.Errorf("%d observers, blind %v in\n%s", len(observers), !unblinded(t, r), out)
	}
	must(t, watch...)
	write(t, answers, bytes.Replace(text, []byte("1"), []byte("2"), 1))
	if code, _, stderr := achilles(t, "infer", r, "--surprises", "file="+answers); code != 1 || !strings.Contains(stderr, "exists already") {
		t.Errorf("other answers are taken for the same: exit %d, %s", code, stderr)
	}
}

// TestBrokenFiles checks that a file which cannot be read stops an import, unless --skip-broken leaves it out.
func TestBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	r, files := filepath.Join(dir, "r"), filepath.Join(dir, "files")
	must(t, "generate", "bib", "--set", "episodes=2", "--set", `bib.tasks=["single_object"]`, "--out", r)
	must(t, "export", "bib", r, "--out", files)
	write(t, filepath.Join(files, "background", "single_object", "000000coe.json"), []byte("[[]]"))
	code, _, stderr := achilles(t, "import", "bib", files, "--out", filepath.Join(dir, "back"))
	if code != 1 || !strings.Contains(stderr, "single_object/000000coe.json: ") || !strings.Contains(stderr, "--skip-broken") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	code, out, stderr := achilles(t, "import", "bib", files, "--skip-broken", "--out", filepath.Join(dir, "back"))
	if code != 0 || !strings.Contains(out, "1 episodes of 1 tasks") || !strings.Contains(stderr, "left out: background/single_object/000000coe.json") {
		t.Errorf("exit %d, %q, stderr %q", code, out, stderr)
	}
}

// TestWatchedMistakes checks the errors for wrong commands about episodes.
func TestWatchedMistakes(t *testing.T) {
	dir := t.TempDir()
	r, empty := filepath.Join(dir, "r"), filepath.Join(dir, "empty")
	must(t, "generate", "bib", "--set", "episodes=1", "--out", r)
	broken := filepath.Join(dir, "broken", "preference")
	write(t, filepath.Join(broken, "000001loe.json"), []byte("[]"))
	write(t, filepath.Join(empty, "readme.txt"), nil)
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"wrong key", []string{"run", "bib", "--set", "bib.episode=3", "--out", dir}, 1, "unknown key: did you mean episodes?"},
		{"no episodes", []string{"run", "bib", "--set", "episodes=0", "--out", dir}, 1, "key bib.episodes: want a whole number from 1"},
		{"layout", []string{"run", "bib", "--layout", "op"}, 2, "--layout"},
		{"layout of episodes", []string{"infer", r, "--layout", "op"}, 2, "--layout"},
		{"observers of a battery", []string{"run", "quickstart", "--observers", "achilles"}, 2, "--observers"},
		{"wrong observer", []string{"infer", r, "--observers", "achiles"}, 1, `no observer is called "achiles": did you mean achilles?`},
		{"no program", []string{"infer", r, "--outside", "mine"}, 2, "want NAME=PROGRAM"},
		{"no program that reads", []string{"infer", r, "--reader", "=cat"}, 1, `observer ""`},
		{"neither pixels nor text", []string{"export", "videos", r, "--form", "words", "--out", filepath.Join(dir, "x")}, 2, `--form "words": want pixels or text`},
		{"program that is not there", []string{"infer", r, "--outside", "mine=/no/such/program"}, 1, "observer mine"},
		{"name of another", []string{"infer", r, "--outside", "hbtom=cat"}, 1, `observer "hbtom"`},
		{"questions for answers", []string{"infer", r, "--surprises", "mine=" + filepath.Join(r, "public", "manifest.json")}, 1, "line 1"},
		{"no answers", []string{"infer", r, "--surprises", "mine=none"}, 1, "no answers at none"},
		{"no result yet", []string{"score", r}, 1, "no inference yet\nachilles: hint: achilles infer " + r + " lets observers watch"},
		{"no figures yet", []string{"export", "figures", r, "--out", filepath.Join(dir, "x")}, 1, "no figures yet\nachilles: hint: achilles infer " + r + " lets"},
		{"no figure yet", []string{"export", "figure", "observers", r, "--out", filepath.Join(dir, "x.svg")}, 1, "no figures yet\nachilles: hint: achilles infer " + r + " lets"},
		{"no draws yet", []string{"export", r, "--format", "cmdstan", "--out", filepath.Join(dir, "x")}, 1, "no inference yet"},
		{"import of nothing", []string{"import", "bib", filepath.Join(dir, "none"), "--out", dir}, 1, "is not a folder"},
		{"import of other files", []string{"import", "bib", empty, "--out", filepath.Join(dir, "x")}, 1, "no file has a name as in the benchmark"},
		{"import of a broken file", []string{"import", "bib", filepath.Dir(broken), "--out", filepath.Join(dir, "x")}, 1, "preference/000001loe.json: 0 trials; want 9"},
		{"import without a place", []string{"import", "bib", empty}, 2, "--out"},
		{"export of a battery", []string{"export", "bib", filepath.Join(dir, "none"), "--out", filepath.Join(dir, "x")}, 1, "there is no directory"},
		{"analysis of episodes", []string{"analyse", r, "--out", filepath.Join(dir, "x")}, 1, "no responses to describe"},
		{"wrong kind of import", []string{"import", "bob", empty, "--out", filepath.Join(dir, "x")}, 1, "bob: no such file or directory"},
	} {
		code, _, stderr := achilles(t, c.args...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d; stderr %q, want %q in it", c.name, code, c.code, stderr, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(r, "inferred")); err == nil {
		t.Error("a mistake has left a result")
	}
	if out := must(t, "scenarios", "check", "bib", "--set", "episodes=1000"); !strings.Contains(out, fmt.Sprintf("%d episodes", 14*1000)) {
		t.Errorf("check prints %s", out)
	}
	if code, _, stderr := achilles(t, "scenarios", "check", "bib", "--set", `observers=["me"]`); code != 1 || !strings.Contains(stderr, "inference.observers") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	must(t, "infer", r, "--observers", "duration,achilles", "--moments", "0")
	if code, _, stderr := achilles(t, "export", r, "--format", "cmdstan", "--out", filepath.Join(dir, "x")); code != 1 || !strings.Contains(stderr, "no posterior draws") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	must(t, "export", r, "--out", filepath.Join(dir, "csv"))
	if n := strings.Count(string(read(t, filepath.Join(dir, "csv", "surprises.csv"))), "\n"); n != 1+2*24 {
		t.Errorf("surprises.csv has %d lines", n)
	}
}
