package generate_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/scenarios/generate"
	"achilles/scenarios/seal"
	"achilles/sim/part"
)

// TestSealedBeliefs checks the beliefs of bodies in sealed episodes: places are inside the world, ticks are within the
// time limit, a body that failed because it forgot the reward is lost in its last belief, and no body sees a reward
// that is too small for its eyes.
func TestSealedBeliefs(t *testing.T) {
	s := run(t, acting(t), generate.Config{Seed: 3, Jobs: 2})
	public, sealed := publish(t, s)
	worlds := textsOf(t, public)
	forgot, found, weak := 0, 0, 0
	for _, e := range sealedEpisodes(t, sealed) {
		list, err := seal.DecodeBeliefs(e.Beliefs)
		if err != nil {
			t.Fatal(err)
		}
		w, err := gridworld.Parse(worlds[e.Item])
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range list {
			if b.Place != gridworld.Nowhere() && !w.Inside(b.Place) || b.Tick > w.Rules().Limit {
				t.Fatalf("item %s, subject %s: belief %v is outside the trial", e.Item, e.Subject, b)
			}
		}
		eyes, err := seal.DecodeEyes(e.Eyes)
		if err != nil {
			t.Fatal(err)
		}
		if eyes.Smallest > w.Thing(0).Size && w.Len() == 1 && len(list) > 0 && list[0].How != policy.Unaware.String() && list[0].How != policy.Goes.String() {
			t.Errorf("item %s, subject %s sees what is too small for it: eyes %q, beliefs %q", e.Item, e.Subject, e.Eyes, e.Beliefs)
		}
		if e.Eyes != "" {
			weak++
		}
		if e.Cause == policy.Forgot.String() {
			forgot++
			if n := len(list); n == 0 || list[n-1].How != policy.AtALoss.String() {
				t.Errorf("item %s, subject %s forgot, yet held %q", e.Item, e.Subject, e.Beliefs)
			}
		}
		if e.Cause == "" && len(list) > 0 {
			found++
		}
	}
	if forgot < 10 || found < 100 || weak < 100 {
		t.Errorf("%d episodes in which somebody forgot, %d passed with beliefs, %d with weak eyes", forgot, found, weak)
	}
}

// TestEpisodesOfOtherVersions checks that episodes of the first version, which had no beliefs, can still be read, and
// that those of a later version are refused.
func TestEpisodesOfOtherVersions(t *testing.T) {
	shard := func(header string) ([]seal.Episode, error) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(header + "\n" + `{"item":"i-1","trial":0,"subject":"s-1","repetition":0,"moves":"f2","cause":"tired"}` + "\n"))
		if err != nil || z.Close() != nil {
			t.Fatal("writing to memory failed")
		}
		const name = "episodes/000000.jsonl.gz"
		return seal.EpisodeShard(mapFS(map[string][]byte{name: b.Bytes()}), part.NewFile(name, b.Bytes()))
	}
	if list, err := shard(`{"format":"achilles-episodes","version":1}`); err != nil || len(list) != 1 || list[0].Cause != "tired" || list[0].Beliefs != "" {
		t.Errorf("version 1: %v (%v)", list, err)
	}
	for _, header := range []string{`{"format":"achilles-episodes","version":3}`, `{"format":"achilles-episodes","version":0}`, `{"format":"achilles","version":1}`} {
		if list, err := shard(header); err == nil {
			t.Errorf("%s is read as %v", header, list)
		}
	}
}

func TestDecodeBeliefs(t *testing.T) {
	got, err := seal.DecodeBeliefs("0 sees 9,5; 3 infers 9,5; 12 lost")
	want := []seal.Belief{{Tick: 0, How: "sees", Place: gridworld.Pos{X: 9, Y: 5}}, {Tick: 3, How: "infers", Place: gridworld.Pos{X: 9, Y: 5}}, {Tick: 12, How: "lost", Place: gridworld.Nowhere()}}
	if err != nil || len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("%v, want %v (%v)", got, want, err)
	}
	for _, bad := range []string{" ", "0", "0 sees", "0 lost 1,1", "0 hopes 1,1", "x sees 1,1", "-1 lost", "0 sees 1", "0 sees 01,1", "0 sees 1,64", "5 lost; 3 lost", "0 lost;", "0 sees 1,1 2"} {
		if list, err := seal.DecodeBeliefs(bad); err == nil {
			t.Errorf("%q is read as %v", bad, list)
		}
	}
}

func FuzzDecodeBeliefs(f *testing.F) {
	f.Add("0 sees 9,5; 3 infers 9,5; 12 lost")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := seal.DecodeBeliefs(text)
		if err != nil {
			return
		}
		for i, b := range list {
			if b.Tick < 0 || i > 0 && b.Tick < list[i-1].Tick {
				t.Errorf("%q: %v", text, list)
			}
		}
	})
}

func TestDecodeEyes(t *testing.T) {
	if got, err := seal.DecodeEyes("60 800 350"); err != nil || got != (seal.Eyes{HalfAngle: 60, Acuity: 800, Smallest: 350}) {
		t.Errorf("%+v (%v)", got, err)
	}
	if got, err := seal.DecodeEyes(""); err != nil || got != (seal.Eyes{}) {
		t.Errorf("perfect eyes: %+v (%v)", got, err)
	}
	for _, bad := range []string{" ", "60", "60 800", "60 800 350 1", "181 0 0", "-1 0 0", "0 x 0"} {
		if got, err := seal.DecodeEyes(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}
