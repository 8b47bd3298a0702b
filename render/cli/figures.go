package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"achilles/render/figure"
	"achilles/render/figure/chart"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/store"
)

// pictureScale is the number of pixels per point of a PNG file. It is enough for print at the width of a column.
const pictureScale = 2

// figureCommand returns the subcommand of export that draws one figure.
func figureCommand(a *app) *cobra.Command {
	var out, published string
	var force bool
	c := &cobra.Command{
		Use:   "figure NAME DIR…",
		Short: "Write one figure of results or of an analysis, as PNG or SVG",
		Long: `Figure draws one of the figures of a results directory, or of one that analyse has written. docs/guide/report.md lists them.
The figures size and orders take several results directories, and draw the error of recovery against the number of items;
orders joins those whose directories are in one folder.`,
		Example: `  achilles export figure recovery results/quickstart --out recovery.svg
  achilles export figure grids results/quickstart-analysis --out grids.png`,
		Args: cobra.MinimumNArgs(2),
	}
	c.Flags().StringVar(&out, "out", "", "file to write, .png or .svg (required)")
	publishedFlag(c, &published)
	c.Flags().BoolVar(&force, "force", false, "overwrite existing output")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if !isPicture(out) {
			return usagef("export figure needs --out: a file that ends in .png or .svg")
		}
		if len(args) > 2 && args[0] != "size" && args[0] != "orders" {
			return usagef("only the figures size and orders take several directories: name one")
		}
		publishedElsewhere(a, published)
		title, f, err := drawFigure(a, args[0], args[1:])
		if err != nil {
			return err
		}
		if f.Empty() {
			return fmt.Errorf("%s has nothing to draw in figure %s", args[1], args[0])
		}
		b, err := drawn(f, title, filepath.Ext(out))
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

// isPicture reports whether a figure can be written into a file of this name.
func isPicture(file string) bool { return filepath.Ext(file) == ".png" || filepath.Ext(file) == ".svg" }

// figuresCommand returns the subcommand of export that draws all figures.
func figuresCommand(a *app) *cobra.Command {
	var format, published string
	c := &cobra.Command{
		Use:     "figures DIR",
		Short:   "Write all figures of a report into a folder",
		Example: `  achilles export figures results/quickstart --out figures --format png`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&format, "format", "svg", "svg or png")
	publishedFlag(c, &published)
	return a.writes(c, "directory", "", func(_ context.Context, args []string, to destination) error {
		if format != "svg" && format != "png" {
			return usagef("format %q; it must be svg or png", format)
		}
		publishedElsewhere(a, published)
		m, closeDir, err := figured(a, args[0])
		if err != nil {
			return err
		}
		defer closeDir()
		files := map[string][]byte{}
		for _, e := range m.Entries() {
			if e.Section == "" {
				continue
			}
			f := e.Make()
			if f.Empty() {
				continue
			}
			if files[figureFile(e.Name)+"."+format], err = drawn(f, e.Title, "."+format); err != nil {
				return err
			}
		}
		if err := m.Err(); err != nil {
			return err
		}
		if len(files) == 0 {
			return howToFigure(args[0], fmt.Errorf("%s: %w", args[0], figure.ErrNoFigures))
		}
		if err := store.Write(to.out, files, to.force); err != nil {
			return err
		}
		a.say("%d figures in %s", len(files), to.out)
		return nil
	})
}

// figured reads the material for the figures of a results directory or of an analysis. Figures read draws and predictions while they are
// made: closeDir is called when all are.
func figured(a *app, dir string) (m *figure.Material, closeDir func(), err error) {
	if isAnalysis(dir) {
		if m, err = openAnalysis(dir); m != nil {
			m.Dir = dir
		}
		return m, func() {}, err
	}
	d, err := openChecked(dir)
	if err != nil {
		return nil, nil, err
	}
	m, _, err = materialOf(a, d)
	if err != nil {
		d.Close()
		return nil, nil, err
	}
	m.Dir = dir
	return m, func() { d.Close() }, nil
}

func drawFigure(a *app, name string, dirs []string) (title string, f chart.Figure, err error) {
	var ms []*figure.Material
	for _, dir := range dirs {
		m, closeDir, err := figured(a, dir)
		if err != nil {
			return "", f, err
		}
		defer closeDir()
		ms = append(ms, m)
	}
	switch name {
	case "size":
		f, err = figure.Size(ms)
		return "Recovery against the size of the battery", f, err
	case "orders":
		f, err = figure.Orders(ms)
		return "Recovery against the number of items taken", f, err
	}
	e, err := ms[0].Find(name)
	if err != nil {
		return "", f, howToFigure(dirs[0], err)
	}
	f = e.Make()
	return e.Title, f, ms[0].Err()
}

// howToFigure returns err. If err says that a results directory has no figures yet, howToFigure adds a hint: the
// command of the next stage.
func howToFigure(dir string, err error) error {
	if !errors.Is(err, figure.ErrNoFigures) || isAnalysis(dir) {
		return err
	}
	d, opening := results.Open(dir)
	if opening != nil {
		return err
	}
	defer d.Close()
	if !d.Has(seal.InferredPart) {
		return results.Hinted(err, "%s", d.HowToInfer())
	}
	return results.Hinted(err, "achilles score %s", expr.Quote(dir))
}

func drawn(f chart.Figure, title, ext string) ([]byte, error) {
	if ext == ".svg" {
		return f.SVG(title), nil
	}
	return f.PNG(title, pictureScale)
}
