package laboratory

import (
	"slices"
	"strings"
)

// limeSurvey is LimeSurvey (https://www.limesurvey.org): a row for each respondent. Who has not sent the survey off has no submitdate.
func limeSurvey() program {
	return program{
		name:   "LimeSurvey",
		needs:  []string{"id"},
		survey: true,
		marked: func(head string) bool { return hasAll(head, "submitdate", "lastpage", "startlanguage") },
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofLimeSurvey}
			if i := t.at("id"); i >= 0 {
				m.Subject = []string{t.header[i]}
			}
			return m
		},
	}
}

// ofLimeSurvey reports whether a column is of the program itself.
func ofLimeSurvey(column string) bool {
	return strings.HasSuffix(column, "Time") || strings.HasPrefix(column, "groupTime") || strings.HasSuffix(column, "[other]") || strings.HasSuffix(column, "[comment]") || column == "(file)" ||
		slices.Contains([]string{"submitdate", "lastpage", "startlanguage", "seed", "token", "startdate", "datestamp", "ipaddr", "refurl", "interviewtime"}, column)
}
