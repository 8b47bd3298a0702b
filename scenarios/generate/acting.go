package generate

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"achilles/agents"
	"achilles/battery"
	"achilles/gridworld/policy"
	"achilles/scenarios/seal"
	"achilles/sim"
	"achilles/sim/rng"
)

// An acting lets the bodies of a session act in its trials. What a body does depends on the body, the trial and the repetition alone, so
// that no episode is kept: who needs it lets the body act again. Many goroutines may use it.
type acting struct {
	root        uint64
	items       battery.Items
	trials      []slot // sorted by item and trial
	repetitions int
	bodies      []body
	blocks      *battery.Blocks // of the items; nil: every item stands alone

	// told is told whether the bodies pass, if that is not yet known: nobody has needed it before the publication.
	told *taken

	// as returns which subject of the session an episode belongs to, given the subject who acted; ok is false if the
	// episode does not belong to the session. If as is nil, every episode belongs to the subject who acted.
	as func(subject, item int) (owner int, ok bool)
}

// A body is a subject that has one.
type body struct {
	*agents.Bodies
	subject int // index in the session that Run has made
	name    string
	order   []int32        // place of each of its responses in its sequence, from 1; nil if what it does depends on no order
	before  []last         // by response: how the trial before went; nil if nothing depends on it
	tried   []policy.Tried // by response: where it went; nil if items stand alone
}

// only returns an acting in which as applies to the episodes of a. It returns nil if a is nil.
func (a *acting) only(as func(subject, item int) (owner int, ok bool)) *acting {
	if a == nil {
		return nil
	}
	out := *a
	out.as = func(subject, item int) (int, bool) {
		if a.as != nil {
			var ok bool
			if subject, ok = a.as(subject, item); !ok {
				return 0, false
			}
		}
		return as(subject, item)
	}
	return &out
}

// episodes appends to list what the bodies of the session do in a trial for which w is ready. There may be none.
func (a *acting) episodes(ctx context.Context, w *worker, at slot, list []Episode) ([]Episode, error) {
	k, ok := a.find(at)
	if !ok {
		return list, nil
	}
	for i := range a.bodies {
		owner := a.bodies[i].subject
		if a.as != nil {
			if owner, ok = a.as(owner, at.item); !ok {
				continue
			}
		}
		for rep := range a.repetitions {
			if err := a.episode(ctx, w, i, k, rep); err != nil {
				return list, err
			}
			if a.told != nil {
				a.told.set(owner, k*a.repetitions+rep, w.passed(), "", w.choice())
			}
			list = append(list, Episode{
				Subject: owner, Item: at.item, Trial: at.trial, Repetition: rep, Moves: seal.EncodeMoves(w.actions), Cause: w.actor.Cause(&w.world).String(),
				Eyes: seal.EncodeEyes(w.actor.Sight()), Beliefs: seal.EncodeBeliefs(w.actor.Beliefs.List()),
			})
		}
	}
	return list, nil
}

// find returns the index of a trial. In most batteries, every item has one.
func (a *acting) find(at slot) (k int, ok bool) {
	if at.item < len(a.trials) && a.trials[at.item] == at {
		return at.item, true
	}
	return slices.BinarySearchFunc(a.trials, at, func(a, b slot) int { return cmp.Or(a.item-b.item, a.trial-b.trial) })
}

// episode lets a body act in trial k, for which w is ready. Ticks at which the body is held or has given up, and nothing changes, are
// passed over.
func (a *acting) episode(ctx context.Context, w *worker, i, k, rep int) error {
	at, b := a.trials[k], &a.bodies[i]
	var now agents.Moment
	if b.order != nil {
		now.Position = int(b.order[k*a.repetitions+rep])
	}
	if b.before != nil {
		x := b.before[k*a.repetitions+rep]
		now.Passed, now.Before = x.passed, int(x.number)
	}
	if b.ByMoment() {
		coin := rng.Stream(a.root, "coin", b.name, a.items.Name(at.item), strconv.Itoa(at.trial), strconv.Itoa(rep))
		now.Coin = coin.Float64()
	}
	d, number, err := b.Taking(at.item, now)
	if err != nil {
		return err
	}
	w.number = number
	if w.actor.Disposition = d; b.order != nil {
		w.actor.Disposition = d.At(now.Position)
	}
	a.remind(w, b, k, rep)
	w.world.CopyFrom(w.start)
	w.actions = w.actions[:0]
	w.visit.begin()
	w.env.Key = rng.NewKey(a.root, "episode", b.name, a.items.Name(at.item), strconv.Itoa(at.trial), strconv.Itoa(rep))
	_, err = sim.Run(ctx, &w.env, &w.actor, w.options)
	if errors.Is(err, sim.ErrLeft) { // the body stays where it is, and nothing happens to it any more
		w.world.Expire()
		err = nil
	}
	w.stay(w.world.Tick())
	return err
}
