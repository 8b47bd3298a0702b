package voe

import (
	"math"
	"slices"

	"achilles/sim/num"
)

// A filter has the joint posterior of goal and manner in one trial. Every move of the actor updates the posterior, and so
// does its stop at the end, unless the trial ends in the middle of a walk.
type filter struct {
	*memory
	trial  *trial
	goals  []goal
	prior  [][manners]float64
	now    [][manners]float64 // posterior
	factor [][manners]float64 // likelihood of the last step
	turns  []bearing
	tours  []tour
	belief Belief
	steps  int
	last   float64 // surprise of the last step, in nats
	sum    float64 // sum of the surprises of all steps, in nats
}

// watch returns the belief after a trial, and updates the planner's knowledge of the actor. A trial with neither objects
// nor a key changes nothing.
func (m *memory) watch(t *trial, moments bool) Belief {
	c := m.actor(t.actor)
	f := &filter{memory: m, trial: t, goals: m.goals(c, t)}
	f.belief.Actor = t.actor
	if len(f.goals) == 0 {
		return f.belief
	}
	f.prior = m.expect(c, f.goals)
	f.belief.ahead = f.mostProbable(f.prior)
	f.now = slices.Clone(f.prior)
	f.factor = make([][manners]float64, len(f.goals))
	f.turns = slices.Repeat([]bearing{newBearing()}, len(f.goals))
	f.tours = slices.Repeat([]tour{{away: 1}}, len(f.goals))
	heading, before := noHeading, bare
	for i := range t.moves {
		heading = f.move(&t.moves[i], heading, before, moments)
		before = t.moves[i].phase
	}
	if n := len(t.moves); n > 0 && t.moves[n-1].frame < len(t.track)-1 {
		f.stop(&t.moves[n-1], moments)
	}
	f.learn(c, f.goals, f.likelihood())
	f.sumUp(c)
	return f.belief
}

// move updates the posterior by one step of the actor and returns the heading of the step. For a jump it changes nothing
// and returns noHeading.
func (f *filter) move(mv *move, heading int, before phase, moments bool) int {
	var o options
	open := f.trial.closed
	if mv.phase == unlocked {
		open = f.trial.opened
	}
	waste := make([]float64, len(f.goals))
	for i := range f.goals {
		g := f.goals[i].guide
		if !o.consider(mv, g, open) {
			return noHeading
		}
		waste[i] = o.waste[o.taken]
		f.likely(i, &o, heading, f.goesOn(g, mv, before))
	}
	f.update()
	if moments {
		f.moment(mv.frame, waste)
	}
	return o.heading[o.taken]
}

// likely sets f.factor[i]: the probability of the step taken, given goal i and each manner. A step after which no way leads to the goal but
// through another object has that of a step without regard to it, times Miss.
func (f *filter) likely(i int, o *options, heading int, goesOn float64) {
	weight := f.inertia(o, heading)
	steady, loose := rational(o, &weight)
	drift := weight[o.taken]
	if math.IsInf(o.waste[o.taken], 1) {
		for k := range steady {
			steady[k], loose[k] = float64(f.Miss*drift), float64(f.Miss*drift)
		}
	}
	l := &f.factor[i]
	p := f.turns[i].step(&steady, &loose)
	copy(l[:warmest], p[:])
	l[detour] = f.tours[i].step(f.Turn, drift, steady[returning])
	l[wander] = drift
	for k := range l {
		l[k] *= goesOn
	}
}

// stop updates the posterior by the observation that the actor stays where its last move ended.
func (f *filter) stop(last *move, moments bool) {
	for i := range f.goals {
		p := f.stops(f.goals[i].guide, f.trial, last.to, last.phase)
		for k := range f.factor[i] {
			f.factor[i][k] = p
		}
	}
	f.update()
	if moments {
		f.moment(last.frame+1, make([]float64, len(f.goals)))
	}
}

// least is the smallest posterior of a hypothesis before it is normalised. A posterior of 0 could never rise again.
const least = 1e-280

// update multiplies the posterior by the likelihood of the last step and normalises it.
func (f *filter) update() {
	sum := 0.0
	for i := range f.now {
		for k := range f.now[i] {
			if f.prior[i][k] > 0 {
				f.now[i][k] = max(f.now[i][k]*f.factor[i][k], least)
			}
			sum += f.now[i][k]
		}
	}
	for i := range f.now {
		for k := range f.now[i] {
			f.now[i][k] /= sum
		}
	}
	f.last = max(0, -num.Log(sum))
	f.belief.MaxStep = max(f.belief.MaxStep, f.last)
	f.sum += f.last
	f.steps++
}

// likelihood returns the likelihood of the whole trial given each goal and manner, up to a common factor. It is 0 for a
// goal and manner whose prior is 0.
func (f *filter) likelihood() [][manners]float64 {
	l := make([][manners]float64, len(f.goals))
	for i := range l {
		for k := range l[i] {
			if f.prior[i][k] > 0 {
				l[i][k] = f.now[i][k] / f.prior[i][k]
			}
		}
	}
	return l
}

// goalShares returns the probability of each thing, wherever the actor believes it to be.
func (f *filter) goalShares(p [][manners]float64) []float64 {
	s := make([]float64, f.goals[len(f.goals)-1].thing+1)
	for i := range p {
		for _, x := range p[i] {
			s[f.goals[i].thing] += x
		}
	}
	return s
}

func (f *filter) moment(frame int, waste []float64) {
	m := Moment{Frame: frame, Step: f.last, Goals: f.goalShares(f.now), Shift: divergence(f.now, f.prior)}
	best, most := 0, 0.0
	for i := range f.now {
		sum := num.Sum(f.now[i][:])
		if sum > most {
			best, most = i, sum
		}
	}
	m.Regret = halfCell * waste[best]
	f.belief.Moments = append(f.belief.Moments, m)
}

// sumUp sets the fields of the belief after the trial, except for its moments.
func (f *filter) sumUp(c *character) {
	f.belief.Surprise = divergence(f.now, f.prior)
	f.belief.MeanStep = f.sum / float64(max(f.steps, 1))
	for i, p := range f.goalShares(f.now) {
		id := ""
		if i < len(f.trial.object) {
			id = f.trial.object[i].id
		} else {
			id = f.trial.key.id
		}
		f.belief.Goals = append(f.belief.Goals, Share{id, p})
	}
	f.belief.Preference = f.preference(c)
	f.belief.Manner = mannerShares(c.manner())
}
