package voe

import (
	"slices"

	"achilles/sim/num"
)

// A vigil is the planner watching one trial: the joint posterior of goal and manner, frame by frame.
type vigil struct {
	*memory
	trial  *trial
	goals  []goal
	prior  [][manners]float64
	now    [][manners]float64 // posterior
	factor [][manners]float64 // likelihood of the frame
	tours  []tour
	belief Belief
	steps  int
	last   float64 // surprise of the last step
	sum    float64 // of the surprise of steps
}

// watch watches a trial and learns from it.
func (m *memory) watch(t *trial, moments bool) Belief {
	c := m.actor(t.actor)
	v := &vigil{memory: m, trial: t, goals: c.goals(t)}
	v.belief.Actor = t.actor
	if len(v.goals) == 0 {
		return v.belief
	}
	v.prior = m.expect(c, v.goals)
	v.now = slices.Clone(v.prior)
	v.factor = make([][manners]float64, len(v.goals))
	v.tours = slices.Repeat([]tour{{away: 1}}, len(v.goals))
	heading, before := noHeading, bare
	for i := range t.moves {
		heading = v.move(&t.moves[i], heading, before, moments)
		before = t.moves[i].phase
	}
	if n := len(t.moves); n > 0 {
		v.stop(&t.moves[n-1], moments)
	}
	v.learn(c, v.goals, v.likelihood())
	v.sumUp(c)
	return v.belief
}

// move takes in one step of the actor and returns its heading.
func (v *vigil) move(mv *move, heading int, before phase, moments bool) int {
	var o options
	open := v.trial.closed
	if mv.phase == unlocked {
		open = v.trial.opened
	}
	waste := make([]float64, len(v.goals))
	for i := range v.goals {
		g := v.goals[i].guide
		if !o.consider(mv, g, open) {
			return noHeading
		}
		waste[i] = o.waste[o.taken]
		v.likely(i, &o, heading, v.goesOn(g, mv, before))
	}
	v.update()
	if moments {
		v.moment(mv.frame, waste)
	}
	return o.heading[o.taken]
}

// likely fills in the probability of the option taken under goal i and every manner.
func (v *vigil) likely(i int, o *options, heading int, goesOn float64) {
	weight := v.inertia(o, heading)
	p := rational(o, &weight)
	drift := weight[o.taken]
	f := &v.factor[i]
	copy(f[:warmest], p[:])
	f[detour] = v.tours[i].step(v.Turn, drift, p[1])
	f[wander] = drift
	for k := range f {
		f[k] *= goesOn
	}
}

// stop takes in that the actor stays where it came to.
func (v *vigil) stop(last *move, moments bool) {
	for i := range v.goals {
		p := v.stops(v.goals[i].guide, v.trial, last.to, last.phase)
		for k := range v.factor[i] {
			v.factor[i][k] = p
		}
	}
	v.update()
	if moments {
		v.moment(last.frame+1, make([]float64, len(v.goals)))
	}
}

// least keeps a hypothesis alive that has become all but impossible, so that it can be compared later.
const least = 1e-280

// update multiplies the posterior by the likelihood of the frame.
func (v *vigil) update() {
	sum := 0.0
	for i := range v.now {
		for k := range v.now[i] {
			if v.prior[i][k] > 0 {
				v.now[i][k] = max(v.now[i][k]*v.factor[i][k], least)
			}
			sum += v.now[i][k]
		}
	}
	for i := range v.now {
		for k := range v.now[i] {
			v.now[i][k] /= sum
		}
	}
	v.last = max(0, -num.Log(sum))
	v.belief.MaxStep = max(v.belief.MaxStep, v.last)
	v.sum += v.last
	v.steps++
}

// likelihood is that of the whole trial under every goal and manner, up to a factor.
func (v *vigil) likelihood() [][manners]float64 {
	l := make([][manners]float64, len(v.goals))
	for i := range l {
		for k := range l[i] {
			if v.prior[i][k] > 0 {
				l[i][k] = v.now[i][k] / v.prior[i][k]
			}
		}
	}
	return l
}

func (v *vigil) goalShares(p [][manners]float64) []float64 {
	s := make([]float64, len(p))
	for i := range p {
		for _, x := range p[i] {
			s[i] += x
		}
	}
	return s
}

func (v *vigil) moment(frame int, waste []float64) {
	m := Moment{Frame: frame, Step: v.last, Goals: v.goalShares(v.now), Shift: divergence(v.now, v.prior)}
	best := 0
	for i, p := range m.Goals {
		if p > m.Goals[best] {
			best = i
		}
	}
	m.Regret = halfCell * waste[best]
	v.belief.Moments = append(v.belief.Moments, m)
}

// sumUp reports what is thought after the trial.
func (v *vigil) sumUp(c *character) {
	v.belief.Surprise = divergence(v.now, v.prior)
	v.belief.MeanStep = v.sum / float64(max(v.steps, 1))
	for i, p := range v.goalShares(v.now) {
		v.belief.Goals = append(v.belief.Goals, Share{v.goals[i].target.id, p})
	}
	v.belief.Preference = v.preference(c)
	for k, p := range c.manner() {
		v.belief.Manner = append(v.belief.Manner, Share{v.names[k], p})
	}
}
