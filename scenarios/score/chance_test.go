package score_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"achilles/infer/infertest"
	"achilles/scenarios/score"
)

// TestShownChances checks that chances for figures have their own number of draws, whether or not all were computed before.
func TestShownChances(t *testing.T) {
	in := hand()
	digest := sha256.Sum256(shippedFile(t, "layouts/constant.toml"))
	in.Result.Settings.Layout.SHA256 = hex.EncodeToString(digest[:])
	draws := &infertest.Draws{Names: []string{"rate"}}
	for _, id := range []string{"s1", "s2"} {
		for i := range 40 {
			draws.Add(id, 0, int32(i), float64(i)/40)
		}
	}
	in.Result.Draws = draws
	all, err := score.NewChances(in)
	if err != nil || all == nil {
		t.Fatalf("chances %v, error %v", all, err)
	}
	number := func(c *score.Chances, id string) int {
		p, err := c.Of(id)
		if err != nil {
			t.Fatal(err)
		}
		return len(p)
	}
	first := number(all, "s1")
	shown := all.Shown()
	shown.SetMost(20)
	if a, b, c := number(shown, "s1"), number(shown, "s2"), number(all, "s2"); first != 40 || a != 20 || b != 20 || c != 40 {
		t.Errorf("%d and %d draws of 40, %d and %d draws of 20", first, c, a, b)
	}
}
