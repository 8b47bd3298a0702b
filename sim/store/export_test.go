package store

import "os"

// WriteAndClose writes a file that is open, and says what cannot be done as writing it by its name does.
func WriteAndClose(f *os.File, shown string, data []byte) error {
	if err := writeAndClose(f, data); err != nil {
		return cannot("write", shown, err)
	}
	return nil
}
