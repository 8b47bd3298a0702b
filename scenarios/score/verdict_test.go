package score_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"achilles/agents"
	"achilles/infer/compare"
	"achilles/infer/misfit"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
)

// judged is an input with verdicts on six subjects, small enough to grade by hand.
//
//	subject  truth                                   verdict
//	one      capable, has OP                         capable, P(OP) .9
//	two      achilles-heel: colour DarkBlue, has OP  achilles-heel, P(OP) .8: colour (DarkBlue), then lava
//	three    context-specific: cup and grid, maybe   achilles-heel: "cup and cv", flagged
//	four     fraudster: op, no OP                    fraudster, P(OP) .2: op
//	five     unclassified                             capable at .95, flagged
//	six      unclassified                             achilles-heel at .95: memory
func judged() score.Input {
	in := hand()
	in.Public.Subjects = []string{"s1", "s2", "s3", "s4", "s5", "s6"}
	truths := map[string]agents.Spec{
		"s1": {Name: "one", Truth: agents.Truth{Family: "capable", HasOP: "yes", Weakness: "none", Groups: []string{"included"}}},
		"s2": {Name: "two", Truth: agents.Truth{Family: "achilles-heel", HasOP: "yes", Weakness: "colour DarkBlue", Groups: []string{"included"}}},
		"s3": {Name: "three", Truth: agents.Truth{Family: "context-specific", HasOP: "maybe", Weakness: "cup and grid"}},
		"s4": {Name: "four", Truth: agents.Truth{Family: "fraudster", HasOP: "no", Weakness: "op"}},
		"s5": {Name: "five", Truth: agents.Truth{Family: "unclassified", HasOP: "unknown", Weakness: "unknown"}},
		"s6": {Name: "six", Truth: agents.Truth{Family: "unclassified", HasOP: "unknown", Weakness: "unknown"}},
	}
	in.Sealed.Subjects = truths
	in.Sealed.Published = json.RawMessage(`{"source": "a paper", "verdict": {"two": {"decision": "Reference", "has_op": "Yes", "weakness": "(Slight) Lava"}}}`)
	flagged := []misfit.Finding{{Check: "family × side"}}
	in.Result.Verdicts = &compare.Verdicts{Subjects: []compare.Verdict{
		{Subject: "s1", Family: "capable", Weight: 0.99, HasOP: 0.9, Weaknesses: []compare.Weakness{{Name: "lava", Probability: 0.3}}},
		{Subject: "s2", Family: "achilles-heel", Weight: 0.97, HasOP: 0.8, Weaknesses: []compare.Weakness{
			{Name: "colour", Probability: 0.98, Statement: "fails where the occluder is DarkBlue"}, {Name: "lava", Probability: 0.6}, {Name: "ramp", Probability: 0.4},
		}},
		{Subject: "s3", Family: "achilles-heel", Weight: 0.7, HasOP: 0.5, Weaknesses: []compare.Weakness{{Name: "cup and cv", Probability: 0.9}}, Misfit: flagged},
		{Subject: "s4", Family: "fraudster", Weight: 0.8, HasOP: 0.2, Weaknesses: []compare.Weakness{{Name: "op", Probability: 0.8}}},
		{Subject: "s5", Family: "capable", Weight: 0.95, HasOP: 0.9, Misfit: flagged},
		{Subject: "s6", Family: "achilles-heel", Weight: 0.95, HasOP: 0.9, Weaknesses: []compare.Weakness{{Name: "memory", Probability: 0.9}}},
	}}
	return in
}

func TestVerdictsByHand(t *testing.T) {
	g := run(t, judged()).Verdicts
	if g == nil {
		t.Fatal("no grades")
	}
	// Right: one, two, four, and five, whose misfit is flagged.
	if g.FamiliesRight != 4 || g.Subjects != 6 || g.FraudstersRight != 1 || g.Fraudsters != 1 {
		t.Errorf("families %d of %d, fraudsters %d of %d", g.FamiliesRight, g.Subjects, g.FraudstersRight, g.Fraudsters)
	}
	// The true weaknesses are colour of two, cup and grid of three, and op of four. A verdict gets as many guesses as
	// there are true ones: colour, op and cup are right, cv is wrong.
	if g.WeaknessesRight != 3 || g.Weaknesses != 4 {
		t.Errorf("weaknesses %d of %d, want 3 of 4", g.WeaknessesRight, g.Weaknesses)
	}
	// The verdicts name colour and lava for two, cup and cv for three, and op for four. Memory, named for six, does not
	// count, because the truth of six is unclassified.
	if p, r := g.Named.Precision, g.Named.Recall; p.Covered != 3 || p.N != 5 || r.Covered != 3 || r.N != 4 {
		t.Errorf("precision %+v, recall %+v", p, r)
	}
	if want := (score.NameCount{True: 0, Named: 1, Both: 0}); g.Named.Names["lava"] != want {
		t.Errorf("lava %+v", g.Named.Names["lava"])
	}
	// The squared errors are (.9−1)², (.8−1)² and (.2−0)², of the three subjects whose truth says yes or no.
	if g.HasOPSubjects != 3 || math.Abs(*g.HasOPBrier-0.09/3) > 1e-12 {
		t.Errorf("has-OP Brier %v over %d", *g.HasOPBrier, g.HasOPSubjects)
	}
	if c := g.Colours; c == nil || c.Covered != 1 || c.N != 1 {
		t.Errorf("colours %+v", c)
	}
	if u := g.Unknown; u.N != 2 || u.Unclassified != 0 || u.Misfit != 1 || u.Wrong != 1 || u.Confident != 1 || u.Cautious.Covered != 1 {
		t.Errorf("unknown kinds: %+v", u)
	}
	want := map[string]map[string]int{
		"capable": {"capable": 1}, "achilles-heel": {"achilles-heel": 1}, "context-specific": {"achilles-heel": 1}, "fraudster": {"fraudster": 1},
		"unclassified": {"capable": 1, "achilles-heel": 1},
	}
	if d := cmp.Diff(want, g.Confusion); d != "" {
		t.Errorf("confusion (−want +got):\n%s", d)
	}
	if m := g.Flagged["unclassified"]; m.Covered != 1 || m.N != 2 {
		t.Errorf("misfits on unknown kinds: %+v", m)
	}
	if i := g.Groups["included"]; i.Covered != 2 || i.N != 2 {
		t.Errorf("group: %+v", i)
	}
}

// TestPublishedDesign grades judged under a published design, too, in which two has not object permanence and lava as a weakness
// besides colour, three is maybe, and four and the unknown ones are not there: the design takes the place of the truth, and ours keeps
// its grades.
func TestPublishedDesign(t *testing.T) {
	in := judged()
	in.Sealed.Published = json.RawMessage(`{"source": "a paper", "types_correct": 0.75, "design": {
		"one": {"type": "Perfect", "has_op": "Yes", "family": "capable"},
		"two": {"type": "Heel", "has_op": "No", "weakness": "Lava + Occluders", "family": "achilles-heel", "names": "lava and colour"},
		"three": {"type": "Medium OP", "has_op": "Yes/Maybe", "family": "achilles-heel", "names": "grid"}}}`)
	s := run(t, in)
	g := s.Verdicts
	if g.FamiliesRight != 4 || g.Subjects != 6 || *g.Types != 0.75 {
		t.Errorf("ours: %d of %d, published %v", g.FamiliesRight, g.Subjects, *g.Types)
	}
	if h := s.Headline(); !strings.Contains(h, "gent type correct: 4 of 6 (published: 0.75 of 3") {
		t.Errorf("headline %s", h)
	}
	p := g.Printed
	// named: colour and lava of two, both true; cup and cv of three, where grid is true
	if p == nil || p.FamiliesRight != 3 || p.Subjects != 3 || p.WeaknessesRight != 2 || p.Weaknesses != 3 || p.Named.Precision.Covered != 2 || p.Named.Precision.N != 4 {
		t.Fatalf("by the design: %+v", p)
	}
	if p.HasOPSubjects != 2 || !same(*p.HasOPBrier, (0.01+0.64)/2) {
		t.Errorf("has-OP Brier %v over %d", *p.HasOPBrier, p.HasOPSubjects)
	}
	for _, table := range s.Tables() {
		switch table.Name {
		case "design":
			if len(table.Rows) != 3 || table.Value(2, "design").Text() != "Heel" {
				t.Errorf("%d rows of designs, %v", len(table.Rows), table.Rows)
			}
		case "grades":
			if x, _ := table.Value(0, "published").Number(); x != 0.75 {
				t.Errorf("published %v", x)
			}
		}
	}
}

// TestUnsureIsNotConfident checks that a verdict which names a family for a unclassified subject, with a weight below
// Confident, counts as wrong but not as confident.
// TestSubjectWithoutVerdict checks that a subject whom no candidate explains counts as unclassified: not as correct, and not as absent.
func TestSubjectWithoutVerdict(t *testing.T) {
	in := judged()
	in.Result.Verdicts.Subjects = in.Result.Verdicts.Subjects[1:] // without the first, who is classified correctly otherwise
	g := run(t, in).Verdicts
	if g.Subjects != 6 || g.FamiliesRight != 3 || len(g.Rows) != 6 {
		t.Errorf("%d of %d in %d rows, want 3 of 6 in 6", g.FamiliesRight, g.Subjects, len(g.Rows))
	}
	for _, r := range g.Rows {
		if missing := r.Unclassified == "no candidate explains the responses"; missing != (r.Name == "one") || missing && r.Right {
			t.Errorf("%s: %+v", r.Name, r.Verdict)
		}
	}
}

func TestUnsureIsNotConfident(t *testing.T) {
	in := judged()
	in.Result.Verdicts.Subjects[5].Weight = 0.89
	if u := run(t, in).Verdicts.Unknown; u.Wrong != 1 || u.Confident != 0 || u.Cautious.Covered != 2 {
		t.Errorf("%+v", u)
	}
}

// TestVerdictFiles checks the names in scores.json and the columns of classifications.csv, because scripts of users rely on
// them.
func TestVerdictFiles(t *testing.T) {
	s := run(t, judged())
	files, err := s.Files(asCSV)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Classifications map[string]json.RawMessage }
	if err := json.Unmarshal(files["scores.json"], &doc); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"families_right": "4", "subjects": "6", "fraudsters_right": "1", "fraudsters": "1", "weaknesses_right": "3", "weaknesses": "4"} {
		if got := string(doc.Classifications[name]); got != want {
			t.Errorf("classifications.%s is %s, want %s", name, got, want)
		}
	}
	if doc.Classifications["has_op_brier"] == nil {
		t.Error("classifications.has_op_brier is missing")
	}
	rows, err := csv.NewReader(strings.NewReader(string(files["classifications.csv"]))).ReadAll()
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := strings.Join(rows[0][:6], ","); got != "subject,true_family,classification,weight,has_op,weaknesses" {
		t.Errorf("columns %s", got)
	}
	for _, row := range rows {
		if row[0] == "two" && strings.Join(row[:7], "|") != "two|achilles-heel|achilles-heel|0.97|0.8|colour; lava|true" {
			t.Errorf("row %v", row)
		}
	}
	text := string(tables(s))
	for _, part := range []string{"≠ context-specific", "(rows)", "Reference", "Brier score of P(OP) 0.0300 over the 3", "Published: a paper", "colour; lava"} {
		if !strings.Contains(text, part) {
			t.Errorf("the tables lack %q:\n%s", part, text)
		}
	}
}

// TestNoVerdicts checks that a result without verdicts has no grades of verdicts, and that verdicts are shown and not
// graded if the seal is closed. A verdict on an unknown subject and two verdicts on one subject must be refused.
func TestNoVerdicts(t *testing.T) {
	in := judged()
	in.Result.Verdicts = nil
	s := run(t, in)
	files, err := s.Files(asCSV)
	if err != nil || s.Verdicts != nil || files["classifications.csv"] != nil || strings.Contains(string(files["scores.json"]), "classifications") {
		t.Errorf("grades without verdicts: %+v %v", s.Verdicts, err)
	}
	in = judged()
	in.Sealed = nil
	if s := run(t, in); s.Verdicts.Subjects != 0 || len(s.Verdicts.Rows) != 6 || s.Verdicts.HasOPBrier != nil || !strings.Contains(string(tables(s)), "s3") {
		t.Errorf("grades without a truth: %+v", s.Verdicts)
	}
	for why, change := range map[string]func(v *compare.Verdicts){
		"nobody": func(v *compare.Verdicts) { v.Subjects[0].Subject = "s9" },
		"twice":  func(v *compare.Verdicts) { v.Subjects[0].Subject = "s2" },
	} {
		in := judged()
		change(in.Result.Verdicts)
		if _, err := score.Run(in); err == nil {
			t.Errorf("%s: accepted", why)
		}
	}
}

// TestWeaknessWords checks that a truth and a verdict may name the same weaknesses in different words.
func TestWeaknessWords(t *testing.T) {
	for _, c := range []struct{ truth, said string }{
		{"look-alike positions", "look-alike"}, {"right-bias", "Right bias"}, {"cup and grid", "grid and cup"}, {"cup and grid", "cup, grid"},
		{"colour", "colour OffWhite"}, {"colour DarkBlue", "colour: DarkBlue"}, {"visual", "visual acuity"}, {"memory", "memory"}, {"colour", "colour with lava"},
	} {
		in := judged()
		two := in.Sealed.Subjects["s2"]
		two.Truth.Weakness = c.truth
		in.Sealed.Subjects["s2"] = two
		in.Result.Verdicts.Subjects[1].Weaknesses = []compare.Weakness{{Name: c.said, Probability: 0.9}}
		for _, r := range run(t, in).Verdicts.Rows {
			if r.Name == "two" && (r.WeaknessRight != len(r.TrueWeaknesses) || r.WeaknessRight == 0) {
				t.Errorf("%q is not recognised as %q: %v", c.said, c.truth, r.WeaknessNames)
			}
		}
	}
}

// TestDocumentedWeaknesses checks that the table in docs/reference/scoring.md has the name of every weakness, that the
// other words in it are read as the same weaknesses, and that the truths of two shipped scenarios use only names in the
// table.
func TestDocumentedWeaknesses(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/scoring.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "| weakness | also written |\n|---|---|\n")
	seen := map[string]bool{}
	for line := range strings.Lines(rest) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), "|")
		if len(cells) < 1 || !strings.HasPrefix(line, "|") {
			break
		}
		var names []string
		for _, n := range strings.Split(cells[0], ",") {
			n = strings.Trim(n, " `")
			names = append(names, n)
			seen[n] = true
			if got := score.ParseWeaknesses(n); len(got) != 1 || got[0] != n {
				t.Errorf("%s means %v", n, got)
			}
		}
		if len(cells) < 2 {
			continue
		}
		others, _, _ := strings.Cut(cells[1], ";")
		for _, o := range strings.Split(others, ",") {
			if got := score.ParseWeaknesses(strings.TrimSpace(o)); strings.TrimSpace(o) != "" && (len(got) != 1 || !slices.Contains(names, got[0])) {
				t.Errorf("%s means %v, documented with %v", o, got, names)
			}
		}
	}
	for _, n := range score.WeaknessNames() {
		if !seen[n] {
			t.Errorf("%s is not documented", n)
		}
	}
	for _, name := range []string{"op-burden", "op-fresh"} {
		s, err := scene.Parse(name, string(shippedFile(t, name+".toml")))
		if err != nil {
			t.Fatal(err)
		}
		specs, err := s.Subjects(1)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range specs {
			for _, n := range score.ParseWeaknesses(spec.Truth.Weakness) {
				if !seen[n] {
					t.Errorf("%s, %s: weakness %q is none that verdicts can name", name, spec.Name, n)
				}
			}
		}
	}
}

// TestWeaknessesAreRanked checks that, for a subject with one true weakness, only the weakness that the verdict names
// first can count in WeaknessesRight, and that naming the true one second counts in Recall.
func TestWeaknessesAreRanked(t *testing.T) {
	in := judged()
	in.Result.Verdicts.Subjects[1].Weaknesses = []compare.Weakness{{Name: "lava", Probability: 0.9}, {Name: "colour", Probability: 0.8}}
	g := run(t, in).Verdicts
	if g.WeaknessesRight != 2 || g.Named.Recall.Covered != 3 {
		t.Errorf("%d right, recall %+v", g.WeaknessesRight, g.Named.Recall)
	}
	in.Result.Verdicts.Subjects[1].Weaknesses[1].Probability = 0.49
	if g := run(t, in).Verdicts; g.Named.Recall.Covered != 2 || g.Named.Precision.N != 4 {
		t.Errorf("less likely than not, and named: recall %+v, precision %+v", g.Named.Recall, g.Named.Precision)
	}
}

// TestFamiliesOfTables checks that tables have the families that a truth names or a verdict weighs, and unclassified, and no others.
func TestFamiliesOfTables(t *testing.T) {
	g := score.Verdicts{Rows: []score.VerdictRow{
		{Truth: agents.Truth{Family: compare.Tires}, Verdict: compare.Verdict{Families: []compare.FamilyWeight{{Name: compare.AchillesHeel, Weight: 1}}}},
		{Verdict: compare.Verdict{Families: []compare.FamilyWeight{{Name: compare.Learns, Weight: 0.1}}}},
	}}
	want := []string{compare.AchillesHeel, compare.Learns, compare.Tires, compare.Unclassified}
	if got := g.Families(); !slices.Equal(got, want) {
		t.Errorf("families %v, want %v", got, want)
	}
}
