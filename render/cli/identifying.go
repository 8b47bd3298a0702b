package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/render/tabular"
	"achilles/scenarios/results"
)

func (a *app) checkLayoutCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "check NAME_OR_FILE [DIR]",
		Short: "Check a layout; with a directory, say which of its parameters the battery can identify",
		Long: `Check reads a layout and reports what is wrong with it. With a results directory it binds the layout to the items
and, before anyone is measured, simulates subjects from the layout's own prior, fits them and compares posterior with
prior. Contraction is 1 − posterior variance/prior variance, over subjects: near 1 the battery tells the parameter, near 0
it does not. A parameter is identified in a subject where its own contraction is 0.9 or more. Pairs of parameters whose
posterior correlation is 0.8 or more are told together and not apart.`,
		Example: "  achilles layouts check op\n  achilles layouts check op results/quickstart --subjects 20",
		Args:    cobra.RangeArgs(1, 2),
	}
	subjects := c.Flags().Int("subjects", 30, "how many subjects to simulate")
	seed := c.Flags().Uint64("seed", 1, "seed of the simulated subjects")
	jobs := c.Flags().Int("jobs", 0, "subjects at a time (default: one a processor)")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		file, text, err := shipped("layout", args[0], "layouts")
		if err != nil {
			return err
		}
		if len(args) == 1 {
			l, err := layout.Parse(file, text)
			if err == nil {
				fmt.Fprintf(a.stdout, "%s: %d parameters, %d metafeatures, no fault\n", l.Name, len(l.Parameters), len(l.Metafeatures))
			}
			return err
		}
		return a.identify(ctx, args[1], infer.Config{Seed: *seed, LayoutFile: file, LayoutText: text, Draws: 500, Jobs: cmp.Or(*jobs, runtime.GOMAXPROCS(0)), Progress: a.progress("simulate")}, *subjects)
	})
	return c
}

func (a *app) identify(ctx context.Context, dir string, c infer.Config, subjects int) error {
	d, err := results.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	public, err := d.Public()
	if err != nil {
		return err
	}
	ids, err := infer.Identify(ctx, public, c, subjects)
	if err != nil {
		return err
	}
	a.stdout.Write(tabular.Text(ids.Table(), a.width()))
	a.printEach(ids.Together())
	return nil
}
