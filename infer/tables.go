package infer

import (
	"cmp"
	"fmt"

	"achilles/sim/record"
)

// A tables writes the tables of draws and of predictions, which may be too large for the memory.
type tables struct {
	draws       *drawsWriter
	predictions *record.RowWriter[Prediction]
	sampler     *record.RowWriter[Sampled] // nil before the first draw of NUTS
	files       []*listed
	out         *listing
}

// newTables begins both tables in out. It returns nil if the data have no responses, and so no fits.
func (r *run) newTables(out *listing) (*tables, error) {
	if r.design == nil && r.joint == nil {
		return nil, nil
	}
	t := &tables{out: out}
	for _, name := range []string{drawsFile, predictionsFile} {
		f, err := out.create(name)
		if err != nil {
			return nil, t.close(err)
		}
		t.files = append(t.files, f)
	}
	var err error
	if t.draws, err = newDrawsWriter(t.files[0], r.subjectParameters(), r.Scratch); err != nil {
		return nil, t.close(fmt.Errorf("infer: %s: %w", drawsFile, err))
	}
	t.predictions = record.NewRowWriter[Prediction](t.files[1], r.Scratch)
	return t, nil
}

// close ends the tables if err, an error of those who wrote them, is nil. It closes the files and returns the first error.
func (t *tables) close(err error) error {
	if t == nil {
		return err
	}
	if err == nil {
		if err = cmp.Or(t.draws.w.Close(), t.predictions.Close()); err != nil {
			err = fmt.Errorf("infer: tables of draws and predictions: %w", err)
		}
		if t.sampler != nil {
			err = cmp.Or(err, t.sampler.Close())
		}
	}
	for _, f := range t.files {
		err = cmp.Or(err, f.Close())
	}
	return err
}

// write adds the predictions of a fit and, if the fit gives profiles, its draws. Those of items and of what is shared have files of their
// own.
func (t *tables) write(r *run, p *piece) error {
	if err := t.predictions.Write(p.Predictions); err != nil {
		return fmt.Errorf("infer: %s: %w", predictionsFile, err)
	}
	t.files[1].rows += len(p.Predictions)
	if p.Fit == nil || p.Fit.Rows != AllRows {
		return nil
	}
	if err := t.writeSampler(r, p); err != nil {
		return fmt.Errorf("infer: %s: %w", samplerFile, err)
	}
	if r.joint == nil {
		return t.drawsOf(p.Fit.Subject, p.draws)
	}
	parameters := r.joint.Layout().Parameters
	for s, id := range r.data.Subjects {
		if p.loses(id) {
			continue
		}
		if err := t.drawsOf(id, (jointly{r}).subjectDraws(parameters, s, p.draws)); err != nil {
			return err
		}
	}
	return jointly{r}.putUnitDraws(t.out, p.Units, p.draws)
}

// writeSampler adds how NUTS came to the draws of a fit, if it made them.
func (t *tables) writeSampler(r *run, p *piece) error {
	if p.Sampler == nil {
		return nil
	}
	if t.sampler == nil {
		f, err := t.out.create(samplerFile)
		if err != nil {
			return err
		}
		t.files, t.sampler = append(t.files, f), record.NewRowWriter[Sampled](f, r.Scratch)
	}
	for i := range p.Sampler {
		p.Sampler[i].Subject = p.Fit.Subject
	}
	t.files[2].rows += len(p.Sampler)
	return t.sampler.Write(p.Sampler)
}

func (t *tables) drawsOf(subject string, draws [][][]float64) error {
	for _, chain := range draws {
		t.files[0].rows += len(chain)
	}
	if err := t.draws.write(subject, draws); err != nil {
		return fmt.Errorf("infer: %s: %w", drawsFile, err)
	}
	return nil
}
