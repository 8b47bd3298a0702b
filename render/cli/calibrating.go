package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/render/figure/chart"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/setting"
	"achilles/sim/store"
)

func calibrateLayoutCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "calibrate NAME_OR_FILE DIR",
		Short: "Check a layout's posteriors by simulation-based calibration, with its power to detect planted errors",
		Long: `Calibrate draws subjects from the layout's prior, simulates and fits their responses to the items of DIR and ranks every true
parameter, and the joint log likelihood, among posterior draws. Ranks are uniform if the posteriors are calibrated on
average. p is exact, for the largest deviation of the ranks' distribution function. Known errors are then planted in the fits:
power is the proportion of random halves of the replications in which the check finds them.

A replication costs as much processor time as fitting one subject to the items of DIR: half a minute with permanence-errors and
1600 items, so that 20 replications take ten minutes and 200 an hour and a half; seconds with most layouts.`,
		Example: "  achilles layouts calibrate constant results/quickstart --replications 40 --figure ranks.svg",
		Args:    cobra.ExactArgs(2),
	}
	q := &struct {
		Replications int    `setting:"replications,flag" limits:"[20, 100000]" doc:"how many subjects to simulate"`
		Figure       string `setting:"figure,flag" doc:"draw the ranks and their band into this file, .png or .svg"`
		Force        bool   `setting:"force,flag" doc:"overwrite the figure"`
	}{Replications: 200}
	in := newMeasuring()
	setting.Of(q).Flags(c.Flags())
	in.set.Flags(c.Flags(), "seed", "engine", "jobs")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if q.Figure != "" && !isPicture(q.Figure) {
			return usagef("--figure %s; it must end in .png or .svg", q.Figure)
		}
		in.LayoutRef = args[0]
		j, err := in.inferring(a, true, false)
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
		res, err := infer.Calibrate(ctx, public, j.Job, q.Replications)
		if err != nil {
			return err
		}
		if printCalibration(a, res); q.Figure == "" {
			return nil
		}
		b, err := drawn(calibrationFigure(res), "Ranks of "+args[0]+" among posterior draws", filepath.Ext(q.Figure))
		if err != nil {
			return err
		}
		return store.WriteFile(q.Figure, b, q.Force)
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

func printCalibration(a *app, c *infer.Calibration) {
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
	a.say("\n%s (false-alarm rate %g over all quantities)", verdict, c.Alarm)
}
