package generate

import (
	"cmp"
	"fmt"
	"slices"
)

// An acted is an episode with the public number of its trial.
type acted struct {
	*Episode
	trial int // number of the trial in the public directory
}

// A history has the episodes of a session in the order of publication: by item, trial, subject and repetition. It holds
// those of bodies packed, and gives those of one trial after another.
type history struct {
	session *Session
	id      *identity
	list    []acted // Session.Episodes, in the order of publication
	trials  []happened
}

// A happened says where the episodes of one trial are.
type happened struct {
	slot
	public   int // number of the trial in the public directory
	packed   int // index in the packing of the session; -1: no body acted
	from, to int // bounds of those that are in history.list
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
	slices.SortFunc(h.list, func(a, b acted) int {
		return cmp.Or(int(id.itemRow[a.Item]-id.itemRow[b.Item]), a.trial-b.trial, h.bySubject(a, b))
	})
	for i, x := range h.list {
		if at := (slot{x.Item, x.Trial}); i == 0 || at != h.trials[len(h.trials)-1].slot {
			h.trials = append(h.trials, happened{at, x.trial, -1, i, i})
		}
		h.trials[len(h.trials)-1].to = i + 1
	}
	h.addPacked()
	return h, nil
}

// addPacked adds the trials in which bodies acted.
func (h *history) addPacked() {
	p := h.session.packed
	if p == nil {
		return
	}
	for k, at := range p.trials {
		h.trials = append(h.trials, happened{at, h.id.publicTrial(at.item, at.trial), k, 0, 0})
	}
	slices.SortFunc(h.trials, func(a, b happened) int {
		return cmp.Or(int(h.id.itemRow[a.item]-h.id.itemRow[b.item]), a.public-b.public, a.packed-b.packed)
	})
	merged := h.trials[:0]
	for _, t := range h.trials {
		if n := len(merged); n > 0 && merged[n-1].slot == t.slot {
			merged[n-1].packed = t.packed // programs acted in the same trial
			continue
		}
		merged = append(merged, t)
	}
	h.trials = merged
}

// bySubject compares two episodes of one trial by the order of publication.
func (h *history) bySubject(a, b acted) int {
	return cmp.Or(int(h.id.subjectRow[a.Subject]-h.id.subjectRow[b.Subject]), a.Repetition-b.Repetition)
}

// of returns the episodes of trial i of the history. There may be none.
func (h *history) of(i int) ([]acted, error) {
	t := &h.trials[i]
	list := slices.Clone(h.list[t.from:t.to])
	if t.packed < 0 {
		return list, nil
	}
	episodes, err := h.session.packed.unpack(t.packed)
	for k := range episodes {
		list = append(list, acted{&episodes[k], t.public})
	}
	slices.SortFunc(list, h.bySubject)
	return list, err
}
