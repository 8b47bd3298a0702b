package score_test

import (
	"testing"

	"achilles/scenarios/score"
	"achilles/sim/record"
)

// TestSuccessRates: 3 of 4 and 1 of 6 trials are 4 of 10, not 2 a response; categories and other numbers have no rate of success.
func TestSuccessRates(t *testing.T) {
	for _, c := range []struct {
		family record.Family
		trials [2]int32
		want   float64 // below 0: none
	}{{record.Count, [2]int32{4, 6}, 0.4}, {record.Binary, [2]int32{}, 0.5}, {record.Choice, [2]int32{}, -1}, {record.Real, [2]int32{}, -1}} {
		values := [2]float64{1, 0}
		if c.family == record.Count {
			values = [2]float64{3, 1}
		}
		d := &record.Dataset{Subjects: []string{"s"}}
		d.Manifest.Measures = []record.Measure{{Name: "success", Family: c.family}}
		var list []record.Response
		for i, v := range values {
			list = append(list, record.Response{Item: int32(i), Value: v, Trials: c.trials[i]})
		}
		d.Responses = record.PackResponses(list)
		got := score.SuccessRates(d)["s"]
		if (got == nil) != (c.want < 0) || got != nil && *got != c.want {
			t.Errorf("%s: %v, want %g", c.family, got, c.want)
		}
	}
}
