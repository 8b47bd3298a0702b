package score_test

import (
	"bytes"
	"context"
	"testing"

	"achilles/infer"
	"achilles/infer/posterior"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
)

// TestNonInterference checks that what is inferred does not depend on what is sealed. It gives the real inference the
// same doors as the command line does: a file system with the public data and two places to store files. None of the
// doors may lead to the truth. It does so for responses by rules with the layout op, for bodies with the layout
// embodied and their paths, and for observers.
func TestNonInterference(t *testing.T) {
	for _, c := range []struct {
		scenario, layout string
		subjects         []string // nil: all
		settings         []string
	}{
		{"quickstart", "op", []string{"burnt", "fraudster"}, []string{"battery.sample=24"}},
		{"embodied", "embodied", nil, []string{"battery.items=12", "population[0].count=2"}},
		{"bib", "", nil, []string{"episodes=1"}},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			config := infer.Job{Settings: infer.Default(nil)}
			config.Seed = 3
			if c.layout != "" {
				text, err := scenarios.FS.ReadFile("layouts/" + c.layout + ".toml")
				if err != nil {
					t.Fatal(err)
				}
				if config, err = jobOf(c.layout+".toml", string(text), 3); err != nil {
					t.Fatal(err)
				}
				config.Draws, config.Warmup, config.Engine = 100, 50, posterior.NUTS // the cheapest
			}
			public, sealed := sessionOf(t, c.scenario, 1, c.subjects, c.settings...)
			_, other := sessionOf(t, c.scenario, 2, c.subjects, c.settings...)
			if bytes.Equal(sealed["truth.json"], other["truth.json"]) {
				t.Fatal("both sealed parts are the same")
			}
			generatetest.NonInterference(t, public, sealed, other, func(d generatetest.Doors) error {
				for door, truth := range generatetest.Cheat(d) {
					t.Errorf("%s gives %.40q", door, truth)
				}
				_, err := infer.Run(context.Background(), d.Public, config, d.Pieces, d.Out)
				for door, truth := range generatetest.Cheat(d) { // try again, after the inference has written its results
					t.Errorf("%s gives %.40q", door, truth)
				}
				return err
			})
		})
	}
}

// sessionOf returns the public and the sealed files of these subjects of a shipped scenario, or of all, changed by settings.
func sessionOf(t *testing.T, name string, root uint64, subjects []string, settings ...string) (public, sealed map[string][]byte) {
	t.Helper()
	data, err := scenarios.FS.ReadFile(name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, s := range settings {
		if text, err = scenario.Override(name+".toml", text, s); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scenario.Parse(name+".toml", text)
	if err != nil {
		t.Fatal(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: root, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if subjects != nil {
		session = session.Alone(subjects...)
	}
	public, sealed, err = generatetest.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	return public, sealed
}
