package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"achilles/agents/accuracy"
	"achilles/battery/tables"
	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/setting"
	"achilles/sim/expr"
	"achilles/sim/num"
)

// An agreeing has the settings of agreement.
type agreeing struct {
	Rule   string  `setting:"rule,flag" choices:"plurality, majority" doc:"how the members of a table vote: most votes, or more than half"`
	Level  float64 `setting:"level,flag" limits:"(0, 1)" doc:"level of the intervals"`
	Seed   uint64  `setting:"seed,flag" doc:"seed of the bootstrap"`
	Key    string  `setting:"key,flag" doc:"answer key of a table that does not have the right answers; the same file as for import --key"`
	Table  string  `setting:"table,flag" choices:"agreement, rules" doc:"agreement: the anatomy of the vote; rules: how often each rule is right, from rankings where there are any"`
	Format string
	Set    []string `setting:"set,flag,each" doc:"change a key of the scenario, as KEY=VALUE; may be given several times"`
}

func agreementCommand(a *app) *cobra.Command {
	q := &agreeing{Rule: string(accuracy.PluralityVote), Level: 0.95, Seed: 1, Table: "agreement"}
	set := setting.Of(q)
	c := &cobra.Command{
		Use:   "agreement ANSWERS.csv | SCENARIO",
		Short: "Anatomy of a vote: what a group loses by failing on the same items, and by the same wrong answers",
		Long: `Agreement compares how often a vote is right with what independent members would reach, and with the same successes
on the same items but wrong answers drawn uniformly from the wrong options. It prints which proportion of the loss is due to
failing on the same items and which to giving the same wrong answer, with bootstrap intervals over items, and how often
two members who are both wrong give the same answer.

A table of answers has a row per item, with the columns item, right and, optionally, options (their number, or all of them
in one cell, separated by spaces; default: the number of different answers in the whole table), and a column per member;
or a row per answer, with the columns subject, item, answer, right and, optionally, options. With --key it has a row per subject
and a column per item, or a row per answer without the column right. For a scenario with questions, every collective is analysed.

An answer may be a ranking, such as "b > a > d": its first place is the vote, and --table rules has how often plurality,
majority, Borda, harmonic, maximin and Copeland's rule are right.`,
		Example: `  achilles agreement ctest
  achilles agreement docs/examples/answers.csv --rule majority
  achilles agreement docs/examples/chosen.csv --key docs/examples/key.csv
  achilles agreement docs/examples/rankings.csv --table rules`,
		Args: cobra.ExactArgs(1),
	}
	set.Flags(c.Flags())
	c.Flags().StringVar(&q.Format, "format", "text", "text, csv, json, md, html, latex or parquet")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if q.Table == "rules" {
			return q.rules(a, args[0])
		}
		groups, err := q.groups(ctx, a, args[0])
		if err != nil {
			return err
		}
		return a.printAs(accuracy.AgreementTable(groups, q.Level), q.Format)
	})
	return c
}

// groups returns the agreement of the members of a table, or of every collective of a scenario.
func (q *agreeing) groups(ctx context.Context, a *app, ref string) ([]accuracy.GroupAgreement, error) {
	if isTable(ref) {
		ballots, err := q.ballots(a, ref)
		if err != nil {
			return nil, err
		}
		g, err := accuracy.Agree(ballots, accuracy.Rule(q.Rule), nil, q.Level, q.Seed)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref, err)
		}
		return []accuracy.GroupAgreement{{Name: strings.TrimSuffix(filepath.Base(ref), filepath.Ext(ref)), Rule: accuracy.Rule(q.Rule), Agreement: g}}, nil
	}
	s, err := loadScenario(ref, q.Set, newMeasuring())
	if err != nil {
		return nil, err
	}
	ballots := map[string][]accuracy.Ballot{}
	session, err := generate.Run(ctx, s, generate.Config{Seed: s.Seed, Jobs: runtime.GOMAXPROCS(0), Ballot: func(group string, b accuracy.Ballot) { ballots[group] = append(ballots[group], b) }})
	if err != nil {
		return nil, err
	}
	var groups []accuracy.GroupAgreement
	for _, x := range session.Subjects {
		if x.Collective == nil {
			continue
		}
		g, err := accuracy.Agree(ballots[x.Name], x.Collective.Rule, x.Collective.Weights, q.Level, q.Seed)
		if err != nil {
			a.note("%s is left out: %v", x.Name, err)
			continue
		}
		groups = append(groups, accuracy.GroupAgreement{Name: x.Name, Rule: x.Collective.Rule, Agreement: g})
	}
	if groups == nil {
		return nil, results.Hinted(fmt.Errorf("%s has no collective to analyse", s.Name), "add a [[collective]], or give a table of answers; achilles agreement --help")
	}
	return groups, nil
}

// isTable reports whether what agreement is given is a table, and not the name or file of a scenario.
func isTable(ref string) bool {
	return strings.ContainsAny(ref, "/.\\") && filepath.Ext(ref) != ".toml"
}

// rules prints how often each rule is right, of a table of answers or rankings.
func (q *agreeing) rules(a *app, ref string) error {
	if !isTable(ref) {
		return usagef("--table rules is for a table of answers or rankings, not for a scenario")
	}
	ballots, err := q.ballots(a, ref)
	if err != nil {
		return err
	}
	list, err := accuracy.ByRule(ballots, q.Level, q.Seed)
	if err != nil {
		return fmt.Errorf("%s: %w", ref, err)
	}
	return a.printAs(accuracy.RulesTable(list, q.Level), q.Format)
}

// ballots reads a table of answers, and says how many items lack some.
func (q *agreeing) ballots(a *app, file string) ([]accuracy.Ballot, error) {
	t, err := tableIn(file)
	if err != nil {
		return nil, err
	}
	if q.Key != "" {
		k, err := tableIn(q.Key)
		if err != nil {
			return nil, err
		}
		key, err := k.Key()
		if err != nil {
			return nil, err
		}
		var out []string
		if t, out, err = keyed(t, key); err != nil {
			return nil, err
		}
		if len(out) > 0 {
			a.note("%s left out: no item of the key", num.Counted(len(out), "column"))
		}
	}
	ballots, left, err := ballotsOf(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	if left > 0 {
		a.note("%d of %d items left out: a member has no answer", left, left+len(ballots))
	}
	return ballots, nil
}

// tableIn reads the table of a file.
func tableIn(file string) (*tables.Table, error) {
	files, err := appendFiles(nil, file)
	if err != nil {
		return nil, err
	}
	return tables.ReadTable(files, tables.Reading{})
}

// ballotsOf returns the answers of a table in either form, item by item in the order of the table, and the number of items that are left
// out because a member has no answer. The error says what is missing.
func ballotsOf(t *tables.Table) (ballots []accuracy.Ballot, left int, err error) {
	at := func(name string) int { return slices.Index(t.Header, name) }
	item, right, options, subject, answer := at("item"), at("right"), at("options"), at("subject"), at("answer")
	if item < 0 || right < 0 {
		return nil, 0, errors.New("want the columns item and right (the item and its right answer), or the right answers with --key FILE")
	}
	if (subject < 0) != (answer < 0) {
		return nil, 0, errors.New("with a row per answer, both columns subject and answer are needed")
	}
	type question struct{ right, options string }
	about, given, names := map[string]question{}, map[string]map[string]string{}, []string(nil)
	var members []string
	all := map[string]bool{}
	sign := rankSign(t, right, options)
	for i, row := range t.Rows {
		q := question{right: strings.TrimSpace(row[right])}
		if options >= 0 {
			q.options = strings.Join(strings.Fields(row[options]), " ")
		}
		id := row[item]
		before, known := about[id]
		switch {
		case q.right == "":
			return nil, 0, fmt.Errorf("row %d: item %s has no right answer", i+1, expr.Quote(id))
		case known && subject < 0:
			return nil, 0, fmt.Errorf("row %d: item %s appears twice", i+1, expr.Quote(id))
		case known && before != q:
			return nil, 0, fmt.Errorf("row %d: item %s has another right answer, or other options, than in an earlier row", i+1, expr.Quote(id))
		case !known:
			about[id], given[id], names = q, map[string]string{}, append(names, id)
		}
		put := func(member, text string) error {
			if !slices.Contains(members, member) {
				members = append(members, member)
			}
			if _, twice := given[id][member]; twice {
				return fmt.Errorf("row %d: %s answers item %s twice", i+1, expr.Quote(member), expr.Quote(id))
			}
			if text = strings.TrimSpace(text); text != "" {
				given[id][member] = text
				for _, answer := range ranked(text, sign) {
					all[answer] = true
				}
			}
			return nil
		}
		all[q.right] = true
		if subject >= 0 {
			if err := put(row[subject], row[answer]); err != nil {
				return nil, 0, err
			}
			continue
		}
		for k, cell := range row {
			if k != item && k != right && k != options {
				if err := put(t.Header[k], cell); err != nil {
					return nil, 0, err
				}
			}
		}
	}
	for _, id := range names {
		b, ok, err := itemBallot(about[id].right, about[id].options, len(all), given[id], members, sign)
		if err != nil {
			return nil, 0, fmt.Errorf("item %s: %w", expr.Quote(id), err)
		}
		if !ok {
			left++
			continue
		}
		ballots = append(ballots, b)
	}
	return ballots, left, nil
}

// rankSign returns what stands between the places of a ranking: ">", or, where a right answer or an option has that sign in it, " > ".
func rankSign(t *tables.Table, columns ...int) string {
	for _, row := range t.Rows {
		for _, k := range columns {
			if k >= 0 && strings.Contains(row[k], ">") {
				return " > "
			}
		}
	}
	return ">"
}

// ranked returns the answers of a cell in their order: one, or those of a ranking.
func ranked(text, sign string) []string {
	list := strings.Split(text, sign)
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// itemBallot returns the answers to one item. ok is false if a member has none. options is empty, a number, or all options.
func itemBallot(right, options string, most int, given map[string]string, members []string, sign string) (b accuracy.Ballot, ok bool, err error) {
	list := []string{right}
	b.Options = most
	if fields := strings.Fields(options); len(fields) == 1 {
		if b.Options, err = strconv.Atoi(options); err != nil || b.Options < 2 {
			return b, false, fmt.Errorf("options %q: want their number, from 2, or all of them with spaces between", options)
		}
	} else if len(fields) > 1 {
		b.Options = len(fields)
		if list = fields; !slices.Contains(list, right) {
			return b, false, fmt.Errorf("the right answer %q is not among the options %q", right, options)
		}
	}
	b.Right = slices.Index(list, right)
	for _, m := range members {
		text, answered := given[m]
		if !answered {
			return b, false, nil
		}
		var ranking []int
		places := ranked(text, sign)
		for _, answer := range places {
			if len(places) > 1 && strings.Contains(answer, "=") && !slices.Contains(list, answer) {
				return b, false, fmt.Errorf("ranking %q: %q would be a tie, which is not read; answers that a ranking leaves out are level behind the others", text, answer)
			}
			k := slices.Index(list, answer)
			if k < 0 {
				k, list = len(list), append(list, answer)
			}
			switch {
			case k >= b.Options:
				return b, false, fmt.Errorf("with answer %q there are more different answers than the %d options", answer, b.Options)
			case answer == "" || slices.Contains(ranking, k):
				return b, false, fmt.Errorf("ranking %q: an answer is empty or appears twice; want a ranking such as \"b > a > d\"", text)
			}
			ranking = append(ranking, k)
		}
		b.Votes, b.Rankings = append(b.Votes, ranking[0]), append(b.Rankings, ranking)
	}
	return b, true, nil
}
