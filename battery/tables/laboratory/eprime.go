package laboratory

import (
	"slices"
	"strings"
)

// ePrime is E-Prime's merged data, as E-DataAid exports them: a row for each trial. A list X writes X, the row of it that was drawn, which is
// the item, with X.Cycle and X.Sample beside it. A slide Y writes Y.ACC, Y.RT and others.
func ePrime() program {
	return program{
		name:   "E-Prime",
		needs:  []string{"Subject"},
		marked: func(head string) bool { return hasAll(head, "ExperimentName", "Subject", ".ACC") },
		of: func(t *sheet) meaning {
			m := meaning{others: "trials without a response that is scored"}
			m.Subject = []string{t.header[t.at("Subject")]}
			var scores []int
			list := -1
			for i, h := range t.header {
				if strings.HasSuffix(h, ".ACC") {
					scores = append(scores, i)
					m.Scores = append(m.Scores, h)
				}
				if slices.Contains(t.header, h+".Cycle") && (list < 0 || t.varies(i)) {
					list = i // the list within lists comes last
				}
			}
			m.dropped = func(column string) bool { return ofEPrime(column) || slices.Contains(t.header, column+".Cycle") }
			m.response = func(row []string) bool {
				return slices.ContainsFunc(scores, func(i int) bool { return row[i] != "" && row[i] != "NULL" })
			}
			if list >= 0 {
				m.item = func(row []string) string { return row[list] }
			}
			return m
		},
	}
}

// ofEPrime reports whether a column is of the program itself.
func ofEPrime(column string) bool {
	for _, suffix := range []string{".Cycle", ".Sample", ".RT", ".RTTime", ".RESP", ".CRESP", ".OnsetDelay", ".OnsetTime", ".DurationError", ".Duration", ".OffsetTime", ".PreRelease", ".FinishTime", ".StartTime", ".ActionTime"} {
		if strings.HasSuffix(column, suffix) {
			return true
		}
	}
	return strings.HasPrefix(column, "Procedure") || strings.HasPrefix(column, "Running") || strings.HasPrefix(column, "Clock.") || strings.HasPrefix(column, "DataFile") || strings.HasPrefix(column, "Display.") ||
		slices.Contains([]string{"ExperimentName", "ExperimentVersion", "Session", "SessionDate", "SessionTime", "SessionStartDateTimeUtc", "StudioVersion", "RuntimeVersion", "RuntimeVersionExpected", "RuntimeCapabilities", "RandomSeed", "Block", "Trial", "SubTrial", "(file)"}, column)
}
