package laboratory

import (
	"slices"
	"strings"
)

// labJS is lab.js (https://lab.js.org): a row for each component that was shown. Those to which an answer is scored have correct; what a trial showed is in
// columns of the study's own, which are the item.
func labJS() program {
	return program{
		name:  "lab.js",
		needs: []string{"sender", "correct"},
		marked: func(head string) bool {
			return hasAll(firstLine(head), "sender", "sender_type", "sender_id", "ended_on")
		},
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofLabJS, others: "instructions, fixations and whatever has no answer that is scored"}
			m.Subject = []string{"(file)"}
			if i := t.at("observation", "participant", "participant_id", "subject", "subject_id", "id"); i >= 0 {
				m.Subject = []string{t.header[i]}
			}
			score := t.at("correct")
			m.Scores = []string{"correct"}
			ended, answer := t.at("ended_on"), t.at("response")
			m.response = func(row []string) bool {
				return row[score] != "" && (row[ended] == "response" || row[ended] == "timeout" || answer >= 0 && row[answer] != "")
			}
			var own []int
			for i, h := range t.header {
				if !ofLabJS(h) && !slices.Contains(m.Subject, h) && h != "correct" && h != "duration" && t.within(i, m) {
					own = append(own, i)
				}
			}
			sender := t.at("sender")
			m.item = func(row []string) string {
				words := []string{row[sender]}
				for _, i := range own {
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

// within reports whether a column differs between the scored answers of one subject, so that it says what was shown.
func (t *sheet) within(column int, m meaning) bool {
	subject := t.at(m.Subject...)
	return t.splits(column, func(row []string) string { return row[subject] }, m.response)
}

// ofLabJS reports whether a column is of the program itself.
func ofLabJS(column string) bool {
	return strings.HasPrefix(column, "time_") || slices.Contains([]string{"sender", "sender_type", "sender_id", "timestamp", "response", "response_action", "ended_on", "correctResponse", "meta", "metadata", "url", "session", "row", "(file)"}, column)
}
