package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/table"
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
)

func compareLayoutsCommand(a *app) *cobra.Command {
	j := infer.Job{}
	c := &cobra.Command{
		Use:   "compare DIR LAYOUT…",
		Short: "Compare layouts by their predictions of held-out responses, leave-one-out and evidence",
		Long: `Compare fits layouts, shipped ones by name or TOML files, to the responses of DIR/public, and prints how well each predicts the
held-out responses beside each subject's own success rate and, with --engine auto, the expected log density of a response that is
left out (LOO) and the log evidence. A name given to achilles infer --as stands for that result, and inferred for the one in DIR/inferred. It writes
nothing.`,
		Example: `  achilles layouts compare results/quickstart op constant`,
		Args:    cobra.MinimumNArgs(2),
	}
	f := c.Flags()
	engine := f.String("engine", string(posterior.Laplace), "inference method: laplace is quick, auto samples the posterior itself")
	f.IntVar(&j.Jobs, "jobs", 0, "subjects fitted in parallel (0: one per processor); results do not depend on it")
	f.Uint64Var(&j.Seed, "seed", 1, "seed of the draws")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		d, err := openChecked(args[0])
		if err != nil {
			return err
		}
		defer d.Close()
		public, err := d.Public()
		if err != nil {
			return err
		}
		data, err := record.Read(public)
		if err != nil {
			return err
		}
		var compared *score.Comparison
		var measure string
		start := func(of string) (err error) {
			if compared == nil {
				measure = of
				compared, err = score.NewComparison(data, of)
			}
			return err
		}
		for _, ref := range args[1:] {
			done, err := stored(d, ref)
			if err != nil {
				return err
			}
			if done != nil {
				err := start(measureOf(done, data))
				if err == nil {
					err = compared.Add(ref, done)
				}
				if err != nil {
					return err
				}
				continue
			}
			l, err := a.layout(ref)
			if err == nil {
				err = fitting(a, l, &data.Manifest, args[0])
			}
			if err == nil {
				err = start(l.Responses[0].Measure)
			}
			if err != nil {
				return err
			}
			one := approximation(a, l)
			one.Engine, one.Seed, one.Jobs = posterior.Engine(*engine), j.Seed, cmp.Or(j.Jobs, one.Jobs)
			if err := settingError(one.Check(true, false)); err != nil {
				return err
			}
			if err := inferAside(ctx, public, one, func(res *infer.Result) error { return compared.Add(l.Name, res) }); err != nil {
				return err
			}
		}
		a.printEach(compared.Table())
		parts, err := table.Parts(data, measure)
		if err != nil {
			return err
		}
		for _, f := range parts {
			a.note("warning: %s: predictions do not show who is better across parts", f.Statement())
		}
		return nil
	})
	return c
}

// stored returns the result that a directory has under a name of infer --as, or its inferred part; nil: it has none of that name.
func stored(d *results.Dir, name string) (*infer.Result, error) {
	place := part.As(name)
	if name == seal.InferredPart {
		place = name
	}
	if strings.ContainsAny(name, "/\\:") || !d.Has(place) {
		return nil, nil
	}
	return openNamed(d, place)
}

// measureOf returns the measure that a result predicts, or else the first of the data.
func measureOf(res *infer.Result, d *record.Dataset) string {
	if res.Predictions != nil {
		for list, err := range res.Predictions {
			if err == nil && len(list) > 0 {
				return list[0].Measure
			}
			break
		}
	}
	return d.Manifest.Measures[0].Name
}

// approximation returns the quick inference by a layout.
func approximation(a *app, l *layout.Layout) infer.Job {
	j := infer.Job{Settings: infer.Default(l), Layout: l}
	j.Engine, j.Draws, j.Jobs, j.Progress = posterior.Laplace, quickDraws, runtime.GOMAXPROCS(0), a.progress(l.Name)
	return j
}

// inferAside infers into a folder of its own, which is gone when use returns.
func inferAside(ctx context.Context, public fs.FS, j infer.Job, use func(*infer.Result) error) (err error) {
	dir, err := os.MkdirTemp("", "achilles-aside-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	d, err := store.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	out, err := d.Begin("inferred", false)
	if err != nil {
		return err
	}
	defer out.Abort()
	j.Scratch = store.Scratch{}
	if _, err := infer.Run(ctx, public, j, d.Pieces("pieces"), out); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	root, err := d.FS("inferred")
	if err != nil {
		return err
	}
	res, err := infer.Open(root)
	if err != nil {
		return err
	}
	return use(res)
}
