package voe

import "math"

// Curve returns, for every frame from 0 to last, how far the trial has moved the observer's beliefs up to that frame
// (Moment.Shift). frames are the rows of one observer and one trial in the table of moments, in ascending order. Before
// the first of them the curve is NaN. For achilles and a test trial the last value is the surprise of the video.
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
