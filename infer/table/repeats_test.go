package table

import (
	"testing"

	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestRepeatedTrialsAreNotAlike draws tables as those who study animals keep them, with many independent trials of each subject in each of few
// conditions, some near the ceiling: the responses to one are alike by what ability and difficulty say, and no more. Each table has tests at a total
// level of 0.01, so that more than 4 of 60 tables with a finding have a probability below 0.001.
func TestRepeatedTrialsAreNotAlike(t *testing.T) {
	const tables, subjects, items, trials = 60, 12, 7, 16
	found := 0
	for seed := range uint64(tables) {
		r := rng.Stream(501+seed, "repeated trials")
		ability := make([]float64, subjects)
		for s := range ability {
			ability[s] = r.Norm()
		}
		d := judged(subjects, items, 0, func(int, int) float64 { return 1 })
		var list []record.Response
		for s := range subjects {
			for i := range items {
				for k := range trials {
					x := record.Response{Subject: int32(s), Item: int32(i), Repetition: int16(k)}
					if r.Float64() < num.Logistic(ability[s]+float64(i)/2) {
						x.Value = 1
					}
					list = append(list, x)
				}
			}
		}
		d.Responses = record.PackResponses(list)
		j, err := Judge(d, "success")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range j.Findings {
			if f.Kind == Clustered && f.Grave {
				found++
				break
			}
		}
	}
	if found > 4 {
		t.Errorf("responses of independent trials are alike in %d of %d tables", found, tables)
	}
}
