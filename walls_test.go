package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWallsHold checks importFaults on sources that exist only in this test: a forbidden import must be reported, and an
// allowed one must not. So every run shows that the check of imports can fail.
func TestWallsHold(t *testing.T) {
	imports := func(list ...string) string {
		src := "package p\n"
		for _, imp := range list {
			src += "import _ \"" + imp + "\"\n"
		}
		return src
	}
	for _, c := range []struct {
		why, file, src string
		want           string // part of the only complaint; empty: none
	}{
		{"agents in infer", "infer/layout/x.go", imports("achilles/agents"), "infer/layout must not import agents"},
		{"a battery in infer", "infer/x.go", imports("achilles/battery/opiaagets"), "must not import battery/opiaagets"},
		{"sessions in infer", "infer/x.go", imports("achilles/scenarios/generate"), "must not import scenarios/generate"},
		{"scenarios in infer", "infer/x.go", imports("achilles/scenarios/scenario"), "must not import scenarios/scenario"},
		{"shipped scenarios in infer", "infer/x.go", imports("achilles/scenarios"), "must not import scenarios"},
		{"grades in infer", "infer/x.go", imports("achilles/scenarios/score"), "must not import scenarios/score"},
		{"the store in infer", "infer/x.go", imports("achilles/sim/store"), "must not import sim/store"},
		{"the sealed side in infer's tests", "infer/x_test.go", imports("achilles/scenarios/seal"), "must not import scenarios/seal"},
		{"agents in infer under a build tag", "infer/x.go", "//go:build never\n\n" + imports("achilles/agents"), "must not import agents"},
		{"os in infer", "infer/nuts/x.go", imports("os"), "infer/nuts is blind and must not import os"},
		{"os in infer under another name", "infer/x.go", "package p\nimport harmless \"os\"\n", "must not import os"},
		{"os in gridworld", "gridworld/x.go", imports("os"), "is blind and must not import os"},
		{"os in the record", "sim/record/x.go", imports("os"), "is blind and must not import os"},
		{"net in infer's tests", "infer/x_test.go", imports("net/http"), "must not import net/http"},
		{"embedded files in infer", "infer/x.go", imports("embed"), "must not import embed"},
		{"unsafe in infer", "infer/x.go", imports("unsafe"), "must not import unsafe"},
		{"reflection in infer", "infer/x.go", imports("reflect"), "must not import reflect"},
		{"the clock in infer", "infer/x.go", imports("time"), "must not import time"},
		{"cgo", "gridworld/x.go", imports("C"), "cgo is not used"},
		{"a linked name", "infer/x.go", "package p\n\nimport _ \"fmt\"\n\n//go:linkname open os.open\nfunc open()\n", "reaches around"},
		{"a file opened by the TOML package", "sim/conf/x.go", "package p\nimport \"github.com/BurntSushi/toml\"\nvar _, _ = toml.DecodeFile(\"a\", nil)\n", "DecodeFile opens a file"},
		{"a second reader of TOML", "infer/x.go", imports("github.com/BurntSushi/toml"), "must not import github.com/BurntSushi/toml from outside"},
		{"a second reader of TOML on the command line", "render/cli/x.go", imports("github.com/BurntSushi/toml"), "from outside"},
		{"a file opened by the Parquet package", "infer/x.go", "package p\nimport \"github.com/parquet-go/parquet-go\"\nvar _ = parquet.ReadFile[int]\n", "ReadFile opens a file"},
		{"the same under another name", "sim/record/x.go", "package p\nimport q \"github.com/parquet-go/parquet-go\"\nvar _ = q.ReadFile[int]\n", "ReadFile opens a file"},
		{"a file opened by the Go parser", "sim/expr/x.go", "package p\nimport \"go/parser\"\nvar _ = parser.ParseFile\n", "ParseFile opens a file"},
		{"a file opened by the Go parser for want of a source", "sim/expr/x.go", "package p\nimport \"go/parser\"\nvar _, _ = parser.ParseExprFrom(nil, \"a\", nil, 0)\n", "ParseExprFrom opens a file"},
		{"the same with a source that turns out to be nil", "sim/expr/x.go", "package p\nimport \"go/parser\"\nvar source any\nvar _, _ = parser.ParseExprFrom(nil, \"a\", source, 0)\n", "ParseExprFrom opens a file"},
		{"the same function as a value", "sim/expr/x.go", "package p\nimport \"go/parser\"\nvar _ = parser.ParseExprFrom\n", "ParseExprFrom opens a file"},
		{"a file opened by gonum's reader of graphs", "infer/x.go", imports("gonum.org/v1/gonum/graph/formats/dot"), "must not import gonum.org/v1/gonum/graph/formats/dot from outside"},
		{"a part of the Parquet package that nobody needs", "infer/x.go", imports("github.com/parquet-go/parquet-go/compress/gzip"), "from outside"},
		{"what somebody types", "infer/x.go", "package p\nimport \"fmt\"\nvar _ = fmt.Scan\n", "Scan opens a file"},
		{"the time of a file in infer", "infer/x.go", "package p\nimport \"io/fs\"\nvar _ = fs.Stat\n", "Stat opens a file by its name, or reads"},
		{"the time of an open file in infer", "infer/x.go", "package p\nimport \"io/fs\"\nfunc f(in fs.File) { _, _ = in.Stat() }\n", "Stat asks for what no byte"},
		{"a method without its package", "infer/x.go", "package p\nfunc f(x interface{ ModTime() int }) int { return x.ModTime() }\n", "ModTime asks for"},
		{"what else is in a folder, in the manifest's package", "sim/part/x.go", "package p\nimport \"io/fs\"\nvar _ = fs.WalkDir\n", "WalkDir"},
		{"a file's description in infer", "infer/x.go", "package p\nimport \"io/fs\"\nvar _ = fs.FormatFileInfo\n", "FormatFileInfo"},
		{"os in a folder of test data", "infer/testdata/cheat/x.go", imports("os"), "infer/testdata/cheat is blind and must not import os"},
		{"agents in a hidden folder", "infer/.hidden/x.go", imports("achilles/agents"), "infer/.hidden must not import agents"},
		{"a dot import of the Go parser", "sim/expr/x.go", "package p\nimport . \"go/parser\"\nvar _ = ParseFile\n", "dot import of go/parser"},
		{"a third-party package in infer", "infer/x.go", imports("github.com/spf13/cobra"), "must not import github.com/spf13/cobra from outside"},
		{"a third-party package in gridworld", "gridworld/x.go", imports("gonum.org/v1/gonum/mat"), "from outside"},
		{"infer in agents", "agents/x.go", imports("achilles/infer"), "agents must not import infer"},
		{"infer in agents' tests", "agents/x_test.go", imports("achilles/infer/layout"), "agents must not import infer/layout"},
		{"infer in a battery", "battery/opiaagets/x.go", imports("achilles/infer/voe"), "must not import infer/voe"},
		{"infer in a session", "scenarios/generate/x.go", imports("achilles/infer"), "scenarios/generate must not import infer"},
		{"infer in a session's tests", "scenarios/generate/x_test.go", imports("achilles/infer"), "scenarios/generate must not import infer"},
		{"a generator in a picture", "render/viewer/x.go", imports("achilles/scenarios/generate"), "must not import scenarios/generate"},
		{"agents in the ground", "sim/x.go", imports("achilles/sim/rng"), "sim must not import sim/rng"},
		{"expressions in gridworld", "gridworld/x.go", imports("achilles/sim/expr"), "must not import sim/expr"},
		{"agents in a battery", "battery/x.go", imports("achilles/agents"), "must not import agents"},
		{"a battery in agents", "agents/x.go", imports("achilles/battery"), "must not import battery"},
		{"help for tests in a program", "infer/x.go", imports("achilles/infer/infertest"), "only tests import it"},
		{"ebiten outside the viewer", "render/canvas/x.go", "//go:build viewer\n\n" + imports("github.com/hajimehoshi/ebiten/v2"), "from outside"},
		{"a package without a rule", "attic/x.go", "package p\n", "has no rule"},
		{"a new package below sim", "sim/attic/x.go", "package p\n", "has no rule"},
		{"a file that does not parse", "infer/x.go", "package", "expected"},

		{"what infer is for", "infer/layout/x.go", imports("achilles/infer/nuts", "achilles/sim/record", "achilles/sim/expr", "achilles/sim/rng", "achilles/gridworld", "gonum.org/v1/gonum/stat", "fmt", "io/fs"), ""},
		{"golden files in infer's tests", "infer/layout/x_test.go", imports("os", "testing", "flag", "achilles/infer/infertest", "github.com/google/go-cmp/cmp"), ""},
		{"a battery whose name ends like a help for tests", "battery/catalog/x.go", imports("achilles/battery/ctest"), ""},
		{"both in the grades", "scenarios/score/x.go", imports("achilles/infer", "achilles/scenarios/seal", "achilles/agents"), ""},
		{"ebiten in the viewer", "render/viewer/window/x.go", imports("github.com/hajimehoshi/ebiten/v2"), ""},
		{"statistics of a sampler, which are called so", "infer/joint/x.go", "package p\nimport \"achilles/infer/nuts\"\nvar _ nuts.Stat\n", ""},
		{"Parquet from bytes", "sim/record/x.go", "package p\nimport \"github.com/parquet-go/parquet-go\"\nvar _ = parquet.OpenFile\n", ""},
		{"an expression from a string", "sim/expr/x.go", "package p\nimport \"go/parser\"\nvar _, _ = parser.ParseExprFrom(nil, \"\", \"1+1\", 0)\n", ""},
		{"a local variable called toml", "infer/x.go", "package p\nfunc f(toml interface{ DecodeFile() }) { toml.DecodeFile() }\n", ""},
	} {
		got := importFaults(c.file, []byte(c.src))
		complain(t, c.why, got, c.want)
	}
}

func TestAmbientWallHolds(t *testing.T) {
	use := func(imp, name string) string { return "package p\nimport x \"" + imp + "\"\nvar _ = x." + name + "\n" }
	for _, c := range []struct{ why, file, src, want string }{
		{"the clock", "infer/x.go", use("time", "Now"), "time.Now makes a run depend"},
		{"the clock by its own name", "sim/x.go", "package p\nimport \"time\"\nfunc f() { _ = time.Since }\n", "time.Since"},
		{"the clock as a value", "agents/x.go", "package p\nimport \"time\"\nvar now = time.Now\n", "time.Now"},
		{"the clock through a context", "sim/x.go", use("context", "WithTimeout"), "context.WithTimeout"},
		{"the clock itself where programs act", "agents/external/x.go", use("time", "Now"), "time.Now"},
		{"another program", "sim/x.go", use("os/exec", "Command"), "os/exec.Command"},
		{"another program, in agents", "agents/x.go", use("os/exec", "CommandContext"), "os/exec.CommandContext"},
		{"the environment", "battery/x.go", use("os", "Getenv"), "os.Getenv"},
		{"the command line", "render/cli/x.go", use("os", "Args"), "os.Args"},
		{"the process", "sim/store/x.go", use("os", "Getpid"), "os.Getpid"},
		{"the host", "sim/x.go", use("os", "Hostname"), "os.Hostname"},
		{"the processors", "sim/x.go", use("runtime", "NumCPU"), "runtime.NumCPU"},
		{"global random numbers", "gridworld/x.go", use("math/rand/v2", "IntN"), "math/rand.IntN"},
		{"global random numbers in a test", "gridworld/x_test.go", use("math/rand/v2", "IntN"), "math/rand.IntN"},
		{"old random numbers", "gridworld/x.go", use("math/rand", "New"), "math/rand.New"},
		{"random numbers of the system", "sim/x.go", use("crypto/rand", "Read"), "crypto/rand.Read"},
		{"random numbers of the system, but for a root seed", "scenarios/seal/x.go", use("crypto/rand", "Int"), "crypto/rand.Int"},
		{"random hashes", "infer/x.go", use("hash/maphash", "MakeSeed"), "hash/maphash.MakeSeed"},
		{"a dot import", "sim/x.go", "package p\nimport . \"time\"\nvar _ = Now\n", "dot import of time"},

		{"a date without a clock", "sim/x.go", use("time", "Parse"), ""},
		{"the environment in a test", "sim/x_test.go", use("os", "Getenv"), ""},
		{"the processors, for --jobs", "render/cli/x.go", use("runtime", "GOMAXPROCS"), ""},
		{"patience where programs act", "agents/external/x.go", use("context", "WithTimeout"), ""},
		{"programs where they act", "agents/external/x.go", use("os/exec", "CommandContext"), ""},
		{"programs where they are started", "agents/external/process/x.go", use("os/exec", "CommandContext"), ""},
		{"programs where they observe", "agents/external/observer/x.go", use("os/exec", "CommandContext"), "os/exec.CommandContext"},
		{"a time limit where they observe", "agents/external/observer/x.go", use("time", "AfterFunc"), ""},
		{"the clock where they observe", "agents/external/observer/x.go", use("time", "Now"), "time.Now"},
		{"the clock where language models answer", "agents/external/chat/x.go", use("time", "Since"), ""},
		{"the environment where language models answer", "agents/external/chat/x.go", use("os", "Getenv"), "os.Getenv"},
		{"lines that say how far the work is", "render/cli/x.go", use("time", "NewTicker"), ""},
		{"a context without a clock", "sim/x.go", use("context", "WithCancel"), ""},
		{"a root seed that is drawn", "scenarios/seal/x.go", use("crypto/rand", "Read"), ""},
		{"a stream by its seed", "sim/rng/x.go", use("math/rand/v2", "PCG"), ""},
		{"the clock in the viewer", "render/x.go", use("time", "Now"), ""},
		{"a local variable called time", "sim/x.go", "package p\nfunc f(time interface{ Now() }) { time.Now() }\n", ""},
	} {
		complain(t, c.why, ambientFaults(c.file, []byte(c.src)), c.want)
	}
}

// TestBlindnessNamesItsTests checks that every test and every file that docs/reference/blindness.md names exists.
func TestBlindnessNamesItsTests(t *testing.T) {
	text, err := os.ReadFile("docs/reference/blindness.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, name := range regexp.MustCompile(`Test[A-Z]\w+`).FindAllString(string(text), -1) {
		named[name] = true
	}
	if len(named) < 10 {
		t.Errorf("only %d tests are named", len(named))
	}
	eachFile(t, func(file string, src []byte) {
		if !isTest(file) {
			return
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(src), -1) {
			delete(named, m[1])
		}
	})
	for name := range named {
		t.Errorf("docs/reference/blindness.md names %s, which is not there", name)
	}
	for _, file := range regexp.MustCompile("`([a-z./_]+\\.(?:go|sh))`").FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(file[1]); err != nil {
			t.Errorf("docs/reference/blindness.md names %s: %v", file[1], err)
		}
	}
}

// complain reports an error unless got is exactly one fault that contains want or, if want is empty, no fault. why names
// the case.
func complain(t *testing.T, why string, got []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("%s: is allowed, yet reported: %v", why, got)
	case want != "" && (len(got) != 1 || !strings.Contains(got[0], want)):
		t.Errorf("%s: reported as %q, want one fault that says %q", why, got, want)
	}
}

// TestDocuments checks that docs/README.md links to every page of the manual, and that every link to a file leads to one
// that exists.
func TestDocuments(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s#]+)[^)\s]*\)`)
	pages := map[string]bool{"README.md": true}
	err := filepath.WalkDir("docs", func(name string, d fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			pages[filepath.ToSlash(name)] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	indexed := map[string]bool{"README.md": true, "docs/README.md": true}
	for page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			to := path.Join(path.Dir(page), m[1])
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			}
			if page == "docs/README.md" {
				indexed[to] = true
			}
		}
	}
	for page := range pages {
		if !indexed[page] {
			t.Errorf("docs/README.md does not list %s", page)
		}
	}
}
