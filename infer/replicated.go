package infer

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// ErrTogether says that the draws of items and shared parameters were not kept, so that nothing can be said of single responses.
var ErrTogether = errors.New("it was inferred by a version that did not keep the draws of item and shared parameters")

// Replicated has, of one subject and one measure, the responses that the layout explains, and at each draw their log likelihoods and
// responses that the layout draws anew in their place.
type Replicated struct {
	Subject, Measure string
	Responses        []record.Response
	LogLik, Drawn    [][]float64 // [draw][response]
}

// Replicate yields what Replicated has of every subject with draws, in the order of Result.Draws, and every measure of the layout with
// responses, at the draws of each chain whose numbers step divides. The layout must be that of the result. Where it measures all subjects
// together, step is a multiple of the one from one of UnitDraws to the next, and the error is ErrTogether if there are none. An error is
// the last that it yields.
func Replicate(public fs.FS, res *Result, l *layout.Layout, step int) iter.Seq2[*Replicated, error] {
	return func(yield func(*Replicated, error) bool) {
		err := replicateAll(public, res, l, step, func(r *Replicated) bool { return yield(r, nil) })
		if err != nil {
			yield(nil, err)
		}
	}
}

func replicateAll(public fs.FS, res *Result, l *layout.Layout, step int, yield func(*Replicated) bool) error {
	data, err := record.Read(public)
	if err != nil || res.Draws == nil {
		return err
	}
	if l.Joint() {
		return replicateTogether(data, res, l, step, yield)
	}
	var whole *layout.Design
	byPosition := l.ByPosition(&data.Items)
	if !byPosition {
		if whole, err = l.Bind(&data.Items, data.Manifest.Measures); err != nil {
			return err
		}
	}
	for of, err := range res.Draws.All() {
		if err != nil {
			return err
		}
		s, ok := slices.BinarySearch(data.Subjects, of.Subject)
		if !ok {
			return fmt.Errorf("inferred/%s: draws of %s, who is not in the data", drawsFile, of.Subject)
		}
		responses, design := data.Responses.Of(s), whole
		if byPosition {
			var items *record.Items
			if items, responses = data.Items.ByPosition(responses); len(responses) == 0 {
				continue
			}
			if design, err = l.Bind(items, data.Manifest.Measures); err != nil {
				return err
			}
		}
		own, err := design.NewData(responses)
		if err != nil {
			return fmt.Errorf("subject %s: %w", of.Subject, err)
		}
		thetas, err := thinned(res.Draws.Parameters(), of, design, func(i int) bool { return int(of.Draw[i])%step == 0 })
		if err != nil {
			return err
		}
		target := design.NewTarget(own).JointTarget
		thetas = res.Diagnostics.wideningOf(of.Subject).narrowed(target, thetas, valuesOf(design.Joint))
		random := rng.Stream(res.Settings.Seed, "replicate", of.Subject, design.Measures()[0])
		more := replicated(own.Cells, target, thetas, &random, func(x record.Response, r *Replicated) bool {
			r.Subject, r.Measure = of.Subject, data.Manifest.Measures[x.Measure].Name
			return yield(r)
		})
		if !more {
			return nil
		}
	}
	return nil
}

// replicated yields the numbers of every subject of cells and every measure with responses, with the first of these. It reports whether
// more are wanted.
func replicated(cells *layout.Cells, t *layout.JointTarget, thetas [][]float64, random *rng.Rand, yield func(x record.Response, r *Replicated) bool) bool {
	used, responses := cells.Used(), cells.Responses()
	for block := range cells.Blocks() {
		start, to := cells.InBlock(block)
		ll, drawn := make([][]float64, len(thetas)), make([][]float64, len(thetas))
		for i, theta := range thetas {
			ll[i], drawn[i] = make([]float64, to-start), make([]float64, to-start)
			t.PointwiseLogLik(block, theta, ll[i])
			t.DrawResponses(block, theta, random, drawn[i])
		}
		for n := start; n < to; { // blocks have whole subjects, sorted
			subject := responses[used[n]].Subject
			parts := map[uint8]*Replicated{}
			for ; n < to && responses[used[n]].Subject == subject; n++ {
				x := responses[used[n]]
				p := parts[x.Measure]
				if p == nil {
					p = &Replicated{LogLik: make([][]float64, len(thetas)), Drawn: make([][]float64, len(thetas))}
					parts[x.Measure] = p
				}
				p.Responses = append(p.Responses, x)
				for i := range thetas {
					p.LogLik[i], p.Drawn[i] = append(p.LogLik[i], ll[i][n-start]), append(p.Drawn[i], drawn[i][n-start])
				}
			}
			for _, m := range slices.Sorted(maps.Keys(parts)) {
				if !yield(parts[m].Responses[0], parts[m]) {
					return false
				}
			}
		}
	}
	return true
}

// thinned returns the draws of a subject that are wanted, by their index, as parameter vectors of a design.
func thinned(parameters []string, of *SubjectDraws, d *layout.Design, wanted func(i int) bool) (out [][]float64, err error) {
	at := make([]int, d.Len())
	for i, name := range d.Names() {
		if at[i] = slices.Index(parameters, name); at[i] < 0 {
			return nil, fmt.Errorf("the result has no draws of %s: it is of another layout", name)
		}
	}
	for i := range of.Draw {
		if !wanted(i) {
			continue
		}
		theta := make([]float64, len(at))
		for k := range theta {
			theta[k] = of.Values[at[k]][i]
		}
		out = append(out, theta)
	}
	return out, nil
}
