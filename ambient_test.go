package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// A ban lists the names in a package that make a run depend on something other than its inputs.
type ban struct {
	all   bool     // all names are banned except those in names
	names []string // the banned names; if all is true, the allowed ones
	tests bool     // the ban holds in tests too
}

// ambient has the bans by import path.
var ambient = map[string]ban{
	"time":         {names: []string{"Now", "Since", "Until", "Tick", "After", "AfterFunc", "NewTimer", "NewTicker"}},
	"os":           {names: []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Getpid", "Getppid", "Getuid", "Getgid", "Hostname", "Executable", "UserHomeDir", "UserCacheDir", "UserConfigDir", "Args"}},
	"os/exec":      {all: true},
	"os/user":      {all: true},
	"context":      {names: []string{"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"}},
	"runtime":      {names: []string{"NumCPU", "GOMAXPROCS", "NumGoroutine", "ReadMemStats", "Caller", "Callers", "Stack"}},
	"math/rand":    {all: true, tests: true},
	"math/rand/v2": {all: true, names: []string{"PCG"}, tests: true}, // sim/rng makes its random streams from PCG
	"crypto/rand":  {all: true, tests: true},
	"hash/maphash": {all: true, tests: true},
}

// deterministic lists the packages whose results depend on their inputs alone. Some may use a few banned names (excepted).
// render/cli may ask for the number of processors, the default of --jobs, on which no result depends, and may use a ticker
// for the lines on stderr that show progress. It may read the environment, which tells a task of an array job its number, and
// limit its own time, because what it stops goes on later: no result depends on either. agents/external lets programs act and
// observe: it may start them and limit their time, because what they do is an input and is recorded. What a language model answers, and how long that
// took, is kept, too.
var deterministic = []string{"gridworld/...", "agents/...", "battery/...", "sim/...", "infer/...", "scenarios/...", "render/cli"}

// excepted reports whether the package pkg may use a name of the package imp although the name is banned.
func excepted(pkg, imp, name string) bool {
	switch pkg {
	case "render/cli":
		return imp == "runtime" && name == "GOMAXPROCS" || imp == "time" && name == "NewTicker" ||
			imp == "os" && name == "Getenv" || imp == "context" && name == "WithTimeoutCause"
	case "scenarios/seal": // draws a root seed
		return imp == "crypto/rand" && name == "Read"
	case "agents/external":
		return imp == "os/exec" || imp == "context"
	case "agents/external/process":
		return imp == "os/exec" || imp == "os" && name == "LookupEnv" // of the few variables that a program gets
	case "agents/external/chat": // how long an answer took is kept with it; an address may say until when to wait
		return imp == "context" || imp == "time" && slices.Contains([]string{"Now", "Since", "Until", "NewTimer"}, name)
	case "agents/external/observer":
		return imp == "time" && name == "AfterFunc"
	}
	return false
}

// ambientFaults lists the uses of banned names in a file: of the clock, the environment, other programs or random numbers
// without a seed.
func ambientFaults(file string, src []byte) (faults []string) {
	if !match(deterministic, path.Dir(file)) {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		return []string{err.Error()}
	}
	names := localNames(f)
	if imp := names["."]; imp != "" {
		if _, guarded := ambient[imp]; guarded {
			faults = append(faults, fmt.Sprintf("%s: a dot import of %s hides what is called", file, imp))
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		imp, name := selected(n, names)
		b, guarded := ambient[imp]
		if !guarded || isTest(file) && !b.tests || b.all == slices.Contains(b.names, name) {
			return true
		}
		if excepted(path.Dir(file), imp, name) {
			return true
		}
		faults = append(faults, fmt.Sprintf("%s: %s.%s makes a run depend on more than its inputs", fset.Position(n.Pos()), strings.TrimSuffix(imp, "/v2"), name))
		return true
	})
	return faults
}

func TestNoAmbientInputs(t *testing.T) {
	eachFile(t, func(file string, src []byte) {
		for _, why := range ambientFaults(file, src) {
			t.Error(why)
		}
	})
}
