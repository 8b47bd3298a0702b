package laboratory

import (
	"slices"
	"strings"

	"achilles/battery/tables"
)

// ePrime is E-Prime's merged data, as E-DataAid exports them, or its logs: a row for each trial. A list X writes X, the row of it that was drawn, which
// is the item, with X.Cycle and X.Sample beside it, and Running says which list it was. A slide Y writes Y.ACC, Y.RT and others.
func ePrime() program {
	return program{
		name:  "E-Prime",
		needs: []string{"Subject"},
		marked: func(head string) bool {
			return strings.Contains(head, logStart) || hasAll(head, ".ACC") && hasCells(head, "ExperimentName", "Subject")
		},
		of: func(t *sheet) meaning {
			m := meaning{others: "trials without a response that is scored"}
			m.Subject = []string{t.header[t.at("Subject")]}
			var scores, lists, running []int
			for i, h := range t.header {
				if strings.HasSuffix(h, ".ACC") && t.isScored(i) {
					scores = append(scores, i)
				}
				if slices.Contains(t.header, h+".Cycle") {
					lists = append(lists, i)
				}
				if h == "Running" || strings.HasPrefix(h, "Running[") {
					running = append(running, i)
				}
			}
			if slices.ContainsFunc(lists, t.varies) {
				lists = slices.DeleteFunc(lists, func(i int) bool { return !t.varies(i) })
			}
			if i := t.at("Correct", "Accuracy", "ACC"); len(scores) == 0 && i >= 0 && t.flags(i) {
				scores = append(scores, i) // by the experiment's own script
			}
			for _, i := range scores {
				m.Scores = append(m.Scores, t.header[i])
			}
			m.dropped = func(column string) bool {
				return ofEPrime(column) || slices.Contains(t.header, column+".Cycle") || strings.HasSuffix(column, ".ACC") && !slices.Contains(m.Scores, column)
			}
			if len(scores) > 0 {
				m.response = func(row []string) bool {
					return slices.ContainsFunc(scores, func(i int) bool { return there(row, i) })
				}
			}
			m.item = func(row []string) string {
				list := -1
				for _, i := range lists {
					if there(row, i) {
						list = i // the list within lists comes last
					}
				}
				for _, i := range running {
					if own := t.at(row[i]); there(row, own) {
						list = own
					}
				}
				switch {
				case list < 0:
					return ""
				case len(lists) == 1:
					return row[list]
				}
				return t.header[list] + " " + row[list]
			}
			if len(lists) == 0 {
				m.item = nil
			}
			return m
		},
	}
}

// there reports whether a row has a value in a column, which may be −1: none.
func there(row []string, column int) bool {
	return column >= 0 && row[column] != "" && row[column] != "NULL"
}

// isScored reports whether a slide's accuracy was scored: not if it has neither a right response nor one that was given, for then all have 0.
func (t *sheet) isScored(accuracy int) bool {
	slide := strings.TrimSuffix(t.header[accuracy], ".ACC")
	given, right := t.at(slide+".RESP"), t.at(slide+".CRESP")
	if given < 0 && right < 0 {
		return true
	}
	return slices.ContainsFunc(t.rows, func(r tables.Row) bool {
		return there(r.Cells, given) || there(r.Cells, right)
	})
}

// flags reports whether a column has nothing but true and false, or 1 and 0.
func (t *sheet) flags(column int) bool {
	return t.varies(column) && !slices.ContainsFunc(t.rows, func(r tables.Row) bool {
		return !slices.Contains([]string{"", "NULL", "true", "false", "1", "0"}, strings.ToLower(r.Cells[column]))
	})
}

// ofEPrime reports whether a column is of the program itself.
func ofEPrime(column string) bool {
	for _, suffix := range []string{".Cycle", ".Sample", ".RT", ".RTTime", ".RESP", ".CRESP", ".OnsetDelay", ".OnsetTime", ".DurationError", ".Duration", ".OffsetTime", ".PreRelease", ".FinishTime", ".StartTime", ".ActionTime"} {
		if strings.HasSuffix(column, suffix) {
			return true
		}
	}
	return strings.HasPrefix(column, "Procedure") || strings.HasPrefix(column, "Running") || strings.HasPrefix(column, "Clock.") || strings.HasPrefix(column, "DataFile") || strings.HasPrefix(column, "Display.") ||
		slices.Contains([]string{"ExperimentName", "ExperimentVersion", "Session", "SessionDate", "SessionTime", "SessionStartDateTimeUtc", "SessionTimeUtc", "VersionPersist", "LevelName", "Experiment", "StudioVersion", "RuntimeVersion", "RuntimeVersionExpected", "RuntimeCapabilities", "RandomSeed", "Block", "Trial", "SubTrial", "(file)"}, column)
}
