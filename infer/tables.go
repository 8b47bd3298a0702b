package infer

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/sim/record"
)

// A tables writes the tables of draws and of predictions, which may be too large for the memory.
type tables struct {
	draws       *drawsWriter
	predictions *record.RowWriter[Prediction]
	sampler     *record.RowWriter[Sampled] // nil before the first draw of NUTS
	averaged    *drawsWriter               // nil without a bank
	files       []*listed
	out         *listing
}

// The places of files in tables.files.
const (
	drawsAt = iota
	predictionsAt
	averagedAt
)

// averagedChains is in how many chains the draws over all rivals are listed, as those of a layout are by default, so that both can stand in
// one expression.
const averagedChains = 4

// newTables begins both tables in out. It returns nil if the data have no responses, and so no fits.
func (r *run) newTables(out *listing) (*tables, error) {
	if r.design == nil && r.joint == nil {
		return nil, nil
	}
	t := &tables{out: out}
	files := []string{drawsFile, predictionsFile}
	if r.bank != nil {
		files = append(files, averagedFile)
	}
	for _, name := range files {
		f, err := out.create(name)
		if err != nil {
			return nil, t.close(err)
		}
		t.files = append(t.files, f)
	}
	var err error
	if t.draws, err = newDrawsWriter(t.files[drawsAt], r.subjectParameters(), r.Scratch); err != nil {
		return nil, t.close(fmt.Errorf("infer: %s: %w", drawsFile, err))
	}
	t.predictions = record.NewRowWriter[Prediction](t.files[predictionsAt], r.Scratch)
	if r.bank != nil {
		if t.averaged, err = newDrawsWriter(t.files[averagedAt], r.subjectParameters(), r.Scratch); err != nil {
			return nil, t.close(fmt.Errorf("infer: %s: %w", averagedFile, err))
		}
	}
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
		if t.averaged != nil {
			err = cmp.Or(err, t.averaged.w.Close())
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
	t.files[predictionsAt].rows += len(p.Predictions)
	if p.Fit == nil || p.Fit.Rows != AllRows {
		return nil
	}
	if err := t.writeSampler(r, p); err != nil {
		return fmt.Errorf("infer: %s: %w", samplerFile, err)
	}
	if r.joint == nil {
		return cmp.Or(t.drawsOf(p.Fit.Subject, p.draws), t.averagedOf(p))
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
	t.files[len(t.files)-1].rows += len(p.Sampler)
	return t.sampler.Write(p.Sampler)
}

// averagedOf adds the draws of a subject over all rivals.
func (t *tables) averagedOf(p *piece) error {
	if p.averaged == nil {
		return nil
	}
	t.files[averagedAt].rows += len(p.averaged)
	chains := slices.Collect(slices.Chunk(p.averaged, (len(p.averaged)+averagedChains-1)/averagedChains))
	if err := t.averaged.write(p.Fit.Subject, chains); err != nil {
		return fmt.Errorf("infer: %s: %w", averagedFile, err)
	}
	return nil
}

func (t *tables) drawsOf(subject string, draws [][][]float64) error {
	for _, chain := range draws {
		t.files[drawsAt].rows += len(chain)
	}
	if err := t.draws.write(subject, draws); err != nil {
		return fmt.Errorf("infer: %s: %w", drawsFile, err)
	}
	return nil
}
