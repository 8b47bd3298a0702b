package compare_test

import (
	"flag"
	"math"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

var (
	widths     = flag.Int("widths", 0, "number of subjects with mild deficits on which the intervals of profiles are tried")
	widthsFrom = flag.Int("widths-from", 1, "the first of them")
)

// capability returns the estimate of the capability with this name.
func capability(t testing.TB, v *compare.Verdict, name string) compare.ParameterEstimate {
	t.Helper()
	i := slices.IndexFunc(v.Profile, func(p compare.ParameterEstimate) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no %s in %+v: %s", name, v.Profile, v.Words)
	}
	return v.Profile[i]
}

// TestBoundsOfWhatIsLeftOut checks that six capabilities of a subject which passes 97 % of all items are at their maxima, each
// with a lower bound; that their draws do not go together, by more than five standard errors of 4000; and that the bound of ramp is lower with
// fewer items.
func TestBoundsOfWhatIsLeftOut(t *testing.T) {
	it := battery(600)
	bank, report := shipped(t, it)
	v, draws := judgedBy(t, bank, report, it, "bounds", func(int) float64 { return 0.97 })
	var tops [][]float64
	for name, least := range map[string]float64{"ramp": 0.9, "lava": 0.9, "memory": 4, "visual": 4.5, "flatNav": 40, "op": 44} {
		p := capability(t, v, name)
		top := map[string]float64{"ramp": 1, "lava": 1, "memory": 4.8, "visual": 6, "flatNav": 56, "op": 52.8}[name]
		if !p.Bound || p.Q95 != top || !(p.Q5 > least && p.Q5 < top) || p.AtMaximum < 0.95 || p.SD < (top-p.Q5)/4 {
			t.Errorf("%s: %+v; want a bound between %v and %v and its width", name, p, least, top)
		}
		var xs []float64
		for _, d := range draws {
			xs = append(xs, d[slices.IndexFunc(v.Profile, func(q compare.ParameterEstimate) bool { return q.Name == name })])
		}
		for _, ys := range tops {
			if r := stat.Correlation(xs, ys, nil); math.Abs(r) > 0.08 {
				t.Errorf("draws of %s and of another capability correlate by %.2f", name, r)
			}
		}
		tops = append(tops, xs)
	}
	few := judge(t, battery(60), "few", func(int) float64 { return 0.97 })
	if a, b := capability(t, few, "ramp"), capability(t, v, "ramp"); a.Q5 >= b.Q5 {
		t.Errorf("with a tenth of the items ramp is at least %v, with all %v", a.Q5, b.Q5)
	}
}

// TestWidthsCover checks that the 90 % intervals contain 85 to 95 % of the truths of subjects with two mild deficits: ramp is
// uniform from 0.82 to 0.95, and memory from 4.06 to 4.76.
func TestWidthsCover(t *testing.T) {
	if *widths == 0 {
		t.Skip("takes minutes: run with -widths 105")
	}
	it := battery(600)
	bank, report := shipped(t, it)
	covers(t, bank, report, it, *widths, func(float64) bool { return true })
}

// TestWidthsOfBodiesCover checks the same, for a third as many subjects, by the bank bodies and the layout embodied. What is in
// sight asks for no memory.
func TestWidthsOfBodiesCover(t *testing.T) {
	if *widths == 0 {
		t.Skip("takes minutes: run with -widths 105")
	}
	it := battery(600)
	path, _ := it.Column("goalDistance")
	it.Columns = append(it.Columns, record.Column{Feature: record.Feature{Name: "pathLength", Kind: record.Number}, Number: path.Number})
	bank, report := bound(t, it, "bodies", "embodied")
	covers(t, bank, report, it, *widths/3, func(occluder float64) bool { return occluder == 1 })
}

// covers judges n subjects whose memory is asked for by items with an occluder for which asks is true.
func covers(t *testing.T, bank *compare.Bound, report *layout.Design, it *record.Items, n int, asks func(occluder float64) bool) {
	t.Helper()
	ramps, time, occluder := number(it, "ramp"), number(it, "timeUnderOcclusion"), number(it, "occluder")
	held, told, untold := map[string]int{}, 0, 0
	for s := range n {
		name := strconv.Itoa(*widthsFrom + s)
		r := rng.Stream(17, "widths", name)
		truth := map[string]float64{"ramp": 0.82 + 0.13*r.Float64(), "memory": 4.06 + 0.7*r.Float64()}
		v := judgeBy(t, bank, report, it, "widths "+name, func(i int) float64 {
			p := 0.98 * (1 - (1-truth["ramp"])*ramps[i])
			if asks(occluder[i]) {
				p /= 1 + math.Exp(time[i]-truth["memory"])
			}
			return p
		})
		if v.Profile == nil { // no candidate model fits: there is no profile
			untold++
			continue
		}
		told++
		for c, x := range truth {
			p := capability(t, v, c)
			if p.Q5 <= x && x <= p.Q95 {
				held[c]++
			} else {
				t.Logf("%s %s: %.3f outside %.3f to %.3f, bound %v, max %.2f; %s", name, c, x, p.Q5, p.Q95, p.Bound, p.AtMaximum, v.Rivals[0].Name)
			}
		}
	}
	share := float64(held["ramp"]+held["memory"]) / float64(2*told)
	t.Logf("held: ramp %d, memory %d of %d; no rival fits %d others", held["ramp"], held["memory"], told, untold)
	if share < 0.85 || share > 0.95 && told >= 100 { // of fewer, all may be held by chance
		t.Errorf("the intervals hold %.3f of %d truths", share, 2*told)
	}
}
