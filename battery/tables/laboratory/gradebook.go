package laboratory

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// Programs that set quizzes write a row for each attempt of a student, with the points for each question. The response is the share of the points that
// there are.

// Columns of the table that becomes of a quiz: a row for each student and question.
const (
	studentColumn  = "student"
	questionColumn = "question"
	shareColumn    = "score"
	attemptColumn  = "attempt"
)

// A question is a column with the points for a question. of is how many there are at most, 0 where each cell says so.
type question struct {
	name   string
	column int
	of     float64
}

// outOf matches the points in a cell that says how many there are: 1.00 / 2.
var outOf = regexp.MustCompile(`^\s*(-?[0-9.]+)\s*/\s*([0-9.]+)\s*$`)

// unfold makes a row of each student and question. who are the columns that name a student; rows of which all are empty, and those that total says
// are of no student, are left out. What else stands beside a student, in columns beside, is kept.
func (t *sheet) unfold(who, beside []int, questions []question, total func(row []string) bool) {
	header := []string{studentColumn, questionColumn, shareColumn, attemptColumn}
	for _, i := range beside {
		header = append(header, t.header[i])
	}
	var rows []tables.Row
	attempts := map[string]int{}
	for n, r := range t.rows {
		student := strconv.Itoa(n + 1) // where students are not named
		if len(who) > 0 {
			student = strings.TrimSpace(joinedCells(r.Cells, who))
		}
		if total != nil && total(r.Cells) {
			continue
		}
		if student == "" {
			t.nameless++
			continue
		}
		attempts[student]++
		for _, q := range questions {
			cells := []string{student, q.name, share(r.Cells[q.column], q.of), strconv.Itoa(attempts[student])}
			for _, i := range beside {
				cells = append(cells, r.Cells[i])
			}
			rows = append(rows, tables.Row{File: r.File, Line: r.Line, Cells: cells})
		}
	}
	t.header, t.rows = header, rows
}

func joinedCells(row []string, columns []int) string {
	var out []string
	for _, i := range columns {
		if c := strings.TrimSpace(row[i]); c != "" {
			out = append(out, c)
		}
	}
	return strings.Join(out, " ")
}

// share returns the points in a cell by those that there are, as text; the cell itself where it has no number, and nothing for a question without points.
func share(cell string, of float64) string {
	if m := outOf.FindStringSubmatch(cell); m != nil {
		cell = m[1]
		of, _ = strconv.ParseFloat(m[2], 64)
		if of == 0 {
			return ""
		}
	}
	if strings.HasPrefix(strings.TrimSpace(cell), "--") {
		return "" // not graded
	}
	x, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(cell), ",", ".", 1), 64)
	if err != nil {
		return strings.TrimSpace(cell)
	}
	if of > 0 {
		x /= of
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// ofQuiz says what the columns of an unfolded table mean.
func ofQuiz(t *sheet) meaning {
	m := meaning{dropped: func(string) bool { return false }}
	m.Subject, m.Item, m.Scores = []string{studentColumn}, []string{questionColumn}, []string{shareColumn}
	if i := t.at(attemptColumn); t.varies(i) {
		m.Repetition = []string{attemptColumn}
		m.note = "students with several attempts: numbered in file order"
	} else {
		m.dropped = func(column string) bool { return column == attemptColumn }
	}
	if t.nameless > 0 {
		m.note = strings.Trim(m.note+fmt.Sprintf("; %s without a student's name left out", plural(t.nameless, "row")), "; ")
	}
	return m
}

// googleForms is a quiz of Google Forms, as its answers are downloaded: each question has a column with the answer, one with the points, such as
// 1.00 / 2, and one with feedback. Questions of 0 points, such as that for a name, are none.
func googleForms() program {
	return program{
		name:   "Google Forms",
		needs:  []string{studentColumn},
		marked: func(head string) bool { return hasAll(firstLine(head), "[Score]", "[Feedback]") },
		prepare: func(t *sheet) {
			var questions []question
			for i, h := range t.header {
				name, ok := strings.CutSuffix(h, " [Score]")
				worth := slices.ContainsFunc(t.rows, func(r tables.Row) bool { return share(r.Cells[i], 0) != "" && outOf.MatchString(r.Cells[i]) })
				if ok && worth {
					questions = append(questions, question{name: name, column: i})
				}
			}
			t.unfold(t.first("Username", "Email Address", "Email address"), nil, questions, nil)
		},
		of: ofQuiz,
	}
}

// microsoftForms is a quiz of Microsoft Forms: beside each question stand columns with its points and with feedback.
func microsoftForms() program {
	return program{
		name:   "Microsoft Forms",
		needs:  []string{studentColumn},
		marked: func(head string) bool { return hasAll(firstLine(head), "Points - ", "Feedback - ") },
		prepare: func(t *sheet) {
			var questions []question
			for i, h := range t.header {
				if name, ok := strings.CutPrefix(h, "Points - "); ok {
					questions = append(questions, question{name: name, column: i, of: t.most(i)})
				}
			}
			t.unfold(t.first("Email", "Name", "ID", "Id"), nil, questions, nil)
		},
		of: func(t *sheet) meaning {
			m := ofQuiz(t)
			m.note = strings.Trim(m.note+"; the most points that anybody has are read as the maximum", "; ")
			return m
		},
	}
}

// most returns the largest number in a column, 1 if there is none above 0.
func (t *sheet) most(column int) float64 {
	most := 0.0
	for _, r := range t.rows {
		if x, err := strconv.ParseFloat(strings.TrimSpace(r.Cells[column]), 64); err == nil {
			most = max(most, x)
		}
	}
	if most == 0 {
		return 1
	}
	return most
}

// moodleQuestion matches the column of a question in Moodle's report of grades: Q. 1 /1.00, with the points that there are behind the slash.
var moodleQuestion = regexp.MustCompile(`^(\pL+\.? ?\d+) */ *([0-9]+[.,][0-9]+)$`)

// moodle is the report of grades of a quiz in Moodle. The last row has averages.
func moodle() program {
	return program{
		name:  "Moodle",
		needs: []string{studentColumn},
		marked: func(head string) bool {
			line := firstLine(head)
			return regexp.MustCompile(`\d+ */ *[0-9]+[.,][0-9]+`).MatchString(line) && regexp.MustCompile(`[^\d",;\t] */ *[0-9]+[.,][0-9]+`).MatchString(line)
		},
		prepare: func(t *sheet) {
			var questions []question
			for i, h := range t.header {
				if m := moodleQuestion.FindStringSubmatch(h); m != nil {
					of, _ := strconv.ParseFloat(strings.Replace(m[2], ",", ".", 1), 64)
					questions = append(questions, question{name: m[1], column: i, of: of})
				}
			}
			who := t.first("Email address", "Username", "ID number", "E-Mail-Adresse", "Anmeldename", "Adresse de courriel", "Dirección de correo")
			named := t.namedStudents()
			if who == nil || slices.ContainsFunc(t.rows[:max(len(t.rows)-1, 0)], func(r tables.Row) bool { return r.Cells[who[0]] == "" }) {
				who = named
			}
			t.unfold(who, nil, questions, func(row []string) bool { // the averages, which no time goes with
				for _, i := range t.first("Email address", "E-Mail-Adresse", "Started", "Started on", "State", "Status") {
					if row[i] == "" {
						return true
					}
				}
				return strings.HasPrefix(row[0], "Overall average")
			})
		},
		of: ofQuiz,
	}
}

// namedStudents returns the columns with a student's names, in the order of the table.
func (t *sheet) namedStudents() (out []int) {
	for i, h := range t.header {
		if slices.Contains([]string{"First name", "Last name", "Surname", "Name", "Nachname", "Vorname", "Nom", "Prénom", "Apellido(s)", "Nombre"}, h) {
			out = append(out, i)
		}
	}
	return out
}

// canvasQuestion matches the column of a question in Canvas's analysis of students: its number and text. The next column has the points, and is called as
// many as there are.
var canvasQuestion = regexp.MustCompile(`^\d+: `)

// canvas is the analysis of the students of a quiz in Canvas.
func canvas() program {
	return program{
		name:   "Canvas quiz",
		needs:  []string{studentColumn},
		marked: func(head string) bool { return hasAll(firstLine(head), "section_sis_id", "n correct", "n incorrect") },
		twice:  true,
		prepare: func(t *sheet) {
			var questions []question
			for i := 1; i < len(t.header); i++ {
				points, _, _ := strings.Cut(t.header[i], " ") // without the number of a name that comes again
				of, err := strconv.ParseFloat(points, 64)
				if err == nil && canvasQuestion.MatchString(t.header[i-1]) {
					questions = append(questions, question{name: t.header[i-1], column: i, of: of})
				}
			}
			t.unfold(t.first("id", "sis_id", "name"), t.first("section"), questions, nil)
		},
		of: ofQuiz,
	}
}

// first returns the first of some columns that is there and has a cell, as a list of one, or nil.
func (t *sheet) first(names ...string) []int {
	for _, n := range names {
		if i := t.at(n); i >= 0 && slices.ContainsFunc(t.rows, func(r tables.Row) bool { return r.Cells[i] != "" }) {
			return []int{i}
		}
	}
	return nil
}

// firstLine returns the names of the columns in the beginning of a text.
func firstLine(head string) string {
	line, _, _ := strings.Cut(head, "\n")
	return line
}

// numbered returns the cells of a file in which columns may have the same name; a later one gets a number: 1.0 (2).
func numbered(f *tables.File, r tables.Reading) (*tables.Grid, error) {
	text, err := f.Text(r)
	if err != nil {
		return nil, err
	}
	in := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	in.LazyQuotes = true
	rows, err := in.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	if len(rows) < 2 {
		return nil, fmt.Errorf("%s: the table has no rows", f.Name)
	}
	seen := map[string]int{}
	for i, n := range rows[0] {
		if seen[n]++; seen[n] > 1 {
			rows[0][i] = fmt.Sprintf("%s (%d)", n, seen[n])
		}
	}
	g := &tables.Grid{Kind: "text", Header: rows[0], Rows: rows[1:]}
	for n := range g.Rows {
		g.Lines = append(g.Lines, n+2)
	}
	return g, nil
}
