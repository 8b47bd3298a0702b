package evallog

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"achilles/battery/tables"
)

// promptfooCSVFormat reads results.csv of promptfoo: the variables of a test, then for each provider and prompt a cell that begins with
// [PASS], [FAIL] or [ERROR].
func promptfooCSVFormat() tables.Format {
	return tables.Format{Name: "promptfoo table", Sniff: isPromptfooCSV, Read: readPromptfooCSV}
}

func isPromptfooCSV(f *tables.File) bool {
	if !strings.HasSuffix(f.Name, ".csv") {
		return false
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(f.Head), "\ufeff")))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	header, err := r.Read()
	first, _ := r.Read() // the head may end within a cell
	return err == nil && len(graded(header, first)) > 0
}

// graded returns the columns with results, by a row.
func graded(header, row []string) (columns []int) {
	for i, cell := range row {
		if _, ok := verdict(cell); ok && i < len(header) && strings.HasPrefix(header[i], "[") {
			columns = append(columns, i)
		}
	}
	return columns
}

// verdict returns what a cell begins with: value of kind 'b' for a pass or fail, 'n' for an error.
func verdict(cell string) (value, bool) {
	switch word, _, _ := strings.Cut(cell, "]"); word {
	case "[PASS":
		return value{kind: 'b', num: 1}, true
	case "[FAIL":
		return value{kind: 'b'}, true
	case "[ERROR":
		return value{kind: 'n'}, true
	}
	return value{}, false
}

func readPromptfooCSV(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	l := newPromptfooLog("promptfoo table")
	for _, f := range files {
		runs := map[[2]string]int32{}
		l.times = map[string]int{}
		err := with(f, func(in io.ReaderAt) error {
			r := csv.NewReader(io.NewSectionReader(in, 0, f.Size))
			r.FieldsPerRecord, r.LazyQuotes = -1, true
			header, err := r.Read()
			if err != nil {
				return err
			}
			var columns []int
			for {
				row, err := r.Read()
				if errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return err
				}
				line, _ := r.FieldPos(0)
				if columns == nil {
					columns = graded(header, row)
				}
				if err := l.row(header, row, columns, line, f.Name, runs); err != nil {
					return fmt.Errorf("line %d: %w", line, err)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return l.source(files)
}

// row adds the results of a test.
func (l *promptfooLog) row(header, row []string, columns []int, line int, file string, runs map[[2]string]int32) error {
	asks := strings.Builder{}
	var vars []feature
	for i := range min(columns[0], len(row)) {
		fmt.Fprintf(&asks, "%q=%q ", header[i], row[i])
		if row[i] != "" {
			vars = append(vars, feature{name: strings.Clone(header[i]), text: row[i]})
		}
	}
	for _, i := range columns {
		t := &promptfooTest{asks: asks.String(), entry: entry{line: line, features: vars}}
		name, prompt, _ := strings.Cut(strings.TrimPrefix(header[i], "["), "]")
		t.provider, t.prompt = name, strings.TrimSpace(prompt)
		if i < len(row) {
			v, ok := verdict(row[i])
			t.success, t.failed = v, ok && v.kind == 'n'
		}
		if err := l.put(t, file, runs); err != nil {
			return err
		}
	}
	return nil
}
