package observer_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/agents/external/observer"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// unpack returns the .npy files of a .npz file: their headers, and the bytes of their data.
func unpack(t *testing.T, npz []byte) (header map[string]string, data map[string][]byte) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(npz), int64(len(npz)))
	if err != nil {
		t.Fatal(err)
	}
	header, data = map[string]string{}, map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		n := 10 + int(binary.LittleEndian.Uint16(b[8:]))
		if !bytes.HasPrefix(b, []byte("\x93NUMPY\x01\x00")) || n%64 != 0 || b[n-1] != '\n' {
			t.Errorf("%s: the header is %q", f.Name, b[:n])
		}
		header[strings.TrimSuffix(f.Name, ".npy")], data[strings.TrimSuffix(f.Name, ".npy")] = strings.TrimSpace(string(b[10:n])), b[n:]
	}
	return header, data
}

// TestArrays checks the arrays of one video of two trials against values worked out by hand. In vault the actor moves in
// frames 2 to 6, so that there are masks of frames 1 and 6.
func TestArrays(t *testing.T) {
	first, test := vault(), vault()
	test.Scene.Agent.Colour[0]++ // another actor
	items := []record.Watched{{Item: "i-1", Videos: []record.Video{{Familiarisation: []record.SceneTrial{first}, Test: test}}}}
	var b bytes.Buffer
	if err := observer.WriteArrays(&b, items); err != nil {
		t.Fatal(err)
	}
	header, data := unpack(t, b.Bytes())
	for name, want := range map[string]string{
		"video":    "{'descr': '|S16', 'fortran_order': False, 'shape': (1,), }",
		"position": "{'descr': '<i2', 'fortran_order': False, 'shape': (16, 2,), }",
		"mask":     "{'descr': '|u1', 'fortran_order': False, 'shape': (4, 12, 16,), }",
	} {
		if header[name] != want {
			t.Errorf("%s has header %s, want %s", name, header[name], want)
		}
	}
	for name, want := range map[string][]byte{
		"trial_video": {0, 0, 0, 0, 0, 0, 0, 0}, "trial_number": {0, 0, 0, 0, 1, 0, 0, 0}, "trial_actor": {0, 0, 0, 0, 1, 0, 0, 0},
		"position_end": {8, 0, 0, 0, 16, 0, 0, 0}, "mask_end": {2, 0, 0, 0, 4, 0, 0, 0}, "mask_frame": {1, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0},
	} {
		if !bytes.Equal(data[name], want) {
			t.Errorf("%s is %v, want %v", name, data[name], want)
		}
	}
	if p := data["position"]; !bytes.Equal(p[:4], []byte{11, 0, 29, 0}) || !bytes.Equal(p[24:28], []byte{52, 0, 32, 0}) {
		t.Errorf("the places are %v", p)
	}
	if got := drawn(data["mask"][:12*16], 16); got != vaultMask {
		t.Errorf("the first mask is\n%s", got)
	}
	if last := drawn(data["mask"][12*16:2*12*16], 16); strings.ContainsAny(last, "+KL") || strings.Count(last, "@") != 9 {
		t.Errorf("the last mask is\n%s", last)
	}
}

// vaultMask is frame 1 of vault, drawn by hand, top row first: squares of five pixels whose centres things cover.
const vaultMask = `aaaa....LLLLbbbb
aaaa....LLLLbbbb
aaaa....LLLLbbbb
aaaa....LLLLbbbb
....KKKK++++....
.@@.KKKK++++....
.@@.KKKK++++....
....KKKK++++....
################
################
################
################
`

// drawn returns a mask as text, top row first.
func drawn(mask []byte, width int) string {
	var rows []string
	for row := range slices.Chunk(mask, width) {
		line := ""
		for _, label := range row {
			line += string(".#+LKh@ab"[label])
		}
		rows = append(rows, line+"\n")
	}
	slices.Reverse(rows)
	return strings.Join(rows, "")
}

// TestArraysOfOneSize checks that scenes of different sizes are refused, because they are no array.
func TestArraysOfOneSize(t *testing.T) {
	first, test := vault(), vault()
	test.Scene.Width = 100
	items := []record.Watched{{Item: "i-1", Videos: []record.Video{{Familiarisation: []record.SceneTrial{first}, Test: test}}}}
	if err := observer.WriteArrays(io.Discard, items); err == nil || !strings.Contains(err.Error(), "trial 1 has 100 × 60 pixels; want 80 × 60") {
		t.Errorf("%v", err)
	}
}

// TestBaselineParses checks that the example that learns from the arrays is valid Python. Running it needs PyTorch.
func TestBaselineParses(t *testing.T) {
	longtest.Only(t, "starts python3")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	name := filepath.Join("..", "..", "..", "docs", "examples", "bib-baseline", "baseline.py")
	if said, err := exec.Command(python, "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", name).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
