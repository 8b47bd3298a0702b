package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"achilles/infer/paths"
	"achilles/infer/rivals"
	"achilles/sim/elem"
	"achilles/sim/record"
)

// A Behaviour is what a subject's trajectories say for one kind of behaviour.
type Behaviour struct {
	Name string `json:"name"` // of package paths: seeker, last-seen, …
	// Given is the log probability of what is seen in the trajectories, given the responses, less that of the best one.
	Given float64  `json:"log_evidence"`
	Items []string `json:"items,omitempty"` // that speak for it, the most telling first
}

// behaviourOf is the behaviour that a rival is about: that of its name, else to go for the reward, with whatever
// weakness.
func behaviourOf(r *rivals.Rival) paths.Behaviour {
	if b := paths.Behaviour(r.Layout.Name); slices.Contains(paths.Behaviours(), b) {
		return b
	}
	return paths.Seeker
}

// Watched is a bank for subjects whose trajectories are known. A rival that is about a behaviour takes its place in it
// also where it predicts the same responses everywhere, for trajectories can tell what responses cannot.
func Watched(b *rivals.Bound, items *record.Items, measures []record.Measure) *rivals.Bound {
	out := &rivals.Bound{Bank: b.Bank, Entries: slices.Clone(b.Entries)}
	total := 0.0
	for i := range out.Entries {
		e := &out.Entries[i]
		if e.Design == nil && behaviourOf(e.Rival) != paths.Seeker {
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
func Behave(b *rivals.Bound, evidence []paths.Evidence) *rivals.Bound {
	out := &rivals.Bound{Bank: b.Bank, Entries: slices.Clone(b.Entries)}
	given := func(b paths.Behaviour) float64 {
		return evidence[slices.IndexFunc(evidence, func(v paths.Evidence) bool { return v.Behaviour == b })].Given
	}
	var logs []float64
	var at []int
	for i := range out.Entries {
		if e := &out.Entries[i]; e.Design != nil {
			mine := given(behaviourOf(e.Rival))
			e.Seen = mine > given(paths.Seeker)+seenFrom
			logs = append(logs, elem.Log(e.Share)+mine)
			at = append(at, i)
		}
	}
	total := elem.LogSumExp(logs)
	for k, i := range at {
		out.Entries[i].Share = elem.Exp(logs[k] - total)
	}
	return out
}

// seenFrom is from how much log evidence on a behaviour counts as seen: twenty to one.
const seenFrom = 3

// Watch notes what the trajectories of the subject say.
func (v *Verdict) Watch(evidence []paths.Evidence) {
	ranked := slices.Clone(evidence)
	slices.SortStableFunc(ranked, func(a, b paths.Evidence) int { return cmp.Compare(b.Given, a.Given) })
	best := ranked[0]
	for _, e := range ranked {
		v.Behaviour = append(v.Behaviour, Behaviour{string(e.Behaviour), e.Given - best.Given, e.Items})
	}
	seeker := evidence[slices.IndexFunc(evidence, func(e paths.Evidence) bool { return e.Behaviour == paths.Seeker })]
	switch gain := best.Given - seeker.Given; {
	case best.Behaviour == paths.Seeker:
		v.Words += fmt.Sprintf(" Where it walks speaks for somebody who goes for the reward, by %.1f nats against %s.", best.Given-ranked[1].Given, ranked[1].Behaviour)
	case gain > seenFrom:
		v.Words += fmt.Sprintf(" Where it walks speaks for %s, by %.1f nats against somebody who goes for the reward", best.Behaviour, gain)
		if len(best.Items) > 0 {
			v.Words += ": items " + strings.Join(best.Items, ", ")
		}
		v.Words += "."
	}
}
