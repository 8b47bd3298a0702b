package battery_test

import (
	"encoding/json"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/sim/rng"
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

// TestRunsArePacked checks that texts of random runs are packed run by run, wherever a run begins.
func TestRunsArePacked(t *testing.T) {
	r := rng.Stream(1, "runs")
	for range 2000 {
		var text, want strings.Builder
		for last, k := byte(0xff), r.IntN(12); k > 0; k-- {
			c, n := "ab\x00."[r.IntN(4)], 1+r.IntN(9)
			if r.IntN(9) == 0 {
				n = 1 + r.IntN(255)
			}
			if c == last {
				continue
			}
			last = c
			run := strings.Repeat(string(c), n)
			text.WriteString(run)
			if n >= 4 || c == 0 {
				run = "\x00" + string([]byte{byte(n), c})
			}
			want.WriteString(run)
		}
		if got := battery.PackText(text.String()); got != battery.Packed(want.String()) {
			t.Fatalf("%q is packed as %#v, want %q", text.String(), got, want.String())
		}
	}
}
