package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"achilles/battery/tables"
	"achilles/infer/adaptive"
	"achilles/infer/layout"
	"achilles/scenarios/setting"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A nexting is a question about what a subject takes next.
type nexting struct {
	Responses string  `setting:"responses,flag" doc:"table of the responses so far, in their order: columns item and response (default: none)"`
	Subject   string  `setting:"subject,flag" doc:"a subject of DIR, whose responses there count, too (default: a new subject)"`
	Layout    string  `setting:"layout,flag" doc:"layout, by name or file (default: that of the result)"`
	As        string  `setting:"as,flag" doc:"the result of infer --as NAME"`
	SD        float64 `setting:"sd,flag" limits:"[0, 1)" doc:"stop when the posterior SD of every capability is at most this proportion of its range, or of the SD of subjects where it has none; 0: never"`
	Items     int     `setting:"items,flag" limits:"[1, 1000000]" doc:"stop after this many responses of the table"`
	Order     string  `setting:"order,flag" choices:"precision, information" doc:"choose for the precision of capabilities, or for the information about all parameters"`
}

func nextCommand(a *app) *cobra.Command {
	q := nexting{Items: 1_000_000, Order: adaptive.ByPrecision}
	var form showing
	c := &cobra.Command{
		Use:   "next DIR",
		Short: "Which item a subject should take next, or that it has taken enough",
		Long: `Next reads the responses that a subject has given so far, and prints the most informative item of DIR, with the largest posterior SD
of a capability that is expected after it, and the next best ones; or says that the subject has taken enough, and why.
Responses are interpreted by the layout of the inference in DIR and, where it inferred items together with subjects, by the draws of
the items. Run it after every response.`,
		Args: cobra.ExactArgs(1),
		Example: `  achilles next results/matrix
  achilles next results/matrix --responses docs/examples/taken.csv --sd 0.5
  achilles next results/quickstart --layout op-fixed --items 20 --format json`,
	}
	setting.Of(&q).Flags(c.Flags())
	form.flags(c)
	c.RunE = a.do(func(ctx context.Context, args []string) error { return q.next(ctx, a, args[0], &form) })
	return c
}

// alternatives is the number of items that are printed.
const alternatives = 5

func (q *nexting) next(ctx context.Context, a *app, dir string, form *showing) error {
	from := itemSource{dir: dir, layout: q.Layout, as: q.As, subject: q.Subject}
	defer from.close()
	if err := from.open(a); err != nil {
		return err
	}
	if from.subject = namesIn(from.d).id(q.Subject); q.Subject != "" && !slices.Contains(from.data.Subjects, from.subject) {
		return usagef("--subject %s: %s has no such subject%s", q.Subject, dir, expr.Hint(q.Subject, from.data.Subjects))
	}
	items := &from.data.Items
	var taken []record.Response
	known := from.given()
	if !from.of.Joint() {
		taken = known
	}
	given := len(taken)
	if q.Responses != "" {
		more, err := q.read(from.data, from.of)
		if err != nil {
			return err
		}
		taken = append(taken, more...)
	}
	models, err := from.models(items.Len())
	if err != nil {
		return err
	}
	c, err := adaptive.New(models, items, adaptive.Settings{Items: q.Items + given, SD: q.SD, Order: q.Order}, from.subject)
	if err != nil {
		return err
	}
	for i, x := range taken {
		if slices.ContainsFunc(taken[:i], func(o record.Response) bool { return o.Item == x.Item && o.Measure == x.Measure }) && i >= given {
			return fmt.Errorf("%s: item %s has two responses: an item is chosen for one", q.Responses, items.ID[x.Item])
		}
		if err := c.Record(ctx, int(x.Item), []record.Response{x}); err != nil {
			return err
		}
	}
	if alike := from.alike(); alike != "" {
		a.note("%s", alike)
	}
	responses := len(known) + len(taken) - given
	t := q.table(&from, c, responses)
	if form.format != "text" || form.where != "" || form.by != "" {
		return form.print(a, t)
	}
	a.printEach(t)
	a.say("%s", q.sentence(&from, c, responses))
	return nil
}

// table returns what is known of each capability and the best items; none if the subject has taken enough.
func (q *nexting) table(from *itemSource, c *adaptive.Chooser, taken int) *table.Table {
	now, why := c.LargestSD(), c.Enough()
	var best []adaptive.Candidate
	if best = c.Best(alternatives); why != "" {
		best = []adaptive.Candidate{{Item: -1, Information: math.NaN(), P: math.NaN(), SD: math.NaN()}}
	}
	number := func(col table.Column, of func(x adaptive.Candidate) float64) table.Field[adaptive.Candidate] {
		return table.Col(col, func(x adaptive.Candidate) table.Value {
			if math.IsNaN(of(x)) {
				return table.None
			}
			return table.Float(of(x))
		})
	}
	expected := table.Column{Name: "p", Head: "P(success)", Digits: 2, Doc: "probability that this subject passes the item"}
	switch f := from.of.Responses[0].Family; {
	case f == layout.Choice:
		expected = table.Column{Name: "expected", Digits: 2, Doc: "category, numbered from 0, of this subject's response"}
	case f.Continuous():
		expected = table.Column{Name: "expected", Digits: 2, Doc: "score of this subject's response"}
	}
	t := table.Table{Name: "next", Title: "Most informative next items", Key: []string{"item"}, Foot: []string{"SD: the largest posterior SD of a capability, as a proportion of its range or, where it has none, of the SD of subjects."}}
	if why != "" {
		t.Title = "Stop"
	}
	return table.Of(t, best, []table.Field[adaptive.Candidate]{
		table.Col(table.Column{Name: "item", Kind: table.Text}, func(x adaptive.Candidate) table.Value {
			if x.Item < 0 {
				return table.None
			}
			return table.String(from.data.Items.ID[x.Item])
		}),
		number(table.Column{Name: "sd_after", Head: "SD after", Digits: 3, Doc: "the largest that is expected after a response to the item"}, func(x adaptive.Candidate) float64 { return x.SD }),
		number(table.Column{Name: "sd_now", Head: "SD now", Digits: 3}, func(adaptive.Candidate) float64 { return now }),
		number(expected, func(x adaptive.Candidate) float64 { return x.P }),
		number(table.Column{Name: "information", Digits: 3, Unit: "nats", Doc: "expected from a response to the item, about all parameters"}, func(x adaptive.Candidate) float64 { return x.Information }),
		table.Col(table.Column{Name: "responses", Kind: table.Count, Hidden: true, Doc: "so far"}, func(adaptive.Candidate) table.Value { return table.Int(taken) }),
		table.Col(table.Column{Name: "stop", Kind: table.Text, Hidden: why == "", Doc: "why the subject has taken enough: sd, items, or all"}, func(adaptive.Candidate) table.Value { return table.Named(why) }),
	})
}

// sentence says what to do.
func (q *nexting) sentence(from *itemSource, c *adaptive.Chooser, taken int) string {
	after := fmt.Sprintf("After %s the largest posterior SD of a capability is %.3f", num.Counted(taken, "response"), c.LargestSD())
	switch c.Enough() {
	case adaptive.Reached:
		return fmt.Sprintf("Stop: %s, at most %g as asked.", strings.ToLower(after[:1])+after[1:], q.SD)
	case adaptive.Took:
		return fmt.Sprintf("Stop: %s were allowed. %s.", num.Counted(q.Items, "item"), after)
	case adaptive.AllGone:
		return fmt.Sprintf("Stop: no item is left. %s.", after)
	}
	best := c.Best(1)[0]
	one := ""
	if adaptive.ByTrial(from.of) {
		one = "one trial of "
	}
	return fmt.Sprintf("Next: %s%s. %s, %.3f expected after it.", one, from.data.Items.ID[best.Item], after, best.SD)
}

// read reads the responses so far.
func (q *nexting) read(d *record.Dataset, l *layout.Layout) (out []record.Response, err error) {
	files, err := appendFiles(nil, q.Responses)
	if err != nil {
		return nil, err
	}
	t, err := tables.ReadTable(files, tables.Reading{})
	if err != nil {
		return nil, err
	}
	measure := 0
	item, value := -1, -1
	for k, head := range t.Header {
		m := slices.IndexFunc(d.Manifest.Measures, func(m record.Measure) bool { return m.Name == head })
		switch low := strings.ToLower(head); {
		case low == "item" || low == "id":
			item = k
		case m >= 0:
			measure, value = m, k
		case low == "response" || low == "score" || low == "value" || low == "correct":
			value = k
		}
	}
	if item < 0 || value < 0 {
		return nil, fmt.Errorf("%s: the columns item and response are needed, and it has %s", t.Name, strings.Join(t.Header, ", "))
	}
	for i, row := range t.Rows {
		at := slices.Index(d.Items.ID, row[item])
		if at < 0 {
			return nil, fmt.Errorf("%s: there is no item %s%s", t.At(i), row[item], expr.DidYouMean(row[item], d.Items.ID))
		}
		y, err := response(row[value], l, d.Manifest.Measures[measure])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.At(i), err)
		}
		out = append(out, record.Response{Item: int32(at), Measure: uint8(measure), Value: y})
	}
	return out, nil
}

// response reads a response to a measure: one of the categories of the layout, numbered from 0; a score that its family can have; or a success or a failure.
func response(text string, l *layout.Layout, m record.Measure) (float64, error) {
	categories, family := 2, layout.Bernoulli
	for i := range l.Responses {
		if r := &l.Responses[i]; r.Measure == m.Name {
			if family = r.Family; family == layout.Choice {
				categories = len(r.Args)
			}
		}
	}
	y, err := strconv.ParseFloat(text, 64)
	if family.Continuous() {
		switch {
		case err == nil && family == layout.Normal && !math.IsInf(y, 0) && !math.IsNaN(y), err == nil && 0 < y && y < 1, err == nil && family == layout.ZeroOneInflatedBeta && (y == 0 || y == 1):
			return y, nil
		case family == layout.Normal:
			return 0, fmt.Errorf("response %q: want a number", text)
		case family == layout.Beta:
			return 0, fmt.Errorf("response %q: want a score between 0 and 1, neither of which layout %s can have", text, l.Name)
		}
		return 0, fmt.Errorf("response %q: want a score from 0 to 1", text)
	}
	switch strings.ToLower(text) {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	if err == nil && y >= 0 && y < float64(categories) && y == math.Trunc(y) {
		return y, nil
	}
	if categories > 2 {
		return 0, fmt.Errorf("response %q: want a category, numbered from 0 to %d", text, categories-1)
	}
	return 0, errors.New("response " + strconv.Quote(text) + ": want 1 for a success or 0 for a failure")
}
