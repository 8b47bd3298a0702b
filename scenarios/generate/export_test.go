package generate

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"achilles/gridworld"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// Opaque returns opaque ids without a session.
func Opaque(root uint64, kind, prefix string, names []string) []string {
	return opaque(seal.NewKey(root), kind, prefix, names)
}

// Numbered returns the ids that a careless publisher would give: subjects numbered in the order of the scenario.
func Numbered(s *Session) []string {
	ids := make([]string, len(s.Subjects))
	for i := range ids {
		ids[i] = fmt.Sprintf("s-%08x", i)
	}
	return ids
}

// PublishNumbered publishes a session with the ids of Numbered.
func PublishNumbered(s *Session) (map[string][]byte, error) {
	id, err := s.identify()
	if err != nil {
		return nil, err
	}
	numbered := *id
	id = &numbered
	id.subject = Numbered(s)
	id.subjectAt, id.subjectRow = order(id.subject)
	d := redact(s, id)
	var list []record.Response
	for responses, err := range s.publicResponses(context.Background(), id, d.Reasons, 1, func() error { return nil }) {
		if err != nil {
			return nil, err
		}
		list = append(list, responses...)
	}
	d.Responses, d.Visits = record.PackResponses(list), s.visits()
	return record.Encode(d)
}

// Acted returns what programs and bodies did, in the order of publication.
func Acted(t testing.TB, s *Session) (all []Episode) {
	t.Helper()
	id, err := s.identify()
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.history(id)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker()
	for _, item := range id.itemAt {
		it := s.Battery.Items.At(item)
		for _, trial := range id.trialsAt(item, len(it.Trials)) {
			if it.Trials[trial].World.Empty() {
				continue
			}
			if err := w.open(&s.Battery.Items, slot{item, trial}); err != nil {
				t.Fatal(err)
			}
			list, err := h.of(t.Context(), w, slot{item, trial})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range list {
				all = append(all, *x.Episode)
			}
		}
	}
	return all
}

// Unpack moves what bodies did to s.Episodes, and the responses that Run has recorded to s.Responses.
func Unpack(t testing.TB, s *Session) {
	t.Helper()
	s.Episodes, s.Responses = Acted(t, s), slices.Collect(s.All())
	s.acting, s.taken = nil, nil
}

// Unpacked returns a copy of a session after Unpack. Two such copies are equal if the sessions are.
func Unpacked(t testing.TB, s *Session) *Session {
	t.Helper()
	out := *s
	Unpack(t, &out)
	return &out
}

// Recorded returns the number of bytes that a response takes which Run has recorded.
func Recorded(s *Session) int {
	t := s.taken
	return (len(t.outcome)*int(unsafe.Sizeof(t.outcome[0])) + len(t.chosen)*int(unsafe.Sizeof(record.Chosen{}))) / s.responses()
}

// FirstFailure notes errors of pieces of work, in this order, and returns the one that counts.
func FirstFailure(pieces []int, errs []error) error {
	var f firstFailure
	for i, piece := range pieces {
		f.note(piece, errs[i])
	}
	return f.err
}

// TickByTick lets the bodies of a session act in every trial again, at every tick and to the end, and returns their episodes, by trial,
// body and repetition, and whether they passed.
func TickByTick(t testing.TB, s *scenario.Scenario, c Config) (all []Episode, passes []bool) {
	t.Helper()
	r, err := newRunner(t.Context(), s, c)
	if err != nil {
		t.Fatal(err)
	}
	for k, at := range r.assignment.trials {
		w := newWorker()
		w.actor.Leaves, w.env.Skips = false, false
		if err := w.open(&r.out.Battery.Items, at); err != nil {
			t.Fatal(err)
		}
		for i := range r.acting.bodies {
			for rep := range r.scenario.Repetitions {
				if err := r.acting.episode(t.Context(), w, i, k, rep); err != nil {
					t.Fatal(err)
				}
				all = append(all, Episode{
					Subject: r.acting.bodies[i].subject, Item: at.item, Trial: at.trial, Repetition: rep, Moves: seal.EncodeMoves(w.actions), Cause: w.actor.Cause(&w.world).String(),
					Eyes: seal.EncodeEyes(w.actor.Sight()), Beliefs: seal.EncodeBeliefs(w.actor.Beliefs.List()),
				})
				passes = append(passes, w.passed())
			}
		}
	}
	return all, passes
}

// Trajectory returns what is recorded of moves in a world, with or without the ticks at which nothing can happen.
func Trajectory(t testing.TB, start *gridworld.World, moves []gridworld.Action, all bool) record.Trajectory {
	t.Helper()
	r := newRecorder()
	r.start.CopyFrom(start)
	if r.prepare(); all {
		r.quiet.never = true
	}
	var out record.Trajectory
	if err := r.record(t.Context(), &out, seal.EncodeMoves(moves)); err != nil {
		t.Fatal(err)
	}
	return out
}
