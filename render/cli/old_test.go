package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOldResults checks that results directories of version 1 can still be read. One has responses; the other has
// results of observers, which had a format of their own in version 1. Their scores must have all the numbers that they
// had. To infer again needs --force, and the error must say so.
func TestOldResults(t *testing.T) {
	for _, name := range []string{"answered", "watched"} {
		dir := filepath.Join(t.TempDir(), name)
		copyDir(t, filepath.Join("testdata", "old", name), dir)
		want := read(t, filepath.Join(dir, "scores", "scores.json"))
		if err := os.RemoveAll(filepath.Join(dir, "scores")); err != nil {
			t.Fatal(err)
		}
		must(t, "score", dir)
		was, is := numbersOf(t, want), numbersOf(t, read(t, filepath.Join(dir, "scores", "scores.json")))
		for path, x := range was {
			if y, ok := is[path]; !ok || x != y {
				t.Errorf("%s: %s is %v, and was %v", name, path, y, x)
			}
		}
		if len(was) < 50 {
			t.Errorf("%s: %d numbers are compared", name, len(was))
		}
		must(t, "report", dir)
		must(t, "export", dir, "--out", filepath.Join(t.TempDir(), "csv"))
		again := []string{"infer", dir, "--seed", "5"}
		if name == "answered" {
			again = append(again, "--layout", "constant", "--draws", "100", "--warmup", "50")
		} else {
			again = append(again, "--observers", "achilles,duration", "--moments", "1")
		}
		if code, _, stderr := achilles(t, again...); code != 1 || !strings.Contains(stderr, "exists already") || !strings.Contains(stderr, "hint: --force") {
			t.Errorf("%s: exit %d, %s", name, code, stderr)
		}
		must(t, append(again, "--force")...)
		must(t, "score", dir)
	}
}

// TestLaterResults checks that a result of a later version is refused, with a hint how to make the result anew.
func TestLaterResults(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	copyDir(t, filepath.Join("testdata", "old", "answered"), dir)
	path := filepath.Join(dir, "inferred", "manifest.json")
	write(t, path, bytes.Replace(read(t, path), []byte(`"version": 1`), []byte(`"version": 9`), 1))
	if code, _, stderr := achilles(t, "score", dir); code != 1 || !strings.Contains(stderr, "version 9") || !strings.Contains(stderr, "rerun achilles infer "+dir+" --layout constant --force") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestHintMakesInferredAnew checks that the command that is named where the inferred part is damaged makes it anew: each command must name
// the same, with the layout of the result, and score must be able to go on.
func TestHintMakesInferredAnew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "damaged")
	copyDir(t, filepath.Join("testdata", "old", "answered"), dir)
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "scores")), os.Remove(filepath.Join(dir, "inferred", "profiles.parquet"))); err != nil {
		t.Fatal(err)
	}
	command := []string{"infer", dir, "--layout", "constant", "--force"}
	for _, of := range [][]string{{"show", dir}, {"score", dir, "--force"}, {"report", dir, "--force"}, {"verify", dir}} {
		if code, _, stderr := achilles(t, of...); code != 1 || !strings.Contains(stderr, "achilles "+strings.Join(command, " ")) || !strings.Contains(stderr, "profiles.parquet") {
			t.Errorf("%s: exit %d, %s", of, code, stderr)
		}
	}
	must(t, command...)
	must(t, "score", dir, "--force")

	write(t, filepath.Join(dir, "inferred", "manifest.json"), []byte("{"))
	if code, _, stderr := achilles(t, "score", dir, "--force"); code != 1 || !strings.Contains(stderr, "cut off, or not JSON") || !strings.Contains(stderr, "achilles infer "+dir+" --layout NAME --force") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// numbersOf returns the numbers in a JSON text by their paths, without the version.
func numbersOf(t *testing.T, text []byte) map[string]float64 {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	list := map[string]float64{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, w := range v {
				walk(path+"."+k, w)
			}
		case []any:
			for i, w := range v {
				walk(fmt.Sprint(path, ".", i), w)
			}
		case float64:
			list[path] = v
		}
	}
	walk("", v)
	delete(list, ".version")
	return list
}

// TestForceInfersAgain checks that a forced inference by the same layout and settings writes a result anew, because an earlier version may have
// written less, and that one which is not forced leaves it as it is.
func TestForceInfersAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "again")
	smallRun(t, dir)
	command := []string{"infer", dir, "--layout", "constant", "--draws", "100", "--warmup", "50"}
	forced := slices.Concat(command, []string{"--force"})
	must(t, forced...)
	left := filepath.Join(dir, "inferred", "left")
	write(t, left, nil)
	must(t, command...)
	if _, err := os.Stat(left); err != nil {
		t.Errorf("it is inferred again without --force: %v", err)
	}
	must(t, forced...)
	if _, err := os.Stat(left); err == nil {
		t.Error("it is not inferred again with --force")
	}
}
