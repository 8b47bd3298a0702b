package cli

import (
	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
)

// A naming has the names of subjects of generated data by their public ids, once score has opened the seal; else it is empty.
type naming struct{ names, ids map[string]string }

// namesIn reads the names in the scores of a directory. Scores that cannot be read have none: whoever reads the scores themselves is told why.
func namesIn(d *results.Dir) naming {
	n := naming{map[string]string{}, map[string]string{}}
	if !d.Has(seal.ScoresPart) {
		return n
	}
	if _, fsys, err := score.OpenScores(d); err == nil {
		if s, err := score.Graded(fsys); err == nil {
			for i := range s.Profiles {
				p := &s.Profiles[i]
				n.names[p.Subject], n.ids[p.Name] = p.Name, p.Subject
			}
		}
	}
	return n
}

// name returns the name of a subject by its id, or by its name.
func (n naming) name(subject string) string {
	if name, ok := n.names[subject]; ok {
		return name
	}
	return subject
}

// id returns the id of a subject by its name, or by its id.
func (n naming) id(subject string) string {
	if id, ok := n.ids[subject]; ok {
		return id
	}
	return subject
}
