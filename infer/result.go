package infer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"

	"achilles/infer/compare"
	"achilles/infer/voe"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// layoutFile has the text of the layout by which a result was made.
const layoutFile = "layout.toml"

// A Result is an inferred directory in memory. Profiles are sorted by subject, then in the layout's order; predictions and
// paths by subject, item, trial and repetition. There are no paths without trajectories. The observers' tables of trials,
// beliefs and moments stay on disk: ReadRows and the method Moments read them. So do draws and predictions, which are read
// subject by subject or unit by unit; the Result that Run returns has none.
type Result struct {
	Manifest    part.Manifest
	Settings    Settings // as the manifest has them
	LayoutText  string   // of the layout, whose digest is in Settings; empty in results of versions that did not keep it
	Profiles    []Profile
	Units       []Unit                         // in the layout's order, then by unit; nil if subjects were measured one by one
	Estimates   []Estimated                    // by engine mml, in the order of Units; otherwise nil
	Likelihoods []Likelihood                   // of the fits by engine mml; otherwise nil
	Predictions iter.Seq2[[]Prediction, error] // of one subject after the other, sorted by id; an error is the last that it yields; nil: none
	Paths       []PathPrediction
	Draws       Draws      // of the layout; nil: none
	Averaged    Draws      // over all rivals, of the subjects who have a profile in Verdicts; nil: none, as in results of versions that did not keep them
	UnitDraws   *UnitDraws // of Units; nil: none, as of results of versions that did not keep them
	Diagnostics Diagnostics
	Verdicts    *compare.Verdicts // nil if no rivals were compared
	Surprises   []voe.Surprise    // by item and video, in the order of the observers; those of external observers at the end
	Asked       []voe.Asked       // in the order of the external observers that are language models; nil without one
}

// Sampler reads how NUTS came to each draw, by subject, chain and draw. It is empty of other engines, where NUTS moved in parts, and of results of
// versions that did not keep it.
func (r *Result) Sampler(dir fs.FS) ([]Sampled, error) {
	return ReadRows[Sampled](dir, &r.Manifest, samplerFile)
}

// Moments reads the table of beliefs by frame of the items in a shard of scenes. It is empty if no moments were kept.
func (r *Result) Moments(dir fs.FS, shard int) ([]voe.Frame, error) {
	return ReadRows[voe.Frame](dir, &r.Manifest, momentsFile(shard))
}

// ReadRows reads the rows of a file of an inferred part and verifies its digest. It returns no rows for a file that the manifest
// does not list.
func ReadRows[T any](dir fs.FS, m *part.Manifest, path string) (rows []T, err error) {
	f, ok := m.Lists(path)
	if !ok {
		return nil, nil
	}
	b, err := readFile(dir, f)
	if err != nil {
		return nil, err
	}
	if err := rowsOf(&rows)(b); err != nil {
		return nil, fmt.Errorf("inferred/%s: %w", path, err)
	}
	return rows, nil
}

// put writes the tables of r into out, and last the manifest, which lists all files that were put into out. csv is that of
// Config.
func (r *Result) put(out *listing, csv func(*table.Table) []byte) error {
	files, err := r.encode(csv)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := out.Put(name, files[name]); err != nil {
			return err
		}
	}
	m := out.manifest
	position := func(name string) int {
		return slices.IndexFunc(out.tables, func(t table.Table) bool { return t.Name == name })
	}
	slices.SortFunc(m.Tables, func(a, b part.Table) int { return cmp.Compare(position(a.Name), position(b.Name)) })
	slices.SortFunc(m.Files, func(a, b part.File) int { return cmp.Compare(a.Path, b.Path) })
	text := m.Encode()
	r.Manifest = *m
	return out.Out.Put(part.ManifestFile, text)
}

// encode returns the tables of r as files, by path, without those of draws and predictions. csv is that of Config.
func (r *Result) encode(csv func(*table.Table) []byte) (map[string][]byte, error) {
	files := map[string][]byte{}
	var err error
	put := func(name string, b []byte, e error) {
		files[name] = b
		if err == nil && e != nil {
			err = fmt.Errorf("infer: %s: %w", name, e)
		}
	}
	if len(r.Diagnostics.Fits) > 0 || len(r.Profiles) > 0 {
		b, e := record.EncodeRows(r.Profiles)
		put("profiles.parquet", b, e)
		if csv != nil {
			columns := slices.DeleteFunc(profileColumns(), func(f table.Field[Profile]) bool { return f.Name == groupColumn })
			put("profiles.csv", csv(table.Of(profilesAre, r.Profiles, columns)), nil)
		}
		b, e = indented(r.Diagnostics)
		put("diagnostics.json", b, e)
	}
	if r.LayoutText != "" {
		put(layoutFile, []byte(r.LayoutText), nil)
	}
	if len(r.Units) > 0 {
		b, e := record.EncodeRows(r.Units)
		put(unitsFile, b, e)
		if csv != nil {
			put("parameters.csv", csv(table.Of(unitsAre, r.Units, unitColumns())), nil)
		}
	}
	if len(r.Estimates) > 0 {
		b, e := record.EncodeRows(r.Estimates)
		put(estimatesFile, b, e)
		if csv != nil {
			put("estimates.csv", csv(r.EstimatesTable()), nil)
		}
	}
	if len(r.Likelihoods) > 0 {
		b, e := record.EncodeRows(r.Likelihoods)
		put(likelihoodFile, b, e)
	}
	if len(r.Paths) > 0 {
		b, e := record.EncodeRows(r.Paths)
		put("paths.parquet", b, e)
	}
	if r.Verdicts != nil {
		b, e := r.Verdicts.Encode()
		put(compare.VerdictsFile, b, e)
		put(compare.WordsFile, r.Verdicts.Markdown(), nil)
	}
	if len(r.Surprises) > 0 {
		b, e := record.EncodeRows(r.Surprises)
		put(surprisesFile, b, e)
	}
	if len(r.Asked) > 0 {
		b, e := record.EncodeRows(r.Asked)
		put(askedFile, b, e)
	}
	return files, err
}

// Open reads an inferred directory and verifies every digest.
func Open(dir fs.FS) (*Result, error) {
	m, err := part.Read(dir, part.Inferred)
	if errors.Is(err, part.ErrFormat) {
		err = fmt.Errorf("%w; rerun achilles infer with --force", err)
	}
	if err != nil {
		return nil, fmt.Errorf("inferred/%w", err)
	}
	r := &Result{Manifest: *m}
	if err := json.Unmarshal(compare.Renew(m.Settings), &r.Settings); err != nil {
		return nil, fmt.Errorf("inferred/%s: settings: %w", part.ManifestFile, err)
	}
	if err := r.decode(dir); err != nil {
		return nil, err
	}
	return r, nil
}

// decode reads the tables in dir that the manifest lists into r. It returns the first error. It is an error if the manifest lacks a
// table that an inferred directory like this has.
func (r *Result) decode(dir fs.FS) error {
	var errs []error
	find := func(name string, wanted bool, use func(f part.File) error) {
		f, ok := r.Manifest.Lists(name)
		switch {
		case ok:
			if err := use(f); err != nil {
				errs = append(errs, fmt.Errorf("inferred/%s: %w", name, err))
			}
		case wanted:
			errs = append(errs, fmt.Errorf("inferred/%s: no %s is listed", part.ManifestFile, name))
		}
	}
	read := func(name string, wanted bool, into func(b []byte) error) {
		find(name, wanted, func(f part.File) error {
			b, err := readFile(dir, f)
			if err != nil {
				return err
			}
			return into(b)
		})
	}
	watched := len(r.Settings.Observers) > 0
	answered := !r.Settings.Submitted && (!watched || r.Settings.Layout.Name != "")
	read("profiles.parquet", answered, rowsOf(&r.Profiles))
	read(layoutFile, false, func(b []byte) error { r.LayoutText = string(b); return nil })
	read(unitsFile, false, rowsOf(&r.Units))
	read(estimatesFile, false, rowsOf(&r.Estimates))
	read(likelihoodFile, false, rowsOf(&r.Likelihoods))
	var err error
	if r.UnitDraws, err = newUnitDraws(dir, &r.Manifest, len(r.Units)); err != nil {
		errs = append(errs, err)
	}
	find(predictionsFile, answered, func(f part.File) (err error) { r.Predictions, err = newPredictions(dir, f); return err })
	read("paths.parquet", false, rowsOf(&r.Paths))
	find(averagedFile, false, func(f part.File) (err error) { r.Averaged, err = newDraws(dir, f); return err })
	find(drawsFile, answered, func(f part.File) (err error) { r.Draws, err = newDraws(dir, f); return err })
	read("diagnostics.json", answered, func(b []byte) error { return json.Unmarshal(b, &r.Diagnostics) })
	for _, name := range []string{compare.VerdictsFile, compare.FormerFile} {
		read(name, false, func(b []byte) (err error) { r.Verdicts, err = compare.Decode(b); return err })
	}
	read(surprisesFile, watched, rowsOf(&r.Surprises))
	read(askedFile, false, rowsOf(&r.Asked))
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// rowsOf returns a function that decodes a table into rows.
func rowsOf[T any](rows *[]T) func(b []byte) error {
	return func(b []byte) (err error) {
		*rows, err = record.DecodeRows[T](b)
		return err
	}
}

// readFile reads and verifies a file of an inferred directory.
func readFile(dir fs.FS, f part.File) ([]byte, error) {
	b, err := fs.ReadFile(dir, f.Path)
	if err != nil {
		return nil, fmt.Errorf("inferred: %w", err)
	}
	if part.NewFile(f.Path, b) != f {
		return nil, fmt.Errorf("inferred/%s: digest differs from the manifest: the file was changed or is incomplete", f.Path)
	}
	return b, nil
}

// DrawsOf returns the draws of the parameters that a subject is reported to have, in the order of Draws.Parameters: over all rivals, averaged,
// or of the layout if there are none. It returns nil if there are none of either.
func (r *Result) DrawsOf(subject string) (*SubjectDraws, error) {
	if r.Averaged != nil {
		if d, err := r.Averaged.Of(subject); d != nil || err != nil {
			return d, err
		}
	}
	if r.Draws == nil {
		return nil, nil
	}
	return r.Draws.Of(subject)
}
