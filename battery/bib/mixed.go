package bib

import (
	"slices"

	"achilles/sim/num"
)

// mixable has the tasks on which Design.Mixed has an effect: those that need to know what the actor prefers.
func mixable(t Task) bool { return t == Preference || t == MultiAgent }

// dozen is the number of neighbouring episodes that have one level of Design.Mixed: every nuisance is balanced in twelve.
const dozen = 12

// mixedAt returns the level of Mixed of an episode.
func (d *Design) mixedAt(t Task, index int) float64 {
	if len(d.Mixed) == 0 || !mixable(t) {
		return 0
	}
	return d.Mixed[index/dozen%len(d.Mixed)]
}

// level returns the level of Mixed of an episode, for the label; nil if all episodes of the task have the same.
func (d *Design) level(t Task, index int) *float64 {
	if len(d.Mixed) < 2 || !mixable(t) {
		return nil
	}
	q := d.mixedAt(t, index)
	return &q
}

// mix makes choices of the familiar actor weaker evidence of its preference: in each familiarisation trial it goes to the other object
// with the probability of mixedAt, so that most of its choices may mislead. A trial whose walk a test repeats is kept. Other tasks,
// which do not need to know the preference, stay as they are, and without Mixed nothing is drawn. mix returns false if a walk fails.
func (d *draft) mix(p *outline) bool {
	q := d.design.mixedAt(d.task, d.index)
	if q == 0 {
		return true
	}
	for k := range p.familiar {
		t := p.familiar[k]
		if !d.Bernoulli(q) || same(t.walk.Track, p.unexpected.walk.Track) {
			continue
		}
		if !d.act(&t, other) {
			return false
		}
		p.familiar[k] = t
	}
	return true
}

// Evidence returns what the choices of eight familiarisation trials say of the preference, if each is of the other object with
// probability q, but for the one that the test of Preference repeats: the expected log odds, in nats, that the next choice is of the
// preferred object, for an observer to whom all preferences are equally likely beforehand, (a + 1)/(b + 1) after a and b choices; and
// how often that observer is right, where a tie counts half. ok is false for tasks on which mixing has no effect.
func Evidence(t Task, q float64) (nats, right float64, ok bool) {
	if !mixable(t) {
		return 0, 0, false
	}
	const trials = 8
	free := trials
	if t == Preference {
		free-- // the repeated trial is kept
	}
	p := binomial(free, q)
	for b, x := range p {
		a := trials - b
		nats += float64(x * (num.Log(float64(a+1)) - num.Log(float64(b+1))))
		switch {
		case a > b:
			right += x
		case a == b:
			right += float64(x / 2)
		}
	}
	return nats, right, true
}

// binomial returns the probabilities of 0 to n successes of probability q.
func binomial(n int, q float64) []float64 {
	p := slices.Repeat([]float64{0}, n+1)
	p[0] = 1
	for i := range n {
		for k := i + 1; k > 0; k-- {
			p[k] = float64(p[k]*(1-q)) + float64(p[k-1]*q)
		}
		p[0] *= 1 - q
	}
	return p
}
