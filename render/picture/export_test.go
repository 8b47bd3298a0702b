package picture

import "achilles/render/replay"

// KeyTicks are the ticks of the moments that a strip shows.
func KeyTicks(e *replay.Episode, n int) (ticks []int) {
	for _, k := range keyMoments(e, n) {
		ticks = append(ticks, k.tick)
	}
	return ticks
}
