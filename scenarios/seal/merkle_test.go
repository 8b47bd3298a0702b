package seal_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"testing"

	"achilles/scenarios/seal"
	"achilles/sim/part"
)

// merkle returns the root over files, path → content.
func merkle(files map[string]string) string {
	var list []part.File
	for _, path := range slices.Sorted(maps.Keys(files)) {
		list = append(list, part.NewFile(path, []byte(files[path])))
	}
	return seal.Merkle(list)
}

// TestMerkleByHand checks the tree of three files, written out by hand.
func TestMerkleByHand(t *testing.T) {
	hash := func(b ...[]byte) []byte {
		sum := sha256.Sum256(bytes.Join(b, nil))
		return sum[:]
	}
	leaf := func(path, content string) []byte {
		return hash([]byte("\x00" + path + "\x00" + hex.EncodeToString(hash([]byte(content)))))
	}
	one := []byte{1}
	want := hash(one, hash(one, leaf("a", "x"), leaf("b", "y")), leaf("c", "z"))
	if got := merkle(map[string]string{"c": "z", "a": "x", "b": "y"}); got != hex.EncodeToString(want) {
		t.Errorf("root %s, want %x", got, want)
	}
}

// TestMerkleTellsDirectoriesApart checks that no two of these directories share a root: contents moved between files, files renamed,
// split or joined.
func TestMerkleTellsDirectoriesApart(t *testing.T) {
	seen := map[string]int{}
	for i, files := range []map[string]string{
		{}, {"a": ""}, {"b": ""}, {"a": "x"}, {"a": "x", "b": ""}, {"a": "", "b": "x"}, {"ab": "x"}, {"a": "x", "b": "y"}, {"a": "y", "b": "x"}, {"a": "x", "b": "y", "c": "z"}, {"a/b": "x"},
	} {
		c := merkle(files)
		if j, ok := seen[c]; ok {
			t.Errorf("directories %d and %d share a root", i, j)
		}
		seen[c] = i
	}
}
