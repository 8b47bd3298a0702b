package tables

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Those who study animals and children keep a row for each trial: who, the session, the trial's number, the condition, and whether the choice
// was right. A trial's number says nothing of what was tested: the trials of a condition have that in common.

// A trialRows is such a table, as far as a proposal has looked at it.
type trialRows struct {
	*surveyed
	subject []string // the subject's key; nil: it is found by its name, which is none of models
}

// trialsOf returns the table, with a subject that a person or the format has named, if any.
func (s *surveyed) trialsOf(subject []string) trialRows {
	if name := s.who(); subject == nil && name != "" && !slices.Contains(modelNames(), plain(name)) {
		subject = []string{name}
	}
	return trialRows{s, subject}
}

func trialNames() []string {
	return []string{"trial", "trialnumber", "trialno", "trialnr", "trialnum", "trialid", "essai", "durchgang"}
}

// conditionNames are those of what was tested in a trial.
func conditionNames() []string {
	return []string{"condition", "cond", "testcondition", "conditionname", "bedingung", "trialtype", "tasktype", "contingency", "constellation", "delay", "delayinseconds", "phase"}
}

// tested returns the columns that say what was tested in a trial, in place of the trial's number or of nothing. They differ between rows of one
// subject, else they set apart subjects; and between trials of one number, else the number says the same.
func (p trialRows) tested(item []string) (columns []string, found bool) {
	if len(p.subject) == 0 || len(item) > 0 && !slices.Contains(trialNames(), plain(item[0])) {
		return item, false
	}
	for _, name := range conditionNames() {
		for _, c := range p.columns {
			if p.used[c.name] == "" && plain(c.name) == name && varies(c) && !c.many && p.differs(c.name, p.subject) && (item == nil || p.differs(c.name, item)) {
				columns = append(columns, c.name)
			}
		}
	}
	if columns == nil {
		return item, false
	}
	return columns, true
}

// differs reports whether rows of one key have different cells in a column.
func (s *surveyed) differs(name string, key []string) bool {
	at, columns, of := s.src.column(name), []int{}, map[string]string{}
	for _, k := range key {
		columns = append(columns, s.src.column(k))
	}
	for row, err := range s.src.Each {
		if err != nil {
			return false
		}
		id := joined(row.Cells, columns)
		if was, ok := of[id]; ok && was != row.Cells[at] {
			return true
		} else if !ok {
			of[strings.Clone(id)] = strings.Clone(row.Cells[at])
		}
	}
	return false
}

// are reports whether each row is a trial: subjects have several, and a column has their numbers or says what was tested.
func (p trialRows) are() bool {
	name := p.named(slices.Concat(trialNames(), itemNames()), varies)
	return len(p.subject) > 0 && name != "" && p.differs(name, p.subject)
}

// alone reports whether rows are trials although a column numbers them for each subject, as it would number runs of a whole test: it is called the number
// of a trial, and a subject has more trials than there are columns that could be items.
func (p trialRows) alone(run *profile) bool {
	if run == nil {
		return true
	}
	could := 0
	for _, c := range p.columns {
		if p.used[c.name] == "" && c != run && !slices.Contains(p.subject, c.name) && p.src.column(c.name) >= 0 {
			could++
		}
	}
	return slices.Contains(trialNames(), plain(run.name)) && (run.many || len(run.values) > could)
}

// flagged returns the columns with two values, such as 0 and 1, yes and no, whose name has a word for success: firstlook_correct.
func (p trialRows) flagged() (out []string) {
	words := []string{"correct", "correctly", "success", "successful", "accurate", "accuracy", "acc", "solved", "passed"}
	for _, c := range p.columns {
		parts := strings.FieldsFunc(strings.ToLower(c.name), func(r rune) bool { return !unicode.IsLetter(r) })
		if p.used[c.name] == "" && c.binary() && varies(c) && slices.ContainsFunc(parts, func(w string) bool { return slices.Contains(words, w) }) {
			out = append(out, c.name)
		}
	}
	return out
}

// unscored is the error for a table of trials of which nothing says which column has the score.
func (p trialRows) unscored(item []string) error {
	var two, all []string
	for _, c := range p.columns {
		if slices.Contains(item, c.name) {
			continue
		}
		if p.used[c.name] == "" && !slices.Contains(p.subject, c.name) && p.src.column(c.name) >= 0 {
			all = append(all, c.name)
		}
		if (p.used[c.name] == "" || p.used[c.name] == "response") && !c.many && len(c.values) == 2 && !ofSubjects(c.name) && !isWho(c.name) && !isNumbering(c.name) {
			two = append(two, c.name)
		}
	}
	could := ""
	switch {
	case two != nil:
		could = fmt.Sprintf(" (these have two values: %s)", listed(two))
	case item != nil && len(all) == 1:
		could = ", such as --metric " + shellWord(all[0])
	}
	what := ""
	if item == nil {
		what = ", and what was tested with --item" + suchAs(p.surveyed)
	}
	return fmt.Errorf("%s: rows are trials, and no column is called as scores are: name the score with --metric%s%s", p.src.Name, could, what)
}

// singles returns an error if rows seem to be single responses, with a score and a time or with a subject that several have, and nothing says what
// was tested.
func singles(p *proposer, scores, item []string) error {
	if time := p.named(timeNames(), (*profile).numeric); len(scores) == 1 && time != "" && p.wish.Rows == "" && varies(p.column(scores[0])) {
		have := fmt.Sprintf("one score (%s) and one time (%s)", scores[0], time)
		if scores[0] == time {
			have = fmt.Sprintf("one time (%s)", time)
		}
		who := ", and who responded with --subject"
		if p.subject != nil || p.who() != "" {
			who = ""
		}
		return fmt.Errorf("%s: rows seem to be single responses, for they have %s: name what was tested with --item%s%s; if a row is a subject with several items, use --rows subjects", p.src.Name, have, suchAs(&p.surveyed), who)
	}
	if name := p.who(); len(scores) == 1 && !ofSubjects(scores[0]) && item == nil && name != "" && p.wish.Rows == "" && p.wish.Subject == nil && p.again([]string{name}) {
		return fmt.Errorf("%s: rows seem to be single responses of what is in %s, with the score in %s: name what was tested with --item%s; if a row is a subject with several items, use --rows subjects", p.src.Name, name, scores[0], suchAs(&p.surveyed))
	}
	return nil
}

// ofTime reports whether a name is that of a date or of a number that tells occasions apart, and so no response and nothing that is known of a
// subject or item.
func ofTime(name string) bool {
	return slices.Contains(append(trialNames(), "month", "day", "date", "year", "monat", "tag", "jahr", "experiment", "study", "studyid", "session", "block", "visit", "wave", "round"), plain(name))
}

// again reports whether two rows have the same cells in some columns.
func (s *surveyed) again(columns []string) bool {
	var at []int
	for _, name := range columns {
		at = append(at, s.src.column(name))
	}
	seen := map[string]bool{}
	for row, err := range s.src.Each {
		if err != nil {
			return false
		}
		key := joined(row.Cells, at)
		if seen[key] {
			return true
		}
		seen[strings.Clone(key)] = true
	}
	return false
}

// siteNames are those of where a subject was tested. Each site numbers its subjects.
func siteNames() []string {
	return []string{"lab", "labid", "laboratory", "site", "siteid", "school", "schoolid", "centre", "center"}
}

// sited returns the key of subjects with that of the sites, if one has a subject of the same name as another's.
func (s *surveyed) sited(subject []string) []string {
	if site := s.named(siteNames(), varies); len(subject) == 1 && site != "" && s.differs(site, subject) {
		return []string{site, subject[0]}
	}
	return subject
}

// nameless returns the condition that rows have a subject and an item, if some have not and their columns' names can stand in conditions, and what is said
// of those that are left out.
func (s *surveyed) nameless(key []string) (where, said string) {
	for _, name := range key {
		c := s.column(name)
		if slices.Contains(c.signs, "") && c.there() > 0 && identifier(name, map[string]bool{}) == name {
			if where != "" {
				where, said = where+" && ", said+" or "
			}
			if there := fmt.Sprintf("%s >= %g", name, c.lo); c.numeric() {
				where += there
			} else {
				where += name + ` != ""`
			}
			said += name
		}
	}
	return where, said
}
