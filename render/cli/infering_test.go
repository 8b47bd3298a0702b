package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"achilles/agents"
	"achilles/infer/analysis"
	"achilles/infer/layout"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/setting"
	"achilles/sim/conf"
)

// TestManualOfSettings checks that the manual's tables of settings are those that their lists make.
func TestManualOfSettings(t *testing.T) {
	analysed := analysis.Default()
	for _, c := range []struct {
		page, section string
		set           *setting.Set
	}{
		{"scenarios.md", "inference", newMeasuring().set},
		{"scenarios.md", "adaptive", setting.Of(scenario.NewAdaptive())},
		{"scenarios.md", "agent", setting.Of(agents.NewLanguageModel())},
		{"analysis.md", "", setting.Of(&analysed)},
	} {
		page, begin, end := "../../docs/reference/"+c.page, "<!-- settings: "+cmp.Or(c.section, "all")+" -->\n", "<!-- end -->"
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, found := strings.Cut(string(text), begin)
		got, after, closed := strings.Cut(rest, end)
		want := "\n" + c.set.Markdown(c.section) + "\n"
		switch {
		case !found || !closed:
			t.Errorf("%s has no block %s…%s", page, begin, end)
		case got == want:
		case flag.Lookup("update").Value.String() == "true":
			if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s has other settings; -update rewrites them. Want:\n%s", page, want)
		}
	}
}

// TestDocumentedInference checks the sections [inference] of the documentation.
func TestDocumentedInference(t *testing.T) {
	files, err := filepath.Glob("../../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			root, err := conf.Parse(file, block[1])
			if err != nil || !root.Has("inference") {
				continue // other tests judge it
			}
			sections++
			root.Skip(root.Keys()...)
			newMeasuring().read(root.Table("inference"), root.Has("bib"))
			if err := root.Err(); err != nil {
				t.Error(err)
			}
		}
	}
	if sections < 3 {
		t.Errorf("only %d sections were found", sections)
	}
}

// TestLayoutsAreParsedOnce executes commands that need layouts, in the order in which a user does, and counts how often each parses the same
// text.
func TestLayoutsAreParsedOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	few := "permutations = 20\nreplicates = 20\n[prediction]\nmodels = [\"global\"]\nsplits = 1\nmax_rows = 100\n"
	if err := os.WriteFile("few.toml", []byte(few), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"scenarios check 2pl",
		"generate 2pl --set battery.items=6 --set battery.subjects=8 --out made",
		"run 2pl --seed 2 --set battery.items=6 --set battery.subjects=8 --draws 100 --warmup 50 --out all",
		"report all --force",
		"compare all",
		"next all",
		"design all --runs 2 --items 2",
		"layouts list",
		"layouts show 2pl",
		"layouts compare made 2pl rasch",
		"layouts check 2pl",
		"export figures all --out pictures",
		"verify all --refit 1",
		"generate quickstart --set battery.sample=20 --set inference.layout=op-fixed --out quick",
		"infer quick --layout op-fixed --engine laplace",
		"layouts check op-fixed quick --subjects 3",
		"analyse quick --layout op-fixed --layout constant --config few.toml --out judged",
		"predict quick --grid numPositions=0,5",
		"next quick",
		"score quick",
	} {
		parsed := map[string]int{}
		read := &layout.Library{Parse: func(file, text string) (*layout.Layout, error) {
			parsed[text]++
			return layout.Parse(file, text)
		}}
		var said bytes.Buffer
		a := &app{console: &console{stdout: &said, stderr: &said, status: new(status)}, layouts: read}
		root := rootCommand(a)
		root.SetArgs(strings.Fields(command))
		if err := root.ExecuteContext(context.Background()); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, &said)
		}
		if len(parsed) == 0 && !strings.HasPrefix(command, "compare") && !strings.HasPrefix(command, "generate quick") {
			t.Errorf("%s: no layout was read", command)
		}
		for text, n := range parsed {
			if n > 1 {
				t.Errorf("%s parses a layout %d times: %.60s", command, n, text)
			}
		}
	}
}

// TestZeroIsAValue checks that a scenario and a flag can say that no beliefs are kept, and that without either 60 are.
func TestZeroIsAValue(t *testing.T) {
	for _, c := range []struct {
		section, flag string
		want          int
	}{{"", "", 60}, {"moments = 0", "", 0}, {"moments = 5", "--moments=0", 0}, {"moments = 0", "--moments=7", 7}} {
		root, err := conf.Parse("f.toml", "[inference]\n"+c.section)
		if err != nil {
			t.Fatal(err)
		}
		m, flags := newMeasuring(), pflag.NewFlagSet("infer", pflag.ContinueOnError)
		m.set.Flags(flags)
		if err := flags.Parse(strings.Fields(c.flag)); err != nil {
			t.Fatal(err)
		}
		m.read(root.Table("inference"), true)
		j, err := m.inferring(&app{}, false, true)
		if err != nil || j.Moments != c.want {
			t.Errorf("%q and %q keep %d, want %d (%v)", c.section, c.flag, j.Moments, c.want, err)
		}
	}
}

// TestLayoutNotHere asks for the layouts of results that kept no text: one that has changed since, and one of the user's own.
func TestLayoutNotHere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"public": `{}`, "inferred": `{"settings":{"layout":{"name":"op-fixed"}}}`} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "manifest.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for name, want := range map[string]string{"op-fixed": "achilles infer " + dir + " --layout op-fixed --force", "mine": "name its file with --layout"} {
		var hint *results.Hint
		if err := notHere(name, d); !errors.As(err, &hint) || !strings.HasPrefix(hint.Text, want) {
			t.Errorf("%s: %v, hint %+v, want %q", name, err, hint, want)
		}
	}
}
