package laboratory

import (
	"slices"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// logStart begins a file that E-Prime writes while it runs: a header, and a frame for each trial, block and session, with a line for each value.
const logStart = "*** Header Start ***"

// A frame is a row of such a log.
type frame struct {
	level  int
	line   int // of its start, from 1
	values [][2]string
}

// logOf returns the trials in a log, one a row. A trial has the values of the session's header and of the frames above it, which E-Prime writes after
// those below them. A header without an end, and lines outside of frames, say nothing.
func logOf(text string) *tables.Grid {
	var header, trials []frame
	var now *frame
	level := 0
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		line = strings.TrimSpace(line)
		name, value, found := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case line == logStart:
			header = append(header, frame{line: i + 1})
			now = &header[len(header)-1]
		case line == "*** LogFrame Start ***":
			now = &frame{level: level, line: i + 1}
		case line == "*** Header End ***":
			now = nil
		case line == "*** LogFrame End ***" && now != nil:
			// Frames of deeper levels, which stand before this one, are parts of it.
			first := len(trials)
			for first > 0 && trials[first-1].level > now.level {
				first--
			}
			if first == len(trials) {
				trials = append(trials, *now)
			} else {
				for k := range trials[first:] {
					trials[first+k].values = append(slices.Clone(now.values), trials[first+k].values...)
					trials[first+k].level = now.level
				}
			}
			now = nil
		case found && now != nil && name != "":
			now.values = append(now.values, [2]string{name, value})
		case found && name == "Level":
			level, _ = strconv.Atoi(value)
		}
	}
	g := &tables.Grid{Kind: "E-Prime log", Header: []string{}}
	place := map[string]int{}
	for _, f := range append(slices.Clone(header), trials...) {
		for _, v := range f.values {
			if _, ok := place[v[0]]; !ok {
				place[v[0]] = len(g.Header)
				g.Header = append(g.Header, v[0])
			}
		}
	}
	for _, f := range trials {
		cells := make([]string, len(g.Header))
		for _, h := range header {
			for _, v := range h.values {
				cells[place[v[0]]] = v[1]
			}
		}
		for _, v := range f.values {
			cells[place[v[0]]] = v[1]
		}
		g.Rows, g.Lines = append(g.Rows, cells), append(g.Lines, f.line)
	}
	return g
}
