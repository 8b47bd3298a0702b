package cli

import (
	"achilles/infer"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/store"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
)

// exportCmdStan writes one file for each subject and chain or, where all subjects were measured together, for each chain, with the
// comment lines that readers of CmdStan's output expect. It holds the draws of one file at a time, and returns the number of files.
func exportCmdStan(d *results.Dir, as, out string, force bool) (n int, err error) {
	res, err := resultOf(d, as)
	if err != nil {
		return 0, err
	}
	if res.Draws == nil {
		return 0, fmt.Errorf("%s has no posterior draws: rerun with --format csv to export its tables", d.Path(seal.InferredPart))
	}
	w, err := store.Begin(out, force)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	if res.UnitDraws != nil {
		for c := range res.UnitDraws.Chains() {
			b, err := wholeChainCSV(res, c)
			if err != nil {
				return 0, err
			}
			if err := w.Put(fmt.Sprintf("chain-%d.csv", c+1), b); err != nil {
				return 0, err
			}
		}
		return res.UnitDraws.Chains(), w.Commit()
	}
	for of, err := range res.Draws.All() {
		if err != nil {
			return 0, err
		}
		for from := 0; from < len(of.Chain); {
			to := from
			for to < len(of.Chain) && of.Chain[to] == of.Chain[from] {
				to++
			}
			b, err := chainCSV(res, of, from, to)
			if err != nil {
				return 0, err
			}
			if err := w.Put(fmt.Sprintf("%s-%d.csv", of.Subject, of.Chain[from]+1), b); err != nil {
				return 0, err
			}
			from, n = to, n+1
		}
	}
	return n, w.Commit()
}

// chainCSV returns the draws of one chain, which are those of a subject from `from` to `to`.
func chainCSV(res *infer.Result, of *infer.SubjectDraws, from, to int) ([]byte, error) {
	columns := make([][]float64, len(of.Values))
	for k, values := range of.Values {
		columns[k] = values[from:to]
	}
	return stanCSV(res, of.Chain[from], 1, to-from, "# subject = "+of.Subject+"\n", res.Draws.Parameters(), columns)
}

// wholeChainCSV returns the draws of one chain of all parameters, of subjects, items and what is shared.
func wholeChainCSV(res *infer.Result, chain int) ([]byte, error) {
	kept := res.UnitDraws.Draws()
	step := 1
	if len(kept) > 1 {
		step = int(kept[1])
	}
	var names []string
	var columns [][]float64
	for of, err := range res.Draws.All() {
		if err != nil {
			return nil, err
		}
		for k, parameter := range res.Draws.Parameters() {
			var values []float64
			for i, x := range of.Values[k] {
				if int(of.Chain[i]) == chain && int(of.Draw[i])%step == 0 {
					values = append(values, x)
				}
			}
			if len(values) != len(kept) {
				return nil, fmt.Errorf("subject %s has %d draws in chain %d, items have %d", of.Subject, len(values), chain+1, len(kept))
			}
			names, columns = append(names, parameter+"["+of.Subject+"]"), append(columns, values)
		}
	}
	i := 0
	for draws, err := range res.UnitDraws.All() {
		if err != nil {
			return nil, err
		}
		names, columns, i = append(names, res.Units[i].Name()), append(columns, draws[chain]), i+1
	}
	return stanCSV(res, int32(chain), step, len(kept), "", names, columns)
}

// stanCSV returns a file of n draws of one chain, every step-th one, with further comment lines.
func stanCSV(res *infer.Result, chain int32, step, n int, comment string, names []string, columns [][]float64) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# model = %s\n# method = sample\n#   num_samples = %d\n#   save_warmup = 0\n#   thin = %d\n# id = %d\n%s",
		res.Diagnostics.Layout, n, step, chain+1, comment)
	w := csv.NewWriter(&b)
	err := writeRows(w, names, n, func(k int) []string {
		row := make([]string, len(columns))
		for p := range row {
			row[p] = number(columns[p][k])
		}
		return row
	})
	w.Flush()
	return b.Bytes(), cmp.Or(err, w.Error())
}
