//go:build unix

package tables_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"achilles/battery/batterytest"
	"achilles/battery/tables"
	"achilles/battery/tables/tablestest"
)

// BenchmarkWide measures how many times the processor time of a long matrix, of 16,000 subjects × 15 items, a wide one takes, of 15 subjects × 16,000
// items. What compares each column with every other shows in it: with 1,000 times as many pairs, the ratio is in the hundreds.
func BenchmarkWide(b *testing.B) {
	matrix := func(rows, columns int) tab {
		var text strings.Builder
		text.WriteString("subject")
		for i := range columns {
			text.WriteString(",q" + strconv.Itoa(i))
		}
		for s := range rows {
			text.WriteString("\ns" + strconv.Itoa(s))
			for i := range columns {
				text.WriteString("," + strconv.Itoa((s*7+i*13+s*i)%5%2))
			}
		}
		return tab{"t.csv", text.String() + "\n"}
	}
	wide, long := matrix(15, 16000), matrix(16000, 15)
	var took [2]time.Duration
	for b.Loop() {
		for k, f := range []tab{wide, long} {
			start := batterytest.ProcessorTime()
			in, _, err := tables.Open([]tables.Format{tables.Rectangle()}, []*tables.File{tablestest.File(f.name, []byte(f.text))}, nil, nil, tables.Reading{})
			var p *tables.Proposal
			if err == nil {
				p, err = tables.Propose(in, tables.Wishes{})
			}
			if err == nil {
				_, _, err = tables.Build(in, p.Mapping)
			}
			if err != nil {
				b.Fatal(err)
			}
			took[k] += batterytest.ProcessorTime() - start
		}
	}
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "wide/long")
}
