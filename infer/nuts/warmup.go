package nuts

// schedule cuts a warm-up into an initial stretch where only the step size adapts, windows of growing length at the
// end of each of which the metric is renewed, and a final stretch for the step size alone. The lengths are Stan's
// (75, 25 doubling, 50) from a warm-up of 500 on; shorter ones give 15 % to the start, below 200 a quarter to the end:
// the step size needs its 50 draws.
type schedule struct {
	first int   // first draw whose position is learnt from
	ends  []int // draw after which a window closes, increasing; windows follow each other without gap
}

func newSchedule(warmup int) schedule {
	initial, final := min(75, warmup*15/100), min(50, warmup/4)
	const base = 25
	s := schedule{first: initial}
	stop := warmup - final
	if stop-initial < 10 { // too short to learn a variance from
		s.first = warmup
		return s
	}
	for at, length := initial, base; at < stop; length *= 2 {
		at += length
		if at+2*length > stop { // the next window would not fit: this one takes the rest
			at = stop
		}
		s.ends = append(s.ends, at)
	}
	return s
}

// learns reports whether draw i of the warm-up belongs to a window, and closes whether it ends one.
func (s schedule) at(i int) (learns, closes bool) {
	if len(s.ends) == 0 || i < s.first || i >= s.ends[len(s.ends)-1] {
		return false, false
	}
	for _, end := range s.ends {
		closes = closes || i+1 == end
	}
	return true, closes
}
