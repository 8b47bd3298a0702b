package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// ErrNoSource says that a program for browsers cannot be built, because its source or the go command is missing.
var ErrNoSource = errors.New("the program for browsers cannot be built")

// A Program is the part of a study that runs worlds, compiled for browsers.
type Program struct {
	Wasm  []byte // WebAssembly, gzipped
	Glue  []byte // the script of the Go distribution that starts Wasm
	Bytes int    // size of the program before it was gzipped
}

// Embedded reports whether this program has that of studies within it, so that BuildStudy compiles nothing.
func Embedded() bool { return packedStudy != nil }

// BuildStudy returns the part of a study's page that runs the worlds. If this program has none within it, BuildStudy compiles it from the
// source of the module. It looks for the source where this program was built, and then in the working directory and its parents. Only the
// first build takes long, because the go command caches results. The error wraps ErrNoSource if there is no source or no go command.
func BuildStudy(ctx context.Context) (*Program, error) {
	if Embedded() {
		return unpack(packedStudy, glue)
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("%w: there is no go command", ErrNoSource)
	}
	source, err := module()
	if err != nil {
		return nil, err
	}
	root, err := output(exec.CommandContext(ctx, tool, "env", "GOROOT"), source)
	if err != nil {
		return nil, err
	}
	p := &Program{}
	if p.Glue, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoSource, err)
	}
	dir, err := os.MkdirTemp("", "achilles-study-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "study.wasm")
	c := exec.CommandContext(ctx, tool, "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./render/study/app")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if _, err := output(c, source); err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p.Bytes = len(wasm)
	p.Wasm, err = pack(wasm)
	return p, err
}

// unpack returns a program of its WebAssembly, packed by Zstandard, and its glue.
func unpack(packed, glue []byte) (*Program, error) {
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	wasm, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("the program for browsers within this one is damaged: %w", err)
	}
	p := &Program{Glue: glue, Bytes: len(wasm)}
	p.Wasm, err = pack(wasm)
	return p, err
}

// pack gzips data at level 6, which takes a second less than the best level and gives nearly the same size.
func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, 6)
	if err == nil {
		_, err = z.Write(data)
	}
	if err == nil {
		err = z.Close()
	}
	return b.Bytes(), err
}

// output runs a command in a directory and returns its standard output. If the command fails, the error has its
// standard error, on one line.
func output(c *exec.Cmd, dir string) ([]byte, error) {
	c.Dir = dir
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("%s: %v: %s", strings.Join(c.Args[:2], " "), err, strings.Join(strings.Fields(string(failed.Stderr)), " "))
	}
	return out, err
}

// module returns the directory of the module.
func module() (string, error) {
	var candidates []string
	if _, here, _, ok := runtime.Caller(0); ok && filepath.IsAbs(here) {
		candidates = append(candidates, filepath.Dir(filepath.Dir(filepath.Dir(here))))
	}
	if dir, err := os.Getwd(); err == nil {
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			candidates = append(candidates, dir)
		}
	}
	for _, dir := range candidates {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(text, []byte("module achilles\n")) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%w: its source is not here; start it by go run . in the module's directory", ErrNoSource)
}
