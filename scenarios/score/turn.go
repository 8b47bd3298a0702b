package score

import "math"

// turnSteps is the number of halvings by which the value that turns a probability is found: to 1/1000 of the support.
const turnSteps = 10

// farthest is the largest number of standard deviations, or of units where these are less, by which a parameter is changed.
const farthest = 20

// turn adds the smallest change of one parameter of a hurdle with which P, above or below 0.5, would have been on the other side.
func (x *explaining) turn(out *Explanation) {
	wanted := out.P < 0.5 // whether p must rise to 0.5
	best := math.Inf(1)
	for i := range x.parameters {
		mean, sd := x.moments(i)
		if !(sd > 0) || x.hurdleOf(i) == lapse { // p = 0.5 of somebody who only guesses is no explanation
			continue
		}
		if q := x.at(i, mean); (q >= 0.5) == wanted { // not the value but its uncertainty keeps p where it is
			out.Turn = &Turn{Parameter: x.parameters[i].Name, From: mean, To: mean, P: q}
			return
		}
		for _, end := range x.ends(i, mean, sd) {
			if q := x.at(i, end); math.IsNaN(q) || (q >= 0.5) != wanted {
				continue
			}
			near, far := mean, end
			for range turnSteps {
				mid := near + (far-near)/2
				if (x.at(i, mid) >= 0.5) == wanted {
					far = mid
				} else {
					near = mid
				}
			}
			if size := math.Abs(far-mean) / sd; size < best {
				best = size
				out.Turn = &Turn{Parameter: x.parameters[i].Name, From: mean, To: far, P: x.at(i, far)}
			}
		}
	}
}

// moments returns the mean and the standard deviation of parameter i over the draws.
func (x *explaining) moments(i int) (mean, sd float64) {
	n := float64(len(x.draws))
	for _, theta := range x.draws {
		mean += theta[i] / n
	}
	for _, theta := range x.draws {
		d := theta[i] - mean
		sd += float64(d*d) / n
	}
	return mean, math.Sqrt(sd)
}

// ends returns the values, on both sides of the mean, as far as which parameter i is changed: the ends of its support, or where that has
// none, the farthest.
func (x *explaining) ends(i int, mean, sd float64) [2]float64 {
	r := x.parameters[i].Range
	return [2]float64{math.Max(r[0], mean-farthest*math.Max(sd, 1)), math.Min(r[1], mean+farthest*math.Max(sd, 1))}
}
