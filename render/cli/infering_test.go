package cli

import (
	"cmp"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"achilles/agents"
	"achilles/infer/analysis"
	"achilles/infer/layout"
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

// TestLayoutIsParsedOnce infers by a layout of which only what was parsed is left: there is no file of its name, and its text
// is none of a layout. So whatever reads or parses it a second time fails.
func TestLayoutIsParsedOnce(t *testing.T) {
	execute := func(layouts map[string]*layout.Layout, args ...string) error {
		a := &app{console: &console{stdout: io.Discard, stderr: io.Discard, status: new(status)}, layouts: layouts}
		root := rootCommand(a)
		root.SetArgs(args)
		return root.ExecuteContext(context.Background())
	}
	for _, c := range []struct{ scenario, set, layout string }{
		{"quickstart", "battery.sample=20", "constant"},
		{"2pl", "battery.items=5", "2pl"},
	} {
		dir := filepath.Join(t.TempDir(), c.scenario)
		known := map[string]*layout.Layout{}
		if err := execute(known, "generate", c.scenario, "--set", c.set, "--out", dir); err != nil {
			t.Fatal(err)
		}
		l, err := (&app{layouts: known}).layout(c.layout)
		if err != nil {
			t.Fatal(err)
		}
		l.Text = "not a layout"
		known = map[string]*layout.Layout{"./gone.toml": l}
		if err := execute(known, "infer", dir, "--layout", "./gone.toml", "--draws", "100", "--warmup", "50"); err != nil {
			t.Errorf("%s: %v", c.scenario, err)
		}
		if known["./gone.toml"] != l {
			t.Errorf("%s: the layout was read again", c.scenario)
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
