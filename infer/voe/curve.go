package voe

import "math"

// Curve returns, for every frame from 0 to last, how far the trial has moved the observer's beliefs so far, in nats: the
// surprise of the trial up to that frame. frames are the moments of one trial in ascending order; the curve is NaN before
// the first of them. Its last value for a test trial is the surprise of the video.
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
