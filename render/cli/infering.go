package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/scenarios/scenario"
	"achilles/sim/record"
	"achilles/sim/store"
)

// measuring are the flags of whatever infers.
type measuring struct {
	layout                      string
	chains, warmup, draws, jobs int
	engine                      string
	seed                        uint64
	noPredict, force            bool
	bank                        string  // of rivals
	looking                     looking // at episodes
}

// workers is the number of goroutines.
func (m *measuring) workers() int {
	if m.jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return m.jobs
}

func (m *measuring) sampling(c *cobra.Command) {
	d := infer.Default()
	c.Flags().IntVar(&m.chains, "chains", 0, fmt.Sprintf("chains a subject, at least 4 (default %d)", d.Chains))
	c.Flags().IntVar(&m.warmup, "warmup", 0, fmt.Sprintf("warm-up draws a chain (default %d)", d.Warmup))
	c.Flags().IntVar(&m.draws, "draws", 0, fmt.Sprintf("draws a chain (default %d)", d.Draws))
	c.Flags().StringVar(&m.engine, "engine", "", "auto, nuts or tempered (default auto: NUTS, and the engine that moves between modes where chains are not to be believed)")
	c.Flags().StringVar(&m.bank, "bank", "", "rival layouts to compare for verdicts: a shipped bank's name, a TOML file, or none (default: the scenario's own; infer: none)")
}

func (a *app) inferCommand() *cobra.Command {
	m := &measuring{}
	c := &cobra.Command{
		Use:   "infer DIR [--layout NAME_OR_FILE]",
		Short: "Infer every subject's profile from DIR/public, or watch its episodes, blind",
		Long: `Infer fits a measurement layout to every subject's responses and writes DIR/inferred: profiles, posterior draws,
predictions of held-out responses and diagnostics. Where DIR/public has episodes, observers watch them instead, and
DIR/inferred has their surprises and beliefs. It can read DIR/public and nothing else.

An interrupted run goes on where it stopped and ends with the same bytes.`,
		Example: `  achilles infer results/quickstart --layout op --seed 1
  achilles infer results/quickstart --layout mine.toml --chains 8 --draws 2000
  achilles infer results/bib --observers achilles,hbtom`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&m.layout, "layout", "", "a shipped layout's name or a TOML file (required for responses)")
	c.Flags().Uint64Var(&m.seed, "seed", 1, "seed of the draws")
	c.Flags().IntVar(&m.jobs, "jobs", 0, "subjects at a time (default: one a processor); no result depends on it")
	c.Flags().BoolVar(&m.noPredict, "no-predict", false, "leave out the second fit, which predicts held-out responses")
	c.Flags().BoolVar(&m.force, "force", false, "overwrite an earlier result")
	m.sampling(c)
	m.looking.flags(c)
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		d, err := openResults(args[0])
		if err != nil {
			return err
		}
		defer d.close()
		return writing(d.dir, func() error { return a.inferEither(ctx, d, m) })
	})
	return c
}

// inferEither fits a layout to responses or lets observers watch episodes, whichever the public part has.
func (a *app) inferEither(ctx context.Context, d *results, m *measuring) error {
	public, err := d.public()
	if err != nil {
		return err
	}
	watched, err := isWatched(public)
	if err != nil {
		return err
	}
	if err := m.checkStage(watched); err != nil {
		return err
	}
	if watched {
		if m.looking.moments == unset {
			m.looking.moments = scenario.DefaultMoments
		}
		res, err := a.watch(ctx, d, m)
		if err != nil {
			return err
		}
		a.sumUpWatched(res, d)
		return nil
	}
	if m.layout == "" {
		return hinted(usagef("infer needs --layout"), "achilles layouts list shows the shipped ones")
	}
	res, err := a.infer(ctx, d, m)
	if err != nil {
		return err
	}
	a.sumUp(res, d)
	return nil
}

// sumUp says what was inferred and every doubt about it.
func (a *app) sumUp(res *infer.Result, d *results) {
	dg := res.Diagnostics
	fmt.Fprintf(a.stdout, "%d fits with layout %s; in %s\n", len(dg.Fits), dg.Layout, d.path("inferred"))
	fmt.Fprintf(a.stdout, "divergences %d, worst R-hat %s, least bulk ESS %s, fits with NUTS replaced %d\n", dg.Divergences, optional(dg.WorstRHat, "%.3f"), optional(dg.MinESSBulk, "%.0f"), dg.Replaced)
	a.sumUpVerdicts(res.Verdicts)
	for _, f := range dg.Fits {
		for _, w := range f.Warnings {
			a.note("warning: %s (%s rows): %s", f.Subject, f.Rows, w.Message)
		}
	}
}

func optional(x *float64, format string) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf(format, *x)
}

// infer runs the inference on a results directory, or takes what is there where it was made from the same.
func (a *app) infer(ctx context.Context, d *results, m *measuring) (*infer.Result, error) {
	file, text, err := shipped("layout", m.layout, "layouts")
	if err != nil {
		return nil, err
	}
	bank, err := readBank(m.bank)
	if err != nil {
		return nil, err
	}
	config := infer.Config{Seed: m.seed, LayoutFile: file, LayoutText: text, Bank: bank, Chains: m.chains, Warmup: m.warmup, Draws: m.draws,
		Engine: m.engine, NoPredict: m.noPredict, Jobs: m.workers(), Progress: a.progress("infer")}
	public, err := d.public()
	if err != nil {
		return nil, err
	}
	if d.has("inferred") {
		if res, err := d.sameResult(public, config); err == nil || !m.force {
			return res, err
		}
	}
	stage, err := store.NewStage(d.path("inferred"), m.force)
	if err != nil {
		return nil, overwriteHint(err)
	}
	defer stage.Abort()
	pieces := store.Pieces{Dir: d.path(".pieces")}
	res, err := infer.Run(ctx, public, config, pieces, stage)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(a.replaceInferred(d, stage), os.RemoveAll(pieces.Dir)); err != nil {
		return nil, err
	}
	return res, d.enterResult(res)
}

// sameResult returns the result that is there if the same data, layout and settings gave it.
func (d *results) sameResult(public fs.FS, c infer.Config) (*infer.Result, error) {
	res, err := d.result()
	if err != nil {
		return nil, err
	}
	want, err := infer.Expect(public, c)
	if err != nil {
		return nil, err
	}
	got := res.Manifest
	got.Files = nil
	x, err := json.Marshal(want)
	if err != nil {
		return nil, err
	}
	y, err := json.Marshal(got)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(x, y) {
		return nil, overwriteHint(fmt.Errorf("%s has a result of other data, layout or settings: it %w", d.path("inferred"), store.ErrExists))
	}
	return res, d.enterResult(res)
}

// manifestDigest is the SHA-256 of a part's manifest in hex.
func manifestDigest(root fs.FS) (string, error) {
	b, err := fs.ReadFile(root, "manifest.json")
	if err != nil {
		return "", err
	}
	return record.NewFile("manifest.json", b).SHA256, nil
}
