package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/setting"
	"achilles/scenarios/simulate"
)

// A making has the settings of all commands that make a battery.
type making struct {
	Seed    seedFlag `setting:"seed,flag" doc:"seed, or drawn: a random, sealed seed (default: the scenario's own)"`
	Out     string   `setting:"out,flag" doc:"results directory (default: results/ and the scenario's name)"`
	Changes []string `setting:"set,flag,each" doc:"change a key of the scenario, as KEY=VALUE; may be given several times"`
	Allow   []string `setting:"allow,flag,each" doc:"file or folder that programs may read and execute, or the word network; may be given several times"`
	generate.Config
	quiet bool   // whether progress is not shown
	stops *stops // subjects whose items are chosen and who did not get below adaptive.sd
}

func (m *making) flags(c *cobra.Command) { setting.Of(m).Flags(c.Flags()) }

// scenario loads the scenario that the arguments name, or fallback if there are no arguments. The seed is that of
// --seed if given; in gets the section [inference]. It also sets the flags out and jobs to their defaults if they were not given.
func (m *making) scenario(args []string, fallback string, in *measuring) (*scenario.Scenario, error) {
	ref := fallback
	if len(args) > 0 {
		ref = args[0]
	}
	s, err := loadScenario(ref, m.Changes, in)
	if err != nil {
		return nil, err
	}
	if m.Seed.given {
		s.Seed, s.Drawn = m.Seed.value, m.Seed.drawn
	}
	if m.Out == "" {
		m.Out = filepath.Join("results", s.Name)
	}
	m.Jobs = cmp.Or(m.Jobs, runtime.GOMAXPROCS(0))
	return s, nil
}

func generateCommand(a *app) *cobra.Command {
	m, part := &making{}, &sharding{}
	c := &cobra.Command{
		Use:   "generate SCENARIO",
		Short: "Make a battery, let the scenario's subjects take it, seal the truth",
		Long: `Generate writes DIR/public, which has the items and the responses, or the episodes to watch, under opaque ids and
commits to the truth by its digest, and DIR/sealed, which has the truth.`,
		Example: `  achilles generate quickstart --seed 1 --out results/mine
  achilles generate op-burden --set responses.repetitions=2
  achilles generate bib --set episodes=24 --set split=collinear --out results/bib-collinear`,
		Args: cobra.ExactArgs(1),
	}
	m.flags(c)
	part.flags(c)
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		s, err := m.scenario(args, "", newMeasuring())
		if err != nil {
			return err
		}
		share, divided, err := part.share()
		if err != nil {
			return err
		}
		if divided {
			return part.within(ctx, func(ctx context.Context) error { return m.actShare(ctx, a, s, share) })
		}
		return part.within(ctx, func(ctx context.Context) error { return m.generateInto(ctx, a, s) })
	})
	return c
}

// generateInto makes and publishes a session in the directory of --out, and says so.
func (m *making) generateInto(ctx context.Context, a *app, s *scenario.Scenario) error {
	return results.Write(m.Out, func(d *results.Dir) error {
		root, err := m.root(d, s)
		if err != nil {
			return err
		}
		made, err := m.generate(ctx, a, d, s, root)
		if err != nil {
			return err
		}
		a.say("%s; public and sealed in %s", made, d)
		return nil
	})
}

// outside starts the program of an agent, or returns its language model.
func outside(spec *agents.Spec, seat seating, kept generate.Journal) (generate.Player, error) {
	if spec.Model == nil {
		return external.Start(spec, seat(spec.Command))
	}
	key, err := modelKey(spec.Model)
	if err != nil {
		return nil, err
	}
	return external.NewLanguageModel(spec, key, kept)
}

// modelKey returns the key of a language model, which the environment has.
func modelKey(m *agents.LanguageModel) (string, error) {
	if m.Key == "" {
		return "", nil
	}
	key := os.Getenv(m.Key)
	if key == "" {
		return "", fmt.Errorf("the environment variable %s is not set: it must hold the key of %s", m.Key, m.Address)
	}
	return key, nil
}

// A seedFlag is the value of --seed: a number, or scenario.DrawnSeed.
type seedFlag struct {
	value        uint64
	given, drawn bool
}

// Set implements pflag.Value.
func (f *seedFlag) Set(text string) (err error) {
	if f.given, f.drawn = true, text == scenario.DrawnSeed; f.drawn {
		return nil
	}
	if f.value, err = strconv.ParseUint(text, 10, 64); err != nil {
		return fmt.Errorf("want a whole number from 0, or %s", scenario.DrawnSeed)
	}
	return nil
}

// String implements pflag.Value.
func (f *seedFlag) String() string {
	switch {
	case f.drawn:
		return scenario.DrawnSeed
	case f.given:
		return strconv.FormatUint(f.value, 10)
	}
	return ""
}

// Type implements pflag.Value. It names the value in the help.
func (f *seedFlag) Type() string { return "seed" }

// root returns the root seed for a scenario in a results directory. If the scenario wants a drawn seed, root draws it,
// or returns the seed that was drawn before.
func (m *making) root(d *results.Dir, s *scenario.Scenario) (uint64, error) {
	if s.Drawn {
		return generate.DrawnRoot(d, s, m.Force)
	}
	return s.Seed, nil
}

// generate makes and publishes a session, and describes it beside. It changes nothing if the directory already has the same data.
func (m *making) generate(ctx context.Context, a *app, d *results.Dir, s *scenario.Scenario, root uint64) (*generate.Session, error) {
	made, err := m.generatePart(ctx, a, d, s, root)
	if err != nil {
		return nil, err
	}
	return made, keepCards(d, nil)
}

// generatePart is generate without the description, for directories that are not to be published.
func (m *making) generatePart(ctx context.Context, a *app, d *results.Dir, s *scenario.Scenario, root uint64) (*generate.Session, error) {
	c, err := m.generating(ctx, a, s, root)
	if err != nil {
		return nil, err
	}
	var f failures
	c.Failed, c.Anew = f.add, m.Force && m.Outside == nil // a person goes on
	made, err := generate.Into(ctx, d, s, c)
	f.note(a)
	m.stops.note(a, s)
	return made, err
}

// drawing returns the function that draws the responses of a session from the layout of the scenario's battery. It
// returns nil if the battery has no layout.
func drawing(a *app, s *scenario.Scenario) (func(context.Context, *generate.Session) error, error) {
	if s.Battery.Layout == "" {
		return nil, nil
	}
	l, err := a.layout(s.Battery.Layout)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, session *generate.Session) error {
		session.Layout = l.Text
		return simulate.Draw(ctx, session, l, s.Repetitions)
	}, nil
}

// generating returns how a scenario is run, by its own keys and the flags.
func (m *making) generating(ctx context.Context, a *app, s *scenario.Scenario, root uint64) (generate.Config, error) {
	c := m.Config
	c.Seed = root
	c.Warn = func(why error) {
		a.note("warning: responses wait in memory until they are published, because no temporary file can be written: %v", why)
	}
	seat, err := a.seat(ctx, m.Allow, m.Out)
	if err != nil {
		return c, err
	}
	if c.Outside == nil {
		c.Outside = func(spec *agents.Spec, kept generate.Journal) (generate.Player, error) {
			return outside(spec, seat, kept)
		}
	}
	if !m.quiet {
		c.Progress = a.progress("generate")
		c.Waiting = func(subject string, trial, of int) func() {
			return a.waiting(fmt.Sprintf("%s, trial %d of %d", subject, trial, of))
		}
	}
	if s.Adaptive != nil {
		choice, err := choosing(a, s)
		if err != nil {
			return c, err
		}
		m.stops = &stops{}
		choice.Unreached = m.stops.add
		c.Choose = choice.Begin
	}
	c.Draw, err = drawing(a, s)
	return c, err
}
