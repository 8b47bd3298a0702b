// Package batterytest helps tests of batteries: it has a reader of reference data, and a writer of film strips.
package batterytest

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"achilles/battery"
)

// Digest returns the SHA-256 of a battery's items, in hex.
func Digest(t testing.TB, b battery.Battery) string {
	t.Helper()
	text, err := json.Marshal(b.Items)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Table returns the rows of a CSV file of the data folder, each as a map from column to value. It skips the test if the
// file is absent. The data folder is the environment variable ACHILLES_DATA, by default ../shared/data from the root of the
// repository.
func Table(t testing.TB, path ...string) []map[string]string {
	t.Helper()
	folder := os.Getenv("ACHILLES_DATA")
	if folder == "" {
		folder = filepath.Join(root(t), "..", "shared", "data")
	}
	file := filepath.Join(folder, filepath.Join(path...))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("reference data not found (%v): set ACHILLES_DATA to the data folder to run this test", err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

// root returns the nearest folder with a go.mod: the folder of the test or one above it.
func root(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}
