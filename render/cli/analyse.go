package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"achilles/infer/analysis"
	"achilles/infer/predict"
	"achilles/render/format"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/store"
)

func (a *app) analyseCommand() *cobra.Command {
	var out, config, splits string
	var layouts []string
	var jobs int
	var force bool
	c := &cobra.Command{
		Use:   "analyse DIR --out DIR2",
		Short: "Describe what success depends on: correlations, conformance, characteristic grids, prediction",
		Long: `Analyse reads DIR/public, generated or imported, and describes the responses without a model of the mind behind
them: feature-success correlations, characteristic curves, conformance, agent characteristic grids, capability, and how
well success can be predicted, also under a shift of demand. With --layout, measurement layouts predict on the same
splits. It writes analysis.json and CSV tables; docs/reference/analysis.md explains them and the configuration.`,
		Example: `  achilles analyse results/quickstart --out results/quickstart-analysis`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&out, "out", "", "directory to write (required)")
	c.Flags().StringVar(&config, "config", "", "a shipped configuration's name or a TOML file: features, bins, grids, models (default: the data's declared roles)")
	c.Flags().StringArrayVar(&layouts, "layout", nil, "a measurement layout that predicts too, a shipped one's name or a TOML file; may be repeated")
	c.Flags().StringVar(&splits, "splits", "", "CSV table of splits, instead of random ones")
	c.Flags().IntVar(&jobs, "jobs", 0, "models at a time (default: one a processor); no result depends on it")
	c.Flags().BoolVar(&force, "force", false, "overwrite what is there")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if out == "" {
			return usagef("analyse needs --out: where to write")
		}
		conf, err := analysisConfig(config, splits)
		if err != nil {
			return err
		}
		conf.Layouts = append(conf.Layouts, layouts...)
		conf.Jobs = jobs
		if jobs == 0 {
			conf.Jobs = runtime.GOMAXPROCS(0)
		}
		return whileLocked(out, func() error { return a.analyse(ctx, args[0], out, conf, force) })
	})
	return c
}

// layoutPredictors reads the measurement layouts that a configuration names, binds them to the items, and adds them to
// the configuration's predictors.
func layoutPredictors(conf *analysis.Config, data *record.Dataset) error {
	for _, ref := range conf.Layouts {
		file, text, err := shipped("layout", ref, "layouts")
		if err != nil {
			return err
		}
		p, err := conf.LayoutPredictor(data, file, text)
		if err != nil {
			return err
		}
		conf.Predictors = append(conf.Predictors, p)
	}
	return nil
}

func analysisConfig(ref, splits string) (conf analysis.Config, err error) {
	conf = analysis.DefaultConfig()
	if ref != "" {
		file, text, err := shipped("analysis", ref, "analyses")
		if err != nil {
			return conf, err
		}
		if conf, err = analysis.ParseConfig(file, text); err != nil {
			return conf, err
		}
	}
	if splits != "" {
		conf.SplitsFile = filepath.Base(splits)
		conf.SplitsText, err = store.ReadFile(splits, maxInput)
	}
	return conf, err
}

func (a *app) analyse(ctx context.Context, dir, out string, conf analysis.Config, force bool) error {
	d, err := openChecked(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	public, err := d.Public()
	if err != nil {
		return err
	}
	data, err := record.Read(public)
	if err != nil {
		return err
	}
	if data.Responses.Len() == 0 {
		return results.Hinted(fmt.Errorf("%s has episodes to watch, and no responses to describe", d.Path(seal.PublicPart)), "achilles infer %s lets observers watch, achilles score %s grades them", format.Quote(dir), format.Quote(dir))
	}
	if err := layoutPredictors(&conf, data); err != nil {
		return err
	}
	w, err := store.Begin(out, force)
	if err != nil {
		return err
	}
	defer w.Abort()
	res, err := analysis.Run(ctx, data, conf)
	if err != nil {
		return err
	}
	if err := writeAnalysis(res, w); err != nil {
		return err
	}
	if err := w.Commit(); err != nil {
		return err
	}
	return a.printAnalysis(res, out)
}

// printAnalysis prints the success rate, correlations, capability and prediction metrics of an analysis, and the paths
// of its files.
func (a *app) printAnalysis(res *analysis.Analysis, out string) error {
	for _, w := range res.Warnings {
		a.note("warning: %s", w.Message)
	}
	fmt.Fprintf(a.stdout, "%d responses of %d subjects to %d items, success rate %.3f\n", res.Responses, len(res.Subjects), res.Items, res.SuccessRate)
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	if len(res.Sets) > 0 {
		fmt.Fprintf(w, "\nfeature\tSpearman\tPearson\tconformance\n")
		for _, c := range res.Sets[0].Correlations {
			fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.2f\n", c.Feature, c.Spearman.Value, c.Pearson.Value, c.Conformance.Value)
		}
	}
	if k := res.Capability; k != nil {
		fmt.Fprintf(w, "\ncapability over %s: correlation with the success rate %.3f (%d subjects)\n", k.Space, k.Pearson, len(k.Subjects))
	}
	if len(res.Prediction) > 0 {
		fmt.Fprint(w, "\nmodel")
		for _, m := range predict.Metrics() {
			fmt.Fprintf(w, "\t%s", m)
		}
		fmt.Fprintln(w, "\t(means over the splits)")
		for _, m := range res.Prediction {
			fmt.Fprint(w, m.Model)
			for _, s := range m.Summary {
				fmt.Fprintf(w, "\t%.4f", s.Mean)
			}
			fmt.Fprintln(w)
		}
	}
	printScores(w, res.Document(), res.Binary)
	fmt.Fprintf(w, "\nall tables in %s, the report in %s\n", out, filepath.Join(out, "report", reportFile))
	return w.Flush()
}

// printScores prints the scores by which papers compare models, and what is known of abilities. It prints nothing for a binary
// measure unless some published scores are configured, a model measures abilities, or there are new subjects or items.
func printScores(w io.Writer, d *analysis.Document, binary bool) {
	scores, agreement := d.Tables.Scores, d.Tables.Agreement
	titles, news := d.NewScores()
	if binary && len(agreement)+len(titles)+len(d.Tables.ShortForms) == 0 && !slices.ContainsFunc(scores, func(r analysis.ScoreRow) bool { return !math.IsNaN(r.Published) }) {
		return
	}
	printScoreRows(w, "mean ±sd over the splits", scores)
	for k, title := range titles {
		printScoreRows(w, title, news[k])
	}
	for i, r := range d.Tables.ShortForms {
		if i == 0 {
			fmt.Fprint(w, "\nnew\titems\tmodel\ttotal within 2 points\tRMSE\t90 % intervals cover\n")
		}
		fmt.Fprintf(w, "%s\t%d %s\t%s\t%s\t%s\t%s\n", r.New, r.Items, r.Way, r.Model, format.Number(r.Within, 3), format.Number(r.RMSE, 4), format.Number(r.Covered, 3))
	}
	if len(agreement) == 0 {
		return
	}
	fmt.Fprint(w, "\nability\tSpearman with success\tKendall's tau-b\tstability on halves\tnegative slopes\n")
	for _, r := range agreement {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Model, format.Number(r.Spearman, 3), format.Number(r.Kendall, 3), format.Number(r.Stability, 3), format.Number(r.Negative, 3))
	}
}

// printScoreRows prints a line for each model with its scores, their standard deviations over the splits and, below them,
// published scores.
func printScoreRows(w io.Writer, title string, scores []analysis.ScoreRow) {
	fmt.Fprint(w, "\n", title)
	for _, s := range scores {
		if s.Model != scores[0].Model {
			break
		}
		fmt.Fprintf(w, "\t%s", s.Score)
	}
	for k, first := 0, ""; k < len(scores); {
		ours, published, known := scores[k].Model, "\n  published", false
		first = ours
		for ; k < len(scores) && scores[k].Model == first; k++ {
			ours += "\t" + format.Number(scores[k].Mean, 3)
			if !math.IsNaN(scores[k].SD) {
				ours += " ±" + format.Number(scores[k].SD, 3)
			}
			published += "\t"
			if p := scores[k].Published; !math.IsNaN(p) {
				published, known = published+format.Number(p, 3), true
			}
		}
		fmt.Fprint(w, "\n", ours)
		if known {
			fmt.Fprint(w, published)
		}
	}
	fmt.Fprintln(w)
}
