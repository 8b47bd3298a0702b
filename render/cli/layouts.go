package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"achilles/scenarios"
)

func layoutsCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "layouts",
		Short: "List, show, write, compare, check and calibrate measurement layouts",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, args []string) error { return c.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the shipped layouts", Args: cobra.NoArgs,
		Example: `  achilles layouts list`,
		RunE:    a.do(func(context.Context, []string) error { return listLayouts(a) }),
	})
	show := &cobra.Command{
		Use: "show NAME_OR_FILE", Short: "Print a layout's graph: names, links and priors", Args: cobra.ExactArgs(1),
		Example: "  achilles layouts show op\n  achilles layouts show op --dot",
	}
	dot := show.Flags().Bool("dot", false, "print the graph for Graphviz instead")
	toml := show.Flags().Bool("toml", false, "print the layout's file instead")
	show.RunE = a.do(func(_ context.Context, args []string) error { return showLayout(a, args[0], *dot, *toml) })
	c.AddCommand(show, newLayoutCommand(a), compareLayoutsCommand(a), checkLayoutCommand(a), calibrateLayoutCommand(a))
	return c
}

func listLayouts(a *app) error {
	return a.list("layout", scenarios.Layouts(), func(name string) (string, error) {
		l, err := a.layout(name)
		if err != nil {
			return "", err
		}
		return l.Doc, nil
	})
}

func showLayout(a *app, ref string, dot, toml bool) error {
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
	a.say("%s", l.Show())
	return nil
}
