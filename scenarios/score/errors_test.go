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
	"achilles/sim/longtest"
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

// loses has bodies in physical cognition with one weak trait: the place among many wells, the time for which they remember, or close ratios.
const loses = `name = "loses"
[battery]
suite = "permanence"
coding = "physical"
items = 200
[scale]
op = 8.4
memory = 4.8
ratio = 7.2
[[population]]
name = "loses"
count = 8
parameters = { op = "uniform(1.9, 2.1)" }
body = { op = "op", memory = 4.7, ratio = 7 }
[[population]]
name = "forgets"
count = 8
parameters = { memory = "uniform(1.1, 1.3)" }
body = { op = 8.2, memory = "memory", ratio = 7 }
[[population]]
name = "confuses"
count = 8
parameters = { ratio = "uniform(1.7, 1.9)" }
body = { op = 8.2, memory = 4.7, ratio = "ratio" }
`

// TestItemsSavedByErrors lets bodies that perseverate, and bodies that forget, take A not B, and counts after how many items their posterior
// odds are 20 to 1 for what they are: by pass and fail alone, and with where they went. In each body the weak trait is 2, the other 6.
func TestItemsSavedByErrors(t *testing.T) {
	saved{habits, [2]string{habit, habit + habitErrors}, [2]string{"perseverates", "forgets"}, func(_ *layout.Design, habit, memory float64) []float64 {
		return []float64{8 * memory, 8 * habit}
	}, 3}.check(t)
}

// TestItemsSavedInPhysical does the same with the layouts physical and physical-errors: of bodies that lose the place among many wells, that forget,
// and that confuse close ratios, each against each. What the two do not lack is as in the bodies. Who has forgotten goes nowhere, so errors tell most about
// who forgets from who loses the place; among few wells who has lost the place goes where who is misled goes.
func TestItemsSavedInPhysical(t *testing.T) {
	layouts := [2]string{string(shippedFile(t, "layouts/physical.toml")), string(shippedFile(t, "layouts/physical-errors.toml"))}
	limit := map[string]float64{"op": 8.4, "memory": 4.8, "ratio": 7.2}
	trait := map[string]string{"loses": "op", "forgets": "memory", "confuses": "ratio"}
	for k, pair := range [][2]string{{"loses", "forgets"}, {"loses", "confuses"}, {"confuses", "forgets"}} {
		if k > 0 && !longtest.On() {
			break
		}
		t.Run(pair[0]+" or "+pair[1], func(t *testing.T) {
			saved{loses, layouts, pair, func(design *layout.Design, x, y float64) (theta []float64) {
				has := map[string]float64{"op": 8.2, "memory": 4.7, "ratio": 7, "retreat": 100, "visual": 100, "flatNav": 1000}
				has[trait[pair[0]]], has[trait[pair[1]]] = x*limit[trait[pair[0]]], y*limit[trait[pair[1]]]
				for _, p := range design.Parameters() {
					v, ok := has[p.Name]
					if !ok && p.Name != "noise" && p.Name != "rightLeft" {
						v = 1
					}
					theta = append(theta, v)
				}
				return theta
			}, [...]float64{3, 1.03, 1.1}[k]}.check(t)
		})
	}
}

// A saved counts items until bodies of two populations are distinguished.
type saved struct {
	scenario string
	layouts  [2]string                                           // for pass and fail alone, and with errors
	kinds    [2]string                                           // names of the populations; the weak trait of one is weaker than that of the other
	theta    func(design *layout.Design, x, y float64) []float64 // parameters of a subject with levels x and y, 0 to 1, of these traits
	least    float64                                             // by this factor or more errors must reduce the mean number of items
}

// check measures on the seeds 601 to 603, in the long suite to 620. It fails if errors do not reduce the mean number of items enough, if not twice as
// many bodies need fewer items with them as need more, or if more than one body in sixteen is taken for the other.
func (c saved) check(t *testing.T) {
	last := uint64(603)
	if longtest.On() {
		last = 620
	}
	by := [2][]int{} // numbers of items: by pass and fail, and with errors
	wrong := [2]int{}
	for seed := uint64(601); seed <= last; seed++ {
		d, truth := taken(t, c.scenario, seed)
		for k, text := range c.layouts {
			l, err := layout.Parse("saved.toml", text)
			if err != nil {
				t.Fatal(err)
			}
			design, err := l.Bind(&d.Items, d.Manifest.Measures)
			if err != nil {
				t.Fatal(err)
			}
			for subject, id := range d.Subjects {
				kind := slices.IndexFunc(c.kinds[:], func(kind string) bool { return strings.HasPrefix(truth.Subjects[id].Name, kind) })
				if kind < 0 {
					continue
				}
				n, right := c.decided(t, design, d.Responses.Of(subject), kind == 0)
				if by[k] = append(by[k], n); !right {
					wrong[k]++
				}
			}
		}
	}
	median := func(x []int) int { return slices.Sorted(slices.Values(x))[len(x)/2] }
	n, fewer, more, sum := len(by[0]), 0, 0, [2]int{}
	for i := range n {
		fewer, more = fewer+one(by[1][i] < by[0][i]), more+one(by[1][i] > by[0][i])
		sum[0], sum[1] = sum[0]+by[0][i], sum[1]+by[1][i]
	}
	factor := float64(sum[0]) / float64(sum[1])
	t.Logf("items until the odds are 20 to 1, median of %d bodies: %d by pass and fail (%d wrong), %d with errors (%d wrong); %d need fewer with errors, %d more; means %.2f to 1",
		n, median(by[0]), wrong[0], median(by[1]), wrong[1], fewer, more, factor)
	if n != 16*int(last-600) || factor < c.least || fewer < 2*more || wrong[1] > n/16 {
		t.Errorf("errors save too little")
	}
}

// taken returns what the subjects of a scenario did, and the opened seal.
func taken(t *testing.T, text string, seed uint64) (*record.Dataset, *seal.Truth) {
	t.Helper()
	s, err := scene.Parse("taken.toml", text)
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
	return d, truth
}

// decided returns after how many items of a subject the odds of one hypothesis over the other are 20 to 1, and all of them if they never are:
// that the level of the first trait is the lower of the two, or that of the second. right says whether it is the one that is true.
func (c saved) decided(t *testing.T, design *layout.Design, list []record.Response, first bool) (n int, right bool) {
	t.Helper()
	slices.SortFunc(list, func(a, b record.Response) int { return int(a.Position - b.Position) })
	var grid [][]float64
	var lower []bool // the first trait is
	for i := range 16 {
		for j := range 16 {
			if i != j {
				grid, lower = append(grid, c.theta(design, (float64(i)+0.5)/16, (float64(j)+0.5)/16)), append(lower, i < j)
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
		var one, other []float64
		for k, theta := range grid {
			target.PointwiseLogLik(theta, each)
			for _, x := range each {
				l[k] += x
			}
			if lower[k] {
				one = append(one, l[k])
			} else {
				other = append(other, l[k])
			}
		}
		odds := num.LogSumExp(one) - num.LogSumExp(other)
		if math.Abs(odds) > math.Log(20) {
			return n + 1, (odds > 0) == first
		}
	}
	return len(list), false
}
