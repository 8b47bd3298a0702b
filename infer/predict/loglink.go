package predict

import (
	"math"

	"achilles/infer/table"
	"achilles/sim/num"
)

// A scorer is a Model whose predictions are scores that were moved into [0, 1].
type scorer interface {
	Model
	score(subject, item int32) float64
}

func scores(m scorer, t *table.Table) []float64 {
	z := make([]float64, t.Rows())
	for i := range z {
		z[i] = m.score(t.Subject[i], t.Item[i])
	}
	return z
}

// A logLink makes a probability of a score z: the logistic function of At + Slope·(z − ½) (Platt 1999).
type logLink struct{ at, slope float64 }

// Precisions of the normal priors of both numbers, around 0 and usualSlope. They bound the slope where scores separate all outcomes, and of
// few outcomes let hardly any shift pass: without responses to tell, scores are near the mean of all.
const (
	linkPrior  = 10.0
	slopePrior = 1.0
	usualSlope = 4 // by which the probability follows the score near ½
)

// newLogLink returns the link of the highest posterior density for scores with these outcomes, by Newton's method.
func newLogLink(z, y []float64) logLink {
	l := logLink{0, usualSlope}
	for range maxNewton {
		ga, gb, aa, ab, bb := -linkPrior*l.at, -slopePrior*(l.slope-usualSlope), linkPrior, 0.0, slopePrior
		for i, v := range z {
			p, x := l.probability(v), v-0.5
			d, w := y[i]-p, p*(1-p)
			ga, gb = ga+d, gb+float64(d*x)
			aa, ab, bb = aa+w, ab+float64(w*x), bb+float64(w*x*x)
		}
		det := float64(aa*bb) - float64(ab*ab)
		da, db := (float64(bb*ga)-float64(ab*gb))/det, (float64(aa*gb)-float64(ab*ga))/det
		long := max(1, math.Abs(db)/max(usualSlope, math.Abs(l.slope))) // the curvature may be far less at the start
		l.at, l.slope = l.at+da/long, l.slope+db/long
		if math.Abs(da)+math.Abs(db) < 1e-9 {
			break
		}
	}
	return l
}

func (l logLink) odds(z float64) float64 { return l.at + float64(l.slope*(z-0.5)) }

func (l logLink) probability(z float64) float64 { return num.Logistic(l.odds(z)) }

// A linked model predicts probabilities by the scores of another.
type linked struct {
	scorer
	link logLink
}

// Predict evaluates the link at the scores.
func (m linked) Predict(subject, item []int32, p []float64) {
	for i, s := range subject {
		p[i] = m.link.probability(m.score(s, item[i]))
	}
}
