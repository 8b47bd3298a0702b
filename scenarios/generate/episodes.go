package generate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// An acted is an episode with the public number of its trial.
type acted struct {
	*Episode
	trial int // number of the trial in the public directory
}

// A history has the episodes of a session in the order of publication: by item, trial, subject and repetition. It gives those of one
// trial after another, in which it lets bodies act.
type history struct {
	session *Session
	id      *identity
	list    []acted // Session.Episodes, in the order of publication
}

// history returns the episodes of a session. It refuses an episode whose subject, item or trial does not exist.
func (s *Session) history(id *identity) (*history, error) {
	h := &history{session: s, id: id, list: make([]acted, len(s.Episodes))}
	for i := range s.Episodes {
		e := &s.Episodes[i]
		if e.Subject < 0 || e.Subject >= len(s.Subjects) || e.Item < 0 || e.Item >= s.Battery.Items.Len() {
			return nil, fmt.Errorf("an episode names subject %d, item %d: the session has no such", e.Subject, e.Item)
		}
		it := s.Battery.Items.At(e.Item)
		if e.Trial < 0 || e.Trial >= len(it.Trials) || it.Trials[e.Trial].World.Empty() {
			return nil, fmt.Errorf("item %q has no trial %d to act in", it.Name, e.Trial)
		}
		h.list[i] = acted{e, id.publicTrial(e.Item, e.Trial)}
	}
	slices.SortFunc(h.list, func(a, b acted) int { return cmp.Or(h.byTrial(a, slot{b.Item, b.Trial}), h.bySubject(a, b)) })
	return h, nil
}

// byTrial compares the trial of an episode with another by the order of publication.
func (h *history) byTrial(a acted, b slot) int {
	return cmp.Or(int(h.id.itemRow[a.Item]-h.id.itemRow[b.item]), a.trial-h.id.publicTrial(b.item, b.trial))
}

// bySubject compares two episodes of one trial by the order of publication.
func (h *history) bySubject(a, b acted) int {
	return cmp.Or(int(h.id.subjectRow[a.Subject]-h.id.subjectRow[b.Subject]), a.Repetition-b.Repetition)
}

// of returns the episodes of a trial, with a worker that is ready for it. There may be none.
func (h *history) of(ctx context.Context, w *worker, at slot) (list []acted, err error) {
	from, _ := slices.BinarySearchFunc(h.list, at, h.byTrial)
	for _, x := range h.list[from:] {
		if h.byTrial(x, at) != 0 {
			break
		}
		list = append(list, x)
	}
	if h.session.acting == nil {
		return list, nil
	}
	episodes, err := h.session.acting.episodes(ctx, w, at, nil)
	public := h.id.publicTrial(at.item, at.trial)
	for k := range episodes {
		list = append(list, acted{&episodes[k], public})
	}
	slices.SortFunc(list, h.bySubject)
	return list, err
}
