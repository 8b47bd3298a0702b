package tables

import (
	"fmt"
	"slices"
)

// A surveyed is the table of responses of which a mapping is proposed, and what its columns were taken for so far.
type surveyed struct {
	src     *Source
	read    Reading
	columns []*profile
	rows    int
	used    map[string]string // column → what it was taken for
}

func (s *surveyed) column(name string) *profile {
	if i := s.src.column(name); i >= 0 {
		return s.columns[i]
	}
	return nil
}

// named returns the first column with one of the names that is not used yet, and "" if there is none.
func (s *surveyed) named(names []string, fits func(c *profile) bool) string {
	for _, name := range names {
		for _, c := range s.columns {
			if s.used[c.name] == "" && plain(c.name) == name && (fits == nil || fits(c)) && !slices.Contains(s.src.Demands, c.name) {
				return c.name
			}
		}
	}
	return ""
}

// take marks columns as used.
func (s *surveyed) take(as string, names ...string) {
	for _, n := range names {
		s.used[n] = as
	}
}

// width is the number of columns of the responses, without that of the file's name.
func (s *surveyed) width() int {
	n := len(s.src.Header)
	if s.src.column(fileColumn) >= 0 {
		n--
	}
	return n
}

// cells says which columns have the responses of a matrix.
func (s *surveyed) cells(what string) string {
	var names []string
	for _, h := range s.src.Header {
		if s.used[h] == "response" {
			names = append(names, h)
		}
	}
	return fmt.Sprintf("%s: %s", count(len(names), what), listed(names))
}
