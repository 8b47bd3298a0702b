// Package tablestest helps tests of package tables.
package tablestest

import (
	"bytes"
	"io"

	"achilles/battery/tables"
)

// File returns a file with these bytes, for package tables to read.
func File(name string, b []byte) *tables.File {
	open := func() (tables.Handle, error) { return inMemory{bytes.NewReader(b)}, nil }
	f, err := tables.NewFile(name, int64(len(b)), open)
	if err != nil {
		panic("tablestest: " + err.Error())
	}
	return f
}

type inMemory struct{ io.ReaderAt }

func (inMemory) Close() error { return nil }
