package score_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/infer/posterior"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
)

var (
	verdictSeeds = flag.Int("seeds", 2, "with -long: root seeds on which verdicts are graded")
	verdictFrom  = flag.Uint64("from", 101, "with -long: the first of them; those up to 100 are for tuning")
	verdictKeep  = flag.String("keep", "", "with -long: names of the only subjects to grade, with commas between")
	failureFile  = flag.String("failures", "", "with -long: file that wrong verdicts are written to")
)

// A judgement sums up verdicts over root seeds.
type judgement struct {
	right, fraud            tally // right families: of all subjects, of fraudsters
	seeds, fraudSeeds       tally // seeds on which all known families are right; on which all fraudsters are
	weak, precision, unsaid tally
	colours                 tally // right colours (Verdicts.Colours)
	sure                    tally // right verdicts, of those with a weight of at least score.Confident, without unclassified subjects
	cautious, flagged       tally // unclassified subjects in Unknown.Cautious; all other subjects with a flagged misfit
	brier                   float64
	brierN                  int
	covered                 map[string]*tally  // capability → truths inside 90 % intervals over all rivals, without truths at a bound
	squares                 map[string]float64 // capability → sum of squared errors of the means over all rivals
	squaresN                map[string]int
	wrong                   []string
	rows                    []score.VerdictRow
}

type tally struct{ k, n int }

func (t *tally) add(k, n int) { t.k, t.n = t.k+k, t.n+n }

func (t *tally) count(held bool) {
	if held {
		t.k++
	}
	t.n++
}

func (t tally) String() string {
	if t.n == 0 {
		return "–"
	}
	i := score.ClopperPearson(t.k, t.n, score.Level)
	return fmt.Sprintf("%d of %d, %.3f [%.3f, %.3f]", t.k, t.n, float64(t.k)/float64(t.n), i[0], i[1])
}

// short returns whether the share is significantly below the target: if the true share is the target, it returns true
// with probability at most 1e-3.
func (t tally) short(target float64) bool {
	return t.n > 0 && score.ClopperPearson(t.k, t.n, 1-2e-3)[1] < target
}

// A trialRun is a scenario, changed by settings, on whose subjects verdicts are tried.
type trialRun struct {
	scenario string
	settings []string
	keep     []string // names of subjects; nil: all
}

// TestVerdictsSmall goes the whole way from a scenario to graded verdicts, for one subject of each kind, on a seed on
// which nothing was tuned. All families must be right.
func TestVerdictsSmall(t *testing.T) {
	keep := []string{"agent-01", "agent-03", "agent-08", "agent-11", "agent-16", "agent-20"}
	r := trialRun{scenario: "op-burden", settings: []string{"battery.sample=800"}, keep: keep}
	if longtest.On() {
		r.settings = nil // all 2188 items
	}
	var j judgement
	j.judge(t, r, 20261)
	if j.right.k != len(keep) || j.fraud.k != 1 || j.brier/float64(j.brierN) > 0.05 {
		t.Errorf("right families %v, fraudsters %v, has-OP Brier %v:\n%s", j.right, j.fraud, j.brier/float64(j.brierN), strings.Join(j.wrong, "\n"))
	}
}

// TestVerdicts grades verdicts on seeds on which nothing was tuned, and checks that no share is significantly below its
// target.
func TestVerdicts(t *testing.T) {
	longtest.Only(t, "takes minutes, and -seeds 20 for the numbers of docs/theory/classification.md")
	design := "battery.coding=design"
	for _, c := range []suite{
		{"op-burden", trialRun{scenario: "op-burden"}, map[string]float64{"seeds": 0.9, "fraud seeds": 0.9}},
		{"op-burden, design", trialRun{scenario: "op-burden", settings: []string{design}}, map[string]float64{"seeds": 0.9, "fraud seeds": 0.9}},
		{"op-fresh", trialRun{scenario: "op-fresh"}, map[string]float64{"families": 0.95, "weaknesses": 0.9}},
		{"op-fresh, design", trialRun{scenario: "op-fresh", settings: []string{design, "population[5].count=2"}}, map[string]float64{"families": 0.95, "weaknesses": 0.9}},
		{"op-unknown", trialRun{scenario: "op-unknown"}, map[string]float64{"cautious": 0.95}},
		{"op-unknown, design", trialRun{scenario: "op-unknown", settings: []string{design}}, map[string]float64{"cautious": 0.95}},
	} {
		c.try(t)
	}
}

// TestMilderVerdicts logs grades for harder subjects, without targets: weaknesses that responses hardly show, and kinds
// of subject that hardly differ from a family.
func TestMilderVerdicts(t *testing.T) {
	longtest.Only(t, "takes minutes")
	for _, c := range []suite{
		{"op-fresh, milder", trialRun{scenario: "op-fresh", settings: []string{
			"population[1].parameters.rate=uniform(0.4, 0.7)",
			"population[2].parameters.strong=uniform(0.75, 0.9)", "population[2].parameters.weak=uniform(0.35, 0.48)",
			"population[3].parameters.medium=uniform(0.55, 0.7)", "population[3].parameters.rare=uniform(0.12, 0.2)",
			"population[4].parameters.slips=uniform(0.85, 0.95)", "population[4].parameters.chance=uniform(0.3, 0.5)",
		}}, nil},
		{"op-unknown, milder", trialRun{scenario: "op-unknown", settings: []string{
			"population[0].parameters.strong=uniform(0.75, 0.9)", "population[0].parameters.weak=uniform(0.4, 0.6)",
		}}, nil},
	} {
		c.try(t)
	}
}

// A suite is a scenario with targets. want is name of a share (see shares) → its target.
type suite struct {
	name string
	run  trialRun
	want map[string]float64
}

func (c suite) try(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		var j judgement
		if *verdictKeep != "" {
			c.run.keep = strings.Split(*verdictKeep, ",")
		}
		for k := range uint64(*verdictSeeds) {
			j.judge(t, c.run, *verdictFrom+k)
		}
		t.Log("\n" + j.String())
		for name, target := range c.want {
			if got := j.shares()[name]; got.short(target) {
				t.Errorf("%s: %v, below %v", name, got, target)
			}
		}
		j.write(t, c.name)
	})
}

func (j *judgement) shares() map[string]tally {
	return map[string]tally{"families": j.right, "seeds": j.seeds, "fraudsters": j.fraud, "fraud seeds": j.fraudSeeds, "weaknesses": j.weak, "precision": j.precision, "cannot tell": j.unsaid, "cautious": j.cautious, "colours": j.colours, "sure": j.sure, "misfits": j.flagged}
}

// String returns the shares as a table.
func (j *judgement) String() string {
	var b strings.Builder
	shares := j.shares()
	for _, name := range []string{"families", "seeds", "fraudsters", "fraud seeds", "weaknesses", "precision", "colours", "sure", "cannot tell", "cautious", "misfits"} {
		fmt.Fprintf(&b, "%-12s %v\n", name, shares[name])
	}
	if j.brierN > 0 {
		fmt.Fprintf(&b, "has-OP Brier %.4f over %d\n", j.brier/float64(j.brierN), j.brierN)
	}
	for _, c := range slices.Sorted(maps.Keys(j.squares)) {
		fmt.Fprintf(&b, "%-9s RMSE over all rivals %.3f over %d; 90 %% holds, off the bounds, %v\n", c, math.Sqrt(j.squares[c]/float64(j.squaresN[c])), j.squaresN[c], j.covered[c])
	}
	return b.String()
}

// addProfiles adds the errors and the coverage of the profiles over all rivals.
func (j *judgement) addProfiles(s *score.Scores) {
	if j.squares == nil {
		j.covered, j.squares, j.squaresN = map[string]*tally{}, map[string]float64{}, map[string]int{}
	}
	for c, r := range s.Recovery["overall"] {
		j.squares[c] += r.RMSE * r.RMSE * float64(r.N)
		j.squaresN[c] += r.N
	}
	for c, d := range s.Coverage.Stacked {
		if j.covered[c] == nil {
			j.covered[c] = &tally{}
		}
		if d.Interior != nil {
			j.covered[c].add(d.Interior.Covered, d.Interior.N)
		}
	}
}

// judge runs a scenario on one root seed and adds up the grades.
func (j *judgement) judge(t testing.TB, r trialRun, root uint64) {
	t.Helper()
	s := r.open(t)
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: root, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	r.reduce(session)
	scores := gradeSession(t, session, root)
	graded := scores.Verdicts
	j.addProfiles(scores)
	j.right.add(graded.FamiliesRight, graded.Subjects)
	j.fraud.add(graded.FraudstersRight, graded.Fraudsters)
	j.weak.add(graded.WeaknessesRight, graded.Weaknesses)
	if p := graded.Named.Precision; p != nil {
		j.precision.add(p.Covered, p.N)
	}
	if c := graded.Colours; c != nil {
		j.colours.add(c.Covered, c.N)
	}
	if u := graded.Unknown; u != nil {
		j.cautious.add(u.Cautious.Covered, u.Cautious.N)
	}
	if graded.HasOPBrier != nil {
		j.brier += *graded.HasOPBrier * float64(graded.HasOPSubjects)
		j.brierN += graded.HasOPSubjects
	}
	j.rows = append(j.rows, graded.Rows...)
	all := true
	for i := range graded.Rows {
		row := &graded.Rows[i]
		known := row.Truth.Family != compare.Unclassified
		j.unsaid.count(row.Family == compare.Unclassified)
		if known {
			j.flagged.count(len(row.Misfit) > 0)
		}
		if known && row.Family != compare.Unclassified && row.Weight >= score.Confident {
			j.sure.count(row.Right)
		}
		all = all && (row.Right || !known)
		if !row.Right || row.WeaknessRight < len(row.TrueWeaknesses) && known {
			j.wrong = append(j.wrong, failure(root, row))
		}
	}
	j.seeds.count(all)
	if graded.Fraudsters > 0 {
		j.fraudSeeds.count(graded.FraudstersRight == graded.Fraudsters)
	}
}

// failure returns one line about a verdict that is not right.
func failure(root uint64, r *score.VerdictRow) string {
	var weights, misfits []string
	for _, w := range r.Families {
		weights = append(weights, fmt.Sprintf("%s %.3f", w.Name, w.Weight))
	}
	for _, m := range r.Misfit {
		misfits = append(misfits, fmt.Sprintf("%s (%.2g)", m.Check, m.P))
	}
	return fmt.Sprintf("seed %d %s: is %s (%s); weak at %s; verdict %s [%s]; weak at %s; misfits %s; rivals %s", root, r.Name, r.Truth.Family, r.Truth.Reason,
		strings.Join(r.TrueWeaknesses, ", "), r.Family, strings.Join(weights, ", "), strings.Join(r.WeaknessNames, ", "), strings.Join(misfits, ", "), heaviest(r))
}

func heaviest(r *score.VerdictRow) string {
	var out []string
	for _, c := range r.Rivals[:min(3, len(r.Rivals))] {
		out = append(out, fmt.Sprintf("%s %.3f", c.Name, c.Weight))
	}
	return strings.Join(out, ", ")
}

func (r trialRun) open(t testing.TB) *scene.Scenario {
	t.Helper()
	text := string(shippedFile(t, r.scenario+".toml"))
	for _, setting := range r.settings {
		var err error
		if text, err = scene.Override("f", text, setting); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scene.Parse(r.scenario+".toml", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// reduce removes from the session all subjects that r.keep does not name.
func (r trialRun) reduce(s *generate.Session) {
	if r.keep != nil {
		*s = *s.Alone(r.keep...)
	}
}

// gradeSession grades a session by the bank op (see gradeBy).
func gradeSession(t testing.TB, session *generate.Session, root uint64) *score.Scores {
	t.Helper()
	return gradeBy(t, session, root, "op", "op")
}

// gradeBy publishes a session, infers verdicts blind with a shipped layout and a shipped bank, opens the seal and grades them.
// The layout, on which no verdict depends, is fitted with the fewest draws that are allowed.
func gradeBy(t testing.TB, session *generate.Session, root uint64, layout, rivals string) *score.Scores {
	t.Helper()
	public, sealed, err := generatetest.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	config, err := jobOf(layout+".toml", string(shippedFile(t, "layouts/"+layout+".toml")), root)
	if err != nil {
		t.Fatal(err)
	}
	config.Bank, config.Engine, config.Draws, config.Warmup, config.Predict, config.Jobs = bank(t, rivals), posterior.NUTS, 100, 50, false, min(2, runtime.GOMAXPROCS(0))
	inferred := &shelf{files: map[string][]byte{}}
	if _, err := infer.Run(context.Background(), asFS(public), config, &shelf{files: map[string][]byte{}}, inferred); err != nil {
		t.Fatal(err)
	}
	in, err := score.Open(asFS(public), asFS(inferred.files))
	if err == nil {
		err = in.Unseal(asFS(sealed))
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := score.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bank returns a shipped bank of rivals.
func bank(t testing.TB, name string) *compare.Source {
	t.Helper()
	s := &compare.Source{Text: compare.Text{File: name + ".toml", Text: string(shippedFile(t, "candidates/"+name+".toml"))}}
	files, err := compare.List(s.Text)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := scenarios.FS.ReadFile(path.Join("candidates", file))
		if err != nil {
			t.Fatal(err)
		}
		s.Rivals = append(s.Rivals, compare.Text{File: file, Text: string(data)})
	}
	return s
}

// write appends the lines about wrong verdicts to the file that the flag failures names.
func (j *judgement) write(t *testing.T, name string) {
	if *failureFile == "" {
		return
	}
	f, err := os.OpenFile(*failureFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "# %s\n%s%s\n\n", name, j, strings.Join(j.wrong, "\n"))
}
