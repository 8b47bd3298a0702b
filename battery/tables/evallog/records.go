package evallog

import (
	"io"
	"path"
	"strings"

	"achilles/battery/tables"
)

// records calls record before each object of a file that has one a line, or a list of them. Number is the object's, from 1.
func records(file *tables.File, record func(s *scanner, number int) error) error {
	return with(file, func(in io.ReaderAt) error {
		s := newScanner(io.NewSectionReader(in, 0, file.Size))
		n := 0
		one := func() error {
			n++
			return record(s, n)
		}
		if c, err := s.peek(); err == nil && c == '[' {
			if err := s.array(one); err != nil {
				return err
			}
			return s.ends()
		}
		for {
			if more, err := s.next(); !more || err != nil {
				return err
			}
			if err := one(); err != nil {
				return err
			}
		}
	})
}

// firstHas reports whether a file is a list whose first object has all of these keys in its head.
func firstHas(file *tables.File, keys ...string) bool {
	head := strings.TrimLeft(string(file.Head), " \t\r\n")
	if !strings.HasPrefix(head, "[") {
		return false
	}
	first := *file
	first.Head = []byte(head[1:])
	return has(&first, keys...)
}

// called returns a name for each of the files that do not say which model they are of: the file's own, or that of its folder where files
// of several folders are called alike.
func (c *collection) called(files []*tables.File) map[string]string {
	return c.calledBy(files, func(f *tables.File) string {
		return strings.TrimRight(strings.TrimSuffix(f.Base(), "eval_results"), "_.")
	}, folder)
}

func folder(f *tables.File) string { return path.Base(path.Dir(f.Name)) }

// calledBy returns the names by the first of some ways that gives every file one of its own; where none does, the files' paths.
func (c *collection) calledBy(files []*tables.File, ways ...func(f *tables.File) string) map[string]string {
	names := map[string]string{}
	for _, name := range append(ways, func(f *tables.File) string { return f.Name }) {
		seen := map[string]bool{}
		for _, f := range files {
			names[f.Name] = name(f)
			seen[name(f)] = true
		}
		if len(seen) == len(files) && !seen["."] && !seen["/"] && !seen[""] {
			break
		}
	}
	for _, f := range files {
		c.note("file", "without the model's name: its subject gets the name of the file or its folder", f.Name)
	}
	return names
}
