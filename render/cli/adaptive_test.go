package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestStopBySDIsExplained checks that generate says how many subjects did not reach adaptive.sd within their items, and says nothing
// where all did.
func TestStopBySDIsExplained(t *testing.T) {
	for sd, want := range map[string]string{"0.01": "warning: adaptive.sd = 0.01 was not reached within 8 items by 2 subjects: ", "0.4": ""} {
		code, _, msg := achilles(t, "generate", "op-adaptive", "--out", filepath.Join(t.TempDir(), "r"), "--set", "adaptive.items=8", "--set", "adaptive.sd="+sd,
			"--set", "battery.items=40", "--set", "population[0].count=2")
		if code != 0 || !strings.Contains(msg, want) || want == "" && strings.Contains(msg, "adaptive.sd") {
			t.Errorf("sd %s: exit %d, %s", sd, code, msg)
		}
	}
}
