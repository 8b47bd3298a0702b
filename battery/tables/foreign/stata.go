package foreign

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"achilles/battery/tables"
)

const stataMark = "<stata_dta><header><release>"

// isStata reports whether a file is a Stata data file of the releases 113 to 115 (Stata 8 to 12) or 117 to 119.
func isStata(f *tables.File) bool {
	if bytes.HasPrefix(f.Head, []byte(stataMark)) {
		return true
	}
	return len(f.Head) > 109 && f.Head[0] >= 113 && f.Head[0] <= 115 && (f.Head[1] == 1 || f.Head[1] == 2) && f.Head[2] == 1 && f.Head[3] == 0
}

// Kinds of variables of the releases from 117 on; below 2046 is text of so many bytes.
const (
	stataLong   = 32768 // text that stands elsewhere
	stataDouble = 65526
	stataFloat  = 65527
	stataInt32  = 65528
	stataInt16  = 65529
	stataInt8   = 65530
)

// A stataFile is a data file as Stata's manual describes it (help dta, help dta_113 to dta_115).
type stataFile struct {
	cursor
	release   int
	variables int
	cases     int
	kinds     []int
	names     []string
	labels    []string // of each variable the name of its labels of values
	data      int      // where the data begin
	long      map[string]string
	decode    func(string) string
}

func readStata(b []byte) ([]named, error) {
	s := &stataFile{cursor: cursor{b: b, order: binary.LittleEndian}, long: map[string]string{}}
	number := 0 // UTF-8
	if b[0] == '<' {
		s.tagged()
	} else {
		number = 1252
		s.plain()
	}
	if s.release == 117 {
		number = 1252 // before Stata 14, whatever the machine used
	}
	var err error
	if s.decode, err = codepage("", number); err != nil {
		return nil, err
	}
	if s.err != nil {
		return nil, s.err
	}
	g, err := s.grid()
	if err != nil {
		return nil, err
	}
	return []named{{grid: g}}, nil
}

// plain reads the dictionary of the releases 113 to 115.
func (s *stataFile) plain() {
	s.release = int(s.uint(1))
	if s.uint(1) == 1 {
		s.order = binary.BigEndian
	}
	s.take(2)
	s.variables = int(s.uint(2))
	s.cases = s.int()
	s.take(81 + 18)
	for _, k := range s.take(s.variables) {
		kind := int(k)
		if k > 250 {
			kind = map[byte]int{251: stataInt8, 252: stataInt16, 253: stataInt32, 254: stataFloat, 255: stataDouble}[k]
		}
		s.kinds = append(s.kinds, kind)
	}
	s.names = s.words(33)
	s.take(2 * (s.variables + 1))
	format := 49
	if s.release == 113 {
		format = 12
	}
	s.words(format)
	s.labels = s.words(33)
	s.words(81)
	for s.err == nil { // expansion fields
		kind, n := s.uint(1), s.int()
		s.take(n)
		if kind == 0 && n == 0 {
			break
		}
	}
	s.data = s.at
}

// words returns text of a fixed size for each variable.
func (s *stataFile) words(size int) (list []string) {
	for range s.variables {
		list = append(list, s.cut(size))
		if s.err != nil {
			return list
		}
	}
	return list
}

// tagged reads the dictionary of the releases from 117 on.
func (s *stataFile) tagged() {
	s.skip(stataMark)
	switch r := string(s.take(3)); r {
	case "117", "118", "119":
		s.release = int(r[2]-'0') + 110
	default:
		s.err = fmt.Errorf("release %q of Stata's format is not supported: save the data for Stata 14", r)
		return
	}
	s.skip("</release><byteorder>")
	if string(s.take(3)) == "MSF" {
		s.order = binary.BigEndian
	}
	s.skip("</byteorder><K>")
	s.variables = int(s.uint(map[bool]int{false: 2, true: 4}[s.release == 119]))
	s.skip("</K><N>")
	s.cases = int(s.uint(map[bool]int{false: 8, true: 4}[s.release == 117]))
	at := bytes.Index(s.b, []byte("<map>"))
	if s.err != nil || at < 0 {
		s.err = errShort
		return
	}
	s.jump(uint64(at + len("<map>")))
	var places [14]uint64
	for i := range places {
		places[i] = s.uint(8)
	}
	name := 129 // four bytes a character, and a zero
	if s.release == 117 {
		name = 33
	}
	s.jump(places[2])
	s.skip("<variable_types>")
	for range s.variables {
		s.kinds = append(s.kinds, int(s.uint(2)))
		if s.err != nil {
			return
		}
	}
	s.jump(places[3])
	s.skip("<varnames>")
	s.names = s.words(name)
	s.jump(places[6])
	s.skip("<value_label_names>")
	s.labels = s.words(name)
	s.jump(places[10])
	s.strls()
	s.jump(places[9])
	s.skip("<data>")
	s.data = s.at
}

// strls reads the texts that stand apart.
func (s *stataFile) strls() {
	s.skip("<strls>")
	for s.err == nil && bytes.HasPrefix(s.b[s.at:], []byte("GSO")) {
		s.take(3)
		v := s.uint(4)
		o := s.uint(map[bool]int{false: 8, true: 4}[s.release == 117])
		s.take(1)
		text := s.take(int(s.uint(4)))
		s.long[fmt.Sprint(v, " ", o)] = string(bytes.TrimRight(text, "\x00"))
	}
}

// width returns how many bytes a value takes.
func (s *stataFile) width(kind int) int {
	switch kind {
	case stataDouble, stataLong:
		return 8
	case stataFloat, stataInt32:
		return 4
	case stataInt16:
		return 2
	case stataInt8:
		return 1
	}
	if kind < 0 || kind > 2045 {
		s.err = errShort
	}
	return kind
}

func (s *stataFile) grid() (*tables.Grid, error) {
	g := &tables.Grid{Kind: "Stata data file"}
	size := 0
	for _, k := range s.kinds {
		size += s.width(k)
	}
	if s.err != nil || s.cases < 0 || size > 0 && s.cases > (len(s.b)-s.data)/size {
		return nil, errShort
	}
	if err := area(s.cases, s.variables); err != nil {
		return nil, err
	}
	var labelled []string
	for i, n := range s.names {
		g.Header = append(g.Header, s.decode(n))
		if s.labels[i] != "" {
			labelled = append(labelled, s.decode(n))
		}
	}
	if len(labelled) > 0 {
		g.Notes = append(g.Notes, numbered(labelled))
	}
	for range s.cases {
		row := make([]string, s.variables)
		for i, k := range s.kinds {
			row[i] = s.cell(k)
		}
		g.Rows = append(g.Rows, row)
	}
	return g, s.err
}

// cell returns the next value. Numbers above the largest of their kind are Stata's missing values, "." and ".a" to ".z".
func (s *stataFile) cell(kind int) string {
	switch kind {
	case stataDouble:
		if x := s.float(); x < 0x1p1023 {
			return text(x)
		}
		return ""
	case stataFloat:
		if x := math.Float32frombits(uint32(s.uint(4))); x < 0x1p127 {
			return shortest(x)
		}
		return ""
	case stataInt32:
		return whole(s.int(), 2147483620)
	case stataInt16:
		return whole(int(int16(s.uint(2))), 32740)
	case stataInt8:
		return whole(int(int8(s.uint(1))), 100)
	case stataLong:
		return s.decode(s.long[s.strl()])
	}
	return s.decode(s.cut(kind))
}

// strl returns the key of a text that stands elsewhere: a number of a variable and of a case, which share eight bytes by release.
func (s *stataFile) strl() string {
	first := map[int]int{117: 4, 118: 2, 119: 3}[s.release]
	v := s.uint(first)
	return fmt.Sprint(v, " ", s.uint(8-first))
}
