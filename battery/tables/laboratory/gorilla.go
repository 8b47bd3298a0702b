package laboratory

import (
	"slices"
	"strings"
)

// gorilla is Gorilla (https://gorilla.sc): a row for each event of a task. A scored answer has Correct, 1 or 0; a trial is a row of the
// task's spreadsheet, which is the item, and whose own columns stand beside it.
func gorilla() program {
	return program{
		name:   "Gorilla",
		needs:  []string{"Participant Private ID"},
		marked: func(head string) bool { return hasAll(head, "Event Index", "Participant Private ID") },
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofGorilla, others: "screens and answers that are not scored, further attempts"}
			m.Subject = []string{t.header[t.at("Participant Private ID")]}
			score := t.at("Correct")
			if score < 0 {
				return m
			}
			m.Scores = []string{t.header[score]}
			attempt := t.at("Attempt")
			m.response = func(row []string) bool {
				return row[score] != "" && (attempt < 0 || row[attempt] == "" || row[attempt] == "1")
			}
			var parts []int
			for _, name := range []string{"Task Name", "Spreadsheet", "Spreadsheet Name"} {
				if i := t.at(name); i >= 0 && t.varies(i) {
					parts = append(parts, i)
				}
			}
			if i := t.at("Spreadsheet Row", "Trial Number"); i >= 0 {
				parts = append(parts, i)
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

// ofGorilla reports whether a column is of the program itself.
func ofGorilla(column string) bool {
	for _, prefix := range []string{"UTC ", "Local ", "Participant ", "Experiment ", "Tree Node ", "Room ", "Task ", "Spreadsheet Row", "Spreadsheet Name", "Screen ", "Zone ", "Reaction Onset", "X Coord", "Y Coord", "Object ", "Component ", "Clock "} {
		if strings.HasPrefix(column, prefix) && column != "Participant Private ID" {
			return true
		}
	}
	return slices.Contains([]string{"Event Index", "Repeat Key", "Schedule ID", "Checkpoint", "Trial Number", "Response", "Response Type", "Response Duration", "Proportion", "Tag", "Incorrect", "Dishonest", "Timed Out", "Attempt", "Spreadsheet", "Spreadsheet Column", "Branch", "Manipulation", "Key", "randomise_trials", "randomise_blocks", "display", "Display", "Answer", "(file)"}, column)
}
