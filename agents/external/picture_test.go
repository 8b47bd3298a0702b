package external

import (
	"bytes"
	"context"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/eye"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

// A keeper is a partner that keeps the last observation.
type keeper struct{ last observation }

func (k *keeper) tell(context.Context, any) error { return nil }

func (k *keeper) ask(_ context.Context, message any) ([]byte, error) {
	k.last = message.(observation)
	return []byte(`{"action": "stay"}`), nil
}

// TestPicturesOfPrograms compares the pictures that a program gets with what the actor sees in the world itself, over random worlds at
// several ticks, in the dark too, and checks that there are none where none are wanted.
func TestPicturesOfPrograms(t *testing.T) {
	seen := 0
	for root := range uint64(60) {
		r := rng.Stream(root, "pictures")
		w := gridtest.Random(&r, gridworld.Turning, 12, false)
		if !w.Inside(w.Actor().Pos) {
			continue
		}
		env := &gridworld.Env{World: w}
		var with, without conversation
		with.seen.Size = 24
		var kept, plain keeper
		for range 12 {
			now, over := env.Observe()
			if over {
				break
			}
			for c, k := range map[*conversation]*keeper{&with: &kept, &without: &plain} {
				if err := c.begin(t.Context(), k, now); err != nil {
					t.Fatal(err)
				}
				if _, err := c.act(t.Context(), now); err != nil {
					t.Fatal(err)
				}
			}
			want := eye.Picture{Size: 24}
			if want.Draw(w, eye.Eyes{}); !bytes.Equal(kept.last.Picture, want.Pix) || plain.last.Picture != nil {
				t.Fatalf("seed %d, tick %d: the picture is not what the actor sees\n%s", root, w.Tick(), w)
			}
			seen++
			w.Step(gridworld.Action(r.IntN(gridworld.Actions)))
		}
	}
	if seen < 200 {
		t.Errorf("%d pictures", seen)
	}
}
