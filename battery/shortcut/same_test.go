package shortcut_test

import (
	"testing"

	"achilles/battery/opiaagets/worlds"
	"achilles/battery/shortcut"
	"achilles/gridworld"
)

// TestSame checks that policies pass the same items whether they run beside all others, of which some are not run because
// they do the same as another, or alone. Each way to do the same must occur in some item.
func TestSame(t *testing.T) {
	b, _, err := worlds.Design(nil, 200, 501)
	if err != nil {
		t.Fatal(err)
	}
	var bank shortcut.Bank
	policies := shortcut.Policies()
	alone := make([]shortcut.Bank, len(policies))
	same := map[string]int{}
	for _, it := range b.Items {
		w, err := gridworld.Parse(it.Trials[0].World)
		if err != nil {
			t.Fatal(err)
		}
		c := shortcut.Case{World: w, Places: it.Trials[0].Places}
		passes := bank.Passes(nil, c)
		for i, p := range policies {
			alone[i].Policies = policies[i : i+1]
			if want := alone[i].Passes(nil, c)[0]; passes[i] != want {
				t.Errorf("%s: %s passes: %v beside the others, %v alone", it.Name, p.Name, passes[i], want)
			}
			if bank.Same(i) != i {
				same[p.Name]++
			}
		}
	}
	for _, name := range []string{"alwaysLeft", "alwaysRight", "motionFollower"} {
		if same[name] == 0 {
			t.Errorf("%s never does the same as another policy", name)
		}
	}
}
