package store

import "os"

// WriteAndClose writes to an open file and closes it. Its error is that of writing a file by its name.
func WriteAndClose(f *os.File, shown string, data []byte) error {
	if err := writeAndClose(f, data); err != nil {
		return cannot("write", shown, err)
	}
	return nil
}
