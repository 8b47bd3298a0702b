package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"achilles/battery/tables"
	"achilles/infer"
	"achilles/infer/layout"
	"achilles/render/figure"
	"achilles/scenarios"
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
	"achilles/sim/table"
)

// A predicting is what is asked about items that nobody took.
type predicting struct {
	items, layout string
	as            string
	decimal       string
	grid, at      []string
	weights       string
	within        string
	level, safe   float64
	figure        string
	force         bool
	form          showing
}

func predictCommand(a *app) *cobra.Command {
	var p predicting
	c := &cobra.Command{
		Use:   "predict DIR",
		Short: "Predict responses to items that were not taken",
		Long: `Predict prints the expected response of every subject, for a success its probability, to the items of DIR that it has not
taken, to those of a table with the layout's columns, or to a grid over some of them. Nothing is refitted. The interval says how well the
subject is known. With --safe it prints the probability that the expected response is at least so much, and judges: safe
or unsafe where that is certain at --level, else undecided. Predictions are by the layout alone, also where a candidate set was compared:
capabilities averaged over explanations, which compare takes, say what a subject can do, not what a fraudster or one who guesses does.

A grid takes the other columns from the items of DIR: the median of numbers and the most frequent text, or what --at
says. Beside each cell stands what the subject did on items nearest to it; where it did nothing, the layout alone judges.
--figure draws the grid: a curve for a column of numbers, otherwise cells.

--weights prints one expected response per subject, for the mixture of tasks that a deployment has: groups of DIR's items, or
of --items, each with its weight. --within NAME keeps, for each subject, only items that it would pass if it had all of the
capability NAME: with the probability --level the expected response would be at least --safe (0.8). Failures on these items
are due to a lack of NAME; a failure on other items says nothing about it.`,
		Example: `  achilles predict results/quickstart --grid timeUnderOcclusion=0:4:5 --grid numPositions=0,5,11 --at occluder=1
  achilles predict results/quickstart --grid timeUnderOcclusion=0:4:5 --grid numPositions=0,5,11 --safe 0.8 --figure safe.svg
  achilles predict results/quickstart --weights lava=0:1,1:3 --safe 0.8
  achilles predict results/quickstart --within op
  achilles predict results/quickstart --items new.csv --safe 0.9 --where 'safe < 0.95' --format csv`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&p.items, "items", "", "table of the items, with columns named as those of DIR's items")
	c.Flags().StringVar(&p.decimal, "decimal", "", "decimal sign of that table, . or , (default: found out)")
	c.Flags().StringArrayVar(&p.grid, "grid", nil, "a column and its values, COLUMN=FROM:TO:NUMBER or COLUMN=A,B,C; may be given several times")
	c.Flags().StringArrayVar(&p.at, "at", nil, "value of a column that the grid does not vary, COLUMN=VALUE; may be given several times")
	c.Flags().StringVar(&p.weights, "weights", "", "a column of the items, its groups and their weights, COLUMN=A:2,B:1")
	c.Flags().StringVar(&p.within, "within", "", "a capability; keep only items that each subject would pass if it had all of it")
	c.Flags().Float64Var(&p.level, "level", 0.9, "probability inside the intervals, above 0, below 1")
	c.Flags().Float64Var(&p.safe, "safe", 0, "threshold of the expected response, above 0")
	c.Flags().StringVar(&p.layout, "layout", "", "the layout of the result, if it is not a shipped one")
	asFlag(c, &p.as)
	c.Flags().StringVar(&p.figure, "figure", "", "file to draw a --grid into, .png or .svg")
	c.Flags().BoolVar(&p.force, "force", false, "overwrite that file")
	p.form.flags(c)
	c.RunE = a.do(func(_ context.Context, args []string) error { return p.predict(a, args[0]) })
	return c
}

func (p *predicting) predict(a *app, dir string) error {
	switch {
	case p.within != "" && (p.items != "" || p.grid != nil || p.weights != ""):
		return usagef("--within is for the items of DIR: omit --items, --grid and --weights")
	case p.weights != "" && p.grid != nil:
		return usagef("--weights is for items: omit --grid")
	case p.items != "" && p.grid != nil:
		return usagef("--items and --grid both name items: omit one")
	case p.decimal != "" && p.decimal != "." && p.decimal != ",":
		return usagef("--decimal must be . or ,")
	case p.at != nil && p.grid == nil:
		return usagef("--at is for a --grid")
	case p.figure != "" && (p.grid == nil || !isPicture(p.figure)):
		return usagef("--figure is for a --grid, a file that ends in .png or .svg")
	case !(p.level > 0 && p.level < 1):
		return usagef("--level must be above 0 and below 1")
	case !(p.safe >= 0):
		return usagef("--safe must be above 0")
	}
	d, err := openChecked(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	public, err := d.Public()
	if err != nil {
		return err
	}
	res, err := resultOf(d, p.as)
	if err != nil {
		return err
	}
	if res.Settings.Layout.Name == "" {
		return fmt.Errorf("%s has no responses, and so no layout that predicts", dir)
	}
	l, err := layoutOfResult(a, res, p.layout, d)
	if err != nil {
		return err
	}
	t, show, err := p.table(a, public, res, l)
	if err != nil {
		return err
	}
	if t, err = p.form.chosen(t); err != nil {
		return err
	}
	if p.figure != "" {
		if err := p.draw(t, show); err != nil {
			return err
		}
		a.note("figure in %s", p.figure)
	}
	return a.printAs(t, p.form.format)
}

// table returns what is expected, and the columns of a grid.
func (p *predicting) table(a *app, public fs.FS, res *infer.Result, l *layout.Layout) (t *table.Table, show []string, err error) {
	if p.within != "" {
		t, err = infer.WithinLimits(public, res, l, infer.Within{Capability: p.within, Limit: cmp.Or(p.safe, 0.8), Level: p.level})
		return t, nil, err
	}
	u, err := p.unseen(a, public, l)
	if err != nil {
		return nil, nil, err
	}
	if p.weights == "" {
		t, err = infer.PredictUnseen(public, res, l, *u)
		return t, u.Show, err
	}
	x := infer.Mixture{Items: u.Items, Level: p.level, Safe: p.safe}
	if err := weights(&x, p.weights); err != nil {
		return nil, nil, err
	}
	t, err = infer.PredictMixture(public, res, l, x)
	return t, nil, err
}

// weights reads COLUMN=A:2,B:1.
func weights(x *infer.Mixture, text string) error {
	column, list, ok := strings.Cut(text, "=")
	if !ok || column == "" || list == "" {
		return usagef("--weights %s: a column, = and its groups are needed, such as lava=0:1,1:3", text)
	}
	x.Column = column
	for _, g := range strings.Split(list, ",") {
		at := strings.LastIndex(g, ":")
		if at < 1 {
			return usagef("--weights %s: %q: want a group and its weight, such as 1:3", text, g)
		}
		w, err := strconv.ParseFloat(g[at+1:], 64)
		switch {
		case err != nil || !(w > 0) || w > 1e9:
			return usagef("--weights %s: the weight of %s must be a number above 0, at most 1e9", text, g[:at])
		case slices.Contains(x.Groups, g[:at]):
			return usagef("--weights %s: group %s is given twice", text, g[:at])
		}
		x.Groups, x.Weight = append(x.Groups, g[:at]), append(x.Weight, w)
	}
	return nil
}

// draw draws the grid over columns into the file.
func (p *predicting) draw(t *table.Table, columns []string) error {
	f, err := figure.Predicted(t, columns, p.safe)
	if err != nil {
		return err
	}
	if f.Empty() {
		return errors.New("there is no prediction to draw")
	}
	b, err := drawn(f, t.Title, filepath.Ext(p.figure))
	if err != nil {
		return err
	}
	return store.WriteFile(p.figure, b, p.force)
}

// layoutOfResult returns the layout by which a result was made: the one in the file ref, a shipped one, the one that the result keeps, or the one that ask keeps in its
// directory.
func layoutOfResult(a *app, res *infer.Result, ref string, d *results.Dir) (*layout.Layout, error) {
	made := res.Settings.Layout
	if ref == "" {
		l, err := score.LayoutOf(a.layouts, res)
		if l == nil && err == nil {
			if own, no := a.layout(filepath.ToSlash(d.Path(layoutFile))); no == nil && infer.DigestOf(own).SHA256 == made.SHA256 {
				return own, nil
			}
			err = notHere(made.Name, d)
		}
		return l, err
	}
	l, err := a.layout(ref)
	if err == nil && infer.DigestOf(l).SHA256 != made.SHA256 {
		err = fmt.Errorf("--layout %s is not the layout of the result, which is called %s and has the SHA-256 %s", ref, made.Name, made.SHA256)
	}
	return l, err
}

// notHere says that the text of a result's layout is in no place that the program knows, and what to do.
func notHere(name string, d *results.Dir) error {
	if slices.Contains(scenarios.Layouts(), name) { // of an older version of the program, which kept no text
		return results.Hinted(fmt.Errorf("layout %s has changed since the result was made", name), "%s takes the present one; --layout names a file of the old one", results.InferAgain(d, part.Inferred))
	}
	return results.Hinted(fmt.Errorf("layout %s of the result is not a shipped one", name), "name its file with --layout")
}

// unseen returns the items of the table or of the grid.
func (p *predicting) unseen(a *app, public fs.FS, l *layout.Layout) (*infer.Unseen, error) {
	data, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	u := &infer.Unseen{Level: p.level, Safe: p.safe}
	if p.grid != nil {
		return u, p.gridItems(a, u, &data.Items, l)
	}
	if p.items == "" { // those of the data
		return u, nil
	}
	files, err := appendFiles(nil, p.items)
	if err != nil {
		return nil, err
	}
	t, err := tables.ReadTable(files, tables.Reading{Decimal: p.decimal})
	if err != nil {
		return nil, err
	}
	features := append(slices.Clone(data.Manifest.Features), record.Feature{Name: record.Position, Kind: record.Number})
	var ignored []string
	u.Items, ignored, err = tables.NewItems(t, features)
	if ignored != nil {
		a.note("columns of %s that the items of these results do not have are ignored: %s", p.items, strings.Join(ignored, ", "))
	}
	return u, err
}

// grid sets the items of a grid, and the columns that it shows.
func (p *predicting) gridItems(a *app, u *infer.Unseen, taken *record.Items, l *layout.Layout) error {
	var axes []infer.Axis
	for _, g := range p.grid {
		x, err := axis(g)
		if err != nil {
			return err
		}
		axes, u.Show = append(axes, x), append(u.Show, x.Column)
	}
	for _, x := range p.at {
		name, value, ok := strings.Cut(x, "=")
		if !ok || value == "" {
			return usagef("--at %s: a column, = and its value are needed", x)
		}
		axes, u.Fixed = append(axes, infer.Axis{Column: name, Values: []string{value}}), append(u.Fixed, name)
	}
	items, held, err := infer.Grid(taken, l, axes)
	if err != nil {
		return usagef("--grid: %w", err)
	}
	if held != nil {
		a.note("held fixed: %s", strings.Join(held, ", "))
	}
	u.Items = items
	return nil
}

// axis reads COLUMN=FROM:TO:NUMBER or COLUMN=A,B,C.
func axis(text string) (x infer.Axis, err error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || list == "" {
		return x, usagef("--grid %s: a column, = and its values are needed, such as memory=0:5:6 or cover=cup,grid", text)
	}
	parts := strings.Split(list, ":")
	if len(parts) == 1 {
		return infer.Axis{Column: name, Values: strings.Split(list, ",")}, nil
	}
	wrong := usagef("--grid %s: FROM:TO:NUMBER are two numbers and how many values from one to the other, 2 to %d", text, infer.MaxGrid)
	if len(parts) != 3 {
		return x, wrong
	}
	from, err1 := strconv.ParseFloat(parts[0], 64)
	to, err2 := strconv.ParseFloat(parts[1], 64)
	n, err3 := strconv.Atoi(parts[2])
	if err1 != nil || err2 != nil || err3 != nil || n < 2 || n > infer.MaxGrid {
		return x, wrong
	}
	x.Column = name
	for i := range n {
		x.Values = append(x.Values, strconv.FormatFloat(from+(to-from)*float64(i)/float64(n-1), 'g', 12, 64))
	}
	return x, nil
}
