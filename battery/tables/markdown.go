package tables

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// drawn replaces the characters of which boxes are drawn by those of plain text.
func drawn() *strings.Replacer {
	var pairs []string
	for r := '\u2500'; r <= '\u257f'; r++ {
		switch {
		case strings.ContainsRune("│┃║╎╏┆┇┊┋╵╷╹╻", r):
			pairs = append(pairs, string(r), "|")
		case strings.ContainsRune("─━═╌╍┄┅┈┉╴╶╸╺", r):
			pairs = append(pairs, string(r), "-")
		default:
			pairs = append(pairs, string(r), "+")
		}
	}
	return strings.NewReplacer(pairs...)
}

// isRule reports whether a line is that below the names of the columns of a table in Markdown, |---|:-:|, or one that programs draw: +---+---+.
func isRule(line string) bool {
	return (strings.Contains(line, "--") || strings.Contains(line, "==")) && strings.ContainsAny(line, "|+") && strings.Trim(line, "|+-=: \t\r") == ""
}

// isFrame reports whether a line is one of those around and between the rows of a drawn table.
func isFrame(line string) bool {
	return strings.HasPrefix(strings.TrimSpace(line), "+") && isRule(line)
}

// isMarkdown reports whether a file is Markdown with a table, by its name or because it begins with one: cells of other tables may have
// Markdown in them. Tables that programs draw with lines around their cells are read alike.
func isMarkdown(f *File) bool {
	lines := strings.Split(drawn().Replace(strings.TrimSpace(string(f.Head))), "\n")
	switch path.Ext(strings.ToLower(f.Name)) {
	case ".md", ".markdown":
		return slices.ContainsFunc(lines, isRule)
	}
	if isFrame(lines[0]) {
		lines = lines[1:]
	}
	return len(lines) > 1 && strings.Contains(lines[0], "|") && isRule(lines[1])
}

// mostMarkup is the largest file of Markdown, HTML, LaTeX or aligned text that is read, in bytes.
const mostMarkup = 1 << 26

// whole returns the text of a file of markup of some kind.
func (f *File) whole(kind string) (string, error) {
	if f.Size > mostMarkup {
		return "", fmt.Errorf("%s: more than %d bytes of %s: write the table as CSV", f.Name, mostMarkup, kind)
	}
	h, err := f.Open()
	if err != nil {
		return "", err
	}
	defer h.Close()
	text, err := io.ReadAll(io.NewSectionReader(h, 0, f.Size))
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.Name, err)
	}
	if !utf8.Valid(text) {
		return "", fmt.Errorf("%s: not UTF-8: save it as UTF-8, or write the table as CSV", f.Name)
	}
	return strings.TrimPrefix(string(text), byteOrderMark), nil
}

// openMarkdown reads the first table of a file of Markdown. The text around it is left out.
func openMarkdown(f *File) (*Grid, error) {
	text, err := f.whole("Markdown")
	if err != nil {
		return nil, err
	}
	g := &Grid{Kind: "Markdown"}
	lines := strings.Split(drawn().Replace(text), "\n")
	for k := 1; k < len(lines); k++ {
		if !isRule(lines[k]) || !strings.Contains(lines[k-1], "|") {
			continue
		}
		g.Header = cellsOf(lines[k-1])
		for n := k + 1; n < len(lines) && (strings.Contains(lines[n], "|") || isFrame(lines[n])); n++ {
			if isFrame(lines[n]) {
				continue
			}
			row := cellsOf(lines[n])
			if len(row) != len(g.Header) {
				return nil, fmt.Errorf("%s:%d: %d cells; the header has %d", f.Name, n+1, len(row), len(g.Header))
			}
			g.Rows, g.Lines = append(g.Rows, row), append(g.Lines, n+1)
		}
		return g, nil
	}
	return nil, fmt.Errorf("%s: no Markdown table: its column names are in the line above |---|", f.Name)
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
