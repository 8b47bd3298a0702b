package scenario_test

import (
	"math"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/agenttest"
	"achilles/scenarios/scenario"
)

// freshly calls `call` with every subject that op-fresh draws for six root seeds, and with its pass probabilities.
func freshly(t *testing.T, call func(s agents.Spec, items agents.Items, p []float64)) {
	s := shipped(t, "op-fresh")
	b, err := s.MakeBattery(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	items := scenario.ItemsOf(&b)
	for root := range uint64(6) {
		specs, err := s.Subjects(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range specs {
			a, err := agents.Compile(&spec, items)
			if err != nil {
				t.Fatal(err)
			}
			p := make([]float64, len(items.Names))
			for i := range p {
				p[i] = a.P(i)
			}
			call(spec, items, p)
		}
	}
}

// meanWhere returns the mean of p over the items for which holds is true, and the number of these items.
func meanWhere(p []float64, holds func(item int) bool) (mean float64, n int) {
	for i, x := range p {
		if holds(i) {
			mean, n = mean+x, n+1
		}
	}
	return mean / float64(max(n, 1)), n
}

// TestFreshTruths checks that what is said to be true of a drawn subject agrees with its pass probabilities.
func TestFreshTruths(t *testing.T) {
	seen := map[string]int{}
	freshly(t, func(s agents.Spec, items agents.Items, p []float64) {
		number := func(name string) []float64 { c, _ := items.Column(name); return c.Number }
		text := func(name string) []string { c, _ := items.Column(name); return c.Text }
		what := s.Word["what"]
		seen[s.Truth.Family+" "+what]++
		where := func(kind string, holds func(i int) bool) (inside, outside float64) {
			inside, n := meanWhere(p, holds)
			outside, m := meanWhere(p, func(i int) bool { return !holds(i) })
			if n == 0 || m == 0 {
				t.Fatalf("%s, %s: %d items inside, %d outside", s.Name, kind, n, m)
			}
			return inside, outside
		}
		visibly := func(kind string, holds func(i int) bool) {
			if in, out := where(kind, holds); !(in < 0.75*out) {
				t.Errorf("%s, %s: %.3f against %.3f: nobody would see it", s.Name, kind, in, out)
			}
		}
		switch {
		case s.Truth.Family == "capable", s.Truth.Family == "nonspecific":
			mean, _ := meanWhere(p, func(int) bool { return true })
			if mean != p[0] && math.Abs(mean-p[0]) > 1e-9 || (mean > 0.8) != (s.Truth.Family == "capable") {
				t.Errorf("%s is %s and passes %v", s.Name, s.Truth.Family, mean)
			}
		case s.Truth.Family == "fraudster":
			seenLast := number("lastSeenPasses")
			visibly("last seen", func(i int) bool { return seenLast[i] == 0 })
		case s.Truth.Family == "context-specific":
			family := text("family")
			fails := func(i int) bool { return strings.Contains(s.Truth.Weakness, family[i]) }
			if in, out := where("fails", fails); in > 0.2 || out < 0.6 {
				t.Errorf("%s fails %s: %.3f against %.3f", s.Name, s.Truth.Weakness, in, out)
			}
		case what == "lava" || what == "ramp":
			agenttest.Honours(t, s, items, what, what)
			visibly(what, func(i int) bool { return number(what)[i] == 1 })
		case what == "visual":
			size, cut := number("goalSize"), 5-6*s.Truth.Capability["visual"]
			visibly(what, func(i int) bool { return size[i] < cut })
			for i := range p { // below the cut, p is less than half of the subject's strong probability
				if (p[i] < s.Parameter["strong"]/2) != (size[i] < cut) {
					t.Fatalf("%s: size %v passes at %.3f, the cut is %v", s.Name, size[i], p[i], cut)
				}
			}
		case what == "memory":
			time, longest := number("timeUnderOcclusion"), 4.8*s.Truth.Capability["memory"]
			visibly(what, func(i int) bool { return time[i] > longest })
			for i := range p {
				if (p[i] == s.Parameter["weak"]) != (time[i] > longest) {
					t.Fatalf("%s: time %v passes at %.3f, the longest is %v", s.Name, time[i], p[i], longest)
				}
			}
		case what == "positions":
			places, most := number("numPositions"), 52.8/4*s.Truth.Capability["op"]
			visibly(what, func(i int) bool { return places[i] > most })
			for i := range p {
				if (p[i] < s.Parameter["strong"]/2) != (places[i] > most) {
					t.Fatalf("%s: %v places pass at %.3f, the most is %v", s.Name, places[i], p[i], most)
				}
			}
		case strings.HasPrefix(what, "colour"):
			shade, lava := text("occluderColour"), number("lava")
			if s.Truth.Weakness != "colour "+s.Word["shade"] {
				t.Errorf("%s: weakness %q, shade %s", s.Name, s.Truth.Weakness, s.Word["shade"])
			}
			visibly(what, func(i int) bool { return shade[i] == s.Word["shade"] && (what == "colour" || lava[i] == 1) })
		case what == "right-bias" || what == "left-bias":
			away := map[string]float64{"right-bias": -1, "left-bias": 1}[s.Truth.Weakness]
			visibly(what, func(i int) bool { return number("rightLeft")[i] == away })
		case what == "look-alike":
			visibly(what, func(i int) bool { return text("family")[i] == "cup" })
		case what == "clumsy":
			visibly(what, func(i int) bool { return number("lava")[i] == 1 })
		default:
			t.Errorf("%s: %s, %q", s.Name, s.Truth.Family, what)
		}
	})
	for _, what := range []string{"lava", "ramp", "visual", "memory", "positions", "colour", "colour with lava", "right-bias", "left-bias", "look-alike", "clumsy"} {
		if seen["achilles-heel "+what] == 0 {
			t.Errorf("nobody is weak at %s: %v", what, seen)
		}
	}
}
