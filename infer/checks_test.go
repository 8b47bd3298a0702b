package infer

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/rng"
)

var tryLayout = flag.String("try.layout", "", "")
var tryDir = flag.String("try.dir", "", "")
var tryFirst = flag.Int("try.first", 1, "")
var tryN = flag.Int("try.n", 100, "")

func TestTry(t *testing.T) {
	if *tryLayout == "" {
		t.Skip()
	}
	data, err := record.Read(os.DirFS(*tryDir))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(*tryLayout)
	l, err := layout.Parse(*tryLayout, string(text))
	if err != nil {
		t.Fatal(err)
	}
	design, err := l.Bind(&data.Items, data.Manifest.Measures)
	if err != nil {
		t.Fatal(err)
	}
	flagged, low := 0, 0
	var fit, check time.Duration
	for s := range *tryN {
		r := rng.Stream(uint64(*tryFirst+s), "try")
		theta := make([]float64, len(design.Parameters()))
		design.DrawPrior(&r, theta)
		use := design.Simulate(theta, &r)
		sub, err := design.NewData(use)
		if err != nil {
			t.Fatal(err)
		}
		c := posterior.Default()
		c.Draws = 500
		t0 := time.Now()
		post, err := posterior.Fit(context.Background(), func() posterior.Problem { return design.NewTarget(sub) }, names(design), c, 1, "try", fmt.Sprint(*tryFirst+s))
		if err != nil {
			t.Log(err)
			continue
		}
		t1 := time.Now()
		res := checkFit(&data.Items, design, func(x *record.Response) int { return 0 }, use, sub, post, &r)
		fit, check = fit+t1.Sub(t0), check+time.Since(t1)
		if res.P <= 0.1 {
			low++
		}
		if len(res.Failed) > 0 {
			flagged++
			t.Log(*tryFirst+s, theta, res)
		}
	}
	t.Logf("%d of %d flagged, %d at .1; fit %v check %v", flagged, *tryN, low, fit, check)
}
