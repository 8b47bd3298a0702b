package cli

import (
	"strings"

	"achilles/render/format"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
)

// mends returns the command that makes a part of a directory anew, or "".
func mends(name, dir string) string {
	name, inner := strings.CutPrefix(name, results.BodiesPart+"/")
	if dir = format.Quote(dir); inner {
		dir += "/" + results.BodiesPart
	}
	switch name {
	case seal.PublicPart, seal.SealedPart:
		return "achilles run, generate or import with --out " + dir + " --force"
	case seal.InferredPart:
		return "achilles infer " + dir + " --force"
	case seal.ScoresPart:
		return "achilles score " + dir + " --force"
	case results.ReportPart:
		return "achilles report " + dir + " --force"
	case part.Analysis:
		return "achilles analyse DIR --out " + dir + " --force"
	case part.Items:
		return "achilles irt PATH --out " + dir + " --force"
	}
	return ""
}
