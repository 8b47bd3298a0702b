package cli

import (
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/sim/store"
	"achilles/sim/table"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// A console is where a command says things: results to stdout, all else to stderr.
type console struct {
	stdout, stderr io.Writer
	columns        int  // of the terminal that stdout is; 0: it is none
	terminal       bool // whether stderr is a terminal, so that progress bars can be drawn
	status         *status
	takes          func(flag string) bool // whether the command that runs has a flag; nil: none runs
}

// narrowest is the smallest width, in characters, that results are printed for.
const narrowest = 60

// say prints a sentence of a result, or several on lines of their own; the last line feed may be left out.
func (c *console) say(format string, args ...any) {
	_, _ = c.stdout.Write(tabular.Fit(fmt.Sprintf(format, args...), c.width(), 2)) // locked keeps the error
}

// command prints a command to enter next, behind a word that says so.
func (c *console) command(mark, line string) {
	_, _ = c.stdout.Write(tabular.Command(mark, line, c.width())) // locked keeps the error
}

// note prints a message that is not a result. It is one line for programs that read it, and fits a terminal.
func (c *console) note(format string, args ...any) {
	text := fmt.Sprintf("achilles: "+format+"\n", args...)
	if n := c.told(); n > 0 {
		text = string(tabular.Fit(text, n, 2))
	}
	fmt.Fprint(c.stderr, text)
}

// doubt writes a warning of work that goes on. It is called from several goroutines.
func (c *console) doubt(text string) {
	c.status.mu.Lock()
	defer c.status.mu.Unlock()
	c.note("warning: %s", text)
}

// width returns the number of characters on a line: of the terminal that results are printed to, else COLUMNS, else 80.
func (c *console) width() int { return cmp.Or(c.told(), 80) }

// told returns the number of characters on a line of the terminal, or of COLUMNS; 0 if there is neither.
func (c *console) told() int {
	if c.columns > 0 {
		return c.columns
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= narrowest {
		return n
	}
	return 0
}

// complain prints an error and, if there is one, a hint for the user.
func (c *console) complain(err error) {
	text, meant, _ := strings.Cut(plain(err), "\n\nDid you mean this?\n") // cobra appends its suggestions after this line
	for line := range strings.Lines(text) {
		c.note("%s", strings.TrimSpace(line))
	}
	if words := strings.Fields(meant); len(words) > 0 {
		c.note("hint: did you mean %s?", strings.Join(words, " or "))
	}
	if text := c.advice(err); text != "" {
		c.note("hint: %s", text)
	}
}

// plain returns the text of an error, in which a file that does not exist has no name of a system call before it.
func plain(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) && errors.Is(p, fs.ErrNotExist) {
		return strings.Replace(err.Error(), p.Error(), p.Path+": "+p.Err.Error(), 1)
	}
	return err.Error()
}

// list prints the names of shipped files and what they are.
func (c *console) list(what string, names []string, doc func(name string) (string, error)) error {
	var docs [][2]string
	for _, name := range names {
		text, err := doc(name)
		if err != nil {
			return err
		}
		docs = append(docs, [2]string{name, text})
	}
	t := table.Of(table.Table{Name: what + "s", Key: []string{what}}, docs, []table.Field[[2]string]{
		table.Col(table.Column{Name: what, Kind: table.Text}, func(d [2]string) table.Value { return table.String(d[0]) }),
		table.Col(table.Column{Name: "doc", Head: "description", Kind: table.Text, Prose: true}, func(d [2]string) table.Value { return table.String(d[1]) }),
	})
	_, err := c.stdout.Write(tabular.Text(t, c.width()))
	return err
}

// printAs prints a table in one of the forms of show.
func (c *console) printAs(t *table.Table, format string) error {
	var out []byte
	switch format {
	case "text":
		out = tabular.Text(t, c.width())
	case "csv":
		out = tabular.CSV(t)
	case "json":
		out = tabular.JSON(t)
	case "md":
		out = tabular.Markdown(t)
	case "html":
		out = []byte(tabular.HTML(t, t.Name, nil))
	case "parquet":
		out = tabular.Parquet(t)
	case "latex":
		out = tabular.LaTeX(t)
	default:
		return usagef("--format %s: want text, csv, json, md, html, latex or parquet", format)
	}
	_, err := c.stdout.Write(out)
	return err
}

// printEach prints the tables that have rows, each after an empty line.
func (c *console) printEach(ts ...*table.Table) {
	for _, t := range ts {
		if len(t.Rows) > 0 {
			fmt.Fprintf(c.stdout, "\n%s", tabular.Text(t, c.width()))
		}
	}
}

// advice returns a hint for the user how to mend an error. It returns "" if no hint is known.
func (c *console) advice(err error) string {
	var h *results.Hint
	switch {
	case errors.As(err, &h):
		return h.Text
	case errors.Is(err, store.ErrExists):
		var ways []string
		for _, x := range [][2]string{{"force", "--force overwrites it"}, {"out", "--out writes elsewhere"}} {
			if c.takes != nil && c.takes(x[0]) {
				ways = append(ways, x[1])
			}
		}
		return strings.Join(ways, "; ")
	case errors.Is(err, store.ErrBusy):
		return "wait for it to finish, or choose another directory with --out"
	}
	return ""
}
