package generate_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"testing"

	"achilles/scenarios/generate"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// printEnv is an environment variable. If it is set, the test program prints the digests of what it encodes, instead of
// comparing them.
const printEnv = "ACHILLES_TEST_PRINT"

// TestSameBytesOnEveryProcessor checks that published files, and tables of rows, have the same bytes if the program
// believes that the processor lacks the features for which encoders have special code. (.ci/elsewhere.sh checks the
// same with whole runs, and on arm64.)
func TestSameBytesOnEveryProcessor(t *testing.T) {
	if os.Getenv(printEnv) == "" {
		longtest.Only(t, "starts itself again as other processes")
	}
	digests := encoded(t)
	if os.Getenv(printEnv) != "" {
		fmt.Print(digests)
		return
	}
	for _, off := range []string{"cpu.avx2=off", "cpu.all=off"} {
		c := exec.Command(os.Args[0], "-test.run=^TestSameBytesOnEveryProcessor$")
		c.Env = append(os.Environ(), printEnv+"=1", "GODEBUG="+off)
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(out, []byte(digests)) {
			t.Errorf("with %s other bytes are published:\n%s\ninstead of\n%s", off, out, digests)
		}
	}
}

// encoded returns the digests of tables with few different values in runs of all lengths, for which encoders differ.
func encoded(t *testing.T) string {
	public, _ := publish(t, session(1, 40, 300))
	acted, _ := publish(t, run(t, acting(t), generate.Config{Seed: 1}))
	for name, data := range acted {
		public["acting/"+name] = data
	}
	r := rng.Stream(1, "runs")
	type row struct {
		Word   string   `parquet:"word,plain"`
		Number float64  `parquet:"number"`
		Maybe  *float64 `parquet:"maybe,optional"`
		Whole  int32    `parquet:"whole"`
	}
	var rows []row
	for len(rows) < 20_000 {
		x := row{Word: fmt.Sprint("w", r.IntN(3)), Number: float64(r.IntN(2)), Whole: int32(r.IntN(4))}
		if r.IntN(3) > 0 {
			x.Maybe = &x.Number
		}
		rows = append(rows, slices.Repeat([]row{x}, 1+r.IntN(12))...)
	}
	var err error
	if public["rows"], err = record.EncodeRows(rows); err != nil {
		t.Fatal(err)
	}
	if back, err := record.DecodeRows[row](public["rows"]); err != nil || len(back) != len(rows) || back[7].Word != rows[7].Word || back[len(back)-1].Number != rows[len(rows)-1].Number {
		t.Fatalf("the rows are not read back (%v)", err)
	}
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(public)) {
		fmt.Fprintf(&out, "%x %s\n", sha256.Sum256(public[name]), name)
	}
	return out.String()
}
