package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"achilles/battery/tables"
	"achilles/battery/tables/evallog"
	"achilles/battery/tables/foreign"
	"achilles/battery/tables/laboratory"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/record"
)

// formats lists the kinds of files that import reads, in the order in which a file is tried.
func formats() []tables.Format {
	return slices.Concat(evallog.Formats(), laboratory.Formats(), []tables.Format{tables.Lists(), tables.Rectangle()})
}

// An importing has what a person says of an import.
type importing struct {
	items, responses, subjects []string
	mapping, out, key          string
	force, quiet               bool // quiet: somebody else says what the table cannot tell
	wish                       tables.Wishes
	read                       tables.Reading
}

func importCommand(a *app) *cobra.Command {
	m := &importing{}
	c := &cobra.Command{
		Use:   "import PATH… [--out DIR]",
		Short: "Make a public directory from your own tables or evaluation logs",
		Long: `Import reads files, or folders of them, finds out what they are and writes DIR/public: a matrix of subjects × items or
items × subjects, a table with one row per response, in CSV (any separator, decimal commas, gzip, UTF-16), aligned
text, Parquet, JSON objects, Markdown, HTML, LaTeX, Excel workbooks, data of SPSS, Stata and R; beside it, tables of items and
of subjects; data of PsychoPy, jsPsych, lab.js, Gorilla, E-Prime, OpenSesame, Inquisit, Qualtrics, LimeSurvey, Google and
Microsoft Forms, Moodle, Canvas, DataShop and ASSISTments; or evaluation logs of
Inspect, lm-evaluation-harness, HELM, promptfoo and twelve others (docs/guide/eval-logs.md; name the folder: the model's name may
stand beside the scores). It prints how it read them, and writes the mapping that it used to DIR/mapping.toml, ready to edit and to use with --mapping. Where only you can know, it
asks: which of several metrics, filters, scorers or columns of repetitions is meant.

With --mapping, a small TOML file says which column is what; docs/guide/your-data.md explains it. Shipped mappings: aaio,
aaio-as-published, aaio-99, op-table, titanic, esol.

There is no truth to seal: score then grades predictions of held-out responses only.`,
		Example: `  achilles import docs/examples/matrix.csv --out results/matrix
  achilles import --items task_codes.csv --responses scores_all.csv --mapping aaio --out results/aaio`,
		Args: cobra.ArbitraryArgs,
	}
	m.flags(c.Flags())
	m.countFlag(c.Flags())
	c.AddCommand(importEpisodesCommand(a), importArenasCommand(a))
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if err := m.check(args); err != nil {
			return err
		}
		return m.importFiles(a)
	})
	return c
}

// flags adds the flags of an import.
func (m *importing) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&m.items, "items", nil, "table of items; it may be given several times if it has several files")
	f.StringArrayVar(&m.responses, "responses", nil, "table of responses, the same as a PATH")
	f.StringArrayVar(&m.subjects, "subjects", nil, "table of subjects")
	f.StringVar(&m.mapping, "mapping", "", "a shipped mapping's name or a TOML file (default: found by names and values)")
	f.StringVar(&m.out, "out", "", "results directory to write (default: results/ with the name of the first PATH)")
	f.BoolVar(&m.force, "force", false, "overwrite existing output")
	f.StringVar(&m.wish.Metric, "metric", "", "the metric that is the score, if there are several")
	f.StringVar(&m.wish.Filter, "filter", "", "the filter whose answers count, if there are several")
	f.StringVar(&m.wish.Scorer, "scorer", "", "the scorer whose scores count, if there are several")
	f.StringToStringVar(&m.wish.Only, "only", nil, "the rows that count, by what they have in a column, such as filter=strict")
	f.StringVar(&m.wish.Repetition, "repetition", "", `the column that numbers repetitions, or "order": numbered in file order`)
	f.StringVar(&m.wish.Position, "position", "", `the column with the place of each response in its subject's sequence; "order": the order of the file; or "none"`)
	f.StringSliceVar(&m.wish.Subject, "subject", nil, "the columns with the subject's name, separated by commas")
	f.StringSliceVar(&m.wish.Item, "item", nil, "the columns with the item's name, separated by commas")
	f.StringSliceVar(&m.wish.Missing, "missing", nil, "words or numbers that mean no value, separated by commas, besides NA, N/A, NULL, NaN, None, . and -")
	f.StringToStringVar(&m.wish.Levels, "levels", nil, "words of the scores and their numbers, such as never=0,often=1")
	f.StringSliceVar(&m.wish.LeaveOut, "leave-out", nil, "subjects and items to leave out, separated by commas")
	f.StringVar(&m.key, "key", "", "file with the right answers to the items of a matrix, whose cells are the answers that were chosen")
	f.StringSliceVar(&m.wish.Reverse, "reverse", nil, "items whose key is reversed, separated by commas")
	f.StringVar(&m.wish.Blanks, "blanks", "", "failures to treat as missing: subjects (all of a subject who has no success) or ends (these, and three or more after a subject's last success)")
	f.IntVar(&m.wish.Part, "part", 0, "if the table has parts that share no subject and no item, the number of the one to import, from 1")
	f.StringVar(&m.wish.Family, "family", "", "what the scores are: binary, real, unit, count or choice")
	f.StringVar(&m.wish.Trials, "trials", "", "of how many trials scores count the successes, or are the proportions: the number, or the column that has it")
	f.StringVar(&m.wish.Rows, "rows", "", "what a row of a matrix is: subjects or items")
	f.StringVar(&m.read.Decimal, "decimal", "", `the decimal sign: "." or ","`)
	f.StringVar(&m.read.Separator, "separator", "", "what separates cells")
	f.StringVar(&m.read.Encoding, "encoding", "", "encoding of plain text: "+strings.Join(tables.Encodings(), ", "))
}

// countFlag adds the flag that irt has with other words, since it weighs rows where import repeats them.
func (m *importing) countFlag(f *pflag.FlagSet) {
	f.StringVar(&m.wish.Count, "count", "", `the column that says how many subjects each row of a matrix stands for; "none": a row is a subject`)
}

// check returns an error if what was said cannot be meant. Paths count as responses.
func (m *importing) check(args []string) error {
	m.responses = append(m.responses, args...)
	m.wish.Decimal = m.read.Decimal
	switch {
	case len(m.responses) == 0:
		return usagef("import needs a PATH: a file or folder with responses")
	case m.wish.Part < 0:
		return usagef("--part %d: parts are numbered from 1", m.wish.Part)
	}
	if flag := m.besideMapping(); m.mapping != "" && flag != "" {
		return usagef("--%s says how to read the file, and so does the mapping: write it into the mapping, or omit --mapping", flag)
	}
	if m.out == "" {
		name := filepath.Base(filepath.Clean(m.responses[0]))
		m.out = filepath.Join("results", strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), filepath.Ext(strings.TrimSuffix(name, ".gz"))))
	}
	for _, w := range []struct{ flag, value, choices string }{
		{"rows", m.wish.Rows, "subjects items"}, {"decimal", m.read.Decimal, ". ,"}, {"family", m.wish.Family, "binary real unit count choice"}, {"blanks", m.wish.Blanks, tables.BlankSubjects + " " + tables.BlankEnds},
		{"encoding", m.read.Encoding, strings.Join(tables.Encodings(), " ")},
	} {
		if w.value != "" && !strings.Contains(" "+w.choices+" ", " "+w.value+" ") {
			return usagef("--%s %s: want %s", w.flag, w.value, strings.Join(strings.Fields(w.choices), " or "))
		}
	}
	return nil
}

// besideMapping returns the first flag that was given of those that a mapping has in their place, and "" if none was.
func (m *importing) besideMapping() string {
	w := m.wish
	for _, f := range []struct {
		flag  string
		given bool
	}{
		{"metric", w.Metric != ""}, {"filter", w.Filter != ""}, {"scorer", w.Scorer != ""}, {"only", w.Only != nil}, {"repetition", w.Repetition != ""}, {"position", w.Position != ""},
		{"subject", w.Subject != nil}, {"item", w.Item != nil}, {"missing", w.Missing != nil}, {"levels", w.Levels != nil}, {"family", w.Family != ""}, {"trials", w.Trials != ""}, {"rows", w.Rows != ""}, {"count", w.Count != ""},
		{"decimal", m.read.Decimal != ""}, {"separator", m.read.Separator != ""}, {"encoding", m.read.Encoding != ""},
	} {
		if f.given {
			return f.flag
		}
	}
	return ""
}

func (m *importing) importFiles(a *app) error {
	in, err := m.gather()
	if err != nil {
		return err
	}
	for _, f := range in.found {
		a.say("%-12s %s", f[0], f[1])
	}
	for _, n := range in.notes {
		a.say("%-12s %s", "note", n)
	}
	return results.Write(m.out, func(to *results.Dir) error {
		if err := publishImport(a, in.data, to, m.force); err != nil {
			return err
		}
		if !m.quiet {
			if err := judgeTable(a, in.data); err != nil {
				return err
			}
		}
		if in.mapping == "" {
			return nil
		}
		a.say("The mapping is in %s; edit it and import again with --mapping.", to.Path(mappingFile))
		return to.WriteFile(mappingFile, []byte(in.mapping))
	})
}

// A gathered table is what an import reads.
type gathered struct {
	data    *record.Dataset
	found   [][2]string // what was taken for what; nil: a mapping says it
	notes   []string
	mapping string // that was found; "": a mapping was given
	form    string // the column of subjects that says which forms of a test they took; "": there is one form
}

// gather reads the files of an import.
func (m *importing) gather() (*gathered, error) {
	var mapping *tables.Mapping
	if m.mapping != "" {
		file, text, err := shipped("mapping", m.mapping, "mappings")
		if err != nil {
			return nil, err
		}
		if mapping, err = tables.ParseMapping(file, text); err != nil {
			return nil, err
		}
		m.read = mapping.Read
		mapping.Selection = mapping.Over(m.wish.Selection)
	}
	for _, dir := range m.responses {
		if _, err := os.Stat(filepath.Join(dir, seal.PublicPart, part.ManifestFile)); err == nil {
			return nil, fmt.Errorf("%s is a directory of results, which has been imported; achilles infer, irt, analyse and compare take it", dir)
		}
	}
	in, notes, err := m.open()
	if err != nil {
		return nil, err
	}
	out := &gathered{}
	if in.Responses != nil {
		out.form = in.Responses.Form
	}
	if m.wish.Key, err = m.answers(); err != nil {
		return nil, err
	}
	if mapping == nil {
		p, err := tables.Propose(in, m.wish)
		if err != nil {
			return nil, err
		}
		mapping, out.found, out.mapping = p.Mapping, p.Found, p.Text
	} else if in.Responses != nil {
		if m.wish.Key != nil {
			mapping.Responses.Key = m.wish.Key
		}
		notes = append(notes, in.Responses.Notes...)
	}
	d, more, err := tables.Build(in, mapping)
	out.data, out.notes = d, append(notes, more...)
	return out, err
}

// answers reads the right answers of items; nil: the cells are scores.
func (m *importing) answers() (map[string]string, error) {
	if m.key == "" {
		return nil, nil
	}
	files, err := appendFiles(nil, m.key)
	if err != nil {
		return nil, err
	}
	t, err := tables.ReadTable(files, m.read)
	if err != nil {
		return nil, err
	}
	return t.Key()
}

// mappingFile is the name of the mapping that an import used, in the directory of results.
const mappingFile = "mapping.toml"

func (m *importing) open() (in tables.Input, notes []string, err error) {
	var files [3][]*tables.File
	for i, paths := range [][]string{m.responses, m.items, m.subjects} {
		for _, p := range paths {
			if files[i], err = appendFiles(files[i], p); err != nil {
				if errors.Is(err, fs.ErrNotExist) && len(files[i]) > 0 { // a name after files is often meant for what is made of them
					err = results.Hinted(err, "all of these are read; for results in a directory %s: --out %s", p, expr.Quote(p))
				}
				return in, nil, err
			}
		}
	}
	return tables.Open(formats(), files[0], files[1], files[2], m.read)
}

// appendFiles appends a file, or the files below a folder but for hidden ones, sorted by their paths.
func appendFiles(list []*tables.File, root string) ([]*tables.File, error) {
	before := len(list)
	only := "" // the one table of a file with several that is meant by FILE/TABLE
	if _, err := os.Stat(root); err != nil {
		if info, err := os.Stat(filepath.Dir(root)); err == nil && info.Mode().IsRegular() {
			root, only = filepath.Dir(root), filepath.Base(root)
		}
	}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != root && strings.HasPrefix(e.Name(), ".") {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() || path != root && !e.Type().IsRegular() {
			return nil
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(path)
		if path == root {
			name = filepath.Base(path)
		}
		f, err := tables.NewFile(name, info.Size(), func() (tables.Handle, error) { return os.Open(path) })
		if err != nil {
			return err
		}
		more, err := foreign.Append(nil, f, only)
		if err != nil && path != root {
			more, err = []*tables.File{f}, nil // it is left out with the others that are no tables
		}
		list = append(list, more...)
		return err
	})
	if err == nil && len(list) == before {
		err = fmt.Errorf("%s: the folder has no files", root)
	}
	return list, err
}

func publishImport(a *app, d *record.Dataset, to *results.Dir, force bool) error {
	files, err := record.Encode(d)
	if err != nil {
		return err
	}
	dir := to.Path(seal.PublicPart)
	if to.Same(seal.PublicPart, files) {
		a.note("%s has these data already", dir)
	} else if err := to.PutPublic("import", force, func(create results.Create) error { return create.PutAll(files) }); err != nil {
		return err
	}
	if err := keepCards(to, d); err != nil {
		return err
	}
	held := 0
	for _, r := range d.Responses.All() {
		if r.Split == record.HeldOut {
			held++
		}
	}
	a.say("%s × %s: %s, %s of them held out; in %s", num.Counted(len(d.Subjects), "subject"), num.Counted(d.Items.Len(), "item"), num.Counted(d.Responses.Len(), "response"), num.Count(held), dir)
	return nil
}
