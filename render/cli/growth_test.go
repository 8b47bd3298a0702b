//go:build linux

package cli_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"achilles/render/figure/chart"
)

var growth = flag.String("growth", "", "measure how processor time and memory grow with these quantities, with commas between them, or with all, and rewrite the figures of docs/performance.md")

// The stages whose cost is measured, and the quantities that it is measured against.
const (
	making     = "generate: worlds, bodies, episodes"
	fitting    = "infer: one fit for each subject"
	scoring    = "score"
	reporting  = "report"
	fittingAll = "infer: one fit of 4 subjects, NUTS"
	laplace    = "infer: one fit of 4 subjects, Laplace"
	square     = "infer: one fit of n subjects and n items, NUTS"
)

var (
	stages     = []string{making, fitting, scoring, reporting, fittingAll, laplace, square}
	quantities = []string{"items", "subjects", "parameters", "processors"}
)

// A cost is what one command needs: one row of the table of docs/performance.md.
type cost struct {
	stage, quantity string
	size            int
	processor, wall time.Duration // wall is in the table only where the number of processors is the quantity
	megabytes       float64       // the largest resident set
}

// TestGrowth draws the figures of docs/performance.md from their table and compares them with those shown. With -growth
// it first measures the table anew:
//
//	nice go test ./render/cli -run TestGrowth -growth all -timeout 60m
func TestGrowth(t *testing.T) {
	const table = "../../docs/figures/growth.csv"
	if *growth != "" {
		m := meter{t: t, program: filepath.Join(t.TempDir(), "achilles")}
		if out, err := exec.Command("go", "build", "-o", m.program, "achilles").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var old []cost // those that are not measured anew
		if *growth != "all" {
			old = readCosts(t, table)
		}
		for k, measure := range []func(){m.items, m.subjects, m.parameters, m.processors} {
			if *growth == "all" || slices.Contains(strings.Split(*growth, ","), quantities[k]) {
				measure()
				continue
			}
			for _, c := range old {
				if c.quantity == quantities[k] {
					m.costs = append(m.costs, c)
				}
			}
		}
		write(t, table, tableOf(m.costs))
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("coordinates are rounded after sums that other processors may fuse")
	}
	costs := readCosts(t, table)
	for _, f := range []struct {
		name, title, axis string
		value             func(cost) float64
	}{
		{"growth-time.svg", "Processor time of a run", "processor time, seconds", func(c cost) float64 { return c.processor.Seconds() }},
		{"growth-memory.svg", "Memory of a run", "memory, MB", func(c cost) float64 { return c.megabytes }},
	} {
		file, got := filepath.Join("../../docs/figures", f.name), drawCosts(f.axis, costs, f.value).SVG(f.title)
		if *growth != "" || *update {
			write(t, file, got)
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not drawn from %s (%v); -growth measures both anew", file, table, err)
		}
	}
}

// A meter runs the program and notes what each run costs. Every run has a results directory of its own: one that is complete
// would not be made again.
type meter struct {
	t       *testing.T
	program string
	runs    int
	costs   []cost
}

// run runs one command of a stage on some processors, with one job for each, or, if processors is 0, on all with as many jobs as the
// command likes. If quantity is "", its cost is not kept.
func (m *meter) run(stage, quantity string, size, processors int, args ...string) {
	m.t.Helper()
	c := exec.Command(m.program, args...)
	if processors > 0 {
		c.Args = append(c.Args, "--jobs", strconv.Itoa(processors))
		c.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(processors))
	}
	start := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	k := cost{stage: stage, quantity: quantity, size: size, wall: time.Since(start), processor: c.ProcessState.UserTime() + c.ProcessState.SystemTime(),
		megabytes: float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1000}
	m.t.Logf("%s, %s %d: %v, %.0f MB", stage, quantity, size, k.processor, k.megabytes)
	if quantity != "" {
		m.costs = append(m.costs, k)
	}
}

// bodies makes a results directory in which bodies take worlds.
func (m *meter) bodies(quantity string, size, processors, items, bodies int) (dir string) {
	m.t.Helper()
	m.runs++
	dir = filepath.Join(filepath.Dir(m.program), strconv.Itoa(m.runs))
	m.run(making, quantity, size, processors, "generate", "embodied", "--out", dir, "--set", fmt.Sprint("battery.items=", items), "--set", fmt.Sprint("population[0].count=", bodies))
	return dir
}

// measured fits the layout `embodied` with 250 draws a chain, grades the fits and reports them.
func (m *meter) measured(quantity string, size int, dir string) {
	m.t.Helper()
	m.run(fitting, quantity, size, 2, "infer", dir, "--layout", "embodied", "--no-predict", "--draws", "250")
	m.run(scoring, quantity, size, 0, "score", dir)
	m.run(reporting, quantity, size, 0, "report", dir)
}

// Sizes go from one to a thousand, in steps of about the root of ten.
var threeDecades = []int{1, 3, 10, 32, 100, 316, 1000}

func (m *meter) items() {
	for _, n := range threeDecades {
		m.bodies("items", 30*n, 2, 30*n, 30)
		m.measured("items", 30*n, m.bodies("", 30*n, 2, 30*n, 3))
	}
}

func (m *meter) subjects() {
	for _, n := range threeDecades {
		m.measured("subjects", n, m.bodies("subjects", n, 2, 100, n))
	}
}

// parameters fits the Rasch model to 4 subjects and 8n items, so that there are 8n + 7 parameters and 32n responses, and, as long as
// that ends soon, to n subjects and n items: 2n + 3 parameters and n² responses.
func (m *meter) parameters() {
	rasch := func(subjects, items int) (dir string, parameters int) {
		dir = filepath.Join(filepath.Dir(m.program), fmt.Sprint("rasch-", subjects, "-", items))
		m.run(making, "", items, 2, "generate", "2pl", "--out", dir, "--set", "battery.layout=rasch", "--set", fmt.Sprint("battery.items=", items), "--set", fmt.Sprint("battery.subjects=", subjects))
		return dir, subjects + items + 3
	}
	for _, n := range threeDecades {
		dir, size := rasch(4, 8*n)
		m.run(laplace, "parameters", size, 2, "infer", dir, "--layout", "rasch", "--no-predict", "--draws", "250", "--engine", "laplace")
		m.run(fittingAll, "parameters", size, 2, "infer", dir, "--layout", "rasch", "--no-predict", "--draws", "250", "--force")
		if n <= 100 {
			dir, size = rasch(n, n)
			m.run(square, "parameters", size, 2, "infer", dir, "--layout", "rasch", "--no-predict", "--draws", "250")
		}
	}
}

// processors makes 1000 items for 30 bodies, and does cheap fits of 1000 subjects, so that there is something to do for a thousand
// jobs.
func (m *meter) processors() {
	dir := filepath.Join(filepath.Dir(m.program), "many")
	m.run(making, "", 1000, 2, "generate", "op-fresh", "--out", dir, "--set", "population[0].count=963", "--set", "battery.sample=60")
	for _, n := range []int{1, 2, 4, 10, 32, 100, 316, 1000} {
		m.bodies("processors", n, n, 1000, 30)
		m.run(fitting, "processors", n, n, "infer", dir, "--layout", "constant", "--no-predict", "--candidates", "none", "--draws", "100", "--warmup", "50", "--seed", strconv.Itoa(n), "--force") // a result of the same seed would not be made again
	}
}

// drawCosts draws one value of all costs, with one panel for each quantity.
func drawCosts(y string, costs []cost, value func(cost) float64) chart.Figure {
	var panels []chart.Panel
	for _, q := range quantities {
		p := chart.Panel{Title: q}
		for _, s := range stages {
			series := chart.Series{Name: s}
			for _, c := range costs {
				if c.quantity == q && c.stage == s {
					series.Points = append(series.Points, chart.Point{X: float64(c.size), Y: value(c)})
				}
			}
			p.Series = append(p.Series, series)
		}
		panels = append(panels, p)
	}
	return chart.LogPanels("number", y, panels, 2)
}

var costColumns = []string{"stage", "quantity", "size", "processor_seconds", "wall_seconds", "megabytes"}

func tableOf(costs []cost) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(costColumns) // a buffer has no errors
	for _, c := range costs {
		wall := ""
		if c.quantity == "processors" {
			wall = fmt.Sprintf("%.3f", c.wall.Seconds())
		}
		_ = w.Write([]string{c.stage, c.quantity, strconv.Itoa(c.size), fmt.Sprintf("%.3f", c.processor.Seconds()), wall, fmt.Sprintf("%.0f", c.megabytes)})
	}
	w.Flush()
	return b.Bytes()
}

func readCosts(t *testing.T, file string) (costs []cost) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(rows) < 2 || !slices.Equal(rows[0], costColumns) {
		t.Fatalf("%s: %v", file, err)
	}
	for _, r := range rows[1:] {
		size, err0 := strconv.Atoi(r[2])
		processor, err1 := time.ParseDuration(r[3] + "s")
		wall, err2 := time.ParseDuration(cmp.Or(r[4], "0") + "s")
		megabytes, err3 := strconv.ParseFloat(r[5], 64)
		c := cost{stage: r[0], quantity: r[1], size: size, processor: processor, wall: wall, megabytes: megabytes}
		if err0 != nil || err1 != nil || err2 != nil || err3 != nil || !slices.Contains(stages, c.stage) || !slices.Contains(quantities, c.quantity) {
			t.Fatalf("%s: row %v", file, r)
		}
		costs = append(costs, c)
	}
	return costs
}
