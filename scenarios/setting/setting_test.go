package setting_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"achilles/scenarios/setting"
	"achilles/sim/conf"
)

// inner is embedded, as the settings of an engine are in those of a stage.
type inner struct {
	Draws int    `setting:"draws" json:"draws" of:"responses" limits:"[100, 1000]" doc:"draws per chain"`
	Way   string `setting:"way" json:"way" choices:"near, far" doc:"how far"`
}

type stage struct {
	inner
	Seed    uint64        `setting:"seed,flag" json:"seed,string" doc:"seed of the draws"`
	Jobs    int           `setting:"jobs,flag" json:"-" limits:"[0, 64]" doc:"at a time"`
	Share   float64       `setting:"share" json:"share" limits:"(0, 1)" doc:"part"`
	Predict bool          `setting:"predict" json:"predict" doc:"predict what is held out"`
	Twice   bool          `setting:"twice" json:"-" doc:"do it again"`
	Who     []string      `setting:"who" json:"who,omitempty" of:"scenes" doc:"who watches"`
	Outside []string      `setting:"outside,flag,each" json:"-" of:"scenes" doc:"programs"`
	Wait    time.Duration `setting:"wait" json:"-" of:"scenes" limits:"(0, 3600]" doc:"longest wait"`
	Note    int           // no setting
}

func usual() (*stage, *setting.Set, *pflag.FlagSet) {
	s := &stage{inner: inner{Draws: 400, Way: "near"}, Seed: 1, Share: 0.5, Predict: true, Wait: 10 * time.Minute}
	set, flags := setting.Of(s), pflag.NewFlagSet("stage", pflag.ContinueOnError)
	set.Flags(flags)
	return s, set, flags
}

// TestOneLine adds a setting, as one line of a struct, and checks that its flag, its help, its key in a file, its key in a
// manifest and its row of the manual come from this line.
func TestOneLine(t *testing.T) {
	s := &struct {
		Thin int `setting:"thin" json:"thin" limits:"[1, 50]" doc:"moves from draw to draw"`
	}{Thin: 10}
	set, flags := setting.Of(s), pflag.NewFlagSet("stage", pflag.ContinueOnError)
	set.Flags(flags)
	if got, want := flags.FlagUsages(), "      --thin int   moves from draw to draw, from 1 to 50 (default 10)\n"; got != want {
		t.Errorf("help is %q, want %q", got, want)
	}
	if got, want := set.Markdown("stage"), "| `stage.thin` | moves from draw to draw, from 1 to 50 | 10 |\n"; !strings.HasSuffix(got, want) {
		t.Errorf("row of the manual is %q, want %q", got, want)
	}
	set.Read(table(t, "thin = 20"), "")
	if s.Thin != 20 {
		t.Errorf("a file sets %d, want 20", s.Thin)
	}
	if err := flags.Parse([]string{"--thin", "30"}); err != nil || s.Thin != 30 {
		t.Errorf("a flag sets %d, want 30 (%v)", s.Thin, err)
	}
	if b, err := json.Marshal(s); err != nil || string(b) != `{"thin":30}` {
		t.Errorf("the manifest has %s (%v)", b, err)
	}
}

func table(t *testing.T, text string) *conf.Table {
	t.Helper()
	root, err := conf.Parse("f.toml", "[stage]\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	return root.Table("stage")
}

// TestOneLineBelow adds a setting to a table below that of its stage, and one that only files have: neither is a flag.
func TestOneLineBelow(t *testing.T) {
	s := &struct {
		Models []string `setting:"models,file" limits:"[0, 2]" doc:"which models"`
		Grid   struct {
			Step float64 `setting:"step" limits:"(0, 1]" doc:"width of a cell"`
		} `table:"grid"`
	}{}
	s.Grid.Step = 0.5
	set, flags := setting.Of(s), pflag.NewFlagSet("stage", pflag.ContinueOnError)
	if set.Flags(flags); flags.HasFlags() {
		t.Errorf("flags are %s", flags.FlagUsages())
	}
	root, err := conf.Parse("f.toml", "models = [\"a\"]\n[grid]\nstep = 0.25\n")
	if err != nil {
		t.Fatal(err)
	}
	if set.Read(root, ""); root.Err() != nil || s.Grid.Step != 0.25 || len(s.Models) != 1 || !set.Given("grid.step") {
		t.Errorf("a file sets %+v, %v", s, root.Err())
	}
	if got, want := set.Markdown(""), "| `models` | which models | – |\n| `grid.step` | width of a cell, above 0, at most 1 | 0.5 |\n"; !strings.HasSuffix(got, want) {
		t.Errorf("rows of the manual are %q, want %q", got, want)
	}
	root, _ = conf.Parse("f.toml", "models = [\"a\", \"b\", \"c\"]\ngrid = { stop = 1 }\n")
	set.Read(root, "")
	if all := root.Faults(); len(all) != 2 || all[0].Error() != "f.toml:1: key models: want from 0 to 2 of them, not 3" || all[1].Error() != "f.toml:2: key grid.stop: unknown key: did you mean step?" {
		t.Errorf("faults are %v", all)
	}
}

// TestOrder checks that a flag counts before a file, and a file before the default, in whichever order they are read, and that
// zero is a value.
func TestOrder(t *testing.T) {
	for _, flagsFirst := range []bool{true, false} {
		s, set, flags := usual()
		parse := func() {
			if err := flags.Parse([]string{"--draws=200", "--jobs", "0", "--no-predict", "--twice", "--who", "a,b", "--who", "c", "--outside", "x=a, b", "--outside", "y", "--wait", "90s"}); err != nil {
				t.Fatal(err)
			}
		}
		if flagsFirst {
			parse()
		}
		f := table(t, "draws = 300\nway = \"far\"\nshare = 0.25\npredict = true\nwho = []\nwait = 3\n")
		set.Read(f, "responses")
		set.Read(f, "scenes")
		if err := f.Err(); err != nil {
			t.Fatal(err)
		}
		if !flagsFirst {
			parse()
		}
		if s.Draws != 200 || s.Way != "far" || s.Share != 0.25 || s.Predict || !s.Twice || strings.Join(s.Who, "|") != "a|b|c" || strings.Join(s.Outside, "|") != "x=a, b|y" || s.Wait != 90*time.Second || s.Seed != 1 {
			t.Errorf("flags first %v: %+v", flagsFirst, s)
		}
		if set.Given("seed") || !set.Given("jobs") || strings.Join(set.GivenFor("scenes"), " ") != "who outside wait" {
			t.Errorf("given are seed %v, jobs %v, %v", set.Given("seed"), set.Given("jobs"), set.GivenFor("scenes"))
		}
	}
	s, set, _ := usual()
	set.Read(table(t, "share = 0.75\nwho = []\npredict = false"), "scenes")
	if s.Share != 0.75 || s.Predict || s.Who == nil {
		t.Errorf("a file alone gives %+v", s)
	}
}

// TestWrongValues checks that a wrong value is an error that says what would be right, with the place in a file.
func TestWrongValues(t *testing.T) {
	for _, c := range []struct{ flag, toml, inFlag, inFile string }{
		{"--draws=50", "draws = 50", "want a whole number from 100 to 1000", "f.toml:2: key stage.draws: want a whole number from 100 to 1000, not 50"},
		{"--way=fra", "way = \"fra\"", `"fra" is not one of "near", "far": did you mean far?`, `f.toml:2: key stage.way: "fra" is not one of "near", "far": did you mean far?`},
		{"--share=1", "share = 1", "want a number above 0, below 1", "f.toml:2: key stage.share: want a number above 0, below 1, not 1"},
		{"--wait=0s", "wait = 0", "want a duration such as 90s or 5m, above 0s, at most 1h0m0s", "f.toml:2: key stage.wait: want seconds above 0, at most 3600, not 0"},
		{"--twice=2", "twice = 2", "want true or false", "f.toml:2: key stage.twice: want true or false, not 2"},
		{"--seed=-1", "seed = 1", "want a whole number from 0", "f.toml:2: key stage.seed: unknown key"},
		{"--jobs=x", "who = 3", "want a whole number from 0 to 64", "f.toml:2: key stage.who: want a list of texts"},
	} {
		_, set, flags := usual()
		if err := flags.Parse([]string{c.flag}); err == nil || !strings.Contains(err.Error(), c.inFlag) {
			t.Errorf("%s: error %v, want %q", c.flag, err, c.inFlag)
		}
		f := table(t, c.toml)
		set.Read(f, "responses")
		set.Read(f, "scenes")
		if err := f.Err(); err == nil || !strings.HasPrefix(err.Error(), c.inFile) {
			t.Errorf("%s: error %v, want %q", c.toml, err, c.inFile)
		}
	}
	_, set, _ := usual()
	f := table(t, "who = [\"a\"]")
	if set.Read(f, "responses"); f.Err() == nil {
		t.Error("a setting for other data is read")
	}
}

// TestManual checks how defaults of every kind are written.
func TestManual(t *testing.T) {
	_, set, _ := usual()
	const want = "| key | meaning | default |\n|---|---|---|\n" +
		"| `s.draws` | draws per chain, from 100 to 1000 | 400 |\n" +
		"| `s.way` | how far: `\"near\"`, `\"far\"` | `\"near\"` |\n" +
		"| `s.share` | part, above 0, below 1 | 0.5 |\n" +
		"| `s.predict` | predict what is held out | `true` |\n" +
		"| `s.twice` | do it again | `false` |\n" +
		"| `s.who` | who watches | – |\n" +
		"| `s.wait` | longest wait, seconds above 0, at most 3600 | 600 |\n"
	if got := set.Markdown("s"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestFormerName checks that a flag and a key may have the former name of a setting.
func TestFormerName(t *testing.T) {
	s := &struct {
		Candidates string `setting:"candidates" was:"bank" doc:"models to compare"`
	}{}
	set, flags := setting.Of(s), pflag.NewFlagSet("stage", pflag.ContinueOnError)
	var said strings.Builder
	flags.SetOutput(&said)
	set.Flags(flags)
	set.Read(table(t, "bank = \"op\""), "")
	if s.Candidates != "op" {
		t.Errorf("a file sets %q", s.Candidates)
	}
	if err := flags.Parse([]string{"--bank", "none"}); err != nil || s.Candidates != "none" || !set.Given("candidates") {
		t.Errorf("a flag sets %q, %v", s.Candidates, err)
	}
	if want := "Flag --bank has been deprecated, it is --candidates now\n"; said.String() != want || strings.Contains(flags.FlagUsages(), "bank") {
		t.Errorf("said %q, help %s", said.String(), flags.FlagUsages())
	}
}

// TestTagsOfProgrammers checks that a setting without what people need is a fault of the program.
func TestTagsOfProgrammers(t *testing.T) {
	for why, target := range map[string]any{
		"no doc": &struct {
			X bool `setting:"x"`
		}{},
		"no limits": &struct {
			X int `setting:"x" doc:"x"`
		}{},
		"limits of no form": &struct {
			X int `setting:"x" doc:"x" limits:"1 to 2"`
		}{},
		"another key": &struct {
			X bool `setting:"x" json:"y" doc:"x"`
		}{},
		"two of a name": &struct {
			X bool `setting:"x" doc:"x"`
			Y bool `setting:"x" doc:"y"`
		}{},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", why)
				}
			}()
			setting.Of(target)
		}()
	}
}
