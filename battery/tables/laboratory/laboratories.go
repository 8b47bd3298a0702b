package laboratory

import (
	"slices"
	"strings"
)

// ePrime is E-Prime's merged data, as E-DataAid exports them: a row for each trial. A list X writes X, the row of it that was drawn, which is
// the item, with X.Cycle and X.Sample beside it. A slide Y writes Y.ACC, Y.RT and others.
func ePrime() program {
	return program{
		name:   "E-Prime",
		needs:  []string{"Subject"},
		marked: func(head string) bool { return hasAll(head, "ExperimentName", "Subject", ".ACC") },
		of: func(t *sheet) meaning {
			m := meaning{others: "trials without a response that is scored"}
			m.Subject = []string{t.header[t.at("Subject")]}
			var scores []int
			list := -1
			for i, h := range t.header {
				if strings.HasSuffix(h, ".ACC") {
					scores = append(scores, i)
					m.Scores = append(m.Scores, h)
				}
				if slices.Contains(t.header, h+".Cycle") && (list < 0 || t.varies(i)) {
					list = i // the list within lists comes last
				}
			}
			m.dropped = func(column string) bool { return ofEPrime(column) || slices.Contains(t.header, column+".Cycle") }
			m.response = func(row []string) bool {
				return slices.ContainsFunc(scores, func(i int) bool { return row[i] != "" && row[i] != "NULL" })
			}
			if list >= 0 {
				m.item = func(row []string) string { return row[list] }
			}
			return m
		},
	}
}

// ofEPrime reports whether a column is of the program itself.
func ofEPrime(column string) bool {
	for _, suffix := range []string{".Cycle", ".Sample", ".RT", ".RTTime", ".RESP", ".CRESP", ".OnsetDelay", ".OnsetTime", ".DurationError", ".Duration", ".OffsetTime", ".PreRelease", ".FinishTime", ".StartTime", ".ActionTime"} {
		if strings.HasSuffix(column, suffix) {
			return true
		}
	}
	return strings.HasPrefix(column, "Procedure") || strings.HasPrefix(column, "Running") || strings.HasPrefix(column, "Clock.") || strings.HasPrefix(column, "DataFile") || strings.HasPrefix(column, "Display.") ||
		slices.Contains([]string{"ExperimentName", "ExperimentVersion", "Session", "SessionDate", "SessionTime", "SessionStartDateTimeUtc", "StudioVersion", "RuntimeVersion", "RuntimeVersionExpected", "RuntimeCapabilities", "RandomSeed", "Block", "Trial", "SubTrial", "(file)"}, column)
}

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

// inquisit is Inquisit (https://www.millisecond.com): a row for each trial, with what was shown in stimulusitem1 and others, which is the item.
func inquisit() program {
	return program{
		name:   "Inquisit",
		needs:  []string{"subject"},
		marked: func(head string) bool { return hasAll(head, "blockcode", "trialcode", "latency", "subject") },
		of: func(t *sheet) meaning {
			m := meaning{dropped: ofInquisit, others: "instructions, and trials without a response that is scored"}
			m.Subject = []string{t.header[t.at("subject", "subjectid")]}
			score := t.at("correct")
			if score < 0 {
				return m
			}
			m.Scores = []string{t.header[score]}
			m.response = func(row []string) bool { return row[score] != "" }
			if at := t.at("stimulusitem1", "stimulusitem"); at >= 0 {
				m.item = func(row []string) string { return said(row[at]) }
			}
			return m
		},
	}
}

// ofInquisit reports whether a column is of the program itself.
func ofInquisit(column string) bool {
	return slices.Contains([]string{"date", "time", "build", "computer.platform", "blocknum", "trialnum", "response", "latency", "stimulusitem1", "stimulusitem", "stimulusnumber1", "starttime", "endtime", "sessionid", "session", "script.elapsedtime", "(file)"}, column)
}
