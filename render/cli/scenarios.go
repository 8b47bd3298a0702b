package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/agents"
	"achilles/battery"
	"achilles/battery/catalog"
	"achilles/battery/redteam"
	"achilles/battery/worlds"
	"achilles/infer"
	"achilles/infer/voe"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/power"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/sim/num"
	"achilles/sim/record"
)

func scenariosCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "scenarios",
		Short: "List, show and check scenarios",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, args []string) error { return c.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the shipped scenarios", Args: cobra.NoArgs,
		Example: `  achilles scenarios list`,
		RunE:    a.do(func(context.Context, []string) error { return listScenarios(a) }),
	})
	show := &cobra.Command{
		Use: "show NAME_OR_FILE", Short: "Print a scenario's file, to read or to start your own from", Args: cobra.ExactArgs(1),
		Example: `  achilles scenarios show quickstart`,
	}
	settings := show.Flags().StringArray("set", nil, "change a key first, as KEY=VALUE; may be given several times")
	show.RunE = a.do(func(_ context.Context, args []string) error {
		_, text, err := scenarioText(args[0], *settings)
		fmt.Fprint(a.stdout, text)
		return err
	})
	check := &cobra.Command{
		Use: "check NAME_OR_FILE", Short: "Report all that is wrong with a scenario, each with file, line and key", Args: cobra.ExactArgs(1),
		Example: `  achilles scenarios check op-burden
  achilles scenarios check op-burden --shards 20`,
	}
	shards := check.Flags().Int("shards", 0, "check also that a run can be divided into this many shards")
	overrides := check.Flags().StringArray("set", nil, "change a key first, as KEY=VALUE; may be given several times")
	check.RunE = a.do(func(ctx context.Context, args []string) error {
		if check.Flags().Changed("shards") {
			if err := checkShards(*shards); err != nil {
				return err
			}
		}
		return checkScenario(ctx, a, args[0], *overrides, *shards)
	})
	c.AddCommand(show, check, powerCommand(a), motionCommand(a))
	return c
}

func listScenarios(a *app) error {
	return a.list("scenario", scenarios.Names(), func(name string) (string, error) {
		s, err := loadScenario(name, nil, newMeasuring())
		if err != nil {
			return "", err
		}
		return s.Doc, nil
	})
}

// checkScenario checks a scenario. It also makes a session, because some faults appear only then. If shards is not 0, it checks
// that a run can be divided.
func checkScenario(ctx context.Context, a *app, ref string, settings []string, shards int) error {
	file, text, err := scenarioText(ref, settings)
	if err != nil {
		return err
	}
	if found := scenario.Check(ctx, file, text, newMeasuring().read); len(found) > 0 {
		var lines []string
		for _, e := range found {
			lines = append(lines, e.Error())
		}
		return errors.New(strings.Join(lines, "\n"))
	}
	in := newMeasuring()
	s, err := scenario.Parse(file, text, in.read)
	if err != nil {
		return err
	}
	if err := s.Prompts(readPrompt); err != nil {
		return err
	}
	session, err := checkSession(ctx, a, file, s, in, shards)
	if err != nil {
		return err
	}
	with := ""
	if in.LayoutRef != "" {
		with = "; layout " + in.LayoutRef
	}
	a.say("%s: %s%s", file, session, with)
	warnIdle(a, s, session)
	if err := printDesign(a, s, &session.Battery); err != nil {
		return err
	}
	if err := printShortcuts(a, s, &session.Battery); err != nil {
		return err
	}
	return printBlind(ctx, a, s, &session.Battery, len(settings) == 0 && slices.Contains(scenarios.Shipped("."), ref))
}

// printBlind prints how often items that test object permanence are passed without looking at what happens (redteam.Rows). If the battery
// has fewer of them than it takes to judge, others are made by the same design. For a shipped scenario, it returns an error if there is a
// leak.
func printBlind(ctx context.Context, a *app, s *scenario.Scenario, b *battery.Battery, shipped bool) error {
	if _, known := b.Feature(battery.HiddenFeature); !known && s.Battery.Suite == worlds.OwnSuite {
		a.say("Note: no world says where a reward could lie (a line // places X,Y X,Y above it): choices are not recorded, and passing without looking is not tried.")
	}
	paradigms, rows, err := redteam.Rows(ctx, b)
	if err != nil || len(rows) == 0 {
		return err
	}
	if of := rows[0].All.Of; of < redteam.Enough && s.Battery.Items > 0 {
		items := min(s.Battery.Items*(redteam.Enough*3/2)/of+1, 20*redteam.Enough)
		more, err := codingOf(s).Build(ctx, battery.Request{Levels: s.Battery.Levels, Items: items, Root: s.Seed, Jobs: 1})
		if err != nil {
			return err
		}
		if paradigms, rows, err = redteam.Rows(ctx, &more); err != nil {
			return err
		}
	}
	a.printEach(redteam.Table(paradigms, rows))
	var leaks []string
	for _, r := range rows {
		if r.All.Leaks() {
			leaks = append(leaks, fmt.Sprintf("a subject who %s passes %.0f %% (chance: %.0f %%)", r.Doc, 100*r.All.Rate(), 100*r.All.Luck()))
		}
	}
	if len(leaks) == 0 {
		return nil
	}
	says := "items can be passed without looking: " + strings.Join(leaks, "; ")
	if shipped {
		return fmt.Errorf("scenario %s: %s", s.Name, says)
	}
	a.say("Warning: %s. Few or uneven levels of goalDistance, rightLeft and numPositions reveal the right place: use more, evenly spaced levels.", says)
	return nil
}

// warnIdle names bodies that take no trial, because their condition holds after the last one only, or after a body that there is not.
func warnIdle(a *app, s *scenario.Scenario, session *generate.Session) {
	trials := session.Battery.Items.Len() * max(s.Repetitions, 1)
	if s.Adaptive != nil {
		trials = min(trials, s.Adaptive.Items)
	}
	seen := map[string]bool{}
	for i := range session.Subjects {
		x := &session.Subjects[i]
		for _, condition := range agents.Idle(x, trials) {
			if !seen[condition] {
				a.say("Warning: subject %s: no trial has %s: a subject takes %d trials, and has %d bodies.", x.Name, condition, trials, len(x.Body))
			}
			seen[condition] = true
		}
	}
}

// checkSession makes a session of a scenario, and checks that it can be inferred as the scenario says.
func checkSession(ctx context.Context, a *app, file string, s *scenario.Scenario, in *measuring, shards int) (*generate.Session, error) {
	if _, err := voe.Select(in.Observers, 0); err != nil {
		return nil, fmt.Errorf("%s: key inference.observers: %w", file, err)
	}
	j, err := in.inferring(a, s.Bib == nil, s.Bib != nil)
	if errors.Is(err, infer.ErrNoLayout) {
		j, err = nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: section inference: %w", file, err)
	}
	if shards > 0 {
		if err := divisible(s, &cmp.Or(j, &inferring{}).Job, filepath.Join("results", s.Name)); err != nil {
			return nil, err
		}
	}
	draw, err := drawing(a, s)
	if err != nil {
		return nil, err
	}
	seat, err := a.seat(ctx, nil, "")
	if err != nil {
		return nil, err
	}
	c := generate.Config{Seed: s.Seed, Jobs: 1, Outside: startable(seat), Draw: draw}
	if s.Adaptive != nil {
		c.Choose = func(candidates *record.Dataset) (generate.Choosing, error) {
			if err := choosable(a, s, candidates); err != nil {
				return nil, err
			}
			return first(min(s.Adaptive.Items, candidates.Items.Len())), nil
		}
	}
	session, err := generate.Run(ctx, s, c)
	if err != nil {
		return nil, err
	}
	if err := checkScenes(session); err != nil {
		return nil, err
	}
	if err := measurable(ctx, session, j); err != nil {
		return nil, fmt.Errorf("%s: section inference: %w", file, err)
	}
	return session, nil
}

// choosable returns an error if items cannot be chosen from the candidates as a scenario says.
func choosable(a *app, s *scenario.Scenario, candidates *record.Dataset) error {
	c, err := choosing(a, s)
	if err != nil {
		return err
	}
	_, err = c.Begin(candidates)
	return err
}

// first makes every subject take the first n items. A check needs as many responses as a choice would leave, and no choice.
func first(n int) generate.Choosing {
	return func(ctx context.Context, _ int, take generate.Take) error {
		for item := range n {
			if _, err := take(ctx, item); err != nil {
				return err
			}
		}
		return nil
	}
}

// measurable returns an error if the layout or the bank of an inference does not fit the items. It publishes the data
// of one subject in a temporary directory to find out.
func measurable(ctx context.Context, s *generate.Session, j *inferring) error {
	if j == nil || len(s.Subjects) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "achilles-check")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d, err := results.Make(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := s.Alone(s.Subjects[0].Name).PublishInto(ctx, d, "generate", 1, nil, true); err != nil {
		return err
	}
	public, err := d.Public()
	if err != nil {
		return err
	}
	return infer.Applies(public, j.Job)
}

// checkScenes makes a few of the scenes that are watched, evenly spread over the battery, and returns the first error.
func checkScenes(s *generate.Session) error {
	if s.Scene == nil {
		return nil
	}
	const few = 20
	n := s.Battery.Items.Len()
	for k := range min(few, n) {
		if _, err := s.Scene(k * n / min(few, n)); err != nil {
			return err
		}
	}
	return nil
}

// printDesign prints the correlations between the demands of a battery, if its coding lists demands.
func printDesign(a *app, s *scenario.Scenario, b *battery.Battery) error {
	demands := codingOf(s).Demands
	if len(demands) == 0 {
		return nil
	}
	c, err := b.Correlate(demands...)
	if err != nil {
		return err
	}
	a.printEach(c.Table())
	return nil
}

// codingOf returns the coding of a scenario's battery, which is the way in which the battery is made. It returns the
// zero Coding if the catalogue of batteries has no such coding.
func codingOf(s *scenario.Scenario) catalog.Coding {
	suite, _ := catalog.ByName(s.Battery.Suite)
	coding, _ := suite.Coding(s.Battery.Coding)
	return coding
}

// printShortcuts prints, for each shortcut, the share of the items that test object permanence which the shortcut
// passes. If the battery's coding is made to catch shortcuts (Coding.Catches), it returns an error if a shortcut passes
// more than catalog.MostPassed of them, and of fewer than redteam.Enough also the lower end of the 95 % interval is above that: of a dozen
// items, chance decides how many a shortcut passes.
func printShortcuts(a *app, s *scenario.Scenario, b *battery.Battery) error {
	paradigms, list := b.ByShortcuts()
	if len(list) == 0 {
		return nil
	}
	t, err := power.Shortcuts(b, paradigms, list)
	if err != nil {
		return err
	}
	a.printEach(t)
	var passing []string
	sure := false
	for _, p := range list {
		if p.All.Rate() > catalog.MostPassed {
			passing = append(passing, fmt.Sprintf("%s (%.1f %%)", p.Shortcut, 100*p.All.Rate()))
			low, _ := num.WilsonInterval(float64(p.All.Passed), float64(p.All.Of), 0.95)
			sure = sure || p.All.Of >= redteam.Enough || low > catalog.MostPassed
		}
	}
	if len(passing) == 0 {
		return nil
	}
	says := fmt.Sprintf("more than %.0f %% of the object-permanence items are passed by a shortcut: %s", 100*catalog.MostPassed, strings.Join(passing, ", "))
	if codingOf(s).Catches && sure {
		return fmt.Errorf("scenario %s: %s", s.Name, says)
	}
	a.say("%s", says)
	return nil
}
