package viewer_test

import (
	"os"
	"strings"
	"testing"

	"achilles/render/viewer"
)

// TestManual checks that the manual lists every key with its text in the help.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide/viewer.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range viewer.Bindings() {
		if b.Doc != "" && !strings.Contains(string(text), "| `"+string(b.Key)+"` | "+b.Doc+" |\n") {
			t.Errorf("docs/guide/viewer.md lacks\n| `%s` | %s |", b.Key, b.Doc)
		}
	}
}
