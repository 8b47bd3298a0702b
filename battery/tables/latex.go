package tables

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// isLaTeX reports whether a file is LaTeX with a table, by its name or because it begins so: cells of other tables may have LaTeX in them.
func isLaTeX(f *File) bool {
	if head := bytes.TrimSpace(f.Head); path.Ext(strings.ToLower(f.Name)) != ".tex" && !bytes.HasPrefix(head, []byte(`\`)) && !bytes.HasPrefix(head, []byte("%")) {
		return false
	}
	return bytes.Contains(f.Head, []byte(`\begin{tabular`)) || bytes.Contains(f.Head, []byte(`\begin{longtable}`))
}

// openLaTeX reads the first table of a file of LaTeX. Its first row has the names of the columns.
func openLaTeX(f *File) (*Grid, error) {
	text, err := f.whole("LaTeX")
	if err != nil {
		return nil, err
	}
	begin := regexp.MustCompile(`\\begin\{(tabular[xy*]?|longtable)\}`).FindStringSubmatchIndex(text)
	if begin == nil {
		return nil, fmt.Errorf("%s: no LaTeX table", f.Name)
	}
	name, at := text[begin[2]:begin[3]], begin[1]
	end := strings.Index(text[at:], `\end{`+name+`}`)
	if end < 0 {
		return nil, fmt.Errorf(`%s: \begin{%s} without its \end`, f.Name, name)
	}
	line := 1 + strings.Count(text[:at], "\n")
	body := text[at : at+end]
	body = regexp.MustCompile(`(?m)(^|[^\\])%.*$`).ReplaceAllString(body, "$1") // comments
	for range 3 {                                                               // width, place and columns
		if rest := strings.TrimLeft(body, " \t"); strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "[") {
			body = rest[closing(rest):]
		}
	}
	rules := regexp.MustCompile(`\\(toprule|midrule|bottomrule|hline|endhead|endfirsthead|endfoot|endlastfoot|addlinespace|hdashline)\b(\[[^]]*\])?|\\(cline|cmidrule|specialrule|caption|label)(\([^)]*\))?(\[[^]]*\])?(\{[^{}]*\})+(\([^)]*\))?(\{[^{}]*\})?`)
	g, first := &Grid{Kind: "LaTeX"}, 0
	for _, raw := range regexp.MustCompile(`\\\\\*?(\[[^]\n]*\])?`).Split(body, -1) {
		here := line + strings.Count(raw[:len(raw)-len(strings.TrimLeft(raw, " \t\r\n"))], "\n")
		line += strings.Count(raw, "\n")
		raw = strings.TrimSpace(rules.ReplaceAllString(raw, ""))
		if raw == "" {
			continue
		}
		if m := regexp.MustCompile(`\\multicolumn\s*\{\s*(\d+)\s*\}`).FindStringSubmatch(raw); m != nil && m[1] != "1" {
			return nil, fmt.Errorf(`%s:%d: \multicolumn over %s columns: remove the row, or write the table as CSV`, f.Name, here, m[1])
		}
		var row []string
		for _, c := range strings.Split(strings.ReplaceAll(raw, `\&`, "\x00"), "&") {
			row = append(row, plainLaTeX(strings.ReplaceAll(c, "\x00", `\&`)))
		}
		if g.Header == nil {
			g.Header, first = row, here
			continue
		}
		if len(row) != len(g.Header) {
			return nil, fmt.Errorf("%s:%d: %d cells; the header has %d", f.Name, here, len(row), len(g.Header))
		}
		g.Rows, g.Lines = append(g.Rows, row), append(g.Lines, here)
	}
	if allNumbers(g.Header) {
		g.Rows, g.Lines, g.Header = append([][]string{g.Header}, g.Rows...), append([]int{first}, g.Lines...), nil
	}
	return g, nil
}

// closing returns the place behind the bracket that closes the first; the length where none does.
func closing(s string) int {
	depth := 0
	for i, c := range s {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// plainLaTeX returns the text of a cell without commands: their last argument.
func plainLaTeX(cell string) string {
	cell = regexp.MustCompile(`\\(checkmark|cmark|ding\{5[12]\})`).ReplaceAllString(cell, "✓")
	cell = regexp.MustCompile(`\\(times|xmark|ding\{5[3-6]\})`).ReplaceAllString(cell, "✗")
	cell = regexp.MustCompile(`\\([&%_#$])`).ReplaceAllString(cell, "\x00$1")
	cell = regexp.MustCompile(`\\(multicolumn|multirow)\s*(\[[^]]*\])?\{[^{}]*\}\s*\{[^{}]*\}`).ReplaceAllString(cell, "")
	cell = regexp.MustCompile(`\\(textbf|textit|emph|texttt|textrm|textsf|textsc|mathbf|mathrm|underline|num|small|bfseries|centering)\b`).ReplaceAllString(cell, "")
	cell = strings.NewReplacer("\x00$", "$", "~", " ", "$", "", "{", "", "}", "", "\x00", "").Replace(cell)
	return strings.Join(strings.Fields(cell), " ")
}
