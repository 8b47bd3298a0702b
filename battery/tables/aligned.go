package tables

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// alignedText is how a table whose cells stand one below the other is called.
const alignedText = "aligned text"

// aligned returns the table in a text whose cells stand one below the other, as programs print it and fixed-width files have it; nil: there is
// none. Cells are what blanks part, where each line has as many; else what two blanks part; else what columns of characters part that are
// blank in every line.
func (t *text) aligned() (*Grid, error) {
	in, h, err := t.open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.file.Name, err)
	}
	defer h.Close()
	in.left, in.cells = mostMarkup, maxColumns
	all, err := io.ReadAll(&unmarked{in: in, lines: t.first})
	if err != nil || !utf8.Valid(all) {
		return nil, nil // what is not held is no table that somebody aligned
	}
	g := &Grid{Kind: alignedText, Notes: []string{"blanks part the cells"}}
	var lines []string
	for n, line := range strings.Split(string(all), "\n") {
		if line = strings.TrimRight(strings.ReplaceAll(line, "\t", "        "), " \r"); strings.Trim(line, "-=+ ") == "" {
			continue
		}
		lines, g.Lines = append(lines, line), append(g.Lines, n+1+t.first)
	}
	if len(lines) < 3 {
		return nil, nil
	}
	for _, cut := range []func(lines []string) [][]string{byBlanks, byTwoBlanks, byColumns} {
		if rows := cut(lines); rows != nil {
			if g.Header, g.Rows, g.Lines = rows[0], rows[1:], g.Lines[1:]; allNumbers(rows[0]) {
				g.Header, g.Rows, g.Lines = nil, rows, append([]int{g.Lines[0]}, g.Lines...)
			}
			return g, nil
		}
	}
	return nil, nil
}

func byBlanks(lines []string) [][]string { return even(lines, strings.Fields) }

func byTwoBlanks(lines []string) [][]string {
	return even(lines, func(line string) (cells []string) {
		for _, c := range strings.Split(line, "  ") {
			if c = strings.TrimSpace(c); c != "" {
				cells = append(cells, c)
			}
		}
		return cells
	})
}

// even returns the cells of all lines if they have as many, two at least. The first may have one less: rows have names, and their column none.
func even(lines []string, cut func(string) []string) (out [][]string) {
	for _, line := range lines {
		cells := cut(line)
		if len(out) == 1 && len(cells) == len(out[0])+1 && len(out[0]) > 1 {
			out[0] = slices.Insert(slices.Clone(out[0]), 0, "")
		}
		if len(cells) < 2 || len(out) > 0 && len(cells) != len(out[0]) {
			return nil
		}
		out = append(out, cells)
	}
	return out
}

// byColumns cuts lines where all have a blank. What has no name belongs to the column before: names of rows may have blanks in one place.
func byColumns(lines []string) (out [][]string) {
	var inked []bool // [column of characters]
	runes := make([][]rune, len(lines))
	for k, line := range lines {
		runes[k] = []rune(line)
		for i, r := range runes[k] {
			if i == len(inked) {
				inked = append(inked, false)
			}
			inked[i] = inked[i] || r != ' '
		}
	}
	var cuts [][2]int
	for i, x := range inked {
		if x && (i == 0 || !inked[i-1]) {
			cuts = append(cuts, [2]int{i, len(inked)})
		}
		if !x && i > 0 && inked[i-1] {
			cuts[len(cuts)-1][1] = i
		}
	}
	cell := func(line []rune, at [2]int) string {
		return strings.TrimSpace(string(line[min(at[0], len(line)):min(at[1], len(line))]))
	}
	var named [][2]int
	for k, at := range cuts {
		if k > 0 && cell(runes[0], at) == "" {
			named[len(named)-1][1] = at[1]
			continue
		}
		named = append(named, at)
	}
	if len(named) < 2 {
		return nil
	}
	for _, line := range runes {
		row := make([]string, len(named))
		for c, at := range named {
			row[c] = cell(line, at)
		}
		out = append(out, row)
	}
	return out
}
