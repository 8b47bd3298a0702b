package laboratory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// jsPsych is jsPsych (https://www.jspsych.org), as it writes data itself, or the Experiment Factory (https://expfactory.github.io) for it: a row or object for each thing shown; those to which an answer is scored have correct. What was
// shown, stimulus, is the item unless a column says which it is.
func jsPsych() program {
	return program{
		name:  "jsPsych",
		needs: []string{"trial_type"},
		marked: func(head string) bool {
			return hasAll(head, "trial_type", "time_elapsed") && (strings.Contains(head, "trial_index") || hasAll(head, "experiment_exp_id", "worker_id"))
		},
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofJsPsych, others: "instructions, fixations and whatever has no value in correct"}
			m.Subject = []string{"(file)"}
			if i := t.at("subject_id", "subject", "participant_id", "participant", "prolific_pid", "prolific_id", "worker_id", "workerId", "subj", "subid", "run_id"); i >= 0 {
				m.Subject = []string{t.header[i]}
			} else if t.runs() {
				m.Subject, m.note = []string{runColumn}, "participants are numbered within a file, a new one wherever trial_index starts again"
			}
			score := t.at("correct")
			if score < 0 {
				return m
			}
			m.Scores = []string{t.header[score]}
			m.response = func(row []string) bool { return row[score] != "" && row[score] != "null" }
			at, condition := t.at("item", "item_id", "stimulus_id", "stim_id", "question_id"), -1
			if at < 0 { // two stimuli may look the same without their tags, as words in colours do
				if at = t.at("stimulus", "stim_question", "stim", "trial_id"); at >= 0 {
					if c := t.at("condition"); c >= 0 && t.splits(c, func(row []string) string { return said(row[at]) }, m.response) {
						condition = c
					}
				}
			}
			if at >= 0 {
				m.item = func(row []string) string {
					if condition >= 0 {
						return strings.TrimSpace(said(row[at]) + " " + row[condition])
					}
					return said(row[at])
				}
			}
			return m
		},
	}
}

// splits reports whether responses of one name have different cells in a column.
func (t *sheet) splits(column int, name func(row []string) string, response func(row []string) bool) bool {
	of := map[string]string{}
	return slices.ContainsFunc(t.rows, func(r tables.Row) bool {
		if !response(r.Cells) {
			return false
		}
		was, ok := of[name(r.Cells)]
		of[name(r.Cells)] = r.Cells[column]
		return ok && was != r.Cells[column]
	})
}

// runColumn names participants of files with several.
const runColumn = "(participant)"

// runs adds a column that tells apart the participants of a file, as JATOS joins them: where trial_index starts again. It reports whether any file has
// several.
func (t *sheet) runs() bool {
	index, file := t.at("trial_index"), t.at("(file)")
	if index < 0 {
		return false
	}
	run, last, several := map[string]int{}, map[string]int{}, false
	names := make([]string, len(t.rows))
	for i, r := range t.rows {
		of := r.Cells[file]
		n, err := strconv.Atoi(r.Cells[index])
		if err != nil {
			return false
		}
		if before, ok := last[of]; !ok || n < before {
			run[of]++
			several = several || run[of] > 1
		}
		last[of] = n
		names[i] = fmt.Sprint(of, " ", run[of])
	}
	if !several {
		return false
	}
	t.header = append(t.header, runColumn)
	for i := range t.rows {
		t.rows[i].Cells = append(t.rows[i].Cells, names[i])
	}
	return true
}

// ofJsPsych reports whether a column is of the program itself, or has what item says.
func ofJsPsych(column string) bool {
	return slices.Contains([]string{"trial_type", "trial_index", "time_elapsed", "internal_node_id", "view_history", "success", "timeout", "failed_images", "failed_audio", "failed_video", "plugin_version", "key_press", "response", "correct_response", "stimulus", "accuracy", "battery_name", "experiment_exp_id", "finishtime", "focus_shifts", "full_screen", "mouse_click", "possible_responses", "column 1", "", "(file)"}, column)
}
