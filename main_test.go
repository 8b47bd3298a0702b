package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "achilles"

// A rule lists the packages that the files of a package may import. In these lists a trailing /... stands for a package
// and all packages below it, and ... alone for every package. Rules do not limit which packages of the standard library
// may be imported. For blind packages the list harmless does.
type rule struct {
	may     []string // packages of this module
	tests   []string // further packages of this module that its tests may import
	outside []string // third-party packages
}

const (
	toml    = "github.com/BurntSushi/toml"
	parquet = "github.com/parquet-go/parquet-go"
	zstd    = "github.com/klauspost/compress/zstd"
	s2      = "github.com/klauspost/compress/s2"
	flock   = "github.com/gofrs/flock"
	group   = "golang.org/x/sync/errgroup"
)

// gonum lists the packages of gonum that may be imported, each by its name and not by a pattern, because other packages of
// gonum, such as graph/formats/dot, open files.
var gonum = []string{"gonum.org/v1/gonum/mathext", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/stat/distuv"}

// policy has the rule of every package or tree of packages, as CONTRIBUTING.md states it. The longest pattern that
// fits a package counts. TestImports fails for a package that no pattern fits.
var policy = map[string]rule{
	// main imports the command line. Its tests may import every package.
	".": {may: []string{"render/cli"}, tests: []string{"..."}},

	// sim imports only packages of sim. Of these, gridworld imports only the loop, numbers and random streams.
	"sim":           {},
	"sim/num":       {tests: []string{"sim/rng"}, outside: gonum},
	"sim/rng":       {may: []string{"sim/num"}},
	"sim/expr":      {may: []string{"sim/num"}, tests: []string{"sim/rng"}},
	"sim/longtest":  {}, // every test may import it
	"sim/table":     {},
	"sim/part":      {may: []string{"sim/table"}},
	"sim/conf":      {may: []string{"sim/expr"}, outside: []string{toml}},
	"sim/record":    {may: []string{"sim/part", "sim/table"}, tests: []string{"sim/rng"}, outside: []string{parquet, parquet + "/encoding", parquet + "/encoding/thrift", parquet + "/format", zstd}},
	"sim/store":     {may: []string{"sim/record"}, outside: []string{flock}},
	"gridworld/...": {may: []string{"gridworld/...", "sim", "sim/rng", "sim/num"}},

	// Batteries and agents import gridworld and sim, and never each other.
	"battery/...":             {may: []string{"battery/...", "gridworld/...", "sim/..."}},
	"battery/animalai":        {may: []string{"gridworld", "sim/rng"}, tests: []string{"battery/...", "sim/longtest"}, outside: []string{"go.yaml.in/yaml/v3"}},
	"battery/tables/...":      {may: []string{"battery/tables/...", "sim/..."}, tests: []string{"battery/batterytest"}, outside: []string{parquet, zstd, "github.com/klauspost/compress/gzip", "github.com/klauspost/compress/flate", "github.com/ulikunitz/xz", "golang.org/x/text/...", "golang.org/x/net/html", "golang.org/x/net/html/atom"}},
	"agents/...":              {may: []string{"agents/...", "gridworld/...", "sim/..."}},
	"agents/external/chat":    {tests: []string{"agents/external/chat/chattest"}, outside: []string{"golang.org/x/time/rate"}},
	"agents/external/process": {outside: []string{"golang.org/x/sys/unix"}},

	// infer imports gridworld and those packages of sim that open no files, and nothing else of this module.
	"infer/...":     {may: append([]string{"infer/...", "gridworld/..."}, closed...), outside: slices.Concat(gonum, []string{group, parquet, parquet + "/encoding"})},
	"infer/lbfgs":   {outside: []string{"gonum.org/v1/gonum/optimize"}}, // nobody else has a method of optimisation of gonum's
	"infer/nuts":    engine,
	"infer/smc":     engine,
	"infer/diag":    engine,
	"infer/mixture": engine,

	// scenarios import all packages above except infer. Only those that compare inference with the truth import infer too.
	"scenarios":              {},
	"scenarios/...":          {may: []string{"scenarios/...", "agents/...", "battery/...", "gridworld/...", "sim/..."}, outside: []string{group}},
	"scenarios/setting":      {may: []string{"sim/conf", "sim/expr"}, outside: []string{"github.com/spf13/pflag"}},
	"scenarios/generate":     {may: []string{"scenarios/...", "agents/...", "battery/...", "gridworld/...", "sim/..."}, outside: []string{s2}},
	"scenarios/score/...":    {may: []string{"scenarios/...", "agents/...", "battery/...", "gridworld/...", "sim/...", "infer/..."}},
	"scenarios/power/...":    {may: []string{"scenarios/...", "agents/...", "battery/...", "gridworld/...", "sim/...", "infer/..."}},
	"scenarios/adaptive/...": {may: []string{"scenarios/...", "agents/...", "battery/...", "gridworld/...", "sim/...", "infer/..."}},
	"scenarios/simulate/...": {may: []string{"scenarios/...", "agents/...", "battery/...", "gridworld/...", "sim/...", "infer/..."}},

	// Packages that draw pictures import what they draw, never what generates it. Only the command line imports everything.
	"render/...":           {may: shown, tests: []string{"scenarios/..."}, outside: []string{"gonum.org/v1/plot/...", "golang.org/x/image/...", group}},
	"render/tabular":       {may: shown, outside: []string{"github.com/rivo/uniseg", parquet}},
	"render/web/...":       {may: shown, tests: []string{"scenarios/..."}, outside: []string{zstd}},
	"render/viewer/window": {may: shown, outside: []string{"golang.org/x/image/...", "github.com/hajimehoshi/ebiten/..."}},
	"render/cli":           {may: []string{"..."}, outside: []string{parquet, "github.com/spf13/cobra", "github.com/spf13/pflag", "github.com/schollz/progressbar/...", "golang.org/x/term"}},
	"render/cli/...":       {tests: []string{"..."}}, // tests of the command line, and their helpers
}

// closed lists the packages of sim that open no files. conf is one of them because it decodes bytes, not files.
var closed = []string{"sim", "sim/record", "sim/rng", "sim/expr", "sim/num", "sim/conf", "sim/longtest", "sim/table", "sim/part"}

// shown lists the packages that packages which draw pictures may import: they have worlds, records, inferred results,
// the truth after the seal was opened, and grades.
var shown = []string{"render/...", "gridworld/...", "sim/...", "infer/...", "scenarios/seal", "scenarios/score"}

// engine is the rule of the generic parts of the inference, which know no items, subjects or layouts.
var engine = rule{may: []string{"sim/num", "sim/rng", "infer/mixture"}, tests: []string{"infer/infertest", "infer/diag", "infer/prior"}, outside: gonum}

// seers lists the only packages outside infer that may import infer. sealers lists packages that have the truth or import
// it. TestPolicy compares policy with both lists, so that one changed word in policy cannot allow a forbidden import
// unnoticed.
var (
	seers   = []string{".", "render/...", "scenarios/score", "scenarios/power", "scenarios/adaptive", "scenarios/simulate"}
	sealers = []string{"agents", "battery", "scenarios", "scenarios/scenario", "scenarios/generate", "scenarios/seal", "scenarios/results", "scenarios/score", "render", "render/cli", "sim/store"}
)

// blind lists infer and all packages of this module that it may import: they must see neither the sealed truth nor
// files.
var blind = append([]string{"infer/...", "gridworld/..."}, closed...)

// harmless lists the packages of the standard library that a blind package may import. None of them opens files by name,
// starts processes, reaches the network or reads memory, except by the functions in doors.
var harmless = []string{
	"bufio", "bytes", "cmp", "compress/gzip", "container/heap", "context", "crypto/sha256", "encoding/binary", "encoding/csv", "encoding/hex",
	"encoding/json", "errors", "fmt", "go/ast", "go/parser", "go/scanner", "go/token", "hash", "hash/fnv", "io", "io/fs", "iter",
	"maps", "math", "math/bits", "math/cmplx", "math/rand/v2", "path", "slices", "sort", "strconv", "strings", "sync", "sync/atomic",
	"unicode", "unicode/utf8",
}

// doors lists, by package, the functions that blind packages must not call although they may import the package, because
// they open a file by its name or read the standard input. TestDoors checks those of third-party packages against the
// source of these packages.
var doors = map[string][]string{
	"fmt":       {"Scan", "Scanf", "Scanln"},
	"io/fs":     {"Stat", "ReadDir", "WalkDir", "Glob", "FormatFileInfo", "FormatDirEntry", "FileInfoToDirEntry", "FileInfo", "DirEntry", "StatFS", "ReadDirFS", "ReadDirFile", "GlobFS", "Lstat", "ReadLink", "ReadLinkFS"}, // what a directory tells beside the bytes of files
	"go/parser": {"ParseFile", "ParseDir", "ParseExprFrom"},                                                                                                                                                                  // unless the name of the file is ""
	toml:        {"DecodeFile"},
	parquet:     {"ReadFile", "WriteFile", "NewFileBufferPool"},
}

// beside lists the methods by which an open file or a file system tells more than bytes: times, permissions, what else is there.
// Blind packages must not name them, whatever the value.
var beside = []string{"Stat", "Lstat", "ModTime", "ReadDir", "Readdir", "Readdirnames", "Glob", "Sys"}

// testOnly lists the packages of the standard library that only test code of blind packages may import. Tests read and
// rewrite golden files.
var testOnly = []string{"embed", "flag", "math/big", "os", "path/filepath", "reflect", "runtime", "runtime/debug", "testing", "testing/...", "time"}

// testTools lists the third-party packages that tests of every package may import.
var testTools = append([]string{"github.com/google/go-cmp/...", "pgregory.net/rapid", parquet, "gonum.org/v1/gonum/optimize", "gonum.org/v1/gonum/optimize/functions"}, gonum...)

func match(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		dir, tree := strings.CutSuffix(p, "...")
		dir = strings.TrimSuffix(dir, "/")
		return pkg == dir || tree && (dir == "" || strings.HasPrefix(pkg, dir+"/"))
	})
}

// ruleOf returns the rule of a package: its own, or that of the nearest tree around it.
func ruleOf(pkg string) (rule, bool) {
	if r, ok := policy[pkg]; ok {
		return r, true
	}
	for dir := pkg; dir != "."; dir = path.Dir(dir) {
		if r, ok := policy[dir+"/..."]; ok {
			return r, true
		}
	}
	return rule{}, false
}

// isTest reports whether a file is test code: its name ends in _test.go, or it is in a package that helps tests.
func isTest(file string) bool {
	return strings.HasSuffix(file, "_test.go") || isTestPackage(path.Dir(file))
}

// isTestPackage reports whether a package helps tests: its name ends in test. The exception, ctest, is a battery.
func isTestPackage(pkg string) bool {
	return strings.HasSuffix(path.Base(pkg), "test") && pkg != "battery/ctest"
}

// importFaults lists what is wrong with the imports of a file; file is its slash-separated path in the module.
func importFaults(file string, src []byte) (faults []string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.ParseComments)
	if err != nil {
		return []string{err.Error()}
	}
	pkg := path.Dir(file)
	r, ok := ruleOf(pkg)
	if !ok {
		faults = append(faults, "the package has no rule")
	}
	for _, spec := range f.Imports {
		imp, _ := strconv.Unquote(spec.Path.Value) // the parser has seen that it is a string
		if why := importFault(file, pkg, r, imp); why != "" {
			faults = append(faults, why)
		}
	}
	if match(blind, pkg) {
		faults = append(faults, doorFaults(f, isTest(file))...)
	}
	for i := range faults {
		faults[i] = file + ": " + faults[i]
	}
	return faults
}

// importFault returns why a file of pkg must not import imp, or an empty string if it may.
func importFault(file, pkg string, r rule, imp string) string {
	in, local := strings.CutPrefix(imp, module+"/")
	first, _, _ := strings.Cut(imp, "/")
	switch {
	case imp == "C":
		return "cgo is not used"
	case local && in != pkg && !match(r.may, in) && !(isTest(file) && (in == "sim/longtest" || match(r.tests, in))):
		return fmt.Sprintf("%s must not import %s", pkg, in)
	case local && isTestPackage(in) && !isTest(file):
		return fmt.Sprintf("%s helps tests: only tests import it", in)
	case local:
		return ""
	case strings.Contains(first, "."):
		if !match(r.outside, imp) && !(isTest(file) && match(testTools, imp)) {
			return fmt.Sprintf("%s must not import %s from outside", pkg, imp)
		}
	case match(blind, pkg) && !match(harmless, imp) && !(isTest(file) && match(testOnly, imp)):
		return fmt.Sprintf("%s is blind and must not import %s", pkg, imp)
	}
	return ""
}

// doorFaults lists the faults of a file of a blind package: directives that reach code without an import and, unless the
// file is a test, uses of doors.
func doorFaults(f *ast.File, test bool) (faults []string) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:linkname") || strings.HasPrefix(c.Text, "//go:cgo") {
				faults = append(faults, c.Text+" reaches around the import table")
			}
		}
	}
	if test {
		return faults
	}
	names := localNames(f)
	for name, imp := range names {
		if _, guarded := doors[imp]; guarded && name == "." {
			faults = append(faults, "a dot import of "+imp+" hides what is called")
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if parsesText(n, names) {
			return false
		}
		imp, name := selected(n, names)
		switch {
		case slices.Contains(doors[imp], name):
			faults = append(faults, fmt.Sprintf("%s.%s opens a file by its name, or reads what somebody types or what no byte of a file says", path.Base(imp), name))
		case imp == "" && slices.Contains(beside, method(n)):
			faults = append(faults, method(n)+" asks for what no byte of a file says")
		}
		return true
	})
	slices.Sort(faults)
	return faults
}

// parsesText reports whether n is a call of go/parser's ParseExprFrom with the file name "". Such a call cannot open a
// file. With any other name, ParseExprFrom reads the file if its source is nil.
func parsesText(n ast.Node, names map[string]string) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) < 3 {
		return false
	}
	file, ok := call.Args[1].(*ast.BasicLit)
	imp, name := selected(call.Fun, names)
	return ok && file.Value == `""` && imp == "go/parser" && name == "ParseExprFrom"
}

// localNames returns the import paths of a file by the names that the file uses for them. A dot import has the name ".".
func localNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, s := range f.Imports {
		p, _ := strconv.Unquote(s.Path.Value)
		n := strings.TrimSuffix(path.Base(strings.TrimSuffix(p, "/v2")), "-go") // parquet-go calls itself parquet
		if s.Name != nil {
			n = s.Name.Name
		}
		names[n] = p
	}
	return names
}

// selected returns the import path and the name of a qualified identifier such as os.Open. imp is empty if n is anything
// else.
func selected(n ast.Node, names map[string]string) (imp, name string) {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok || x.Obj != nil { // a local variable of that name
		return "", ""
	}
	return names[x.Name], sel.Sel.Name
}

// method returns the name that a selector selects, or "" if n is none.
func method(n ast.Node) string {
	if sel, ok := n.(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return ""
}

// eachFile calls f for every Go file of the module, whatever its build tags. It does not skip folders that are called
// testdata or begin with a dot, because they can be imported too. TestBuilt checks that the go command compiles no others.
func eachFile(t *testing.T, f func(file string, src []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if file == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		file = filepath.ToSlash(file)
		switch path.Ext(file) {
		case ".go":
			src, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			n++
			f(file, src)
		case ".s", ".S", ".c", ".cc", ".h", ".m", ".f", ".swig", ".syso":
			t.Errorf("%s: only Go is compiled here", file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 50 {
		t.Errorf("only %d files were seen: the test does not run at the root of the module", n)
	}
}

func TestImports(t *testing.T) {
	eachFile(t, func(file string, src []byte) {
		for _, why := range importFaults(file, src) {
			t.Error(why)
		}
	})
}

// TestPolicy checks that the rules of policy let only seers import infer, and no blind package import a sealer. It also
// checks that harmless lists no package that opens files, starts programs or reads the clock.
func TestPolicy(t *testing.T) {
	for pkg, r := range policy {
		for _, inference := range []string{"infer", "infer/layout", "infer/nuts"} {
			if !match(seers, strings.TrimSuffix(pkg, "/...")) && !match([]string{"infer/..."}, strings.TrimSuffix(pkg, "/...")) && match(slices.Concat(r.may, r.tests), inference) {
				t.Errorf("the rule of %s lets it import %s", pkg, inference)
			}
		}
		for _, truth := range sealers {
			if match(blind, strings.TrimSuffix(pkg, "/...")) && match(slices.Concat(r.may, r.tests), truth) {
				t.Errorf("the rule of %s, which is blind, lets it import %s", pkg, truth)
			}
		}
	}
	for _, imp := range []string{"os", "os/exec", "net", "net/http", "syscall", "unsafe", "plugin", "embed", "reflect", "time", "runtime", "io/ioutil", "path/filepath", "log", "text/template"} {
		if match(harmless, imp) {
			t.Errorf("%s is listed as harmless", imp)
		}
	}
}
