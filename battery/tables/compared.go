package tables

import (
	"slices"
	"strings"
)

// Some tables have no score, but what was answered beside what is right: model, question, prediction, gold.

// givenNames are those of what was answered.
func givenNames() []string {
	return []string{"prediction", "pred", "predicted", "predictedanswer", "predictedlabel", "modelanswer", "modelresponse", "parsed", "parsedanswer", "extractedanswer", "choice", "chosen", "selected", "selectedoption", "selectedanswer", "guess", "response", "resp", "responsekey", "respkey", "keypress", "output", "answer", "answergiven"}
}

// rightNames are those of what is right, the likeliest first.
func rightNames() []string {
	return []string{"gold", "goldlabel", "goldanswer", "target", "groundtruth", "truth", "reference", "correctanswer", "correctresponse", "correctchoice", "correctoption", "correctside", "correctkey", "correctlabel", "correctlocation", "rightanswer", "rightresponse", "rightside", "expected", "expectedanswer", "expectedresponse", "answerkey", "rewardedside", "solution", "label", "key", "answer", "correct", "richtig"}
}

// leastSame is the share of rows in which an answer must be the right one, so that two columns are taken for the same thing.
const leastSame = 0.02

// compared returns the columns with what was answered and what is right, where no column has a score: both are called so, and say the same in some rows
// but not in all.
func (s *surveyed) compared() (given, right string) {
	for _, g := range givenNames() {
		given = s.named([]string{g}, nil)
		if given == "" {
			continue
		}
		for _, r := range rightNames() {
			if right = s.named([]string{r}, nil); right != "" && right != given {
				if same, rows := s.same(given, right); same < rows && float64(same) > leastSame*float64(rows) {
					return given, right
				}
			}
		}
	}
	return "", ""
}

// same returns in how many rows two columns say the same, and in how many both say something.
func (s *surveyed) same(one, other string) (same, rows int) {
	a, b := s.src.column(one), s.src.column(other)
	for row, err := range s.src.Each {
		if err != nil {
			return 0, 0
		}
		if x, y := row.Cells[a], row.Cells[b]; !missing(x) && !missing(y) {
			rows++
			if sameAnswer(x, y) {
				same++
			}
		}
	}
	return same, rows
}

// rightBeside returns the column of a matrix with a row per item that has the right answers, where cells are the answers that subjects gave: words of which
// the right answer's are some. merged is what these cells have, and other the columns that are neither. It returns nothing if there is none.
func (s *surveyed) rightBeside(cells []*profile) (right string, merged *profile, other []string) {
	for _, c := range cells {
		if !slices.Contains(rightNames(), plain(c.name)) || c.word == 0 {
			continue
		}
		merged, other = &profile{name: "responses"}, nil
		var answers []string
		for _, o := range cells {
			if o == c {
				continue
			}
			if same, rows := s.same(o.name, c.name); o.word > 0 && float64(same) > leastSame*float64(rows) {
				answers = append(answers, o.name)
				merged.merge(o)
			} else {
				other = append(other, o.name)
			}
		}
		if len(answers) > 1 {
			s.take("right answers", c.name)
			s.take("response", answers...)
			return c.name, merged, other
		}
	}
	return "", nil, nil
}

// sameAnswer reports whether two cells have the same answer: the same number, or the same text but for blanks around it and for case.
func sameAnswer(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	return strings.EqualFold(a, b) || alike(a, b)
}
