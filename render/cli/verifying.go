package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/scenarios/setting"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
	"achilles/sim/table"
)

// A verifying has the settings of verify.
type verifying struct {
	Refit      int      `setting:"refit,flag" limits:"[0, 1000000]" doc:"number of subjects, or of episodes, to infer again, drawn at random"`
	Seed       uint64   `setting:"seed,flag" doc:"seed of that draw; choose one that whoever inferred could not know"`
	Subjects   []string `setting:"subjects,flag" doc:"opaque ids of the subjects, or episodes, to infer again instead"`
	Layout     string   `setting:"layout,flag" doc:"file of the layout, if it is not a shipped one"`
	Candidates string   `setting:"candidates,flag" doc:"file of the candidate set, if it is not a shipped one"`
	Jobs       int      `setting:"jobs,flag" limits:"[0, 10000]" doc:"subjects fitted in parallel (0: one per processor)"`
}

func verifyCommand(a *app) *cobra.Command {
	v := &verifying{Seed: 1}
	c := &cobra.Command{
		Use:   "verify DIR [--refit K]",
		Short: "Check that results are what was made, and infer some of them again",
		Long: `Verify checks every file of a results directory or an analysis against the digests of its part, the parts against those
that they were made from, the ledger, shards, data cards, and CSV files and profiles against the tables and draws beside them. With
--refit it infers K subjects again, from DIR/public alone and with the settings of the result, and compares every row of
theirs: the version of the program that inferred them gives the same rows. It says what it could not check, changes
nothing, shows nothing of what is sealed, and exits with 1 if anything differs.`,
		Example: `  achilles verify results/quickstart
  achilles verify results/quickstart --refit 1 --seed 20`,
		Args: cobra.ExactArgs(1),
	}
	setting.Of(v).Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error { return v.verify(ctx, a, args[0]) })
	return c
}

// A verification is what has been verified so far.
type verification struct {
	list      []results.Verified
	unchecked []string
}

// add adds what was verified of something beside the parts.
func (x *verification) add(name, how string, faults ...error) {
	x.list = append(x.list, results.Verified{Name: name, How: how, Faults: faults})
}

func (x *verification) faults() (all []error) {
	for _, v := range x.list {
		all = append(all, v.Faults...)
	}
	return all
}

// verify verifies a directory, prints what it finds, and returns an error if anything is wrong.
func (v *verifying) verify(ctx context.Context, a *app, dir string) error {
	x := &verification{}
	again, err := "", error(nil)
	switch {
	case isItemAnalysis(dir):
		_, err = x.alone(dir, part.Items)
	case isAnalysis(dir):
		err = x.analysis(dir)
	default:
		again, err = v.verifyResults(ctx, a, dir, x)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s", tabular.Text(x.table(), a.width()))
	if again != "" {
		a.say("\n%s", again)
	}
	if len(x.unchecked) > 0 {
		a.say("\nNot checked:")
	}
	for _, s := range x.unchecked {
		a.say("  %s", s)
	}
	all := x.faults()
	if len(all) == 0 {
		return nil
	}
	a.say("\nFaults:")
	for _, err := range all {
		a.say("  %v", err)
	}
	err = fmt.Errorf("%s: %s; the first: %w", dir, num.Counted(len(all), "fault"), all[0])
	for _, v := range x.list {
		if len(v.Faults) > 0 && mends(v.Name, dir) != "" {
			return results.Hinted(err, "if the files were damaged or another version of this program wrote them, regenerate them: %s", mends(v.Name, dir))
		}
	}
	return err
}

// table returns a table of what was verified.
func (x *verification) table() *table.Table {
	return table.Of(table.Table{Name: "verified", Key: []string{"part"}}, x.list, []table.Field[results.Verified]{
		table.Col(table.Column{Name: "part", Kind: table.Text}, func(v results.Verified) table.Value { return table.String(v.Name) }),
		table.Col(table.Column{Name: "faults", Kind: table.Count, Dot: true}, func(v results.Verified) table.Value { return table.Int(len(v.Faults)) }),
		table.Col(table.Column{Name: "digest", Kind: table.Text}, func(v results.Verified) table.Value { return table.Named(fmt.Sprintf("%.12s", v.Digest)) }),
		table.Col(table.Column{Name: "checked", Kind: table.Text, Prose: true}, func(v results.Verified) table.Value { return table.Named(v.How) }),
	})
}

// alone verifies a part that has a directory of its own.
func (x *verification) alone(dir, name string) (*part.Manifest, error) {
	fsys := os.DirFS(dir)
	m, err := part.ReadManifest(fsys, name)
	if err != nil {
		return nil, results.Hinted(fmt.Errorf("%s: %w", dir, err), "%s", mends(name, dir))
	}
	b, err := fs.ReadFile(fsys, part.ManifestFile)
	if err != nil {
		return nil, err
	}
	there, err := store.Files(fsys)
	if err != nil {
		return nil, err
	}
	there = slices.DeleteFunc(there, func(path string) bool { return path == "report/"+reportFile }) // its maker compares it
	x.list = append(x.list, results.Verified{Name: name, How: num.Counted(len(m.All()), "file") + " against the manifest", Digest: part.Digest(b), Faults: m.Faults(fsys, there)})
	if p := m.Parents[part.Public]; p != "" {
		x.unchecked = append(x.unchecked, fmt.Sprintf("the data that it is made from: they have the public digest %.12s…", p))
	}
	return m, nil
}

// analysis verifies an analysis.
func (x *verification) analysis(dir string) error {
	m, err := x.alone(dir, part.Analysis)
	if err != nil || len(x.faults()) > 0 {
		return err
	}
	fsys := os.DirFS(dir)
	of, err := openAnalysis(dir)
	if err != nil {
		return err
	}
	want, err := filesOfAnalysis(of.Analysis, m.Parents)
	if err != nil {
		return err
	}
	var faults []error
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if got, err := fs.ReadFile(fsys, path); err != nil || !bytes.Equal(got, want[path]) {
			faults = append(faults, fmt.Errorf("%s: this version of the program would write other bytes from the same analysis", path))
		}
	}
	x.add(part.Analysis, "manifest and report against the tables", faults...)
	return nil
}

// verifyResults verifies a results directory. It returns a sentence that says what was inferred again, if anything was.
func (v *verifying) verifyResults(ctx context.Context, a *app, dir string, x *verification) (again string, err error) {
	d, err := results.Open(dir)
	if err != nil {
		return "", err
	}
	defer d.Close()
	if x.list, x.unchecked, err = d.Verify(); err != nil {
		return "", err
	}
	refit := v.Refit > 0 || v.Subjects != nil
	sound := len(x.faults()) == 0
	x.unchecked = append(x.unchecked, "public: how the responses came about, and which items an adaptive battery chose; subjects are not run again")
	if d.Has(seal.ScoresPart) {
		x.unchecked = append(x.unchecked, "scores: the grades are not computed again; achilles score DIR --force does")
	}
	if readCards(d).there() && sound {
		faults, err := faultsOfCards(d)
		if err != nil {
			return "", err
		}
		x.add(cardsName, "against the public part", faults...)
	}
	if d.Has(seal.InferredPart) && sound {
		if again, err = v.verifyInferred(ctx, a, d, x); err != nil {
			return "", err
		}
	} else if refit {
		x.unchecked = append(x.unchecked, "inferred: nothing was inferred again, because a part is missing or has faults")
	}
	if !d.Has(results.BodiesPart) {
		return again, nil
	}
	inner := &verification{} // what it leaves unchecked is what this leaves unchecked
	if _, err := (&verifying{}).verifyResults(ctx, a, d.Path(results.BodiesPart), inner); err != nil {
		x.add(results.BodiesPart, "", err)
		return again, nil
	}
	for _, v := range inner.list {
		for i, err := range v.Faults {
			v.Faults[i] = fmt.Errorf("%s/%w", results.BodiesPart, err)
		}
		v.Name = results.BodiesPart + "/" + v.Name
		x.list = append(x.list, v)
	}
	return again, nil
}

// verifyInferred verifies what the digests of an inferred part do not say: that data and result can be read, that profiles and CSV files say
// what draws and tables say, and that some of the result is inferred again with the same rows.
func (v *verifying) verifyInferred(ctx context.Context, a *app, d *results.Dir, x *verification) (again string, err error) {
	public, err := d.Public()
	if err != nil {
		return "", err
	}
	inferred, err := d.Inferred()
	if err != nil {
		return "", err
	}
	data, err := record.Read(public)
	if err != nil {
		x.add("public", "tables", fmt.Errorf("public/%w", err))
		return "", nil
	}
	res, err := infer.Open(inferred)
	if err != nil {
		x.add("inferred", "tables", err)
		return "", nil
	}
	if len(res.Profiles) > 0 && !res.Settings.Submitted { // of others, profiles may be from elsewhere than the draws
		x.add("inferred", "means, SDs and quantiles against the draws", res.Disagreements()...)
	}
	if n, faults := compareCSV(inferred, &res.Manifest); n > 0 {
		x.add("inferred", num.Counted(n, "CSV file")+" against the tables", faults...)
	}
	if len(res.Settings.Outside) > 0 {
		x.unchecked = append(x.unchecked, "inferred: surprises of external observers, whose programs are not run")
	}
	if res.Settings.Submitted {
		x.unchecked = append(x.unchecked, "inferred: it is a submission, which this program cannot infer again")
		return "", nil
	}
	if v.Refit == 0 && v.Subjects == nil {
		x.unchecked = append(x.unchecked, "inferred: whether it follows from public; --refit K infers K subjects again")
		return "", nil
	}
	return (&refitting{d: d, public: public, inferred: inferred, data: data, was: res}).refit(ctx, a, v, x)
}

// compareCSV compares each CSV file of a part with the table of its name. It returns the number of such files.
func compareCSV(fsys fs.FS, m *part.Manifest) (n int, faults []error) {
	for i := range m.Tables {
		t := &m.Tables[i]
		name := t.Name + ".csv"
		b, err := fs.ReadFile(fsys, name)
		if err != nil || path.Ext(t.Files[0].Path) == ".csv" {
			continue
		}
		n++
		rows, err := tabular.Read(fsys, t)
		if err == nil {
			err = equalLines(b, tabular.CSV(withColumns(rows, b)))
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("inferred/%s: %w", name, err))
		}
	}
	return n, faults
}

// withColumns returns the table with those of its columns that the first line of a CSV file names.
func withColumns(t *table.Table, csv []byte) *table.Table {
	head, _, _ := strings.Cut(string(csv), "\n")
	names := strings.Split(strings.TrimSpace(head), ",")
	out := *t
	out.Columns, out.Rows = nil, make([][]table.Value, len(t.Rows))
	for k, c := range t.Columns {
		if !slices.Contains(names, c.Name) {
			continue
		}
		out.Columns = append(out.Columns, c)
		for i, row := range t.Rows {
			out.Rows[i] = append(out.Rows[i], row[k])
		}
	}
	return &out
}

// equalLines returns an error that names the first line in which two texts differ.
func equalLines(got, want []byte) error {
	x, y := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Errorf("line %d is %.80q, and %.80q by the table", i+1, x[i], y[i])
		}
	}
	if len(x) != len(y) {
		return fmt.Errorf("%d lines, and %d by the table", len(x), len(y))
	}
	return nil
}
