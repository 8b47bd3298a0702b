package cli

import (
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/record"
)

// mostJudged is the largest number of responses that import judges.
const mostJudged = 1 << 22

// judgeTable prints what responses cannot tell.
func judgeTable(a *app, d *record.Dataset) error {
	if n := d.Responses.Len(); n > mostJudged {
		a.note("the table is not checked for doubtful items and subjects, because that takes long for %s: infer does it", num.Counted(n, "response"))
		return nil
	}
	for _, m := range d.Manifest.Measures {
		j, err := table.Judge(d, m.Name)
		if err != nil {
			return err
		}
		if len(d.Manifest.Measures) > 1 {
			a.say("measure %s", m.Name)
		}
		a.printEach(table.FindingsTable(j.Findings))
	}
	return nil
}
