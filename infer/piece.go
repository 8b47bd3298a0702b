package infer

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"achilles/infer/compare"
	"achilles/infer/diag"
	"achilles/infer/posterior"
)

// pieceForm is part of every key, so that pieces in another form, or drawn in another way, are not used.
const pieceForm = "form 15"

// A piece is the stored result of one finished fit.
type piece struct {
	Fit         *Fit             `json:"fit,omitempty"`  // the fit of the layout; nil if nothing needs it (run.needsLayout)
	Lost        []Fit            `json:"lost,omitempty"` // of a fit of all subjects together: of those of whom it gives no result
	Profiles    []Profile        `json:"profiles,omitempty"`
	Units       []Unit           `json:"units,omitempty"`
	Predictions []Prediction     `json:"predictions,omitempty"`
	Failure     float64          `json:"failure,omitempty"` // failure rate of the responses that the fit used
	Verdict     *compare.Verdict `json:"verdict,omitempty"`
	Expected    []float64        `json:"expected,omitempty"` // success probabilities of the comparable responses by a fit to all
	Shape       [3]int           `json:"shape"`              // number of chains, of draws in each, and of parameters
	Averaged    int              `json:"averaged,omitempty"` // number of draws in averaged
	Sampler     []Sampled        `json:"sampler,omitempty"`
	draws       [][][]float64
	averaged    [][]float64 // of the layout's parameters over all rivals; nil without a profile in the verdict
}

// encode returns one line of JSON followed by the draws and those over all rivals, little-endian.
func (p *piece) encode() ([]byte, error) {
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	b := append(slices.Grow(head, 1+8*(p.Shape[0]*p.Shape[1]+p.Averaged)*p.Shape[2]), '\n')
	for _, chain := range append(slices.Clip(p.draws), p.averaged) {
		for _, draw := range chain {
			for _, x := range draw {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
		}
	}
	return b, nil
}

// decodePiece inverts encode.
func decodePiece(b []byte) (*piece, error) {
	head, rest, ok := bytes.Cut(b, []byte{'\n'})
	p := &piece{}
	if !ok || json.Unmarshal(head, p) != nil {
		return nil, errors.New("it is not a fit")
	}
	n := p.Shape
	if n[0] < 0 || n[1] < 0 || n[2] < 0 || p.Averaged < 0 || len(rest) != 8*(n[0]*n[1]+p.Averaged)*n[2] {
		return nil, errors.New("it has another number of draws than it states")
	}
	next := func(rows int) (chain [][]float64) {
		for range rows {
			draw := make([]float64, n[2])
			for k := range draw {
				draw[k] = math.Float64frombits(binary.LittleEndian.Uint64(rest))
				rest = rest[8:]
			}
			chain = append(chain, draw)
		}
		return chain
	}
	for range n[0] {
		p.draws = append(p.draws, next(n[1]))
	}
	p.averaged = next(p.Averaged)
	return p, nil
}

// fitOf names the fit of a subject, or of everybody, to rows.
func fitOf(subject, rows string) string { return subject + " " + rows }

// storedFit returns the stored result of a fit of a subject, or of everybody, to rows. It returns nil if there is none that can be believed.
func (r *run) storedFit(subject, rows string) (p *piece, err error) {
	ok, err := r.stored(fitOf(subject, rows), func(content []byte, known bool) (err error) {
		if p, err = decodePiece(content); err == nil && !known {
			err = p.check(r, subject, rows)
		}
		return err
	})
	if !ok {
		return nil, err
	}
	return p, nil
}

// keepFit stores the result of a fit of a subject, or of everybody, to rows.
func (r *run) keepFit(subject, rows string, p *piece) error {
	b, err := p.encode()
	if err != nil {
		return err
	}
	return r.keep(fitOf(subject, rows), b)
}

// check returns an error unless the piece is of this subject and these rows, and has the means, standard deviations and quantiles of its
// draws. What cannot be computed from the draws alone, such as predictions and evidence, it takes as it is: its digest holds that.
func (p *piece) check(r *run, subject, rows string) error {
	foreign := p.Fit != nil && (p.Fit.Subject != subject || p.Fit.Rows != rows)
	if subject != Everybody {
		foreign = foreign || slices.ContainsFunc(p.Profiles, func(x Profile) bool { return x.Subject != subject }) ||
			slices.ContainsFunc(p.Predictions, func(x Prediction) bool { return x.Subject != subject })
	}
	if foreign {
		return errors.New("it has results of another subject or of other responses")
	}
	if len(p.Profiles)+len(p.Units) == 0 {
		return nil
	}
	post := &posterior.Posterior{Draws: p.draws, LogEvidence: math.NaN(), LogEvidenceError: math.NaN()}
	n := len(r.design.Names())
	if r.joint != nil {
		n = r.joint.Len()
	}
	if p.Shape[0] == 0 || p.Shape[1] == 0 || p.Shape[2] != n {
		return fmt.Errorf("it has draws of %d parameters, the layout has %d", p.Shape[2], n)
	}
	for k := range n {
		post.Summaries = append(post.Summaries, diag.Describe(diag.Column(p.draws, k)))
	}
	again := &piece{Lost: p.Lost}
	if r.joint != nil {
		jointly{r}.describeUnits(again, post)
	} else {
		again.Profiles = r.profiles(subject, post)
	}
	if len(again.Profiles) != len(p.Profiles) || len(again.Units) != len(p.Units) {
		return errors.New("it has other parameters than the layout")
	}
	for i, x := range again.Profiles {
		if y := p.Profiles[i]; x.Subject != y.Subject || x.Parameter != y.Parameter || !alike(x.moments(), y.moments()) {
			return fmt.Errorf("%s of %s has a mean, SD or quantile that differs from that of its draws", y.Parameter, y.Subject)
		}
	}
	for i, x := range again.Units {
		if y := p.Units[i]; x.Unit != y.Unit || x.Parameter != y.Parameter || !alike(x.moments(), y.moments()) {
			return fmt.Errorf("%s has a mean, SD or quantile that differs from that of its draws", y.Parameter)
		}
	}
	return nil
}

func (p Profile) moments() []float64 {
	return []float64{p.Mean, p.SD, p.Q5, p.Q25, p.Q50, p.Q75, p.Q95}
}

// moments returns those of Profile.moments that the unit has.
func (u Unit) moments() []float64 {
	out := []float64{u.Q5, u.Q25, u.Q50, u.Q75, u.Q95}
	if u.Mean != nil && u.SD != nil {
		out = append(out, *u.Mean, *u.SD)
	}
	return out
}

// alike reports whether numbers are equal but for rounding, which depends on the order in which draws are added up.
func alike(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-9*(1+math.Abs(a[i]))) {
			return false
		}
	}
	return true
}
