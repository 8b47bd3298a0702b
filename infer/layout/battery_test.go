package layout_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// dataFile returns the path of a file in the shared data folder. It skips the test if the file does not exist.
func dataFile(t testing.TB, name ...string) string {
	t.Helper()
	root := os.Getenv("ACHILLES_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	file := filepath.Join(append([]string{root}, name...)...)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("no %s: set ACHILLES_DATA to the data folder", file)
	}
	return file
}

// A sheet has the columns of a CSV file, by name.
type sheet struct {
	rows int
	col  map[string][]string
}

func readSheet(t testing.TB, file string) sheet {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	s := sheet{rows: len(lines) - 1, col: map[string][]string{}}
	for c, name := range lines[0] {
		for _, line := range lines[1:] {
			s.col[name] = append(s.col[name], line[c])
		}
	}
	return s
}

func (s sheet) numbers(t testing.TB, name string) []float64 {
	t.Helper()
	out := make([]float64, s.rows)
	for i, v := range s.col[name] {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil {
			t.Fatalf("column %s: %v", name, err)
		}
		out[i] = x
	}
	return out
}

var success = []record.Measure{{Name: "success", Family: record.Binary}}

func numberColumn(name string, v []float64) record.Column {
	return record.Column{Feature: record.Feature{Name: name, Kind: record.Number, Role: record.Demand}, Number: v}
}

// newItems returns items with these columns. Their IDs are item0, item1, …
func newItems(columns ...record.Column) *record.Items {
	it := &record.Items{Columns: columns}
	n := len(columns[0].Number) + len(columns[0].Text)
	for i := range n {
		id := "item" + strconv.Itoa(i)
		it.ID, it.Suite, it.Paradigm, it.Task = append(it.ID, id), append(it.Suite, "s"), append(it.Paradigm, "p"), append(it.Task, "t")
	}
	return it
}

// opColumns has, for each column, its name in the published battery and its name in ../shared/data/op/responses.csv.
var opColumns = [][2]string{
	{"timeUnderOcclusion", "time"}, {"numPositions", "positions"}, {"goalSize", "size"}, {"goalDistance", "distance"}, {"rightLeft", "xpos"},
	{"lava", "lava"}, {"ramp", "ramp"}, {"platform", "platform"}, {"occluder", "occluder"},
}

// opBattery returns the 2188 items of the object-permanence battery, and the responses of the 30 synthetic agents of the
// paper.
func opBattery(t testing.TB) (*record.Items, [][]record.Response) {
	s := readSheet(t, dataFile(t, "op", "responses.csv"))
	var cols []record.Column
	for _, c := range opColumns {
		cols = append(cols, numberColumn(c[0], s.numbers(t, c[1])))
	}
	var subjects [][]record.Response
	for a := 1; a <= 30; a++ {
		subjects = append(subjects, answers(s.numbers(t, "Agent"+strconv.Itoa(a))))
	}
	return newItems(cols...), subjects
}

// releasedBattery returns the 2188 items of the paper with the metafeatures that the released data give them. These have
// 447 distinct rows.
func releasedBattery(t testing.TB) *record.Items {
	s := readSheet(t, dataFile(t, "opiaagets", "opiaagets_paper_subset.csv"))
	var cols []record.Column
	for _, c := range [][2]string{
		{"timeUnderOcclusion", "time_under_occlusion"}, {"numPositions", "num_other_positions"}, {"goalSize", "goal_size"}, {"goalDistance", "goal_distance"}, {"rightLeft", "right_left"},
		{"lava", "lava"}, {"ramp", "ramp"}, {"platform", "platform"}, {"occluder", "occluder_present"},
	} {
		cols = append(cols, numberColumn(c[0], s.numbers(t, "paper_"+c[1])))
	}
	return newItems(cols...)
}

func answers(y []float64) []record.Response {
	var out []record.Response
	for i, v := range y {
		out = append(out, record.Response{Item: int32(i), Value: v})
	}
	return out
}

func shipped(t testing.TB, name string) *layout.Layout {
	t.Helper()
	file := filepath.Join("..", "..", "scenarios", "layouts", name+".toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	l, err := layout.Parse(name+".toml", string(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func bind(t testing.TB, l *layout.Layout, items *record.Items, measures []record.Measure) *layout.Design {
	t.Helper()
	d, err := l.Bind(items, measures)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func target(t testing.TB, d *layout.Design, responses []record.Response) *layout.Target {
	t.Helper()
	data, err := d.NewData(responses)
	if err != nil {
		t.Fatal(err)
	}
	return d.NewTarget(data)
}
