package voe

import "math"

// Curve is the surprise of a trial by frame, from 0 to last: how far the trial has moved the observer's beliefs so far, in
// nats. It is NaN before the first of the frames, which are those of one trial in their order; the last value of a test trial
// is the surprise of its video.
func Curve(frames []Frame, last int) []float64 {
	nats := make([]float64, last+1)
	next, now := 0, math.NaN()
	for f := range nats {
		for next < len(frames) && int(frames[next].Frame) <= f {
			now = max(frames[next].Shift, 0)
			next++
		}
		nats[f] = now
	}
	return nats
}
