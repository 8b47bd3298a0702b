package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// unsteady lists, by import path, what a test may not use if it is to say the same on every machine: the clock, the heap
// and other programs. An empty list means the whole package.
var unsteady = map[string][]string{
	"os/exec": nil,
	"runtime": {"ReadMemStats", "NumGoroutine"},
	"time":    {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"},
	"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
}

// steady lists test files that use such a name and say the same all the same.
var steady = map[string]string{
	"built_test.go": "asks the go command, which builds the tests, what it builds",
	"agents/external/process/process_test.go":    "starts itself, and waits until that has ended",
	"agents/external/process/seat_linux_test.go": "starts itself, and waits until that has ended",
	"render/cli/clitest/program.go":              "is the program",
	"render/rendertest/chrome.go":                "drives a browser that Browser found",
	"render/cli/growth_test.go":                  "measures, if it is told to",
}

// steadyFaults lists the uses of unsteady names in a test file that is neither part of the long suite (it imports
// sim/longtest, or rendertest, which has browsers for it) nor in a bubble of its own time (testing/synctest).
func steadyFaults(file string, src []byte) (faults []string) {
	if !isTest(file) || steady[file] != "" {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		return []string{err.Error()}
	}
	names := localNames(f)
	for _, imp := range names {
		if imp == module+"/sim/longtest" || imp == module+"/render/rendertest" || imp == "testing/synctest" {
			return nil
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		imp, name := selected(n, names)
		if list, ok := unsteady[imp]; ok && (list == nil || slices.Contains(list, name)) {
			faults = append(faults, fmt.Sprintf("%s: %s.%s makes a test depend on the machine: it belongs to the long suite (sim/longtest)", fset.Position(n.Pos()), imp, name))
		}
		return true
	})
	return faults
}

// TestSteady checks that what go test runs depends on no clock, no heap and no other program, file by file.
func TestSteady(t *testing.T) {
	eachFile(t, func(file string, src []byte) {
		for _, why := range steadyFaults(file, src) {
			t.Error(why)
		}
		if steady[file] != "" && steadyFaults("x_test.go", src) == nil {
			t.Errorf("%s need not be listed in steady", file)
		}
	})
}

func TestSteadyHolds(t *testing.T) {
	for _, c := range []struct{ why, src, want string }{
		{"a clock", "package p\nimport \"time\"\nvar _ = time.Now\n", "time.Now"},
		{"a program", "package p\nimport x \"os/exec\"\nvar _ = x.Command\n", "os/exec.Command"},
		{"the heap", "package p\nimport \"runtime\"\nvar _ = runtime.ReadMemStats\n", "runtime.ReadMemStats"},
		{"a limit of time", "package p\nimport \"context\"\nvar _ = context.WithTimeout\n", "context.WithTimeout"},
		{"a duration", "package p\nimport \"time\"\nvar _ = time.Second\n", ""},
		{"the long suite", "package p\nimport (\"time\"; \"achilles/sim/longtest\")\nvar _, _ = time.Now, longtest.On\n", ""},
		{"a bubble", "package p\nimport (\"time\"; \"testing/synctest\")\nvar _, _ = time.Sleep, synctest.Test\n", ""},
	} {
		complain(t, c.why, steadyFaults("sim/x_test.go", []byte(c.src)), c.want)
	}
	if got := steadyFaults("sim/x.go", []byte("package p\nimport \"time\"\nvar _ = time.Now\n")); got != nil {
		t.Errorf("a program: %s", strings.Join(got, ", "))
	}
}
