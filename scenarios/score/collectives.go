package score

import (
	"maps"
	"slices"

	"achilles/agents/accuracy"
	"achilles/sim/record"
)

// ability is the name of the parameter, and of the capability, of algorithmic item response theory.
const ability = "ability"

// A Collective compares how often a group was right with how often it would be right if its members erred
// independently, chose all wrong answers equally often, and were right with the chances that the layout gives them.
type Collective struct {
	ID      string        `json:"id"`
	Rule    accuracy.Rule `json:"rule"`
	Members []string      `json:"members"`
	N       int           `json:"n"`      // scored responses
	Actual  float64       `json:"actual"` // weighted share of right answers, as the group's rule decides from the members' answers
	Mean    float64       `json:"mean"`   // mean over the members of a member's weighted share of right answers
	Best    float64       `json:"best"`   // largest of the members' shares

	*Independent // nil if the chances of a member are not known

	Abilities     []float64 `json:"abilities,omitempty"`      // the members' true abilities, for the next two fields; C-test only
	TrueMajority  *float64  `json:"true_majority,omitempty"`  // the model's share if more than half of the members had to be right
	TruePlurality *float64  `json:"true_plurality,omitempty"` // like TrueMajority, if the option with most votes won
	Published     *float64  `json:"published,omitempty"`
}

// gradeCollectives grades every collective on its scored responses to the first binary measure.
func gradeCollectives(s *Scores, in Input, k *key, c *Chances, tasks []accuracy.Task) error {
	ids := map[string]string{} // name → opaque id
	for id, name := range k.names {
		ids[name] = id
	}
	options := optionsOf(&in.Public.Items)
	for _, id := range slices.Sorted(maps.Keys(k.names)) {
		spec := in.Sealed.Subjects[id]
		if spec.Collective == nil {
			continue
		}
		own := answersOf(in.Public, id, tasks)
		if len(own.items) == 0 {
			continue
		}
		g := Collective{ID: id, Rule: spec.Collective.Rule, Members: spec.Collective.Members, N: len(own.items), Actual: own.share()}
		var members []string
		best := 0
		for i, name := range g.Members {
			members = append(members, ids[name])
			share := answersOf(in.Public, ids[name], tasks).share()
			if g.Mean += share / float64(len(g.Members)); share > g.Best {
				g.Best, best = share, i
			}
		}
		if c != nil {
			e := electorate{rule: g.Rule, weights: spec.Collective.Weights, best: best, id: id}
			known, err := e.ask(c, members, own, options)
			if err != nil {
				return err
			}
			if known {
				g.Independent = e.independent(g.Actual)
			}
		}
		g.Published = k.published.vote(spec.Name)
		g.byTruth(k, members, tasks)
		if s.Collectives == nil {
			s.Collectives = map[string]Collective{}
		}
		s.Collectives[spec.Name] = g
	}
	if c == nil {
		s.note("expected accuracies of collectives are not computed: the file of layout %s is not available, or it does not model success", s.Layout.Name)
	}
	return nil
}

// byTruth sets what the model predicts from the members' true abilities. It does nothing if a member has no true
// ability.
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
		if len(members) > accuracy.MaxVoters && rule == accuracy.PluralityVote {
			return nil
		}
		return weighted(tasks, func(t accuracy.Task) float64 {
			x, _ := voters.Chance(t)
			return x
		})
	}
	g.TrueMajority, g.TruePlurality = share(accuracy.StrictMajority), share(accuracy.PluralityVote)
}

// CollectiveNames returns the names of the collectives in natural order.
func (s *Scores) CollectiveNames() []string { return sortedNames(s.Collectives) }

// sortedNames returns the keys of a table by subject, in natural order: agent 2 comes before agent 10.
func sortedNames[T any](table map[string]T) []string {
	return slices.SortedFunc(maps.Keys(table), record.CompareNames)
}
