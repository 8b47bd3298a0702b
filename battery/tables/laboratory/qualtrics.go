package laboratory

import (
	"slices"
	"strings"
)

// qualtrics is Qualtrics (https://www.qualtrics.com): a row for each respondent, below the names of the columns one of questions and one that
// says where each came from ({"ImportId": …}). Previews are no responses.
func qualtrics() program {
	return program{
		name:   "Qualtrics",
		needs:  []string{"StartDate"},
		survey: true,
		marked: func(head string) bool {
			return hasAll(head, "StartDate", "EndDate", "Finished") && (strings.Contains(head, "RecordedDate") || strings.Contains(head, "ImportId"))
		},
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofQualtrics, others: "questions, previews"}
			if i := t.at("ResponseId", "ResponseID"); i >= 0 {
				m.Subject = []string{t.header[i]}
			}
			start, status := t.at("StartDate"), t.at("Status")
			m.response = func(row []string) bool {
				return !strings.HasPrefix(row[start], `{"ImportId"`) && !strings.EqualFold(row[start], "Start Date") && (status < 0 || row[status] != "Survey Preview" && row[status] != "1")
			}
			return m
		},
	}
}

// ofQualtrics reports whether a column is of the program itself.
func ofQualtrics(column string) bool {
	for _, suffix := range []string{"_First Click", "_Last Click", "_Page Submit", "_Click Count", "_TEXT"} {
		if strings.HasSuffix(column, suffix) {
			return true
		}
	}
	return strings.Contains(column, "_DO_") || strings.HasPrefix(column, "Recipient") || strings.HasPrefix(column, "Location") || strings.HasPrefix(column, "Q_") || column == "(file)" ||
		slices.Contains([]string{"StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished", "RecordedDate", "ExternalReference", "ExternalDataReference", "DistributionChannel", "UserLanguage"}, column)
}
