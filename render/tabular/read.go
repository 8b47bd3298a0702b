package tabular

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"achilles/sim/part"
	"achilles/sim/table"
)

// Read reads the rows of a table of a part from the file that CSV made.
func Read(fsys fs.FS, t *part.Table) (*table.Table, error) {
	f, err := fsys.Open(t.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := t.Table
	in := csv.NewReader(f)
	in.FieldsPerRecord = len(out.Columns)
	in.ReuseRecord = true
	for line := 0; ; line++ {
		texts, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Path, err)
		}
		values := make([]table.Value, len(texts))
		for i, text := range texts {
			if line == 0 {
				if text != out.Columns[i].Name {
					return nil, fmt.Errorf("%s: column %q, where the manifest has %q", t.Path, text, out.Columns[i].Name)
				}
				continue
			}
			if values[i], err = table.Parse(out.Columns[i].Kind, text); err != nil {
				return nil, fmt.Errorf("%s: row %d, column %s: %q is no %s", t.Path, line, out.Columns[i].Name, text, out.Columns[i].Kind)
			}
		}
		if line > 0 {
			out.Rows = append(out.Rows, values)
		}
	}
	if err := out.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Path, err)
	}
	return &out, nil
}
