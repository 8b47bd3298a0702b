package conf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"achilles/sim/conf"
)

func TestSet(t *testing.T) {
	const text = `name = "x" # a comment
battery = { coding = "released" }
empty = {}
[responses] # another
repetitions = 1     # how often
held_out = 0.2
[[agent]]
name = "one"
rule = [{ p = 0.5 }, { p = "a # b" }]
[agent.truth]
family = "capable"
[one]
both = 1
[two]
both = 2
`
	for _, c := range []struct{ setting, from, to string }{
		{"responses.repetitions=3", "repetitions = 1 ", "repetitions = 3 "},
		{"repetitions=3", "repetitions = 1 ", "repetitions = 3 "},
		{"battery.coding=design", `"released"`, `"design"`},
		{`battery.coding="design"`, `"released"`, `"design"`},
		{"name=y", `name = "x"`, `name = "y"`},
		{"seed=7", `name = "x"`, "seed = 7\nname = \"x\""},
		{"responses.trajectories=false", "[responses] # another\n", "[responses] # another\ntrajectories = false\n"},
		{"battery.sample=9", "{ coding", "{ sample = 9,  coding"},
		{"empty.sample=9", "{}", "{ sample = 9}"},
		{"agent[0].rule[1].p=0.25", `"a # b"`, "0.25"},
		{"agent[0].rule[0].if=lava == 1", "{ p = 0.5 }", `{ if = "lava == 1",  p = 0.5 }`},
		{"agent[0].truth.family=fraudster", `"capable"`, `"fraudster"`},
		{"agent[0].doc=it's new", "[[agent]]\n", "[[agent]]\ndoc = \"it's new\"\n"},
		{"agent[0].rule=[{ p = 1 }]", `[{ p = 0.5 }, { p = "a # b" }]`, "[{ p = 1 }]"},
		{"battery.levels.lava = [0]", "", "\n[battery.levels]\nlava = [0]\n"},
		{"scale.op=52.8", "", "\n[scale]\nop = 52.8\n"},
	} {
		want := strings.Replace(text, c.from, c.to, 1)
		if c.from == "" {
			want = text + c.to
		}
		got, err := conf.Set("f.toml", text, c.setting)
		if err != nil || got != want {
			t.Errorf("%s gives (%v)\n%s\nwant\n%s", c.setting, err, got, want)
		}
	}
	for setting, says := range map[string]string{
		"responses":             "want KEY=VALUE",
		"=3":                    "want KEY=VALUE",
		"a b=3":                 "want KEY=VALUE",
		"responses.=3":          "want KEY=VALUE",
		"a[x]=3":                "want KEY=VALUE",
		"a[1]b=3":               "want KEY=VALUE",
		"a[]=3":                 "want KEY=VALUE",
		"[1]=3":                 "want KEY=VALUE",
		"responses=3":           "responses is a table: set a key in it",
		"agent[1].name=two":     "there is no agent[1]",
		"agent[3]=1":            "there is no agent[3]",
		"agent[0].rule[2].p=1":  "there is no agent[0].rule[2]",
		"both=3":                "both is a key of several tables: want one of one.both, two.both",
		"responses.heldOut=0.1": "unknown key responses.heldOut: write responses.held_out",
		"heldOut=0.1":           "unknown key heldOut: write responses.held_out",
		"agent[0].Name=two":     "unknown key agent[0].Name: write agent[0].name",
		"Name=y":                "unknown key Name: write name",
		"battery.coding.deep=1": "makes the file invalid: f.toml:",
	} {
		_, err := conf.Set("f.toml", text, setting)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v does not say %q", setting, err, says)
		}
	}
	if _, err := conf.Set("f.toml", "name = ", "name=x"); err == nil || !strings.Contains(err.Error(), "f.toml:1: key name: ") {
		t.Errorf("error %v does not say that the text is at fault", err)
	}
}

// TestSetDeepValue checks that a value that is nested too deeply is set as a text, like every value that is not TOML.
func TestSetDeepValue(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	if got, err := conf.Set("f", "x = 1\n", "x="+deep); err != nil || got != "x = \""+deep+"\"\n" {
		t.Errorf("%.100s (%v)", got, err)
	}
}

// TestSetRoot checks that a key in root is set above all tables, even if a table has a key of that name.
func TestSetRoot(t *testing.T) {
	got, err := conf.Set("f", "[a]\nseed = 1\n", "seed=7", "seed")
	if err != nil || got != "seed = 7\n[a]\nseed = 1\n" {
		t.Errorf("%s (%v)", got, err)
	}
}

// FuzzSet checks that an accepted setting gives valid TOML with that value, and changes nothing else.
func FuzzSet(f *testing.F) {
	f.Add(base, "part.has_op=3")
	f.Add(base, "part.where=lava == 1")
	f.Add("a = {}\n[b]\n[[c]]\n", "c[0].d=[1, 2]")
	f.Add("a.b = 1", "a.c=2")
	f.Add("\ufeffa = 1", "a=2")
	shipped(f, func(text string) { f.Add(text, "seed=3") })
	f.Fuzz(func(t *testing.T, text, setting string) {
		key, value, _ := strings.Cut(setting, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		out, err := conf.Set("f", text, setting, key)
		if err != nil {
			return
		}
		var before, after map[string]any
		if _, err := toml.Decode(text, &before); err != nil {
			t.Fatalf("%q was accepted", text)
		}
		if _, err := toml.Decode(out, &after); err != nil {
			t.Fatalf("%s makes %q of %q", setting, out, text)
		}
		if strings.ContainsAny(key, ".[") {
			return
		}
		var want map[string]any
		if _, err := toml.Decode("x = "+value, &want); err != nil || strings.Contains(value, "\n") || len(want) != 1 {
			want = map[string]any{"x": value}
		}
		if fmt.Sprint(after[key]) != fmt.Sprint(want["x"]) {
			t.Errorf("%s sets %v, want %v", setting, after[key], want["x"])
		}
		delete(before, key)
		delete(after, key)
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%s changes more than its key:\n%s\nbecame\n%s", setting, text, out)
		}
	})
}
