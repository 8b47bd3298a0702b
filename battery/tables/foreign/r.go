package foreign

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ulikunitz/xz"

	"achilles/battery/tables"
)

// isR reports whether a file is one of R's: .rds has one object, .rda or .RData several with names.
func isR(f *tables.File) bool {
	switch strings.ToLower(path.Ext(f.Name)) {
	case ".rds", ".rda", ".rdata":
		return true
	}
	return false
}

func readR(b []byte) ([]named, error) {
	b, err := unpackR(b)
	if err != nil {
		return nil, err
	}
	inFile := bytes.HasPrefix(b, []byte("RDX2\n")) || bytes.HasPrefix(b, []byte("RDX3\n"))
	r := &rFile{cursor: cursor{b: b, order: binary.BigEndian}}
	if inFile {
		r.take(5)
	}
	if format := string(r.take(2)); format != "X\n" {
		return nil, fmt.Errorf("not R data in binary form: save it again with saveRDS(x, file) or save(x, file = …)")
	}
	if version := r.int(); version == 3 {
		r.take(8)
		r.take(r.int())
	} else if version == 2 {
		r.take(8)
	} else {
		return nil, fmt.Errorf("version %d of R's format is not read", version)
	}
	v := r.value(0)
	if r.err != nil {
		return nil, r.err
	}
	if !inFile {
		return tablesOfR("", v)
	}
	var found []named
	for i, o := range v.list {
		more, err := tablesOfR(v.tags[i], o)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// unpackR unpacks a file that is compressed by gzip, bzip2 or xz.
func unpackR(b []byte) ([]byte, error) {
	var in io.Reader
	switch {
	case bytes.HasPrefix(b, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		in = z
	case bytes.HasPrefix(b, []byte("BZh")):
		in = bzip2.NewReader(bytes.NewReader(b))
	case bytes.HasPrefix(b, []byte("\xfd7zXZ")):
		z, err := xz.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		in = z
	default:
		return b, nil
	}
	out, err := io.ReadAll(io.LimitReader(in, maxContent+1))
	if err == nil && len(out) > maxContent {
		err = fmt.Errorf("more than %d bytes when unpacked", maxContent)
	}
	return out, err
}

// An rValue is a value of R: cells of a vector, or a list of values; with attributes.
type rValue struct {
	cells []string // of a vector of numbers, truth values or text; NA is empty
	text  bool     // whether they are text
	ints  []int    // of whole numbers: the numbers themselves, for factors and row names
	list  []*rValue
	tags  []string // names of a pairlist's values
	attr  map[string]*rValue
}

func (v *rValue) has(class string) bool {
	c := v.attr["class"]
	return c != nil && slices.Contains(c.cells, class)
}

// An rFile is R's serialization (R Internals, "Serialization Formats").
type rFile struct {
	cursor
	symbols []*rValue // that later symbols refer to
}

// Types of values (R's Rinternals.h), and of what only files have (serialize.c).
const (
	rSymbol, rPairs, rClosure, rEnvironment, rPromise, rLanguage, rChars = 1, 2, 3, 4, 5, 6, 9
	rLogical, rInteger, rReal, rComplex, rStrings, rDots, rList, rExpr   = 10, 13, 14, 15, 16, 17, 19, 20
	rRaw, rS4, rAltrep                                                   = 24, 25, 238
	rBase, rEmpty, rGlobal, rUnbound, rMissing, rNamespace, rBaseSpace   = 241, 242, 253, 252, 251, 249, 247
	rNull, rReference, rPackage, rPersistent                             = 254, 255, 250, 248
)

const (
	maxDepth = 1000     // of values within values
	rNA      = -1 << 31 // the whole number that means NA
)

// value reads a value.
func (r *rFile) value(depth int) *rValue {
	v := &rValue{}
	flags := r.int()
	if depth > maxDepth {
		r.err = fmt.Errorf("values are nested more than %d deep", maxDepth)
	}
	if r.err != nil {
		return v
	}
	attributes := flags&(1<<9) != 0
	switch kind := flags & 255; kind {
	case rNull, rEmpty, rGlobal, rUnbound, rMissing, rBase, rBaseSpace:
		return v
	case rReference:
		k := flags >> 8
		if k == 0 {
			k = r.int()
		}
		if k < 1 || k > len(r.symbols) {
			r.err = errShort
			return v
		}
		return r.symbols[k-1]
	case rSymbol:
		v = r.value(depth + 1)
		r.symbols = append(r.symbols, v)
		return v
	case rNamespace, rPackage, rPersistent:
		r.take(4)
		for range r.count() {
			r.value(depth + 1)
		}
		r.symbols = append(r.symbols, v)
		return v
	case rEnvironment:
		r.take(4)
		r.symbols = append(r.symbols, v)
		for range 4 {
			r.value(depth + 1)
		}
		return v
	case rPairs, rLanguage, rClosure, rPromise, rDots:
		r.pairs(v, flags, depth)
		return v
	case rAltrep:
		return r.altrep(depth)
	case rChars:
		n := r.int()
		if n < 0 {
			v.cells = []string{""}
			return v
		}
		word := string(r.take(n))
		if decode, err := codepage("", map[bool]int{true: 28591, false: 0}[flags&(1<<14) != 0]); err == nil { // LATIN1_MASK
			word = decode(word)
		}
		v.cells = []string{word}
		return v
	case rLogical, rInteger:
		n := r.count()
		for range n {
			k := r.int()
			v.ints = append(v.ints, k)
			v.cells = append(v.cells, wholeR(k))
		}
	case rReal, rComplex:
		n := r.count()
		for range n {
			x := r.float()
			if kind == rComplex {
				r.float()
			}
			v.cells = append(v.cells, text(x))
		}
	case rStrings, rList, rExpr:
		n := r.count()
		v.text = kind == rStrings
		for range n {
			e := r.value(depth + 1)
			if r.err != nil {
				return v
			}
			if v.text {
				v.cells = append(v.cells, e.word())
			} else {
				v.list = append(v.list, e)
			}
		}
	case rRaw:
		r.take(r.count())
	case rS4:
	default:
		r.err = fmt.Errorf("a value of R's type %d is not read: save the data frame alone", kind)
		return v
	}
	if attributes {
		v.attr = r.attributes(depth)
	}
	return v
}

// count reads a length, which the file must be long enough for.
func (r *rFile) count() int {
	n := r.int()
	if n < 0 || n > len(r.b)-r.at {
		r.err = errShort
		return 0
	}
	return n
}

// word returns the text of a single word.
func (v *rValue) word() string {
	if len(v.cells) == 0 {
		return ""
	}
	return v.cells[0]
}

// pairs reads a list of pairs, one after another.
func (r *rFile) pairs(v *rValue, flags, depth int) {
	for r.err == nil {
		if flags&(1<<9) != 0 {
			r.value(depth + 1)
		}
		tag := ""
		if flags&(1<<10) != 0 {
			tag = r.value(depth + 1).word()
		}
		v.tags = append(v.tags, tag)
		v.list = append(v.list, r.value(depth+1))
		if r.err != nil {
			return
		}
		at := r.at
		flags = r.int()
		if k := flags & 255; k != rPairs {
			r.at = at
			r.value(depth + 1)
			return
		}
	}
}

func (r *rFile) attributes(depth int) map[string]*rValue {
	p := r.value(depth + 1)
	out := map[string]*rValue{}
	for i, t := range p.tags {
		out[t] = p.list[i]
	}
	return out
}

// altrep reads a value in a compact form: a sequence of whole numbers, or another value behind a wrapper.
func (r *rFile) altrep(depth int) *rValue {
	info, state, attr := r.value(depth+1), r.value(depth+1), r.value(depth+1)
	if r.err != nil || len(info.list) == 0 {
		r.err = errShort
		return &rValue{}
	}
	v := &rValue{}
	switch name := info.list[0].word(); name {
	case "compact_intseq", "compact_realseq":
		if len(state.cells) != 3 {
			r.err = errShort
			return v
		}
		var x [3]float64
		for i, c := range state.cells {
			x[i], _ = strconv.ParseFloat(c, 64)
		}
		if x[0] < 0 || x[0] > float64(maxCells) {
			r.err = errShort
			return v
		}
		for i := range int(x[0]) {
			k := x[1] + float64(i)*x[2]
			v.ints, v.cells = append(v.ints, int(k)), append(v.cells, text(k))
		}
	case "deferred_string":
		v.text = true
		if len(state.list) > 0 {
			v.cells = state.list[0].cells
		}
	case "wrap_real", "wrap_integer", "wrap_logical", "wrap_string", "wrap_list":
		if len(state.list) == 0 {
			r.err = errShort
			return v
		}
		*v = *state.list[0]
	default:
		r.err = fmt.Errorf("a value of R's class %s is not read: save the data frame alone", name)
	}
	if len(attr.tags) > 0 {
		v.attr = map[string]*rValue{}
		for i, t := range attr.tags {
			v.attr[t] = attr.list[i]
		}
	}
	return v
}

func wholeR(n int) string {
	if n == rNA {
		return ""
	}
	return strconv.Itoa(n)
}

// tablesOfR returns the data frames and matrices in a value: itself, or those of a list.
func tablesOfR(name string, v *rValue) ([]named, error) {
	g, err := tableOfR(v)
	if err != nil {
		return nil, err
	}
	if g != nil {
		return []named{{name, g}}, nil
	}
	var found []named
	names := v.attr["names"]
	for i, e := range v.list {
		inner := strconv.Itoa(i + 1)
		if names != nil && i < len(names.cells) && names.cells[i] != "" {
			inner = names.cells[i]
		}
		if g, err := tableOfR(e); err != nil {
			return nil, err
		} else if g != nil {
			found = append(found, named{strings.TrimPrefix(name+"."+inner, "."), g})
		}
	}
	return found, nil
}

// tableOfR returns a data frame or a matrix as a table, and nil for all else. Row names that are not just numbers are its first column.
func tableOfR(v *rValue) (*tables.Grid, error) {
	g := &tables.Grid{Kind: "R data"}
	var columns [][]string
	var rows *rValue
	n := 0
	switch dim := v.attr["dim"]; {
	case v.has("data.frame") && v.attr["names"] != nil && len(v.attr["names"].cells) == len(v.list) && len(v.list) > 0:
		g.Header = append(g.Header, v.attr["names"].cells...)
		for i, c := range v.list {
			cells, ok := c.column()
			if !ok || i > 0 && len(cells) != n {
				return nil, fmt.Errorf("column %q of a data frame is not a vector of numbers or text", g.Header[i])
			}
			n = len(cells)
			columns = append(columns, cells)
		}
		rows = v.attr["row.names"]
	case dim != nil && len(dim.ints) == 2 && len(v.cells) > 0:
		n = dim.ints[0]
		if n <= 0 || dim.ints[1] <= 0 || len(v.cells)/n != dim.ints[1] {
			return nil, errShort
		}
		names := v.attr["dimnames"]
		for j := range dim.ints[1] {
			columns = append(columns, v.cells[j*n:(j+1)*n])
			g.Header = append(g.Header, fmt.Sprint("V", j+1))
		}
		if names != nil && len(names.list) == 2 {
			rows = names.list[0]
			if len(names.list[1].cells) == len(g.Header) {
				copy(g.Header, names.list[1].cells)
			}
		}
	default:
		return nil, nil
	}
	if rows != nil && rows.text && len(rows.cells) == n && !counted(rows.cells) {
		g.Header = append([]string{"row"}, g.Header...)
		columns = append([][]string{rows.cells}, columns...)
	}
	if err := area(n, len(columns)); err != nil {
		return nil, err
	}
	g.Rows = columnwise(columns, n)
	return g, nil
}

// column returns a vector's cells, of a factor the words of its levels.
func (v *rValue) column() ([]string, bool) {
	levels := v.attr["levels"]
	if levels == nil || !v.has("factor") {
		return v.cells, v.list == nil
	}
	out := make([]string, len(v.ints))
	for i, k := range v.ints {
		if k >= 1 && k <= len(levels.cells) {
			out[i] = levels.cells[k-1]
		}
	}
	return out, true
}

// counted reports whether names of rows are 1, 2, 3 …
func counted(names []string) bool {
	for i, s := range names {
		if s != strconv.Itoa(i+1) {
			return false
		}
	}
	return true
}
