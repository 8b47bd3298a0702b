package cli

import (
	"fmt"
	"strings"
	"testing"

	"achilles/infer/contrast"
)

// TestDecided keeps of 67 differences the two that were found, and of 66 all.
func TestDecided(t *testing.T) {
	var gaps []contrast.Gap
	for k := range 67 {
		g := contrast.Gap{Parameter: "op", A: "a", B: fmt.Sprint("b", k), Mean: 1, Holm: 0.5}
		if k == 3 || k == 60 {
			g.Holm = 0.001
		}
		gaps = append(gaps, g)
	}
	for n, want := range map[int]int{66: 66, 67: 2} {
		out, err := decided(contrast.GapTable(gaps[:n], 0, false))
		if err != nil || len(out.Rows) != want || !strings.Contains(strings.Join(out.Foot, " "), fmt.Sprintf("all %d pairs together", n)) {
			t.Errorf("of %d rows %d, %v", n, len(out.Rows), err)
		}
		if said := strings.HasPrefix(out.Foot[0], "65 of 67 differences cannot be distinguished"); said != (n == 67) {
			t.Errorf("%d: %q", n, out.Foot[0])
		}
	}
}
