package tables

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Those who study animals and children keep a row for each trial: who, the session, the trial's number, the condition, and whether the choice
// was right. A trial's number says nothing of what was tested: the trials of a condition have that in common.

func trialNames() []string {
	return []string{"trial", "trialnumber", "trialno", "trialnr", "trialnum", "trialid", "essai", "durchgang"}
}

// conditionNames are those of what was tested in a trial.
func conditionNames() []string {
	return []string{"condition", "cond", "testcondition", "conditionname", "bedingung", "trialtype", "tasktype", "contingency", "constellation", "delay", "delayinseconds", "phase"}
}

// tested returns the columns that say what was tested in a trial, in place of the trial's number or of nothing. They differ between rows of one
// subject, else they set apart subjects; and between trials of one number, else the number says the same.
func (p *proposer) tested(item []string) []string {
	if len(item) > 0 && !slices.Contains(trialNames(), plain(item[0])) {
		return item
	}
	subject := p.subject
	if name := p.named(subjectNames(), nil); subject == nil && name != "" && !slices.Contains(modelNames(), plain(name)) {
		subject = []string{name}
	}
	if len(subject) == 0 {
		return item
	}
	var out []string
	for _, name := range conditionNames() {
		for _, c := range p.columns {
			if p.used[c.name] == "" && plain(c.name) == name && varies(c) && !c.many && c.gone == 0 && p.differs(c.name, subject) && (item == nil || p.differs(c.name, item)) {
				out = append(out, c.name)
			}
		}
	}
	if out == nil {
		return item
	}
	p.conditions = true
	return out
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

// ofTrialRows reports whether each row is a trial: subjects have several, whose numbers are in a column.
func (p *proposer) ofTrialRows() bool {
	subject := p.named(subjectNames(), nil)
	if len(p.subject) == 1 {
		subject = p.subject[0]
	}
	if subject == "" || slices.Contains(modelNames(), plain(subject)) {
		return false
	}
	trial := p.named(trialNames(), varies)
	return trial != "" && p.differs(trial, []string{subject})
}

// flagged returns the columns with two values, such as 0 and 1, yes and no, whose name has a word for success: firstlook_correct.
func (p *proposer) flagged() (out []string) {
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
func (p *proposer) unscored() error {
	var two []string
	for _, c := range p.columns {
		if (p.used[c.name] == "" || p.used[c.name] == "response") && !c.many && len(c.values) == 2 && !ofSubjects(c.name) && !isNumbering(c.name) {
			two = append(two, c.name)
		}
	}
	could := ""
	if two != nil {
		could = fmt.Sprintf(" (these have two values: %s)", listed(two))
	}
	item := ""
	if p.item == nil {
		if item = ", and what was tested with --item"; p.named(append(conditionNames(), trialNames()...), nil) != "" {
			item += ", such as --item " + p.named(append(conditionNames(), trialNames()...), nil)
		}
	}
	return fmt.Errorf("%s: rows are trials, and no column is called as scores are: name the score with --metric%s%s", p.src.Name, could, item)
}

// ofTime reports whether a name is that of a date or of a number that tells occasions apart, and so no response and nothing that is known of a
// subject or item.
func ofTime(name string) bool {
	return slices.Contains(append(trialNames(), "month", "day", "date", "year", "monat", "tag", "jahr", "experiment", "study", "studyid", "session", "block", "visit", "wave", "round"), plain(name))
}
