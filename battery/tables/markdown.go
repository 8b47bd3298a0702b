package tables

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// isRule reports whether a line is that below the names of the columns of a table in Markdown: |---|:-:|.
func isRule(line string) bool {
	return strings.Contains(line, "--") && strings.Contains(line, "|") && strings.Trim(line, "|-: \t\r") == ""
}

// isMarkdown reports whether a file is Markdown with a table, by its name or because it begins with one: cells of other tables may have
// Markdown in them.
func isMarkdown(f *File) bool {
	lines := strings.Split(strings.TrimSpace(string(f.Head)), "\n")
	switch path.Ext(strings.ToLower(f.Name)) {
	case ".md", ".markdown":
		return slices.ContainsFunc(lines, isRule)
	}
	return len(lines) > 1 && strings.Contains(lines[0], "|") && isRule(lines[1])
}

// mostMarkdown is the largest file of Markdown that is read.
const mostMarkdown = 1 << 26

// openMarkdown reads the first table of a file of Markdown. The text around it is left out.
func openMarkdown(f *File) (*Grid, error) {
	if f.Size > mostMarkdown {
		return nil, fmt.Errorf("%s: more than %d bytes of Markdown: write the table as CSV", f.Name, mostMarkdown)
	}
	h, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer h.Close()
	text, err := io.ReadAll(io.NewSectionReader(h, 0, f.Size))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	g := &Grid{Kind: "Markdown"}
	lines := strings.Split(strings.ToValidUTF8(string(text), "\ufffd"), "\n")
	for k := 1; k < len(lines); k++ {
		if !isRule(lines[k]) || !strings.Contains(lines[k-1], "|") {
			continue
		}
		g.Header = cellsOf(lines[k-1])
		for n := k + 1; n < len(lines) && strings.Contains(lines[n], "|"); n++ {
			row := cellsOf(lines[n])
			if len(row) != len(g.Header) {
				return nil, fmt.Errorf("%s:%d: %d cells; the header has %d", f.Name, n+1, len(row), len(g.Header))
			}
			g.Rows, g.Lines = append(g.Rows, row), append(g.Lines, n+1)
		}
		return g, nil
	}
	return nil, fmt.Errorf("%s: no table of Markdown: its names of columns stand in the line above |---|", f.Name)
}

// cellsOf returns the cells of a line of Markdown, without the marks of bold and code.
func cellsOf(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
	for i, c := range cells {
		cells[i] = strings.Trim(strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|")), "*`")
	}
	return cells
}
