package table

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"achilles/sim/num"
)

// TestTailOfPassing compares with the sum over all sets, for sums that lie between two possible ones.
func TestTailOfPassing(t *testing.T) {
	for _, c := range []struct {
		spread float64
		passes int
	}{{1, 2}, {1, 7}, {1, 12}, {2, 3}, {0.5, 13}} {
		o := orderOfPassing{passes: c.passes}
		for s := range 14 {
			o.ability = append(o.ability, c.spread*num.NormalQuantile((float64(s)+0.5)/14))
		}
		type set struct{ sum, weight float64 }
		var sets []set
		total, mean, square := 0.0, 0.0, 0.0
		for mask := range uint(1) << 14 {
			if bits.OnesCount(mask) != c.passes {
				continue
			}
			sum := 0.0
			for s, a := range o.ability {
				if mask>>s&1 == 1 {
					sum += a
				}
			}
			w := math.Exp(sum)
			sets = append(sets, set{sum, w})
			total, mean, square = total+w, mean+w*sum, square+w*sum*sum
		}
		if got := o.logSum(1); math.Abs(got-math.Log(total)) > 1e-9 {
			t.Errorf("%v: log sum %g, want %g", c, got, math.Log(total))
		}
		mean /= total
		sd := math.Sqrt(square/total - mean*mean)
		slices.SortFunc(sets, func(a, b set) int { return int(math.Copysign(1, a.sum-b.sum)) })
		below, next := 0.0, 1e-6
		for k, x := range sets[:len(sets)-1] {
			if below += x.weight / total; below < next {
				continue
			}
			next = below * 3
			z := ((x.sum+sets[k+1].sum)/2 - mean) / sd
			if z > -1 {
				break
			}
			if got := o.tail(z); got < below/1.6 || got > below*1.6 {
				t.Errorf("%v: z %.2f: tail %.3g, want %.3g", c, z, got, below)
			} else {
				t.Logf("%v: z %.2f: tail %.3g, want %.3g, normal %.3g", c, z, got, below, num.NormalCDF(z))
			}
		}
	}
}
