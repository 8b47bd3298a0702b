package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/scenarios/results"
	"achilles/scenarios/setting"
	"achilles/sim/record"
	"achilles/sim/store"
)

func newLayoutCommand(a *app) *cobra.Command {
	var sketch layout.Sketch
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "new DIR",
		Short: "Write a layout from the columns of DIR/public, ready to edit",
		Long: `New looks at the measure, the items' and the subjects' columns of DIR/public and writes a measurement layout for them: an
ability for each demand, met by product, softmin, geometric or additive pools, with a lapse and a chance rate; or one ability
against difficulties of the items; or ordered categories. Covariates of subjects, such as age, enter the means of abilities.
With --out the file is written and its graph printed, otherwise the file itself is printed.`,
		Example: `  achilles layouts new results/quickstart --out new.toml
  achilles layouts new results/quickstart --pool softmin --chance 0.25`,
		Args: cobra.ExactArgs(1),
	}
	setting.Of(&sketch).Flags(c.Flags())
	c.Flags().StringVar(&out, "out", "", "file to write (default: print it)")
	c.Flags().BoolVar(&force, "force", false, "overwrite existing output")
	c.RunE = a.do(func(_ context.Context, args []string) error { return newLayout(a, args[0], sketch, out, force) })
	return c
}

// newLayout writes a layout for the data of a results directory to a file, or prints it.
func newLayout(a *app, dir string, sketch layout.Sketch, out string, force bool) error {
	data, err := publicOf(dir)
	if err != nil {
		return err
	}
	written, err := sketch.Write(data)
	if err != nil {
		return err
	}
	if out == "" {
		fmt.Fprint(a.stdout, written.Layout.Text)
		return nil
	}
	if err := store.WriteFile(out, []byte(written.Layout.Text), force); err != nil {
		return err
	}
	a.say("%s\n\n%s", strings.Join(written.Reasons, "\n"), written.Layout.Show())
	a.note("in %s; next: achilles infer %s --layout %s", out, dir, out)
	return nil
}

// fitting adds to an error about the measures of data the names of the shipped layouts that fit the data.
func fitting(a *app, l *layout.Layout, of *record.Manifest, dir string) error {
	err := l.CheckMeasures(of.Measures)
	if err == nil {
		return nil
	}
	return results.Hinted(err, "%s", fits(a, of, dir))
}

// fits says how to write a layout for data, and which shipped ones fit them.
func fits(a *app, of *record.Manifest, dir string) string {
	var names []string
	for _, name := range scenarios.Layouts() {
		if other, err := a.layout(name); err == nil && other.CheckMeasures(of.Measures) == nil && other.HasColumns(of.Features, of.Covariates) {
			names = append(names, name)
		}
	}
	hint := fmt.Sprintf("achilles layouts new %s writes a layout for these data", dir)
	if names != nil {
		hint += "; of the shipped ones these fit: " + strings.Join(names, ", ")
	}
	return hint
}
