package infer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"achilles/infer/compare"
	"achilles/infer/misfit"
	"achilles/infer/posterior"
	"achilles/infer/voe"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A Profile is the posterior of one parameter of one subject, from all its responses. A diagnostic that cannot be computed,
// as for constant draws, is nil.
type Profile struct {
	Subject   string   `parquet:"subject,plain"`
	Parameter string   `parquet:"parameter,plain"`
	Group     string   `parquet:"group,plain"` // capability, bias or robustness
	Mean      float64  `parquet:"mean"`
	SD        float64  `parquet:"sd"`
	MCSE      *float64 `parquet:"mcse,optional"` // Monte-Carlo standard error of the mean
	Q5        float64  `parquet:"q5"`
	Q25       float64  `parquet:"q25"`
	Q50       float64  `parquet:"q50"`
	Q75       float64  `parquet:"q75"`
	Q95       float64  `parquet:"q95"`
	ESSBulk   *float64 `parquet:"ess_bulk,optional"`
	ESSTail   *float64 `parquet:"ess_tail,optional"`
	RHat      *float64 `parquet:"rhat,optional"`

	// The evidence of the subject's fit, the same for all its parameters.
	LogEvidence   *float64 `parquet:"log_evidence,optional"`    // log marginal likelihood of the subject's responses under the layout
	LogEvidenceSE *float64 `parquet:"log_evidence_se,optional"` // standard error of LogEvidence
}

// A Prediction is the success probability of a held-out response, from a fit on the subject's other responses.
type Prediction struct {
	Subject    string  `parquet:"subject,plain"`
	Item       string  `parquet:"item,plain"`
	Trial      int32   `parquet:"trial"`
	Repetition int32   `parquet:"repetition"`
	Measure    string  `parquet:"measure,plain"`
	P          float64 `parquet:"p"`
}

// A Fit says how the posterior of one subject was computed.
type Fit struct {
	Subject     string              `json:"subject"`
	Rows        string              `json:"rows"`               // AllRows (the fit gives the profile) or FitRows (the predictions)
	Engine      string              `json:"engine"`             // engine that made the draws
	Replaced    []string            `json:"replaced,omitempty"` // why the chains of NUTS were replaced
	Chains      int                 `json:"chains"`
	Draws       int                 `json:"draws"` // number of draws of each chain
	Divergences int                 `json:"divergences"`
	Divergent   [][]int             `json:"divergent,omitempty"` // chain → indices of its divergent draws; absent: none
	WorstRHat   *float64            `json:"worst_rhat,omitempty"`
	MinESSBulk  *float64            `json:"min_ess_bulk,omitempty"`
	MinESSTail  *float64            `json:"min_ess_tail,omitempty"`
	LogEvidence *float64            `json:"log_evidence,omitempty"`
	EvidenceSE  *float64            `json:"log_evidence_se,omitempty"`
	Modes       []float64           `json:"modes,omitempty"` // weights of the posterior's modes, if there are more than one
	Gradients   int                 `json:"gradients"`       // number of evaluations of the log density with its gradient
	Likelihoods int                 `json:"likelihoods"`     // number of evaluations of the likelihood alone
	Warnings    []posterior.Warning `json:"warnings,omitempty"`

	// Misfit and LOO are nil unless the fit is to all responses (AllRows) and has draws. A fit of all subjects together has no Misfit,
	// and LOO unless it has too many responses or is an approximation.
	Misfit *misfit.Result `json:"misfit,omitempty"`
	LOO    *LeaveOneOut   `json:"loo,omitempty"`
}

// Diagnostics has all fits of a run, sorted by subject and rows, and over all fits the sum of divergences, the worst R-hat
// and the smallest effective sample sizes.
type Diagnostics struct {
	Layout      string   `json:"layout"`
	Divergences int      `json:"divergences"`
	WorstRHat   *float64 `json:"worst_rhat,omitempty"`
	MinESSBulk  *float64 `json:"min_ess_bulk,omitempty"`
	Replaced    int      `json:"replaced"` // number of fits in which the tempered engine replaced the chains of NUTS
	Fits        []Fit    `json:"fits"`

	Alike []misfit.Pair `json:"alike,omitempty"` // pairs of subjects whose responses agree beyond chance, the least probable first

	Identifiability *Identifiability `json:"identifiability,omitempty"` // of the subjects' parameters; nil without a profile
}

// A Result is an inferred directory in memory. Profiles are sorted by subject, then in the layout's order; predictions and
// paths by subject, item, trial and repetition. There are no paths without trajectories. The observers' tables of trials,
// beliefs and moments stay on disk: the methods Trials, Beliefs and Moments read them. So do draws and predictions, which are read
// subject by subject; the Result that Run returns has none.
type Result struct {
	Manifest    part.Manifest
	Settings    Settings // as the manifest has them
	Profiles    []Profile
	Units       []Unit                         // in the layout's order, then by unit; nil if subjects were measured one by one
	Predictions iter.Seq2[[]Prediction, error] // of one subject after the other, sorted by id; an error is the last that it yields; nil: none
	Paths       []PathPrediction
	Draws       Draws // nil: none
	Diagnostics Diagnostics
	Verdicts    *compare.Verdicts // nil if no rivals were compared
	Surprises   []voe.Surprise    // by item and video, in the order of the observers; those of external observers at the end
}

// Trials reads the table of trials of the items in a shard of scenes. It is empty without observers that have beliefs.
func (r *Result) Trials(dir fs.FS, shard int) ([]voe.TrialSurprise, error) {
	return ReadRows[voe.TrialSurprise](dir, &r.Manifest, trialsFile(shard))
}

// Beliefs reads the table of beliefs after each trial of the items in a shard of scenes. It is empty without observers that
// have beliefs.
func (r *Result) Beliefs(dir fs.FS, shard int) ([]voe.Conviction, error) {
	return ReadRows[voe.Conviction](dir, &r.Manifest, beliefsFile(shard))
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

// A listing passes files on and lists them in a manifest.
type listing struct {
	Out
	tables   []table.Table // that an inferred part may have, without their rows
	manifest *part.Manifest
}

// listing returns a listing without files.
func (r *run) listing(out Out) *listing {
	var parameters []string
	if r.design != nil || r.joint != nil {
		parameters = r.subjectParameters()
	}
	return &listing{Out: out, tables: declared(parameters), manifest: r.settings.manifest(r.parent)}
}

// Put adds a file to the list and passes it on.
func (l *listing) Put(name string, data []byte) error {
	rows := 0
	if path.Ext(name) == ".parquet" {
		f, err := record.OpenParquet(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return fmt.Errorf("infer: %s: %w", name, err)
		}
		rows = int(f.NumRows())
	}
	l.add(part.NewFile(name, data), rows)
	return l.Out.Put(name, data)
}

// add adds a file to the list. The table whose rows it has is called as the file or its folder.
func (l *listing) add(f part.File, rows int) {
	if path.Ext(f.Path) != ".parquet" {
		l.manifest.Files = append(l.manifest.Files, f)
		return
	}
	name, _, _ := strings.Cut(strings.TrimSuffix(f.Path, ".parquet"), "/")
	i := slices.IndexFunc(l.tables, func(t table.Table) bool { return t.Name == name })
	l.manifest.AddRows(f, rows, l.tables[i])
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
	if len(r.Units) > 0 {
		b, e := record.EncodeRows(r.Units)
		put(unitsFile, b, e)
		if csv != nil {
			put("parameters.csv", csv(table.Of(unitsAre, r.Units, unitColumns())), nil)
		}
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
	read(unitsFile, false, rowsOf(&r.Units))
	find(predictionsFile, answered, func(f part.File) (err error) { r.Predictions, err = newPredictions(dir, f); return err })
	read("paths.parquet", false, rowsOf(&r.Paths))
	find(drawsFile, answered, func(f part.File) (err error) { r.Draws, err = newDraws(dir, f); return err })
	read("diagnostics.json", answered, func(b []byte) error { return json.Unmarshal(b, &r.Diagnostics) })
	for _, name := range []string{compare.VerdictsFile, compare.FormerFile} {
		read(name, false, func(b []byte) (err error) { r.Verdicts, err = compare.Decode(b); return err })
	}
	read(surprisesFile, watched, rowsOf(&r.Surprises))
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
