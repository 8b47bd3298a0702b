package analysis_test

import (
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/predict"
	"achilles/infer/table"
)

func TestParseConfig(t *testing.T) {
	c, err := analysis.ParseConfig("a.toml", `
capability = ["size"]
replicates = 7

[[feature]]
name = "size"
role = "relevant"
expr = "-log(reward)"
binning = { bins = 3, rule = "quantile" }

[[group]]
name = "fish"
subjects = ["a", "b"]

[competence]
threshold = 0.8

[prediction]
models = ["subject", "tree"]
unit = "item"

[[prediction.shift]]
name = "hard"
features = ["size"]
easy = 0.25
`)
	if err != nil {
		t.Fatal(err)
	}
	f := c.Features[0]
	if f.Name != "size" || f.Role != table.Relevant || f.Expr != "-log(reward)" || f.Binning.Bins != 3 || c.Replicates != 7 || c.Groups[0].Subjects[1] != "b" {
		t.Errorf("%+v", c)
	}
	if p := c.Prediction; p.Unit != predict.Item || p.Shift[0].Easy != 0.25 || p.Splits != 10 || c.Competence.Confidence != 0.95 {
		t.Errorf("what the file does not say must stay as in the default: %+v", c)
	}
}

func TestBadConfig(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"replicates = \"many\"", "a.toml:"},
		{"\n\nreplikates = 3", "a.toml:3: unknown key replikates"},
		{"[[feature]]\nname = \"x\"\nroll = 1", "a.toml:3: unknown key feature.roll"},
		{"[predictions]\nsplits = 1", "a.toml:1: unknown key predictions"},
		{"level = 95.0", "key level is 95; it must be between 0 and 1"},
		{"replicates = -1", "key replicates is -1"},
		{"permutations = -1", "key permutations is -1"},
		{"[competence]\nthreshold = 1.0", "key competence.threshold is 1; it must be between 0 and 1"},
		{"[competence]\nconfidence = 0.4", "key competence.confidence is 0.4"},
		{"[prediction]\nmodels = [\"forest\"]", `key prediction.models: "forest" is none of majority, global`},
		{"[prediction]\nunit = \"row\"", "key prediction.unit is row; it must be response, item or subject"},
		{"[prediction]\ntrain = 1.5", "key prediction.train is 1.5"},
		{"[prediction]\nsplits = -1", "key prediction.splits is -1"},
		{"[prediction]\nmax_rows = 3", "key prediction.max_rows is 3; it must be at least 100"},
		{`capability = ["a", "b", "c", "d"]`, "key capability has 4 features"},
		{"level = [", "a.toml:1:"},
	} {
		if _, err := analysis.ParseConfig("a.toml", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want …%s…", c.text, err, c.want)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add("level = 0.9\n[[feature]]\nname = \"x\"\nbinning = { cuts = [1, 2] }\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := analysis.ParseConfig("f.toml", text)
		if err == nil && !(c.Level > 0 && c.Level < 1) {
			t.Errorf("accepted level %v", c.Level)
		}
	})
}
