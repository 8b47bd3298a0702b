package laboratory

import (
	"slices"
	"strings"

	"achilles/battery/tables"
)

// dataShop is an export of DataShop (https://pslcdatashop.web.cmu.edu), what students did in a tutoring program: a row for each step of a student, or for
// each transaction. A response is the first attempt at a step: 1 if it is correct; a hint that is asked for first is 0, as an error is.
func dataShop() program {
	return program{
		name:  "DataShop",
		needs: []string{"Anon Student Id", "Problem Name", "Step Name"},
		marked: func(head string) bool {
			line := firstLine(head)
			return hasAll(line, "Anon Student Id", "Step Name") && (strings.Contains(line, "First Attempt") || strings.Contains(line, "Outcome"))
		},
		of: func(t *sheet) meaning {
			m := meaning{others: "attempts after the first, rows without an outcome"}
			m.Subject = []string{t.header[t.at("Anon Student Id")]}
			score := t.at("First Attempt", "Outcome")
			attempt := t.at("Attempt At Step")
			if t.header[score] == "First Attempt" {
				attempt = -1
			}
			m.Scores = []string{t.header[score]}
			for i, r := range t.rows {
				switch cells := slices.Clone(r.Cells); strings.ToLower(cells[score]) {
				case "correct":
					cells[score] = "1"
					t.rows[i].Cells = cells
				case "incorrect", "hint", "bug", "error":
					cells[score] = "0"
					t.rows[i].Cells = cells
				}
			}
			m.response = func(row []string) bool {
				return (row[score] == "0" || row[score] == "1") && (attempt < 0 || row[attempt] == "1")
			}
			problem, step := t.at("Problem Name"), t.at("Step Name")
			m.item = func(row []string) string { return strings.Trim(row[problem]+"/"+row[step], "/") }
			skill := slices.IndexFunc(t.header, func(h string) bool { return strings.HasPrefix(h, "KC (") || strings.HasPrefix(h, "KC(") })
			m.dropped = func(column string) bool {
				return (skill < 0 || column != t.header[skill]) && column != m.Scores[0] && !slices.Contains([]string{"Condition", "School", "Class", "Problem Hierarchy"}, column)
			}
			return m
		},
	}
}

// assistments is a table of ASSISTments (https://sites.google.com/site/assistmentsdata): a row for each problem that a student began, in the order of
// order_id. A problem of several skills has a row for each of them, of which the first counts here; original is 0 for a step into which a problem is
// broken up.
func assistments() program {
	return program{
		name:  "ASSISTments",
		needs: []string{"order_id", "user_id", "problem_id", "correct"},
		marked: func(head string) bool {
			return hasAll(firstLine(head), "order_id", "user_id", "problem_id", "correct", "ms_first_response")
		},
		prepare: func(t *sheet) {
			order := t.at("order_id")
			if order < 0 {
				return
			}
			slices.SortStableFunc(t.rows, func(a, b tables.Row) int { return compareNumbers(a.Cells[order], b.Cells[order]) })
			t.rows = slices.CompactFunc(t.rows, func(a, b tables.Row) bool { return a.Cells[order] != "" && a.Cells[order] == b.Cells[order] })
		},
		of: func(t *sheet) meaning {
			m := meaning{others: "steps into which problems are broken up, rows without a score", note: "a problem of several skills counts once, with the first of them"}
			m.Subject, m.Scores = []string{"user_id"}, []string{"correct"}
			score, original, problem := t.at("correct"), t.at("original"), t.at("problem_id")
			m.response = func(row []string) bool { return row[score] != "" && (original < 0 || row[original] != "0") }
			m.item = func(row []string) string { return row[problem] }
			m.dropped = func(column string) bool {
				return !slices.Contains([]string{"user_id", "correct", "skill_name", "skill", "ms_first_response", "answer_type", "school_id"}, column)
			}
			return m
		},
	}
}

// compareNumbers orders texts of whole numbers: the shorter one is less.
func compareNumbers(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
