package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"achilles/infer/analysis"
	"achilles/render/figure"
	"achilles/render/report"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/sim/conf"
	"achilles/sim/record"
	"achilles/sim/store"
)

func (a *app) reportCommand() *cobra.Command {
	var force bool
	var published string
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Write everything about results or an analysis as one HTML page",
		Long: `Report writes DIR/report/index.html: what was run, doubts first, profiles, recovery, verdicts, prediction, observers,
and the figures with the command that makes each again. DIR is a results directory or one that analyse has written.
The page stands alone: it loads nothing, prints, and can be mailed. The seal is opened only where score has opened it.`,
		Example: `  achilles report results/quickstart
  achilles report results/quickstart-analysis`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite another report")
	c.Flags().StringVar(&published, "published", "", "values to print beside ours, of imported data: a shipped set's name or a TOML file")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if isAnalysis(args[0]) {
			return placing(args[0], func() error { return a.reportAnalysis(args[0], force) })
		}
		d, err := openResults(args[0])
		if err != nil {
			return err
		}
		defer d.close()
		beside, err := readPublished(published)
		if err != nil {
			return err
		}
		return writing(d.dir, func() error { return a.report(d, beside, force) })
	})
	return c
}

// reportFile is the page in its folder.
const reportFile = "index.html"

// report writes the page of a results directory, and enters in the ledger what it was made from.
func (a *app) report(d *results, published *score.Published, force bool) error {
	m, in, err := d.material(published)
	if err != nil {
		return err
	}
	page, err := report.Results(m).Encode()
	if err != nil {
		return err
	}
	if err := writeReport(d.path("report"), page, force); err != nil {
		return err
	}
	if err := d.enterReport(in, page); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "report in %s\n", filepath.Join(d.path("report"), reportFile))
	return nil
}

// writeReport leaves a report alone that is the same.
func writeReport(dir string, page []byte, force bool) error {
	files := map[string][]byte{reportFile: page}
	if store.Same(dir, files) {
		return nil
	}
	return writeDirectory(dir, files, force)
}

func (d *results) enterReport(in *score.Input, page []byte) error {
	manifest, err := os.ReadFile(d.path("public/manifest.json"))
	if err != nil {
		return err
	}
	read := map[string]string{seal.PublicPart: record.NewFile("", manifest).SHA256}
	if in != nil {
		read[seal.InferredPart] = in.Inferred
		if in.Sealed != nil {
			read[seal.SealedPart] = in.Sealed.Digest
		}
	}
	return d.enter("report", read, map[string]string{"report": record.NewFile("", page).SHA256})
}

// material reads and verifies what a results directory holds. The truth is among it only where it was unsealed and graded
// before; in is nil where nothing is inferred yet.
func (d *results) material(published *score.Published) (*figure.Material, *score.Input, error) {
	m := &figure.Material{Dir: "."} // commands are typed in the directory: the page does not depend on its place
	in, err := d.known()
	if err != nil {
		return nil, nil, err
	}
	if in == nil {
		public, err := d.public()
		if err != nil {
			return nil, nil, err
		}
		if m.Public, err = record.Read(public); err == nil {
			m.Name = suite(m.Public)
		}
		return m, nil, err
	}
	in.Published = published
	m.Public, m.Result, m.Name = in.Public, in.Result, suite(in.Public)
	if in.Sealed != nil {
		m.Name = title(in.Sealed.Scenario, m.Name)
	}
	if m.Scores, err = score.Run(*in); err != nil {
		return nil, nil, err
	}
	if m.Scores.Unblinded, err = d.unblinded(in.Inferred); err != nil {
		return nil, nil, err
	}
	inferred, err := d.inferred()
	if err != nil {
		return nil, nil, err
	}
	m.Frames, err = in.Result.Moments(inferred, 0) // of the first shard: items have their ids at random
	return m, in, err
}

// known opens what may be known: the truth where scores say that it was opened before.
func (d *results) known() (*score.Input, error) {
	if d.has("scores") {
		return d.scoreInput()
	}
	public, err := d.public()
	if err != nil {
		return nil, err
	}
	inferred, err := d.inferred()
	if errors.Is(err, errNothingInferred) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	in, err := score.Open(public, inferred)
	return &in, err
}

// title is the name of a scenario, of an earlier version perhaps, or what there is instead.
func title(text, instead string) string {
	root, err := conf.Parse("", text)
	if err != nil || root.Text("name") == "" {
		return instead
	}
	return root.Text("name")
}

// suite is the one suite of the items, where there is one.
func suite(d *record.Dataset) string {
	names := slices.Clone(d.Items.Suite)
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 1 && names[0] != "" {
		return names[0]
	}
	return "Results"
}

func isAnalysis(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "analysis.json"))
	return err == nil
}

// analysisMaterial reads what analyse has written.
func analysisMaterial(read func(name string) ([]byte, error)) (*figure.Material, error) {
	a, err := figure.ReadAnalysis(read)
	if err != nil {
		return nil, err
	}
	d := &a.Document
	return &figure.Material{Dir: ".", Name: fmt.Sprintf("%s of %d subjects on %d items", d.Measure, d.Subjects, d.Items), Analysis: a}, nil
}

func openAnalysis(dir string) (*figure.Material, error) {
	m, err := analysisMaterial(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return m, nil
}

func (a *app) reportAnalysis(dir string, force bool) error {
	m, err := openAnalysis(dir)
	if err != nil {
		return err
	}
	page, err := report.Analysis(m).Encode()
	if err != nil {
		return err
	}
	if err := writeReport(filepath.Join(dir, "report"), page, force); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "report in %s\n", filepath.Join(dir, "report", reportFile))
	return nil
}

// A copied sink keeps what it passes on, so that the report is made from the very files.
type copied struct {
	analysis.Sink
	files map[string][]byte
}

func (k *copied) Put(name string, data []byte) error {
	k.files[name] = bytes.Clone(data)
	return k.Sink.Put(name, data)
}

// writeAnalysis writes the tables of an analysis and its report.
func writeAnalysis(res *analysis.Analysis, to analysis.Sink) error {
	k := &copied{to, map[string][]byte{}}
	if err := res.Write(k); err != nil {
		return err
	}
	m, err := analysisMaterial(func(name string) ([]byte, error) {
		b, ok := k.files[name]
		if !ok {
			return nil, fmt.Errorf("%s: not among %v", name, slices.Sorted(maps.Keys(k.files)))
		}
		return b, nil
	})
	if err != nil {
		return err
	}
	page, err := report.Analysis(m).Encode()
	if err != nil {
		return err
	}
	return to.Put("report/"+reportFile, page)
}
