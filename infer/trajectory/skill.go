package trajectory

import (
	"math"

	"achilles/gridworld/policy"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A skill is an ability to infer where the reward is, to choose, or to go round things, that a profile may limit. Where an item asks for it, who
// lacks it goes to a wrong place or stops. A profile without it has no limit.
type skill struct {
	trait string
	share bool // the level is the share of episodes in which it is there; else it is in the unit of its demand
	set   func(p *policy.Parameters, level float64)
}

// skills is the number of elements of skillList.
const skills = 20

func skillList() [skills]skill {
	return [...]skill{
		{trait: "tracking", set: func(p *policy.Parameters, x float64) { p.Follow = x }},
		{trait: "inhibition", set: func(p *policy.Parameters, x float64) { p.Inhibit = x }},
		{trait: "number", set: func(p *policy.Parameters, x float64) { p.Number = x }},
		retreating: {trait: "retreat", set: func(p *policy.Parameters, x float64) { p.Retreat = x }},
		{trait: "visits", set: func(p *policy.Parameters, x float64) { p.Visits = x }},
		{trait: "unbaited", set: func(p *policy.Parameters, x float64) { p.Unbaited = x }},
		choosing: {trait: "rationality", set: func(p *policy.Parameters, x float64) { p.Rational = x }},
		{trait: "tubes", share: true, set: func(p *policy.Parameters, x float64) { p.Tubes = x > 0 }},
		{trait: "timing", share: true, set: func(p *policy.Parameters, x float64) { p.Timing = x > 0 }},
		{trait: "openings", share: true, set: func(p *policy.Parameters, x float64) { p.Openings = x > 0 }},
		{trait: "sizes", share: true, set: func(p *policy.Parameters, x float64) { p.Sizes = x > 0 }},
		{trait: "when", share: true, set: func(p *policy.Parameters, x float64) { p.When = x > 0 }},
		{trait: "ratio", set: func(p *policy.Parameters, x float64) { p.Ratio = x }},
		{trait: "area", share: true, set: func(p *policy.Parameters, x float64) { p.Area = x > 0 }},
		{trait: "cohesion", share: true, set: func(p *policy.Parameters, x float64) { p.Cohesion = x > 0 }},
		{trait: "reach", share: true, set: func(p *policy.Parameters, x float64) { p.Reach = x > 0 }},
		{trait: "gone", share: true, set: func(p *policy.Parameters, x float64) { p.Gone = x > 0 }},
		{trait: "decoys", share: true, set: func(p *policy.Parameters, x float64) { p.Decoys = x > 0 }},
		{trait: "boards", share: true, set: func(p *policy.Parameters, x float64) { p.Boards = x > 0 }},
		{trait: "tools", share: true, set: func(p *policy.Parameters, x float64) { p.Tools = x > 0 }},
	}
}

// Indices of skills that are not thresholds of a choice of one other place.
const (
	retreating = 3 // who lacks it stops on the way, farther for more of it
	choosing   = 6 // its demand is the logarithm of the number of other places
)

// random reports whether who lacks a skill goes to one of several places at random: visits, unbaited, rationality.
func random(skill int) bool { return skill >= 4 && skill <= choosing }

// A limit is the level of a skill in one draw.
type limit struct {
	skill int
	level float64
}

// lost has, for every skill, 0 where the agent has it, and else 1 + its level, rounded down.
type lost [skills]int8

const mostLevel = 24 // levels above are as good as no limit: a world has fewer hidings, moves, rewards, arms and cells of a detour

// set sets the parameters of an agent that lacks these skills.
func (l *lost) set(p *policy.Parameters) {
	for i, x := range skillList() {
		switch {
		case l[i] == 0:
		case i == choosing:
			x.set(p, math.Inf(-1))
		default:
			x.set(p, float64(l[i]-1))
		}
	}
}

// random reports whether the agent may go to one of several places at random.
func (l *lost) random() bool {
	for i, x := range l {
		if x > 0 && random(i) {
			return true
		}
	}
	return false
}

// A need says what a scene asks of a skill.
type need struct {
	asked  bool    // whether who lacks the skill altogether does anything else than who has it
	passes float64 // least level at which the reward is reached; NaN: at every level
}

// need returns what the scene asks of a skill. It tries the levels one by one, once.
func (s *Scene) need(skill int) need {
	if s.needs == nil {
		s.needs = map[int]need{}
	}
	n, ok := s.needs[skill]
	if !ok {
		n = s.ask(skill)
		s.needs[skill] = n
	}
	return n
}

func (s *Scene) ask(skill int) need {
	n := need{passes: math.NaN()}
	if skill == choosing {
		others := float64(len(s.wrongPlaces()))
		if n.asked = others > 0; n.asked {
			n.passes = num.Log(others)
		}
		return n
	}
	whole := s.Rollout(policy.Reward)
	k := kindOf(policy.Reward)
	k.lost[skill] = 1
	least := s.rollout(k)
	n.asked = skill == retreating || least.mark[len(least.mark)-1] != whole.mark[len(whole.mark)-1]
	if !whole.Success || least.Success {
		return n
	}
	for n.passes = 1; n.passes < mostLevel && !skillList()[skill].share; n.passes++ {
		if k.lost[skill]++; s.rollout(k).Success {
			break
		}
	}
	return n
}

// wrongPlaces returns the indices of the places where the reward does not come to rest.
func (s *Scene) wrongPlaces() (list []int) {
	for k, p := range s.Places {
		if p != s.final {
			list = append(list, k)
		}
	}
	return list
}

// skilled returns the probability that a subject with these abilities has every skill that it takes to reach the reward.
func (m *Abilities) skilled(s *Scene) float64 {
	q := 1.0
	for _, x := range m.limits {
		n := s.need(x.skill)
		switch {
		case math.IsNaN(n.passes):
		case skillList()[x.skill].share:
			q *= x.level
		default:
			q *= num.Logistic(x.level - n.passes)
		}
	}
	return q
}

// drawSkills draws which skills the subject lacks in an episode, whatever the scene asks.
func (m *Abilities) drawSkills(r *rng.Rand) (l [skills]float64) {
	for i := range l {
		l[i] = math.Inf(1)
	}
	list := skillList()
	for _, x := range m.limits {
		switch {
		case !list[x.skill].share:
			u := r.Float64()
			l[x.skill] = x.level + num.Log(u/(1-u))
		case !r.Bernoulli(x.level):
			l[x.skill] = 0
		}
	}
	return l
}

// lost returns the skills that the scene asks for and that the subject lacks, or has only in part.
func (m *Abilities) lost(s *Scene, levels *[skills]float64) (l lost) {
	for _, x := range m.limits {
		n := s.need(x.skill)
		switch at := levels[x.skill]; {
		case !n.asked || math.IsInf(at, 1):
		case x.skill == choosing:
			if at < n.passes {
				l[choosing] = 1
			}
		case at < mostLevel:
			l[x.skill] = int8(1 + math.Floor(max(at, 0)))
		}
	}
	return l
}

// tries is how many streams are tried for the random choices of an agent: enough for each of twelve places to be found.
const tries = 128

// picks returns streams of the agent of a kind that lead to each of the paths between which it chooses at random, with equal probabilities.
func (k kind) picks(s *Scene) []int {
	if list, ok := s.choices[k]; ok {
		return list
	}
	if s.choices == nil {
		s.choices = map[kind][]int{}
	}
	var list []int
	seen := map[uint64]bool{}
	for i := range tries {
		k.pick = i + 1
		c := s.simulate(k)
		if end := c.mark[len(c.mark)-1]; !seen[end] {
			seen[end] = true
			list = append(list, i+1)
		}
	}
	k.pick = 0
	s.choices[k] = list
	return list
}
