package embodied

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// luck has the hidden draws of one episode: what each capability amounts to this time.
type luck struct {
	lapse, heads                   bool
	visual, memory, op, endurance  float64
	persists, lava, ramp, platform bool
	alike, left, right             bool
	shy                            [3]bool // of red, green, blue
}

// draw makes all draws in a fixed order, needed or not, so that the draws of one trait do not depend on another.
func (p *Policy) draw(r *rng.Rand) luck {
	coin := func(trait int) bool { return r.Bernoulli(p.level[trait]) }
	return luck{
		lapse: coin(noise), heads: coin(chance),
		visual: p.logistic(visual, r), memory: p.logistic(memory, r), op: p.logistic(op, r), endurance: p.logistic(flatNav, r),
		persists: coin(persistence), lava: coin(lava), ramp: coin(ramp), platform: coin(platform),
		alike: coin(lookAlike), left: coin(pullLeft), right: coin(pullRight),
		shy: [3]bool{coin(shyRed), coin(shyGreen), coin(shyBlue)},
	}
}

// logistic draws from the logistic distribution around a level, with scale 1, by inversion: it is at least d with
// probability logistic(level − d).
func (p *Policy) logistic(trait int, r *rng.Rand) float64 {
	u := r.Float64()
	if math.IsInf(p.level[trait], 1) {
		return p.level[trait]
	}
	return p.level[trait] + num.Log(u/(1-u))
}
