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

// A BehaviourEvidence is what a subject's trajectories say for one kind of behaviour.
type BehaviourEvidence struct {
	Name string `json:"name"` // of package paths: seeker, last-seen, …
	// Given is the log probability of what is seen in the trajectories, given the responses, less that of the best one.
	Given float64  `json:"log_evidence"`
	Items []string `json:"items,omitempty"` // that speak for it, the most telling first
}

// Watched is a bank for subjects whose trajectories are known. A rival that is about a shortcut takes its place in it
// also where it predicts the same responses everywhere, for trajectories can tell what responses cannot.
func Watched(b *Bound, items *record.Items, measures []record.Measure) *Bound {
	out := &Bound{Bank: b.Bank, Entries: slices.Clone(b.Entries)}
	total := 0.0
	for i := range out.Entries {
		e := &out.Entries[i]
		if e.Design == nil && e.Behaviour.Degenerate() {
			if d, err := e.Layout.Bind(items, measures); err == nil {
				e.Design, e.LeftOut = d, ""
			}
		}
		if e.Design != nil {
			total += e.Prior
		}
	}
	for i := range out.Entries {
		if e := &out.Entries[i]; e.Design != nil {
			e.Share = e.Prior / total
		}
	}
	return out
}

// Behave returns the bank as it is after a subject's trajectories, before its responses: the prior probability of each
// rival is multiplied by what the trajectories give its behaviour. What they give is the evidence beyond the responses, so
// that the product with that of the responses is the evidence of both.
func Behave(b *Bound, evidence []trajectory.Evidence) *Bound {
	out := &Bound{Bank: b.Bank, Entries: slices.Clone(b.Entries)}
	given := func(b trajectory.Behaviour) float64 {
		return evidence[slices.IndexFunc(evidence, func(v trajectory.Evidence) bool { return v.Behaviour == b })].Given
	}
	honest := bestOf(evidence, false).Given
	var logs []float64
	var at []int
	for i := range out.Entries {
		if e := &out.Entries[i]; e.Design != nil {
			mine := given(e.Behaviour)
			e.Seen = e.Behaviour.Degenerate() && mine > honest+seenFrom
			logs = append(logs, num.Log(e.Share)+mine)
			at = append(at, i)
		}
	}
	total := num.LogSumExp(logs)
	for k, i := range at {
		out.Entries[i].Share = num.Exp(logs[k] - total)
	}
	return out
}

// seenFrom is from how much log evidence on a behaviour counts as seen: twenty to one.
const seenFrom = 3

// bestOf is the most probable behaviour of the degenerate ones, or of the others.
func bestOf(evidence []trajectory.Evidence, degenerate bool) (best trajectory.Evidence) {
	best.Given = math.Inf(-1)
	for _, e := range evidence {
		if e.Behaviour.Degenerate() == degenerate && e.Given > best.Given {
			best = e
		}
	}
	return best
}

// Watch notes what the trajectories of the subject say.
func (v *Verdict) Watch(evidence []trajectory.Evidence) {
	ranked := slices.Clone(evidence)
	slices.SortStableFunc(ranked, func(a, b trajectory.Evidence) int { return cmp.Compare(b.Given, a.Given) })
	for _, e := range ranked {
		v.Behaviour = append(v.Behaviour, BehaviourEvidence{string(e.Behaviour), e.Given - ranked[0].Given, e.Items})
	}
	honest, cheat := bestOf(evidence, false), bestOf(evidence, true)
	speaks, gain := honest, honest.Given-cheat.Given
	if gain < 0 {
		speaks, gain = cheat, -gain
	}
	if gain < seenFrom {
		return
	}
	against := "any shortcut"
	if speaks.Behaviour.Degenerate() {
		against = "going for the reward"
	}
	v.Words += fmt.Sprintf(" Where it walks speaks for %s, by %.1f nats against %s", speaks.Behaviour, gain, against)
	if len(speaks.Items) > 0 {
		v.Words += ": items " + strings.Join(speaks.Items, ", ")
	}
	v.Words += "."
}
