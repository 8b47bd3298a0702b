package picture

import "achilles/render/replay"

// KeyTicks returns the ticks of the moments that a strip of at most n pictures shows.
func KeyTicks(e *replay.Episode, n int) (ticks []int) {
	for _, k := range keyMoments(e, n) {
		ticks = append(ticks, k.tick)
	}
	return ticks
}
