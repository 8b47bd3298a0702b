package contrast

import (
	"fmt"
	"math"
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

// TestFindable draws pairs who differ by what so many items are said to find, each item favouring one or other by chances that differ, and counts
// how often they are found: with probability 0.8, less or more by the steps of an exact test.
func TestFindable(t *testing.T) {
	for _, x := range []struct {
		items int
		above float64
	}{{12, 0.62}, {24, 0.42}, {60, 0.262}, {200, 0.135}} {
		r := rng.Stream(601, "findable", fmt.Sprint(x))
		findable, found := 0.0, 0
		for range 1000 {
			var a, b int
			for range x.items {
				p := 0.3 + 0.4*r.Float64()
				good, bad := r.Float64() < p+x.above/2, r.Float64() < p-x.above/2
				if good && !bad {
					a++
				} else if bad && !good {
					b++
				}
			}
			d := tested(a, b, x.items-a-b)
			if findable += d.Findable / 1000; d.Found() == 1 {
				found++
			}
		}
		t.Logf("%d items: findable %.3f on average, of %.3f found %.3f", x.items, findable, x.above, float64(found)/1000)
		near(t, "findable", findable, x.above, 0.02)
		near(t, "found", float64(found)/1000, 0.8, 0.06)
	}
}

// TestIntervalAgrees compares intervals with exact p-values: of 5 to 0, p is 2/32 and 0 is not ruled out; of 12 differences of 0.2 and 0.1, all of one sign, it is
// 2/4096, and the interval is not that of differences of 1.
func TestIntervalAgrees(t *testing.T) {
	d := tested(5, 0, 0)
	if near(t, "5 to 0", d.P, 2.0/32, 1e-12); d.Low != 0 || d.High != 1 {
		t.Errorf("5 to 0: interval from %v to %v", d.Low, d.High)
	}
	var list []*cluster
	for k := range 12 {
		list = append(list, &cluster{1, 0.1 + 0.1*float64(k%2)})
	}
	d = Difference{}
	d.test(list, 1)
	if near(t, "small ones", d.P, 2.0/4096, 1e-12); d.Low < 0.03 || d.Low > 0.11 || d.High > 0.25 {
		t.Errorf("small ones: from %v to %v", d.Low, d.High)
	}
}

// TestTooFewToFind asks what can be found at all: nothing by five items at the level of 66 pairs, of which the least exact p-value is 2/32, nor by three
// subjects in each of two groups, who can be dealt out in 20 ways; four in each, 70 ways, are two more.
func TestTooFewToFind(t *testing.T) {
	list := make([]Difference, 66)
	for k := range list {
		list[k] = tested(2, 1, 2)
	}
	correct(list)
	if d := list[0]; !math.IsNaN(d.Findable) || d.Found() != 0 {
		t.Errorf("of 66 pairs by five items: %+v", d)
	}
	d := Difference{P: 0.1, Holm: 0.1, Findable: math.NaN(), Mean: 1, Clusters: 6, Different: 6, variance: 0.01, most: 1, sizes: [2]int{3, 3}}
	if d.plan(alpha); !math.IsNaN(d.Findable) || d.More != 2 {
		t.Errorf("three in each of two groups: %+v", d)
	}
	d.sizes, d.Clusters, d.More = [2]int{4, 4}, 8, 0
	if d.plan(alpha); !(d.Findable > 0) {
		t.Errorf("four in each of two groups: %+v", d)
	}
}
