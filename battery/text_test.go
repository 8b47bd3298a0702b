package battery_test

import (
	"encoding/json"
	"strings"
	"testing"

	"achilles/battery"
)

// TestTextIsPacked checks that packed texts are given back whole.
func TestTextIsPacked(t *testing.T) {
	for _, text := range []string{
		"", "a", "aaa", "aaaa", "aaaab", "baaaa", strings.Repeat("=", 255), strings.Repeat("=", 256), strings.Repeat("=", 1000) + "\n",
		"\x00", "\x00\x00\x00\x00\x00", "a\x00b", "world 1\nlimit 9\nmap\nA.....g\n.......\n", strings.Repeat("ab", 900), "üüüüü",
	} {
		packed := battery.PackText(text)
		if got := packed.String(); got != text || packed.Empty() != (text == "") {
			t.Errorf("%q came back as %q", text, got)
		}
		if packed != battery.PackText(packed.String()) {
			t.Errorf("%q is packed in two ways", text)
		}
		if strings.Contains(text, "ü") {
			continue
		}
		b, err := json.Marshal(packed)
		var again battery.Text
		if err == nil {
			err = json.Unmarshal(b, &again)
		}
		if err != nil || again != packed {
			t.Errorf("%q as JSON: %s, %v", text, b, err)
		}
	}
}
