package generate

import (
	"cmp"
	"context"
)

// A last says how a body's last trial went.
type last struct {
	passed bool
	number uint16 // of the body that took it, among those of the subject
}

// atFirst stands for the trial before the first.
var atFirst = last{true, 1}

// last returns how the last trial of w went.
func (w *worker) last() last { return last{w.passed(), uint16(w.number)} }

// rememberOutcomes lets every body that does something because of how the trial before went, or what it did in earlier trials of a block, take
// its whole sequence, and keeps that for each trial: with it, its episodes can be acted again in any order. Where items are chosen, practise has done so.
func (r *runner) rememberOutcomes(ctx context.Context) error {
	if r.choice != nil {
		return nil
	}
	quiet := r.Config
	quiet.Progress = nil
	errs := make([]error, len(r.acting.bodies))
	each(ctx, len(errs), quiet, func(i int) {
		if b := &r.acting.bodies[i]; b.before != nil || b.tried != nil {
			errs[i] = r.inSequence(ctx, i)
		}
	})
	return r.scenario.Place(cmp.Or(ctx.Err(), cmp.Or(errs...)))
}

// inSequence lets body i take its sequence, one trial after the other.
func (r *runner) inSequence(ctx context.Context, i int) error {
	w := r.workers.Get().(*worker)
	defer r.workers.Put(w)
	b, went, n := &r.acting.bodies[i], atFirst, r.scenario.Repetitions
	for _, p := range r.sequences.of(b.subject, r.assignment.trials) {
		k, rep := int(p.index)/n, int(p.index)%n
		if err := w.open(&r.out.Battery.Items, r.assignment.trials[k]); err != nil {
			return err
		}
		if b.before != nil {
			b.before[p.index] = went
		}
		if err := r.acting.episode(ctx, w, i, k, rep); err != nil {
			return err
		}
		went = w.last()
		if b.tried != nil {
			b.tried[p.index] = r.acting.went(w, k)
		}
	}
	return nil
}
