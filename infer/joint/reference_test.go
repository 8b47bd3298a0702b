package joint_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

func replace(text, centred string) string { return strings.ReplaceAll(text, "CENTRED", centred) }

// dataFile opens a file of the data folder, and skips the test if there is none.
func dataFile(t *testing.T, name string) *os.File {
	t.Helper()
	root := os.Getenv("ACHILLES_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, name))
	if err != nil {
		t.Skipf("no reference data: set ACHILLES_DATA to the folder that has them (%v)", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestTwoParameter compares posterior means with those of a million draws (stan-dev/stat_comp_benchmarks, irt_2pl).
func TestTwoParameter(t *testing.T) {
	longtest.Only(t, "takes 20 s")
	var data struct{ Y [][]float64 }
	if err := json.NewDecoder(dataFile(t, "irt_2pl/irt_2pl.data.json")).Decode(&data); err != nil {
		t.Fatal(err)
	}
	reference := map[string][2]float64{}
	lines := bufio.NewScanner(dataFile(t, "irt_2pl/irt_2pl.params"))
	for lines.Scan() {
		var name string
		var x [2]float64
		if _, err := fmt.Sscan(lines.Text(), &name, &x[0], &x[1]); err == nil {
			reference[name] = x
		}
	}
	const items, subjects = 20, 100
	var responses []record.Response
	for s := range subjects {
		for i := range items {
			responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Value: data.Y[i][s]})
		}
	}
	j := bind(t, twoParameter, battery(items, nil), subjects, record.Binary)
	p, err := joint.Fit(context.Background(), cells(t, j, responses), joint.Default(), 1, "irt")
	if err != nil {
		t.Fatal(err)
	}
	var mean, se []float64
	for i, q := range j.Layout().Parameters {
		for u := range j.Units(i) {
			name := q.Name
			if j.Units(i) > 1 {
				name = fmt.Sprintf("%s[%d]", q.Name, u+1)
			}
			x, ok := reference[name]
			if !ok {
				t.Fatalf("no reference for %s", name)
			}
			mean, se = append(mean, x[0]), append(se, x[1]/500) // at least 250,000 effective draws
		}
	}
	compare(t, "irt_2pl", p, mean, se)
}
