package compare_test

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/sim/record"
	"achilles/sim/rng"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// kept has the verdicts of TestJudge by the name of the subject, because TestGolden writes two of them.
var kept = map[string]*compare.Verdict{}

// judgeOnce returns the verdict on a subject that passes item i of battery(600) with probability p(i).
func judgeOnce(t *testing.T, it *record.Items, name string, p func(i int) float64) *compare.Verdict {
	t.Helper()
	if kept[name] == nil {
		kept[name] = judge(t, it, name, p)
	}
	return kept[name]
}

// where returns p if hit is true, and otherwise q.
func where(hit bool, p, q float64) float64 {
	if hit {
		return p
	}
	return q
}

// TestJudge checks the verdicts on subjects of every family, and on two subjects that are of no family, on a battery whose
// features are independent of one another.
func TestJudge(t *testing.T) {
	it := battery(600)
	lava, ramp, side, size := number(it, "lava"), number(it, "ramp"), number(it, "rightLeft"), number(it, "goalSize")
	works := number(it, "lastSeenPasses")
	kind, _ := it.Column("family")
	for _, c := range []struct {
		name             string
		family, weakness string
		hasOP            float64
		p                func(i int) float64
	}{
		{"capable", compare.Capable, "", 1, func(int) float64 { return 0.95 }},
		{"clueless", compare.Nonspecific, "nonspecific", 0.5, func(int) float64 { return 0.3 }},
		{"burnt", compare.AchillesHeel, "lava", 1, func(i int) float64 { return where(lava[i] == 1, 0.2, 0.95) }},
		{"left-handed", compare.AchillesHeel, "left-bias", 1, func(i int) float64 { return 0.6 - 0.35*side[i] }},
		{"short-sighted", compare.AchillesHeel, "visual", 1, func(i int) float64 { return 0.95 / (1 + math.Exp(3*(2.5-size[i]))) }},
		{"grids and chicks", compare.ContextSpecific, "cv and grid", 0.5, func(i int) float64 { return where(slices.Contains([]string{"grid", "cv"}, kind.Text[i]), 0.05, 0.8) }},
		{"fraudster", compare.Fraudster, "op", 0, func(i int) float64 { return where(works[i] == 0, 0.2, 0.95) }},
		{"either or", compare.Unclassified, "", -1, func(i int) float64 { return where((lava[i] == 1) == (ramp[i] == 1), 0.1, 0.9) }},
		{"small only", compare.Unclassified, "", -1, func(i int) float64 { return where(size[i] > 2, 0.1, 0.95) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judgeOnce(t, it, c.name, c.p)
			if v.Family != c.family {
				t.Errorf("family %s (%.2f): %s", v.Family, v.Weight, v.Words)
			}
			if named := len(v.Weaknesses) > 0 && v.Weaknesses[0].Probability > 0.5; c.weakness != "" && (!named || v.Weaknesses[0].Name != c.weakness) {
				t.Errorf("weaknesses %+v; want %s", v.Weaknesses, c.weakness)
			}
			if c.hasOP >= 0 && math.Abs(v.HasOP-c.hasOP) > 0.1 {
				t.Errorf("has OP %.2f; want %.1f", v.HasOP, c.hasOP)
			}
			if flagged := len(v.Misfit) > 0; flagged != (c.family == compare.Unclassified) {
				t.Errorf("misfit %+v", v.Misfit)
			}
			sum := 0.0
			for _, f := range v.Families {
				sum += f.Weight
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("weights of families sum to %v", sum)
			}
		})
	}
}

// TestTheBatteryCannotTell checks the verdict on a battery in which the items with lava are those with a ramp: lava and ramp
// must be about equally likely weaknesses. An item with only one of the two would tell them apart.
func TestTheBatteryCannotTell(t *testing.T) {
	it := battery(300)
	copy(number(it, "ramp"), number(it, "lava"))
	p := func(i int) float64 { return 0.95 - 0.8*number(it, "lava")[i] }
	v := judge(t, it, "twin", p)
	if len(v.Weaknesses) < 2 || math.Abs(v.Weaknesses[0].Probability-0.5) > 0.15 || math.Abs(v.Weaknesses[1].Probability-0.5) > 0.15 {
		t.Errorf("weaknesses %+v; want lava and ramp, as likely as each other", v.Weaknesses)
	}
	if v.Family != compare.AchillesHeel {
		t.Errorf("family %s: both are heels", v.Family)
	}
	if len(v.Misfit) > 0 {
		t.Errorf("misfit %+v", v.Misfit)
	}
}

func TestNobodyIsJudgedWithoutResponses(t *testing.T) {
	it := battery(20)
	bank, report := shipped(t, it)
	rng := rng.Stream(1, "nobody")
	v, _ := (&compare.Case{Subject: "s", Items: it, Bank: bank, Report: report, Responses: []record.Response{{Unscored: 1}}}).Judge(&rng)
	if v.Family != compare.Unclassified || v.Unclassified != "no response was scored" {
		t.Errorf("%+v", v)
	}
}

// TestGolden compares the two files of verdicts, classifications.json and classifications.md, with golden files.
func TestGolden(t *testing.T) {
	it := battery(600)
	lava, size := number(it, "lava"), number(it, "goalSize")
	v := &compare.Verdicts{Bank: "op", Rivals: []compare.RivalPrior{{Name: "lava", SHA256: "0", Prior: 0.5}, {Name: "absent", SHA256: "1", LeftOut: "the items have no column x"}}, Subjects: []compare.Verdict{
		*judgeOnce(t, it, "burnt", func(i int) float64 { return where(lava[i] == 1, 0.2, 0.95) }),
		*judgeOnce(t, it, "small only", func(i int) float64 { return where(size[i] > 2, 0.1, 0.95) }),
	}}
	b, err := v.Encode()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "classifications.json", b)
	golden(t, "classifications.md", v.Markdown())
	back, err := compare.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := back.Encode(); string(again) != string(b) {
		t.Error("decoding and encoding changes a verdict")
	}
	if _, err := compare.Decode([]byte(strings.Replace(string(b), `"version": 3`, `"version": 1`, 1))); err == nil || !strings.Contains(err.Error(), "this program reads") {
		t.Errorf("version 1: %v", err)
	}
}

// TestFormerWords checks that verdicts.json of version 2, and a candidate set and its models in the words of that time, are read.
func TestFormerWords(t *testing.T) {
	old := `{"format": "achilles-verdicts", "version": 2, "bank": "op", "rivals": [{"name": "lava"}], "subjects": [{"subject": "a \"bank\": b", "family": "cannot-tell",
		"cannot_tell": "a tie", "rivals": [{"name": "lava", "weight": 1}], "weaknesses": [{"name": "lava", "rival": "lava"}]}]}`
	v, err := compare.Decode([]byte(old))
	if err != nil {
		t.Fatal(err)
	}
	s := v.Subjects[0]
	if v.Bank != "op" || v.Rivals[0].Name != "lava" || s.Subject != `a "bank": b` || s.Family != compare.Unclassified || s.Unclassified != "a tie" || s.Rivals[0].Weight != 1 || s.Weaknesses[0].Rival != "lava" {
		t.Errorf("read %+v", v)
	}
	former := strings.NewReplacer("[[candidate]]", "[[rival]]", "[classification", "[verdict")
	source := compare.Source{Text: compare.Text{File: "toy.toml", Text: former.Replace(bankText)}}
	for _, text := range []string{constant, heel("lava"), heel("ramp")} {
		source.Rivals = append(source.Rivals, compare.Text{File: "model.toml", Text: former.Replace(text)})
	}
	if b, err := compare.Parse(source); err != nil || len(b.Rivals) != 3 {
		t.Errorf("a candidate set in former words: %v", err)
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs from testdata; -update rewrites it, the diff is to be read\n%s", name, got)
	}
}
