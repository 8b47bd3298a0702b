package infer

import (
	"context"
	"errors"
	"slices"

	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/smc"
	"achilles/sim/record"
)

// A tableFit is a fit of all subjects together but those who are lost: no draw explains their responses, so that each of them loses its
// own profile, and not everybody's.
type tableFit struct {
	means [][]float64 // layout.Joint.Means of the responses of the others
	cells *layout.Cells
	post  *posterior.Posterior
	lost  []int
	tried int // number of draws
}

// fitExplained fits all subjects together.
func (r jointly) fitExplained(ctx context.Context, rows string, use []record.Response, progress func(done, total int)) (*tableFit, error) {
	f := &tableFit{}
	for {
		var err error
		if f.means, err = r.joint.Means(use); err != nil {
			return nil, err
		}
		if f.cells, err = r.joint.NewCells(use, f.means); err != nil {
			return nil, err
		}
		f.post, err = r.drawTogether(ctx, f.cells, r.Jobs, progress, "infer", rows)
		var none *joint.Impossible
		if !errors.As(err, &none) || len(none.Subjects) == 0 {
			return f, err
		}
		f.lost, f.tried = append(f.lost, none.Subjects...), none.Points
		if use = f.known(use); len(use) == 0 {
			return nil, err // nobody is left
		}
	}
}

// known returns the responses of subjects who are not lost.
func (f *tableFit) known(responses []record.Response) []record.Response {
	if len(f.lost) == 0 {
		return responses
	}
	return slices.DeleteFunc(slices.Clone(responses), func(x record.Response) bool { return slices.Contains(f.lost, int(x.Subject)) })
}

// noExplanation returns the fit of a subject whose responses have probability 0 at a number of points drawn from the prior.
func noExplanation(id, rows string, points int) Fit {
	f, _ := unresolved(id, rows, &posterior.Unresolved{Err: &smc.Impossible{Points: points}})
	return f
}

// loses reports whether a fit of all subjects together gives a subject no result.
func (p *piece) loses(subject string) bool {
	return slices.ContainsFunc(p.Lost, func(f Fit) bool { return f.Subject == subject })
}

// haveDraws returns for every subject whether a result has draws of it.
func haveDraws(subjects []string, res *Result) ([]bool, error) {
	out := make([]bool, len(subjects))
	if res.Draws == nil {
		return out, nil
	}
	for of, err := range res.Draws.All() {
		if err != nil {
			return nil, err
		}
		if s, ok := slices.BinarySearch(subjects, of.Subject); ok {
			out[s] = true
		}
	}
	return out, nil
}
