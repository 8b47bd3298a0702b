package laboratory

import (
	"regexp"
	"slices"
	"strings"
)

// qualtrics is Qualtrics (https://www.qualtrics.com): a row for each respondent, below the names of the columns one of questions and one that
// says where each came from ({"ImportId": …}). Older files call the columns of the program V1, V2 … and have their names in the first row. Previews are no
// responses.
func qualtrics() program {
	return program{
		name:   "Qualtrics",
		needs:  []string{"StartDate"},
		survey: true,
		marked: func(head string) bool {
			return hasAll(head, "StartDate", "EndDate", "Finished") && (strings.Contains(head, "RecordedDate") || strings.Contains(head, "ImportId") || strings.Contains(head, "ResponseSet"))
		},
		prepare: func(t *sheet) {
			if len(t.rows) == 0 {
				return
			}
			for i, h := range t.header {
				if name := t.rows[0].Cells[i]; oldName.MatchString(h) && name != "" && !slices.Contains(t.header, name) {
					t.header[i] = name
				}
			}
		},
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofQualtrics, others: "questions, previews"}
			if i := t.at("ResponseId", "ResponseID"); i >= 0 {
				m.Subject = []string{t.header[i]}
			}
			start, status := t.at("StartDate"), t.at("Status")
			m.response = func(row []string) bool { // a row of questions, in whatever language, has no date
				return row[start] != "" && row[start][0] >= '0' && row[start][0] <= '9' && (status < 0 || row[status] != "Survey Preview" && row[status] != "1")
			}
			return m
		},
	}
}

// oldName matches what older files call the program's own columns.
var oldName = regexp.MustCompile(`^V\d+$`)

// ofQualtrics reports whether a column is of the program itself.
func ofQualtrics(column string) bool {
	for _, suffix := range []string{"_First Click", "_Last Click", "_Page Submit", "_Click Count", "_TEXT"} {
		if strings.HasSuffix(column, suffix) {
			return true
		}
	}
	return strings.Contains(column, "_DO_") || strings.HasPrefix(column, "Recipient") || strings.HasPrefix(column, "Location") || strings.HasPrefix(column, "Q_") || column == "(file)" ||
		slices.Contains([]string{"ResponseSet", "Name", "EmailAddress", "StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished", "RecordedDate", "ExternalReference", "ExternalDataReference", "DistributionChannel", "UserLanguage"}, column)
}
