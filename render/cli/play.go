package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/agents"
	"achilles/agents/external"
	"achilles/render/canvas"
	"achilles/render/play"
	"achilles/render/viewer/window"
	"achilles/render/web"
	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim"
	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/store"
)

// A playing has the values of the flags of play.
type playing struct {
	making
	name          string
	items         int
	answer        string
	browser, text bool
	practice      bool
}

func playCommand(a *app) *cobra.Command {
	p := &playing{}
	c := &cobra.Command{
		Use:   "play SCENARIO",
		Short: "Take a battery yourself, with the keyboard, and be measured like any agent",
		Long: `Play lets a person take the items of a scenario, to act in or to answer: in a window, or where there is no display in a
browser, or with --text in the terminal. The person sees what any other subject is shown, and nothing else: what lies behind a
wall is hidden, and nothing is seen while the lights are out.

The person's responses are published as one more subject, to be inferred and scored like the others.
Progress is saved; rerun the command to resume. Items that were not taken count as unscored,
not as failures.

Episodes (bib) are watched in a browser, as a study of one participant: DIR has the answers of every trial, and achilles study
collect DIR makes a table of them.`,
		Example: `  achilles play embodied
  achilles play op-worlds --items 10 --text --out results/me`,
		Args: cobra.ExactArgs(1),
	}
	p.flags(c)
	c.Flags().Lookup("out").Usage = "results directory (default: results/ with the names of scenario and person)"
	c.Flags().StringVar(&p.name, "name", "person", "name of the person in the sealed part")
	c.Flags().IntVar(&p.items, "items", 20, "how many items to take, drawn from all; 0: all. More can be taken later")
	c.Flags().BoolVar(&p.browser, "browser", false, "play in a browser, whether there is a display or not")
	c.Flags().BoolVar(&p.text, "text", false, "play in the terminal")
	c.Flags().StringVar(&p.answer, "answer", "rate", "for episodes: rate (how surprising the end was) or look (hold a key while watching)")
	c.Flags().BoolVar(&p.practice, "practice", true, "begin a new session with an unscored practice trial")
	c.MarkFlagsMutuallyExclusive("browser", "text")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		own := p.Out == ""
		s, err := p.scenario(args, "", newMeasuring())
		if err != nil {
			return err
		}
		if own {
			if p.name != filepath.Base(p.name) {
				return usagef("--name %q cannot name a folder: give --out as well", p.name)
			}
			p.Out = filepath.Join("results", s.Name+"-"+p.name)
		}
		if p.items < 0 {
			return usagef("--items is %d; it must be at least 1, or 0 for all", p.items)
		}
		if s.Bib != nil {
			return p.watch(ctx, a, s)
		}
		return results.Write(p.Out, func(d *results.Dir) error { return p.play(ctx, a, d, s) })
	})
	return c
}

// invite returns the scenario with the person as one more agent. An error says why the person cannot be one.
func (p *playing) invite(s *scenario.Scenario) (*scenario.Scenario, error) {
	switch {
	case s.Bib != nil:
		return nil, fmt.Errorf("scenario %s has episodes to watch, and nothing to take", s.Name)
	case s.Battery.Layout != "":
		return nil, fmt.Errorf("scenario %s draws its subjects from the layout %s: a person cannot be one of them", s.Name, s.Battery.Layout)
	}
	text := fmt.Sprintf("%s\n\n[[agent]]\nname = %s\ndoc = \"A person, by achilles play.\"\ncommand = [\"achilles\", \"play\"]\n", strings.TrimRight(s.Text, "\n"), conf.Quote(p.name))
	with, err := scenario.Parse(s.Name, text)
	if err != nil {
		return nil, joinError(s, err)
	}
	with.Seed, with.Drawn = s.Seed, s.Drawn // those of --seed are not in the text
	return with, with.Prompts(readPrompt)
}

// joinError returns the reason why a person cannot join the subjects of a scenario, without the place in the text, which is
// that of the added agent.
func joinError(s *scenario.Scenario, err error) error {
	var fault *conf.Error
	if errors.As(err, &fault) {
		return fmt.Errorf("scenario %s: %s", s.Name, fault.Msg)
	}
	return err
}

// play lets a person take the battery of a scenario, together with the other subjects, and publishes the session.
func (p *playing) play(ctx context.Context, a *app, d *results.Dir, s *scenario.Scenario) error {
	s, err := p.invite(s)
	if err != nil {
		return err
	}
	root, err := p.root(d, s)
	if err != nil {
		return err
	}
	b, err := s.MakeBattery(ctx, root, p.Jobs)
	if err != nil {
		return err
	}
	if err := s.CanTake(&agents.Spec{Name: p.name}, scenario.TasksOf(&b)); err != nil { // so that an error comes before anything is shown
		return joinError(s, err)
	}
	fresh := !d.Has(seal.PublicPart)
	if p.Force, err = p.goesOn(d, s, root); err != nil {
		return err
	}
	p.practice = p.practice && fresh
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pipe := play.NewPipe(sim.ErrLeft)
	seat, err := a.seat(ctx, p.Allow, p.Out)
	if err != nil {
		return err
	}
	p.connect(pipe, root, s.Adaptive != nil, seat)
	over := make(chan struct{})
	var made *generate.Session
	var profile []play.Parameter
	go func() {
		defer close(over)
		made, profile, err = p.playAll(ctx, a, d, s, pipe, root)
		_ = pipe.Tell(ctx, play.End()) // Tell never fails
	}()
	if shown := p.showPlay(ctx, a, pipe, over); shown != nil {
		cancel()
		<-over
		return shown
	}
	_ = pipe.Reply(0, play.Reply{Leave: true})
	<-over
	if err != nil {
		return err
	}
	for _, x := range profile {
		a.say("%v", x)
	}
	a.say("%s; public and sealed in %s", made, d)
	a.note("next: achilles infer %s --layout %s, then achilles score %s", expr.Quote(p.Out), layoutOf(s), expr.Quote(p.Out))
	return nil
}

// playAll lets the person practise, take the battery and see the inferred profile. It returns the session, and a nil
// profile if the person has left or if the scenario has no layout.
func (p *playing) playAll(ctx context.Context, a *app, d *results.Dir, s *scenario.Scenario, pipe *play.Pipe, root uint64) (*generate.Session, []play.Parameter, error) {
	if p.practice {
		if err := p.practise(ctx, pipe, s, root); err != nil {
			return nil, nil, err
		}
	}
	session, err := p.making.generate(ctx, a, d, s, root)
	if err != nil || pipe.Left() || s.Inference.Text("layout") == "" {
		return session, nil, err
	}
	_ = pipe.Tell(ctx, play.Inferring()) // Tell never fails
	profile, err := p.profile(ctx, a, session, s)
	if err != nil || pipe.Left() {
		return session, nil, err
	}
	_ = pipe.Tell(ctx, play.Profile(profile)) // Tell never fails
	return session, profile, nil
}

func layoutOf(s *scenario.Scenario) string {
	return cmp.Or(s.Inference.Text("layout"), "NAME")
}

// connect lets the person act through the pipe; all other agents from outside are started as programs. The person takes
// --items trials, drawn at random, in the order of the battery; or, if items are chosen for each subject, the first --items
// trials of these. A later run with more items takes the same trials and others.
func (p *playing) connect(pipe *play.Pipe, root uint64, adaptive bool, seat seating) {
	p.quiet = p.text
	p.Outside = func(spec *agents.Spec, kept generate.Journal) (generate.Player, error) {
		if spec.Name != p.name {
			return outside(spec, seat, kept)
		}
		var chosen []int
		return external.NewPerson(pipe, func(number, of int) bool {
			if chosen == nil {
				chosen = p.choose(root, of, adaptive)
			}
			k, found := slices.BinarySearch(chosen, number)
			if found {
				_ = pipe.Tell(context.Background(), play.Welcome(len(chosen), k)) // Tell never fails
			}
			return found
		}), nil
	}
}

// choose returns the numbers of the trials that the person takes, sorted: the first ones if inOrder is true, else a random
// selection. of is the number of all trials.
func (p *playing) choose(root uint64, of int, inOrder bool) []int {
	r := seal.NewKey(root).Rand("person", p.name)
	numbers := r.Perm(of)
	if inOrder {
		slices.Sort(numbers)
	}
	if p.items > 0 {
		numbers = numbers[:min(p.items, of)]
	}
	return slices.Sorted(slices.Values(numbers))
}

// goesOn says whether the data in the results directory may be replaced. They may if they are an earlier part of the
// same session, because the journal has what the person did, or if --force was given. Otherwise data that are there are
// an error.
func (p *playing) goesOn(d *results.Dir, s *scenario.Scenario, root uint64) (bool, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s", root, s.Text))
	const mark = "session"
	session := hex.EncodeToString(sum[:])
	if known, err := d.Acted().Get(mark); err == nil && string(known) == session {
		return true, nil
	}
	if d.Has(seal.PublicPart) && !p.Force {
		return false, fmt.Errorf("%s holds other data: it %w", d.Path(seal.PublicPart), store.ErrExists)
	}
	return p.Force, d.Acted().Put(mark, []byte(session))
}

// showPlay shows the items until the person leaves or the channel `over` is closed. It uses the browser or the terminal
// if a flag says so. Otherwise it uses the window, or the browser where there is no display.
func (p *playing) showPlay(ctx context.Context, a *app, pipe *play.Pipe, over <-chan struct{}) error {
	if p.text {
		return playAtTerminal(ctx, a, pipe)
	}
	if !p.browser {
		err := window.Run(until{play.NewView(pipe), ctx}, window.Options{Title: "Achilles · play"})
		if !errors.Is(err, window.ErrNoDisplay) {
			return err
		}
		a.note("%v", err)
	}
	site := &web.Site{Title: "Achilles · play", Open: func(string) (canvas.View, func()) { return play.NewView(pipe), func() {} }}
	visit, end := context.WithCancel(ctx)
	defer end()
	go func() {
		<-over
		end()
	}()
	err := serveSite(visit, a, site)
	if visit.Err() != nil && ctx.Err() == nil {
		return nil // the session ended before the browser was ready
	}
	return err
}
