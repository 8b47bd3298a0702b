package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"achilles/sim/rng"
)

// TestWarningsOfTables checks that what a table cannot tell is on the first screen of score and of the report, beside the numbers that say otherwise:
// subjects of coins are not to be ranked, distances of a perfect order are not known, and responses that are all the same say nothing.
func TestWarningsOfTables(t *testing.T) {
	dir := t.TempDir()
	coins := rng.Stream(573, "coins")
	for name, c := range map[string]struct {
		text, says string
	}{
		"coins": {planted(573, 30, 12, func(int, int, byte) byte { return '0' + byte(coins.Uint64()&1) }), "do not rank subjects"},
		"order": {planted(573, 9, 7, func(s, i int, _ byte) byte {
			if i < s {
				return '1'
			}
			return '0'
		}), "a Guttman scale"},
		"same": {planted(573, 9, 7, func(int, int, byte) byte { return '1' }), "nothing distinguishes subjects or items"},
	} {
		file, r := filepath.Join(dir, name+".csv"), filepath.Join(dir, name)
		write(t, file, []byte(c.text))
		must(t, "import", file, "--out", r)
		must(t, "infer", r, "--layout", "rasch", "--draws", "200", "--warmup", "200")
		if said := strings.Join(strings.Fields(must(t, "score", r)), " "); !strings.Contains(said, "Caution: ") || !strings.Contains(said, c.says) {
			t.Errorf("%s: score does not say %q:\n%s", name, c.says, said)
		}
		must(t, "report", r)
		if page := string(read(t, filepath.Join(r, "report", "index.html"))); !strings.Contains(page, c.says) {
			t.Errorf("%s: the report does not say %q", name, c.says)
		}
	}
}
