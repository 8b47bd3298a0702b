package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"achilles/battery/bib"
	"achilles/render/figure/chart"
	"achilles/render/tabular"
	"achilles/sim/record"
	"achilles/sim/store"
)

func motionCommand(a *app) *cobra.Command {
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "motion DIR...",
		Short: "Summarise how actors move in the episodes of one or more results directories",
		Long: `Motion measures every distinct trial of the episodes in DIR/public, in pixels and frames: how long actors walk, how much
longer than needed, how near to walls, where they stop, and where objects are. For every statistic it prints the minimum,
quartiles, maximum and mean; with --out it also draws the distributions. Generated episodes can thus be
compared with the benchmark's own, which achilles import bib reads (docs/theory/bib.md).`,
		Args: cobra.MinimumNArgs(1),
		Example: `  achilles scenarios motion results/bib results/real
  achilles scenarios motion results/bib results/real --out motion.svg`,
	}
	c.Flags().StringVar(&out, "out", "", "file for a figure of the distributions, .png or .svg")
	c.Flags().BoolVar(&force, "force", false, "overwrite existing output")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if out != "" && !isPicture(out) {
			return usagef("--out %s: want a file that ends in .png or .svg", out)
		}
		samples, err := motion(a, args)
		if err != nil || out == "" {
			return err
		}
		b, err := drawn(distributions(args, samples), "Episodes, trial by trial", filepath.Ext(out))
		if err != nil {
			return err
		}
		if err := store.WriteFile(out, b, force); err != nil {
			return err
		}
		a.say("figure in %s", out)
		return nil
	})
	return c
}

// distributions draws samples of several directories side by side.
func distributions(dirs []string, samples []bib.Sample) chart.Figure {
	var list []chart.Distribution
	for k, name := range bib.MeasureNames() {
		d := chart.Distribution{Measure: name}
		for i := range samples {
			d.Samples = append(d.Samples, chart.Sample{Name: filepath.Base(dirs[i]), Values: samples[i].Values[k]})
		}
		list = append(list, d)
	}
	return chart.Distributions(list)
}

// motion measures the episodes of results directories, and prints the measures.
func motion(a *app, dirs []string) ([]bib.Sample, error) {
	samples := make([]bib.Sample, len(dirs))
	var names []string
	for i, dir := range dirs {
		trials, err := differentTrials(dir)
		if err != nil {
			return nil, err
		}
		for k := range trials {
			samples[i].Add(&trials[k])
		}
		names = append(names, fmt.Sprintf("%s (%d trials)", filepath.Base(dir), len(trials)))
	}
	_, err := a.stdout.Write(tabular.Text(bib.Spreads(names, samples), a.width()))
	return samples, err
}

// differentTrials returns the trials of the episodes of a results directory. A trial that several videos share is there
// once.
func differentTrials(dir string) ([]record.SceneTrial, error) {
	items, err := watchedIn(dir)
	if err != nil {
		return nil, err
	}
	seen := map[[sha256.Size]byte]bool{}
	var trials []record.SceneTrial
	for _, item := range items {
		for _, v := range item.Videos {
			for _, t := range append(slices.Clone(v.Familiarisation), v.Test) {
				text, err := json.Marshal(t)
				if err != nil {
					return nil, err
				}
				if sum := sha256.Sum256(text); !seen[sum] {
					seen[sum] = true
					trials = append(trials, t)
				}
			}
		}
	}
	return trials, nil
}
