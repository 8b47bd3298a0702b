package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/scenarios/results"
)

// shipped finds a text by name among the embedded ones, or reads a file: a name has no slash and no extension.
func shipped(kind, ref, folder string) (file, text string, err error) {
	if !strings.ContainsAny(ref, "/.\\") {
		b, err := scenarios.FS.ReadFile(strings.TrimPrefix(folder+"/"+ref+".toml", "./"))
		if err != nil {
			return "", "", results.Hinted(fmt.Errorf("no %s is called %q", kind, ref), "shipped are %s; a path to a .toml file works too", strings.Join(scenarios.Shipped(folder), ", "))
		}
		return ref + ".toml", string(b), nil
	}
	b, err := os.ReadFile(ref)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", kind, err)
	}
	return filepath.Base(ref), string(b), nil
}

func (a *app) layoutsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "layouts",
		Short: "List, show and check measurement layouts",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, args []string) error { return c.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the shipped layouts", Args: cobra.NoArgs,
		Example: `  achilles layouts list`,
		RunE:    a.do(func(context.Context, []string) error { return a.listLayouts() }),
	})
	show := &cobra.Command{
		Use: "show NAME_OR_FILE", Short: "Print a layout's graph: names, links and priors", Args: cobra.ExactArgs(1),
		Example: "  achilles layouts show op\n  achilles layouts show op --dot",
	}
	dot := show.Flags().Bool("dot", false, "print the graph for Graphviz instead")
	toml := show.Flags().Bool("toml", false, "print the layout's file instead")
	show.RunE = a.do(func(_ context.Context, args []string) error { return a.showLayout(args[0], *dot, *toml) })
	c.AddCommand(show, a.checkLayoutCommand())
	return c
}

func (a *app) listLayouts() error {
	for _, name := range scenarios.Layouts() {
		file, text, err := shipped("layout", name, "layouts")
		if err != nil {
			return err
		}
		l, err := layout.Parse(file, text)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%-12s %s\n", name, l.Doc)
	}
	return nil
}

func (a *app) showLayout(ref string, dot, toml bool) error {
	file, text, err := shipped("layout", ref, "layouts")
	if err != nil {
		return err
	}
	if toml {
		fmt.Fprint(a.stdout, text)
		return nil
	}
	l, err := layout.Parse(file, text)
	if err != nil {
		return err
	}
	if dot {
		fmt.Fprint(a.stdout, l.DOT())
		return nil
	}
	fmt.Fprint(a.stdout, l.Show())
	return nil
}

func (a *app) checkLayoutCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "check NAME_OR_FILE [DIR]",
		Short: "Check a layout; with a directory, say which of its parameters the battery can identify",
		Long: `Check reads a layout and reports what is wrong with it. With a results directory it binds the layout to the items
and, before anyone is measured, simulates subjects from the layout's own prior, fits them and compares posterior with
prior: a contraction near 1 means that the battery tells the parameter, near 0 that it does not.`,
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
		n := *jobs
		if n == 0 {
			n = runtime.GOMAXPROCS(0)
		}
		return a.identify(ctx, args[1], infer.Config{Seed: *seed, LayoutFile: file, LayoutText: text, Draws: 500, Jobs: n, Progress: a.progress("simulate")}, *subjects)
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
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "parameter\tprior\tprior sd\tposterior sd\tcontraction\tRMSE\t(%d simulated subjects)\n", subjects)
	for _, x := range ids {
		fmt.Fprintf(w, "%s\t%s\t%.3g\t%.3g\t%.2f\t%.3g\t%s\n", x.Parameter, x.Prior, x.PriorSD, x.PosteriorSD, x.Contraction, x.Error, identified(x.Contraction))
	}
	return w.Flush()
}

// identified puts a contraction in words; the bounds are the usual reading of 1 − variance ratio: below a half, more than
// two thirds of the prior's spread are left.
func identified(contraction float64) string {
	switch {
	case contraction >= 0.9:
		return "identified"
	case contraction >= 0.5:
		return "partly identified"
	}
	return "not identified by this battery"
}
