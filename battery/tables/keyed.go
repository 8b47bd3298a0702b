package tables

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/sim/expr"
)

// answerNames are what people call the column of the right answers.
func answerNames() []string {
	return []string{"key", "answer", "answers", "correct", "correctanswer", "right", "rightanswer", "solution", "scoringkey", "lösung"}
}

// Key returns the right answer of each item in a table: a row per item, with its name and, in a column called key, answer, correct or the
// like, or else in the second, the right answer; or one row with a column per item.
func (t *Table) Key() (map[string]string, error) {
	key := map[string]string{}
	if len(t.Rows) == 1 && len(t.Header) > 2 {
		for i, name := range t.Header {
			if a := strings.TrimSpace(t.Rows[0][i]); a != "" {
				key[name] = a
			}
		}
		return key, nil
	}
	if len(t.Header) < 2 {
		return nil, fmt.Errorf("%s: want a key with a row per item (its name and the right answer), or with one row and a column per item", t.Name)
	}
	find := func(names []string, otherwise int) int {
		if i := slices.IndexFunc(t.Header, func(h string) bool { return slices.Contains(names, plain(h)) }); i >= 0 {
			return i
		}
		return otherwise
	}
	name, answer := find(itemNames(), 0), find(answerNames(), 1)
	if name == answer {
		name, answer = 0, 1
	}
	for i, r := range t.Rows {
		item, a := strings.TrimSpace(r[name]), strings.TrimSpace(r[answer])
		if have, ok := key[item]; ok && have != a {
			return nil, fmt.Errorf("%s: item %s has the right answers %s and %s", t.At(i), item, have, a)
		}
		if a != "" {
			key[item] = a
		}
	}
	return key, nil
}

// keyRow returns the right answers that one of the first rows of a matrix has, and that row's name: one called key, or the like, whose cells are words
// that also stand in other rows.
func (s *Source) keyRow() (key map[string]string, name string, err error) {
	if len(s.Header) < 4 {
		return nil, "", nil
	}
	var cells []string
	answers := make([]map[string]bool, len(s.Header))
	rows := 0
	for row, err := range s.Each {
		if err != nil {
			return nil, "", err
		}
		if rows++; rows > inLook {
			break
		}
		if slices.Contains([]string{"key", "answerkey", "answers", "answer", "scoringkey", "correct", "correctanswer", "correctanswers", "rightanswers", "solution", "solutions", "lösung", "lösungen", "schlüssel"}, plain(row.Cells[0])) {
			if cells != nil {
				return nil, "", nil
			}
			cells = slices.Clone(row.Cells)
			continue
		}
		for i, c := range row.Cells {
			if len(answers[i]) < 20 {
				if answers[i] == nil {
					answers[i] = map[string]bool{}
				}
				answers[i][strings.TrimSpace(c)] = true
			}
		}
	}
	if cells == nil {
		return nil, "", nil
	}
	key = map[string]string{}
	for i, c := range cells[1:] {
		c = strings.TrimSpace(c)
		if _, isNumber := number(c); !isNumber && !missing(c) && len(answers[i+1]) > 1 && answers[i+1][c] && s.Header[i+1] != fileColumn {
			key[s.Header[i+1]] = c
		}
	}
	if len(key) < 2 {
		return nil, "", nil
	}
	return key, cells[0], nil
}

// keyed returns a source in which the cells of the columns in a key are 1 where they are the right answer, and 0 where they are another.
// Cells without a value, and words that mean none, stay as they are.
func (s *Source) keyed(key map[string]string, gone []string) (*Source, error) {
	if len(key) == 0 {
		return s, nil
	}
	right := make([]string, len(s.Header))
	for _, name := range slices.Sorted(maps.Keys(key)) {
		i := s.column(name)
		if i < 0 {
			return nil, fmt.Errorf("%s has no column %q, for which there is a right answer%s", s.Name, name, expr.DidYouMean(name, s.Header))
		}
		right[i] = key[name]
	}
	out := *s
	out.Each = func(yield func(Row, error) bool) {
		for row, err := range s.Each {
			if err != nil {
				yield(row, err)
				return
			}
			row.Cells = slices.Clone(row.Cells)
			for i, a := range right {
				c := strings.TrimSpace(row.Cells[i])
				if a == "" || missing(c) || slices.ContainsFunc(gone, func(m string) bool { return alike(m, c) }) {
					continue
				}
				row.Cells[i] = "0"
				if strings.EqualFold(a, c) || alike(a, c) {
					row.Cells[i] = "1"
				}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	return &out, nil
}
