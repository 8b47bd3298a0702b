package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A built package is one that the go command compiles or links.
type built struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct {
		Main    bool
		Replace *struct{ Path string }
	}
	GoFiles, CgoFiles, CFiles, HFiles, SFiles, SysoFiles, TestGoFiles, XTestGoFiles []string
	Deps                                                                            []string
}

// goList returns the given packages and all packages that they depend on, as the go command would build them in dir.
// platform has further environment variables, such as GOOS=js.
func goList(t *testing.T, dir string, platform []string, packages ...string) (list []built) {
	t.Helper()
	c := exec.Command("go", append([]string{"list", "-deps", "-json=ImportPath,Dir,Standard,Module,GoFiles,CgoFiles,CFiles,HFiles,SFiles,SysoFiles,TestGoFiles,XTestGoFiles,Deps"}, packages...)...)
	c.Dir, c.Env = dir, append(os.Environ(), append(platform, "PWD="+dir)...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v\n%s", dir, err, errs.String())
	}
	d := json.NewDecoder(bytes.NewReader(out))
	for {
		var p built
		if err := d.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// builtFaults lists three kinds of fault in the module at root: files that the go command builds although judged lacks
// them (judged has the files that TestImports checks), packages from outside that do not come from where go.sum says, and
// packages of this module that a blind package is linked with although it must not import them.
func builtFaults(root string, list []built, judged map[string]bool) (faults []string) {
	for _, p := range list {
		if p.Standard {
			continue
		}
		dir, err := filepath.Rel(root, p.Dir)
		inside := err == nil && dir != ".." && !strings.HasPrefix(dir, ".."+string(filepath.Separator))
		if p.Module == nil || !p.Module.Main {
			if inside || p.Module == nil || p.Module.Replace != nil {
				faults = append(faults, fmt.Sprintf("%s from outside is built from %s, which is not what go.sum names", p.ImportPath, p.Dir))
			}
			continue
		}
		for _, f := range slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.HFiles, p.SFiles, p.SysoFiles, p.TestGoFiles, p.XTestGoFiles) {
			if file := filepath.ToSlash(filepath.Join(dir, f)); !judged[file] {
				faults = append(faults, file+" is built, and no rule has judged it")
			}
		}
		for _, dep := range p.Deps {
			if in, local := strings.CutPrefix(dep, module+"/"); local && match(blind, strings.TrimPrefix(p.ImportPath, module+"/")) && !match(blind, in) {
				faults = append(faults, fmt.Sprintf("%s is blind and linked with %s", p.ImportPath, in))
			}
		}
	}
	return faults
}

// TestBuilt checks that the go command builds only files that TestImports checks, for this machine, the browser and
// Windows, and that no blind package is linked with a package of this module that is not blind. The test reads every file
// of the module, go.mod and go.sum, so that the test cache notices a change in a file that only the go command reads.
func TestBuilt(t *testing.T) {
	judged := map[string]bool{}
	eachFile(t, func(file string, _ []byte) { judged[file] = true })
	for _, file := range []string{"go.mod", "go.sum"} {
		if _, err := os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, platform := range [][]string{nil, {"GOOS=js", "GOARCH=wasm"}, {"GOOS=windows", "GOARCH=amd64"}} {
		list := goList(t, root, platform, "./...")
		if n := len(list); n < 100 {
			t.Errorf("%v: only %d packages are built", platform, n)
		}
		for _, why := range builtFaults(root, list, judged) {
			t.Errorf("%v: %s", platform, why)
		}
	}
}

// TestBuiltWallHolds checks builtFaults on modules that exist only in this test and hide code from eachFile.
func TestBuiltWallHolds(t *testing.T) {
	const imports = "package infer\nimport _ \"achilles/infer/%s\"\n"
	cheat := "package cheat\nimport _ \"os\"\n"
	for _, c := range []struct {
		why   string
		files map[string]string
		link  [2]string // a symbolic link: its name, and where it leads
		want  string
	}{
		{"nothing", map[string]string{"infer/x.go": "package infer\nimport _ \"fmt\"\n"}, [2]string{}, ""},
		{"a symbolic link to a folder", map[string]string{"infer/x.go": fmt.Sprintf(imports, "cheat"), "elsewhere/cheat/x.go": cheat},
			[2]string{"infer/cheat", "../elsewhere/cheat"}, "infer/cheat/x.go is built, and no rule has judged it"},
		{"agents by a roundabout way", map[string]string{"infer/x.go": fmt.Sprintf(imports, "cheat"), "infer/cheat/x.go": "package cheat\nimport _ \"achilles/agents\"\n", "agents/x.go": "package agents\n"},
			[2]string{}, "is blind and linked with agents"},
		{"another gonum", map[string]string{"infer/x.go": "package infer\nimport _ \"gonum.org/v1/gonum/stat\"\n", "gonum/go.mod": "module gonum.org/v1/gonum\n", "gonum/stat/x.go": cheat,
			"go.mod": "module achilles\n\ngo 1.26\n\nrequire gonum.org/v1/gonum v0.1.0\n\nreplace gonum.org/v1/gonum => ./gonum\n"},
			[2]string{}, "gonum.org/v1/gonum/stat from outside is built from"},
		{"a copy of gonum in vendor", map[string]string{"infer/x.go": "package infer\nimport _ \"gonum.org/v1/gonum/stat\"\n", "vendor/gonum.org/v1/gonum/stat/x.go": cheat,
			"vendor/modules.txt": "# gonum.org/v1/gonum v0.1.0\n## explicit\ngonum.org/v1/gonum/stat\n",
			"go.mod":             "module achilles\n\ngo 1.26\n\nrequire gonum.org/v1/gonum v0.1.0\n"},
			[2]string{}, "gonum.org/v1/gonum/stat from outside is built from"},
	} {
		root, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		judged := map[string]bool{}
		if c.files["go.mod"] == "" {
			c.files["go.mod"] = "module achilles\n\ngo 1.26\n"
		}
		for name, text := range c.files {
			judged[name] = true
			file := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if c.link[0] != "" && os.Symlink(filepath.FromSlash(c.link[1]), filepath.Join(root, c.link[0])) != nil {
			continue // this system has no symbolic links
		}
		got := builtFaults(root, goList(t, root, []string{"GOFLAGS=", "GOWORK=off"}, "./infer"), judged)
		// Only the first fault counts, because each package between infer and the forbidden one reports it.
		complain(t, c.why, got[:min(len(got), 1)], c.want)
	}
}

// systemPackages lists packages of the standard library that open files, reach the network or start programs.
var systemPackages = []string{"os", "os/exec", "io/ioutil", "net", "net/http", "syscall", "plugin", "path/filepath", "embed"}

// doorless lists functions and methods of third-party packages that mention one of systemPackages, but by which no blind
// package can open a file by its name. The value is the reason.
var doorless = map[string]string{
	parquet + " fileBufferPool.GetBuffer":      "it belongs to what NewFileBufferPool makes, which is a door",
	parquet + " fileBufferPool.PutBuffer":      "the same",
	parquet + " ColumnWriter.flushFilterPages": "it asks whether what it was handed is a file",
	zstd + " blockDec.prepareSequences":        "it writes a file only if a constant of its package, which is false, were true",
	"gonum.org/v1/gonum/optimize NewPrinter":   "it prints to the standard output",
}

// TestDoors checks doors against the source of the third-party packages that blind packages may import: every function
// that mentions one of systemPackages is in doors or in doorless, and every function in doorless still mentions one.
func TestDoors(t *testing.T) {
	allowed := map[string]bool{}
	for pkg, r := range policy {
		if match(blind, strings.TrimSuffix(pkg, "/...")) {
			for _, p := range r.outside {
				allowed[p] = true
			}
		}
	}
	found := map[string]bool{}
	for _, p := range goList(t, ".", nil, slices.Sorted(maps.Keys(allowed))...) {
		if !allowed[p.ImportPath] {
			continue
		}
		for _, f := range p.GoFiles {
			for _, name := range mentions(t, filepath.Join(p.Dir, f), systemPackages) {
				found[p.ImportPath+" "+name] = true
			}
		}
	}
	for name := range found {
		pkg, function, _ := strings.Cut(name, " ")
		if doorless[name] == "" && !slices.Contains(doors[pkg], function) {
			t.Errorf("%s mentions the system: it is a door, or doorless says why not", name)
		}
	}
	for pkg, functions := range doors {
		for _, function := range functions {
			if allowed[pkg] && !found[pkg+" "+function] {
				t.Errorf("%s %s is in doors, and does not mention the system", pkg, function)
			}
		}
	}
	for name := range doorless {
		if !found[name] {
			t.Errorf("%s is in doorless, and does not mention the system", name)
		}
	}
}

// mentions returns the names of the functions of a file that mention one of the given packages. A method has its type
// before its name.
func mentions(t *testing.T, file string, packages []string) (list []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := localNames(f)
	for _, d := range f.Decls {
		seen := false
		ast.Inspect(d, func(n ast.Node) bool {
			imp, _ := selected(n, names)
			seen = seen || slices.Contains(packages, imp)
			return true
		})
		if seen {
			list = append(list, declared(d))
		}
	}
	return list
}

// declared returns the name of a declared function, TYPE.NAME for a method, and var for any other declaration.
func declared(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		return "var"
	}
	if f.Recv == nil {
		return f.Name.Name
	}
	of := ""
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && of == "" {
			of = id.Name + "."
		}
		return true
	})
	return of + f.Name.Name
}
