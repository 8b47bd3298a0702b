// Package foreign reads tables from the files of other programs: Excel workbooks, SPSS and Stata data files, and R's data.
package foreign

import (
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// Limits of what a hostile file can make a reader hold.
const (
	maxFile    = 1 << 30 // bytes of a file
	maxContent = 1 << 30 // bytes of what it unpacks to
	maxCells   = 1 << 27 // cells of its tables
)

// A kind is a kind of file. Its read returns the tables in it, whose names are empty if there can be one only.
type kind struct {
	is   func(f *tables.File) bool
	read func(b []byte) ([]named, error)
}

// A named table is one of those in a file.
type named struct {
	name string
	grid *tables.Grid
}

func kinds() []kind {
	return []kind{{isWorkbook, readWorkbook}, {isSPSS, readSPSS}, {isStata, readStata}, {isR, readR}}
}

// Append appends a file to a list or, if it is of another program, the tables in it: of several only the one that is called only, if that
// is not empty. The tables of a file with several are called file/table. A file that is none of these kinds has no tables: with only, that
// is an error.
func Append(list []*tables.File, f *tables.File, only string) ([]*tables.File, error) {
	for _, k := range kinds() {
		if !k.is(f) {
			continue
		}
		found, err := read(f, k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		var names []string
		for _, t := range found {
			names = append(names, t.name)
			if only != "" && t.name != only {
				continue
			}
			file := &tables.File{Name: f.Name, Size: f.Size, Grid: t.grid}
			if len(found) > 1 {
				file.Name = path.Join(f.Name, t.name)
			}
			list = append(list, file)
			if only != "" {
				return list, nil
			}
		}
		if only != "" {
			return nil, fmt.Errorf("%s has no table %q; there are %s", f.Name, only, strings.Join(names, ", "))
		}
		return list, nil
	}
	if only != "" {
		return nil, fmt.Errorf("%s has no tables of its own: leave out /%s", f.Name, only)
	}
	return append(list, f), nil
}

func read(f *tables.File, k kind) ([]named, error) {
	if f.Size > maxFile {
		return nil, fmt.Errorf("%d bytes; at most %d are read from a file of this kind: save it as CSV or Parquet", f.Size, maxFile)
	}
	h, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer h.Close()
	b := make([]byte, f.Size)
	if _, err := io.ReadFull(io.NewSectionReader(h, 0, f.Size), b); err != nil {
		return nil, err
	}
	found, err := k.read(b)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no table is in it")
	}
	return found, nil
}

// text returns a number as tables have it: empty if it is none.
func text(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// area checks a number of rows and columns against what a file can have.
func area(rows, columns int) error {
	if rows < 0 || columns < 0 || columns > 0 && rows > maxCells/columns {
		return fmt.Errorf("%d × %d cells; at most %d are read from a file of this kind: save it as CSV or Parquet", rows, columns, maxCells)
	}
	return nil
}

// columnwise returns the rows of a table from its columns, of n cells each.
func columnwise(columns [][]string, n int) [][]string {
	rows := make([][]string, n)
	for i := range rows {
		rows[i] = make([]string, len(columns))
		for j, c := range columns {
			rows[i][j] = c[i]
		}
	}
	return rows
}

// shortest returns a number of 32 bits with the fewest digits that mean it.
func shortest(x float32) string {
	if x != x {
		return ""
	}
	return strconv.FormatFloat(float64(x), 'g', -1, 32)
}

// whole returns a whole number, or nothing above the largest that is one.
func whole(n, largest int) string {
	if n > largest {
		return ""
	}
	return strconv.Itoa(n)
}

// numbered is the note on columns whose values have labels.
func numbered(columns []string) string {
	list := strings.Join(columns[:min(len(columns), 8)], ", ")
	if len(columns) > 8 {
		list += fmt.Sprintf(" and %d more", len(columns)-8)
	}
	return "values with labels are read as their numbers: " + list
}
