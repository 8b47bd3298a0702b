package evallog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"achilles/battery/tables"
	"achilles/sim/record"
)

func lightevalFormat() tables.Format {
	return tables.Format{
		Name: "lighteval details",
		Sniff: func(f *tables.File) bool {
			base := path.Base(f.Name)
			if bytes.HasPrefix(f.Head, []byte("PAR1")) {
				return strings.Contains(base, "details")
			}
			return strings.HasPrefix(base, "results_") && has(f, "config_general")
		},
		Read: readLighteval,
	}
}

func readLighteval(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	c := newCollection(words{
		format: "lighteval details", subject: []string{"model"},
		item: "doc_id", metric: "metric", feature: "specific",
	})
	var details, results []*tables.File
	for _, f := range files {
		if bytes.HasPrefix(f.Head, []byte("PAR1")) {
			details = append(details, f)
		} else {
			results = append(results, f)
		}
	}
	if len(details) == 0 {
		return nil, fmt.Errorf("%s: results without details: name the folder that has details_*.parquet, which --save-details writes", files[0].Name)
	}
	for _, f := range details {
		r, err := c.lightevalRun(f, results)
		if err != nil {
			return nil, err
		}
		l := &lightevalLog{collection: c, run: c.start(r), task: r.task}
		if err := with(f, func(in io.ReaderAt) error { return l.details(in, f.Size) }); err != nil {
			return nil, err
		}
	}
	return c.source(details)
}

// lightevalRun returns the run of a file of details: task and time are in its name, the model in the folders above it or in the results of
// the same time.
func (c *collection) lightevalRun(f *tables.File, results []*tables.File) (*run, error) {
	task, at := stamped(f)
	r := &run{file: f.Name, subject: make([]string, 1), task: strings.TrimPrefix(task, "details_"), created: stampTime(at)}
	for _, g := range results {
		if _, when := stamped(g); when != at || at == "" {
			continue
		}
		err := stream(g, func(s *scanner) error {
			return s.object(func(key string) error {
				if key != "config_general" {
					return s.skip()
				}
				return s.object(func(key string) error {
					if key == "model_name" {
						return s.text(&r.subject[0])
					}
					return s.skip()
				})
			})
		})
		if err != nil {
			return nil, err
		}
	}
	if r.subject[0] == "" {
		folders := strings.Split(path.Dir(f.Name), "/")
		for i, name := range folders {
			if name == "details" && i+1 < len(folders) {
				last := len(folders)
				if stampTime(folders[last-1]) != 0 && last > i+2 {
					last--
				}
				r.subject[0] = strings.Join(folders[i+1:last], "/")
			}
		}
	}
	if r.subject[0] == "" {
		r.subject[0] = r.task
		c.note("file", "without the model's name, which folders above it have (details/MODEL/TIME): its subject is called after it", f.Name)
	}
	return r, nil
}

type lightevalLog struct {
	*collection
	run  int32
	task string
}

// A leaf is a column of the details that is read.
type leaf struct {
	name string
	what byte // i id, s score, t scores as text, f feature
}

// leafOf says what a column is. ok is false for those that are not needed.
func leafOf(path []string) (l leaf, ok bool) {
	name := path[len(path)-1]
	group := strings.Join(path[:len(path)-1], ".")
	switch {
	case group == "doc" && name == "id":
		return leaf{name, 'i'}, true
	case group == "metric" || group == "metrics":
		return leaf{name, 's'}, true
	case group == "" && (name == "metric" || name == "metrics"):
		return leaf{name, 't'}, true
	case group == "doc.specific" || group == "specifics":
		return leaf{name, 'f'}, true
	}
	return leaf{}, false
}

// details reads a file of details, row by row.
func (l *lightevalLog) details(in io.ReaderAt, size int64) (err error) {
	defer record.RecoverCorrupt(&err)
	p, err := record.OpenParquet(in, size)
	if err != nil {
		return err
	}
	leaves, scores := map[int]leaf{}, false
	for i, path := range p.Schema().Columns() {
		x, ok := leafOf(path)
		column, found := p.Schema().Lookup(path...)
		if !ok || !found || len(leaves) > maxFeatures {
			continue
		}
		if column.MaxRepetitionLevel > 0 {
			l.note("column", "with several values in a row, left out", strings.Join(path, "."))
			continue
		}
		leaves[i] = x
		scores = scores || x.what == 's' || x.what == 't'
	}
	if !scores {
		return errors.New("no column metric or metrics")
	}
	line := 0
	for _, g := range p.RowGroups() {
		if err := l.group(g, leaves, &line); err != nil {
			return err
		}
	}
	return nil
}

func (l *lightevalLog) group(g parquet.RowGroup, leaves map[int]leaf, line *int) error {
	rows := g.Rows()
	defer rows.Close()
	buf := make([]parquet.Row, 64)
	for {
		n, err := rows.ReadRows(buf)
		for _, r := range buf[:n] {
			*line++
			if err := l.row(r, leaves, *line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (l *lightevalLog) row(r parquet.Row, leaves map[int]leaf, line int) error {
	e := entry{item: strconv.Itoa(line - 1), line: line}
	for _, v := range r {
		x, ok := leaves[v.Column()]
		if !ok || v.IsNull() {
			continue
		}
		switch x.what {
		case 'i':
			if id := v.String(); id != "" {
				e.item = id
			}
		case 's':
			if sc, ok := l.readScore(x.name, parquetValue(v)); ok {
				e.scores = append(e.scores, sc)
			}
		case 't':
			if err := l.dictionary(v.String(), &e); err != nil {
				return fmt.Errorf("row %d: %s: %w", line, x.name, err)
			}
		case 'f':
			if text := parquetValue(v).text; text != "" {
				e.features = append(e.features, feature{name: x.name, text: text})
			}
		}
	}
	if len(e.scores) == 0 {
		l.note("row", "without a score (no value)", l.task+"/"+e.item)
	}
	return l.add(l.run, &e)
}

// dictionary reads scores that were written as the text of a dictionary of Python: {'acc': 1.0}.
func (l *lightevalLog) dictionary(text string, e *entry) error {
	s := newScanner(strings.NewReader(text))
	s.python = true
	err := s.object(func(metric string) error { return l.addScore(s, metric, e) })
	if err == nil {
		err = s.ends()
	}
	return err
}

// parquetValue returns a value of a column as JSON would have it.
func parquetValue(v parquet.Value) value {
	number := func(x float64, bits int) value {
		return value{kind: '0', num: x, text: strconv.FormatFloat(x, 'g', -1, bits)}
	}
	switch v.Kind() {
	case parquet.Double:
		return number(v.Double(), 64)
	case parquet.Float:
		x, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v.Float()), 'g', -1, 32), 64)
		return number(x, 64)
	case parquet.Int32:
		return number(float64(v.Int32()), 64)
	case parquet.Int64:
		return value{kind: '0', num: float64(v.Int64()), text: strconv.FormatInt(v.Int64(), 10)}
	case parquet.Boolean:
		if v.Boolean() {
			return value{kind: 'b', num: 1, text: "true"}
		}
		return value{kind: 'b', text: "false"}
	}
	return value{kind: '"', text: v.String()}
}
