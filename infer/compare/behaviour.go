package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/trajectory"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A BehaviourEvidence says how well one kind of behaviour explains a subject's trajectories.
type BehaviourEvidence struct {
	Name string `json:"name"` // a trajectory.Behaviour: seeker, last-seen, …
	// Given is the log probability of the trajectories given the responses, minus that of the best behaviour: at most 0.
	Given float64  `json:"log_evidence"`
	Items []string `json:"items,omitempty"` // items whose trajectories favour this behaviour most, in falling order
}

// WithShortcuts returns the bank for subjects that have trajectories. It includes again the rivals about a shortcut (a
// degenerate behaviour) that Bind left out because no two items differ for them: trajectories can tell such a rival from
// the others, though responses cannot.
func (b *Bound) WithShortcuts(items *record.Items, measures []record.Measure) *Bound {
	out := b.clone()
	for i := range out.Entries {
		e := &out.Entries[i]
		if e.Design == nil && e.Behaviour.Degenerate() {
			if d, err := e.Layout.Bind(items, measures); err == nil {
				e.Design, e.LeftOut = d, ""
			}
		}
	}
	out.setShares()
	return out
}

// clone returns a copy of b that does not share its entries.
func (b *Bound) clone() *Bound {
	out := *b
	out.Entries = slices.Clone(b.Entries)
	return &out
}

// GivenTrajectories returns the bank with the prior probability of each rival multiplied by the evidence of a subject's
// trajectories for the rival's behaviour. This evidence is conditional on the responses, so that its product with the
// evidence of the responses is the evidence of both. evidence is that of all trajectory.Behaviours, and given returns it of
// these and of those that components have together.
func (b *Bound) GivenTrajectories(evidence []trajectory.Evidence, given func(b trajectory.Behaviour) float64) *Bound {
	out := b.clone()
	out.given, out.direct = given, bestOf(evidence, false).Given
	var logs []float64
	var at []int
	for i := range out.Entries {
		if e := &out.Entries[i]; e.Design != nil {
			mine := given(e.Behaviour)
			e.Observed = out.observed(e.Behaviour)
			logs = append(logs, num.Log(e.Share)+mine)
			at = append(at, i)
		}
	}
	for k, share := range num.Softmax(logs) {
		out.Entries[at[k]].Share = share
	}
	return out
}

// observed reports whether the subject's trajectories show a behaviour that is, or contains, a shortcut.
func (b *Bound) observed(behaviour trajectory.Behaviour) bool {
	return b.given != nil && behaviour.Degenerate() && b.given(behaviour) > b.direct+observedFrom
}

// observedFrom is the difference in log evidence above which a shortcut counts as observed: odds of twenty to one.
const observedFrom = 3

// bestOf returns the evidence for the most probable degenerate behaviour, or for the most probable other one.
func bestOf(evidence []trajectory.Evidence, degenerate bool) (best trajectory.Evidence) {
	best.Given = math.Inf(-1)
	for _, e := range evidence {
		if e.Behaviour.Degenerate() == degenerate && e.Given > best.Given {
			best = e
		}
	}
	return best
}

// AddTrajectories adds the evidence of the subject's trajectories to the verdict, and a sentence about it to v.Words if the
// best shortcut and the best other behaviour differ by at least observedFrom.
func (v *Verdict) AddTrajectories(evidence []trajectory.Evidence) {
	ranked := slices.Clone(evidence)
	slices.SortStableFunc(ranked, func(a, b trajectory.Evidence) int { return cmp.Compare(b.Given, a.Given) })
	for _, e := range ranked {
		v.Behaviour = append(v.Behaviour, BehaviourEvidence{string(e.Behaviour), e.Given - ranked[0].Given, e.Items})
	}
	direct, shortcut := bestOf(evidence, false), bestOf(evidence, true)
	speaks, gain := direct, direct.Given-shortcut.Given
	if gain < 0 {
		speaks, gain = shortcut, -gain
	}
	if gain < observedFrom {
		return
	}
	against := "any shortcut"
	if speaks.Behaviour.Degenerate() {
		against = "going for the reward"
	}
	v.Words += fmt.Sprintf(" Its paths favour %s by %.1f nats over %s", speaks.Behaviour, gain, against)
	if len(speaks.Items) > 0 {
		v.Words += ": items " + strings.Join(speaks.Items, ", ")
	}
	v.Words += "."
}
