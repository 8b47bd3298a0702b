package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/render/figure/chart"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/sim/store"
)

func (a *app) calibrateLayoutCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "calibrate NAME_OR_FILE DIR",
		Short: "Check a layout's posteriors by simulation-based calibration, with its power to detect planted errors",
		Long: `Calibrate draws subjects from the layout's prior, simulates and fits their responses to the items of DIR and ranks every true
parameter, and the joint log likelihood, among posterior draws. Ranks are uniform if the posteriors are calibrated on
average. p is exact, for the largest departure of the ranks' distribution function. Errors are then planted in the fits, and
power is the proportion of sets of half the replications that detect them.`,
		Example: "  achilles layouts calibrate constant results/quickstart --replications 40 --figure ranks.svg",
		Args:    cobra.ExactArgs(2),
	}
	replications := c.Flags().Int("replications", 200, "how many subjects to simulate, at least 20")
	in := newMeasuring()
	in.set.Flags(c.Flags(), "seed", "engine", "jobs")
	out := c.Flags().String("figure", "", "draw the ranks and their band into this file, .png or .svg")
	force := c.Flags().Bool("force", false, "overwrite the figure")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if *out != "" && !isPicture(*out) {
			return usagef("--figure %s; it must end in .png or .svg", *out)
		}
		in.LayoutRef = args[0]
		j, err := a.inferring(in, true, false)
		if err != nil {
			return err
		}
		j.Progress = a.progress("calibrate")
		d, err := results.Open(args[1])
		if err != nil {
			return err
		}
		defer d.Close()
		public, err := d.Public()
		if err != nil {
			return err
		}
		res, err := infer.Calibrate(ctx, public, j.Job, *replications)
		if err != nil {
			return err
		}
		if a.printCalibration(res); *out == "" {
			return nil
		}
		b, err := drawn(calibrationFigure(res), "Ranks of "+args[0]+" among posterior draws", filepath.Ext(*out))
		if err != nil {
			return err
		}
		return store.WriteFile(*out, b, *force)
	})
	return c
}

// calibrationFigure returns a figure with a panel for every quantity. A panel has the distribution of the ranks that
// simulation-based calibration gives the true values among posterior draws: one line for the fits, and one for each
// error that was planted in them.
func calibrationFigure(c *infer.Calibration) chart.Figure {
	line := func(name string, ranks []int) chart.RankLine {
		l := chart.RankLine{Name: name, Below: make([]float64, len(c.Lower))}
		for i := range l.Below {
			for _, r := range ranks {
				if r <= i {
					l.Below[i] += 1 / float64(len(ranks))
				}
			}
		}
		return l
	}
	var panels []chart.CalibrationPanel
	for i, q := range c.Quantities {
		panel := chart.CalibrationPanel{Name: q.Name, Lines: []chart.RankLine{line("as fitted", q.Ranks)}}
		for _, p := range c.Planted {
			panel.Lines = append(panel.Lines, line(p.Name, p.Ranks[i]))
		}
		panels = append(panels, panel)
	}
	return chart.Calibration(panels, c.Lower, c.Upper)
}

func (a *app) printCalibration(c *infer.Calibration) {
	quantities, planted := c.Tables()
	a.stdout.Write(tabular.Text(quantities, a.width()))
	a.printEach(planted)
	least := 1.0
	for _, q := range c.Quantities {
		least = min(least, q.P)
	}
	verdict := "no evidence of miscalibration"
	if least < c.Alarm/float64(len(c.Quantities)) {
		verdict = "posteriors are miscalibrated"
	}
	fmt.Fprintf(a.stdout, "\n%s (alarm rate %g over all quantities)\n", verdict, c.Alarm)
}
