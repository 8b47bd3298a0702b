package cli

import (
	"slices"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/scenarios/setting"
)

// parsed reads a configuration of analyse.
func parsed(file, text string) (analysis.Settings, error) {
	q := &analysing{Settings: analysis.Default()}
	q.set = setting.Of(q)
	err := q.parse(file, text)
	return q.Settings, err
}

func TestParseConfig(t *testing.T) {
	c, err := parsed("a.toml", `
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
new = ["both", "subject"]

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
	if p := c.Prediction; p.Unit != predict.Item || !slices.Equal(p.New, []predict.Unit{predict.Both, predict.Person}) || p.Shift[0].Easy != 0.25 || p.Splits != 10 || c.Competence.Confidence != 0.95 {
		t.Errorf("what the file does not say must stay as in the default: %+v", c)
	}
}

func TestBadConfig(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"replicates = \"many\"", "a.toml:1: key replicates: want a whole number from 0 to 1000000, not the text \"many\""},
		{"\n\nreplikates = 3", "a.toml:3: key replikates: unknown key: did you mean replicates?"},
		{"[[feature]]\nname = \"x\"\nroll = 1", "a.toml:3: key feature[0].roll: unknown key: did you mean role?"},
		{"[predictions]\nsplits = 1", "a.toml:1: key predictions: unknown key: did you mean prediction?"},
		{"[prediction]\nmaxRows = 300", "a.toml:2: key prediction.maxRows: unknown key: write max_rows"},
		{"level = 95.0", "a.toml:1: key level: want a number above 0, below 1, not 95"},
		{"replicates = -1", "a.toml:1: key replicates: want a whole number from 0 to 1000000, not -1"},
		{"permutations = -1", "a.toml:1: key permutations: want a whole number from 0 to 1000000, not -1"},
		{"replicates = 1000001", "a.toml:1: key replicates: want a whole number from 0 to 1000000, not 1000001"},
		{"[prediction]\nsplits = 1001", "a.toml:2: key prediction.splits: want a whole number from 0 to 1000, not 1001"},
		{"[competence]\nthreshold = 1.0", "a.toml:2: key competence.threshold: want a number above 0, below 1, not 1"},
		{"[competence]\nconfidence = 0.4", "a.toml:2: key competence.confidence: want a number above 0.5, below 1, not 0.4"},
		{"[prediction]\nmodels = [\"blent\"]", `a.toml:2: key prediction.models: "blent" is not one of "majority", "global"`},
		{"[prediction]\nloss = \"cubed\"", `a.toml:2: key prediction.loss: "cubed" is not one of "cross_entropy", "squared", "absolute"`},
		{"[prediction]\nshort_forms = [0]", "a.toml:2: key prediction.short_forms: want whole numbers of items from 1"},
		{"[prediction]\nstability = 200", "a.toml:2: key prediction.stability: want a whole number from 0 to 100, not 200"},
		{"[prediction.published]\nirtt = { auc = 1 }", `a.toml:2: key prediction.published.irtt: "irtt" is not one of`},
		{"[prediction.published]\nirt = { auk = 1 }", "a.toml:2: key prediction.published.irt.auk: unknown key: did you mean auc?"},
		{"[prediction]\nunit = \"row\"", `a.toml:2: key prediction.unit: "row" is not one of "response", "item", "subject"`},
		{"[prediction]\nnew = [\"item\", \"item\"]", `a.toml:2: key prediction.new: "item" is not one of "subject", "item", "both", or appears twice`},
		{"[prediction]\ntrain = 1.5", "a.toml:2: key prediction.train: want a number above 0, below 1, not 1.5"},
		{"[prediction]\nsplits = -1", "a.toml:2: key prediction.splits: want a whole number from 0 to 1000, not -1"},
		{"[prediction]\nmax_rows = 3", "a.toml:2: key prediction.max_rows: want a whole number from 100 to 10000000, not 3"},
		{"[[prediction.shift]]\neasy = 1", "a.toml:2: key prediction.shift[0].easy: want a fraction from 0 to below 1"},
		{"[[feature]]\nname = \"x\"\nexpr = \"log(\"", "a.toml:3: key feature[0].expr: column "},
		{"[[feature]]\nrole = \"relevant\"", "a.toml:1: key feature[0].name: is missing: what the feature is called"},
		{"[[feature]]\nname = \"x\"\nbinning = { rule = \"widht\" }", `a.toml:3: key feature[0].binning.rule: "widht" is not one of "width", "quantile", "values": did you mean width?`},
		{`capability = ["a", "b", "c", "d"]`, "a.toml:1: key capability: want from 0 to 3 of them, not 4"},
		{"level = [", "a.toml:1:"},
	} {
		if _, err := parsed("a.toml", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want …%s…", c.text, err, c.want)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add("level = 0.9\n[[feature]]\nname = \"x\"\nbinning = { cuts = [1, 2] }\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parsed("f.toml", text)
		if err == nil && !(c.Level > 0 && c.Level < 1) {
			t.Errorf("accepted level %v", c.Level)
		}
	})
}
