package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"achilles/agents/external/observer"
	"achilles/infer"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/store"
)

// A measuring has the flags of all commands that infer.
type measuring struct {
	layout                      string
	chains, warmup, draws, jobs int
	engine                      string
	seed                        uint64
	noPredict, force            bool
	bank                        string // name or file of a bank of rivals

	observers, programs, readers, answers []string
	timeout                               time.Duration
	moments                               int
	momentsSet                            func() bool
}

const engineHelp = "auto, nuts, tempered, laplace or marginal (default auto: NUTS, and the engine that moves between modes where chains are not to be believed)"

// flags adds the flags that run and infer share.
func (m *measuring) flags(c *cobra.Command) {
	d := infer.Default()
	f := c.Flags()
	f.IntVar(&m.chains, "chains", 0, fmt.Sprintf("chains a subject, at least 4 (default %d)", d.Chains))
	f.IntVar(&m.warmup, "warmup", 0, fmt.Sprintf("warm-up draws a chain (default %d, and 500 where all subjects are measured together)", d.Warmup))
	f.IntVar(&m.draws, "draws", 0, fmt.Sprintf("draws a chain (default %d)", d.Draws))
	f.StringVar(&m.engine, "engine", "", engineHelp)
	f.StringVar(&m.bank, "bank", "", "rival layouts to compare for verdicts: a shipped bank's name, a TOML file, or none (default: the scenario's own; infer: none)")
	f.StringSliceVar(&m.observers, "observers", nil, "who watches episodes, as names with commas between (default: all)")
	f.IntVar(&m.moments, "moments", 0, fmt.Sprintf("episodes of which what observers think is kept frame by frame (default: the scenario's number, or %d)", d.Moments))
	f.StringArrayVar(&m.programs, "outside", nil, "an observer of your own, as NAME=PROGRAM; may be given several times (docs/theory/bib.md)")
	f.StringArrayVar(&m.readers, "reader", nil, "an observer of your own that reads: it gets the episodes as text; as NAME=PROGRAM; may be given several times")
	f.DurationVar(&m.timeout, "timeout", 0, fmt.Sprintf("how long an observer of your own may take over an answer, at most %v (default: the scenario's, or %v)", scenario.MaxTimeout, observer.DefaultTimeout))
	f.StringArrayVar(&m.answers, "surprises", nil, "the answers of an observer of your own, as NAME=FILE_OR_FOLDER; may be given several times")
	m.momentsSet = func() bool { return f.Changed("moments") }
}

func (a *app) inferCommand() *cobra.Command {
	m, part := &measuring{}, &sharding{}
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
	m.flags(c)
	part.flags(c)
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		share, divided, err := part.share()
		if err != nil {
			return err
		}
		return part.within(ctx, func(ctx context.Context) error {
			if divided {
				return a.inferShare(ctx, args[0], m, share)
			}
			return writeInto(args[0], func(d *results.Dir) error { return a.infer(ctx, d, m) })
		})
	})
	return c
}

// config returns the configuration that the flags describe. It reads the files that they name.
func (m *measuring) config() (c infer.Config, asked []outsider, err error) {
	c = infer.Config{Seed: m.seed, Chains: m.chains, Warmup: m.warmup, Draws: m.draws, Engine: m.engine, NoPredict: m.noPredict,
		Jobs: m.jobs, Observers: m.observers, Moments: m.moments}
	if c.Jobs == 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	if m.momentsSet() && m.moments == 0 {
		c.Moments = -1
	}
	if m.layout != "" {
		if c.LayoutFile, c.LayoutText, err = shipped("layout", m.layout, "layouts"); err != nil {
			return c, nil, err
		}
	}
	if c.Bank, err = readBank(m.bank); err != nil {
		return c, nil, err
	}
	if m.timeout < 0 || m.timeout > scenario.MaxTimeout {
		return c, nil, usagef("--timeout %v: want more than 0, and at most %v", m.timeout, scenario.MaxTimeout)
	}
	if asked, err = m.outsiders(); err != nil {
		return c, nil, err
	}
	for _, o := range asked {
		c.Outside = append(c.Outside, o.External)
	}
	return c, asked, nil
}

// complete sets flags that were not given to the values in the scenario's section inference. noPredict always has the
// scenario's value.
func (m *measuring) complete(s *scenario.Inference) {
	set := func(x *int, v int) {
		if *x == 0 {
			*x = v
		}
	}
	set(&m.chains, s.Chains)
	set(&m.warmup, s.Warmup)
	set(&m.draws, s.Draws)
	if m.engine == "" {
		m.engine = s.Engine
	}
	if m.layout == "" {
		m.layout = s.Layout
	}
	if m.bank == "" {
		m.bank = s.Bank
	}
	m.noPredict = !s.Predict
	if m.observers == nil {
		m.observers = s.Observers
	}
	if !m.momentsSet() {
		m.moments = s.Moments
	}
	m.timeout = cmp.Or(m.timeout, s.Timeout)
}

// settingError adds the names of flags to an error of the configuration.
func settingError(err error) error {
	if errors.Is(err, infer.ErrNoLayout) {
		return results.Hinted(&usage{fmt.Errorf("%w: --layout is missing", err)}, "achilles layouts list shows the shipped ones")
	}
	var unused *infer.Inapplicable
	if errors.As(err, &unused) {
		return usagef("%w (--%s)", err, strings.Join(unused.Settings, ", --"))
	}
	return err
}

// infer runs the inference on a results directory, and prints what was inferred. If the directory already has a result
// of the same data, layout and settings, infer runs nothing and prints that result.
func (a *app) infer(ctx context.Context, d *results.Dir, m *measuring) error {
	config, asked, err := m.config()
	if err != nil {
		return err
	}
	config.Progress = a.progress("infer")
	public, err := d.Public()
	if err != nil {
		return err
	}
	want, err := infer.Expect(public, config)
	if err != nil {
		return settingError(err)
	}
	res, err := sameResult(d, want)
	if err != nil && m.force || res == nil && err == nil {
		res, err = a.inferAnew(ctx, d, config, asked, m)
	}
	if err != nil {
		return err
	}
	if err := d.EnterInferred(res.Manifest.Parents[seal.PublicPart]); err != nil {
		return err
	}
	a.sumUp(res, d)
	return nil
}

func (a *app) inferAnew(ctx context.Context, d *results.Dir, c infer.Config, asked []outsider, m *measuring) (*infer.Result, error) {
	public, err := d.Public()
	if err != nil {
		return nil, err
	}
	out, err := d.Begin(seal.InferredPart, m.force)
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	if err := a.askOutside(ctx, public, asked, m.timeout, c.Outside); err != nil {
		return nil, err
	}
	c.Scratch, c.CSV = store.Scratch{}, tabular.CSV
	res, err := infer.Run(ctx, public, c, d.Pieces(), out)
	if err != nil {
		return nil, err
	}
	return res, d.PutInferred(out)
}

// sameResult returns the result that the directory has, if it was inferred from the same data, layout and settings. It
// returns nil, nil if there is no result. The error wraps store.ErrExists if the result is of other data, layout or
// settings.
func sameResult(d *results.Dir, want *part.Manifest) (*infer.Result, error) {
	if !d.Has(seal.InferredPart) {
		return nil, nil
	}
	res, err := openResult(d)
	if err != nil {
		return nil, err
	}
	got := res.Manifest
	got.Tables, got.Files = nil, nil
	if !bytes.Equal(want.Encode(), got.Encode()) {
		return nil, fmt.Errorf("%s has a result of other data, layout or settings: it %w", d.Path(seal.InferredPart), store.ErrExists)
	}
	return res, nil
}

// openResult reads and verifies the inferred part. The error wraps results.ErrNotInferred if there is none.
func openResult(d *results.Dir) (*infer.Result, error) {
	root, err := d.Inferred()
	if err != nil {
		return nil, err
	}
	return infer.Open(root)
}

// openChecked opens a results directory and verifies everything in it that is not sealed.
func openChecked(dir string) (*results.Dir, error) {
	d, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(d.Check(), verifyInferred(d)); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// sumUp prints a summary of a result, and all warnings about it.
func (a *app) sumUp(res *infer.Result, d *results.Dir) {
	if dg := res.Diagnostics; len(dg.Fits) > 0 {
		fmt.Fprintf(a.stdout, "%d fits with layout %s; in %s\n", len(dg.Fits), dg.Layout, d.Path(seal.InferredPart))
		fmt.Fprintf(a.stdout, "divergent transitions %d, maximum R-hat %s, minimum bulk ESS %s, fits resampled with tempered %d\n", dg.Divergences, optional(dg.WorstRHat, "%.3f"), optional(dg.MinESSBulk, "%.0f"), dg.Replaced)
		if ids := dg.Identifiability; ids != nil {
			a.printEach(ids.Table(), ids.Together())
		}
		a.printEach(infer.UnitRanges(res.Units))
		if res.Verdicts == nil {
			a.printEach(dg.Misfits())
		}
		a.sumUpVerdicts(res.Verdicts)
		for _, f := range dg.Fits {
			for _, w := range f.Warnings {
				a.note("warning: %s (%s rows): %s", f.Subject, f.Rows, w.Message)
			}
		}
	}
	if len(res.Surprises) > 0 {
		videos := map[[2]string]bool{}
		items := map[string]bool{}
		for _, s := range res.Surprises {
			videos[[2]string{s.Item, s.Video}], items[s.Item] = true, true
		}
		n := len(res.Settings.Observers) + len(res.Settings.Outside)
		fmt.Fprintf(a.stdout, "%d observers watched %d videos of %d episodes; in %s\n", n, len(videos), len(items), d.Path(seal.InferredPart))
	}
}

func optional(x *float64, format string) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf(format, *x)
}
