package cli

import (
	"cmp"
	"context"

	"achilles/render/study"
	"achilles/scenarios/scenario"
)

// watch lets a person watch the episodes of a scenario, as a study of one participant on this machine.
func (p *playing) watch(ctx context.Context, a *app, sc *scenario.Scenario) error {
	if p.text {
		return usagef("--text: episodes are watched in a browser")
	}
	if p.answer != "rate" && p.answer != "look" {
		return usagef("--answer %s: want rate or look", p.answer)
	}
	s := &studying{Seed: p.Seed, Out: p.Out, Force: p.Force, Settings: study.NewSettings()}
	s.Items, s.Answer, s.Attention, s.Videos = p.items, p.answer, 0, p.items
	d, _, err := openStudy(p.Out)
	if err != nil || p.Force { // else the person goes on
		if err := s.write(ctx, a, sc); err != nil {
			return err
		}
	} else {
		d.Close()
	}
	a.note("watch at the address below, with %s for CODE", cmp.Or(p.name, "person"))
	return (&studyServing{Address: "127.0.0.1:0"}).serve(ctx, a, p.Out)
}
