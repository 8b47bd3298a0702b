package laboratory

import (
	"slices"
)

// inquisit is Inquisit (https://www.millisecond.com): a row for each trial, with what was shown in stimulusitem1 and others, which is the item.
func inquisit() program {
	return program{
		name:   "Inquisit",
		needs:  []string{"subject"},
		marked: func(head string) bool { return hasAll(head, "blockcode", "trialcode", "latency", "subject") },
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofInquisit, others: "instructions, and trials without a response that is scored"}
			m.Subject = []string{t.header[t.at("subject", "subjectid")]}
			score := t.at("correct")
			if score < 0 {
				return m
			}
			m.Scores = []string{t.header[score]}
			m.response = func(row []string) bool { return row[score] != "" }
			if at := t.at("stimulusitem1", "stimulusitem"); at >= 0 {
				m.item = func(row []string) string { return said(row[at]) }
			}
			return m
		},
	}
}

// ofInquisit reports whether a column is of the program itself.
func ofInquisit(column string) bool {
	return slices.Contains([]string{"date", "time", "build", "computer.platform", "blocknum", "trialnum", "response", "latency", "stimulusitem1", "stimulusitem", "stimulusnumber1", "starttime", "endtime", "sessionid", "session", "script.elapsedtime", "(file)"}, column)
}
