package score

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"achilles/agents"
	"achilles/agents/accuracy"
	"achilles/battery"
	"achilles/sim/record"
)

// ability is the name of the parameter, and of the capability, in algorithmic item response theory.
const ability = "ability"

// A Collective compares how often a group was right with how often it would be right if its members erred
// independently, chose all wrong answers equally often, and were right with the chances that the layout gives them.
type Collective struct {
	ID      string        `json:"id"`
	Rule    accuracy.Rule `json:"rule"`
	Members []string      `json:"members"`
	N       int           `json:"n"`      // scored responses
	Actual  float64       `json:"actual"` // weighted share of right answers, as the rule decided over the members' actual answers
	Mean    float64       `json:"mean"`   // weighted share of right answers of a member: the mean over members …
	Best    float64       `json:"best"`   // … and the largest

	*Independent // nil if the chances of a member are not known

	Abilities     []float64 `json:"abilities,omitempty"`      // the members' true abilities, for the next two fields; C-test only
	TrueMajority  *float64  `json:"true_majority,omitempty"`  // weighted share of right answers by the model, if more than half of the members had to be right
	TruePlurality *float64  `json:"true_plurality,omitempty"` // … if the option with most votes won
	Published     *float64  `json:"published,omitempty"`
}

// Independent says how often a group would be right if its members erred independently.
type Independent struct {
	Share     float64   `json:"independent"`
	Interval  *Interval `json:"interval,omitempty"`  // 95 % interval of Share over posterior draws; absent if there are fewer than fewDraws or Share is simulated
	SE        *float64  `json:"se,omitempty"`        // standard error of Share; only if Share is simulated because the rule has no formula
	Z         *float64  `json:"z,omitempty"`         // Actual − Share, divided by its standard deviation; absent if that is 0
	Majority  float64   `json:"majority"`            // like Share, if more than half of the members had to be right
	Plurality *float64  `json:"plurality,omitempty"` // like Share, if the option with most votes won; absent for more than accuracy.MaxVoters members
}

// gradeVotes grades the C-test and the collectives, if there are any.
func (s *Scores) gradeVotes(in Input, k *key) error {
	series := seriesItems(&in.Public.Items) != nil
	if in.Sealed == nil && !series || in.Sealed != nil && !series && !slices.ContainsFunc(slices.Collect(maps.Values(in.Sealed.Subjects)), func(a agents.Spec) bool { return a.Collective != nil }) {
		return nil
	}
	c, err := newChances(in)
	if err != nil {
		return err
	}
	if err := s.gradeCTest(in, k, c); err != nil {
		return err
	}
	return s.gradeCollectives(in, k, c)
}

// gradeCollectives grades every collective on its scored responses to the first binary measure. Without a sealed part
// it grades none, because only the sealed part names the members.
func (s *Scores) gradeCollectives(in Input, k *key, c *chances) error {
	ids := map[string]string{} // name → opaque id
	for id, name := range k.names {
		ids[name] = id
	}
	answers, options := rightAnswers(in.Public), optionsOf(&in.Public.Items)
	for _, id := range slices.Sorted(maps.Keys(k.names)) {
		spec, own := in.Sealed.Subjects[id], answers[id]
		if spec.Collective == nil || len(own.items) == 0 {
			continue
		}
		g := Collective{ID: id, Rule: spec.Collective.Rule, Members: spec.Collective.Members, N: len(own.items), Actual: own.share()}
		var members []string
		best := 0
		for i, name := range g.Members {
			members = append(members, ids[name])
			share := answers[ids[name]].share()
			if g.Mean += share / float64(len(g.Members)); share > g.Best {
				g.Best, best = share, i
			}
		}
		if c != nil {
			e := electorate{rule: g.Rule, weights: spec.Collective.Weights, best: best, of: id}
			known, err := e.ask(c, members, own, options)
			if err != nil {
				return err
			}
			if known {
				g.Independent = e.independent(g.Actual)
			}
		}
		g.Published = k.published.vote(spec.Name)
		g.byTruth(k, members, seriesItems(&in.Public.Items))
		if s.Collectives == nil {
			s.Collectives = map[string]Collective{}
		}
		s.Collectives[spec.Name] = g
	}
	if s.Collectives != nil && c == nil {
		s.note("layout %s is not one of those that are shipped: what collectives would do if their members erred independently is not known", s.Layout.Name)
	}
	return nil
}

// byTruth fills in what the model predicts from the members' true abilities. It does nothing if a member has none.
func (g *Collective) byTruth(k *key, members []string, tasks []accuracy.Task) {
	voters := accuracy.Group{Rule: accuracy.StrictMajority}
	for _, id := range members {
		f, ok := k.truths[id].Capability[ability]
		if !ok || tasks == nil {
			return
		}
		g.Abilities = append(g.Abilities, float64(f*k.scale[ability]))
		voters.Members = append(voters.Members, g.Abilities[len(g.Abilities)-1:])
	}
	share := func(rule accuracy.Rule) *float64 {
		voters.Rule = rule
		sum, all := 0.0, 0.0
		for _, t := range tasks {
			x, ok := voters.Chance(t)
			if !ok {
				return nil
			}
			sum, all = sum+float64(t.Difficulty*x), all+t.Difficulty
		}
		sum /= all
		return &sum
	}
	g.TrueMajority, g.TruePlurality = share(accuracy.StrictMajority), share(accuracy.PluralityVote)
}

// answered has the scored responses of a subject to one measure: the items, whether each response is right, and its
// weight.
type answered struct {
	items   []int32
	right   []bool
	weights []float64
}

// share returns the weighted share of right responses; 0 if there are none.
func (a answered) share() float64 {
	sum, all := 0.0, 0.0
	for i, w := range a.weights {
		if all += w; a.right[i] {
			sum += w
		}
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// rightAnswers returns the scored responses to the first binary measure, by opaque id. The weight of a response is
// the complexity of its series if all items are C-test series, else 1.
func rightAnswers(d *record.Dataset) map[string]answered {
	binary := slices.IndexFunc(d.Manifest.Measures, func(m record.Measure) bool { return m.Family == record.Binary })
	tasks := seriesItems(&d.Items)
	out := map[string]answered{}
	for _, r := range d.Responses {
		if int(r.Measure) != binary || r.Unscored != 0 {
			continue
		}
		w := 1.0
		if tasks != nil {
			w = tasks[r.Item].Difficulty
		}
		id := d.Subjects[r.Subject]
		a := out[id]
		out[id] = answered{append(a.items, r.Item), append(a.right, r.Value == 1), append(a.weights, w)}
	}
	return out
}

// optionsOf returns the number of possible answers of each item: the number of options of a question; 2 (passed or
// not) for any other item.
func optionsOf(items *record.Items) []int {
	out := slices.Repeat([]int{2}, items.Len())
	if c, ok := items.Column(battery.OptionsFeature); ok && c.Kind == record.Text {
		for i, text := range c.Text {
			out[i] = max(2, len(strings.Fields(text)))
		}
	}
	return out
}

// CollectiveTable has one row for each collective. It is nil if there are none.
func (s *Scores) CollectiveTable() []byte {
	if s.Collectives == nil {
		return nil
	}
	t := table{title: "Collectives: share of right answers, as the members' actual answers decide and by formula, as if they erred independently [95 %: posterior draws]"}
	if s.CTest != nil {
		t.title = strings.Replace(t.title, "answers,", "answers, weighted by complexity,", 1)
	}
	t.head = []string{"collective", "rule", "members", "mean member", "best member", "actual", "formula", "95 %", "z", "majority", "plurality"}
	truth, published := s.columnsOfCollectives()
	if truth {
		t.head = append(t.head, "true majority", "true plurality")
	}
	if published {
		t.head = append(t.head, "published")
	}
	for _, name := range s.CollectiveNames() {
		g := s.Collectives[name]
		row := []string{name, string(g.Rule), strconv.Itoa(len(g.Members)), fixed(g.Mean, 3), fixed(g.Best, 3), fixed(g.Actual, 3)}
		if i := g.Independent; i != nil {
			row = append(row, i.text(), span(i.Interval, 2), decimals(i.Z, 1), fixed(i.Majority, 3), decimals(i.Plurality, 3))
		} else {
			row = append(row, "–", "–", "", "–", "–")
		}
		if truth {
			row = append(row, decimals(g.TrueMajority, 3), decimals(g.TruePlurality, 3))
		}
		t.rows = append(t.rows, append(row, decimals(g.Published, 2)))
	}
	t.foot = append(t.foot, "formula: of the collective's own rule, or simulated (~), with the members' chances by their posteriors; z: actual − formula, in standard deviations of so many responses",
		"majority, plurality: if more than half had to be right, if most votes won (never less)")
	if truth {
		t.foot = append(t.foot, "true: the same by the members' true abilities")
	}
	if s.CTest != nil && s.CTest.Note != "" {
		t.foot = append(t.foot, "published: "+s.CTest.Note)
	}
	return t.text()
}

// text returns the share with three decimals, after ~ if it is simulated.
func (i *Independent) text() string {
	if i.SE != nil {
		return "~" + fixed(i.Share, 3)
	}
	return fixed(i.Share, 3)
}

// columnsOfCollectives says whether any group has a true majority, and whether any has a published value.
func (s *Scores) columnsOfCollectives() (truth, published bool) {
	for _, g := range s.Collectives {
		truth, published = truth || g.TrueMajority != nil, published || g.Published != nil
	}
	return truth, published
}

func (s *Scores) collectiveRows() [][]string {
	rows := [][]string{{"collective", "id", "rule", "members", "n", "mean_member", "best_member", "actual", "independent", "low", "high", "se", "z", "majority", "plurality", "true_majority", "true_plurality", "published"}}
	for _, name := range s.CollectiveNames() {
		g := s.Collectives[name]
		row := []string{name, g.ID, string(g.Rule), strings.Join(g.Members, "; "), strconv.Itoa(g.N), full(g.Mean), full(g.Best), full(g.Actual)}
		if i := g.Independent; i != nil {
			row = append(append(append(row, full(i.Share)), ends(i.Interval)...), optional(i.SE), optional(i.Z), full(i.Majority), optional(i.Plurality))
		} else {
			row = append(row, slices.Repeat([]string{""}, 7)...)
		}
		rows = append(rows, append(row, optional(g.TrueMajority), optional(g.TruePlurality), optional(g.Published)))
	}
	return rows
}

// CollectiveNames returns the names of the collectives in natural order.
func (s *Scores) CollectiveNames() []string { return sortedNames(s.Collectives) }

// sortedNames returns the keys of a table by subject, in natural order.
func sortedNames[T any](table map[string]T) []string {
	return slices.SortedFunc(maps.Keys(table), record.CompareNames)
}
