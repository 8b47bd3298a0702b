package laboratory

import (
	"slices"
	"strings"

	"achilles/battery/tables"
)

// gorilla is Gorilla (https://gorilla.sc): a row for each event of a task. A scored answer has Correct, 1 or 0; a trial is a row of the
// task's spreadsheet, which is the item, and whose own columns stand beside it.
func gorilla() program {
	return program{
		name:   "Gorilla",
		needs:  []string{"Participant Private ID"},
		marked: func(head string) bool { return hasAll(head, "Event Index", "Participant Private ID") },
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofGorilla, others: "events that are not scored answers, further attempts"}
			m.Subject = []string{t.header[t.at("Participant Private ID")]}
			score := t.at("Correct")
			if score < 0 {
				return m
			}
			m.Scores = []string{t.header[score]}
			attempt, answers := t.at("Attempt"), t.answers()
			m.response = func(row []string) bool {
				return row[score] != "" && answers(row) && (attempt < 0 || row[attempt] == "" || row[attempt] == "1")
			}
			parts := t.ofSpreadsheet(m.response)
			for _, name := range []string{"Spreadsheet Name", "Spreadsheet", "Task Name"} {
				if i := t.at(name); i >= 0 && t.varies(i) {
					parts = append([]int{i}, parts...)
				}
			}
			m.item = func(row []string) string {
				var words []string
				for _, i := range parts {
					if row[i] != "" {
						words = append(words, row[i])
					}
				}
				return strings.Join(words, " ")
			}
			return m
		},
	}
}

// answers returns whether a row is of an answer. Every event has Correct 0, sounds that were started and buttons that go on too; those of answers say so
// in Zone Type, or in Response Type (Task Builder 2).
func (t *sheet) answers() func(row []string) bool {
	for _, name := range []string{"Zone Type", "Response Type"} {
		i := t.at(name)
		if i < 0 {
			continue
		}
		is := func(row []string) bool { return strings.HasPrefix(strings.ToLower(row[i]), "response") }
		if slices.ContainsFunc(t.rows, func(r tables.Row) bool { return is(r.Cells) }) {
			return is
		}
	}
	trial := t.at("Trial Number")
	return func(row []string) bool { return trial < 0 || !strings.HasSuffix(row[trial], " TASK") } // BEGIN TASK, END TASK
}

// ofSpreadsheet returns the columns that say which row of the task's spreadsheet a trial is: its number or, in data without it, the first of the
// spreadsheet's own columns that tells all rows apart, or else all of them. The number of a trial says when it came, which differs where trials are
// shuffled: it is taken where there is nothing else.
func (t *sheet) ofSpreadsheet(response func(row []string) bool) []int {
	if i := t.at("Spreadsheet Row"); i >= 0 {
		return []int{i}
	}
	var own []int
	for i, h := range t.header {
		if !ofGorilla(h) && !ofNodes(h) && h != "Participant Private ID" && h != "Reaction Time" && h != "Correct" {
			own = append(own, i)
		}
	}
	distinct := func(columns []int) int {
		seen := map[string]bool{}
		for _, r := range t.rows {
			if response(r.Cells) {
				key := ""
				for _, i := range columns {
					key += r.Cells[i] + "\x00"
				}
				seen[key] = true
			}
		}
		return len(seen)
	}
	all := distinct(own)
	for _, i := range own {
		if all > 1 && distinct([]int{i}) == all {
			return []int{i}
		}
	}
	if all > 1 {
		return own
	}
	if i := t.at("Trial Number"); i >= 0 {
		return []int{i}
	}
	return nil
}

// ofNodes reports whether a column says which way a participant took through the experiment: branch-m64g, randomiser-q5z8.
func ofNodes(column string) bool {
	for _, prefix := range []string{"checkpoint-", "branch-", "randomiser-", "order-", "quota-", "counterbalance-"} {
		if strings.HasPrefix(column, prefix) {
			return true
		}
	}
	return false
}

// ofGorilla reports whether a column is of the program itself.
func ofGorilla(column string) bool {
	for _, prefix := range []string{"UTC ", "Local ", "Participant ", "Experiment ", "Tree Node ", "Room ", "Task ", "Spreadsheet Row", "Spreadsheet Name", "Screen ", "Zone ", "Reaction Onset", "X Coord", "Y Coord", "Object ", "Component ", "Clock "} {
		if strings.HasPrefix(column, prefix) && column != "Participant Private ID" {
			return true
		}
	}
	return slices.Contains([]string{"Event Index", "Repeat Key", "Schedule ID", "Checkpoint", "Trial Number", "Response", "Response Type", "Response Duration", "Proportion", "Tag", "Incorrect", "Dishonest", "Timed Out", "Attempt", "Spreadsheet", "Spreadsheet Column", "Branch", "Manipulation", "Key", "randomise_trials", "randomise_blocks", "display", "Display", "Answer", "(file)"}, column)
}
