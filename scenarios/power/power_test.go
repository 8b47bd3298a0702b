package power_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"achilles/scenarios"
	"achilles/scenarios/power"
	"achilles/scenarios/scenario"
	"achilles/sim/longtest"
)

// open returns a shipped scenario with some keys changed.
func open(t testing.TB, name string, settings ...string) *scenario.Scenario {
	t.Helper()
	text, err := scenarios.FS.ReadFile(name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	source := string(text)
	for _, s := range settings {
		if source, err = scenario.Override("f", source, s); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scenario.Parse(name+".toml", source)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rivals returns the subjects of a scenario and, for each, the nearest member of another family.
func rivals(t testing.TB, s *scenario.Scenario, root uint64) (subjects []power.Subject, nearest []power.Rival) {
	t.Helper()
	b, err := s.MakeBattery(t.Context(), root, 1)
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := power.Shapes(&b)
	if err != nil {
		t.Fatal(err)
	}
	if subjects, err = power.Subjects(s, &b, root); err != nil {
		t.Fatal(err)
	}
	for _, x := range subjects {
		nearest = append(nearest, power.Nearest(x, shapes)[0])
	}
	return subjects, nearest
}

// evidence returns the expected log Bayes factor, in nats, of p against q, from one response to every item by a subject
// that passes with probabilities p: the sum of the Kullback–Leibler divergences of the Bernoulli distributions. It is 0
// if p and q are equal, and +Inf if p may pass an item that q never passes, or the reverse.
func evidence(p, q []float64) float64 {
	sum := 0.0
	for i := range p {
		sum += divergence(p[i], q[i])
	}
	return sum
}

// divergence returns the Kullback–Leibler divergence of Bernoulli(p) from Bernoulli(q), with 0 log 0 = 0.
func divergence(p, q float64) float64 {
	return term(p, q) + term(1-p, 1-q)
}

func term(p, q float64) float64 {
	switch {
	case p <= 0:
		return 0
	case q <= 0:
		return math.Inf(1)
	}
	return float64(p * (math.Log(p) - math.Log(q)))
}

// TestEvidenceByHand checks that an item that p passes with probability 0.9 and q with 0.5 gives 0.9 ln 1.8 + 0.1 ln
// 0.2 nats, that items on which both are certain add nothing, and that a pass which q never gives is infinite evidence.
func TestEvidenceByHand(t *testing.T) {
	want := 0.9*math.Log(1.8) + 0.1*math.Log(0.2)
	if got := evidence([]float64{0.9, 1, 0}, []float64{0.5, 1, 0}); math.Abs(got-want) > 1e-12 {
		t.Errorf("evidence %v, want %v", got, want)
	}
	if got := evidence([]float64{0.5}, []float64{0}); !math.IsInf(got, 1) {
		t.Errorf("a pass of somebody who never passes: %v", got)
	}
}

// TestNearestByHand checks a hand example: of 2188 items 1122 are basic or cup tasks. A subject that passes these with
// probability 0.75 and the other 1066 items with 0.1 responds exactly like one with a weakness at platforms. Against
// the nearest capable subject the evidence is 1122 D(0.75, 0.8) + 1066 D(0.1, 0.8) nats; D is the Kullback–Leibler
// divergence.
func TestNearestByHand(t *testing.T) {
	s := open(t, "op-burden")
	b, err := s.MakeBattery(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := power.Shapes(&b)
	if err != nil {
		t.Fatal(err)
	}
	family, _ := b.Column("family")
	x := power.Subject{Family: "context-specific"}
	outside := 0
	for i := range b.Items.Len() {
		p := 0.1
		if f := family.Text[i]; f == "basic" || f == "cup" {
			p, outside = 0.75, outside+1
		}
		x.P = append(x.P, p)
	}
	if outside != 1122 {
		t.Fatalf("%d items are basic or cups", outside)
	}
	kl := func(p, q float64) float64 { return p*math.Log(p/q) + (1-p)*math.Log((1-p)/(1-q)) }
	want := map[string]float64{"achilles-heel": 0, "capable": 1122*kl(0.75, 0.8) + 1066*kl(0.1, 0.8)}
	for _, r := range power.Nearest(x, shapes) {
		if w, ok := want[r.Family]; ok && math.Abs(r.Evidence-w) > 1e-8 {
			t.Errorf("%s: %v, want %v", r.Family, r.Evidence, w)
		}
	}
	if r := power.Nearest(x, shapes)[0]; r.Shape != "platform" || math.Abs(r.Rates[0]-0.75) > 1e-12 || math.Abs(r.Rates[1]-0.1) > 1e-12 {
		t.Errorf("nearest is %v", r)
	}
}

// TestNearestIsAMember checks the member that Nearest finds in the shape of a weakness at lava, for four subjects.
// Among pairs of rates on a grid, the second at most visible × the first, none must be clearly nearer to the subject.
func TestNearestIsAMember(t *testing.T) {
	s := open(t, "op-burden", "battery.coding=design")
	b, err := s.MakeBattery(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	shapes, err := power.Shapes(&b)
	if err != nil {
		t.Fatal(err)
	}
	lava, _ := b.Column("lava")
	for _, rates := range [][2]float64{{0.9, 0.9}, {0.9, 0.7}, {0.9, 0.2}, {0.8, 1}} {
		x, q := power.Subject{Family: "capable"}, make([]float64, b.Items.Len())
		for i := range b.Items.Len() {
			x.P = append(x.P, rates[int(lava.Number[i])])
		}
		least := math.Inf(1)
		for top := 0.7; top <= 1; top += 0.01 {
			for bottom := 0.01; bottom <= power.Visible*top; bottom += 0.01 {
				for i := range q {
					q[i] = []float64{top, bottom}[int(lava.Number[i])]
				}
				least = min(least, evidence(x.P, q))
			}
		}
		for i := range shapes {
			if shapes[i].Name != "lava" {
				continue
			}
			if got := power.Nearest(x, shapes[i:i+1])[0]; got.Evidence > least+0.05 || got.Evidence < 0 || got.Rates[1] > power.Visible*got.Rates[0]+1e-9 {
				t.Errorf("%v: %v at evidence %v, the grid has %v", rates, got, got.Evidence, least)
			}
		}
	}
}

// cannot reports whether the agent is one of the two, among the thirty of op-burden, whose responses to the released
// battery cannot be told from those of another family.
func cannot(name string) bool { return name == "agent-23" || name == "agent-24" }

// TestThirty checks that, on the released battery, the responses of every agent but two speak for its family at odds of
// at least a thousand to one, and that the responses of these two speak neither for nor against theirs. On the designed
// battery it checks all thirty. testdata/thirty.md has the table, docs/theory/classification.md its smallest numbers.
func TestThirty(t *testing.T) {
	const plain = 7 // nats that tell two families apart: odds of 1100 to 1
	released := open(t, "op-burden")
	subjects, nearest := rivals(t, released, released.Seed)
	design := open(t, "op-burden", "battery.coding=design")
	_, designed := rivals(t, design, design.Seed)
	table := "| agent | family | nearest of another family, released | nats | designed | nats |\n|---|---|---|---|---|---|\n"
	for i, x := range subjects {
		if e := nearest[i].Evidence; cannot(x.Name) != (e < 1e-6) || !cannot(x.Name) && e < plain {
			t.Errorf("%s: the released battery gives %v nats against %s, %v", x.Name, e, nearest[i].Family, nearest[i])
		}
		if e := designed[i].Evidence; e < plain {
			t.Errorf("%s: the designed battery gives %v nats against %s, %v", x.Name, e, designed[i].Family, designed[i])
		}
		table += fmt.Sprintf("| %s | %s | %s: %s | %.1f | %s: %s | %.1f |\n", x.Name, x.Family, nearest[i].Family, nearest[i].Shape, nearest[i].Evidence, designed[i].Family, designed[i].Shape, designed[i].Evidence)
	}
	text, err := os.ReadFile("testdata/thirty.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != table {
		t.Errorf("testdata/thirty.md has another table than\n%s", table)
	}
	doc, err := os.ReadFile("../../docs/theory/classification.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, least := range []string{"28 are 7.9 nats or more", "agents 23 and 24 are 0.0", "all are 12.1 or more apart"} {
		if !strings.Contains(string(doc), least) {
			t.Errorf("docs/theory/classification.md does not say %q", least)
		}
	}
}

// TestSameDistribution checks that the two agents that cannot be told apart respond, item by item, exactly like a
// member of another family.
func TestSameDistribution(t *testing.T) {
	s := open(t, "op-burden")
	b, err := s.MakeBattery(t.Context(), s.Seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := power.Subjects(s, &b, s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	platform, _ := b.Column("platform")
	for _, c := range []struct {
		name         string
		strong, weak float64
	}{{"agent-23", 1, 0}, {"agent-24", 0.75, 0.1}} {
		for _, x := range subjects {
			if x.Name != c.name {
				continue
			}
			for i, p := range x.P {
				if want := []float64{c.strong, c.weak}[int(platform.Number[i])]; p != want {
					t.Fatalf("%s on %s: %v, and somebody weak at platforms %v", x.Name, b.Items.Name(i), p, want)
				}
			}
		}
	}
	for i := range subjects {
		for k := range i {
			if evidence(subjects[i].P, subjects[k].P) == 0 {
				t.Errorf("%s and %s respond alike", subjects[i].Name, subjects[k].Name)
			}
		}
	}
}

// roots returns how many root seeds to draw subjects from.
func roots() uint64 {
	if longtest.On() {
		return 12
	}
	return 4
}

// TestFreshAreHonest checks that the battery tells the family of every drawn subject from every other family, except,
// on the released battery, of subjects who fail grid and chick tasks.
func TestFreshAreHonest(t *testing.T) {
	const plain = 6 // nats that tell two families apart: odds of 400 to 1
	for _, set := range [][]string{nil, {"battery.coding=design", "population[5].count=4"}} {
		s := open(t, "op-fresh", set...)
		kinds, untold := map[string]int{}, 0
		for root := range roots() {
			subjects, nearest := rivals(t, s, root)
			for i, x := range subjects {
				kinds[x.Family]++
				if e := nearest[i].Evidence; e < plain {
					untold++
					if set != nil || x.Family != "context-specific" || nearest[i].Shape != "platform" {
						t.Errorf("seed %d, %s, %s: %v nats against %s, %v", root, x.Name, x.Family, e, nearest[i].Family, nearest[i])
					}
				}
			}
		}
		if set == nil && untold == 0 || len(kinds) != 5 {
			t.Errorf("%d cannot be told; families %v", untold, kinds)
		}
	}
}

// TestUnknownAreUnlikeAnybody checks that no member of any family responds like a subject of op-unknown, on either
// battery.
func TestUnknownAreUnlikeAnybody(t *testing.T) {
	const plain = 12 // nats that tell two families apart: odds of 160,000 to 1
	for _, set := range [][]string{nil, {"battery.coding=design"}} {
		s := open(t, "op-unknown", set...)
		for root := range roots() {
			subjects, nearest := rivals(t, s, root)
			for i, x := range subjects {
				if e := nearest[i].Evidence; e < plain {
					t.Errorf("seed %d, %s: %v nats against %s, %v", root, x.Name, e, nearest[i].Family, nearest[i])
				}
			}
		}
	}
}

// TestAgainstByHand checks a hand example: of the 588 items of the paper that test object permanence, a policy that
// goes to where it last saw the reward fails 24. A subject who passes all with probability 0.95 differs from a
// fraudster on these 24 only, which the fraudster passes with probability 0.4 at most.
func TestAgainstByHand(t *testing.T) {
	b, err := open(t, "op-burden").MakeBattery(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := power.Against(&b, "lastSeenPasses")
	if want := 24 * divergence(0.95, 0.4); err != nil || math.Abs(got-want) > 1e-8 {
		t.Errorf("%v nats (%v), want %v", got, err, want)
	}
	if _, err := power.Against(&b, "searchPasses"); err == nil {
		t.Error("the released coding has no search")
	}
}
