package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"achilles/agents/external/observer"
	"achilles/infer"
	"achilles/infer/posterior"
	"achilles/infer/table"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/scenarios/setting"
	"achilles/sim/conf"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
)

// A measuring has the settings of all commands that infer, from flags and from the section [inference] of a scenario.
type measuring struct {
	LayoutRef string `setting:"layout" of:"responses" doc:"measurement layout (required for responses): a shipped layout's name or a TOML file"`
	BankRef   string `setting:"candidates" was:"bank" of:"responses" doc:"candidate models to compare for agent types: a shipped candidate set's name, a TOML file, or none"`

	infer.Settings

	Programs []string      `setting:"outside,flag,each" of:"scenes" doc:"an external observer, as NAME=PROGRAM; may be given several times (docs/theory/bib.md)"`
	Readers  []string      `setting:"reader,flag,each" of:"scenes" doc:"a text observer, which is sent the episodes as text, as NAME=PROGRAM; may be given several times"`
	Models   []string      `setting:"language-model,flag,each" of:"scenes" doc:"a language model as a text observer, as NAME=FILE, a TOML file with the keys of such an agent; may be given several times"`
	Answers  []string      `setting:"surprises,flag,each" of:"scenes" doc:"answers of an external observer, as NAME=FILE_OR_FOLDER; may be given several times"`
	Timeout  time.Duration `setting:"timeout" of:"scenes" limits:"(0, 3600]" doc:"time limit per answer of an external observer"`

	Allow []string `setting:"allow,flag,each" doc:"file or folder that programs may read and execute, or the word network; may be given several times"`
	Force bool     `setting:"force,flag" doc:"overwrite an earlier result"`

	set       *setting.Set
	watchers  []outsider // language models among the agents of a scenario with episodes
	priorFrom string     // directory with a result whose posteriors become priors; empty: none
}

func newMeasuring() *measuring {
	m := &measuring{Settings: infer.Default(nil), Timeout: observer.DefaultTimeout}
	m.set = setting.Of(m)
	return m
}

// Data that settings are for, as tags name them.
const (
	responsesData = "responses"
	scenesData    = "scenes"
)

// read reads the section [inference] of a scenario. It is a scenario.Reader.
func (m *measuring) read(t *conf.Table, watched bool) {
	if watched {
		m.set.Read(t, scenesData)
		return
	}
	m.set.Read(t, responsesData)
}

func inferCommand(a *app) *cobra.Command {
	m, shard, in, as := newMeasuring(), &sharding{}, &handedIn{}, ""
	c := &cobra.Command{
		Use:   "infer DIR [--layout NAME_OR_FILE]",
		Short: "Infer every subject's profile from DIR/public, or let observers watch its episodes, blind",
		Long: `Infer fits a measurement layout to every subject's responses and writes DIR/inferred: profiles, posterior draws,
predictions of held-out responses and diagnostics. Where DIR/public has episodes, observers watch them instead, and
DIR/inferred has their surprises and beliefs. It can read DIR/public and nothing else. With --submission it fits
nothing, and DIR/inferred has what somebody else inferred.

--prior-from makes another result's posteriors of the same subjects the priors of this inference: first navigation, then
permanence. The posteriors are approximated, and infer prints how far the approximation is from the draws.

An interrupted run resumes where it stopped; the output is byte-identical.`,
		Example: `  achilles infer results/quickstart --layout op --seed 1
  achilles infer results/quickstart --layout mine.toml --chains 8 --draws 2000
  achilles infer results/permanence --layout op --prior-from results/navigation
  achilles infer results/bib --observers achilles,hbtom`,
		Args: cobra.ExactArgs(1),
	}
	m.set.Flags(c.Flags())
	shard.flags(c)
	in.flags(c.Flags())
	c.Flags().StringVar(&m.priorFrom, "prior-from", "", "results directory whose posteriors of the same subjects become the priors of the parameters that both layouts have")
	c.Flags().StringVar(&as, "as", "", "write to DIR/inferred-NAME, and leave DIR/inferred and its grades as they are")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if err := checkAs(as); err != nil {
			return err
		}
		if in.files != nil {
			if err := in.check(c.Flags()); err != nil {
				return err
			}
			return writeInto(args[0], func(d *results.Dir) error { return in.submitTables(a, d, m.Force) })
		}
		share, divided, err := shard.share()
		if err != nil {
			return err
		}
		if as != "" && divided {
			return usagef("--as cannot be combined with shards: omit their flags")
		}
		return shard.within(ctx, func(ctx context.Context) error {
			if divided {
				return m.inferShare(ctx, a, args[0], share)
			}
			return writeInto(args[0], func(d *results.Dir) error { return m.inferDirectory(ctx, a, d, as) })
		})
	})
	return c
}

// An inferring is an inference to do: complete settings, and the files that they name, already read.
type inferring struct {
	infer.Job
	asked   []outsider // those of Outside
	timeout time.Duration
	force   bool
	as      string   // name of a part of its own; empty: the inferred part
	allow   []string // what programs may read
}

// inferring completes the settings for data with responses or scenes, reads the files that they name, and checks all of
// it. The error wraps infer.ErrNoLayout if there are responses and no layout.
func (m *measuring) inferring(a *app, responses, scenes bool) (*inferring, error) {
	if err := m.applicable(responses, scenes); err != nil {
		return nil, err
	}
	j := &inferring{Job: infer.Job{Settings: m.Settings}, timeout: m.Timeout, force: m.Force, allow: m.Allow}
	processors := runtime.GOMAXPROCS(0)
	j.Jobs = min(cmp.Or(j.Jobs, processors), 4*processors) // more help nothing, and wait for each other
	var err error
	if m.LayoutRef != "" {
		if j.Layout, err = a.layout(m.LayoutRef); err != nil {
			return nil, err
		}
		if !m.set.Given("warmup") {
			j.Warmup = infer.Default(j.Layout).Warmup
		}
		if j.Engine == posterior.MML && !m.set.Given("draws") {
			j.Draws = quickDraws
		}
	}
	if j.Bank, err = readBank(m.BankRef); err != nil {
		return nil, err
	}
	if j.asked, err = m.outsiders(); err != nil {
		return nil, err
	}
	j.asked = append(j.asked, m.watchers...)
	for _, o := range j.asked {
		j.Outside = append(j.Outside, o.External)
	}
	return j, settingError(j.Check(responses, scenes))
}

// applicable returns an error that names the flags for which the data have no use.
func (m *measuring) applicable(responses, scenes bool) error {
	if unused := m.set.GivenFor(responsesData); !responses && unused != nil {
		return usagef("the data are scenes for observers, not responses: omit --%s", strings.Join(unused, ", --"))
	}
	if unused := m.set.GivenFor(scenesData); !scenes && unused != nil {
		return usagef("the data are responses, not scenes for observers: omit --%s", strings.Join(unused, ", --"))
	}
	return nil
}

// settingError adds the name of the flag to the error of a missing layout.
func settingError(err error) error {
	if errors.Is(err, infer.ErrNoLayout) {
		return results.Hinted(&usage{fmt.Errorf("%w: --layout is missing", err)}, "achilles layouts list shows the shipped ones")
	}
	return err
}

// inferDirectory infers from the data of a results directory, by flags alone.
func (m *measuring) inferDirectory(ctx context.Context, a *app, d *results.Dir, as string) error {
	j, err := m.inferringFrom(a, d)
	if err != nil {
		return err
	}
	if j.as = as; as != "" && len(j.asked) > 0 {
		return usagef("--as is for results of layouts: answers of external observers go to DIR/inferred")
	}
	return j.infer(ctx, a, d)
}

// inferringFrom returns the inference of the data of a results directory.
func (m *measuring) inferringFrom(a *app, d *results.Dir) (*inferring, error) {
	files, err := d.Public()
	if err != nil {
		return nil, err
	}
	of, err := record.ReadManifest(files)
	if err != nil {
		return nil, err
	}
	j, err := m.inferring(a, of.Answered(), of.Watched())
	if of.Answered() && j != nil && j.Layout != nil {
		if unfit := fitting(a, j.Layout, of, d.Path("")); unfit != nil {
			err = unfit
		} else if err != nil && !j.Layout.HasColumns(of.Features, of.Covariates) { // no setting helps
			data, _, unread := public(d)
			if unread != nil {
				return nil, unread
			}
			_, err = j.Layout.BindJoint(&data.Items, data.Subjects, data.Covariates, data.Manifest.Measures)
			err = results.Hinted(err, "%s", fits(a, of, d.Path("")))
		}
	}
	if err == nil && m.priorFrom != "" {
		err = j.carry(a, d, m.priorFrom)
	}
	return j, err
}

// fitOf says in words whose fit it is.
func fitOf(subject string) string {
	if subject == infer.Everybody {
		return "joint fit"
	}
	return subject
}

// checkAs returns an error if a part cannot have this name.
func checkAs(as string) error {
	if as == "" {
		return nil
	}
	if err := record.CheckName(as); err != nil || strings.ContainsAny(as, "/. ") {
		return usagef("--as %q: want a word of letters, digits and -", as)
	}
	return nil
}

// place returns the name of the part into which it infers.
func (j *inferring) place() string {
	if j.as == "" {
		return seal.InferredPart
	}
	return part.As(j.as)
}

// infer runs the inference on a results directory, and prints what was inferred. If the directory already has a result
// of the same data, layout and settings, infer runs nothing and prints that result, unless it is forced.
func (j *inferring) infer(ctx context.Context, a *app, d *results.Dir) error {
	public, err := d.Public()
	if err != nil {
		return err
	}
	if err := j.seatOutside(ctx, a, d); err != nil {
		return err
	}
	want, err := infer.Expect(public, j.Job)
	if err != nil {
		return err
	}
	res, err := sameResult(d, j.place(), want)
	if j.force || res == nil && err == nil { // an earlier version may have written less, whatever its settings
		res, err = j.inferAnew(ctx, a, d)
	}
	if err != nil {
		if of, unread := record.ReadManifest(public); unread == nil && strings.Contains(err.Error(), "have no column") {
			return results.Hinted(err, "%s", fits(a, of, d.Path("")))
		}
		return err
	}
	if j.as == "" {
		if err := d.EnterInferred(res.Manifest.Parents[seal.PublicPart], res.Settings.NotConfined()); err != nil {
			return err
		}
	}
	sumUp(a, res, d, j.place())
	return nil
}

func (j *inferring) inferAnew(ctx context.Context, a *app, d *results.Dir) (*infer.Result, error) {
	public, err := d.Public()
	if err != nil {
		return nil, err
	}
	out, err := d.Begin(j.place(), j.force)
	if err != nil {
		return nil, err
	}
	defer out.Abort()
	if err := j.askOutside(ctx, a, public, d.Acted()); err != nil {
		return nil, err
	}
	job := j.Job
	job.Scratch, job.CSV, job.Progress = store.Scratch{}, tabular.CSV, a.progress("infer")
	job.Doubt = a.doubt
	_, err = apart(ctx, a, d, d, &job, nil, out)
	if errors.Is(err, errTogether) {
		_, err = infer.Run(ctx, public, job, d.Pieces(), out)
	}
	if err != nil {
		return nil, err
	}
	if j.as == "" {
		err = d.PutInferred(out)
	} else {
		err = d.PutNamed(j.as, out)
	}
	if err != nil {
		return nil, err
	}
	return openNamed(d, j.place())
}

// inferPieces infers a share of the public part, which is that of a results directory, and stores it in d.
func (j *inferring) inferPieces(ctx context.Context, a *app, from, d *results.Dir, share infer.Share) ([]string, results.Shard, error) {
	public, err := from.Public()
	if err != nil {
		return nil, results.Shard{}, err
	}
	j.Progress, j.Doubt = a.progress("infer"), a.doubt
	s, err := apart(ctx, a, from, d, &j.Job, &share, nil)
	if errors.Is(err, errTogether) {
		s, err = infer.RunShare(ctx, public, j.Job, share, d.Pieces())
	}
	if err != nil {
		return nil, results.Shard{}, err
	}
	return s.Names, results.Shard{Key: s.Key, Public: s.Public, Total: s.Of}, nil
}

// sameResult returns the result that the directory has in a place, if it was inferred from the same data, layout and settings. It
// returns nil, nil if there is no result. The error wraps store.ErrExists if the result is of other data, layout or
// settings.
func sameResult(d *results.Dir, place string, want *part.Manifest) (*infer.Result, error) {
	if !d.Has(place) {
		return nil, nil
	}
	res, err := openNamed(d, place)
	if err != nil {
		return nil, err
	}
	if !res.Manifest.SameSource(want) {
		return nil, results.Hinted(fmt.Errorf("%s has a result from other data, another layout or other settings: it %w", d.Path(place), store.ErrExists), "--force overwrites it; achilles infer --as NAME infers beside it")
	}
	return res, nil
}

// sumUp prints a summary of a result, and all warnings about it.
func sumUp(a *app, res *infer.Result, d *results.Dir, place string) {
	if dg := res.Diagnostics; len(dg.Fits) > 0 {
		a.say("%d fits with layout %s; in %s", len(dg.Fits), dg.Layout, d.Path(place))
		if infer.Approximate(dg.Fits) == len(dg.Fits) {
			a.say("by a normal approximation around the maximum: no chains, so no R-hat")
		} else {
			a.say("divergent transitions %d, maximum R-hat %s, minimum bulk ESS %s, fits resampled with the tempered sampler %d", dg.Divergences, optional(dg.WorstRHat, "%.3f"), optional(dg.MinESSBulk, "%.0f"), dg.Replaced)
		}
		a.printEach(table.FindingsTable(dg.Findings))
		if ids := dg.Identifiability; ids != nil {
			a.printEach(ids.Table(), ids.Together(), ids.Believed())
		}
		a.printEach(infer.UnitRanges(res.Units, dg.Findings), res.LikelihoodTable())
		if res.Verdicts == nil {
			a.printEach(dg.Misfits(), dg.TableMisfits())
		}
		a.printEach(dg.AlikePairs())
		sumUpVerdicts(a, res.Verdicts)
		noteWarnings(a, dg.Fits, d.Path(place))
	}
	if len(res.Surprises) > 0 {
		videos := map[[2]string]bool{}
		items := map[string]bool{}
		for _, s := range res.Surprises {
			videos[[2]string{s.Item, s.Video}], items[s.Item] = true, true
		}
		n := len(res.Settings.Observers) + len(res.Settings.Outside)
		a.say("%d observers watched %d videos of %d episodes; in %s", n, len(videos), len(items), d.Path(place))
	}
}

// mostOfAKind is the number of warnings of one kind that are printed; of the others the number is.
const mostOfAKind = 20

// noteWarnings prints the warnings about fits, whose result is in dir.
func noteWarnings(a *app, fits []infer.Fit, dir string) {
	printed := map[posterior.Kind]int{}
	for _, f := range fits {
		for _, w := range f.Warnings {
			if printed[w.Kind]++; printed[w.Kind] <= mostOfAKind {
				a.note("warning: %s, %s: %s", fitOf(f.Subject), map[bool]string{true: "all responses", false: "training responses"}[f.Rows == infer.AllRows], w.Message)
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(printed)) {
		if more := printed[kind] - mostOfAKind; more > 0 {
			a.note("warning: %s more of kind %s; all are in %s", num.Count(more), kind, filepath.Join(dir, "diagnostics.json"))
		}
	}
}

func optional(x *float64, format string) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf(format, *x)
}

// inferenceSeed returns the seed of the inference of a run. It does not tell the root seed, which inference must not know.
func inferenceSeed(root uint64) uint64 { return seal.NewKey(root).Seed("infer") }

// quickDraws is the number of draws per chain of a quick inference. A normal approximation errs by more than they do.
const quickDraws = 250
