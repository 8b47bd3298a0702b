package infer
import ("testing";"os";"strconv";"time";"fmt";"achilles/infer/posterior";"achilles/infer/misfit")
func TestZZ(t *testing.T) {
	n := func(k string) int { x, _ := strconv.Atoi(os.Getenv(k)); return x }
	for _, f := range plantedFaults {
		if os.Getenv("F") != f.name { continue }
		found, by := 0, map[string]int{}
		ps := ""
		start := time.Now()
		for k := range n("N") {
			res := checkedTable(t, uint64(n("S")+k), n("A"), n("B"), f, posterior.Laplace)
			ps += fmt.Sprintf(" %.4f", res.P)
			if res.P <= alarm { found++ }
			for _, x := range res.Failed { by[x.Check]++ }
		}
		t.Logf("%s: %d of %d %v %v", f.name, found, n("N"), by, time.Since(start))
		t.Log(ps)
	}
	_ = misfit.Result{}
}
