package score_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/posterior"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/seal"
	"achilles/sim/longtest"
)

// A found counts what is found of the subjects of one population of changes.
type found struct {
	n                       int
	family                  map[string]int // classification → subjects
	order, before, material int            // failed checks: of the order, of the trial before; any that is material
	share                   float64        // sum of |estimate − truth| of the share in which it mixes
	when                    []float64      // |estimate − truth| of the trial of a change
	held                    int            // changes in their 90 % intervals
}

// TestChanges classifies the subjects of changes by the candidate sets changes and permanence, and logs for every population which families and
// failed checks there are, and how well the trial of a change is estimated by the candidate model that has one. On each of -seeds seeds from
// -from; the numbers are in docs/theory/embodied.md.
func TestChanges(t *testing.T) {
	seeds, from, keep := uint64(1), uint64(503), []string{"steady-001", "practises-001", "tires-suddenly-001", "switches-left-001", "shaken-001", "forgets", "copies"}
	sets := []string{"changes"}
	if longtest.On() {
		seeds, from, keep = uint64(*verdictSeeds), *verdictFrom, nil
		sets = []string{"changes", "permanence"}
	}
	model := map[string]string{"tires-suddenly": "stops", "switches-left": "switches-left", "switches-last-seen": "switches-last-seen"}
	for _, set := range sets {
		all, pairs := map[string]*found{}, map[string]int{}
		for root := from; root < from+seeds; root++ {
			r := trialRun{scenario: "changes", keep: keep}
			session, err := generate.Run(context.Background(), r.open(t), generate.Config{Seed: root, Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			r.reduce(session)
			result, truth := inferChanges(t, session, "layouts/practice.toml", set, root)
			for _, v := range result.Verdicts.Subjects {
				s := truth.Subjects[v.Subject]
				kind, _, _ := strings.Cut(s.Name, "-0")
				if all[kind] == nil {
					all[kind] = &found{family: map[string]int{}}
				}
				f := all[kind]
				f.n++
				f.family[v.Family]++
				has := func(is func(check string, material bool) bool) int {
					for _, m := range v.Misfit {
						if is(m.Check, m.Material) {
							return 1
						}
					}
					return 0
				}
				f.before += has(func(c string, _ bool) bool { return strings.HasSuffix(c, "the trial before") })
				f.order += has(func(c string, _ bool) bool {
					return strings.Contains(c, "position") || strings.HasPrefix(c, "order") && !strings.HasSuffix(c, "the trial before")
				})
				f.material += has(func(_ string, m bool) bool { return m })
				if v.Knowing != nil && kind == "mixes" {
					f.share += math.Abs(1 - v.Knowing.Mean - s.Parameter["share"])
				}
			}
			for _, p := range result.Diagnostics.Alike {
				pairs[truth.Subjects[p.Subject].Name+" "+truth.Subjects[p.Other].Name]++
			}
			if set != "changes" {
				continue
			}
			for kind, file := range model {
				var names []string
				for _, s := range session.Subjects {
					if strings.HasPrefix(s.Name, kind) {
						names = append(names, s.Name)
					}
				}
				if names == nil {
					continue
				}
				result, truth := inferChanges(t, session.Alone(names...), "candidates/changes/"+file+".toml", "", root)
				for _, p := range result.Profiles {
					if p.Parameter == "change" {
						x := truth.Subjects[p.Subject].Parameter["change"] + 0.5 // the last trial before, and the first after
						all[kind].when = append(all[kind].when, math.Abs(p.Mean-x))
						all[kind].held += one(p.Q5 <= x && x <= p.Q95)
					}
				}
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(all)) {
			f := all[kind]
			line := fmt.Sprintf("%-10s %-20s of %2d: %v; failed checks: order %d, the trial before %d, material %d", set, kind, f.n, f.family, f.order, f.before, f.material)
			if n := len(f.when); n > 0 {
				slices.Sort(f.when)
				line += fmt.Sprintf("; trial of the change: median error %.1f, largest %.1f, 90 %% intervals hold %d of %d", f.when[n/2], f.when[n-1], f.held, n)
			}
			if f.share > 0 {
				line += fmt.Sprintf("; mean error of the share %.3f", f.share/float64(f.n))
			}
			t.Log(line)
		}
		t.Logf("%s: pairs that agree %v", set, pairs)
		if set == "changes" {
			checkChanges(t, all, pairs, int(seeds))
		}
	}
}

// checkChanges checks what is found by the set changes: of kinds with a model of their own and of those that change after a failure, no share of
// those found may be significantly below 0.9; the copy is found on every seed.
func checkChanges(t *testing.T, all map[string]*found, pairs map[string]int, seeds int) {
	t.Helper()
	for kind, family := range map[string]string{"steady": "capable", "practises": "learns", "tires-suddenly": "tires", "switches-left": "fraudster", "switches-last-seen": "fraudster", "mixes": "fraudster"} {
		if f := all[kind]; f != nil && (tally{f.family[family], f.n}).short(0.9) {
			t.Errorf("%s: %v", kind, f.family)
		}
	}
	if f := all["shaken"]; (tally{f.before, f.n}).short(0.9) {
		t.Errorf("shaken: %d of %d by the trial before", f.before, f.n)
	}
	for kind, f := range all {
		if n := len(f.when); n > 0 && (tally{f.held, n}).short(0.9) {
			t.Errorf("%s: intervals hold %d of %d changes", kind, f.held, n)
		}
	}
	found := pairs["forgets copies"] + pairs["copies forgets"]
	for pair := range pairs { // two that do the same, which no candidate model explains, agree too
		if pair != "forgets copies" && pair != "copies forgets" && strings.Count(pair, "avoids-") < 2 {
			t.Errorf("the pair %s agrees", pair)
		}
	}
	if found < seeds {
		t.Errorf("pairs %v", pairs)
	}
}

// inferChanges publishes a session and infers it by a layout and a candidate set, or none.
func inferChanges(t *testing.T, session *generate.Session, file, set string, root uint64) (*infer.Result, *seal.Truth) {
	t.Helper()
	public, sealed, err := generatetest.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := seal.Open(asFS(sealed), generatetest.Commitment(sealed))
	if err != nil {
		t.Fatal(err)
	}
	c, err := jobOf("f.toml", string(shippedFile(t, file)), root)
	if err != nil {
		t.Fatal(err)
	}
	c.Draws, c.Warmup, c.Predict, c.Jobs = 500, 200, false, 2
	if set != "" { // no classification depends on the draws by the layout
		c.Bank, c.Engine, c.Draws, c.Warmup = bank(t, set), posterior.NUTS, 100, 50
	}
	result, err := infer.Run(context.Background(), asFS(public), c, &shelf{files: map[string][]byte{}}, &shelf{files: map[string][]byte{}})
	if err != nil {
		t.Fatal(err)
	}
	return result, truth
}
