package generate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"achilles/agents"
	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/gridworld"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// session returns a session with subjects of three kinds, which differ in everything that they do, and items with pairs
// of outcomes. The order of subjects and items reveals their kinds.
func session(root uint64, subjects, items int) *generate.Session {
	s := &generate.Session{Root: root, Scenario: "name = \"canary\"\n", Scale: map[string]float64{"op": 52.8}, Published: json.RawMessage(`{"table":1}`)}
	s.Battery = battery.Battery{
		Suite: "op",
		Schema: []record.Feature{
			{Name: "distance", Kind: record.Number, Role: record.Demand, Unit: "cells", Doc: "path", Range: &[2]float64{0, 1}},
			{Name: "colour", Kind: record.Text, Role: record.Nuisance},
		},
		Measure: []record.Measure{{Name: "success", Family: record.Binary, Doc: "ate it"}, {Name: "steps", Family: record.Real}},
	}
	r := rng.Stream(root, "session test")
	for i := range items {
		s.Battery.Items.Append(&battery.Item{
			Name: fmt.Sprintf("OP-canary-%05d", i), Suite: "op", Paradigm: "cup", Task: "t",
			Values: battery.PackValues(battery.Value{Number: r.Float64()}, battery.Value{Text: []string{"red", "blue"}[i%2]}),
			Brief:  "Find it.",
			Trials: []battery.Trial{
				{Phase: record.Familiarisation},
				{Pair: 1, Outcome: battery.Expected, World: batterytest.World("world 1\nlimit 9\nmap\nA.g\n"), Places: []gridworld.Pos{{X: 2}}},
				{Pair: 1, Outcome: battery.Unexpected, World: batterytest.World("world 1\nlimit 9\nmap\ng.A\n"), Places: []gridworld.Pos{{X: 0}, {X: 2}}},
			},
		})
	}
	kinds := []string{"capable", "achilles-heel", "fraudster"}
	for i := range subjects {
		kind := kinds[i*len(kinds)/subjects] // in blocks, because the order of a scenario usually reveals the kinds of its agents
		s.Subjects = append(s.Subjects, agents.Spec{
			Name: fmt.Sprintf("%s %03d", kind, i), Doc: "canary", Rule: []agents.Rule{{If: "distance > 0.5", P: "0.1"}, {P: "1"}},
			Truth: agents.Truth{Family: kind, HasOP: "yes", Weakness: "canary", Reason: "canary", Groups: []string{"included"}, Capability: map[string]float64{"op": 0.5}},
		})
		for k := range items {
			for trial := range 3 {
				for m := range 2 {
					s.Responses = append(s.Responses, generate.Response{Subject: i, Item: k, Trial: trial, Measure: m, Value: float64(i % 2), Chosen: went(i + k + trial)})
				}
			}
		}
	}
	for i := range min(subjects, 2) {
		s.Episodes = append(s.Episodes, generate.Episode{Subject: i, Item: 0, Trial: 1, Moves: []string{"r f", "f .3"}[i], Cause: "time-out"})
	}
	batterytest.Edit(&s.Battery.Items, items-1, func(it *battery.Item) { it.Suite = "" }) // the item then has the suite of the battery
	s.Responses[0].Value, s.Responses[0].Unscored, s.Responses[0].Chosen = 0, "crashed", generate.Choice{}
	return s
}

// went returns one of all sorts of choices.
func went(k int) generate.Choice {
	switch w := record.Went(1 + k%6); w {
	case record.ToNone:
		return generate.Choice{Went: w}
	default:
		return generate.Choice{Went: w, Place: 1 + k%3, Latency: 5 + k, Visited: []string{"", "2", "2 1"}[k%3]}
	}
}

func publish(t testing.TB, s *generate.Session) (public, sealed map[string][]byte) {
	t.Helper()
	public, sealed, err := generatetest.Files(s)
	if err != nil {
		t.Fatal(err)
	}
	return public, sealed
}

func mapFS(files map[string][]byte) fstest.MapFS {
	m := fstest.MapFS{}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

// sealedEpisodes returns the episodes of all shards.
func sealedEpisodes(t testing.TB, sealed map[string][]byte) (all []seal.Episode) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(sealed)) {
		if !strings.HasPrefix(name, "episodes/") {
			continue
		}
		list, err := seal.EpisodeShard(mapFS(sealed), part.NewFile(name, sealed[name]))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	return all
}

func read(t testing.TB, public map[string][]byte) *record.Dataset {
	t.Helper()
	d, err := record.Read(mapFS(public))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// unseal opens the sealed files that belong to a public directory.
func unseal(t testing.TB, d *record.Dataset, sealed map[string][]byte) *seal.Truth {
	t.Helper()
	x, err := seal.Open(mapFS(sealed), d.Manifest.Parents[part.Sealed])
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestPublishKeepsEverything checks that every value of a session is published: responses in the public part,
// everything else in the sealed part.
func TestPublishKeepsEverything(t *testing.T) {
	s := session(1, 6, 5)
	public, sealed := publish(t, s)
	d := read(t, public)
	x := unseal(t, d, sealed)
	if x.Scenario != s.Scenario || x.Root != "1" || !maps.Equal(x.Scale, s.Scale) || len(x.Subjects) != 6 || len(x.Items) != 5 {
		t.Errorf("truth is %+v", x)
	}
	subjects, items := map[string]int{}, map[string]int{}
	for i, v := range s.Subjects {
		subjects[v.Name] = i
	}
	for i, v := range s.Battery.Items.All() {
		items[v.Name] = i
	}
	for id, v := range x.Subjects {
		if !cmp.Equal(v, s.Subjects[subjects[v.Name]]) {
			t.Errorf("subject %s: %s", id, cmp.Diff(s.Subjects[subjects[v.Name]], v))
		}
	}
	distance, _ := d.Items.Column("distance")
	for row, id := range d.Items.ID {
		if want := s.Battery.Items.Values(items[x.Items[id].Name]).At(0).Number; distance.Number[row] != want {
			t.Errorf("item %s: distance %g, want %g", id, distance.Number[row], want)
		}
	}
	if d.Responses.Len() != len(s.Responses) {
		t.Fatalf("%d responses of %d", d.Responses.Len(), len(s.Responses))
	}
	byCell := map[[5]int]generate.Response{}
	for _, r := range s.Responses {
		byCell[[5]int{r.Subject, r.Item, r.Trial, r.Repetition, r.Measure}] = r
	}
	for _, r := range d.Responses.All() {
		item := x.Items[d.Items.ID[r.Item]]
		trial := sessionTrial(item, int(r.Trial))
		want, ok := byCell[[5]int{subjects[x.Subjects[d.Subjects[r.Subject]].Name], items[item.Name], trial, int(r.Repetition), int(r.Measure)}]
		if !ok || want.Value != r.Value || want.Unscored != d.Reasons[r.Unscored] {
			t.Errorf("response %+v comes from %+v", r, want)
		}
	}
}

// sessionTrial returns the index, in the session, of the trial with a public number. In this session trial 1 of an item
// is the expected outcome and trial 2 the unexpected one; publishing may have swapped their numbers.
func sessionTrial(it seal.Item, public int) int {
	for _, l := range it.Labels {
		if l.Trial == public {
			return map[string]int{"expected": 1, "unexpected": 2}[l.Outcome]
		}
	}
	return public
}

// TestPublishWorlds checks that the world of every trial is published with the item's id and the trial's public number,
// after a comment line that says what subjects are told, and that the same world is read back.
func TestPublishWorlds(t *testing.T) {
	s := session(2, 3, 4)
	batterytest.Edit(&s.Battery.Items, 1, func(it *battery.Item) {
		it.Trials[0].World = batterytest.World("world 1\nmove eight\nlimit 5\nmap\nA.\n")
	})
	public, sealed := publish(t, s)
	d := read(t, public)
	x := unseal(t, d, sealed)
	worlds, err := record.Worlds(mapFS(public), &d.Manifest)
	if err != nil || len(worlds) != 2*4+1 {
		t.Fatalf("%d worlds (%v)", len(worlds), err)
	}
	items := map[string]battery.Item{}
	for _, it := range s.Battery.Items.All() {
		items[it.Name] = it
	}
	for _, w := range worlds {
		it := items[x.Items[w.Item].Name]
		trial := it.Trials[sessionTrial(x.Items[w.Item], w.Trial)]
		got, err := gridworld.Parse(w.Text)
		want, err2 := trial.Open()
		if err != nil || err2 != nil || !got.Equal(want) || !strings.HasPrefix(w.Text, "// Find it.\n") {
			t.Errorf("item %s, trial %d (%v, %v): the world is\n%s", it.Name, w.Trial, err, err2, w.Text)
		}
		if eight := got.Rules().Move == gridworld.Eight; eight != (w.Movement == record.EightNeighbour) {
			t.Errorf("movement %s of\n%s", w.Movement, w.Text)
		}
		if two := len(trial.Places) == 2; two != strings.Contains(w.Text, "\n// places 0,0 2,0\n") {
			t.Errorf("places %v are not in\n%s", trial.Places, w.Text)
		}
	}
}

func TestOpaqueIDs(t *testing.T) {
	s := session(3, 60, 80)
	public, sealed := publish(t, s)
	d := read(t, public)
	x := unseal(t, d, sealed)
	for _, list := range []struct {
		ids  []string
		want string
	}{{d.Subjects, `^s-[0-9a-f]{8}$`}, {d.Items.ID, `^i-[0-9a-f]{8}$`}} {
		for _, id := range list.ids {
			if !regexp.MustCompile(list.want).MatchString(id) {
				t.Errorf("id %q is not of the form %s", id, list.want)
			}
		}
		if !slices.IsSorted(list.ids) {
			t.Error("ids are not sorted")
		}
	}
	other := session(4, 60, 80)
	public2, _ := publish(t, other)
	if slices.Equal(read(t, public2).Subjects, d.Subjects) {
		t.Error("another root seed gives the same ids")
	}
	// An id depends on nothing but the key and the name, so that added subjects and items change no other id.
	more := session(3, 90, 100)
	more.Subjects = append(slices.Clone(s.Subjects), agents.Spec{Name: "newcomer"})
	more.Responses = append(slices.Clone(s.Responses), generate.Response{Subject: 60, Item: 99, Trial: 1})
	public3, _ := publish(t, more)
	d3 := read(t, public3)
	for id := range x.Subjects {
		if !slices.Contains(d3.Subjects, id) {
			t.Errorf("subject %s has another id in a larger session", id)
		}
	}
	for _, id := range d.Items.ID {
		if !slices.Contains(d3.Items.ID, id) {
			t.Errorf("item %s has another id in a larger session", id)
		}
	}
}

// TestCollidingIDs checks that 200,000 ids of 32 bits differ, although about five of them are equal to an earlier one
// before they are hashed again.
func TestCollidingIDs(t *testing.T) {
	names := make([]string, 200_000)
	for i := range names {
		names[i] = fmt.Sprint("item ", i/2) // each name occurs twice
	}
	ids := generate.Opaque(1, "item", "i-", names)
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			t.Fatalf("%s twice", id)
		}
		seen[id] = true
	}
}

func TestPublishIsDeterministic(t *testing.T) {
	a, sa := publish(t, session(5, 6, 5))
	s := session(5, 6, 5)
	r := rng.Stream(1, "shuffle")
	shuffled := make([]generate.Response, 0, len(s.Responses))
	for _, i := range r.Perm(len(s.Responses)) {
		shuffled = append(shuffled, s.Responses[i])
	}
	s.Responses = shuffled
	b, sb := publish(t, s)
	if !maps.EqualFunc(a, b, bytes.Equal) || !maps.EqualFunc(sa, sb, bytes.Equal) {
		t.Error("the order of responses in a session changes the files")
	}
}

// TestSplitAndCoin checks that the share of subject × item cells that are held out, and the share of pairs whose
// outcomes are swapped, are each within 5 standard errors of their probabilities. Together they fail by chance with
// probability below 1e-5. The seed is fixed.
func TestSplitAndCoin(t *testing.T) {
	const subjects, items = 40, 400
	s := session(6, subjects, items)
	public, sealed := publish(t, s)
	d := read(t, public)
	cells, held := map[[2]int32]bool{}, 0
	for _, r := range d.Responses.All() {
		key := [2]int32{r.Subject, r.Item}
		if !cells[key] && r.Split == record.HeldOut {
			held++
		}
		cells[key] = true
	}
	within(t, "share held out", float64(held), subjects*items, generate.DefaultHoldOut)
	swapped := 0
	for _, it := range unseal(t, d, sealed).Items {
		if len(it.Labels) != 2 || it.Labels[0].Name != "a" || it.Labels[1].Name != "b" || it.Labels[0].Trial != 1 || it.Labels[1].Trial != 2 {
			t.Fatalf("labels %+v", it.Labels)
		}
		if it.Labels[0].Outcome == "unexpected" {
			swapped++
		}
	}
	within(t, "share of pairs with the unexpected outcome first", float64(swapped), items, 0.5)
	s.HoldOutItems = true // then all subjects share them; the number of held out items is within 5 standard errors, too
	public, _ = publish(t, s)
	splits, away := map[int32]record.Split{}, 0
	for _, r := range read(t, public).Responses.All() {
		split, there := splits[r.Item]
		if there && split != r.Split {
			t.Fatal("an item is held out for some subjects only")
		}
		if splits[r.Item] = r.Split; !there && r.Split == record.HeldOut {
			away++
		}
	}
	within(t, "share of items held out", float64(away), items, generate.DefaultHoldOut)
	s.HoldOut = -1
	public, _ = publish(t, s)
	for _, r := range read(t, public).Responses.All() {
		if r.Split != record.Fit {
			t.Fatal("something is held out where nothing should be")
		}
	}
}

func within(t *testing.T, what string, count float64, n int, p float64) {
	t.Helper()
	if z := (count - float64(n)*p) / math.Sqrt(float64(n)*p*(1-p)); math.Abs(z) > 5 {
		t.Errorf("%s: %g of %d, %.1f standard errors from %g", what, count, n, z, p)
	}
}

func TestPublishRefuses(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(s *generate.Session)
		want   string
	}{
		{"two subjects of one name", func(s *generate.Session) { s.Subjects[1].Name = s.Subjects[0].Name }, "two subjects are called"},
		{"no such subject", func(s *generate.Session) { s.Responses[3].Subject = 99 }, "the session has no such"},
		{"no such measure", func(s *generate.Session) { s.Responses[3].Measure = -1 }, "the session has no such"},
		{"no such trial", func(s *generate.Session) { s.Responses[3].Trial = 7 }, "has no trial 7"},
		{"a value too few", func(s *generate.Session) {
			batterytest.Edit(&s.Battery.Items, 1, func(it *battery.Item) { it.Values = battery.Values{} })
		}, "has no value of feature distance"},
		{"the same response twice", func(s *generate.Session) { s.Responses[1] = s.Responses[0] }, "listed twice"},
		{"NaN", func(s *generate.Session) { s.Responses[1].Value = math.NaN() }, "not a finite number"},
		{"no responses", func(s *generate.Session) { s.Responses = nil }, "empty"},
		{"no items", func(s *generate.Session) { s.Battery.Items, s.Responses, s.Episodes = battery.Items{}, nil, nil }, "empty"},
		{"an episode of nobody", func(s *generate.Session) { s.Episodes[1].Subject = 3 }, "the session has no such"},
		{"an episode in no world", func(s *generate.Session) { s.Episodes[1].Trial = 0 }, "has no trial 0 to act in"},
		{"an unknown move", func(s *generate.Session) { s.Episodes[1].Moves = "f jump" }, `"jump" is not an action`},
		{"moves after the end", func(s *generate.Session) { s.Episodes[0].Moves = "r f2 l" }, "go on after the episode is over"},
		{"the same episode twice", func(s *generate.Session) { s.Episodes[1].Subject = 0 }, "written twice"},
		{"a huge repetition", func(s *generate.Session) { s.Responses[1].Repetition = 1 << 20 }, "too large"},
		{"a world without a time limit", func(s *generate.Session) {
			batterytest.Edit(&s.Battery.Items, 1, func(it *battery.Item) { it.Trials[1].World = batterytest.World("world 1\nmap\nA.\n") })
		}, "trial 1: world: there is no time limit"},
		{"a value out of range", func(s *generate.Session) {
			batterytest.Edit(&s.Battery.Items, 0, func(it *battery.Item) {
				it.Values = battery.PackValues(battery.Value{Number: 2}, battery.Value{Text: "red"})
			})
		}, "outside the declared range"},
	} {
		s := session(7, 3, 3)
		c.change(s)
		if _, _, err := generatetest.Files(s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not say %q", c.why, err, c.want)
		}
	}
}

var commitment = regexp.MustCompile(`"sealed": "[0-9a-f]{64}"`)

const canary = "'canary'"
