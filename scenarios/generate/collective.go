package generate

import (
	"fmt"
	"slices"
	"strconv"

	"achilles/agents/accuracy"
	"achilles/sim/rng"
)

// MemberMissing is the reason for an unscored response of a collective: one of its members has no scored response.
const MemberMissing = "a member gave no answer"

// vote sets the responses of a collective from those of its members.
func (r *runner) vote(subject int) error {
	spec := &r.out.Subjects[subject]
	g := spec.Collective
	members := make([]int, len(g.Members))
	for i, name := range g.Members {
		if members[i] = r.assignment.subject(name); members[i] < 0 {
			return fmt.Errorf("collective %s: no subject is called %q", spec.Name, name)
		}
		if n := r.assignment.takes(&r.out.Subjects[members[i]]); n != r.assignment.takes(spec) {
			return fmt.Errorf("collective %s: %s takes %d trials, and other members %d", spec.Name, name, n, r.assignment.takes(spec))
		}
	}
	best := r.bestOf(members)
	votes := make([]int, len(members))
	for k := range r.assignment.takes(spec) * r.scenario.Repetitions {
		response := r.out.taken.at(members[0], k)
		pass, reason := false, ""
		options, right := 2, 0 // for an item that is not a question, option 0 is to pass it, option 1 to fail
		if r.quiz.questions != nil {
			q := &r.quiz.questions[response.Item]
			options, right = len(q.options), q.right
		}
		for i, m := range members {
			switch v := r.out.taken.at(m, k); {
			case v.Unscored != "":
				reason = MemberMissing
			case r.quiz.questions != nil:
				votes[i] = r.quiz.answers[r.quiz.index(m, k)]
			default:
				votes[i] = 1 - int(v.Value)
			}
		}
		if reason == "" {
			draw := rng.Stream(r.out.Root, "vote", spec.Name, r.out.Battery.Items.Name(response.Item), strconv.Itoa(response.Trial), strconv.Itoa(response.Repetition))
			if r.Ballot != nil {
				r.Ballot(spec.Name, accuracy.Ballot{Votes: slices.Clone(votes), Options: options, Right: right})
			}
			elected := g.Rule.Elect(votes, g.Weights, best, options, &draw)
			pass = len(elected) > 0 && elected[draw.IntN(len(elected))] == right
		}
		r.out.taken.set(subject, k, pass, reason, Choice{})
	}
	return nil
}

// bestOf returns the index in members of the member that is right most often in this battery; of several, the first.
func (r *runner) bestOf(members []int) int {
	right := make([]float64, len(members))
	for i, m := range members {
		for k := range r.assignment.takes(&r.out.Subjects[m]) * r.scenario.Repetitions {
			right[i] += r.out.taken.at(m, k).Value
		}
	}
	return slices.Index(right, slices.Max(right))
}
