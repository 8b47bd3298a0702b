package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"achilles/infer/analysis"
	"achilles/infer/predict"
	"achilles/render/figure"
	"achilles/render/report"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/scenarios/setting"
	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
	"achilles/sim/table"
)

// An analysing has the settings of analyse, from flags and from a configuration.
type analysing struct {
	Out    string   `setting:"out,flag" doc:"directory to write (required)"`
	Config string   `setting:"config,flag" doc:"a shipped configuration's name or a TOML file: features, bins, grids, models (default: the data's declared roles)"`
	Layout []string `setting:"layout,flag,each" doc:"a measurement layout whose predictions are compared too, a shipped one's name or a TOML file; may be given several times"`
	Splits string   `setting:"splits,flag" doc:"CSV table of splits, instead of random ones"`
	Force  bool     `setting:"force,flag" doc:"overwrite existing output"`

	analysis.Settings
	set *setting.Set
}

func analyseCommand(a *app) *cobra.Command {
	q := &analysing{Settings: analysis.Default()}
	q.Jobs = 0 // as many as there are processors
	q.set = setting.Of(q)
	c := &cobra.Command{
		Use:   "analyse DIR --out DIR2",
		Short: "Describe what success depends on: correlations, conformance, characteristic grids, prediction",
		Long: `Analyse reads DIR/public, generated or imported, and describes the responses without a cognitive model:
feature-success correlations, characteristic curves, conformance, agent characteristic grids, capability, and how
well success can be predicted, also under a shift of demand. With --layout, measurement layouts predict on the same
splits. It writes analysis.json and CSV tables; docs/reference/analysis.md explains them and the configuration.
If interrupted, it saves its progress; rerun the command to resume.`,
		Example: `  achilles analyse results/quickstart --out results/quickstart-analysis`,
		Args:    cobra.ExactArgs(1),
	}
	q.set.Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if q.Out == "" {
			return usagef("analyse needs --out: the directory to write")
		}
		if err := q.read(); err != nil {
			return err
		}
		return whileLocked(q.Out, func() error { return analyse(ctx, a, args[0], q.Out, q.Settings, q.Force) })
	})
	return c
}

// layoutPredictors reads the measurement layouts that a configuration names, binds them to the items, and adds them to
// the configuration's predictors.
func layoutPredictors(a *app, conf *analysis.Settings, data *record.Dataset) error {
	for _, ref := range conf.Layouts {
		l, err := a.layout(ref)
		if err != nil {
			return err
		}
		p, err := conf.LayoutPredictor(data, l)
		if err != nil {
			return err
		}
		conf.Predictors = append(conf.Predictors, p)
	}
	return nil
}

// read reads the files that the flags name.
func (q *analysing) read() (err error) {
	if q.Config != "" {
		file, text, err := shipped("analysis", q.Config, "analyses")
		if err != nil {
			return err
		}
		if err := q.parse(file, text); err != nil {
			return err
		}
	}
	q.Layouts = append(q.Layouts, q.Layout...)
	q.Jobs = cmp.Or(q.Jobs, runtime.GOMAXPROCS(0))
	if q.Splits != "" {
		q.SplitsFile = filepath.Base(q.Splits)
		q.SplitsText, err = store.ReadFile(q.Splits, maxInput)
	}
	return err
}

// parse reads a configuration. What the command line has given counts before it. The error is a *conf.Error.
func (q *analysing) parse(file, text string) error {
	root, err := conf.Parse(file, text)
	if err != nil {
		return err
	}
	q.set.Read(root, "")
	q.Read(root, text)
	return root.Err()
}

func analyse(ctx context.Context, a *app, dir, out string, conf analysis.Settings, force bool) error {
	d, err := openChecked(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	data, parents, err := public(d)
	if err != nil {
		return err
	}
	if data.Responses.Len() == 0 {
		return results.Hinted(fmt.Errorf("%s has episodes to watch, but no responses to describe", d.Path(seal.PublicPart)), "achilles infer %s lets observers watch, achilles score %s grades them", expr.Quote(dir), expr.Quote(dir))
	}
	if err := layoutPredictors(a, &conf, data); err != nil {
		return err
	}
	w, err := store.Begin(out, force || isPartial(out))
	if err != nil {
		return err
	}
	defer w.Abort()
	beside, err := store.Make(filepath.Dir(filepath.Clean(out)))
	if err != nil {
		return err
	}
	defer beside.Close()
	pieces := "." + filepath.Base(filepath.Clean(out)) + ".pieces"
	conf.Finished = predict.Finished{Sink: beside.Pieces(pieces), Key: parents[part.Public], Doubt: a.doubt}
	conf.Progress, conf.Running = a.named("analyse"), a.running
	res, err := analysis.Run(ctx, data, conf)
	if res == nil {
		return err
	}
	document := res.Document()
	if err := writeAnalysis(document, parents, w); err != nil {
		return err
	}
	if err := w.Commit(); err != nil {
		return err
	}
	if err != nil { // it was interrupted
		a.resumes = fmt.Sprintf("progress is saved in %s; rerun the command to resume", expr.Quote(out))
		return err
	}
	if err := beside.Remove(pieces); err != nil {
		return err
	}
	return printAnalysis(a, document, res.Binary, out)
}

// isPartial reports whether a directory has an analysis that was interrupted, which the next one replaces.
func isPartial(dir string) bool {
	content, err := fs.ReadFile(os.DirFS(dir), analysis.DocumentFile)
	var d analysis.Document
	return err == nil && json.Unmarshal(content, &d) == nil && d.Partial
}

// printAnalysis prints the success rate, correlations, capability and the losses of models of an analysis, and the paths of its
// files.
func printAnalysis(a *app, d *analysis.Document, binary bool, out string) error {
	for _, w := range d.Warnings {
		a.note("warning: %s", w.Message)
	}
	a.say("%s of %s to %s, success rate %.3f", num.Counted(d.Responses, "response"), num.Counted(d.Subjects, "subject"), num.Counted(d.Items, "item"), d.SuccessRate)
	correlations, err := tabular.Where(d.Table("correlations"), fmt.Sprintf("set == %q", d.Sets()[0]))
	if err != nil {
		return err
	}
	a.printEach(correlations)
	if k := d.Capability; k != nil && k.Pearson != nil {
		a.say("\ncapability over %s: correlation with the success rate %.3f (%s)", k.Space, *k.Pearson, num.Counted(d.Subjects, "subject"))
	}
	random, _ := d.Losses()
	a.printEach(random)
	scores, forms, agreement, news := d.Table("scores"), d.Table("short_forms"), d.Table("agreement"), d.NewScores()
	if !binary || scores.Has("published") || len(forms.Rows)+len(agreement.Rows)+len(news) > 0 {
		a.printEach(append(append([]*table.Table{scores}, news...), forms, agreement)...)
	}
	a.printEach(d.Table("intervals"))
	if head := d.Headline(); head != "" {
		a.say("\n%s", head)
	}
	a.say("\nall tables in %s, the report in %s; achilles show %s lists them", out, filepath.Join(out, "report", reportFile), expr.Quote(out))
	return nil
}

func isAnalysis(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, analysis.DocumentFile))
	if err != nil {
		_, err = part.ReadManifest(os.DirFS(dir), part.Analysis)
	}
	return err == nil
}

// analysisMaterial returns the material for the figures and the report of an analysis.
func analysisMaterial(d *analysis.Document) *figure.Material {
	return &figure.Material{Dir: ".", Name: fmt.Sprintf("%s of %s on %s", d.Measure, num.Counted(d.Subjects, "subject"), num.Counted(d.Items, "item")), Analysis: d}
}

// openAnalysis reads the analysis in a directory.
func openAnalysis(dir string) (*figure.Material, error) {
	m, fsys, err := analysisPart(dir)
	if err != nil {
		return nil, err
	}
	content, err := fs.ReadFile(fsys, analysis.DocumentFile)
	if err != nil {
		return nil, err
	}
	d, err := analysis.Read(content, func(name string) (*table.Table, error) {
		if t := m.Find(name); t != nil {
			return tabular.Read(fsys, t)
		}
		return nil, nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return analysisMaterial(d), nil
}

// analysisPart returns the manifest of the analysis in a directory, and its files. The error is a Hint if a file was changed,
// or if an older version of the program wrote them.
func analysisPart(dir string) (*part.Manifest, fs.FS, error) {
	fsys := os.DirFS(dir)
	m, err := part.Read(fsys, part.Analysis)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("a file is missing, or an older version of this program wrote the analysis: %w", err)
	}
	if err != nil {
		return nil, nil, results.Hinted(fmt.Errorf("%s: %w", dir, err), "rerun achilles analyse DIR --out %s --force", expr.Quote(dir))
	}
	return m, fsys, nil
}

// writeAnalysis writes an analysis of the data of parents, its report and its manifest.
func writeAnalysis(d *analysis.Document, parents map[string]string, to *store.Draft) error {
	files, err := filesOfAnalysis(d, parents)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		err = cmp.Or(err, to.Put(path, files[path]))
	}
	return err
}

// filesOfAnalysis returns the files of an analysis of the data of parents, path → content.
func filesOfAnalysis(d *analysis.Document, parents map[string]string) (map[string][]byte, error) {
	content, err := d.JSON()
	if err != nil {
		return nil, err
	}
	m := part.New(part.Analysis, parents, d.Settings)
	files := map[string][]byte{}
	put := func(path string, content []byte, t *table.Table) {
		files[path] = content
		m.Add(path, content, t)
	}
	put(analysis.DocumentFile, content, nil)
	for _, t := range d.Files() {
		put(t.Name+".csv", tabular.CSV(t), t)
	}
	files[part.ManifestFile] = m.Encode()
	files["report/"+reportFile], err = report.Analysis(analysisMaterial(d)).Encode()
	return files, err
}
