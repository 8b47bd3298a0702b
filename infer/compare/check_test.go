package compare_test

import (
	"math"
	"strconv"
	"testing"

	"achilles/infer/compare"
	"achilles/sim/record"
)

// Checks alarm as rarely as they say, whatever the success rate: of subjects that respond with the probabilities that
// they are kept against, at most the bank's 1 % fail any check. With 150 subjects a rate, 9 or more failures have a chance
// below 1e-4 at 1 % (binomial).
func TestChecksKeepTheirAlarmRate(t *testing.T) {
	it := battery(500)
	for _, rate := range []float64{0.5, 0.9, 0.995, 0.02} {
		failed := 0
		p := make([]float64, it.Len())
		for i := range p {
			p[i] = rate
		}
		for s := range 150 {
			c := &compare.Case{Items: it, Bank: &compare.Bound{Bank: &compare.Bank{Alarm: 0.01}}, Responses: respond(it, strconv.Itoa(s), func(int) float64 { return rate })}
			if m, n := c.CheckAgainst(p); len(m) > 0 {
				failed++
			} else if n < 100 {
				t.Fatalf("%d checks", n)
			}
		}
		if failed >= 9 {
			t.Errorf("rate %v: %d of 150 fail a check that should alarm in 1 %%", rate, failed)
		}
	}
}

// Eight responses that were expected to be coins and are all successes where there is lava: residual 4, variance 2,
// squared 8; without lava four of eight: nothing. The sum is 8 on two groups.
func TestCheckByHand(t *testing.T) {
	it := &record.Items{Columns: []record.Column{{Feature: record.Feature{Name: "lava", Kind: record.Number}}}}
	var rs []record.Response
	p := make([]float64, 16)
	for i := range 16 {
		it.ID, it.Suite, it.Paradigm, it.Task = append(it.ID, strconv.Itoa(i)), append(it.Suite, "s"), append(it.Paradigm, "p"), append(it.Task, "t")
		it.Columns[0].Number = append(it.Columns[0].Number, float64(i/8))
		p[i] = 0.5
		r := record.Response{Item: int32(i)}
		if i >= 8 || i%2 == 0 {
			r.Value = 1
		}
		rs = append(rs, r)
	}
	c := &compare.Case{Items: it, Bank: &compare.Bound{Bank: &compare.Bank{Alarm: 0.05}}, Responses: rs}
	m, n := c.CheckAgainst(p)
	if n != 1 || len(m) != 1 || m[0].Check != "lava" || m[0].Statistic != 8 {
		t.Fatalf("%d checks, failed %+v", n, m)
	}
	// Each square has mean 1 and variance 2 + (0.25·8·(1 − 6·0.25))/2² = 2 − 0.25: gamma of shape 4/3.5 and scale 3.5/2.
	if math.Abs(m[0].P-0.014108) > 1e-6 {
		t.Errorf("p = %v; want 0.014108", m[0].P)
	}
	if m[0].Statement != "where lava is 1 it passes 1.00 of 8, and 0.50 were expected" || m[0].Material {
		t.Errorf("%+v", m[0])
	}
}

// Two rivals at even odds that give an item 0.9 and 0.1: its response tells 1 − H(0.9) = 0.531 bits; one on which they
// agree tells nothing and is not named.
func TestTiesByHand(t *testing.T) {
	it := battery(3)
	bank, _ := shipped(t, battery(60))
	kept := []*compare.Fitted{{Entry: &bank.Entries[0]}, {Entry: &bank.Entries[2]}}
	got := compare.TiesOf(it, kept, []float64{0.5, 0.5}, [][]float64{{0.7, 0.9, 0.7}, {0.7, 0.1, 0.4}})
	if len(got) != 2 || got[0].Item != "i-1001" || math.Abs(got[0].Information-0.5310) > 1e-4 || got[1].Item != "i-1002" {
		t.Errorf("%+v", got)
	}
	if b := got[0].Between; len(b) != 2 || b[0] != "constant" || b[1] != "lava" {
		t.Errorf("between %v", b)
	}
}
