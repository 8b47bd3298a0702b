package score_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/num"
	"achilles/sim/record"
)

// habit explains A not B by memory and the inhibition of a habit; with its last section also where subjects go wrong.
const habit = `name = "habit"
[metafeature]
time = { column = "timeUnderOcclusion", range = [0, 4] }
hidings = { column = "hidings", range = [0, 6] }
hidden = { column = "occluder", range = [0, 1] }
[capability]
memory = { prior = "uniform(0, 8)" }
inhibition = { prior = "uniform(0, 8)" }
[performance]
memoryP = "present(logistic(memory - time), hidden)"
inhibitionP = "present(logistic(inhibition - hidings), hidings > 0)"
[response.success]
p = "memoryP*inhibitionP"
`

const habitErrors = `[response.error]
family = "choice"
utility = ["log(0.001 + memoryP*(1 - inhibitionP))", "log(0.001)", "log(0.001)", "log(0.001)", "log(1.001 - memoryP)"]
`

// habits has bodies whose weak trait is 2, and the other 6.
const habits = `name = "habits"
[battery]
suite = "permanence"
coding = "paradigms"
items = 90
[battery.levels]
paradigm = ["a-not-b"]
congruent = [0]
occluder = [1]
[scale]
memory = 8
inhibition = 8
[[population]]
name = "perseverates"
count = 8
parameters = { strong = "uniform(5.9, 6.1)", weak = "uniform(1.9, 2.1)" }
body = { memory = "strong", inhibition = "weak" }
[[population]]
name = "forgets"
count = 8
parameters = { strong = "uniform(5.9, 6.1)", weak = "uniform(1.9, 2.1)" }
body = { memory = "weak", inhibition = "strong" }
`

// TestItemsSavedByErrors lets bodies that perseverate, and bodies that forget, take A not B, and counts after how many items their posterior
// odds are 20 to 1 for what they are: by pass and fail alone, and with where they went. In each body the weak trait is 2, the other 6.
func TestItemsSavedByErrors(t *testing.T) {
	const bodies = 8
	by := [2][]int{} // numbers of items: by pass and fail, and with errors
	wrong := [2]int{}
	for seed := uint64(501); seed <= 503; seed++ {
		s, err := scene.Parse("habits.toml", habits)
		if err != nil {
			t.Fatal(err)
		}
		session, err := generate.Run(context.Background(), s, generate.Config{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		public, sealed, err := generatetest.Files(session)
		if err != nil {
			t.Fatal(err)
		}
		d, err := record.Read(asFS(public))
		if err != nil {
			t.Fatal(err)
		}
		truth, err := seal.Open(asFS(sealed), generatetest.Commitment(sealed))
		if err != nil {
			t.Fatal(err)
		}
		for k, text := range []string{habit, habit + habitErrors} {
			l, err := layout.Parse("habit.toml", text)
			if err != nil {
				t.Fatal(err)
			}
			design, err := l.Bind(&d.Items, d.Manifest.Measures)
			if err != nil {
				t.Fatal(err)
			}
			for subject, id := range d.Subjects {
				n, right := decided(t, design, d.Responses.Of(subject), strings.HasPrefix(truth.Subjects[id].Name, "perseverates"))
				if by[k] = append(by[k], n); !right {
					wrong[k]++
				}
			}
		}
	}
	median := func(x []int) int { return slices.Sorted(slices.Values(x))[len(x)/2] }
	t.Logf("items until the odds are 20 to 1, median of %d bodies: %d by pass and fail (%d wrong), %d with errors (%d wrong)", len(by[0]), median(by[0]), wrong[0], median(by[1]), wrong[1])
	if len(by[0]) != 2*bodies*3 || median(by[1])*2 > median(by[0]) || wrong[1] > 3 {
		t.Errorf("errors save too little")
	}
}

// decided returns after how many items of a subject the odds of one hypothesis over the other are 20 to 1, and all of them if they never are:
// that inhibition is the lower of the two, or memory. right says whether it is the one that is true.
func decided(t *testing.T, design *layout.Design, list []record.Response, perseverates bool) (n int, right bool) {
	t.Helper()
	slices.SortFunc(list, func(a, b record.Response) int { return int(a.Position - b.Position) })
	var grid [][]float64
	for i := range 16 {
		for j := range 16 {
			if i != j {
				grid = append(grid, []float64{0.25 + float64(i)/2, 0.25 + float64(j)/2}) // memory, inhibition
			}
		}
	}
	l := make([]float64, len(grid))
	for n, r := range list {
		data, err := design.NewData([]record.Response{r})
		if err != nil {
			t.Fatal(err)
		}
		target := design.NewTarget(data)
		each := make([]float64, len(data.Tallies()))
		var habits, forgets []float64
		for k, theta := range grid {
			target.PointwiseLogLik(theta, each)
			for _, x := range each {
				l[k] += x
			}
			if theta[1] < theta[0] {
				habits = append(habits, l[k])
			} else {
				forgets = append(forgets, l[k])
			}
		}
		odds := num.LogSumExp(habits) - num.LogSumExp(forgets)
		if math.Abs(odds) > math.Log(20) {
			return n + 1, (odds > 0) == perseverates
		}
	}
	return len(list), false
}
