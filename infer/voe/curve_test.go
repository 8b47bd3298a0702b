package voe_test

import (
	"fmt"
	"testing"

	"achilles/infer/voe"
)

func TestCurve(t *testing.T) {
	frames := []voe.Frame{{Frame: 2, Shift: 0.5}, {Frame: 2, Shift: 0.75}, {Frame: 4, Shift: -1e-17}, {Frame: 5, Shift: 2}}
	for _, c := range []struct {
		frames []voe.Frame
		last   int
		want   string
	}{
		{frames, 6, "[NaN NaN 0.75 0.75 0 2 2]"}, // in frame 2 the last value counts, −1e-17 becomes 0, and the last value stays
		{frames, 3, "[NaN NaN 0.75 0.75]"},
		{nil, 1, "[NaN NaN]"},
	} {
		if got := fmt.Sprint(voe.Curve(c.frames, c.last)); got != c.want {
			t.Errorf("up to frame %d: %s, want %s", c.last, got, c.want)
		}
	}
}
