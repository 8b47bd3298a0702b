package tables

import (
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"
)

// A File is a file that a person named, or one in a folder that they named.
type File struct {
	Name string // its path as named, with slashes
	Size int64
	Head []byte // its first bytes, at most headSize
	Open func() (Handle, error)
	Grid *Grid // its cells, of a file of another program that is read; else nil
}

// A Grid is a table that is read whole.
type Grid struct {
	Kind   string   // what was read, in words
	Header []string // names of the columns; nil: the first row has them, if it is not of numbers
	Rows   [][]string
	Lines  []int // where each row stands in its file, from 1; nil: one after another
	Notes  []string
}

// header returns a copy of the names of the columns.
func (g *Grid) header() []string {
	if g.Header == nil && len(g.Rows) > 0 {
		return slices.Clone(g.Rows[0])
	}
	return slices.Clone(g.Header)
}

func (g *Grid) each(file string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for i, cells := range g.Rows {
			line := i + 1
			if g.Lines != nil {
				line = g.Lines[i]
			}
			if !yield(Row{File: file, Line: line, Cells: cells}, nil) {
				return
			}
		}
	}
}

// A Handle is a file that is open for reading.
type Handle interface {
	io.ReaderAt
	io.Closer
}

// headSize is how many first bytes of a file are enough to find out what it is.
const headSize = 1 << 16

// NewFile returns a file after reading its head.
func NewFile(name string, size int64, open func() (Handle, error)) (*File, error) {
	f := &File{Name: name, Size: size, Open: open}
	h, err := open()
	if err != nil {
		return nil, err
	}
	defer h.Close()
	f.Head = make([]byte, min(size, headSize))
	if _, err := io.ReadFull(io.NewSectionReader(h, 0, size), f.Head); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// Base returns the file's name without folders and extensions.
func (f *File) Base() string {
	name := path.Base(f.Name)
	for _, ext := range []string{".gz", ".csv", ".tsv", ".txt", ".parquet", ".xlsx", ".xlsm", ".sav", ".zsav", ".dta", ".rds", ".rda", ".RData", ".jsonl", ".json", ".eval"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// A Format is a kind of file that people have.
type Format struct {
	Name string // what a person calls it
	// Sniff reports whether a file is of this kind. It looks at the file's Name and Head.
	Sniff func(f *File) bool
	// Read returns the responses in files of this kind. It reads as much as it needs to know the columns.
	Read func(files []*File, r Reading) (*Source, error)
}

// A Reading says how plain text is to be read. What is empty is found in the files.
type Reading struct {
	Encoding  string // utf-8, utf-16, latin-1 or windows-1252
	Separator string // what stands between cells: , ; tab or |
	Decimal   string // the decimal sign: . or ,
}

// A Source has responses as files have them: a table, row by row, and what its format knows of the columns.
type Source struct {
	Name   string // the file, or the first of several, for messages
	Format string // what was found, in words: "CSV", "Inspect log"
	Header []string
	// Each gives the rows. It may be ranged over again and gives the same rows then. A row is valid until the next one.
	Each iter.Seq2[Row, error]
	Read Reading // how plain text was read
	Known
	Notes []string // what was left out, or taken for something, with its number: a line each
	Form  string   // the column that says which forms of a test a subject took; empty: there is one form
	Twice string   // what a person can do if a subject has two responses to an item; empty: what always helps
}

// A Row has the cells of a row, as many as the header, and where they stand.
type Row struct {
	File  string
	Line  int
	Cells []string
}

// at returns the file and line of a row, for errors.
func (r *Row) at() string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// Known says which columns mean what. What is empty is found by names and values.
type Known struct {
	Subject, Item []string // the key of a subject, and of an item; the parts of a name are joined by a slash
	Score         string
	Trials        bool     // whether each row is a trial, so that its cells are not responses of several items or subjects
	Scores        []string // columns of which one is the score, if several could be: a person chooses with --metric, or ScoreFlag
	ScoreFlag     string   // metric or scorer; empty: metric
	Repetition    []string
	Choose        []Choose
	Demands       []string // columns that are features of items, whatever they are called
	Covariates    []string // columns that are known of subjects
	Absent        string   // score of subjects and items without a row, if these say something; it needs a table of items
	Ignored       []string // columns that are no part of a response, which need not be named
}

// A Choose names a column of which one value must be chosen if it has several, because each has all responses again.
type Choose struct {
	Flag     string // metric, filter or scorer
	Column   string
	Optional bool // one may be chosen and need not, because no response is there again
}

// fileColumn is a column that every table has: the name of the row's file, without folders and extensions.
const fileColumn = "(file)"

// column returns the index of a column, or −1.
func (s *Source) column(name string) int { return slices.Index(s.Header, name) }
