package tabular

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"

	"achilles/sim/table"
)

// CSV returns all columns of the table, one line for each row, numbers with as many digits as identify them.
func CSV(t *table.Table) []byte {
	rows := [][]string{make([]string, len(t.Columns))}
	for k, c := range t.Columns {
		rows[0][k] = c.Name
	}
	for _, values := range t.Rows {
		row := make([]string, len(values))
		for k, v := range values {
			row[k] = v.Text()
		}
		rows = append(rows, row)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		panic("tabular: writing CSV to memory failed") // a Buffer does not fail and the delimiter is valid
	}
	return b.Bytes()
}

// JSON returns the rows as an array of objects, with null where there is no value.
func JSON(t *table.Table) []byte {
	var b bytes.Buffer
	b.WriteString("[")
	for i, values := range t.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  {")
		for k, v := range values {
			if k > 0 {
				b.WriteString(", ")
			}
			b.Write(quoted(t.Columns[k].Name))
			b.WriteString(": ")
			switch x, number := v.Number(); {
			case !v.Exists():
				b.WriteString("null")
			case !number:
				b.Write(quoted(v.Text()))
			case v.Kind() == table.Flag || x-x == 0:
				b.WriteString(v.Text())
			default:
				b.Write(quoted(v.Text())) // ±Inf, which JSON has no number for
			}
		}
		b.WriteByte('}')
	}
	b.WriteString("\n]\n")
	return b.Bytes()
}

func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("tabular: a text has no JSON form") // every text has one
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// Markdown returns the table as people see it, as GitHub and Pandoc read it.
func Markdown(t *table.Table) []byte {
	var b bytes.Buffer
	for i, x := range views(t) {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeMarkdown(&b, x)
	}
	return b.Bytes()
}

func writeMarkdown(b *bytes.Buffer, t *table.Table) {
	g := layOut(t)
	if t.Title != "" {
		b.WriteString("**" + cleanMarkdown(t.Title) + "**\n\n")
	}
	row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	heads, rule := make([]string, len(g.heads)), make([]string, len(g.heads))
	for k, h := range g.heads {
		heads[k], rule[k] = cleanMarkdown(h.name), "---"
		if h.number {
			rule[k] = "---:"
		}
	}
	row(heads)
	row(rule)
	for _, l := range g.lines {
		cells := make([]string, len(l.cells))
		for k := range l.cells {
			c := &l.cells[k]
			text := cleanMarkdown(c.whole())
			if c.strong {
				text = "**" + text + "**"
			}
			for _, s := range c.below {
				text += "<br>" + cleanMarkdown(s)
			}
			cells[k] = text
		}
		row(cells)
	}
	for i, n := range g.notes {
		b.WriteString("\n\\[" + string(table.Int(i+1).Text()) + "\\] " + cleanMarkdown(n) + "\n")
	}
	for _, f := range t.Foot {
		b.WriteString("\n" + cleanMarkdown(f) + "\n")
	}
}

var markdown = strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_", "<", "&lt;", "[", "\\[", "]", "\\]", "\n", " ")

func cleanMarkdown(s string) string { return markdown.Replace(s) }

// LaTeX returns the table as people see it, one float for each view, for the packages booktabs and threeparttable. Letters of other scripts
// stay: XeLaTeX and LuaLaTeX have them.
func LaTeX(t *table.Table) []byte {
	var b bytes.Buffer
	for _, x := range views(t) {
		writeLaTeX(&b, x)
	}
	return b.Bytes()
}

func writeLaTeX(b *bytes.Buffer, t *table.Table) {
	g := layOut(t)
	b.WriteString("\\begin{table}\n\\centering\n\\begin{threeparttable}\n")
	if t.Title != "" {
		b.WriteString("\\caption{" + cleanLaTeX(t.Title) + "}\n")
	}
	b.WriteString("\\begin{tabular}{")
	for _, h := range g.heads {
		b.WriteByte(map[bool]byte{true: 'r', false: 'l'}[h.number])
	}
	b.WriteString("}\n\\toprule\n")
	row := func(cells []string) { b.WriteString(strings.Join(cells, " & ") + " \\\\\n") }
	heads := make([]string, len(g.heads))
	for k, h := range g.heads {
		heads[k] = cleanLaTeX(h.name)
	}
	row(heads)
	b.WriteString("\\midrule\n")
	for _, l := range g.lines {
		cells := make([]string, len(l.cells))
		for k := range l.cells {
			c := &l.cells[k]
			text := cleanLaTeX(strings.TrimSpace(c.text + " " + c.behind))
			if c.strong {
				text = "\\textbf{" + text + "}"
			}
			for _, m := range c.marks {
				text += "\\tnote{" + table.Int(m).Text() + "}"
			}
			for _, s := range c.below {
				text += " (" + cleanLaTeX(s) + ")"
			}
			cells[k] = text
		}
		row(cells)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	if len(g.notes)+len(t.Foot) > 0 {
		b.WriteString("\\begin{tablenotes}\n")
		for i, n := range g.notes {
			b.WriteString("\\item[" + table.Int(i+1).Text() + "] " + cleanLaTeX(n) + "\n")
		}
		for _, f := range t.Foot {
			b.WriteString("\\item " + cleanLaTeX(f) + "\n")
		}
		b.WriteString("\\end{tablenotes}\n")
	}
	b.WriteString("\\end{threeparttable}\n\\end{table}\n")
}

var latex = strings.NewReplacer("\\", "\\textbackslash{}", "&", "\\&", "%", "\\%", "$", "\\$", "#", "\\#", "_", "\\_", "{", "\\{", "}", "\\}",
	"~", "\\textasciitilde{}", "^", "\\textasciicircum{}", "<", "\\textless{}", ">", "\\textgreater{}", "|", "\\textbar{}",
	"±", "$\\pm$", "≤", "$\\leq$", "≥", "$\\geq$", "≠", "$\\neq$", "−", "$-$", "∞", "$\\infty$", "×", "$\\times$", "·", "$\\cdot$", "→", "$\\to$",
	"²", "$^2$", "√", "$\\surd$", "½", "1/2", "…", "\\ldots{}", "–", "--", "\n", " ",
	"α", "$\\alpha$", "β", "$\\beta$", "γ", "$\\gamma$", "ε", "$\\epsilon$", "θ", "$\\theta$", "λ", "$\\lambda$", "μ", "$\\mu$", "π", "$\\pi$",
	"ρ", "$\\rho$", "σ", "$\\sigma$", "τ", "$\\tau$", "φ", "$\\phi$", "χ", "$\\chi$", "ψ", "$\\psi$", "Σ", "$\\Sigma$")

// cleanLaTeX returns the text as LaTeX prints it. At the beginning of a row, [ and * would belong to the \\ before.
func cleanLaTeX(s string) string {
	s = strings.TrimSpace(latex.Replace(s))
	if strings.HasPrefix(s, "[") || strings.HasPrefix(s, "*") {
		s = "{" + s[:1] + "}" + s[1:]
	}
	return s
}
