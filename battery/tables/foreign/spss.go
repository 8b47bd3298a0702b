package foreign

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

func isSPSS(f *tables.File) bool {
	return bytes.HasPrefix(f.Head, []byte("$FL2")) || bytes.HasPrefix(f.Head, []byte("$FL3"))
}

// An spssVariable is a variable of a data file: a number, or text of one or more segments of at most 255 bytes.
type spssVariable struct {
	short, name string
	width       int // of text; 0: a number
	octets      int // groups of 8 bytes per case
	low, high   float64
	ranged      bool      // values from low to high are missing
	missing     []float64 // and these
	words       []string  // missing values of text, without trailing spaces
	more        int       // segments after the first
	labels      bool      // whether values have labels
	dropped     bool      // a segment of an earlier variable
}

// An spssFile is a system file (.sav, .zsav) as the PSPP developers' guide describes it (appendix "System file format").
type spssFile struct {
	cursor
	bias        float64
	compression int
	cases       int
	variables   []*spssVariable
	slot        []int // of each group of 8 bytes: its variable, or −1
	codepage    int
	encoding    string
	long        string // long names: SHORT=Long, separated by tabs
	veryLong    string // widths of text beyond 255 bytes
}

func readSPSS(b []byte) ([]named, error) {
	s := &spssFile{cursor: cursor{b: b, order: binary.LittleEndian}, cases: -1}
	s.header()
	for s.err == nil && s.record() {
	}
	if s.err != nil {
		return nil, s.err
	}
	s.rename()
	if s.compression == 2 {
		if err := s.unzip(); err != nil {
			return nil, err
		}
	}
	g, err := s.grid()
	if err != nil {
		return nil, err
	}
	return []named{{grid: g}}, nil
}

func (s *spssFile) header() {
	s.take(64)
	if layout := s.uint(4); layout > 1<<16 {
		s.order = binary.BigEndian
	}
	s.uint(4)
	s.compression = s.int()
	s.uint(4)
	s.cases = s.int()
	s.bias = s.float()
	s.take(84)
}

// record reads a record of the dictionary and reports whether another follows.
func (s *spssFile) record() bool {
	switch kind := s.int(); kind {
	case 2:
		s.variable()
	case 3:
		s.labels()
	case 6:
		s.take(80 * s.int())
	case 7:
		s.extension()
	case 999:
		s.uint(4)
		return false
	default:
		if s.err == nil {
			s.err = fmt.Errorf("a record of kind %d at byte %d does not belong in an SPSS file", kind, s.at-4)
		}
	}
	return true
}

func (s *spssFile) variable() {
	width := s.int()
	label, missing := s.int(), s.int()
	s.uint(8) // formats
	v := &spssVariable{short: strings.TrimRight(string(s.take(8)), " "), width: width, octets: 1}
	if label != 0 {
		n := s.int()
		s.take((n + 3) / 4 * 4)
	}
	if missing < 0 {
		v.ranged = true
		if width > 0 {
			s.take(16)
		} else {
			v.low, v.high = s.float(), s.float()
		}
		missing = -missing - 2
	}
	for range missing {
		if width > 0 {
			v.words = append(v.words, strings.TrimRight(string(s.take(8)), " "))
		} else {
			v.missing = append(v.missing, s.float())
		}
		if s.err != nil {
			return
		}
	}
	switch {
	case width < 0: // the rest of the text before
		if n := len(s.variables); n > 0 {
			s.variables[n-1].octets++
		}
		s.slot = append(s.slot, -1)
		return
	case width > 255:
		s.err = errShort
		return
	}
	s.slot = append(s.slot, len(s.variables))
	s.variables = append(s.variables, v)
}

// labels reads labels of values, which are not used, and notes whose they are.
func (s *spssFile) labels() {
	n := s.int()
	for range n {
		s.take(8)
		l := int(s.uint(1))
		s.take((l+8)/8*8 - 1)
		if s.err != nil {
			return
		}
	}
	if s.int() != 4 {
		s.err = errShort
		return
	}
	for range s.int() {
		i := s.int() - 1
		if s.err != nil || i < 0 || i >= len(s.slot) || s.slot[i] < 0 {
			s.err = errShort
			return
		}
		s.variables[s.slot[i]].labels = true
	}
}

// extension reads a record of those that later versions added. What is not needed is passed over.
func (s *spssFile) extension() {
	subtype := s.int()
	size, count := s.int(), s.int()
	if size < 0 || count < 0 || size > 0 && count > len(s.b)/size {
		s.err = errShort
		return
	}
	b := s.take(size * count)
	switch {
	case s.err != nil:
	case subtype == 3 && len(b) >= 32:
		s.codepage = int(int32(s.order.Uint32(b[28:])))
	case subtype == 13:
		s.long = string(b)
	case subtype == 14:
		s.veryLong = string(b)
	case subtype == 20:
		s.encoding = string(b)
	}
}

// rename joins the segments of very long text, and gives variables their long names.
func (s *spssFile) rename() {
	short := map[string]int{}
	for i, v := range s.variables {
		short[v.short] = i
		v.name = v.short
	}
	each := func(pairs, separator string, f func(i int, value string)) {
		for _, p := range strings.Split(pairs, separator) {
			name, value, ok := strings.Cut(p, "=")
			if i, known := short[name]; ok && known {
				f(i, strings.TrimRight(value, "\x00"))
			}
		}
	}
	each(s.veryLong, "\t", func(i int, value string) {
		width, err := strconv.Atoi(value)
		if err != nil || width <= 255 {
			return
		}
		for k := range (width+251)/252 - 1 { // 252: the guide's "very long string record"
			if i+1+k < len(s.variables) {
				s.variables[i].more++
				s.variables[i+1+k].dropped = true
			}
		}
	})
	each(s.long, "\t", func(i int, value string) { s.variables[i].name = value })
}

// unzip replaces the blocks of a .zsav file by what they unpack to.
func (s *spssFile) unzip() error {
	start := s.at
	s.uint(8)
	trailer := s.uint(8)
	s.jump(trailer)
	s.take(16)
	s.uint(4)
	blocks := s.int()
	out := append([]byte(nil), s.b[:start]...)
	for range blocks {
		s.uint(8)
		from := s.uint(8)
		size, packed := s.int(), s.int()
		if s.err != nil || from > uint64(len(s.b)) || packed < 0 || uint64(packed) > uint64(len(s.b))-from {
			return errShort
		}
		if size < 0 || len(out)+size > maxContent {
			return fmt.Errorf("more than %d bytes when unpacked", maxContent)
		}
		z, err := zlib.NewReader(bytes.NewReader(s.b[from : from+uint64(packed)]))
		if err != nil {
			return err
		}
		block, err := io.ReadAll(io.LimitReader(z, int64(size)))
		if err != nil {
			return err
		}
		out = append(out, block...)
	}
	s.b, s.at = out, start
	return s.err
}

// A packing gives the groups of 8 bytes of packed data: codes of eight groups, then the groups that no code could say.
type packing struct {
	codes []byte
	end   bool
}

// group returns the next 8 bytes, and false after the last.
func (s *spssFile) group(p *packing) ([]byte, bool) {
	if s.compression == 0 {
		if s.at+8 > len(s.b) {
			return nil, false
		}
		return s.take(8), true
	}
	for {
		if len(p.codes) == 0 {
			if p.end || s.at+8 > len(s.b) {
				return nil, false
			}
			p.codes = s.take(8)
		}
		code := p.codes[0]
		p.codes = p.codes[1:]
		switch code {
		case 0:
		case 252:
			p.end, p.codes = true, nil
			return nil, false
		case 253:
			b := s.take(8)
			return b, b != nil
		case 254:
			return []byte("        "), true
		case 255:
			return s.number(-math.MaxFloat64), true
		default:
			return s.number(float64(code) - s.bias), true
		}
	}
}

func (s *spssFile) number(x float64) []byte {
	b := make([]byte, 8)
	s.order.PutUint64(b, math.Float64bits(x))
	return b
}

// grid reads the cases.
func (s *spssFile) grid() (*tables.Grid, error) {
	g := &tables.Grid{Kind: "SPSS data file"}
	decode, err := codepage(s.encoding, s.codepage)
	if err != nil {
		return nil, err
	}
	var labelled []string
	for _, v := range s.variables {
		if v.dropped {
			continue
		}
		name := decode(v.name)
		g.Header = append(g.Header, name)
		if v.labels {
			labelled = append(labelled, name)
		}
	}
	if len(labelled) > 0 {
		g.Notes = append(g.Notes, numbered(labelled))
	}
	if err := area(max(s.cases, 0), len(g.Header)); err != nil {
		return nil, err
	}
	p := &packing{}
	for s.cases < 0 || len(g.Rows) < s.cases {
		row, more := s.read(p, decode)
		if !more {
			break
		}
		g.Rows = append(g.Rows, row)
		if err := area(len(g.Rows), len(g.Header)); err != nil {
			return nil, err
		}
	}
	if s.cases > len(g.Rows) {
		return nil, fmt.Errorf("%d of %d cases: %w", len(g.Rows), s.cases, errShort)
	}
	return g, s.err
}

// read returns the next case, and false after the last.
func (s *spssFile) read(p *packing, decode func(string) string) ([]string, bool) {
	var row []string
	for i, v := range s.variables {
		if v.dropped {
			continue
		}
		var raw []byte
		for _, part := range s.variables[i : i+1+v.more] {
			var piece []byte
			for range part.octets {
				b, ok := s.group(p)
				if !ok {
					return nil, false
				}
				piece = append(piece, b...)
			}
			raw = append(raw, piece[:min(len(piece), max(part.width, 8))]...)
		}
		if v.width > 0 {
			word := strings.TrimRight(string(raw[:min(len(raw), max(v.width, v.more*255+s.variables[i+v.more].width))]), " \x00")
			if slices.Contains(v.words, word) {
				word = ""
			}
			row = append(row, decode(word))
			continue
		}
		row = append(row, v.text(math.Float64frombits(s.order.Uint64(raw))))
	}
	return row, len(row) > 0
}

// text returns a number, or nothing where it means a missing value.
func (v *spssVariable) text(x float64) string {
	if x == -math.MaxFloat64 || v.ranged && x >= v.low && x <= v.high || slices.Contains(v.missing, x) {
		return ""
	}
	return text(x)
}
