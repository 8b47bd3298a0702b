package observer

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// An array is a NumPy array in C order. data is a slice of fixed-size numbers with as many elements as the shape has.
type array struct {
	name  string
	kind  string // NumPy's name of the type of an element, little-endian
	shape []int
	data  any
}

// writeNPZ writes arrays in the format of numpy.savez_compressed: a zip file with a .npy file per array (NumPy Enhancement
// Proposal 1, version 1.0). Equal arrays give equal bytes.
func writeNPZ(out io.Writer, arrays []array) error {
	z := zip.NewWriter(out)
	for _, a := range arrays {
		w, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: zip.Deflate})
		if err != nil {
			return err
		}
		if _, err := w.Write(a.header()); err != nil {
			return err
		}
		if err := binary.Write(w, binary.LittleEndian, a.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// header returns the part of a .npy file before the data. Its length is a multiple of 64, as the format wants.
func (a *array) header() []byte {
	shape := ""
	for _, n := range a.shape {
		shape += fmt.Sprintf("%d, ", n)
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", a.kind, strings.TrimSuffix(shape, " "))
	const fixed = 10 // bytes before the text
	text += strings.Repeat(" ", 63-(fixed+len(text))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(text))))
	b.WriteString(text)
	return b.Bytes()
}
