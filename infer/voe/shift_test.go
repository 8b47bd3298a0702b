package voe_test

import (
	"context"
	"math"
	"testing"

	"achilles/infer/voe"
)

// TestShiftIsSurprise checks three promises of the format: for achilles, the shift in the last frame of a test trial is
// the surprise of the video; the shares of each kind after a trial sum to 1; and a frame has as many goals as the belief
// after the trial.
func TestShiftIsSurprise(t *testing.T) {
	var tables voe.Tables
	err := voe.Run(context.Background(), golden(t)[:4], voe.Watching{Moments: true, Observers: voe.Observers(1)[:2]}, func(s *voe.Sighting) error {
		tables.Add(s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	last := map[[3]string]voe.Frame{}
	for _, f := range tables.Frames {
		last[[3]string{f.Observer, f.Item, f.Video}] = f
	}
	for _, s := range tables.Surprises {
		f := last[[3]string{s.Observer, s.Item, s.Video}]
		if s.Observer == "achilles" && math.Abs(f.Shift-s.Surprise) > 1e-9 || f.Trial != 8 {
			t.Errorf("%s, item %s, video %s: surprise %g, shift %g in trial %d", s.Observer, s.Item, s.Video, s.Surprise, f.Shift, f.Trial)
		}
	}
	type share struct {
		observer, item, video, kind string
		trial                       int32
	}
	sum, count := map[share]float64{}, map[share]int{}
	for _, c := range tables.Convictions {
		k := share{c.Observer, c.Item, c.Video, c.Kind, c.Trial}
		sum[k] += c.P
		count[k]++
	}
	for k, p := range sum {
		if math.Abs(p-1) > 1e-9 {
			t.Errorf("%+v sums to %g", k, p)
		}
	}
	for _, f := range tables.Frames {
		if n := count[share{f.Observer, f.Item, f.Video, "goal", f.Trial}]; n != len(f.Goals) {
			t.Fatalf("%d goals in a frame, %d shares after the trial: %+v", len(f.Goals), n, f)
		}
	}
}
