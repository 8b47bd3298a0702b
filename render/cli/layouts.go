package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/scenarios/results"
	"achilles/sim/conf"
	"achilles/sim/store"
)

// shipped returns the name and the text of a shipped file, or of a file of the user. If ref has no slash and no dot, it
// is the name of a shipped file of a folder; otherwise it is a path. kind names the sort of file in errors.
func shipped(kind, ref, folder string) (file, text string, err error) {
	if !strings.ContainsAny(ref, "/.\\") {
		b, err := scenarios.FS.ReadFile(strings.TrimPrefix(folder+"/"+ref+".toml", "./"))
		if err != nil {
			return "", "", results.Hinted(fmt.Errorf("no %s is called %q", kind, ref), "use one of %s, or a path to a .toml file", strings.Join(scenarios.Shipped(folder), ", "))
		}
		return ref + ".toml", string(b), nil
	}
	b, err := store.ReadFile(ref, conf.MaxBytes)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", kind, err)
	}
	return filepath.Base(ref), string(b), nil
}

func (a *app) layoutsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "layouts",
		Short: "List, show, write, check and calibrate measurement layouts",
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
	c.AddCommand(show, a.newLayoutCommand(), a.checkLayoutCommand(), a.calibrateLayoutCommand())
	return c
}

// layout reads a layout: a shipped one by its name, or one from a file. It parses each once.
func (a *app) layout(ref string) (*layout.Layout, error) {
	if l := a.layouts[ref]; l != nil {
		return l, nil
	}
	file, text, err := shipped("layout", ref, "layouts")
	if err != nil {
		return nil, err
	}
	l, err := layout.Parse(file, text)
	if err == nil {
		a.layouts[ref] = l
	}
	return l, err
}

func (a *app) listLayouts() error {
	return a.list("layout", scenarios.Layouts(), func(name string) (string, error) {
		l, err := a.layout(name)
		if err != nil {
			return "", err
		}
		return l.Doc, nil
	})
}

func (a *app) showLayout(ref string, dot, toml bool) error {
	if toml { // even of one with faults
		_, text, err := shipped("layout", ref, "layouts")
		fmt.Fprint(a.stdout, text)
		return err
	}
	l, err := a.layout(ref)
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
