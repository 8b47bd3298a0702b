package cli

import (
	"context"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/setting"
)

func checkLayoutCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "check NAME_OR_FILE [DIR]",
		Short: "Check a layout; with a directory, estimate how far the battery informs each parameter",
		Long: `Check reads a layout and reports what is wrong with it. With a results directory it binds the layout to the items
and, before data collection, simulates subjects from the layout's prior, fits them and compares posterior with
prior. Contraction is 1 − posterior variance/prior variance, over subjects: near 1 the items are informative, near 0
they are not. A parameter counts as identified in a subject if its contraction is 0.90 or more. Pairs of parameters whose
posterior correlation is 0.80 or more are constrained jointly, not separately.`,
		Example: "  achilles layouts check op\n  achilles layouts check op results/quickstart --subjects 20",
		Args:    cobra.RangeArgs(1, 2),
	}
	q := &struct {
		Subjects int `setting:"subjects,flag" limits:"[1, 100000]" doc:"how many subjects to simulate"`
	}{Subjects: 30}
	in := newMeasuring()
	in.Draws = 500
	setting.Of(q).Flags(c.Flags())
	in.set.Flags(c.Flags(), "seed", "jobs")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if len(args) == 1 {
			l, err := a.layout(args[0])
			if err == nil {
				err = compare.Check(compare.Text{File: l.File, Text: l.Text})
			}
			if err == nil {
				a.say("%s: %d parameters, %d metafeatures, no fault", l.Name, len(l.Parameters), len(l.Metafeatures))
			}
			return err
		}
		in.LayoutRef = args[0]
		j, err := in.inferring(a, true, false)
		if err != nil {
			return err
		}
		j.Progress = a.progress("simulate")
		return identify(ctx, a, args[1], j.Job, q.Subjects)
	})
	return c
}

func identify(ctx context.Context, a *app, dir string, j infer.Job, subjects int) error {
	d, err := results.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	public, err := d.Public()
	if err != nil {
		return err
	}
	ids, err := infer.Identify(ctx, public, j, subjects)
	if err != nil {
		return err
	}
	a.stdout.Write(tabular.Text(ids.Table(), a.width()))
	a.printEach(ids.Together(), ids.Believed())
	return nil
}
