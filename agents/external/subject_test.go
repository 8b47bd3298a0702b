package external_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/agents/external/process"
	"achilles/gridworld"
	"achilles/sim/longtest"
	"achilles/sim/rng"
)

// TestSubjectSeesWhatFramesShow has the Python package take episodes by the protocol. It compares every observation that it makes
// of the lines with what the frames show of the same episode. Worlds with locks are left out: the protocol does not say when one opens, and no battery that
// a subject takes has one.
func TestSubjectSeesWhatFramesShow(t *testing.T) {
	longtest.Only(t, "starts Python")
	python := "python3"
	if named := os.Getenv("PYTHON"); named != "" {
		python = named
	}
	if out, err := exec.Command(python, "-c", "import gymnasium, numpy").CombinedOutput(); err != nil {
		t.Skipf("%s: %s", python, out)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(13, "actions")
	for i, start := range rooms(t) {
		if hasLock(start.World) {
			continue
		}
		e, err := external.NewEnvs("test", []external.TrainingWorld{start}, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		in, digits := binary.LittleEndian.AppendUint64([]byte{'r'}, 0), []byte{}
		for range start.World.Rules().Limit {
			a := byte(1)
			if r.Bernoulli(0.5) {
				a = byte(r.IntN(4))
			}
			in, digits = append(in, 's', a), append(digits, '0'+a)
		}
		var out bytes.Buffer
		if err := e.Serve(bytes.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		shown, program := filepath.Join(dir, "frames"), filepath.Join(dir, "achilles")
		if err := os.WriteFile(shown, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(program, []byte("#!/bin/sh\nexec cat '"+shown+"'\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		command := []string{"env", "ACHILLES=" + program, "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=" + filepath.Join(root, "python"), python, filepath.Join(root, "python/tests/subject.py"), string(digits)}
		p, err := external.Start(&agents.Spec{Command: command, Timeout: 60}, &process.Seat{})
		if err != nil {
			t.Fatal(err)
		}
		w := &gridworld.World{}
		w.Share(start.World)
		actions, err := play(t.Context(), p, &gridworld.Env{World: w, Places: start.Places})
		if err != nil {
			t.Errorf("world %d, after %d actions: %v", i, len(actions), err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func hasLock(w *gridworld.World) bool {
	for y := range w.Height() {
		for x := range w.Width() {
			if w.At(gridworld.Pos{X: x, Y: y}).Kind == gridworld.Lock {
				return true
			}
		}
	}
	return false
}
