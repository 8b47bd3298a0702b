package num_test

import (
	"testing"

	"achilles/sim/num"
)

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 items", 1: "1 item", 2: "2 items", 999: "999 items", 1000: "1,000 items", 1234567: "1,234,567 items", -100: "-100 items", -1000: "-1,000 items"} {
		if got := num.Counted(n, "item"); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
