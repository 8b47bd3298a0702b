package power_test

import (
	"testing"

	"achilles/battery"
	"achilles/scenarios/power"
)

// wrong returns the best wrong explanation of a subject on a battery.
func wrong(t testing.TB, x power.Subject, b *battery.Battery) power.Rival {
	t.Helper()
	shapes, err := power.Shapes(b)
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := power.Compositions(b, shapes)
	if err != nil {
		t.Fatal(err)
	}
	return power.BestWrong(x, shapes, pairs)
}

// TestPairsByHand checks a cheat who is weak at lava. On the released battery the shortcut fails 24 items, and all of them have
// lava: the subject passes none, where somebody weak at lava only would pass a tenth of 0.95. These are at most
// 24·D(0, 0.095) = 2.4 nats. The designed battery tells the two apart. If the truth named two other weaknesses, the subject's
// own pair would be a wrong explanation without any evidence against it.
func TestPairsByHand(t *testing.T) {
	for _, c := range []struct {
		setting    string
		weaknesses []string
		low, high  float64
		shape      string
	}{
		{"battery.coding=released", []string{"lava", "op"}, 0.01, 24*divergence(0, 0.095) + 1e-9, ""},
		{"battery.coding=design", []string{"lava", "op"}, 10, 1000, ""},
		{"battery.coding=design", []string{"memory", "ramp"}, 0, 1e-9, "lava and op"},
	} {
		b, err := open(t, "op-burden", c.setting).MakeBattery(t.Context(), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		lava, _ := b.Column("lava")
		works, _ := b.Column("lastSeenPasses")
		x := power.Subject{Family: "fraudster", Weaknesses: c.weaknesses}
		for i := range b.Items.Len() {
			x.P = append(x.P, 0.95*(1-0.9*lava.Number[i])*works.Number[i])
		}
		if r := wrong(t, x, &b); r.Evidence < c.low-1e-9 || r.Evidence > c.high || c.shape != "" && r.Shape != c.shape {
			t.Errorf("%s, weak at %v: %v nats against %v", c.setting, c.weaknesses, r.Evidence, r)
		}
	}
}

// TestPairsAreTold checks that the battery of op-pairs tells every subject from every wrong pair.
func TestPairsAreTold(t *testing.T) {
	s := open(t, "op-pairs")
	b, err := s.MakeBattery(t.Context(), s.Seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := power.Subjects(s, &b, s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range subjects {
		if r := wrong(t, x, &b); r.Evidence < power.Told {
			t.Errorf("%s: %v nats against %v", x.Name, r.Evidence, r)
		}
	}
}
