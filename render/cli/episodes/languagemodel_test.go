package episodes_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"achilles/agents/external/chat/chattest"
)

var lastFrame = regexp.MustCompile(`frame (\d+), the last`)

// TestLanguageModelsWatch lets language models read episodes, one that the scenario declares and one that a flag names: each is as good as
// the built-in observer that goes by the same rule, but for what it refuses. No question is asked twice.
func TestLanguageModelsWatch(t *testing.T) {
	dir := t.TempDir()
	s := chattest.NewServer(t, func(r *chattest.Request) chattest.Answer {
		if r.Model == "shy" {
			return chattest.Answer{Refusal: "no films"}
		}
		all := lastFrame.FindAllStringSubmatch(r.Last(), -1)
		return chattest.Answer{Content: `{"surprise": ` + all[len(all)-1][1] + `e-2}`}
	})
	model := func(name, model string) string {
		return "name = \"" + name + "\"\nkind = \"language-model\"\naddress = \"" + s.Address + "\"\nmodel = \"" + model + "\"\nretries = 0\ninput_price = 10000\n"
	}
	scenario, flagged := filepath.Join(dir, "s.toml"), filepath.Join(dir, "m.toml")
	write(t, scenario, []byte("name = \"s\"\n[bib]\nepisodes = 2\ntasks = [\"preference\", \"efficiency_path\"]\n[inference]\nobservers = [\"duration\"]\n[[agent]]\n"+model("reads", "long")+"[[agent]]\n"+model("shy", "shy")))
	write(t, flagged, []byte(model("x", "long")+"prompt = '"+flagged+"'\n"))
	r := filepath.Join(dir, "r")
	must(t, "run", scenario, "--out", r)
	if n := len(s.Asked()); n != 16 {
		t.Errorf("%d requests, want one for each of 8 videos by 2 models", n)
	}
	must(t, "run", scenario, "--out", r)
	must(t, "infer", r, "--observers", "duration", "--language-model", "mine="+flagged, "--language-model", "again="+flagged, "--force")
	if n := len(s.Asked()); n != 24 {
		t.Errorf("%d requests: other instructions are another question, and a model of the same settings the same", n)
	}
	must(t, "score", r, "--force")
	must(t, "run", scenario, "--out", r, "--force")
	if n := len(s.Asked()); n != 24 {
		t.Errorf("%d requests: what was answered is asked again", n)
	}
	var scores struct {
		Observers map[string]map[string]struct{ Accuracy *float64 }
		Models    []map[string]any `json:"language_models"`
	}
	if err := json.Unmarshal(read(t, filepath.Join(r, "scores", "scores.json")), &scores); err != nil {
		t.Fatal(err)
	}
	for kind, x := range scores.Observers["shy"] {
		if x.Accuracy != nil && *x.Accuracy != 50 {
			t.Errorf("%s: who refuses is right in %v %%", kind, *x.Accuracy)
		}
	}
	if len(scores.Models) != 2 || scores.Models[1]["refused"] != 8.0 || scores.Models[1]["silent"] != 8.0 || scores.Models[0]["requests"] != 8.0 || scores.Models[0]["cost"] != 8.0 {
		t.Errorf("the models are %v", scores.Models)
	}
	if shown := must(t, "show", r, "language-models", "--format", "csv"); !strings.HasPrefix(shown, "observer,videos,silent,requests,refused,malformed,input,output,cost,latency\nreads,8,0,8,0,0,800,80,8,") {
		t.Error(shown)
	}
	must(t, "verify", r)
	for _, c := range []struct{ text, want string }{
		{"name = \"s\"\n[bib]\n[[agent]]\nname = \"x\"\nrule = [{ p = 1 }]\n", `want kind = "language-model", or no agent`},
		{"name = \"s\"\n[bib]\n[[agent]]\nname = \"x\"\nkind = \"language-model\"\nmodel = \"m\"\n", "address"},
	} {
		write(t, scenario, []byte(c.text))
		if code, _, stderr := achilles(t, "scenarios", "check", scenario); code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%d %s", code, stderr)
		}
	}
	for _, c := range [][2]string{{"mine", "want NAME=FILE"}, {"mine=" + filepath.Join(dir, "none"), "no such file"}, {"mine=" + scenario, "s.toml"}} {
		if code, _, stderr := achilles(t, "infer", r, "--language-model", c[0], "--force"); code == 0 || !strings.Contains(stderr, c[1]) {
			t.Errorf("%s: %d %s", c[0], code, stderr)
		}
	}
}
