package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

// layers says in which folders packages may lay out what people and scripts read, or write it as CSV. Everything else hands on
// tables (sim/table), which render/tabular makes text, HTML and CSV of. Names are those that must not be used; none: the package
// must not be imported.
var layers = []struct {
	imp   string
	names []string
	in    []string
}{
	{"text/tabwriter", nil, []string{"render/tabular"}},
	{"html/template", nil, []string{"render/tabular", "render/report", "render/player"}},
	{"encoding/csv", []string{"NewWriter", "Writer"}, []string{"render/..."}},
	{"image/png", []string{"Encode", "Encoder"}, []string{"render/canvas", "render/figure/chart", "render/canvastest"}},
	{"image/gif", nil, []string{"render/canvas"}},
	{"gonum.org/v1/plot/vg", nil, []string{"render/figure/chart"}},
}

// parsers are the packages that parse layouts beside a layout.Library, which parses each text once: those whose layouts are in no file,
// composed ones and those with a planted fault.
var parsers = []string{"infer", "infer/compare"}

// parses reports whether a file parses layouts. Tests may.
func parses(file string, src []byte) (found bool) {
	f, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	if err != nil || isTest(file) {
		return false
	}
	names := localNames(f)
	ast.Inspect(f, func(n ast.Node) bool {
		imp, name := selected(n, names)
		found = found || imp == "achilles/infer/layout" && name == "Parse"
		return true
	})
	return found
}

// TestLayoutsAreParsedOnce checks that each of parsers calls layout.Parse in one file, and no other package does, so that a
// command parses a layout once: the test of that name of render/cli counts.
func TestLayoutsAreParsedOnce(t *testing.T) {
	calls := map[string]int{}
	eachFile(t, func(file string, src []byte) {
		if parses(file, src) {
			calls[path.Dir(file)]++
		}
	})
	for dir, n := range calls {
		if n > 1 || !match(parsers, dir) {
			t.Errorf("%d files of %s parse layouts: let them take a *layout.Layout or a *layout.Library", n, dir)
		}
	}
	if len(calls) != len(parsers) {
		t.Errorf("layouts are parsed in %v, want in %v", calls, parsers)
	}
}

// layoutFaults lists where a file lays out tables although its package must not. Tests may.
func layoutFaults(file string, src []byte) (faults []string) {
	if isTest(file) {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	if err != nil {
		return []string{err.Error()}
	}
	names := localNames(f)
	for _, l := range layers {
		if match(l.in, path.Dir(file)) {
			continue
		}
		found := false
		for _, imp := range f.Imports {
			found = found || strings.Trim(imp.Path.Value, "`\"") == l.imp && (l.names == nil || names["."] == l.imp)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			imp, name := selected(n, names)
			for _, banned := range l.names {
				found = found || imp == l.imp && name == banned
			}
			return true
		})
		if found {
			faults = append(faults, fmt.Sprintf("%s: %s is for %s: hand on a table, or a scene, instead", file, l.imp, strings.Join(l.in, " and ")))
		}
	}
	return faults
}

// TestTablesAreLaidOutOnce checks that tables become text, HTML and CSV in render alone.
func TestTablesAreLaidOutOnce(t *testing.T) {
	eachFile(t, func(file string, src []byte) {
		for _, why := range layoutFaults(file, src) {
			t.Error(why)
		}
	})
}

func TestLayoutWallHolds(t *testing.T) {
	use := func(imp, name string) string { return "package p\nimport x \"" + imp + "\"\nvar _ = x." + name + "\n" }
	for _, c := range []struct{ why, file, src, want string }{
		{"columns of a grade", "scenarios/score/x.go", use("text/tabwriter", "NewWriter"), "text/tabwriter is for render/tabular"},
		{"columns on the command line", "render/cli/x.go", use("text/tabwriter", "NewWriter"), "text/tabwriter is for render/tabular"},
		{"columns in infer, by an import alone", "infer/x.go", "package p\nimport _ \"text/tabwriter\"\n", "text/tabwriter is for"},
		{"HTML of a grade", "scenarios/score/x.go", use("html/template", "HTML"), "html/template is for render/tabular and render/report"},
		{"HTML in the viewer", "render/viewer/x.go", use("html/template", "HTML"), "html/template is for"},
		{"CSV of an analysis", "infer/analysis/x.go", use("encoding/csv", "NewWriter"), "encoding/csv is for render"},
		{"the same as a type", "battery/x.go", use("encoding/csv", "Writer{}"), "encoding/csv is for render"},
		{"the same by a dot import", "battery/x.go", "package p\nimport . \"encoding/csv\"\nvar _ = NewWriter\n", "encoding/csv is for render"},

		{"a reader of CSV", "battery/tables/x.go", use("encoding/csv", "NewReader"), ""},
		{"CSV of the record", "render/cli/x.go", use("encoding/csv", "NewWriter"), ""},
		{"HTML of a table", "render/tabular/x.go", use("html/template", "HTML"), ""},
		{"a picture of a scene", "render/canvas/x.go", use("image/png", "Encode"), ""},
		{"a picture of the viewer's own", "render/viewer/x.go", use("image/png", "Encode"), "image/png is for render/canvas"},
		{"CSV in a test", "infer/x_test.go", use("encoding/csv", "NewWriter"), ""},
		{"a job's script", "render/submit/x.go", use("text/template", "New"), ""},
	} {
		complain(t, c.why, layoutFaults(c.file, []byte(c.src)), c.want)
	}
}
