package score_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/infer"
	"achilles/infer/compare"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
)

// drawnByHand returns posteriors of three subjects, two items and a shared parameter with drawn values:
//
//	ability     values 1, 0, −1  means 1, 0.5, −0.5  deviations 0, .5, .5   RMSE √(1/6), bias 1/3
//	difficulty  values 2, 0      means 0, 3          deviations −2, 3       RMSE √6.5, bias .5, correlation −1
//	mu          value 1          mean 0              deviation −1
//
// All intervals are mean ± 0.3 and mean ± 1.
func drawnByHand() score.Input {
	in := hand()
	number := func(x float64) *float64 { return &x }
	in.Result.Profiles, in.Result.Draws, in.Result.Units = nil, nil, nil
	for i, mean := range []float64{1, 0.5, -0.5} {
		id := in.Public.Subjects[i]
		in.Result.Profiles = append(in.Result.Profiles, infer.Profile{Subject: id, Parameter: "ability", Group: "capability", Mean: mean, SD: 0.5, MCSE: number(0.1),
			Q5: mean - 1, Q25: mean - 0.3, Q50: mean, Q75: mean + 0.3, Q95: mean + 1})
	}
	for i, mean := range []float64{0, 3, 0} {
		u := infer.Unit{Parameter: "difficulty", Kind: infer.ItemUnit, Unit: in.Public.Items.ID[i], Mean: number(mean), SD: number(0.5),
			Q5: mean - 1, Q25: mean - 0.3, Q50: mean, Q75: mean + 0.3, Q95: mean + 1}
		if i == 2 {
			u.Parameter, u.Kind, u.Unit = "mu", infer.SharedUnit, ""
		}
		in.Result.Units = append(in.Result.Units, u)
	}
	in.Sealed.Subjects = map[string]agents.Spec{"s1": {Name: "subject-002"}, "s2": {Name: "subject-010"}, "s3": {Name: "subject-001"}}
	in.Sealed.Scale, in.Sealed.Published = nil, nil
	in.Sealed.Items = map[string]seal.Item{"i1": {Name: "item-002"}, "i2": {Name: "item-001"}}
	in.Sealed.Parameters = map[string]map[string]float64{
		"ability": {"s1": 1, "s2": 0, "s3": -1}, "difficulty": {"i1": 2, "i2": 0}, "mu": {"": 1}, "guessing": {"i1": 0.2},
	}
	return in
}

// TestSimulatedByHand grades the posteriors of drawnByHand.
func TestSimulatedByHand(t *testing.T) {
	in := drawnByHand()
	s := run(t, in)
	if len(s.Drawn) != 3 || s.Recovery != nil || s.Coverage != nil {
		t.Fatalf("drawn %+v, recovery %v, coverage %v", s.Drawn, s.Recovery, s.Coverage)
	}
	ability, difficulty, mu := s.Drawn[0], s.Drawn[1], s.Drawn[2]
	// rmse = √(1/6); its MCSE is √(.05² + .05²) / (3 rmse)
	if ability.N != 3 || ability.Kind != "subject" || !same(ability.RMSE, math.Sqrt(1./6)) || !same(ability.Bias, 1./3) || !same(*ability.MCSE, 0.05*math.Sqrt2/(3*math.Sqrt(1./6))) {
		t.Errorf("ability: %+v", ability)
	}
	if !same(*ability.Spread, 1) || !same(*ability.Spearman, 1) || !same(*ability.Pearson, 1.5/math.Sqrt(2*(4./9+1./36+25./36))) {
		t.Errorf("ability: spread %v, Pearson %v, Spearman %v", *ability.Spread, *ability.Pearson, *ability.Spearman)
	}
	if ability.Share50.Covered != 1 || ability.Share90.Covered != 3 || ability.Interval == nil {
		t.Errorf("ability is covered by %+v and %+v", ability.Share50, ability.Share90)
	}
	if !same(difficulty.RMSE, math.Sqrt(6.5)) || !same(difficulty.Bias, 0.5) || !same(*difficulty.Pearson, -1) || difficulty.MCSE != nil || difficulty.Share90.Covered != 0 {
		t.Errorf("difficulty: %+v", difficulty)
	}
	if mu.N != 1 || mu.Kind != infer.SharedUnit || mu.Interval != nil || mu.Spread != nil || mu.Pearson != nil || !same(mu.RMSE, 1) || mu.Share90.Covered != 1 {
		t.Errorf("mu: %+v", mu)
	}
	var names []string
	for _, x := range s.Simulated {
		names = append(names, x.Name)
	}
	if got := strings.Join(names, " "); got != "subject-001 subject-002 subject-010 item-001 item-002 " {
		t.Errorf("rows are of %q", got)
	}
	if !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "parameter guessing was drawn") }) {
		t.Errorf("notes %q do not say that guessing is not graded", s.Notes)
	}
	if *s.Profiles[0].Truth != -1 || s.Profiles[0].Fraction != nil {
		t.Errorf("the first profile is %+v", s.Profiles[0])
	}
	if h := s.Headline(); !strings.HasPrefix(h, "Correlation with truth, ability 0.98; correlation with truth, difficulty -1.00;") {
		t.Errorf("headline %q", h)
	}
	files, err := s.Files(asCSV)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"simulated.csv": "\ndifficulty,item,2,", "parameters.csv": "\nmu,shared,,,1,0,0.5,", "profiles.csv": ",-1,,"} {
		if !strings.Contains(string(files[name]), want) {
			t.Errorf("%s has no %q:\n%s", name, want, files[name])
		}
	}
	if _, there := files["recovery.csv"]; there {
		t.Errorf("there are %v", slices.Sorted(maps.Keys(files)))
	}
	if x := tableOf(t, s, "simulated"); x.Rows[1][0].Text() != "difficulty" || x.Rows[1][2].Text() != "2" || !strings.HasPrefix(x.Rows[1][3].Text(), "2.5") {
		t.Errorf("the table has %v", x.Rows)
	}
}

// TestSimulatedIsChecked checks that a posterior which appears twice or is not finite is refused by name, and that drawn
// values without a posterior are noted.
func TestSimulatedIsChecked(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	for want, spoil := range map[string]func(*infer.Result){
		`parameter difficulty, unit "i1" appears twice`: func(r *infer.Result) { r.Units = append(r.Units, r.Units[0]) },
		`parameter ability, unit "s1" appears twice`: func(r *infer.Result) {
			r.Units = append(r.Units, infer.Unit{Parameter: "ability", Kind: "subject", Unit: "s1"})
		},
		`parameter mu, unit "": NaN is not a number`:            func(r *infer.Result) { r.Units[2].Mean = number(math.NaN()) },
		`parameter difficulty, unit "i2": +Inf is not a number`: func(r *infer.Result) { r.Units[1].Q95 = math.Inf(1) },
	} {
		in := drawnByHand()
		spoil(in.Result)
		if _, err := score.Run(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	in := drawnByHand()
	in.Result.Profiles, in.Result.Units = in.Result.Profiles[:1], in.Result.Units[1:]
	notes := run(t, in).Notes
	for _, want := range []string{"parameter ability: 2 of 3 drawn values have no posterior: not graded", "parameter difficulty: 1 of 2 drawn values have no posterior: not graded"} {
		if !slices.Contains(notes, want) {
			t.Errorf("notes %q lack %q", notes, want)
		}
	}
	if slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "parameter mu") }) {
		t.Errorf("notes %q are about mu, which has its posterior", notes)
	}
}

// TestSimulatedUnderOneLayout checks that grades of drawn values say of which layout they are if profiles are averaged over
// rivals.
func TestSimulatedUnderOneLayout(t *testing.T) {
	in := drawnByHand()
	if x := tableOf(t, run(t, in), "simulated"); strings.Contains(x.Title, "alone") {
		t.Errorf("the table of one layout is called %s", x.Title)
	}
	in.Result.Verdicts = &compare.Verdicts{Subjects: []compare.Verdict{{Subject: "s1", Family: "capable", Weight: 1, Profile: []compare.ParameterEstimate{
		{Name: "ability", SD: 0.3, CredibleInterval: compare.CredibleInterval{Mean: 7}},
	}}}}
	s := run(t, in)
	if got := s.Drawn[0].RMSE; !same(got, math.Sqrt(1./6)) {
		t.Errorf("the RMSE of ability is %v", got)
	}
	if h := s.Headline(); !strings.Contains(h, "orrelation with truth, ability 0.98 under layout op alone") {
		t.Errorf("the headline is %q", h)
	}
	if x := tableOf(t, s, "simulated"); !strings.Contains(x.Title, "posterior mean under layout op alone") {
		t.Errorf("the table is called %s", x.Title)
	}
}
