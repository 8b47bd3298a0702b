package nuts

// A schedule divides a warm-up into three parts. The first part adapts only the step size. The second part has windows
// of growing length, each of which ends with a new metric. The last part adapts only the step size. From 500 draws on
// the lengths are Stan's: 75 draws, windows of 25, 50, 100 … draws, and 50 draws. In a shorter warm-up the first part is
// 15 %; below 200 draws the last part is a quarter.
type schedule struct {
	first int   // index of the first draw in the first window
	ends  []int // for each window, the index after its last draw; ascending, without gaps between windows
}

func newSchedule(warmup int) schedule {
	initial, final := min(75, warmup*15/100), min(50, warmup/4)
	const base = 25
	s := schedule{first: initial}
	stop := warmup - final
	if stop-initial < 10 { // too short to estimate a variance
		s.first = warmup
		return s
	}
	for at, length := initial, base; at < stop; length *= 2 {
		at += length
		if at+2*length > stop { // the next window would not fit, so that this one extends to the end
			at = stop
		}
		s.ends = append(s.ends, at)
	}
	return s
}

// at reports whether draw i of the warm-up is in a window (learns), and whether it is the last draw of one (closes).
func (s schedule) at(i int) (learns, closes bool) {
	if len(s.ends) == 0 || i < s.first || i >= s.ends[len(s.ends)-1] {
		return false, false
	}
	for _, end := range s.ends {
		closes = closes || i+1 == end
	}
	return true, closes
}
