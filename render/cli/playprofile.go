package cli

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"

	"achilles/agents/external"
	"achilles/gridworld"
	"achilles/infer"
	"achilles/render/format"
	"achilles/render/play"
	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim"
	"achilles/sim/rng"
)

// practise lets the person take a trial that is not scored. The actor moves as in the battery's first item: it turns
// and steps forward, or steps in eight directions. practise does nothing if the first item has no world.
func (p *playing) practise(ctx context.Context, pipe *play.Pipe, s *scenario.Scenario, root uint64) error {
	b, err := s.MakeBattery(ctx, root, p.Jobs)
	if err != nil {
		return err
	}
	if b.Items.Len() == 0 {
		return nil
	}
	it := b.Items.At(0)
	if len(it.Trials) == 0 || it.Trials[0].World.Empty() {
		return nil
	}
	first, err := it.Trials[0].Open()
	if err != nil {
		return err
	}
	w, places := play.PracticeWorld(first.Rules().Move, 2)
	_ = pipe.Tell(ctx, play.Practice()) // Tell never fails
	person := external.NewPerson(pipe, func(int, int) bool { return true })
	env := &gridworld.Env{World: w, Brief: play.PracticeBrief, Places: places, Key: rng.NewKey(root, "practice")}
	_, err = sim.Run[gridworld.Observation, gridworld.Action](ctx, env, person, gridworld.Options{})
	if errors.Is(err, external.Absence{}) {
		return nil // the person has left during practice
	}
	return err
}

// ownDraws is the largest number of draws of each chain for the person's profile, because the person waits for it.
const ownDraws = 500

// profile infers the person's profile from the person's own responses. It compares the profile with those of the
// scenario's subjects, if results/ has grades of the scenario with the same layout.
func (p *playing) profile(ctx context.Context, a *app, session *generate.Session, s *scenario.Scenario) ([]play.Parameter, error) {
	dir, err := os.MkdirTemp("", "achilles-play")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	d, err := results.Make(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if err := session.Alone(p.name).PublishInto(ctx, d, "generate", p.Jobs, nil, true); err != nil {
		return nil, err
	}
	in := newMeasuring()
	in.read(s.Inference, false)
	in.BankRef, in.Draws, in.Predict, in.Jobs, in.Force = noBank, min(in.Draws, ownDraws), false, p.Jobs, true
	j, err := in.inferring(a, true, false)
	if err != nil {
		return nil, err
	}
	res, err := j.inferAnew(ctx, a.saying(a.stdout, io.Discard), d)
	if err != nil {
		return nil, err
	}
	others := othersOf(filepath.Join("results", s.Name), res.Settings.Layout.Name)
	var rows []play.Parameter
	for _, x := range res.Profiles {
		rows = append(rows, compared(x, s.Scale[x.Parameter], others))
	}
	return rows, nil
}

// othersOf returns the profiles in a graded results directory. It returns nil if there is none, or if its layout has
// another name.
func othersOf(dir, layout string) []score.Profile {
	d, err := results.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	_, scores, err := score.Stored(d)
	if err != nil || scores == nil || scores.Layout.Name != layout {
		return nil
	}
	return scores.Profiles
}

// compared returns a parameter of the person, and the means of other subjects, as shares of the parameter's range. The
// range is from 0 to the parameter's maximum scale. If scale is 0, the range of a bias is symmetric about 0 and
// contains the person's central 90 % and ±1; the range of any other parameter is from 0 to the person's 95 % quantile,
// or to 1 if that is larger.
func compared(x infer.Profile, scale float64, others []score.Profile) play.Parameter {
	lo, hi := 0.0, scale
	switch {
	case scale > 0:
	case x.Group == "bias":
		hi = max(math.Abs(x.Q5), math.Abs(x.Q95), 1)
		lo = -hi
	default:
		hi = max(x.Q95, 1)
	}
	share := func(v float64) float64 { return (v - lo) / (hi - lo) }
	q := play.Parameter{Name: x.Parameter, Text: format.Short(x.Mean) + " (" + format.Short(x.Q5) + "–" + format.Short(x.Q95) + ")",
		Mean: share(x.Mean), Low: share(x.Q5), High: share(x.Q95)}
	nearest := math.Inf(1)
	for _, o := range others {
		if o.Parameter != x.Parameter {
			continue
		}
		q.Others = append(q.Others, share(o.Mean))
		if d := math.Abs(o.Mean - x.Mean); d < nearest {
			nearest, q.Like = d, o.Name
		}
	}
	return q
}
