package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/infer/table"
	"achilles/render/report"
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/scenarios/setting"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/store"
)

// Files that ask writes into the directory of results.
const (
	layoutFile = "layout.toml"
	answerFile = "answer.md"
)

func askCommand(a *app) *cobra.Command {
	q := &asking{}
	c := &cobra.Command{
		Use:   "ask PATH… [--out DIR]",
		Short: "From a table or log to an answer: import it, judge it, propose a layout, fit, compare, report",
		Long: `Ask imports files as import does, says what the table cannot tell, proposes a measurement layout with reasons (layouts new),
fits it by a normal approximation, compares its predictions of held-out responses with each subject's success rate and with
rasch, and writes the answer on one page, DIR/answer.md, and everything else to DIR/report. The mapping and the layout that it
used are DIR/mapping.toml and DIR/layout.toml, ready to edit; the page has the command that infers by them again. Where items
have several demands, it combines them by the pool with the highest evidence. Where only you can know, it stops with a question.`,
		Example: `  achilles ask docs/examples/matrix.csv --out results/matrix
  achilles ask docs/examples/maze-responses.csv docs/examples/maze-items.csv --subject animal --item arena --metric found --out results/mazes`,
		Args: cobra.ArbitraryArgs,
	}
	q.flags(c.Flags())
	q.countFlag(c.Flags())
	setting.Of(&q.sketch).Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if err := q.check(args); err != nil {
			return err
		}
		q.quiet = true
		if err := q.importing.importFiles(a); err != nil {
			return err
		}
		return writeInto(q.out, func(d *results.Dir) error { return q.ask(ctx, a, d) })
	})
	return c
}

// An asking is a question about files, and what is known of its answer.
type asking struct {
	importing
	sketch layout.Sketch

	data   *record.Dataset
	public fs.FS
	answer report.Answer
}

// ask does all that follows the import, and prints and writes the answer.
func (q *asking) ask(ctx context.Context, a *app, d *results.Dir) (err error) {
	if q.public, err = d.Public(); err != nil {
		return err
	}
	if q.data, err = record.Read(q.public); err != nil {
		return err
	}
	if err := q.question(); err != nil {
		return err
	}
	w, err := q.propose(ctx, a)
	if err != nil {
		return err
	}
	if q.answer.Judged, err = table.Judge(q.data, w.Layout.Responses[0].Measure); err != nil {
		return err
	}
	if w, err = q.fit(ctx, a, d, w); err != nil {
		return err
	}
	if err := q.beside(ctx, a, w.Layout); err != nil {
		return err
	}
	if _, err := scoreInto(a, d, score.Job{Settings: score.Settings{Force: q.force}}); err != nil {
		return err
	}
	if _, err := reportOn(a.saying(io.Discard, a.stderr), d, true); err != nil {
		return err
	}
	q.answer.Name, q.answer.Data, q.answer.Layout, q.answer.Reasons = filepath.Base(filepath.Clean(d.String())), q.data, w.Layout, w.Reasons
	again := fmt.Sprintf("achilles infer %s --layout %s", expr.Quote(filepath.ToSlash(d.String())), expr.Quote(filepath.ToSlash(d.Path(layoutFile))))
	quick := fmt.Sprintf(" --engine laplace --draws %d", quickDraws)
	q.answer.Next = []string{
		"Everything: " + filepath.ToSlash(filepath.Join(d.Path(results.ReportPart), reportFile)),
		"Infer again: " + again + quick,
		"The same without the normal approximation, which takes longer: " + again + " --engine auto --force",
	}
	if q.answer.Sampled {
		q.answer.Next = append(q.answer.Next[:1], "Infer again: "+again)
	}
	a.say("\n%s", q.answer.Text(a.width()))
	if err := d.WriteFile(answerFile, []byte(q.answer.Markdown())); err != nil {
		return err
	}
	a.say("This answer: %s", filepath.ToSlash(d.Path(answerFile)))
	return nil
}

// mostSampled is the largest number of responses that are sampled where there is no approximation.
const mostSampled = 10_000

// fit fits a layout into the directory; if there is no approximation with covariates, the same without them; and if there is none at all and
// responses are few, by sampling.
func (q *asking) fit(ctx context.Context, a *app, d *results.Dir, w *layout.Sketched) (*layout.Sketched, error) {
	err := q.keep(ctx, a, d, approximation(a, w.Layout))
	if err == nil || ctx.Err() != nil || errors.Is(err, store.ErrExists) {
		return w, err
	}
	bare := *q.data
	bare.Covariates = nil
	less, not := q.sketch.Write(&bare)
	if not == nil && less.Layout.Name != w.Layout.Name && q.keep(ctx, a, d, approximation(a, less.Layout)) == nil {
		less.Reasons = append(less.Reasons, fmt.Sprintf("covariates are left out, because the normal approximation cannot fit them; achilles layouts new %s --model %s writes the layout with them, for --engine nuts", expr.Quote(filepath.ToSlash(d.String())), cmp.Or(q.sketch.Model, "rasch")))
		return less, nil
	}
	if q.data.Responses.Len() > mostSampled || ctx.Err() != nil {
		return nil, err
	}
	a.note("the normal approximation does not apply: sampling the posterior instead")
	j := approximation(a, w.Layout)
	j.Settings = infer.Default(w.Layout)
	if q.keep(ctx, a, d, j) != nil {
		return nil, err
	}
	q.answer.Sampled = true
	w.Reasons = append(w.Reasons, "the posterior is too far from normal for the approximation, and was sampled")
	return w, nil
}

// question returns what has to be known before a layout can be proposed, as an error.
func (q *asking) question() error {
	if m := q.data.Manifest.Measures[0]; len(q.data.Manifest.Measures) == 1 && m.Family == record.Choice && q.sketch.Model == "" {
		return results.Hinted(errors.New("question: are the categories of the score ordered, with 0 the lowest?"), "if they are, give --model pcm, gpcm (items differ in discrimination) or grm (graded); if only one is right, code it 1 and the others 0")
	}
	return nil
}

// decisive is by how much more log evidence another pool is taken than the usual one: odds of 20 to 1.
const decisive = 3

// mostPooled is the largest product of responses and demands for which all pools are fitted.
const mostPooled = 50_000

// propose returns a layout. Of the pools of several demands it takes the usual one unless another has decisively more evidence of the
// responses that are not held out.
func (q *asking) propose(ctx context.Context, a *app) (*layout.Sketched, error) {
	usual, err := q.sketch.Write(q.data)
	if err == nil && q.sketch.Model == "" && usual.Demands == 0 && strings.HasPrefix(usual.Layout.Name, "2pl") {
		s := q.sketch
		if s.Model = "rasch"; s.Pool == "" {
			s.Pool = layout.NoPool
		}
		if usual, err = s.Write(q.data); err == nil {
			usual.Reasons = append(usual.Reasons, "items have no demands: difficulties are inferred (rasch). Discriminations (--model 2pl) need posterior draws, not the normal approximation")
		}
		return usual, err
	}
	if err != nil || q.sketch.Pool != "" || usual.Demands < 2 {
		return usual, err
	}
	if n := q.data.Responses.Len() * usual.Demands; n > mostPooled {
		usual.Reasons = append(usual.Reasons, fmt.Sprintf("pools (ways to combine demands) are not compared, because that takes long for %s with %s: write the others with achilles layouts new --pool, and compare them with achilles layouts compare", num.Counted(q.data.Responses.Len(), "response"), num.Counted(usual.Demands, "demand")))
		return usual, nil
	}
	compared, err := score.NewComparison(q.data, usual.Layout.Responses[0].Measure)
	if err != nil {
		return nil, err
	}
	chosen, most, first := usual, math.Inf(-1), math.Inf(-1)
	said := ""
	for _, pool := range []string{layout.Product, layout.Softmin, layout.Geometric, layout.Additive} {
		s := q.sketch
		s.Pool = pool
		w, err := s.Write(q.data)
		if err != nil {
			return nil, err
		}
		err = inferAside(ctx, q.public, approximation(a, w.Layout), func(res *infer.Result) error { return compared.Add(pool, res) })
		if ctx.Err() != nil {
			return nil, err
		}
		if said += ", " + pool; err != nil {
			said += " (not fitted: " + err.Error() + ")"
			continue
		}
		e := compared.Training()
		said += fmt.Sprintf(" %.1f", e)
		if pool == layout.Product {
			first, most = e, e
		} else if e > most && !(e < first+decisive) {
			chosen, most = w, e
		}
	}
	chosen.Reasons = append(chosen.Reasons, "pools by log evidence of the responses that are not held out:"+said[1:]+fmt.Sprintf("; product is kept unless another has at least %d more", decisive))
	q.answer.Pools = compared.Table()
	q.answer.Pools.Name, q.answer.Pools.Title = "pools", "Pools of demands compared"
	return chosen, nil
}

// keep fits a layout into the directory, with its file.
func (q *asking) keep(ctx context.Context, a *app, d *results.Dir, job infer.Job) (err error) {
	l := job.Layout
	if old, err := d.ReadFile(layoutFile); err == nil && string(old) != l.Text && !q.force {
		return fmt.Errorf("%s with another layout %w", d.Path(layoutFile), store.ErrExists)
	}
	j := &inferring{Job: job, force: q.force}
	want, err := infer.Expect(q.public, j.Job)
	if err != nil {
		return err
	}
	res, err := sameResult(d, seal.InferredPart, want)
	if err != nil && j.force || res == nil && err == nil {
		if res, err = j.inferAnew(ctx, a, d); err == nil {
			err = d.EnterInferred(res.Manifest.Parents[seal.PublicPart], false)
		}
	}
	if err != nil {
		return err
	}
	if err := d.WriteFile(layoutFile, []byte(l.Text)); err != nil {
		return err
	}
	q.answer.Result, err = openResult(d)
	return err
}

// beside compares the layout with rasch, where rasch is for these data and another.
func (q *asking) beside(ctx context.Context, a *app, l *layout.Layout) (err error) {
	c, err := score.NewComparison(q.data, l.Responses[0].Measure)
	if err != nil {
		return err
	}
	q.answer.Compared = c
	if err := c.Add(l.Name, q.answer.Result); err != nil {
		return err
	}
	s, bare := q.sketch, *q.data
	s.Pool, s.Model, s.Demands, bare.Covariates = layout.NoPool, "rasch", nil, nil
	w, err := s.Write(&bare)
	if err != nil || w.Layout.Name == l.Name { // ordered categories have no such model
		return nil
	}
	name := w.Layout.Name
	err = inferAside(ctx, q.public, approximation(a, w.Layout), func(res *infer.Result) error { return c.Add(name, res) })
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		q.answer.Unfit = fmt.Sprintf("Not compared with %s, which could not be fitted: %v.", name, err)
	default:
		q.answer.Beside = []string{name}
	}
	return nil
}
