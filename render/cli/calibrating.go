package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/scenarios/results"
)

func (a *app) calibrateLayoutCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "calibrate NAME_OR_FILE DIR",
		Short: "Check that a layout's posteriors are right, and which errors that would notice",
		Long: `Calibrate draws subjects from the layout's prior, lets them take the items of DIR, fits them and ranks every true
parameter, and the joint log likelihood, among posterior draws: ranks are uniform if and only if the posteriors are right on
average. p is exact, for the largest departure of the ranks' distribution function. Errors are then planted in the fits, and
power is the share of sets of half the replications that notice them.`,
		Example: "  achilles layouts calibrate constant results/quickstart --replications 40",
		Args:    cobra.ExactArgs(2),
	}
	replications := c.Flags().Int("replications", 200, "how many subjects to simulate, at least 20")
	seed := c.Flags().Uint64("seed", 1, "seed of the simulated subjects")
	jobs := c.Flags().Int("jobs", 0, "subjects at a time (default: one a processor)")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		file, text, err := shipped("layout", args[0], "layouts")
		if err != nil {
			return err
		}
		d, err := results.Open(args[1])
		if err != nil {
			return err
		}
		defer d.Close()
		public, err := d.Public()
		if err != nil {
			return err
		}
		res, err := infer.Calibrate(ctx, public, infer.Config{Seed: *seed, LayoutFile: file, LayoutText: text, Jobs: cmp.Or(*jobs, runtime.GOMAXPROCS(0)), Progress: a.progress("calibrate")}, *replications)
		if err != nil {
			return err
		}
		return a.printCalibration(res)
	})
	return c
}

func (a *app) printCalibration(c *infer.Calibration) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "quantity\tp\t(%d replications, %d without a posterior)\n", c.Replications, c.Unresolved)
	least := 1.0
	for _, q := range c.Quantities {
		fmt.Fprintf(w, "%s\t%.3f\n", q.Name, q.P)
		least = min(least, q.P)
	}
	fmt.Fprintf(w, "\nplanted error\tp\tpower of %d\tmost often by\tfitted anew\n", c.Replications/2)
	for _, p := range c.Planted {
		fmt.Fprintf(w, "%s\t%.2g\t%.2f\t%s\t%d\n", p.Name, p.P, p.Power, p.By, p.Refits)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	verdict := "no sign that posteriors are wrong"
	if least < c.Alarm/float64(len(c.Quantities)) {
		verdict = "posteriors are wrong"
	}
	fmt.Fprintf(a.stdout, "\n%s (alarm rate %g over all quantities)\n", verdict, c.Alarm)
	return nil
}
