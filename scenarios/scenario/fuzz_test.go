package scenario_test

import (
	"regexp"
	"strings"
	"testing"

	"achilles/scenarios/scenario"
)

// FuzzCheck checks that Check ends for every text, and that every error is one line that names the file.
func FuzzCheck(f *testing.F) {
	f.Add(small)
	for _, spoil := range []string{"[battery]", "rule", "0.2", `"`, "\n", "[[agent]]"} {
		f.Add(strings.Replace(small, spoil, "", 1))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 || strings.Contains(text, "count") && regexp.MustCompile(`count\s*=\s*\+?[\d_]{4}`).MatchString(text) {
			return // large populations are legal and slow
		}
		for _, err := range scenario.Check(t.Context(), "file.toml", text) {
			if msg := err.Error(); !strings.HasPrefix(msg, "file.toml") || strings.Contains(msg, "\n") {
				t.Errorf("error is not one line that names the file: %s", msg)
			}
		}
	})
}
