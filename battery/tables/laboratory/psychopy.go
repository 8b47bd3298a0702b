package laboratory

import (
	"cmp"
	"slices"
	"strings"

	"achilles/battery/tables"
)

// psychoPy is PsychoPy (https://psychopy.org), and Pavlovia, which runs its experiments: a file for each participant, a row for each trial or
// routine. A loop X writes X.thisIndex, the row of its table of conditions, which is the item. A component Y writes Y.corr, Y.rt and others.
func psychoPy() program {
	return program{
		name: "PsychoPy",
		marked: func(head string) bool {
			return strings.Contains(head, "psychopyVersion") || hasAll(head, ".thisN", ".thisIndex", "expName")
		},
		of: func(t *sheet) meaning {
			m := meaning{others: "instructions, breaks and trials without a response that is scored"}
			if m.Subject = []string{"(file)"}; t.at("participant") >= 0 {
				m.Subject = []string{t.header[t.at("participant")]}
			}
			var scores, loops, varying []int
			for i, h := range t.header {
				switch {
				case strings.HasSuffix(h, ".corr"):
					scores = append(scores, i)
					m.Scores = append(m.Scores, h)
				case strings.HasSuffix(h, ".thisIndex"):
					if loops = append(loops, i); t.varies(i) {
						varying = append(varying, i)
					}
				}
			}
			// PsychoPy 2024 writes loop.component.corr beside component.corr.
			scores = slices.DeleteFunc(scores, func(i int) bool {
				_, name, _ := strings.Cut(t.header[i], ".")
				return slices.Contains(m.Scores, name)
			})
			m.Scores = nil
			for _, i := range scores {
				m.Scores = append(m.Scores, t.header[i])
			}
			m.dropped = func(column string) bool { return ofPsychoPy(column) && !slices.Contains(m.Scores, column) }
			if len(scores) == 0 {
				return m // a person names the score with --metric
			}
			if len(scores) > 1 && t.apart(scores) {
				m.Scores, scores = []string{scoreColumn}, []int{t.joined(scoreColumn, scores)}
				m.note = "no row has two scores: those of all components are one"
			}
			m.response = func(row []string) bool {
				return slices.ContainsFunc(scores, func(i int) bool { return row[i] != "" })
			}
			name := func(row []string, loops []int) string {
				var parts []string
				for _, i := range loops {
					if row[i] != "" {
						parts = append(parts, strings.TrimSuffix(t.header[i], ".thisIndex")+" "+row[i])
					}
				}
				return strings.Join(parts, ", ")
			}
			// A loop that only repeats others has one index.
			m.item = func(row []string) string { return cmp.Or(name(row, varying), name(row, loops)) }
			return m
		},
	}
}

// scoreColumn has the scores of several components, of which each trial has one.
const scoreColumn = "(correct)"

// apart reports whether each row has a cell with a value in one of some columns at most.
func (t *sheet) apart(columns []int) bool {
	return !slices.ContainsFunc(t.rows, func(r tables.Row) bool {
		n := 0
		for _, i := range columns {
			if r.Cells[i] != "" {
				n++
			}
		}
		return n > 1
	})
}

// joined adds a column with the values of several columns, and returns its index.
func (t *sheet) joined(name string, columns []int) int {
	t.header = append(t.header, name)
	for k, r := range t.rows {
		value := ""
		for _, i := range columns {
			value = cmp.Or(value, r.Cells[i])
		}
		t.rows[k].Cells = append(r.Cells, value)
	}
	return len(t.header) - 1
}

// ofPsychoPy reports whether a column is of the program itself.
func ofPsychoPy(column string) bool {
	if i := strings.LastIndexByte(column, '.'); i >= 0 {
		return slices.Contains([]string{"corr", "thisRepN", "thisTrialN", "thisN", "thisIndex", "ran", "order", "started", "stopped", "keys", "duration", "x", "y", "leftButton", "midButton", "rightButton", "time", "clicked_name", "numClicks", "timesOn", "timesOff", "t", "name", "code"}, column[i+1:])
	}
	return slices.Contains([]string{"thisN", "thisTrialN", "thisRepN", "thisIndex", "date", "expName", "expVersion", "expStart", "psychopyVersion", "frameRate", "OS", "monitor", "notes", "session", "(file)"}, column) || strings.HasPrefix(column, "column ")
}
