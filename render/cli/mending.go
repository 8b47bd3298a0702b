package cli

import (
	"path/filepath"
	"strings"

	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/expr"
	"achilles/sim/part"
)

// mends returns the command that makes a part of a directory anew, or "".
func mends(name, dir string) string {
	name, inner := strings.CutPrefix(name, results.BodiesPart+"/")
	if inner {
		dir = filepath.Join(dir, results.BodiesPart)
	}
	given := dir
	dir = expr.Quote(dir)
	switch name {
	case seal.PublicPart, seal.SealedPart:
		return "achilles run, generate or import with --out " + dir + " --force"
	case seal.InferredPart:
		if d, err := results.Open(given); err == nil {
			defer d.Close()
			return results.InferAgain(d, name)
		}
	case seal.ScoresPart:
		return "achilles score " + dir + " --force"
	case cardsName:
		return "achilles export card " + dir + " --force"
	case results.ReportPart:
		return "achilles report " + dir + " --force"
	case part.Analysis:
		return "achilles analyse DIR --out " + dir + " --force"
	case part.Items:
		return "achilles irt PATH --out " + dir + " --force"
	}
	return ""
}
