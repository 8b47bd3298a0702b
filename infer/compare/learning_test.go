package compare_test

import (
	"math"
	"testing"

	"achilles/infer/compare"
	"achilles/sim/num"
	"achilles/sim/record"
)

// TestLearningIsTold lets subjects whose memory rises and falls take items one after the other. The bank learning must tell
// which is which; only the order of the responses does.
func TestLearningIsTold(t *testing.T) {
	const n = 160
	it := battery(n)
	trial := record.Column{Feature: record.Feature{Name: "position", Kind: record.Number}}
	for i := range n {
		trial.Number = append(trial.Number, float64(i+1))
	}
	it.Columns = append(it.Columns, trial)
	bank, report := bound(t, it, "learning", "learning")
	time, hidden, size := number(it, "timeUnderOcclusion"), number(it, "occluder"), number(it, "goalSize")
	for _, c := range []struct {
		start, asymptote float64
		want             string
	}{{0, 4.8, compare.Learns}, {4.8, 0, compare.Tires}} {
		v := judgeBy(t, bank, report, it, c.want, func(i int) float64 {
			p := num.Logistic(5 - (5 - size[i]))
			if hidden[i] == 1 {
				p *= num.Logistic(c.asymptote + (c.start-c.asymptote)*math.Exp(-0.02*(trial.Number[i]-1)) - time[i])
			}
			return p
		})
		if v.Family != c.want {
			t.Errorf("memory from %v towards %v: %s, want %s", c.start, c.asymptote, v.Words, c.want)
		}
	}
}
