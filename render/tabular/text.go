package tabular

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"achilles/sim/num"
	"achilles/sim/table"
)

// gap is the space between columns.
const gap = 2

// narrowest is the smallest width that a column of sentences is given.
const narrowest = 24

// Text returns the table as aligned text with no line wider than width characters, if that is not below fifty. One row that does not
// fit is printed as pairs of name and value. Of more rows, what does not fit is taken away in four steps: columns of a weight are left out, the heaviest first, and a line under the table names
// them; sentences are broken into lines; columns that still do not fit follow below, with the first column repeated, or as many as tell the rows apart; and of a text that is
// wider than what is left beside that one, or than all but half a column, words are broken too.
func Text(t *table.Table, width int) []byte {
	var b bytes.Buffer
	for i, x := range views(t) {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeText(&b, x, width)
	}
	return b.Bytes()
}

func writeText(b *bytes.Buffer, t *table.Table, width int) {
	g := layOut(t)
	if len(g.lines) == 1 && total(g.sizes(width)) > width {
		g = g.turned()
	}
	for _, l := range wrap(t.Title, width) {
		b.WriteString(l + "\n")
	}
	left := g.leaveOut(width)
	for i, block := range g.blocks(width) {
		if i > 0 {
			b.WriteByte('\n')
		}
		g.write(b, block)
	}
	if len(left) > 0 {
		under(b, "", Omitted(left), width)
	}
	for i, n := range g.notes {
		under(b, fmt.Sprintf("[%d] ", i+1), n, width)
	}
	for _, f := range t.Foot {
		under(b, "", f, width)
	}
}

// Omitted says which columns a width leaves out.
func Omitted(columns []string) string {
	return fmt.Sprintf("Columns omitted for width: %s.", strings.Join(columns, separator(columns)))
}

// OmittedIn is Omitted in one line of a width: how many columns, if the line has no room for their names; "" if there are none.
func OmittedIn(columns []string, width int) string {
	switch text := Omitted(columns); {
	case len(columns) == 0:
		return ""
	case utf8.RuneCountInString(text) <= width:
		return text
	}
	return num.Counted(len(columns), "column") + " omitted for width."
}

// separator returns what stands between names in a list: a comma, or a semicolon if a name has a comma.
func separator(names []string) string {
	if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, ",") }) {
		return "; "
	}
	return ", "
}

// Brief returns the first view of the table without title, notes and foot, in at most height lines under its heads, but with one
// row at least. rest says how much of rows and of columns that stand side by side is shown; "" if all is. omitted names the columns that
// the width leaves out.
func Brief(t *table.Table, width, height int) (text []byte, rest string, omitted []string) {
	brief := *views(t)[0]
	brief.Title, brief.Notes, brief.Foot = "", nil, nil
	g := layOut(&brief)
	all, rows := g.lines, len(g.lines)
	if rows > 0 && all[rows-1].sum {
		rows-- // the one of all together is no row of its own
	}
	g.lines = all[:min(height, len(all))]
	omitted = g.leaveOut(width)
	blocks := g.blocks(width)
	for shown := len(g.lines); ; shown-- {
		var b bytes.Buffer
		g.lines = all[:shown]
		g.write(&b, blocks[0])
		if shown > 1 && bytes.Count(b.Bytes(), []byte("\n")) > height+1 {
			continue
		}
		if shown < rows {
			rest = fmt.Sprintf("%d of %d rows", shown, rows)
		}
		if len(blocks) > 1 {
			if rest != "" {
				rest += ", "
			}
			rest += fmt.Sprintf("%d of %d columns", len(blocks[0].columns)-1, len(g.heads)-1) // without that of the rows' names
		}
		return b.Bytes(), rest, omitted
	}
}

// Sentence returns a sentence in lines of at most width characters, further ones indented.
func Sentence(text string, width int) []byte {
	var b bytes.Buffer
	for i, l := range wrap(text, width-2) {
		if i > 0 {
			l = "  " + l
		}
		b.WriteString(l + "\n")
	}
	return b.Bytes()
}

// Fit returns a text whose lines are at most width characters, but for longer words. What is broken off a line is indented by further; a last
// column, which follows two or more spaces, stays one where it has half of the width, and else stands below. A command of this program
// stays one, by a backslash at the end of each of its lines but the last.
func Fit(text string, width, further int) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if uniseg.StringWidth(line) <= width {
			b.WriteString(line + "\n")
			continue
		}
		line = strings.TrimRight(line, " ")
		from := len(line) - len(strings.TrimLeft(line, " "))
		mark, rest := line[:from], line[from:]
		if strings.HasPrefix(rest, "achilles ") {
			b.Write(Command(mark, rest, width))
			continue
		}
		hang := mark + strings.Repeat(" ", further)
		if k := strings.LastIndex(rest, "  "); k >= 0 {
			mark, rest = mark+rest[:k+2], rest[k+2:]
			if at := uniseg.StringWidth(mark); at <= width/2 {
				hang = strings.Repeat(" ", at)
			} else {
				b.WriteString(strings.TrimRight(mark, " ") + "\n")
				hang = strings.Repeat(" ", from+4)
				mark = hang
			}
		}
		for _, l := range wrap(rest, width-len(hang)) {
			b.WriteString(mark + l + "\n")
			mark = hang
		}
	}
	return b.Bytes()
}

// Command returns a command of a shell behind a mark, in lines of at most width characters, each but the last with a backslash at its end.
func Command(mark, command string, width int) []byte {
	hang := strings.Repeat(" ", len(mark)-len(strings.TrimLeft(mark, " "))+2)
	lines := wrap(mark+command, width-len(hang)-len(" \\"))
	lines[0] = hang[2:] + lines[0]
	return []byte(strings.Join(lines, " \\\n"+hang) + "\n")
}

// under writes a sentence under a table, with further lines indented as far as the first.
func under(b *bytes.Buffer, mark, text string, width int) {
	for i, l := range wrap(text, width-len(mark)) {
		if i > 0 {
			mark = strings.Repeat(" ", len(mark))
		}
		b.WriteString(mark + l + "\n")
	}
}

// sizes returns the width of each column: that of its widest cell, of sentences at most what is left of width.
func (g *grid) sizes(width int) []int {
	sizes := make([]int, len(g.heads))
	for k, h := range g.heads {
		sizes[k] = uniseg.StringWidth(h.name)
		for _, l := range g.lines {
			for _, text := range append(slices.Clone(l.cells[k].below), l.cells[k].whole()) {
				sizes[k] = max(sizes[k], uniseg.StringWidth(text))
			}
		}
	}
	for k, h := range g.heads {
		if over := total(sizes) - width; h.prose && over > 0 {
			sizes[k] = max(min(sizes[k], narrowest), sizes[k]-over)
		}
	}
	return sizes
}

func total(sizes []int) int {
	sum := gap * (len(sizes) - 1)
	for _, s := range sizes {
		sum += s
	}
	return sum
}

// leaveOut removes columns of a weight until the others fit, the heaviest first and of these the last. It returns their
// heads in the order of the table.
func (g *grid) leaveOut(width int) (left []string) {
	for {
		worst := -1
		for k, h := range g.heads {
			if h.weight > 0 && (worst < 0 || h.weight >= g.heads[worst].weight) {
				worst = k
			}
		}
		if worst < 0 || total(g.sizes(width)) <= width {
			return left
		}
		left = slices.Insert(left, 0, g.heads[worst].name)
		g.heads = slices.Delete(g.heads, worst, worst+1)
		for i := range g.lines {
			g.lines[i].cells = slices.Delete(g.lines[i].cells, worst, worst+1)
		}
	}
}

// A block is columns that fit into the width together.
type block struct{ columns, sizes []int }

// leading returns how many of the first columns each block begins with: as many as tell the lines apart, if any other column fits beside them, and else one.
func (g *grid) leading(sizes []int, width int) int {
	for n := 1; n < len(sizes); n++ {
		seen := map[string]bool{}
		for _, l := range g.lines {
			var key strings.Builder
			for _, c := range l.cells[:n] {
				key.WriteString(c.text + "\x00")
			}
			seen[key.String()] = true
		}
		if len(seen) == len(g.lines) {
			if total(sizes[:n])+gap+slices.Max(sizes[n:]) <= width {
				return n
			}
			break
		}
	}
	return 1
}

// blocks divides the columns; each block begins with the leading ones.
func (g *grid) blocks(width int) (out []block) {
	sizes := g.sizes(width)
	if len(sizes) == 0 {
		return nil
	}
	sizes[0] = g.narrowed(0, sizes[0], max(narrowest, width-gap-narrowest))
	for k := range sizes[1:] {
		sizes[k+1] = g.narrowed(k+1, sizes[k+1], max(narrowest, width-gap-sizes[0]))
	}
	lead := g.leading(sizes, width)
	first := block{}
	for k := range lead {
		first.columns, first.sizes = append(first.columns, k), append(first.sizes, sizes[k])
	}
	for k := range g.heads {
		if n := len(out); n > 0 && (k < lead || total(out[n-1].sizes)+gap+sizes[k] <= width) {
			out[n-1].columns, out[n-1].sizes = append(out[n-1].columns, k), append(out[n-1].sizes, sizes[k])
			continue
		}
		if k == 0 || len(out) > 0 && len(out[len(out)-1].columns) == lead { // a column that never fits stands beside the first ones
			if k == 0 {
				out = append(out, block{[]int{0}, []int{sizes[0]}})
			} else {
				out[len(out)-1].columns, out[len(out)-1].sizes = append(out[len(out)-1].columns, k), append(out[len(out)-1].sizes, sizes[k])
			}
			continue
		}
		out = append(out, block{append(slices.Clone(first.columns), k), append(slices.Clone(first.sizes), sizes[k])})
	}
	return out
}

// narrowed returns the width of a column that has at most so much room: its cells are broken. Numbers are not.
func (g *grid) narrowed(k, size, room int) int {
	if g.heads[k].number {
		return size
	}
	return min(size, room)
}

// write writes the head and the lines of a block.
func (g *grid) write(b *bytes.Buffer, at block) {
	row := func(cells func(k int) []string) {
		lines := make([][]string, len(at.columns))
		most := 0
		for i, k := range at.columns {
			lines[i] = cells(k)
			most = max(most, len(lines[i]))
		}
		for n := range most {
			var text strings.Builder
			for i, k := range at.columns {
				s := ""
				if n < len(lines[i]) {
					s = lines[i][n]
				}
				pad := strings.Repeat(" ", max(0, at.sizes[i]-uniseg.StringWidth(s)))
				if g.heads[k].number {
					text.WriteString(pad + s)
				} else {
					text.WriteString(s + pad)
				}
				text.WriteString(strings.Repeat(" ", gap))
			}
			b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
		}
	}
	sizes := map[int]int{}
	for i, k := range at.columns {
		sizes[k] = at.sizes[i]
	}
	if !g.pairs {
		row(func(k int) []string { return broken([]string{g.heads[k].name}, sizes[k]) })
	}
	for _, l := range g.lines {
		row(func(k int) []string {
			c := &l.cells[k]
			if g.heads[k].prose {
				return append(broken(wrap(c.whole(), sizes[k]), sizes[k]), c.below...)
			}
			return append(broken([]string{c.whole()}, sizes[k]), c.below...)
		})
	}
}

// wrap breaks a text between words into lines of at most width characters; a longer word has a line of its own.
func wrap(text string, width int) (lines []string) {
	if text == "" {
		return nil
	}
	now := ""
	for _, word := range strings.Fields(text) {
		switch {
		case now == "":
			now = word
		case uniseg.StringWidth(now)+1+uniseg.StringWidth(word) <= width:
			now += " " + word
		default:
			lines, now = append(lines, now), word
		}
	}
	return append(lines, now)
}

// broken breaks lines that are wider than width: after a comma or a slash where there is one, and else where the width is full.
func broken(lines []string, width int) (out []string) {
	for _, l := range lines {
		for uniseg.StringWidth(l) > width {
			full, mark, size, rest := 0, 0, 0, l
			for rest != "" {
				cluster, after, w, _ := uniseg.FirstGraphemeClusterInString(rest, -1)
				if size += w; size > width && full > 0 {
					break
				}
				rest, full = after, full+len(cluster)
				if strings.ContainsAny(cluster, ",;/ ") {
					mark = full
				}
			}
			if mark > 0 {
				full = mark
			}
			out, l = append(out, strings.TrimRight(l[:full], " ")), l[full:]
		}
		out = append(out, l)
	}
	return out
}
