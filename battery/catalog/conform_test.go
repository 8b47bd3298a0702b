package catalog_test

import (
	"context"
	"crypto/sha256"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/shortcut"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
)

// conform checks that a battery passes Check, that its features have a doc, role, unit and range, that its worlds pass
// checkWorlds, and that build returns the same items when it is called again.
func conform(t *testing.T, build func() battery.Battery) {
	t.Helper()
	b := build()
	if err := b.Check(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for _, f := range b.Schema {
		if f.Doc == "" || f.Role == "" {
			t.Errorf("feature %s has no doc or no role", f.Name)
		}
		if f.Kind == "number" && (f.Unit == "" || f.Range == nil) {
			t.Errorf("feature %s has no unit or no declared range", f.Name)
		}
	}
	checkWorlds(t, b)
	if batterytest.Digest(t, b) != batterytest.Digest(t, build()) {
		t.Error("building the battery twice gives two batteries")
	}
}

// checkWorlds checks the items that have one world, in which thing 0 is the reward: that no two worlds are the same, but in blocks, that their
// texts are canonical, that a full-information actor reaches the reward in time, and that the features of shortcuts agree
// with what the shortcut policies do when they are run again.
func checkWorlds(t *testing.T, b battery.Battery) {
	t.Helper()
	seen := map[string]string{}
	policies := append(shortcut.Policies(), shortcut.Further()...)
	bank := shortcut.Bank{Policies: policies}
	for _, it := range b.Items.All() {
		if len(it.Trials) != 1 || it.Trials[0].World.Empty() {
			continue
		}
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatalf("item %s: %v", it.Name, err)
		}
		text := w.String()
		if text != it.Trials[0].World.String() {
			t.Errorf("item %s: the text of its world is not canonical", it.Name)
		}
		if other, twice := seen[text]; twice && b.Blocks() == nil { // in a block, one trial may be like another
			t.Errorf("items %s and %s have the same world", other, it.Name)
		}
		seen[text] = it.Name
		if !solves(w) {
			t.Errorf("item %s: a full-information actor does not reach the reward in time:\n%s", it.Name, text)
		}
		passes := bank.Passes(nil, shortcut.Case{World: w, Places: it.Trials[0].Places, Key: shortcut.Key(sha256.Sum256([]byte(text)))})
		for k, p := range policies {
			f, ok := b.Feature(p.Name + "Passes")
			if ok && (it.Values.At(f).Number == 1) != passes[k] {
				t.Errorf("item %s: %s passes is %t, and the feature says %v", it.Name, p.Name, passes[k], it.Values.At(f).Number)
			}
		}
	}
}

// solves reports whether an actor that knows everything finishes the episode of w. It does not change w.
func solves(w *gridworld.World) bool {
	var room policy.Room
	room.Enter(w, nil, policy.DefaultUnits())
	env := &gridworld.Env{World: w.Clone()}
	_, err := sim.Run(context.Background(), env, &policy.Agent{Room: &room, Parameters: policy.Perfect(policy.Oracle)}, gridworld.Options{})
	return err == nil && env.World.Outcome() == gridworld.Finished
}
