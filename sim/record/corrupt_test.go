package record_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"achilles/sim/longtest"
	"achilles/sim/part"
	"achilles/sim/record"
)

// TestTamperedFiles checks that one changed bit, or one byte less or more, is found in any file that the manifest
// lists.
func TestTamperedFiles(t *testing.T) {
	files := golden(t)
	for name := range files {
		if name == "manifest.json" {
			continue
		}
		for i := range 10 {
			bad := slices.Clone(files[name])
			bad[i*len(bad)/10] ^= 1 << (i % 8)
			checkTampered(t, files, name, bad, "changed since it was written")
		}
		checkTampered(t, files, name, files[name][:len(files[name])-1], "truncated")
		checkTampered(t, files, name, nil, "truncated")
		checkTampered(t, files, name, append(slices.Clone(files[name]), 0), "longer than")
	}
}

func checkTampered(t *testing.T, files map[string][]byte, name string, bad []byte, want string) {
	t.Helper()
	m := mapFS(files)
	m[name].Data = bad
	if _, err := record.Read(m); err == nil || !strings.Contains(err.Error(), name+": "+want) {
		t.Errorf("%s: error %v does not say %q", name, err, want)
	}
	d, err := record.ReadManifest(m)
	if err != nil {
		t.Fatal(err)
	}
	var damaged *part.Damaged
	if err := d.Verify(m); !errors.As(err, &damaged) || damaged.Path != name {
		t.Errorf("%s: verified with %v", name, err)
	}
}

// TestCorruptTables checks that a corrupt table with the digest that the manifest states is refused without a panic, or
// read as a valid one.
func TestCorruptTables(t *testing.T) {
	d := sample(4, 2, 5)
	files := encode(t, d)
	for _, name := range []string{"items.parquet", "responses.parquet"} {
		good := files[name]
		step := stride(17)
		for i := 0; i < len(good); i += step {
			for _, bad := range [][]byte{good[:i], flip(good, i, 1), flip(good, i, 0x80)} {
				changed := withManifest(d.Manifest, map[string][]byte{"items.parquet": files["items.parquet"], "responses.parquet": files["responses.parquet"], name: bad})
				got, err := record.Read(mapFS(changed))
				if err == nil {
					if _, err := record.Encode(got); err != nil {
						t.Fatalf("%s, byte %d: what was read does not encode: %v", name, i, err)
					}
				} else if !strings.Contains(err.Error(), name) {
					t.Errorf("%s, byte %d: the error does not name the file: %v", name, i, err)
				}
			}
		}
	}
}

// TestNotParquet checks that the error distinguishes a file that is not Parquet from one that is broken inside.
func TestNotParquet(t *testing.T) {
	good := newForeign().write(t)["responses.parquet"]
	longFooter := slices.Clone(good)
	copy(longFooter[len(longFooter)-8:], []byte{0xff, 0xff, 0xff, 0x7f})
	for _, c := range []struct {
		why  string
		data []byte
		want string
	}{
		{"empty", nil, "too short"},
		{"a text", []byte("subject,item,value\nx,a,1\n"), "does not end in PAR1"},
		{"cut in the middle", good[:len(good)/2], "truncated, or not a Parquet file"},
		{"a footer of two gigabytes", longFooter, "its footer is longer than the file"},
	} {
		f := newForeign()
		files := f.write(t)
		files["responses.parquet"] = c.data
		withManifest(f.manifest, files)
		if _, err := record.Read(mapFS(files)); err == nil || !strings.Contains(err.Error(), "responses.parquet: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.want)
		}
	}
}

// stride returns the distance between the bytes that a test corrupts: 1 with -long, otherwise n, and ten times n with
// -short.
func stride(n int) int {
	if longtest.On() {
		return 1
	}
	if testing.Short() {
		return 10 * n
	}
	return n
}

func flip(b []byte, i int, mask byte) []byte {
	b = slices.Clone(b)
	b[i] ^= mask
	return b
}
