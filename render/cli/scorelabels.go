package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"achilles/battery/tables"
	"achilles/scenarios/score"
	"achilles/sim/expr"
	"achilles/sim/record"
)

func scoreLabelsCommand(a *app) *cobra.Command {
	var of, cluster, format string
	var confusion bool
	c := &cobra.Command{
		Use:   "labels FILE --of DIR",
		Short: "Grade a judge's labels of demands against what was measured on the worlds",
		Long: `Score labels grades labels of the states that achilles export states wrote of DIR: agreement, weighted kappa, rank
correlation and bias of each demand, with intervals clustered by item. FILE is a table (CSV, TSV, JSON, Parquet or a workbook) with the
columns state, demand and level, or with the column state and one for each demand; a column judge distinguishes judges. Empty
cells are not labels, and columns of words are left out. The seal of DIR stays closed.`,
		Example: `  achilles score labels labels.csv --of results/embodied
  achilles score labels labels.csv --of results/embodied --confusion --format csv`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&of, "of", "", "results directory whose states are labelled (required)")
	c.Flags().StringVar(&cluster, "cluster", "", "text column of items by which states are clustered, such as family (default: each item)")
	c.Flags().BoolVar(&confusion, "confusion", false, "the labels of every true level, in place of the agreement")
	c.Flags().StringVar(&format, "format", "text", "text, csv, json, md, html, latex or parquet")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if of == "" {
			return usagef("score labels needs --of: the results directory whose states are labelled")
		}
		w, err := worldsOf(of)
		if err != nil {
			return err
		}
		clusters, err := clustersOf(&w.data.Items, cluster)
		if err != nil {
			return err
		}
		files, err := appendFiles(nil, args[0])
		if err != nil {
			return err
		}
		t, err := tables.ReadTable(files, tables.Reading{})
		if err != nil {
			return err
		}
		labels, err := labelsOf(t, w.demands)
		if err != nil {
			return err
		}
		graded, err := score.GradeLabels(labels, w.states, w.demands, clusters)
		if err != nil {
			return err
		}
		if len(graded) == 0 {
			return fmt.Errorf("%s: no label", args[0])
		}
		noteOutside(a, labels, w.demands)
		if confusion {
			return a.printAs(score.ConfusionTable(graded), format)
		}
		return a.printAs(score.LabelTable(graded), format)
	})
	return c
}

// noteOutside says how many labels are levels that their demand cannot have.
func noteOutside(a *app, labels []score.Label, demands []score.JudgedDemand) {
	n, first := 0, ""
	for _, x := range labels {
		i := slices.IndexFunc(demands, func(d score.JudgedDemand) bool { return d.Name == x.Demand })
		r := demands[i].Range // grading has refused labels of other demands
		if r == nil || x.Level >= r[0] && x.Level <= r[1] {
			continue
		}
		if n++; n == 1 {
			first = fmt.Sprintf("%s: %s is %g, its range is %g to %g", x.At, x.Demand, x.Level, r[0], r[1])
		}
	}
	if n > 0 {
		a.note("labels outside the range of their demand, graded as wrong: %d; the first: %s", n, first)
	}
}

// clustersOf returns the cluster of each item: a text column's value, or the item itself.
func clustersOf(items *record.Items, column string) ([]string, error) {
	if column == "" {
		return items.ID, nil
	}
	c, ok := items.Column(column)
	if ok && c.Kind == record.Text {
		return c.Text, nil
	}
	var known []string
	for _, c := range items.Columns {
		if c.Kind == record.Text {
			known = append(known, c.Name)
		}
	}
	return nil, usagef("--cluster %q is not a text column of items%s", column, expr.DidYouMean(column, append(known, "suite", "paradigm", "task")))
}

// words reports whether a column has no number: a judge's reasons stand there.
func words(t *tables.Table, column int) bool {
	return !slices.ContainsFunc(t.Rows, func(row []string) bool {
		_, err := strconv.ParseFloat(strings.TrimSpace(row[column]), 64)
		return err == nil
	})
}

// labelsOf reads the labels in a table, in either form.
func labelsOf(t *tables.Table, demands []score.JudgedDemand) (labels []score.Label, err error) {
	at := func(name string) int {
		return slices.IndexFunc(t.Header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
	}
	state, demand, level, judge := at("state"), at("demand"), at("level"), at("judge")
	long := demand >= 0 && level >= 0
	switch {
	case state < 0:
		return nil, fmt.Errorf("%s: the column state is missing: want state, demand and level, or state and a column for each demand; there are %s", t.Name, strings.Join(t.Header, ", "))
	case !long && (demand >= 0 || level >= 0):
		return nil, errors.New(t.Name + ": want both columns demand and level, or a column for each demand")
	}
	isDemand := func(name string) bool {
		return slices.ContainsFunc(demands, func(d score.JudgedDemand) bool { return d.Name == name })
	}
	for i, row := range t.Rows {
		x := score.Label{State: strings.TrimSpace(row[state]), At: t.At(i)}
		if judge >= 0 {
			x.Judge = strings.TrimSpace(row[judge])
		}
		for k, name := range t.Header {
			cell := row[k]
			switch {
			case long && k == level:
				x.Demand = strings.TrimSpace(row[demand])
			case long || k == state || k == judge:
				continue
			default:
				x.Demand = name[strings.LastIndexByte(name, '.')+1:] // of nested JSON the last key
				if !isDemand(x.Demand) && words(t, k) {
					continue
				}
			}
			if cell = strings.TrimSpace(cell); cell == "" || strings.EqualFold(cell, "na") || cell == "null" {
				continue
			}
			if x.Level, err = strconv.ParseFloat(cell, 64); err != nil || x.Level-x.Level != 0 {
				return nil, fmt.Errorf("%s: the label of %s is %q: want a number, or nothing", x.At, x.Demand, cell)
			}
			labels = append(labels, x)
		}
	}
	return labels, nil
}
