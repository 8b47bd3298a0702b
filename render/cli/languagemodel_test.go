package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/agents/external/chat/chattest"
	"achilles/render/cli/clitest"
)

// mixed writes a scenario with a language model, a body and rules, and returns its path.
func mixed(t *testing.T, dir, address, more string) string {
	t.Helper()
	file := filepath.Join(dir, "mixed.toml")
	write(t, file, []byte(`name = "mixed"
[battery]
coding = "worlds"
items = 6
[inference]
layout = "constant"
[[agent]]
name = "model"
kind = "language-model"
address = "`+address+`"
model = "test-1"
key = "ACHILLES_TEST_KEY"
retries = 1
input_price = 2
output_price = 8
`+more+`
[[agent]]
name = "body"
body = [{}]
[[agent]]
name = "coin"
rule = [{ p = 0.5 }]
`))
	return file
}

// TestLanguageModelRun stops a run in the middle and goes on: no question is asked twice, what is published is the same as without
// a stop, and no file and no message has the key, although the server repeats it.
func TestLanguageModelRun(t *testing.T) {
	const key = "sk-do-not-write-me"
	t.Setenv("ACHILLES_TEST_KEY", key)
	left := 40
	s := chattest.NewServer(t, func(r *chattest.Request) chattest.Answer {
		if left--; left < 0 {
			return chattest.Answer{Status: 403, Body: "no more for " + key}
		}
		switch n := len(r.Messages[0].Content) + len(r.Messages); {
		case strings.Contains(r.Last(), "cannot be read") && n%2 == 0:
			return chattest.Answer{Content: "I cannot help with that. " + key}
		case !strings.Contains(r.Last(), "cannot be read") && n%11 == 0:
			return chattest.Answer{Content: "forward " + key}
		}
		return chattest.Answer{Content: `{"action": "forward", "key": "` + key + `"}`}
	})
	dir := t.TempDir()
	file, out := mixed(t, dir, s.Address, ""), filepath.Join(dir, "out")
	args := []string{"run", file, "--out", out}
	code, stdout, stderr := clitest.Achilles(t, args...)
	if code == 0 || !strings.Contains(stderr, "HTTP 403 Forbidden: no more for [key]") || strings.Contains(stdout+stderr, key) {
		t.Fatalf("%d, and %s", code, stderr)
	}
	left = 1 << 20
	must(t, args...)
	asked := s.Asked()
	for i, r := range asked {
		if r.Key != "Bearer "+key {
			t.Fatalf("request %d has the key %q", i, r.Key)
		}
	}
	for name, b := range tree(t, dir) {
		if bytes.Contains(b, []byte("do-not-write")) {
			t.Errorf("%s has the key", name)
		}
	}
	before := tree(t, out)
	must(t, args...)
	if n := len(s.Asked()); n != len(asked) {
		t.Errorf("repeated, %d requests became %d", len(asked), n)
	}
	if after := tree(t, out); !equal(before, after) {
		t.Errorf("repeated, it changes %v", differing(before, after))
	}
	whole := filepath.Join(dir, "whole")
	must(t, "run", file, "--out", whole)
	if n := len(s.Asked()) - len(asked); n != len(asked)-1 { // the first that was refused was asked again
		t.Errorf("without a stop there are %d requests, with one %d", n, len(asked))
	}
	if a, b := tree(t, filepath.Join(out, "public")), tree(t, filepath.Join(whole, "public")); !equal(a, b) && len(differing(a, b)) > 1 { // the manifest commits to latencies
		t.Errorf("after a stop, it publishes other %v", differing(a, b))
	}
	shown := must(t, "show", out, "subjects", "--format", "csv")
	lines := strings.Split(strings.TrimSpace(shown), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "subject,kind,model,n,success,") || !strings.HasPrefix(lines[1], "body,body,,6,1,") || !strings.HasPrefix(lines[2], "model,language model,test-1,") || !strings.HasPrefix(lines[3], "coin,rules,,6,") {
		t.Errorf("the subjects are\n%s", shown)
	}
}

// TestLanguageModelFaults checks what is said of a scenario whose language model cannot be asked.
func TestLanguageModelFaults(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ address, more, want string }{
		{"http://127.0.0.1:1/v1", "", "agent model: the environment variable ACHILLES_TEST_KEY is not set: it must hold the key of http://127.0.0.1:1/v1"},
		{"127.0.0.1", "", `mixed.toml:10: key agent[0].address: "127.0.0.1": want an address such as http://127.0.0.1:8080/v1`},
		{"http://me:pw@host/v1", "", "mixed.toml:10: key agent[0].address: want an address without name and password"},
		{"http://127.0.0.1:1/v1", `prompt = "nowhere.txt"`, "mixed.toml:16: key agent[0].prompt: "},
		{"http://127.0.0.1:1/v1", "history = -1", "mixed.toml:16: key agent[0].history: want a whole number from 0 to 1000, not -1"},
		{"http://127.0.0.1:1/v1", `command = ["x"]`, "the subject has a command already: it responds by one of rule, body, command, solver, kind"},
		{"http://127.0.0.1:1/v1", `rule = [{ p = 1 }]`, "the subject has a rule already"},
	} {
		file := mixed(t, dir, c.address, c.more)
		for _, args := range [][]string{{"run", file, "--out", filepath.Join(dir, "out")}, {"scenarios", "check", file}} {
			if code, _, stderr := clitest.Achilles(t, args...); code == 0 || !strings.Contains(stderr, c.want) {
				t.Errorf("%v, %s: %d %s\nwant %s", args, c.more, code, stderr, c.want)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "empty.txt"), []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := mixed(t, dir, "http://127.0.0.1:1/v1", "prompt = '"+filepath.Join(dir, "empty.txt")+"'")
	if code, _, stderr := clitest.Achilles(t, "scenarios", "check", file); code == 0 || !strings.Contains(stderr, "is empty: want the instructions") {
		t.Errorf("%d %s", code, stderr)
	}
}

// TestPromptIsPartOfTheQuestion checks that a model with other instructions is asked anew.
func TestPromptIsPartOfTheQuestion(t *testing.T) {
	t.Setenv("ACHILLES_TEST_KEY", "k")
	s := chattest.NewServer(t, func(*chattest.Request) chattest.Answer { return chattest.Answer{Content: `{"action": "forward"}`} })
	dir := t.TempDir()
	prompt := filepath.Join(dir, "prompt.txt")
	file, out := mixed(t, dir, s.Address, "prompt = '"+prompt+"'"), filepath.Join(dir, "out")
	asked := 0
	for _, text := range []string{"Go.", "Go on.", "Go."} {
		write(t, prompt, []byte(text))
		must(t, "generate", file, "--out", out, "--force")
		all := s.Asked()
		if n := len(all) - asked; (n > 0) != (text == "Go on." || asked == 0) || !strings.HasPrefix(all[len(all)-1].Messages[0].Content, "Go") {
			t.Errorf("with %q it was asked %d times", text, n)
		}
		asked = len(all)
	}
}
