package embodied

import (
	"math"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// draw draws the hidden value that each trait has in one episode in this room. It makes all draws, in a fixed order,
// whether they are needed or not, so that the draws of one trait do not depend on another.
func (d *Disposition) draw(room *policy.Room, r *rng.Rand, key rng.Key) policy.Parameters {
	coin := func(trait int) bool { return r.Bernoulli(d.level[trait]) }
	p := policy.Parameters{Goal: d.goal, Fallback: d.fallback, Pull: policy.NoPlace, Wrong: policy.NoPlace}
	lapse, heads := coin(noise), coin(chance)
	p.Visual, p.Memory, p.Exclude, p.Endurance = d.logistic(visual, r), d.logistic(memory, r), d.logistic(op, r), d.logistic(flatNav, r)
	p.Persists, p.Lava, p.Ramp, p.Edge = coin(persistence), coin(lava), coin(ramp), coin(platform)
	p.Alike = coin(lookAlike)
	left, right := coin(pullLeft), coin(pullRight)
	p.Balks = isShy([3]bool{coin(shyRed), coin(shyGreen), coin(shyBlue)}, room.Layout())
	p.Acuity, p.Capacity, p.RightLeft, p.Slip = d.level[acuity], d.level[capacity], d.level[rightLeft], d.level[slip]
	if f := d.level[fieldOfView]; f < 180 {
		p.HalfAngle = int(f)
	}
	p.Effort = d.level[effort]
	d.drawMore(&p, key)
	switch {
	case lapse && heads:
		p.Goal = policy.Oracle
	case lapse:
		p.Goal = policy.Nothing
	}
	if len(room.Places()) > 1 && (left || right) {
		p.Pull = room.Nearest(side(left))
	}
	return p
}

// drawMore draws the values of further traits: for rewards that are moved out of sight or were hidden elsewhere before,
// for the choice between places, for sizes and numbers, for barriers, for the arms of mazes, and for physical cognition. They come from a separate random stream, so that
// bodies without these traits behave as they did before the traits existed.
func (d *Disposition) drawMore(p *policy.Parameters, key rng.Key) {
	r := rng.Stream(key.Seed(), "displaced")
	p.Follow, p.Inhibit = d.logistic(tracking, &r), d.logistic(inhibition, &r)
	p.Tubes, p.Timing = r.Bernoulli(d.level[tubes]), r.Bernoulli(d.level[timing])
	p.Rational = d.logistic(rationality, &r)
	p.Openings, p.Sizes = r.Bernoulli(d.level[openings]), r.Bernoulli(d.level[sizes])
	p.Number, p.Retreat = d.logistic(number, &r), d.logistic(retreat, &r)
	p.When = r.Bernoulli(d.level[when])
	p.Visits, p.Unbaited = d.logistic(visits, &r), d.logistic(unbaited, &r)
	p.Ratio = d.logistic(ratio, &r)
	p.Area, p.Cohesion, p.Reach = r.Bernoulli(d.level[area]), r.Bernoulli(d.level[cohesion]), r.Bernoulli(d.level[reach])
	p.Gone, p.Decoys = r.Bernoulli(d.level[gone]), r.Bernoulli(d.level[decoys])
	p.Boards, p.Tools = r.Bernoulli(d.level[boards]), r.Bernoulli(d.level[tools])
	p.Restraint, p.Fading = d.logistic(restraint, &r), d.level[fading]
	p.Win, p.Loss, p.Rule, p.Span, p.Sharp = d.level[winRate], d.level[lossRate], d.level[ruleRate], d.level[spanRate], d.level[rationality]
}

func side(left bool) int {
	if left {
		return -1
	}
	return 1
}

// logistic draws from the logistic distribution with scale 1 around the level of a trait, by inversion: the draw is at
// least d with probability logistic(level − d).
func (d *Disposition) logistic(trait int, r *rng.Rand) float64 {
	u := r.Float64()
	if math.IsInf(d.level[trait], 1) {
		return d.level[trait]
	}
	return d.level[trait] + num.Log(u/(1-u))
}

// isShy reports whether the layout has an occluder of a colour that the body is shy of: of[0] says that it is shy of red
// above 200, of[1] of green above 200, of[2] of blue above 200. 200 is the paper's threshold for a reddish or greenish
// occluder (Burden et al. 2023, Table 6).
func isShy(of [3]bool, layout *gridworld.World) bool {
	if of == [3]bool{} {
		return false
	}
	walls := layout.Where(gridworld.Occluder)
	for p := range walls.All() {
		red, green, blue, ok := layout.At(p).Colour.RGB()
		for i, x := range [3]uint8{red, green, blue} {
			if ok && of[i] && x > 200 {
				return true
			}
		}
	}
	return false
}
