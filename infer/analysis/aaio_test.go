package analysis_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/table"
	"achilles/sim/conf"
	"achilles/sim/record"
)

// aaio reads a file of the Animal-AI Olympics. It skips the test if the file is not in the data folder.
func aaio(t testing.TB, name string) [][]string {
	t.Helper()
	dir := os.Getenv("ACHILLES_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	b, err := os.ReadFile(filepath.Join(dir, "aaio", name))
	if err != nil {
		t.Skipf("the data of the Animal-AI Olympics are not here (set ACHILLES_DATA to their parent): %v", err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// olympics returns the dataset of 68 agents × 99 trials, and the place of each of its responses in the long table of
// the published script. That table lists agents in the order of scores_all.csv and, for each agent, trials in the order
// of task_codes.csv.
func olympics(t testing.TB) (d *record.Dataset, place []int) {
	t.Helper()
	codes, scores := aaio(t, "task_codes.csv"), aaio(t, "scores_all.csv")
	head, codes := codes[0], codes[1:]
	d = &record.Dataset{Reasons: []string{""}}
	d.Manifest.Measures = []record.Measure{{Name: "success", Family: record.Binary}}
	trial := ascending(codes)
	for _, k := range trial {
		id := codes[k][0]
		d.Items.ID = append(d.Items.ID, id)
		d.Items.Suite = append(d.Items.Suite, "aaio")
		d.Items.Paradigm = append(d.Items.Paradigm, id[:strings.Index(id, "-")])
		d.Items.Task = append(d.Items.Task, id[:strings.LastIndex(id, "-")])
	}
	for c, name := range head[1:] {
		col := record.Column{Feature: record.Feature{Name: name, Kind: record.Text}}
		if c < 2 {
			col.Kind = record.Number
		}
		for _, k := range trial {
			v := codes[k][c+1]
			if col.Kind == record.Text {
				col.Text = append(col.Text, v)
				continue
			}
			x, err := strconv.ParseFloat(v, 64)
			col.Number, col.Missing = append(col.Number, x), append(col.Missing, err != nil)
		}
		d.Items.Columns = append(d.Items.Columns, col)
	}
	names, scores := scores[0], scores[1:]
	var list []record.Response
	for s, agent := range ascending(scores) {
		d.Subjects = append(d.Subjects, scores[agent][0])
		for i, k := range trial {
			v := 0.0
			if scores[agent][slices.Index(names, codes[k][0])] == "True" {
				v = 1
			}
			list = append(list, record.Response{Subject: int32(s), Item: int32(i), Value: v})
			place = append(place, agent*len(codes)+k)
		}
	}
	d.Responses = record.PackResponses(list)
	return d, place
}

// ascending returns the indices of the rows in ascending order of their first field.
func ascending(rows [][]string) []int {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(rows[a][0], rows[b][0]) })
	return order
}

func published(t testing.TB) analysis.Settings {
	t.Helper()
	b, err := os.ReadFile("../../scenarios/analyses/not-a-number.toml")
	if err != nil {
		t.Fatal(err)
	}
	root, err := conf.Parse("not-a-number.toml", string(b))
	if err != nil {
		t.Fatal(err)
	}
	c, p := analysis.Default(), root.Table("prediction")
	c.Measure, c.Capability = root.Text("measure"), root.Texts("capability")
	c.Prediction.Features, c.Prediction.ItemFeatures = p.Texts("features"), p.Texts("item_features")
	c.Prediction.Thorough = p.Flag("thorough", false)
	if c.Read(root, string(b)); root.Err() != nil {
		t.Fatal(root.Err())
	}
	c.Jobs = 2
	return c
}

// referenceSplits returns the ten splits of nan_splits.csv in the form that ParseSplits reads.
func referenceSplits(t testing.TB, d *record.Dataset, place []int) []byte {
	rows := aaio(t, "nan_splits.csv")
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(append([]string{"subject", "item"}, rows[0]...))
	for i, r := range d.Responses.All() {
		w.Write(append([]string{d.Subjects[r.Subject], d.Items.ID[r.Item]}, rows[1+place[i]]...))
	}
	w.Flush()
	return b.Bytes()
}

func buildTable(t testing.TB, d *record.Dataset, c analysis.Settings) *table.Table {
	t.Helper()
	var specs []table.Spec
	for _, f := range c.Features {
		specs = append(specs, f.Spec)
	}
	tb, err := table.Build(d, "success", specs)
	if err != nil {
		t.Fatal(err)
	}
	return tb
}

// TestReferenceSplitsAreThePublishedOnes checks that the reference splits, and the order of rows that we assume, are
// those of the paper: R's generator, with the seeds of the published script, must draw the training rows of every
// reference split. (The script then draws the uniform numbers of its stochastic rules from the same generator.)
func TestReferenceSplitsAreThePublishedOnes(t *testing.T) {
	rows := aaio(t, "nan_splits.csv")[1:]
	for k := range 10 {
		train := make([]bool, len(rows))
		r := newR(uint32(k + 1))
		for _, i := range r.sample(len(rows), len(rows)*3/4) {
			train[i] = true
		}
		for i, row := range rows {
			if train[i] != (row[k] == "1") {
				t.Fatalf("split %d differs in row %d", k+1, i)
			}
		}
	}
}

// An rGenerator is R's default generator: the Mersenne Twister (Matsumoto and Nishimura 1998), with R's scrambled seeding
// and its sampling by rejection (since 3.6.0).
type rGenerator struct {
	state [624]uint32
	at    int
}

func newR(seed uint32) *rGenerator {
	r := &rGenerator{at: 624}
	for range 50 {
		seed = 69069*seed + 1
	}
	seed = 69069*seed + 1 // R stores the position before the state; the position takes the first number
	for i := range r.state {
		seed = 69069*seed + 1
		r.state[i] = seed
	}
	return r
}

func (r *rGenerator) uniform() float64 {
	if r.at == 624 {
		for k := range r.state {
			y := r.state[k]&0x80000000 | r.state[(k+1)%624]&0x7fffffff
			r.state[k] = r.state[(k+397)%624] ^ y>>1 ^ y&1*0x9908b0df
		}
		r.at = 0
	}
	y := r.state[r.at]
	r.at++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	y ^= y >> 18
	return float64(y) * 2.3283064365386963e-10
}

// below draws a whole number below n. It uses as many bits as n needs, drawn 16 at a time.
func (r *rGenerator) below(n int) int {
	bits := 0
	for 1<<bits < n {
		bits++
	}
	for {
		v := 0
		for got := 0; got <= bits; got += 16 {
			v = v<<16 + int(r.uniform()*65536)
		}
		if v &= 1<<bits - 1; v < n {
			return v
		}
	}
}

// sample draws k of 0 … n−1 without replacement.
func (r *rGenerator) sample(n, k int) []int {
	pool := make([]int, n)
	for i := range pool {
		pool[i] = i
	}
	out := make([]int, k)
	for i := range out {
		j := r.below(n)
		out[i] = pool[j]
		n--
		pool[j] = pool[n]
	}
	return out
}
