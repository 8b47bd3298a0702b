package tables

import (
	"strconv"
	"strings"

	"achilles/sim/record"
)

// ofTrials returns the successes and the trials in a cell such as 7/10. ok is false if it has none, or more successes than trials.
func ofTrials(cell string) (successes, trials int32, ok bool) {
	before, after, found := strings.Cut(cell, "/")
	if !found {
		return 0, 0, false
	}
	k, err := strconv.ParseUint(strings.TrimSpace(before), 10, 31)
	n, not := strconv.ParseUint(strings.TrimSpace(after), 10, 31)
	if err != nil || not != nil || n < 1 || k > n {
		return 0, 0, false
	}
	return int32(k), int32(n), true
}

// ofTrials reports whether every value is a number of successes of a number of trials.
func (p *profile) ofTrials() bool { return p.shares > 0 && p.shares == p.word && p.number == 0 }

// valued sets the value of a response, and its trials if the cell has both.
func (m *marking) valued(a *answer, cell string, cells []string, right []int) (err error) {
	if k, n, ok := ofTrials(cell); ok && m.m.Responses.Family == record.Count {
		a.value, a.trials = float64(k), n
		return nil
	}
	if a.trials = m.m.Responses.Each; a.trials > 0 {
		a.value, err = m.among(cell, float64(a.trials))
		return err
	}
	a.value, err = m.scored(cell, cells, right)
	return err
}
