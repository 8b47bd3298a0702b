package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"achilles/battery"
	"achilles/infer/adaptive"
	"achilles/infer/compare"
	"achilles/render/figure"
	"achilles/render/figure/chart"
	"achilles/render/tabular"
	"achilles/scenarios/generate"
	"achilles/scenarios/power"
	"achilles/scenarios/scenario"
	"achilles/scenarios/setting"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/store"
)

// A designing is a question about a battery before anybody has taken it: what so many items will tell.
type designing struct {
	power.Settings
	SD         float64  `setting:"sd,flag" limits:"[0, 1)" doc:"how many items until the posterior SD of every capability is this proportion of its range, or of the SD of subjects where it has none"`
	Difference float64  `setting:"difference,flag" limits:"[0, 10]" doc:"a difference to be found, in the same proportion: how many items until it is found between two subjects, and how many subjects per group until it is found between groups"`
	Stratify   string   `setting:"stratify,flag" doc:"a column of items: the form has as many items of each of its values"`
	Table      string   `setting:"table,flag" choices:"course, form, information, curves" doc:"print this table alone: course (precision by number of items), form (the most informative set of items), information (of all items over a capability) or curves (of each item)"`
	Order      string   `setting:"order,flag" choices:"precision, information" doc:"how the next item is chosen for a subject (default: precision)"`
	Layout     string   `setting:"layout,flag" doc:"layout, by name or file (default: that of the result or the scenario)"`
	As         string   `setting:"as,flag" doc:"the result of infer --as NAME"`
	Changes    []string `setting:"set,flag,each" doc:"change a key of the scenario first, as KEY=VALUE; may be given several times"`
	Out        string   `setting:"out,flag" doc:"file for a figure of all pairs of a scenario's subjects, or of --table information or curves, .png or .svg"`
	Force      bool     `setting:"force,flag" doc:"overwrite existing output"`

	set *setting.Set
}

// mostPowered is the largest number of subjects of which all pairs are compared.
const mostPowered = 120

// usualItems is the number of items of a design that says none, if there are more.
const usualItems = 50

// usualSimulated is the number of simulated subjects of a design that says none.
const usualSimulated = 40

func designCommand(a *app) *cobra.Command {
	q := designing{Settings: power.Settings{Runs: 10}, Order: adaptive.ByPrecision}
	var form showing
	c := &cobra.Command{
		Use:   "design DIR_OR_SCENARIO",
		Short: "How many items or subjects until a difference is found, and which items are most informative",
		Long: `Design simulates --runs subjects who take --items items of a scenario's battery or of a results directory. Subjects are drawn by a
layout (default: that of the inference) and, where the inference estimated items, too, by their posterior draws. Design prints, by
number of items, the mean posterior SD of every capability if items are chosen one by one, if all subjects get the best form (with
--stratify, as many items of each level), and if items are drawn at random; the difference between two subjects that is found with
probability 0.8; and, with --difference, the number of subjects per group at which it is found between groups.

For a scenario without --sd, --difference, --stratify and --table it simulates the subjects that have rules and an agent type,
classifies them by the candidate set as infer does (docs/theory/classification.md), and prints the proportion classified correctly and
the pairs that the items do not distinguish by a likelihood ratio of 20 to 1. No data are needed.`,
		Args: cobra.ExactArgs(1),
		Example: `  achilles design op-burden --items 150 --out power.svg
  achilles design op-burden --layout op-fixed --items 60 --sd 0.2 --difference 0.5 --runs 4
  achilles design op-burden --layout op-fixed --items 24 --stratify task --table form`,
	}
	q.set = setting.Of(&q)
	q.set.Flags(c.Flags())
	form.flags(c)
	c.RunE = a.do(func(ctx context.Context, args []string) error { return q.design(ctx, a, args[0], &form) })
	return c
}

// powerCommand is the former name of design for scenarios.
func powerCommand(a *app) *cobra.Command {
	c := designCommand(a)
	c.Use, c.Hidden = "power NAME_OR_FILE", true
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		a.note("achilles scenarios power is now achilles design; the old name will be removed")
		return run(c, args)
	}
	return c
}

// design answers.
func (q *designing) design(ctx context.Context, a *app, ref string, form *showing) error {
	if q.Out != "" && !isPicture(q.Out) {
		return usagef("--out %s: want a file that ends in .png or .svg", q.Out)
	}
	if form.where != "" || form.by != "" || form.format != "text" {
		q.Table = cmp.Or(q.Table, "course")
	}
	if isResults(ref) {
		if q.Changes != nil {
			return usagef("--set is for scenarios")
		}
		from := itemSource{dir: ref, layout: q.Layout, as: q.As}
		defer from.close()
		if err := from.open(a); err != nil {
			return err
		}
		return q.course(ctx, a, &from, form)
	}
	if q.As != "" {
		return usagef("--as is for a results directory")
	}
	in := newMeasuring()
	s, err := loadScenario(ref, q.Changes, in)
	if err != nil {
		return err
	}
	q.Seed = cmp.Or(q.Seed, s.Seed)
	if q.SD == 0 && q.Difference == 0 && q.Stratify == "" && q.Table == "" {
		return q.power(ctx, a, s, in)
	}
	b, err := s.MakeBattery(ctx, q.Seed, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	c, err := (&generate.Session{Battery: b, Root: q.Seed}).Candidates()
	if err != nil {
		return err
	}
	from := itemSource{data: c.Public}
	if err := from.by(a, cmp.Or(q.Layout, in.LayoutRef)); err != nil {
		return err
	}
	return q.course(ctx, a, &from, form)
}

// course prints what simulated subjects show of the items.
func (q *designing) course(ctx context.Context, a *app, from *itemSource, form *showing) error {
	items := &from.data.Items
	if q.Table == "information" || q.Table == "curves" {
		return q.curves(a, from, form)
	}
	if q.Out != "" {
		return usagef("--out is for --table information, --table curves, and the pairs of a scenario's subjects")
	}
	if q.Items > items.Len() {
		return usagef("--items %d: there are only %d", q.Items, items.Len())
	}
	n := cmp.Or(q.Items, min(items.Len(), usualItems))
	models, err := from.models(n)
	if err != nil {
		return err
	}
	var strata []string
	if q.Stratify != "" {
		if strata, err = labels(items, q.Stratify); err != nil {
			return err
		}
	}
	best, err := adaptive.Form(models[0], items, n, strata)
	if err != nil {
		return err
	}
	if q.Table == "form" {
		return form.print(a, adaptive.FormTable(items, best, q.Stratify, strata))
	}
	if !q.set.Given("runs") {
		q.Runs = usualSimulated
	}
	study := adaptive.Study{Models: models, Candidates: items, Settings: adaptive.Settings{Items: n, Order: q.Order}, Form: best, Subjects: max(2, q.Runs),
		Root: q.Seed, Jobs: runtime.GOMAXPROCS(0), Progress: a.progress("simulate")}
	courses, err := study.Run(ctx)
	if err != nil {
		return err
	}
	if alike := from.alike(); alike != "" {
		a.note("%s", alike)
	}
	t := adaptive.CourseTable(courses, q.Difference)
	if q.Table != "" {
		return form.print(a, t)
	}
	a.printEach(t)
	about := from.about
	if adaptive.ByTrial(from.of) {
		about += ", one trial of each"
	}
	a.say("%s, %s: %s simulated.\n", num.Counted(items.Len(), "item"), about, num.Counted(study.Subjects, "subject"))
	for _, line := range adaptive.Answers(courses, q.SD, q.Difference) {
		a.say("%s", line)
	}
	return nil
}

// mostCurves is the largest number of items whose curves are drawn.
const mostCurves = 8

// curves prints, and draws, what items tell over each capability.
func (q *designing) curves(a *app, from *itemSource, form *showing) error {
	items := &from.data.Items
	models, err := from.models(1)
	if err != nil {
		return err
	}
	curves, err := adaptive.Curves(models[0], items)
	if err != nil {
		return err
	}
	t, axis := adaptive.InformationTable(curves, adaptive.EffectOfAll(from.within(), items.Len())), "information"
	if q.Table == "curves" {
		t, axis = adaptive.CurvesTable(items, curves), "expected response"
	}
	if t, err = form.chosen(t); err != nil {
		return err
	}
	if q.Out != "" {
		shown := map[string]bool{} // items
		for row := range t.Rows {
			if q.Table == "curves" {
				shown[t.Value(row, "item").Text()] = true
			}
		}
		if len(shown) > mostCurves {
			return usagef("--out: the curves of %d items are unreadable in one figure: choose at most %d with --where 'item == \"%s\" || …'; --table information draws all together", len(shown), mostCurves, items.ID[0])
		}
		var panels []chart.Panel
		for _, c := range curves {
			if n := len(panels); n == 0 || panels[n-1].Title != c.Capability {
				panels = append(panels, chart.Panel{Title: c.Capability})
			}
			p := &panels[len(panels)-1]
			if q.Table == "information" {
				p.Add("all items", chart.Point{X: c.At, Y: num.Mean(c.Information) * float64(items.Len())})
				continue
			}
			for i, y := range c.Expected {
				if !shown[items.ID[i]] {
					continue
				}
				p.Add(items.ID[i], chart.Point{X: c.At, Y: y})
			}
		}
		low, high := 0.0, 1.0
		for _, p := range panels {
			for _, s := range p.Series {
				for _, x := range s.Points {
					high = max(high, x.Y)
				}
			}
		}
		picture, err := drawn(chart.LinePanels("capability", axis, panels, 3, low, high), t.Title, filepath.Ext(q.Out))
		if err == nil {
			err = store.WriteFile(q.Out, picture, q.Force)
		}
		if err != nil {
			return err
		}
		a.note("figure in %s", q.Out)
	}
	return a.printAs(t, form.format)
}

// labels returns the values of a column of items as text.
func labels(items *record.Items, name string) ([]string, error) {
	c, ok := items.Column(name)
	if !ok {
		names := []string{"suite", "paradigm", "task"}
		for i := range items.Columns {
			names = append(names, items.Columns[i].Name)
		}
		return nil, fmt.Errorf("--stratify %s: items have no such column%s", name, expr.Listed(name, "They have", names))
	}
	out := make([]string, items.Len())
	for i := range out {
		switch {
		case c.Missing != nil && c.Missing[i]:
		case c.Kind == record.Text:
			out[i] = c.Text[i]
		default:
			out[i] = fmt.Sprint(c.Number[i])
		}
	}
	return out, nil
}

func (q *designing) power(ctx context.Context, a *app, s *scenario.Scenario, in *measuring) error {
	b, err := s.MakeBattery(ctx, q.Seed, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	q.Items = cmp.Or(q.Items, b.Items.Len())
	if q.Items > b.Items.Len() {
		return usagef("--items %d: the battery of %s has only %d", q.Items, s.Name, b.Items.Len())
	}
	subjects, err := power.Subjects(s, &b, q.Seed)
	if err != nil {
		return err
	}
	switch {
	case len(subjects) == 0:
		return fmt.Errorf("scenario %s has no subject with rules: power needs known response probabilities", s.Name)
	case len(subjects) > mostPowered:
		return fmt.Errorf("scenario %s has %d subjects with rules: at most %d are compared; reduce count in its populations", s.Name, len(subjects), mostPowered)
	}
	if q.Runs > 0 {
		if err := predictTypes(ctx, a, &b, subjects, in, q.Settings); err != nil {
			return err
		}
	}
	pairs := power.Pairs(subjects, q.Items, q.Seed)
	a.stdout.Write(tabular.Text(power.Undistinguished(subjects, pairs, q.Items), a.width()))
	if q.Out == "" {
		return nil
	}
	var names []string
	for _, x := range subjects {
		names = append(names, x.Name)
	}
	f := figure.Power(names, pairs)
	picture, err := drawn(f, fmt.Sprintf("Pairs of subjects distinguished by %d items of %s", q.Items, s.Name), filepath.Ext(q.Out))
	if err != nil {
		return err
	}
	if err := store.WriteFile(q.Out, picture, q.Force); err != nil {
		return err
	}
	a.say("figure in %s", q.Out)
	return nil
}

// predictTypes prints how often simulated runs of subjects are classified correctly by the layout and the candidate set of an
// inference. It says so if there is nothing to predict.
func predictTypes(ctx context.Context, a *app, b *battery.Battery, subjects []power.Subject, in *measuring, q power.Settings) error {
	if !slices.ContainsFunc(subjects, func(x power.Subject) bool { return x.Family != "" }) {
		return nil
	}
	source, err := readBank(in.BankRef)
	if err != nil {
		return err
	}
	if source == nil || in.LayoutRef == "" {
		a.say("no agent types are predicted: the scenario names no candidate set; --set inference.candidates=op names one\n\n")
		return nil
	}
	set, err := compare.Parse(*source)
	if err != nil {
		return err
	}
	l, err := a.layout(in.LayoutRef)
	if err != nil {
		return err
	}
	c, err := power.NewClassifier(&generate.Session{Battery: *b, Root: q.Seed}, set, l)
	if err != nil {
		a.say("no agent types are predicted: %v\n\n", err)
		return nil
	}
	list, err := c.Predict(ctx, subjects, q.Items, q.Runs, q.Seed, runtime.GOMAXPROCS(0), a.progress("classify"))
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s\n%s\n", tabular.Text(power.ByType(list), a.width()), tabular.Text(power.Classified(list, q.Items), a.width()))
	return nil
}
