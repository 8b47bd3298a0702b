package compare_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/sim/record"
)

func TestParseErrors(t *testing.T) {
	with := func(old, new string) compare.Source {
		return compare.Source{Text: compare.Text{File: "toy.toml", Text: strings.Replace(bankText, old, new, 1)}, Rivals: []compare.Text{
			{File: "constant.toml", Text: strings.Replace(constant, old, new, 1)}, {File: "lava.toml", Text: strings.Replace(heel("lava"), old, new, 1)}, {File: "ramp.toml", Text: heel("ramp")}}}
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"name", `name = "toy"`, ``, "toy.toml: key name: is missing: what the candidate set is called"},
		{"unknown key", `prior = 2`, `prio = 2`, "toy.toml:5: key candidate[0].prio: unknown key: did you mean prior?"},
		{"prior", `prior = 2`, `prior = -2`, "toy.toml:5: key candidate[0].prior: want a number above 0, not -2"},
		{"share", `name = "toy"`, "name = \"toy\"\ntell = 2", "toy.toml:3: key tell: want a fraction between 0 and 1, not 2"},
		{"twice", `name = "lava"`, `name = "ramp"`, "toy.toml:8: key candidate[2]: a second candidate model is called ramp"},
		{"no section", "[classification]\nfamily = \"nonspecific\"\nnoise = \"1 - rate\"\n", "", "constant.toml: key classification: is missing: a candidate model needs [classification] with a family"},
		{"family", `family = "nonspecific"`, `family = "unspecific"`, `constant.toml:8: key classification.family: "unspecific" is not one of "capable", "nonspecific", "achilles-heel", "context-specific", "learns", "tires", "fraudster": did you mean nonspecific?`},
		{"has OP", `noise = "1 - rate"`, `has_op = "yes"`, "constant.toml:9: key classification.has_op: is not a key any more: P(object permanence) follows from the knowing share"},
		{"knows", `noise = "1 - rate"`, `knows = "rat"`, "constant.toml:9: key classification.knows: unknown name rat: did you mean rate?"},
		{"floor", `noise = "1 - strong"`, `floor = "strong"`, "lava.toml:12: key classification.floor: want a parameter of the layout other than strong"},
		{"floor of no component", `noise = "1 - strong"`, `floor = "cope"`, "lava.toml:12: key classification.floor: only a candidate model that composes"},
		{"knowing", `name = "toy"`, "name = \"toy\"\n[knowing]\ncandidate = \"lav\"", "toy.toml:4: key knowing.candidate: no candidate model of this set is called lav"},
		{"knowing of no share", `name = "toy"`, "name = \"toy\"\n[knowing]\ncandidate = \"lava\"", "toy.toml:4: key knowing.candidate: lava: want a candidate model that composes, with strong and one more parameter, which its key knows names"},
		{"no word", `family = "nonspecific"`, ``, "constant.toml:7: key classification.family: is missing: one of capable, nonspecific"},
		{"expression", `noise = "1 - rate"`, `noise = "1 - rat"`, "constant.toml:9: key classification.noise: unknown name rat: did you mean rate?"},
		{"syntax", `say = "passes {strong*cope} there"`, `say = "passes {strong*} there"`, "lava.toml:15: key classification.weakness[0].say: {strong*}: column 8: expected operand"},
		{"key of the section", `say = `, `says = `, "lava.toml:15: key classification.weakness[0].says: unknown key: did you mean say?"},
		{"behaviour", `noise = "1 - rate"`, `behaviour = "burn"`, `"random-walk": did you mean burns?`},
		{"no behaviour", `noise = "1 - rate"`, `behaviour = "x"`, `constant.toml:9: key classification.behaviour: "x" is not one of "seeker", "plain", "tires"`},
		{"distribution", `op = "7"`, `op = "uniform(7)"`, "lava.toml:17: key classification.profile.op: uniform takes 2 arguments, not 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := compare.Parse(with(c.old, c.new))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want %s", err, c.want)
			}
		})
	}
}

func TestList(t *testing.T) {
	names, err := compare.List(compare.Text{File: "toy.toml", Text: bankText})
	if err != nil || strings.Join(names, " ") != "constant.toml lava.toml ramp.toml" {
		t.Errorf("%v, %v", names, err)
	}
	if _, err := compare.List(compare.Text{File: "toy.toml", Text: "name = \"toy\"\n[[candidate]]\nfile = \"a\"\n"}); err == nil || !strings.Contains(err.Error(), "at least two") {
		t.Errorf("a bank of one rival: %v", err)
	}
}

// TestBindLeavesOut checks that a rival whose column the items lack is left out, with the reason, and that the others share its
// prior probability; and that a bank with fewer than two rivals left is an error.
func TestBindLeavesOut(t *testing.T) {
	it := items(8)
	it.Columns = it.Columns[:1]
	b := bank(t, it)
	if e := b.Entries[2]; e.Design != nil || !strings.Contains(e.LeftOut, "the items have no column ramp") {
		t.Errorf("ramp: %+v", e)
	}
	if got := b.Entries[0].Share; got != 2.0/3 {
		t.Errorf("share of constant %v; want 2/3", got)
	}
	it.Columns = nil
	if _, err := b.Bind(it, measures); err == nil || !strings.Contains(err.Error(), "what 1 of its 3 models need") {
		t.Errorf("error %v", err)
	}
	it = items(8)
	for i := range it.Columns[1].Number {
		it.Columns[1].Number[i] = 1
	}
	if e := bank(t, it).Entries[2]; !strings.Contains(e.LeftOut, "no two items differ") {
		t.Errorf("ramp in every item: %+v", e)
	}
}

// TestShippedBanks checks that every bank of the repository can be read.
func TestShippedBanks(t *testing.T) {
	dir := filepath.Join("..", "..", "scenarios", "candidates")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Skip("no scenarios beside this package: ", err)
	}
	read := func(name string) compare.Text {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return compare.Text{File: name, Text: string(b)}
	}
	used := map[string]bool{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		s := compare.Source{Text: read(e.Name())}
		names, err := compare.List(s.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			s.Rivals = append(s.Rivals, read(n))
			used[n] = true
		}
		if _, err := compare.Parse(s); err != nil {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.toml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		name, err := filepath.Rel(dir, f)
		if err != nil || !used[filepath.ToSlash(name)] {
			t.Errorf("no bank has the rival %s (%v)", f, err)
		}
	}
}

// TestParseNeedsEveryText checks that Parse panics if a rival of the bank has no text, which is a mistake of the caller: List
// names the files.
func TestParseNeedsEveryText(t *testing.T) {
	text := compare.Text{File: "toy.toml", Text: bankText}
	names, err := compare.List(text)
	if err != nil {
		t.Fatal(err)
	}
	s := compare.Source{Text: text}
	for range names[1:] {
		s.Rivals = append(s.Rivals, compare.Text{File: "rival", Text: heel("lava")})
	}
	defer func() {
		if got := recover(); got != "compare: not as many texts as the bank has rivals" {
			t.Errorf("panic %v", got)
		}
	}()
	_, _ = compare.Parse(s)
}

func FuzzParse(f *testing.F) {
	f.Add(bankText, heel("lava"))
	f.Fuzz(func(t *testing.T, bank, rival string) {
		names, err := compare.List(compare.Text{File: "bank", Text: bank})
		if err != nil || len(names) > 5 {
			return
		}
		s := compare.Source{Text: compare.Text{File: "bank", Text: bank}}
		for range names {
			s.Rivals = append(s.Rivals, compare.Text{File: "rival", Text: rival})
		}
		if b, err := compare.Parse(s); err == nil {
			_, _ = b.Bind(items(4), []record.Measure{{Name: "success", Family: record.Binary}})
		}
	})
}
