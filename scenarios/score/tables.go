package score

import "achilles/sim/table"

// Tables returns the graded tables in the order in which people read them. Each has a row at least.
func (s *Scores) Tables() (out []*table.Table) {
	for _, t := range []*table.Table{
		summaryTable(s),
		warningTable(s),
		takerTable(s),
		verdictTable(s),
		wordsTable(s),
		designTable(s),
		confusionTable(s),
		gradeTable(s),
		recoveryTable(s),
		coverageTable(s),
		binaryTable(s),
		simulatedTable(s),
		modelTable(s),
		profileTable(s),
		parametersOf(s),
		predictionTable(s),
		missTable(s),
		hurdleTable(s),
		valueTable(s),
		ctestTable(s),
		curveTable(s),
		collectiveTable(s),
		pathTable(s),
		rankingTable(s),
		observersTable(s),
		psychometricTable(s),
		expectationTable(s),
		askedTable(s),
		publishedObserverTable(s),
		episodeTable(s),
		FitTable(s.Fits, s),
	} {
		if t != nil && len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}
