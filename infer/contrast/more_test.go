package contrast

import (
	"fmt"
	"testing"

	"achilles/sim/rng"
)

// TestMoreFinds draws as many items as are said to find a difference, from what was seen of each pair, and counts how often it is found, at the level of
// one and of 66 pairs: with probability 0.8, less what an exact test of few loses by its steps, or more where few were seen, whose rates are uncertain. Of 2,000 a share has a standard error of .009.
func TestMoreFinds(t *testing.T) {
	for _, x := range []struct{ a, b, equal int }{{5, 0, 0}, {4, 0, 1}, {4, 1, 0}, {10, 5, 10}, {8, 4, 60}, {60, 45, 100}, {0, 3, 60}} {
		for _, pairs := range []int{1, 66} {
			seen := tested(x.a, x.b, x.equal)
			list := make([]Difference, pairs)
			for k := range list {
				list[k] = seen
			}
			correct(list)
			n := x.a + x.b + x.equal
			all := n + list[0].More
			if list[0].More == 0 {
				t.Errorf("%+v of %d pairs: no number", x, pairs)
				continue
			}
			r := rng.Stream(501, "more", fmt.Sprint(x, pairs))
			found := 0
			for range 2000 {
				a, b := 0, 0
				for range all {
					switch k := r.IntN(n); {
					case k < x.a:
						a++
					case k < x.a+x.b:
						b++
					}
				}
				if d := tested(a, b, all-a-b); d.P <= alpha/float64(pairs) {
					found++
				}
			}
			share := float64(found) / 2000
			t.Logf("%+v of %d pairs: %d more, found %.3f", x, pairs, list[0].More, share)
			if share < 0.7 || share > 0.97 && x.a > 4 && n > 10 {
				t.Errorf("%+v of %d pairs: with %d more found in %.3f", x, pairs, list[0].More, share)
			}
		}
	}
}
