package compare

import (
	"math"
	"slices"
	"strconv"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A LeaveOneOut says how well a rival predicts each response from the other responses, estimated by PSIS-LOO (package diag).
type LeaveOneOut struct {
	diag.LOO
	BadK   int       // number of responses whose Pareto shape is above diag.KLimit
	WorstK float64   // largest Pareto shape
	each   []float64 // ELPD of every scored response
}

// looDraws is the largest number of draws in an estimate of ELPD: more draws would change only its third digit.
const looDraws = 600

// LeaveOut returns the estimate from posterior draws [chain][draw][parameter]. It computes one term for all responses with the
// same value to items that are equal for the layout, because they have the same density. All chains must be equally long.
func LeaveOut(t *layout.Target, draws [][][]float64) *LeaveOneOut {
	points := t.Data().Tallies()
	repeats := make([]float64, len(points))
	for i, p := range points {
		repeats[i] = float64(p.Count)
	}
	return SumLeaveOut(PointwiseLeaveOut(len(points), t.PointwiseLogLik, draws), repeats, draws)
}

// PointwiseLeaveOut returns the estimate for each of n responses from posterior draws [chain][draw][parameter], of which it uses some.
// logLik writes the log likelihoods of the responses at theta to out.
func PointwiseLeaveOut(n int, logLik func(theta, out []float64), draws [][][]float64) []diag.PointwiseLOO {
	each, keep := len(draws[0]), keptOf(draws)
	values := make([]float64, n*len(draws)*keep)
	all := make([][][]float64, n)
	for i := range all {
		all[i] = make([][]float64, len(draws))
		for c := range draws {
			all[i][c], values = values[:keep:keep], values[keep:]
		}
	}
	l := make([]float64, n)
	for c, chain := range draws {
		for k := range keep {
			logLik(chain[k*each/keep], l)
			for i, x := range l {
				all[i][c][k] = max(x, -700) // −Inf, for a draw that makes the response impossible, would make the estimate NaN
			}
		}
	}
	return diag.PSISLOO(all, nil).Each
}

// keptOf returns the number of draws of each chain that an estimate uses.
func keptOf(draws [][][]float64) int { return min(max(1, looDraws/len(draws)), len(draws[0])) }

// SumLeaveOut returns the estimate for all responses from that of each, which PointwiseLeaveOut has made from these draws. repeats has
// the number of responses for which each stands; nil means one.
func SumLeaveOut(each []diag.PointwiseLOO, repeats []float64, draws [][][]float64) *LeaveOneOut {
	out := &LeaveOneOut{LOO: diag.SumLOO(each, repeats), WorstK: math.Inf(-1)}
	limit := diag.KLimit(len(draws) * keptOf(draws))
	for i, e := range each {
		out.WorstK = max(out.WorstK, e.K)
		if e.K > limit && repeats != nil {
			out.BadK += int(repeats[i])
		} else if e.K > limit {
			out.BadK++
		}
	}
	return out
}

// LeaveOneOut estimates how well the rival predicts each response from the other responses. The responses must be those to
// which the rival was fitted, and the rival must have draws.
func (f *Fitted) LeaveOneOut(responses []record.Response) *LeaveOneOut {
	points := f.Data.Tallies()
	each := len(f.Draws) / f.Chains
	var chains [][][]float64
	for c := range f.Chains {
		chains = append(chains, f.Draws[c*each:(c+1)*each])
	}
	out := LeaveOut(f.Target(), chains)
	for _, r := range responses {
		if r.Unscored != 0 {
			continue
		}
		row := f.Design.Row(int(r.Item))
		i := slices.IndexFunc(points, func(p layout.Tally) bool { return p.Row == row && p.Value == r.Value })
		out.each = append(out.each, out.Each[i].ELPD)
	}
	return out
}

// ELPDError returns the standard error of the difference between the ELPDs of two rivals, if the responses are a sample of all
// possible ones. Both ELPDs must be of the same responses.
func (l *LeaveOneOut) ELPDError(other *LeaveOneOut) float64 {
	n := float64(len(l.each))
	mean, spread := 0.0, 0.0
	for i, x := range l.each {
		mean += (x - other.each[i]) / n
	}
	for i, x := range l.each {
		d := x - other.each[i] - mean
		spread += float64(d * d)
	}
	return math.Sqrt(n * spread / (n - 1))
}

// stackingWeights returns the weights that give the mixture of the rivals' leave-one-out predictions the largest log score
// (Yao, Vehtari, Simpson and Gelman 2018, Bayesian Analysis 13, equation 4). The log score is a concave function of the
// weights, which EM maximises.
func stackingWeights(all []*LeaveOneOut) []float64 {
	weights := slices.Repeat([]float64{1 / float64(len(all))}, len(all))
	rows, counts := distinct(all)
	share := make([]float64, len(all))
	for range 1000 {
		next := make([]float64, len(all))
		total := 0.0
		for r, row := range rows {
			sum := 0.0
			for k, p := range row {
				share[k] = float64(weights[k] * p)
				sum += share[k]
			}
			for k := range share {
				next[k] += counts[r] * share[k] / sum
			}
			total += counts[r]
		}
		change := 0.0
		for k := range next {
			next[k] /= total
			change = max(change, math.Abs(next[k]-weights[k]))
		}
		copy(weights, next)
		if change < 1e-6 {
			break
		}
	}
	return weights
}

// distinct groups the responses: two responses share a row if each rival has the same density for both. A row has the density
// of each rival divided by that of the best rival; counts has the number of responses in each row.
func distinct(all []*LeaveOneOut) (rows [][]float64, counts []float64) {
	at := num.Numbering[string]{}
	var key []byte
	for i := range all[0].each {
		key = key[:0]
		top := math.Inf(-1)
		for _, l := range all {
			key = strconv.AppendFloat(key, l.each[i], 'g', -1, 64)
			key = append(key, ' ')
			top = max(top, l.each[i])
		}
		r := at.Of(string(key))
		if r == len(rows) {
			var row []float64
			for _, l := range all {
				row = append(row, num.Exp(l.each[i]-top))
			}
			rows, counts = append(rows, row), append(counts, 0)
		}
		counts[r]++
	}
	return rows, counts
}
