package embodied_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/agents/embodied"
	"achilles/gridworld/policy"
	"achilles/sim/rng"
)

// TestBeliefs checks the beliefs of bodies on trials against lists by hand. A belief is the tick from which the body has
// it, how the body came to it, and the place where it believes the reward to be or to which it goes.
func TestBeliefs(t *testing.T) {
	for _, c := range []struct {
		trial string
		body  embodied.Body
		want  string
	}{
		{"open", embodied.Body{}, "0 sees 3,3"},
		{"open", with("visual", never), ""},                                // no reward is large enough for it to see
		{"cups", embodied.Body{}, "0 sees 9,5, 3 infers 9,5, 19 sees 9,5"}, // the reward goes behind a wall at tick 3; at 19 the body is round it
		{"cups", with("memory", never), "0 sees 9,5, 3 lost 0,0"},
		{"cups", with("pullLeft", 1.0), "0 sees 9,5, 3 infers 9,5, 10 goes 1,5"},
		{"dark", embodied.Body{}, "0 sees 5,2, 1 sees 6,3, 2 sees 7,4, 3 infers 9,5, 12 infers 1,5, 16 sees 1,5"},
		{"dark", with("op", never), "0 sees 5,2, 1 sees 6,3, 2 sees 7,4, 3 infers 9,5, 12 lost 0,0"},
		{"holes", embodied.Body{Goal: policy.Left}, "0 sees 7,4, 3 infers 7,4, 6 goes 4,4"},
	} {
		h := open(t, c.trial)
		h.play(disposition(t, c.body), rng.NewKey(1, "worked"))
		var words []string
		for _, b := range h.actor.Beliefs.List() {
			words = append(words, fmt.Sprintf("%d %s %s", b.Tick, b.How, b.Place))
		}
		if got := strings.Join(words, ", "); got != c.want {
			t.Errorf("%s, %v: %s, want %s", c.trial, c.body, got, c.want)
		}
	}
}

// TestBeliefsGoWithEpisodes checks in 300 episodes that beliefs come in the order of time, that each differs from the one
// before, and that the last one is a loss exactly if the body failed because it forgot. The reward is last seen at tick
// 2: in some episodes the body must forget it later than at tick 3.
func TestBeliefsGoWithEpisodes(t *testing.T) {
	h, p := open(t, "cups"), disposition(t, with("memory", 0.06))
	lost, waited := 0, 0
	for i := range uint64(300) {
		cause := h.play(p, rng.NewKey(i, "beliefs"))
		held := h.actor.Beliefs.List()
		for k := 1; k < len(held); k++ {
			if held[k].Tick < held[k-1].Tick || held[k].How == held[k-1].How && held[k].Place == held[k-1].Place {
				t.Fatalf("stream %d: %v", i, held)
			}
		}
		last := held[len(held)-1]
		if (cause == policy.Forgot) != (last.How == policy.AtALoss) {
			t.Fatalf("stream %d ends %q, yet it holds %v", i, cause, held)
		}
		if last.How == policy.AtALoss {
			lost++
			if last.Tick > 3 {
				waited++
			}
		}
	}
	if lost < 60 || waited < 3 || waited > lost {
		t.Errorf("%d of 300 forgot, %d of them only after a while", lost, waited)
	}
}

func TestEyes(t *testing.T) {
	for _, c := range []struct {
		body embodied.Body
		want embodied.Eyes
	}{
		{embodied.Body{}, embodied.Eyes{}},
		{with("acuity", 4.0, "fieldOfView", 45.0), embodied.Eyes{HalfAngle: 45, Acuity: 400}},
		{with("visual", never), embodied.Eyes{Smallest: 1 << 20}},
	} {
		h := open(t, "open")
		h.play(disposition(t, c.body), rng.NewKey(1, "worked"))
		if got := h.actor.Sight(); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.body, got, c.want)
		}
	}
}
