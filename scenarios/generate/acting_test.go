package generate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/battery/worlds"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/scenarios/generate"
	"achilles/scenarios/leaktest"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// acting returns a small version of the scenario embodied, with further subjects that act or respond by rules.
func acting(t testing.TB, settings ...string) *scenario.Scenario {
	s := open(t, "embodied", append([]string{"battery.items=60", "population[0].count=12", "responses.repetitions=2"}, settings...)...)
	body := func(name string, g policy.Goal) agents.Spec {
		return agents.Spec{Name: name, Body: []agents.Body{{If: `family == "cup"`, Body: embodied.Body{Goal: g}}, {}}}
	}
	s.Agents = []agents.Spec{body("fraud", policy.LastSeen), body("stroller", policy.Random), {Name: "rule", Rule: []agents.Rule{{P: "0.5"}}}}
	return s
}

// TestActingDoesNotDependOnJobs checks that the session and the published files are the same for every number of
// workers, and that another seed gives other episodes.
func TestActingDoesNotDependOnJobs(t *testing.T) {
	s := acting(t)
	want := run(t, s, generate.Config{Seed: 3})
	files := publishTo(t, want, 1)
	for _, jobs := range []int{2, 7, 100} {
		got := run(t, s, generate.Config{Seed: 3, Jobs: jobs})
		if !reflect.DeepEqual(generate.Unpacked(t, got), generate.Unpacked(t, want)) {
			t.Fatalf("%d jobs give another session", jobs)
		}
		if !maps.EqualFunc(publishTo(t, got, jobs), files, bytes.Equal) {
			t.Fatalf("%d jobs publish other files", jobs)
		}
	}
	if reflect.DeepEqual(generate.Acted(t, run(t, s, generate.Config{Seed: 4, Jobs: 2})), generate.Acted(t, want)) {
		t.Error("another seed gives the same episodes")
	}
}

// publishTo publishes a session and returns the files by path. The test fails if a file is opened twice or never
// closed.
func publishTo(t testing.TB, s *generate.Session, jobs int) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	opened := 0
	err := generate.PublishTo(context.Background(), s, jobs, nil, func(part, path string) (io.WriteCloser, error) {
		opened++
		return &file{files: files, path: part + "/" + path}, nil
	})
	if err != nil || opened != len(files) {
		t.Fatalf("%d files opened, %d written (%v)", opened, len(files), err)
	}
	return files
}

type file struct {
	bytes.Buffer
	files map[string][]byte
	path  string
}

func (f *file) Close() error {
	f.files[f.path] = f.Bytes()
	return nil
}

// TestPublishedEpisodes checks that every episode can be replayed from the public files. In the replay, the actor must
// be where the steps of the trajectory say; the trial must be passed if and only if the response says so; the sealed
// part must have a cause if and only if the trial was not passed; and the sealed moves must be the actions of the
// steps.
func TestPublishedEpisodes(t *testing.T) {
	s := run(t, acting(t), generate.Config{Seed: 3, Jobs: 2})
	public, sealed := publish(t, s)
	d := read(t, public)
	x := unseal(t, d, sealed)
	if shards := x.EpisodeShards(); len(shards) != 1 || shards[0].Path != "episodes/000000.jsonl.gz" {
		t.Fatalf("sealed episodes %v", shards)
	}
	trajectories, err := record.OpenTrajectories(mapFS(public), &d.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	passed := map[record.Key]bool{}
	for _, r := range d.Responses.All() {
		passed[record.Key{Item: d.Items.ID[r.Item], Trial: int(r.Trial), Subject: d.Subjects[r.Subject], Repetition: int(r.Repetition)}] = r.Value == 1
	}
	worlds := textsOf(t, public)
	causes := map[string]int{}
	n := 0
	for _, e := range sealedEpisodes(t, sealed) {
		n++
		causes[e.Cause]++
		key := record.Key{Item: e.Item, Trial: e.Trial, Subject: e.Subject, Repetition: e.Repetition}
		i, ok := trajectories.Find(key)
		if !ok {
			t.Fatalf("no trajectory of %s", key)
		}
		tr, err := trajectories.At(i)
		if err != nil {
			t.Fatal(err)
		}
		end := replay(t, worlds[e.Item], tr, e.Moves)
		if (end == gridworld.Finished) != passed[key] || passed[key] != (e.Cause == "") {
			t.Fatalf("%v: the replay ends %s, the response says %v, the cause %q", key, end, passed[key], e.Cause)
		}
	}
	if all := len(generate.Acted(t, s)); n != all || n != 60*14*2 || len(passed) != n+60*2 {
		t.Errorf("%d episodes of %d, %d responses", n, all, len(passed))
	}
	known := 0
	for c := policy.None; c <= policy.TimeOut; c++ {
		known += causes[c.String()]
	}
	if known != n {
		t.Errorf("%d of %d episodes have a cause that there is: %v", known, n, causes)
	}
	if len(causes) < 8 {
		t.Errorf("only these causes: %v", causes)
	}
}

// textsOf returns the public worlds, by item.
func textsOf(t *testing.T, public map[string][]byte) map[string]string {
	t.Helper()
	d := read(t, public)
	all, err := record.Worlds(mapFS(public), &d.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, w := range all {
		texts[w.Item] = w.Text
	}
	return texts
}

// replay plays the steps of a trajectory in its world. At ticks without a step the actor stays.
func replay(t *testing.T, text string, tr *record.Trajectory, moves string) gridworld.Outcome {
	t.Helper()
	w, err := gridworld.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var actions []gridworld.Action
	for _, step := range tr.Steps {
		for w.Tick() < int(step.Tick) {
			w.Step(gridworld.Stay)
			actions = append(actions, gridworld.Stay)
		}
		if a := w.Actor(); a.Pos != (gridworld.Pos{X: int(step.X), Y: int(step.Y)}) {
			t.Fatalf("%s, tick %d: the actor is at %s, the step says %d,%d", tr.Key, step.Tick, a.Pos, step.X, step.Y)
		}
		if step.Action != "" {
			a, err := gridworld.ParseAction(step.Action)
			if err != nil {
				t.Fatal(err)
			}
			w.Step(a)
			actions = append(actions, a)
		}
	}
	if got := seal.EncodeMoves(actions); got != moves {
		t.Fatalf("%s: the steps are %q, the sealed moves %q", tr.Key, got, moves)
	}
	return w.Outcome()
}

// TestRepetitionsOfEpisodes checks that each repetition of an episode has random draws of its own: a body that walks at
// random never makes the same moves twice.
func TestRepetitionsOfEpisodes(t *testing.T) {
	s := run(t, acting(t), generate.Config{Seed: 3, Jobs: 2})
	family, _ := s.Battery.Column("family")
	same, n := 0, 0
	episodes := generate.Acted(t, s)
	for k := 1; k < len(episodes); k += 2 {
		e, before := episodes[k], episodes[k-1]
		if e.Repetition != 1 || before.Repetition != 0 || e.Item != before.Item || e.Subject != before.Subject {
			t.Fatalf("episodes are not in order: %+v after %+v", e, before)
		}
		if s.Subjects[e.Subject].Name == "stroller" && family.Text[e.Item] == "cup" {
			n++
			if e.Moves == before.Moves {
				same++
			}
		}
	}
	if n == 0 || same > 0 {
		t.Errorf("of %d walks at random, %d are the same twice", n, same)
	}
}

// TestSightings checks, for every fortieth trajectory, that it shows what perfect eyes see in the world at every step.
func TestSightings(t *testing.T) {
	s := run(t, acting(t), generate.Config{Seed: 3, Jobs: 2})
	public, _ := publish(t, s)
	d := read(t, public)
	trajectories, err := record.OpenTrajectories(mapFS(public), &d.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	worlds := textsOf(t, public)
	n := 0
	for tr, err := range trajectories.All() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%40 != 0 {
			continue
		}
		w, _ := gridworld.Parse(worlds[tr.Item])
		seen := map[string]record.Sighting{}
		next := 0
		for i, step := range tr.Steps {
			for ; next < len(tr.Seen) && int(tr.Seen[next].Step) == i; next++ {
				seen[tr.Seen[next].Entity] = tr.Seen[next]
			}
			for w.Tick() < int(step.Tick) {
				w.Step(gridworld.Stay)
			}
			var v gridworld.View
			w.View(gridworld.Viewer{}, &v)
			g := seen["reward 0"]
			if (len(v.Things) == 1) != (g.As != "") || len(v.Things) == 1 && (v.Things[0].Pos != gridworld.Pos{X: int(g.X), Y: int(g.Y)} || strings.Contains(g.As, "in the air") != (v.Things[0].State == gridworld.Air)) {
				t.Fatalf("%s, tick %d: %+v is in view, the trajectory says %+v", tr.Key, step.Tick, v.Things, g)
			}
			if a, err := gridworld.ParseAction(step.Action); err == nil {
				w.Step(a)
			}
		}
	}
	if n != 60*14*2 {
		t.Errorf("%d trajectories", n)
	}
}

// TestNoTrajectories checks that responses.trajectories=false leaves out the trajectories and nothing else.
func TestNoTrajectories(t *testing.T) {
	with := publishTo(t, run(t, acting(t), generate.Config{Seed: 3}), 2)
	without := publishTo(t, run(t, acting(t, "responses.trajectories=false"), generate.Config{Seed: 3}), 2)
	for path := range with {
		if _, there := without[path]; there == strings.HasPrefix(path, "public/trajectories/") {
			t.Errorf("%s: there %v", path, there)
		}
	}
}

// TestActingSaysNothing checks that ids, order and files of bodies' episodes do not reveal which bodies are fraudsters.
func TestActingSaysNothing(t *testing.T) {
	s := open(t, "embodied", "battery.items=30", "population[0].count=150")
	for i := range 150 {
		s.Agents = append(s.Agents, agents.Spec{Name: fmt.Sprint("fraud ", i), Body: []agents.Body{{Body: embodied.Body{Goal: policy.LastSeen}}}, Truth: agents.Truth{Family: "fraudster"}})
	}
	public, sealed := publish(t, run(t, s, generate.Config{Seed: 2, Jobs: 2}))
	truth := unseal(t, read(t, public), sealed)
	family := map[string]string{}
	for id, x := range truth.Subjects {
		family[id] = "body"
		if x.Truth.Family != "" {
			family[id] = x.Truth.Family
		}
	}
	r, err := leaktest.Probe(mapFS(public), family, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Error(f)
	}
}

func TestMoves(t *testing.T) {
	for _, moves := range []string{"", ".", ".12 f3 l f2 r", "N NE2 SW SE12 ."} {
		actions, err := seal.DecodeMoves(nil, moves)
		if err != nil || seal.EncodeMoves(actions) != moves {
			t.Errorf("%q: %v, back %q (%v)", moves, actions, seal.EncodeMoves(actions), err)
		}
	}
	for _, bad := range []string{"g", "f1", "f02", "3", "f-2", "f3x", "f9999999999", "f1048577"} {
		if _, err := seal.DecodeMoves(nil, bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func FuzzDecodeMoves(f *testing.F) {
	f.Add(".12 f3 l f2")
	f.Add("N NE2 SW")
	f.Fuzz(func(t *testing.T, moves string) {
		actions, err := seal.DecodeMoves(nil, moves)
		if err != nil {
			return
		}
		again, err := seal.DecodeMoves(nil, seal.EncodeMoves(actions))
		if err != nil || !slices.Equal(actions, again) {
			t.Errorf("%q: %v, then %v (%v)", moves, actions, again, err)
		}
	})
}

// A scripted is a player that goes forward. In some trials its method Act returns an error, at tick 1.
type scripted struct {
	plays  *int
	closed *bool
	fail   map[int]error // number of the trial, from 1 → error that Act returns at tick 1
}

type excuse string

func (e excuse) Error() string    { return string(e) + ": somehow" }
func (e excuse) Unscored() string { return string(e) }

func (p scripted) Reset(context.Context, gridworld.Observation) error {
	*p.plays++
	return nil
}

func (p scripted) Act(_ context.Context, now gridworld.Observation) (gridworld.Action, error) {
	if now.Tick() == 1 {
		return gridworld.Stay, p.fail[*p.plays]
	}
	return gridworld.Forward, nil
}

func (p scripted) Close() error { *p.closed = true; return nil }

// A journal is a Journal in memory.
type journal struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (j *journal) Get(name string) ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.m[name], nil
}

func (j *journal) Put(name string, data []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.m[name] = bytes.Clone(data)
	return nil
}

// TestPlayers checks that, if a program fails in a trial with an error that has a method Unscored, the trial is
// unscored for this reason and the run goes on, and that any other error ends the run. It also checks that the journal
// has what the program did, so that a stopped run goes on where it stopped.
func TestPlayers(t *testing.T) {
	s := acting(t)
	s.Agents = append(s.Agents, agents.Spec{Name: "program", Command: []string{"program"}})
	plays, closed := 0, false
	config := generate.Config{Seed: 3, Jobs: 3, Journal: &journal{m: map[string][]byte{}}}
	config.Outside = func(spec *agents.Spec, _ generate.Journal) (generate.Player, error) {
		if spec.Name != "program" {
			t.Errorf("the player of %s", spec.Name)
		}
		return scripted{&plays, &closed, map[int]error{2: excuse("timed out"), 3: excuse("nonsense"), 9: errors.New("the disk is full")}}, nil
	}
	if _, err := generate.Run(context.Background(), s, config); err == nil || err.Error() != "agent program: the disk is full" || plays != 9 || !closed {
		t.Fatalf("error %v after %d plays", err, plays)
	}
	out := run(t, s, config) // plays 10 and later
	if plays != 9+120-8 {
		t.Errorf("%d plays: the journal's eight are played again", plays)
	}
	reasons := map[string]int{}
	for r := range out.All() {
		if out.Subjects[r.Subject].Name == "program" {
			reasons[r.Unscored]++
		} else if r.Unscored != "" {
			t.Fatalf("%s is unscored: %s", out.Subjects[r.Subject].Name, r.Unscored)
		}
	}
	if reasons["timed out"] != 1 || reasons["nonsense"] != 1 || reasons[""] != 118 {
		t.Errorf("reasons %v", reasons)
	}
	causes := map[string]int{}
	for _, e := range out.Episodes {
		if out.Subjects[e.Subject].Name == "program" {
			causes[e.Cause]++
		}
	}
	if causes["timed out: somehow"] != 1 || causes[""] == 0 || causes["timed-out"] == 0 {
		t.Errorf("causes %v", causes)
	}
	public, _ := publish(t, out)
	if d := read(t, public); !slices.Equal(d.Reasons, []string{"", "nonsense", "timed out"}) {
		t.Errorf("public reasons %v", d.Reasons)
	}
	again := run(t, s, config)
	if plays != 9+120-8 || !reflect.DeepEqual(generate.Unpacked(t, again), generate.Unpacked(t, out)) {
		t.Errorf("a finished run is played again, or differs: %d plays", plays)
	}
	config.Outside = nil
	if _, err := generate.Run(context.Background(), s, config); err == nil || !strings.Contains(err.Error(), "nothing is there to start it") {
		t.Errorf("without anything to start programs: %v", err)
	}
}

// TestActingNeedsWorlds checks that a subject that acts cannot take items without worlds.
func TestActingNeedsWorlds(t *testing.T) {
	_, err := scenario.Parse("x.toml", "name = \"x\"\n[[agent]]\nname = \"a\"\n[agent.body]\nmemory = 1\n")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := scenario.Parse("x.toml", "name = \"x\"\n[[agent]]\nname = \"a\"\n[agent.body]\nmemory = 1\n")
	_, err = generate.Run(context.Background(), s, generate.Config{})
	if err == nil || !strings.Contains(err.Error(), `x.toml:2: key agent[0]: a acts, and item OP-STC-Allo-CVChick`) {
		t.Errorf("error %v", err)
	}
}

// TestLayoutSpansTheWorlds checks that the distances which generated worlds demand lie within the range of the prior of
// the layout embodied.
func TestLayoutSpansTheWorlds(t *testing.T) {
	s := open(t, "embodied", "battery.items=2000")
	b, err := s.MakeBattery(t.Context(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := b.Column("pathLength")
	if lo, hi := slices.Min(c.Number), slices.Max(c.Number); lo != worlds.MinDistance || hi >= 80 {
		t.Errorf("ways are %v to %v long: the layout embodied has a prior from 16 to 80", lo, hi)
	}
}
