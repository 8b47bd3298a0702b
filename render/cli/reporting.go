package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/render/figure"
	"achilles/render/replay"
	"achilles/render/report"
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/sim/expr"
	"achilles/sim/record"
	"achilles/sim/store"
)

func reportCommand(a *app) *cobra.Command {
	var force bool
	var published string
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Write a report of results or of an analysis, as one HTML page",
		Long: `Report writes DIR/report/index.html: the result in a sentence, warnings, classifications, recovery, profiles,
prediction, observers, and the figures, each with the command that regenerates it. The two leading figures are also saved as
SVG. DIR is a results directory or one that analyse has written. The page is self-contained. It uses the output of
score and does not open the seal.`,
		Example: `  achilles report results/quickstart
  achilles report results/quickstart-analysis`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite another report")
	publishedFlag(c, &published)
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if isAnalysis(args[0]) {
			return whileLocked(args[0], func() error { return reportAnalysis(a, args[0], force) })
		}
		publishedElsewhere(a, published)
		return writeInto(args[0], func(d *results.Dir) error {
			ends, err := reportOn(a, d, force)
			for _, e := range ends {
				a.say("%s", e)
			}
			return err
		})
	})
	return c
}

// reportFile is the name of the page in the folder of the report.
const reportFile = "index.html"

// reportOn writes the report of a results directory, and enters in the ledger the digests of the parts that it was made
// from. It returns lines that say where the page is and what to type next.
func reportOn(a *app, d *results.Dir, force bool) ([]string, error) {
	m, read, err := materialOf(a, d)
	if err != nil {
		return nil, err
	}
	made := report.Results(m, next(d, m, m.Dir))
	if err := playIn(made, d, m); err != nil {
		return nil, err
	}
	page, err := made.Encode()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{reportFile: page}
	for _, e := range m.Leading() {
		if f := e.Make(); !f.Empty() {
			files[figureFile(e.Name)+".svg"] = f.SVG(e.Title)
		}
	}
	if err := m.Err(); err != nil {
		return nil, err
	}
	if err := d.PutReport(files, read, force); err != nil {
		return nil, err
	}
	name := expr.Quote(filepath.ToSlash(d.String()))
	return []string{"Report: " + filepath.Join(d.Path(results.ReportPart), reportFile), "Tables: achilles show " + name, "Next: " + next(d, m, name)}, nil
}

// playIn adds a player of the most wrong predictions to the page of a directory that has trajectories.
func playIn(page *report.Page, d *results.Dir, m *figure.Material) (err error) {
	if m.Scores == nil || len(m.Scores.Misses) == 0 {
		return nil
	}
	archive, err := replay.Open(os.DirFS(d.String()))
	if errors.Is(err, replay.ErrNoEpisodes) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	made, err := playerOf(archive, d.String(), nil)
	if err != nil {
		return err
	}
	made.Title = "Episodes"
	fragment, err := made.Fragment()
	if err == nil {
		page.Play(fragment)
	}
	return err
}

// next returns the command that the user should type next. name is the results directory in that command.
func next(d *results.Dir, m *figure.Material, name string) string {
	switch {
	case m.Scores == nil && m.Result != nil:
		return "achilles score " + name
	case m.Scores == nil && m.Public.Manifest.Answered():
		return "achilles infer " + name + " --layout NAME"
	case m.Scores == nil:
		return "achilles infer " + name
	case m.Public.Manifest.Watchable() || d.Has(results.BodiesPart):
		return "achilles view " + name
	}
	return "achilles export figures " + name + " --out figures"
}

// materialOf reads and verifies what was published, inferred and scored. read has the digests of the parts that it was made
// from. It opens no seal.
func materialOf(a *app, d *results.Dir) (m *figure.Material, read map[string]string, err error) {
	m = &figure.Material{Dir: "."} // the page shows commands to type in the directory itself, so that its path does not matter
	in, scores, err := score.Stored(d)
	if err != nil {
		return nil, nil, err
	}
	if in == nil {
		m.Public, read, err = public(d)
		if err == nil {
			m.Name = suite(m.Public)
		}
		return m, read, err
	}
	m.Public, m.Result, m.Scores, m.Name = in.Public, in.Result, scores, suite(in.Public)
	read = in.Digests()
	if scores != nil {
		m.Name, read = cmp.Or(scores.Name, m.Name), scores.Read()
	}
	inferred, err := d.Inferred()
	if err != nil {
		return nil, nil, err
	}
	in.Layouts = a.layouts
	chances, err := score.NewChances(*in)
	if err != nil {
		return nil, nil, err
	}
	if chances != nil {
		m.Chances = chances.Shown()
	}
	m.Frames, err = in.Result.Moments(inferred, 0) // the first shard is a random sample: items are sorted by random ids
	return m, read, err
}

// suite returns the name of the suite if all items are of the same one, otherwise "Results".
func suite(d *record.Dataset) string {
	names := slices.Clone(d.Items.Suite)
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 1 && names[0] != "" {
		return names[0]
	}
	return "Results"
}

func reportAnalysis(a *app, dir string, force bool) error {
	m, err := openAnalysis(dir)
	if err != nil {
		return err
	}
	page, err := report.Analysis(m).Encode()
	if err != nil {
		return err
	}
	d, err := store.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if files := map[string][]byte{reportFile: page}; !d.Same("report", files) {
		if err := d.Write("report", files, force); err != nil {
			return err
		}
	}
	a.say("report in %s", filepath.Join(dir, "report", reportFile))
	return nil
}

// publishedFlag declares --published for commands that had it before grades were read from the scores.
func publishedFlag(c *cobra.Command, published *string) {
	c.Flags().StringVar(published, "published", "", "")
	_ = c.Flags().MarkHidden("published") // the only error is that there is no such flag
}

// publishedElsewhere says that published values are named to score.
func publishedElsewhere(a *app, published string) {
	if published != "" {
		a.note("--published is now an option of score; the page shows the published values that its grades have")
	}
}

// figureFile returns the name of a figure's file without extension: the figure's name without path separators.
func figureFile(name string) string {
	return strings.NewReplacer("/", "-", "\\", "-", ":", "-").Replace(name)
}
