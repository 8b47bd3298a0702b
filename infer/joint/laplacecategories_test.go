package joint_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// fiveCategories is a graded response model of which the density of subjects and items together rises towards endless discriminations.
const fiveCategories = `name = "five"
[capability]
ability = { prior = "normal(0, 1)" }
[item]
discrimination = { prior = "lognormal(0.2, slopes)" }
threshold = { prior = "normal(-1, 0.7)" }
gap2 = { prior = "lognormal(-0.5, 0.7)" }
gap3 = { prior = "lognormal(-0.5, 0.7)" }
gap4 = { prior = "lognormal(-0.5, 0.7)" }
[shared]
slopes = { prior = "lognormal(-1, 0.3)" }
[performance]
margin1 = "discrimination*(ability - threshold)"
margin2 = "margin1 - discrimination*gap2"
margin3 = "margin2 - discrimination*gap3"
margin4 = "margin3 - discrimination*gap4"
[response.y]
family = "choice"
utility = [
  "log(logistic(-margin1))",
  "log(logistic(margin1)) + log(logistic(-margin2)) + log(1 - exp(-discrimination*gap2))",
  "log(logistic(margin2)) + log(logistic(-margin3)) + log(1 - exp(-discrimination*gap3))",
  "log(logistic(margin3)) + log(logistic(-margin4)) + log(1 - exp(-discrimination*gap4))",
  "log(logistic(margin4))",
]
`

// simulatedCategories draws a table of 80 × 10 from fiveCategories.
func simulatedCategories(t *testing.T, seed int) (theta []float64, j *layout.Joint, c *layout.Cells) {
	t.Helper()
	j = bind(t, fiveCategories, battery(10, nil), 80, record.Choice)
	theta = make([]float64, j.Len())
	r := rng.Stream(3, "categories", strconv.Itoa(seed))
	j.DrawPrior(&r, theta)
	responses, err := j.Simulate(theta, &r)
	if err != nil {
		t.Fatal(err)
	}
	return theta, j, cells(t, j, responses)
}

// TestLaplaceOfCategories has a table of ten items, each with five values, more together than resampling takes, where subjects and items maximised
// together have no curvature: subjects are summed out. Of 51 values of items the root mean square error is not above that expected by half.
func TestLaplaceOfCategories(t *testing.T) {
	theta, j, c := simulatedCategories(t, 8)
	config := joint.Default()
	config.Draws = 100
	p := laplace(t, c, config)
	if !strings.Contains(p.Warnings[0].Message, "with subjects summed out") {
		t.Fatalf("another approximation: %v", p.Warnings)
	}
	sum, n := 0.0, 0.0
	for i, par := range j.Layout().Parameters {
		if par.Group != layout.Item {
			continue
		}
		for at := j.First(i); at < j.First(i)+j.Units(i); at++ {
			z := (theta[at] - p.Summaries[at].Mean) / p.Summaries[at].SD
			sum, n = sum+float64(z*z), n+1
		}
	}
	if rms := math.Sqrt(sum / n); !(rms < 1.5 && rms > 0.6) {
		t.Errorf("errors are %.2f posterior standard deviations in the root mean square", rms)
	}
}

// TestLaplaceOfCategoriesCovers: of 20 tables with ten items 90 % intervals hold the truth of the items. A share of 200 has a standard error of .021, were
// they independent; the approximation may be off by 5 percentage points.
func TestLaplaceOfCategoriesCovers(t *testing.T) {
	longtest.Only(t, "takes a minute")
	held, of, summed := map[string]float64{}, map[string]float64{}, 0
	for k := range 20 {
		theta, j, c := simulatedCategories(t, 501+k)
		config := joint.Default()
		config.Draws = 250
		p := laplace(t, c, config)
		if strings.Contains(p.Warnings[0].Message, "summed out") {
			summed++
		}
		for i, par := range j.Layout().Parameters {
			for at := j.First(i); at < j.First(i)+j.Units(i); at++ {
				if of[par.Name]++; p.Summaries[at].Q5 <= theta[at] && theta[at] <= p.Summaries[at].Q95 {
					held[par.Name]++
				}
			}
		}
	}
	for name, n := range of {
		share := held[name] / n
		t.Logf("%s: %.3f of %.0f", name, share, n)
		if n >= 200 && math.Abs(share-0.9) > 0.05+4*0.021 {
			t.Errorf("%s: %.3f of the intervals of 90 %% hold the truth", name, share)
		}
	}
	t.Logf("subjects summed out in %d of 20", summed)
}
