package scenario_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"achilles/agents"
	"achilles/agents/agenttest"
	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/gridworld/gridtest"
	"achilles/scenarios"
	"achilles/scenarios/scenario"
	"achilles/sim/longtest"
)

func shipped(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	text, err := scenarios.FS.ReadFile(name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Parse(name+".toml", string(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestShippedScenarios checks every shipped scenario, and runs the conformance suite on every subject that acts or
// follows rules; of each population, on the first four, unless the long suite runs.
func TestShippedScenarios(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			text, err := scenarios.FS.ReadFile(name + ".toml")
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range scenario.Check(t.Context(), name+".toml", string(text)) {
				t.Error(err)
			}
			s := shipped(t, name)
			if s.Bib != nil {
				if s.Name != name || s.Doc == "" {
					t.Errorf("name %q, doc %q", s.Name, s.Doc)
				}
				return
			}
			if s.Name != name || s.Doc == "" || s.Inference.Text("layout") == "" {
				t.Errorf("name %q, doc %q, layout %q", s.Name, s.Doc, s.Inference.Text("layout"))
			}
			if !slices.Contains(scenarios.Layouts(), s.Inference.Text("layout")) {
				t.Errorf("layout %s is not shipped: there are %v", s.Inference.Text("layout"), scenarios.Layouts())
			}
			made := sync.OnceValue(func() *battery.Battery { // bodies need no battery
				b, err := s.MakeBattery(t.Context(), s.Seed, 1)
				if err != nil {
					t.Fatal(err)
				}
				return &b
			})
			specs, err := s.Subjects(s.Seed)
			if err != nil {
				t.Fatal(err)
			}
			alike := map[string]bool{}
			for i := range s.Populations {
				members, err := s.Populations[i].Specs(s.Seed)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range members[min(4, len(members)):] {
					alike[m.Name] = !longtest.On()
				}
			}
			for _, spec := range specs {
				switch {
				case alike[spec.Name]:
					continue
				case len(spec.Body) > 0:
					agenttest.Acts(t, spec, gridtest.Trials(), traitScale(s))
					continue
				case s.Battery.Layout != "": // package simulate tests what layouts draw
					continue
				case spec.Solver != nil || spec.Collective != nil: // package generate tests these with their sessions
					if err := s.CanTake(&spec, scenario.TasksOf(made())); err != nil {
						t.Error(err)
					}
					continue
				}
				agenttest.Conform(t, spec, scenario.ItemsOf(made()), s.Scale)
			}
		})
	}
}

// traitScale returns the maxima of capabilities in the units of traits. The layout op counts four units of op for each
// place.
func traitScale(s *scenario.Scenario) map[string]float64 {
	scale := maps.Clone(s.Scale)
	if s.Inference.Text("layout") == "op" {
		scale["op"] /= 4
	}
	return scale
}

// A burden is the scenario op-burden with its agents by number. The tests TestBurden… compare it with the reference
// tables.
type burden struct {
	*scenario.Scenario
	items agents.Items
	agent map[string]agents.Spec // agent by its number in the reference tables
}

func openBurden(t testing.TB) burden {
	b := burden{Scenario: shipped(t, "op-burden"), agent: map[string]agents.Spec{}}
	all, err := b.MakeBattery(t.Context(), b.Seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	b.items = scenario.ItemsOf(&all)
	for i, a := range b.Agents {
		if want := fmt.Sprintf("agent-%02d", i+1); a.Name != want {
			t.Fatalf("agent %d is called %s, want %s", i+1, a.Name, want)
		}
		b.agent[strconv.Itoa(i+1)] = a
	}
	return b
}

// TestBurdenRules checks that the mean probability with which every agent passes, by its rules, the 2188 instances is
// that of the reference table.
func TestBurdenRules(t *testing.T) {
	b := openBurden(t)
	rows := batterytest.Table(t, "opiaagets", "paper_agents.csv")
	if len(rows) != len(b.Agents) || len(b.items.Names) != 2188 {
		t.Fatalf("%d agents, the table has %d; %d items", len(b.Agents), len(rows), len(b.items.Names))
	}
	worst := 0.0
	for _, row := range rows {
		spec := b.agent[row["id"]]
		a, err := agents.Compile(&spec, b.items)
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.0
		for i := range b.items.Names {
			mean += a.P(i) / float64(len(b.items.Names))
		}
		if d := math.Abs(mean - number(t, row["expected_success_on_2188"])); d > 0.5001e-3 {
			t.Errorf("%s: mean success %.5f, the table has %s", spec.Name, mean, row["expected_success_on_2188"])
		}
		worst = max(worst, math.Abs(mean-number(t, row["fig13_success"])))
	}
	t.Logf("30 agents; largest difference to the paper's own mean success %.3f", worst)
	agenttest.Honours(t, b.agent["6"], b.items, "lava", "lava")
	agenttest.Honours(t, b.agent["9"], b.items, "ramp", "ramp")
}

// TestBurdenRulesAgainstOracle checks that, on every instance, an agent's rules give the probability that the reference
// table's own rules give. Those are written in another language; oracle evaluates them.
func TestBurdenRulesAgainstOracle(t *testing.T) {
	b := openBurden(t)
	table := batterytest.Table(t, "opiaagets", "opiaagets_paper_subset.csv")
	for _, row := range batterytest.Table(t, "opiaagets", "paper_agents.csv") {
		var rules []oracleRule
		if err := json.Unmarshal([]byte(row["pass_rule_json"]), &rules); err != nil {
			t.Fatal(err)
		}
		spec := b.agent[row["id"]]
		a, err := agents.Compile(&spec, b.items)
		if err != nil {
			t.Fatal(err)
		}
		for i, inst := range table {
			if want := oracle(t, rules, inst); math.Abs(a.P(i)-want) > 1e-12 {
				t.Fatalf("%s on %s: %v, the table's rule gives %v", spec.Name, inst["instance_name"], a.P(i), want)
			}
		}
	}
}

type oracleRule struct {
	If string
	P  any
}

// oracle returns the probability that the table's rules give for an instance. It knows the few forms of their
// conditions: clauses joined by and, comparisons, membership.
func oracle(t *testing.T, rules []oracleRule, inst map[string]string) float64 {
	t.Helper()
	values := map[string]string{
		"1": "1", "lava": inst["paper_lava"], "ramp": inst["paper_ramp"], "side": inst["paper_right_left"], "size": inst["paper_goal_size"],
		"t_occ": inst["paper_time_under_occlusion"], "n_other": inst["paper_num_other_positions"], "family": inst["paper_family"],
		"op": inst["requires_op"], "occ_r": inst["paper_occ_r"], "occ_g": inst["paper_occ_g"], "cv_lastseen_fails": "0",
	}
	if inst["paper_family"] == "cv" && inst["requires_op"] == "1" && inst["task"] != "2Occluder" {
		values["cv_lastseen_fails"] = "1"
	}
	for _, r := range rules {
		holds := true
		for _, clause := range strings.Split(r.If, " and ") {
			holds = holds && oracleClause(t, clause, values)
		}
		if !holds {
			continue
		}
		if p, ok := r.P.(float64); ok {
			return p
		}
		if r.P != "min(0.9, 0.6+0.1*(4-t_occ))" {
			t.Fatalf("the table has a new rule %v", r.P)
		}
		return min(0.9, 0.6+0.1*(4-number(t, values["t_occ"])))
	}
	t.Fatal("no rule holds")
	return 0
}

func oracleClause(t *testing.T, clause string, values map[string]string) bool {
	if clause == "1" {
		return true
	}
	if name, list, ok := strings.Cut(clause, " in "); ok {
		return strings.Contains(list, `"`+values[name]+`"`)
	}
	for _, op := range []string{"==", "<=", ">=", ">"} {
		name, want, ok := strings.Cut(clause, op)
		if !ok {
			continue
		}
		got := values[name]
		if text := strings.Trim(want, `"`); text != want {
			return got == text
		}
		if got == "" {
			return false // without an occluder there is no colour to compare
		}
		x, y := number(t, got), number(t, want)
		return op == "==" && x == y || op == "<=" && x <= y || op == ">=" && x >= y || op == ">" && x > y
	}
	t.Fatalf("the table has a new condition %q", clause)
	return false
}

// TestBurdenTruth checks that family, has-OP, weakness, reason, group and every capability are those of the reference
// table.
func TestBurdenTruth(t *testing.T) {
	b := openBurden(t)
	for _, row := range batterytest.Table(t, "opiaagets", "agents_truth.csv") {
		a := b.agent[row["id"]]
		if a.Truth.Family != row["verdict_family"] || a.Truth.HasOP != row["has_op"] || a.Truth.Weakness != row["weakness"] || a.Truth.Reason != row["reason"] {
			t.Errorf("%s: truth is %+v, the table has %v", a.Name, a.Truth, row)
		}
		if included := len(a.Truth.Groups) == 1 && a.Truth.Groups[0] == "included"; included != (row["included"] == "1") {
			t.Errorf("%s: groups are %v, the table has included = %s", a.Name, a.Truth.Groups, row["included"])
		}
		for name := range b.Scale {
			x, defined := a.Truth.Capability[name]
			if defined != (row[name] != "") || defined && x != number(t, row[name]) {
				t.Errorf("%s: %s is %v (%v), the table has %q", a.Name, name, x, defined, row[name])
			}
		}
	}
}

// TestPublishedTypes counts the types of Figure 15 of Burden et al. that the authors found, in the ways that docs/theory/classification.md states
// beside the 75 % of the paper.
func TestPublishedTypes(t *testing.T) {
	var published struct{ Design, Classification map[string]map[string]string }
	if err := json.Unmarshal(shipped(t, "op-burden").Published, &published); err != nil {
		t.Fatal(err)
	}
	parts := func(text string) []string {
		list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == '/' || r == '+' })
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
		return list
	}
	verbatim, first, common, lenient := 0, 0, 0, 0
	for name, design := range published.Design {
		is, found := parts(design["type"]), parts(published.Classification[name]["decision"])
		if design["type"] == published.Classification[name]["decision"] {
			verbatim++
			if name <= "agent-16" {
				first++
			}
		}
		part := slices.ContainsFunc(is, func(s string) bool { return slices.Contains(found, s) })
		if part {
			common++
		}
		if part || slices.Contains(is, "medium op") && slices.Contains(found, "low op") {
			lenient++
		}
	}
	if verbatim != 12 || first != 12 || common != 20 || lenient != 23 || len(published.Design) != 30 {
		t.Errorf("of %d agents %d word for word, %d of them among the first 16; %d with a part in common, %d with medium as low", len(published.Design), verbatim, first, common, lenient)
	}
}

// TestBurdenPublished checks that every value of the paper in the scenario op-burden is the same as in the tables of the
// paper.
func TestBurdenPublished(t *testing.T) {
	b := openBurden(t)
	var p struct {
		Recovery   map[string]map[string]float64
		Prediction map[string]map[string]float64
		Profile    map[string]map[string][2]float64
		Verdict    map[string]map[string]string `json:"classification"`
		Design     map[string]map[string]string
	}
	if err := json.Unmarshal(b.Published, &p); err != nil {
		t.Fatal(err)
	}
	values := 0
	same := func(what string, got float64, cell string) {
		values++
		if got != number(t, cell) {
			t.Errorf("%s is %v, the paper has %s", what, got, cell)
		}
	}
	for _, row := range batterytest.Table(t, "opiaagets", "paper_table1.csv") {
		name := map[string]string{"OP": "op", "FlatNav": "flatNav"}[row["capability"]]
		if name == "" {
			name = strings.ToLower(row["capability"])
		}
		same("recovery of "+name, p.Recovery["overall"][name], row["overall_rmse"])
		same("included recovery of "+name, p.Recovery["included"][name], row["included_rmse"])
	}
	for _, row := range batterytest.Table(t, "opiaagets", "paper_table8.csv") {
		got := p.Prediction[b.agent[row["agent"]].Name]
		for ours, theirs := range map[string]string{
			"brier": "ml_brier", "brier_aggregate": "agg_brier", "calibration": "ml_calibration",
			"calibration_aggregate": "agg_calibration", "refinement": "ml_refinement", "refinement_aggregate": "agg_refinement",
		} {
			same(ours+" of "+row["agent"], got[ours], row[theirs])
		}
	}
	for k, file := range []string{"paper_fig13_means.csv", "paper_fig14_sds.csv"} {
		for _, row := range batterytest.Table(t, "opiaagets", file) {
			got := p.Profile[b.agent[row["agent"]].Name]
			for ours, theirs := range map[string]string{
				"op": "objPermAbility", "flatNav": "flatNavAbility", "visual": "visualAcuityAbility", "lava": "lavaAbility", "platform": "platformAbility",
				"ramp": "rampAbility", "memory": "memoryAbility", "rightLeft": "rightLeftBias", "noise": "noisePar",
			} {
				same(file+" "+ours+" of "+row["agent"], got[ours][k], row[theirs])
			}
		}
	}
	for _, row := range batterytest.Table(t, "opiaagets", "paper_fig15.csv") {
		got := p.Verdict[b.agent[row["agent"]].Name]
		for ours, theirs := range map[string]string{"decision": "model_type", "has_op": "model_has_op", "weakness": "model_weakness", "noise": "model_noise"} {
			values++
			if got[ours] != row[theirs] {
				t.Errorf("published %s of %s is %q, the paper has %q", ours, row["agent"], got[ours], row[theirs])
			}
		}
		agent := b.agent[row["agent"]]
		design := p.Design[agent.Name]
		plain := strings.NewReplacer(" (cell merged in the figure)", "", " / ", "/", "/ ", "/", "*", "")
		for ours, theirs := range map[string]string{"type": "design_type", "has_op": "design_has_op", "weakness": "design_weakness", "variability": "design_variability"} {
			values++
			if plain.Replace(design[ours]) != plain.Replace(row[theirs]) {
				t.Errorf("design's %s of %s is %q, the paper has %q", ours, row["agent"], design[ours], row[theirs])
			}
		}
		if design["family"] != agent.Truth.Family {
			t.Errorf("the design's type of %s is %q in our words, its truth %q", row["agent"], design["family"], agent.Truth.Family)
		}
	}
	for _, row := range batterytest.Table(t, "opiaagets", "paper_agents.csv") {
		if got := p.Design[b.agent[row["id"]].Name]["class"]; got != row["class"] {
			t.Errorf("the design's class of %s is %q, Tables 6 and 7 have %q", row["id"], got, row["class"])
		}
	}
	t.Logf("%d published values compared", values)
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestDesignSubjectsRespondThroughTheLayout checks that the rule of op-design, written in TOML, gives the same
// probabilities as the layout op-fixed, written here as formulas.
func TestDesignSubjectsRespondThroughTheLayout(t *testing.T) {
	s := shipped(t, "op-design")
	b, err := s.MakeBattery(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	specs, err := s.Subjects(1)
	if err != nil {
		t.Fatal(err)
	}
	items := scenario.ItemsOf(&b)
	value := func(name string) []float64 { c, _ := items.Column(name); return c.Number }
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	time, positions, size, distance, side := value("timeUnderOcclusion"), value("numPositions"), value("goalSize"), value("goalDistance"), value("rightLeft")
	lava, platform, ramp, occluder := value("lava"), value("platform"), value("ramp"), value("occluder")
	for k := range specs {
		a, err := agents.Compile(&specs[k], items)
		if err != nil {
			t.Fatal(err)
		}
		v, truth := specs[k].Parameter, specs[k].Truth.Capability
		for name, max := range s.Scale {
			parameter := name
			if max == 1 {
				parameter += "Ability"
			}
			if math.Abs(truth[name]*max-v[parameter]) > 1e-12 {
				t.Errorf("%s: truth of %s is %v of %v, its parameter %v", specs[k].Name, name, truth[name], max, v[parameter])
			}
		}
		for i := range items.Names {
			q := sigma(v["memory"]-time[i]) * sigma(v["visual"]-(5-size[i])) * sigma(v["flatNav"]-distance[i]+v["sideBias"]*side[i])
			if occluder[i] == 1 {
				q *= sigma(v["op"] - 4*positions[i])
			} else {
				q *= sigma(4 * 11 * 1.2)
			}
			for _, binary := range []struct{ ability, present float64 }{{v["lavaAbility"], lava[i]}, {v["platformAbility"], platform[i]}, {v["rampAbility"], ramp[i]}} {
				if binary.present == 1 {
					q *= binary.ability
				}
			}
			if want := (1-v["noise"])*q + v["noise"]*0.5; math.Abs(a.P(i)-want) > 1e-12 {
				t.Fatalf("%s on %s: %v, the layout gives %v", specs[k].Name, items.Names[i], a.P(i), want)
			}
		}
	}
}
