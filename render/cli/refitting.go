package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
	"achilles/sim/store"
	"achilles/sim/table"
)

// A refitting is a result of which some is inferred again.
type refitting struct {
	d                *results.Dir
	public, inferred fs.FS
	data             *record.Dataset
	was              *infer.Result
	only             []string // subjects and watched items that are inferred again; nil: all
}

// refit infers some subjects, or lets observers watch some episodes, again, from the public part alone, into a directory that is removed
// afterwards, and compares every row of theirs. It returns a sentence that says what it did.
func (r *refitting) refit(ctx context.Context, a *app, v *verifying, x *verification) (string, error) {
	j, err := v.sameJob(a, r.d, r.was)
	if err != nil {
		return "", err
	}
	want, err := infer.Expect(r.public, *j)
	if err != nil {
		return "", err
	}
	if !want.SameSource(&r.was.Manifest) {
		return "", results.Hinted(fmt.Errorf("%s: this version of the program would write other settings", r.d.Path(part.Inferred)), "%s regenerates it", results.InferAgain(r.d, part.Inferred))
	}
	if r.only, err = r.choose(v); err != nil {
		return "", err
	}
	if j.Layout != nil && j.Layout.Joint() {
		r.only = nil
	}
	j.Only = r.only
	temporary, err := os.MkdirTemp("", "achilles-verify-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temporary)
	is, files, err := inferInto(ctx, a, temporary, r.public, *j)
	if err != nil {
		return "", err
	}
	faults := r.compare(is, files)
	x.add("inferred", "rows compared with those inferred again from public", faults...)
	if j.Only == nil {
		return "All subjects inferred again, because the layout measures them together" + equalOrNot(faults), nil
	}
	of := num.Counted(len(r.data.Subjects), "subject")
	if len(r.data.Subjects) == 0 {
		of = num.Counted(r.data.Items.Len(), "episode")
		x.unchecked = append(x.unchecked, "inferred: other episodes")
	} else {
		x.unchecked = append(x.unchecked, "inferred: other subjects, and comparisons of subjects (alike pairs, identifiability)")
	}
	if len(r.was.Paths) > 0 {
		x.unchecked = append(x.unchecked, "inferred/paths.parquet: predicted paths need all subjects")
	}
	return fmt.Sprintf("%d of %s inferred again (%s)%s", len(r.only), of, strings.Join(r.only, ", "), equalOrNot(faults)), nil
}

func equalOrNot(faults []error) string {
	if len(faults) > 0 {
		return ": not the same"
	}
	return ": every row is the same"
}

// inferInto infers into a results directory that has nothing else. The files are valid until the directory is removed.
func inferInto(ctx context.Context, a *app, dir string, public fs.FS, j infer.Job) (*infer.Result, fs.FS, error) {
	d, err := store.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	defer d.Close()
	out, err := d.Begin(part.Inferred, false)
	if err != nil {
		return nil, nil, err
	}
	defer out.Abort()
	j.Scratch, j.Progress = store.Scratch{}, a.progress("infer again")
	res, err := infer.Run(ctx, public, j, d.Pieces(".pieces"), out)
	if err != nil {
		return nil, nil, err
	}
	return res, os.DirFS(d.Path(part.Inferred)), out.Commit()
}

// sameJob returns the inference that a result says it is from. The error names the setting with which the user gives what is missing.
func (v *verifying) sameJob(a *app, d *results.Dir, was *infer.Result) (*infer.Job, error) {
	j := &infer.Job{Settings: was.Settings}
	j.Jobs = cmp.Or(v.Jobs, runtime.GOMAXPROCS(0))
	var err error
	if was.Settings.Layout.Name != "" {
		if j.Layout, err = layoutOfResult(a, was, v.Layout, d); err != nil {
			return nil, err
		}
	}
	if b := was.Settings.Bank; b != nil {
		j.Bank, err = readBank(cmp.Or(v.Candidates, strings.TrimSuffix(b.Name, ".toml")))
		if err == nil && infer.BankDigest(j.Bank).SHA256 != b.SHA256 {
			err = errors.New("the file here has other content")
		}
		if err != nil {
			return nil, results.Hinted(fmt.Errorf("the candidate set %s of the result, with digest %.12s…, is not here: %w", b.Name, b.SHA256, err), "name its file with --candidates")
		}
	}
	return j, nil
}

// choose returns the subjects to infer again, and the items that observers watch again, sorted: those that are named, or as many drawn at
// random as the settings say.
func (r *refitting) choose(v *verifying) ([]string, error) {
	pools := [][]string{r.data.Subjects}
	if r.data.Manifest.Watched() {
		pools = append(pools, r.data.Items.ID)
	}
	if v.Subjects != nil {
		all := slices.Concat(pools...)
		for _, id := range v.Subjects {
			if !slices.Contains(all, id) {
				return nil, usagef("--subjects: %q is not an opaque id of these data%s", id, expr.DidYouMean(id, all))
			}
		}
		return slices.Sorted(slices.Values(v.Subjects)), nil
	}
	var out []string
	for i, pool := range pools {
		random := rng.Stream(v.Seed, "verify", []string{"subjects", "episodes"}[i])
		for _, k := range random.Perm(len(pool))[:min(v.Refit, len(pool))] {
			out = append(out, pool[k])
		}
	}
	slices.Sort(out)
	return out, nil
}

// compare returns what differs between the result and what was inferred again.
func (r *refitting) compare(is *infer.Result, files fs.FS) (faults []error) {
	for i := range is.Manifest.Tables {
		t := &is.Manifest.Tables[i]
		was := r.was.Manifest.Find(t.Name)
		if was == nil {
			faults = append(faults, fmt.Errorf("inferred: table %s is missing, and is written when it is inferred again", t.Name))
			continue
		}
		x, err := tabular.ReadIf(r.inferred, was, r.mine(was))
		if err == nil {
			var y *table.Table
			if y, err = tabular.ReadIf(files, t, nil); err == nil {
				err = equalRows(x, y)
			}
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("inferred/%s: %w", t.Name, err))
		}
	}
	for _, f := range is.Diagnostics.Fits {
		i := slices.IndexFunc(r.was.Diagnostics.Fits, func(g infer.Fit) bool { return g.Subject == f.Subject && g.Rows == f.Rows })
		if i < 0 || !sameJSON(f, r.was.Diagnostics.Fits[i]) {
			faults = append(faults, fmt.Errorf("inferred/diagnostics.json: the fit of %s (%s rows) differs when it is inferred again", f.Subject, f.Rows))
		}
	}
	if is.Verdicts == nil {
		return faults
	}
	for _, c := range is.Verdicts.Subjects {
		if r.was.Verdicts == nil || !slices.ContainsFunc(r.was.Verdicts.Subjects, func(d compare.Verdict) bool { return d.Subject == c.Subject && sameJSON(c, d) }) {
			faults = append(faults, fmt.Errorf("inferred/%s: the classification of %s differs when it is inferred again", compare.VerdictsFile, c.Subject))
		}
	}
	return faults
}

func sameJSON(x, y any) bool {
	a, err1 := json.Marshal(x)
	b, err2 := json.Marshal(y)
	return err1 == nil && err2 == nil && bytes.Equal(a, b)
}

// mine returns a function that says whether a row of a table is about what was inferred again; nil: every row is.
func (r *refitting) mine(t *part.Table) func(row []table.Value) bool {
	column := func(name string) int {
		return slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Name == name })
	}
	of, observer := column("subject"), column("observer")
	if of < 0 {
		of = column("item")
	}
	if of < 0 {
		return nil
	}
	return func(row []table.Value) bool {
		if observer >= 0 && slices.ContainsFunc(r.was.Settings.Outside, func(o infer.External) bool { return o.Name == row[observer].Text() }) {
			return false
		}
		return r.only == nil || slices.Contains(r.only, row[of].Text())
	}
}

// equalRows returns an error that names the first cell in which two tables of the same columns differ.
func equalRows(was, is *table.Table) error {
	for i := range min(len(was.Rows), len(is.Rows)) {
		for k, c := range was.Columns {
			x, y := was.Rows[i][k].Text(), is.Value(i, c.Name).Text()
			if x == y {
				continue
			}
			var key []string
			for _, name := range is.Key {
				key = append(key, name+" "+is.Value(i, name).Text())
			}
			return fmt.Errorf("%s: %s is %s, and %s when it is inferred again", strings.Join(key, ", "), c.Name, cmp.Or(x, "empty"), cmp.Or(y, "empty"))
		}
	}
	if len(was.Rows) != len(is.Rows) {
		return fmt.Errorf("%s, and %d when they are inferred again", num.Counted(len(was.Rows), "row"), len(is.Rows))
	}
	return nil
}
