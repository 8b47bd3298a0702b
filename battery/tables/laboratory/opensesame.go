package laboratory

import (
	"slices"
	"strings"
)

// openSesame is OpenSesame (https://osdoc.cogsci.nl): a file for each participant, a row for each pass of a logger. Nothing says which row of a
// loop it is: a person names the columns that make an item.
func openSesame() program {
	return program{
		name:  "OpenSesame",
		needs: []string{"subject_nr"},
		marked: func(head string) bool {
			return hasAll(head, "subject_nr", "correct") && (strings.Contains(head, "opensesame_version") || strings.Contains(head, "experiment_file"))
		},
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofOpenSesame, others: "rows without a response that is scored"}
			m.Subject = []string{t.header[t.at("subject_nr")]}
			score := t.at("correct")
			if score < 0 {
				return m
			}
			m.Scores = []string{t.header[score]}
			m.response = func(row []string) bool { return row[score] != "" && row[score] != "None" && row[score] != "undefined" }
			return m
		},
	}
}

// ofOpenSesame reports whether a column is of the program itself.
func ofOpenSesame(column string) bool {
	for _, prefix := range []string{"count_", "time_", "acc", "average_response_time", "avg_rt", "correct_", "response", "total_", "live_row", "sampler_", "sound_", "synth_", "canvas_", "color_", "mouse_", "keyboard_", "font_", "file_"} {
		if strings.HasPrefix(column, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"experiment_file", "experiment_path", "opensesame_version", "opensesame_codename", "repeat_cycle", "datetime", "logfile", "title", "description", "start", "width", "height", "background", "foreground", "bidi", "coordinates", "compensation", "clock_backend", "psychopy_screen", "fullscreen", "subject_parity", "form_clicks", "jsPsych", "round_decimals", "uniform_coordinates", "disable_garbage_collection", "correct_response", "experiment_debug_mode", "repository", "sampler_backend", "xpyriment", "(file)"}, column)
}
