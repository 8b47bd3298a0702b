package generate_test

import (
	"fmt"
	"testing"

	"achilles/scenarios/generate"
	"achilles/sim/longtest"
	"achilles/sim/num"
)

// TestBodiesPassTradeoffsAsTheLayoutSays is TestBodiesPassAsTheLayoutSays for the layout tradeoffs: memory lasts longer
// if there are more places to search, and choices are more or less rational.
func TestBodiesPassTradeoffsAsTheLayoutSays(t *testing.T) {
	count, items := 60, 400
	if longtest.On() {
		count, items = 400, 1800
	}
	s := open(t, "tradeoffs", fmt.Sprint("population[0].count=", count), fmt.Sprint("battery.items=", items))
	out := run(t, s, generate.Config{Seed: 501, Jobs: 2})
	f := columns(t, &out.Battery, "timeUnderOcclusion", "numPositions", "places", "occluder", "goalSize", "pathLength")
	agree(t, out, f, func(body map[string]float64, i int) float64 {
		q := num.Logistic(body["visual"]-(5-f["goalSize"][i])) * num.Logistic(body["flatNav"]-f["pathLength"][i])
		if n := f["numPositions"][i]; f["occluder"][i] == 1 {
			q *= num.Logistic(body["memory"]+body["effort"]*n-f["timeUnderOcclusion"][i]) * num.Logistic(body["op"]-n)
		}
		if n := f["places"][i]; n > 1 {
			q *= num.Logistic(body["rationality"] - num.Log(n-1))
		}
		return (1-body["noise"])*q + body["noise"]*body["chance"]
	})
}
