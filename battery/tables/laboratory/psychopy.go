package laboratory

import (
	"cmp"
	"slices"
	"strings"
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
			m := meaning{dropped: ofPsychoPy, others: "instructions, breaks and trials without a response that is scored"}
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
			if len(scores) == 0 {
				return m // a person names the score with --metric
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

// ofPsychoPy reports whether a column is of the program itself.
func ofPsychoPy(column string) bool {
	if i := strings.LastIndexByte(column, '.'); i >= 0 {
		return slices.Contains([]string{"thisRepN", "thisTrialN", "thisN", "thisIndex", "ran", "order", "started", "stopped", "keys", "duration", "x", "y", "leftButton", "midButton", "rightButton", "time", "clicked_name", "numClicks", "timesOn", "timesOff", "t", "name", "code"}, column[i+1:])
	}
	return slices.Contains([]string{"date", "expName", "expVersion", "expStart", "psychopyVersion", "frameRate", "OS", "monitor", "notes", "session", "(file)"}, column) || strings.HasPrefix(column, "column ")
}
