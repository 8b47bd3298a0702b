package score_test

import (
	"context"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/infer/posterior"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/longtest"
)

// cheats is a scenario of bodies, some of which cheat, on items on which cheating rarely changes the response.
const cheats = `
name = "cheats"
doc = "Bodies that cheat, on items that hardly show it."
seed = 5
battery = { coding = "suite-worlds", items = 60, WHERE }
scale = { memory = 4.8 }
inference = { layout = "op" }

[[agent]]
name = "able"
body = {}
truth = { family = "capable" }

[[agent]]
name = "cheat"
body = { BODY }
truth = { family = "fraudster" }
`

// judgeBodies lets the bodies of a scenario act, infers verdicts on those that are named with a small bank of rivals, and
// returns the verdicts by name.
func judgeBodies(t *testing.T, text string, seed uint64, names ...string) map[string]compare.Verdict {
	t.Helper()
	s, err := scene.Parse("cheats.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	public, sealed, err := generatetest.Files(session.Alone(names...))
	if err != nil {
		t.Fatal(err)
	}
	truth, err := seal.Open(asFS(sealed), generatetest.Commitment(sealed))
	if err != nil {
		t.Fatal(err)
	}
	bank := &compare.Source{Text: compare.Text{File: "small.toml", Text: "name = \"small\"\n"}}
	for _, name := range []string{"constant", "hidden", "memory", "lava", "last-seen", "search"} {
		rival := name
		if name == "search" {
			rival = "last-seen"
		}
		file := string(shippedFile(t, "candidates/op/"+rival+".toml"))
		if name == "search" {
			file = strings.NewReplacer(`"last-seen"`, `"search"`, "lastSeenPasses", "searchPasses").Replace(file)
		}
		bank.Text.Text += "[[candidate]]\nfile = \"" + name + "\"\n"
		bank.Rivals = append(bank.Rivals, compare.Text{File: name, Text: file})
	}
	config, err := jobOf("op.toml", string(shippedFile(t, "layouts/op.toml")), seed)
	if err != nil {
		t.Fatal(err)
	}
	config.Bank, config.Engine, config.Draws, config.Warmup, config.Predict, config.Jobs = bank, posterior.NUTS, 100, 50, false, 2 // no verdict depends on the draws by the layout
	result, err := infer.Run(context.Background(), asFS(public), config, &shelf{files: map[string][]byte{}}, &shelf{files: map[string][]byte{}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]compare.Verdict{}
	for _, v := range result.Verdicts.Subjects {
		out[truth.Subjects[v.Subject].Name] = v
	}
	return out
}

// TestCheatsAreBetrayedByWhereTheyLook checks that verdicts find a fraudster by its trajectories if verdicts from the
// responses alone are wrong or have a weight below .9, and that no body that goes for the reward is taken for a fraudster.
func TestCheatsAreBetrayedByWhereTheyLook(t *testing.T) {
	for _, c := range []struct {
		why, where, body, behaviour string
		seeds                       []uint64
	}{
		{"looks everywhere in turn, where that always passes", `where = "searchPasses == 1 && places > 1 && occluder == 1"`, `goal = "search"`, "search", []uint64{2, 3}},
		{"goes to where it last saw it, which is rarely wrong, and lapses", `where = "occluder == 1 && (displaced == 0 || goalSize >= 2.5)"`, `goal = "last-seen", noise = 0.3, chance = 0.833`, "last-seen", []uint64{3, 2}},
	} {
		text := strings.NewReplacer("WHERE", c.where, "BODY", c.body).Replace(cheats)
		told, most := 0, 1
		if !longtest.On() {
			c.seeds, most = c.seeds[:1], 0
		}
		for _, seed := range c.seeds {
			blind := judgeBodies(t, text+"[responses]\ntrajectories = false\n", seed, "cheat")
			seen := judgeBodies(t, text, seed, "able", "cheat")
			t.Logf("seed %d: by responses %s %.2f; with trajectories %s %.2f: %s", seed, blind["cheat"].Leading, blind["cheat"].Weight,
				seen["cheat"].Family, seen["cheat"].Weight, seen["cheat"].Words)
			if v := blind["cheat"]; v.Family == compare.Fraudster && v.Weight >= 0.9 {
				told++
			}
			if v := seen["cheat"]; v.Family != compare.Fraudster || v.Weight < 0.9 || !shows(v, c.behaviour) {
				t.Errorf("%s, seed %d: taken to be %s (%.2f) with %+v", c.why, seed, v.Family, v.Weight, v.Behaviour)
			}
			if v := seen["able"]; v.Family != compare.Capable {
				t.Errorf("%s, seed %d: a capable subject is taken to be %s", c.why, seed, v.Family)
			}
			if len(blind["cheat"].Behaviour) > 0 {
				t.Error("a behaviour is told of somebody who was not watched")
			}
		}
		if told > most {
			t.Errorf("%s: its responses alone betray it, %d times of %d", c.why, told, len(c.seeds))
		}
	}
}

// shows returns whether the trajectories are about as probable under a behaviour as under the best one: their log
// probability is less than 0.5 smaller.
func shows(v compare.Verdict, behaviour string) bool {
	for _, b := range v.Behaviour {
		if b.Name == behaviour {
			return b.Given > -0.5
		}
	}
	return false
}
