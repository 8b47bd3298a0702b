package infer

import (
	"cmp"
	"context"
	"slices"

	"achilles/infer/compare"
	"achilles/infer/trajectory"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// comparing is the part of a run that weighs the candidate models of a subject.
type comparing struct{ *run }

// readBank parses the bank, if there is one, and looks whether the subjects left trajectories.
func (r comparing) readBank() (err error) {
	if r.Bank == nil {
		return nil
	}
	if r.rivals, err = compare.Parse(*r.Bank); err != nil {
		return err
	}
	tracks, err := record.OpenTrajectories(r.public, &r.data.Manifest)
	if err != nil {
		return err
	}
	_, blocks := r.data.Items.Blocks()
	r.acts = tracks.Len() > 0 && !blocks // forecasts, by which trajectories are evidence, know nothing of earlier trials
	r.walks = tracks.Len() > 0 && r.settings.Layout.Walking != nil
	return tracks.Close()
}

// compare fits the rivals of the bank to the responses of task t. If these are all responses of the subject, it sets the
// verdict and the averaged draws in p; if the held-out responses are left out, it sets the predictions of these, which are means over the rivals by
// weight.
func (r comparing) compare(ctx context.Context, t task, p *piece) error {
	if r.bank == nil {
		return nil
	}
	id := r.data.Subjects[t.subject]
	bank, weigher, err := r.givenTrajectories(t)
	if err != nil {
		return err
	}
	config := compare.Default()
	if t.rows != AllRows { // log weights to within a fraction of a nat suffice for predictions
		config.Runs, config.TieRuns = 1, 1
	}
	fits, unvisited, err := bank.Fit(ctx, t.use, config, r.Seed, "infer", id, t.rows, "rivals")
	if err != nil {
		return err
	}
	if t.rows == AllRows {
		if likeness(r).comparesSubjects() {
			p.Expected = likeness(r).expectBy(t.use, fits)
		}
		c := &compare.Case{Subject: id, Items: &r.data.Items, Responses: t.use, Bank: bank, Fits: fits, Unvisited: unvisited, Report: r.design}
		rng := rng.Stream(r.Seed, "infer", id, t.rows, "verdict")
		p.Verdict, p.averaged = c.Judge(&rng)
		if p.Averaged = len(p.averaged); p.Averaged > 0 {
			p.Shape[2] = len(p.averaged[0])
		}
		if weigher != nil {
			p.Verdict.AddTrajectories(weigher.Evidence(together(fits)...))
		}
		return nil
	}
	byItem := compare.Predict(&r.data.Items, fits)
	for _, x := range t.predict {
		p.Predictions = append(p.Predictions, predictionOf(r.data, x, byItem[x.Item]))
	}
	return nil
}

// together returns the behaviour of the most probable explanation if its components have it only together.
func together(fits []*compare.Fitted) []trajectory.Behaviour {
	best := slices.MaxFunc(fits, func(a, b *compare.Fitted) int { return cmp.Compare(a.Weight, b.Weight) })
	if slices.Contains(trajectory.Behaviours(), best.Behaviour) {
		return nil
	}
	return []trajectory.Behaviour{best.Behaviour}
}

// verdicts collects the verdicts of all subjects. It returns nil without a bank.
func (r comparing) verdicts(fits []*piece) *compare.Verdicts {
	if r.bank == nil {
		return nil
	}
	v := &compare.Verdicts{Bank: r.bank.Name}
	for _, e := range r.bank.Entries {
		v.Rivals = append(v.Rivals, compare.RivalPrior{Name: e.Layout.Name, Doc: e.Layout.Doc, SHA256: part.Digest([]byte(e.Text)), Prior: e.Share, LeftOut: e.LeftOut})
	}
	for _, p := range fits {
		if p.Verdict != nil {
			v.Subjects = append(v.Subjects, *p.Verdict)
		}
	}
	return v
}
