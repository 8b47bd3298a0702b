package generate_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/bib"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/leaktest"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// watchedSession returns a session of the shipped episodes, changed by settings.
func watchedSession(t testing.TB, root uint64, settings ...string) *generate.Session {
	t.Helper()
	s, err := generate.Run(context.Background(), open(t, "bib", settings...), generate.Config{Seed: root})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// publishBy publishes a session with `jobs` goroutines.
func publishBy(t testing.TB, s *generate.Session, jobs int) (public, sealed map[string][]byte) {
	t.Helper()
	files, create := generatetest.InMemory()
	if err := generate.PublishTo(context.Background(), s, jobs, nil, create); err != nil {
		t.Fatal(err)
	}
	return files[seal.PublicPart], files[seal.SealedPart]
}

// once returns scene, which makes every episode once only.
func once(scene func(i int) (bib.Episode, error)) func(i int) (bib.Episode, error) {
	type made struct {
		bib.Episode
		error
	}
	var mu sync.Mutex
	all := map[int]made{}
	return func(i int) (bib.Episode, error) {
		mu.Lock()
		m, known := all[i]
		if mu.Unlock(); known {
			return m.Episode, m.error
		}
		m.Episode, m.error = scene(i)
		mu.Lock()
		defer mu.Unlock()
		all[i] = m
		return m.Episode, m.error
	}
}

// TestPublishScenes checks that every episode of the shipped scenario is published with a label that fits, and that the
// bytes do not depend on the number of goroutines.
func TestPublishScenes(t *testing.T) {
	each, shards := 20, 2 // all tasks together fill more than one shard
	if testing.Short() {
		each, shards = 2, 1
	}
	setting := fmt.Sprintf("episodes=%d", each)
	session := watchedSession(t, 3, setting)
	session.Scene = once(session.Scene)
	public, sealed := publishBy(t, session, 5) // makes the episodes
	for _, jobs := range []int{1, 2} {
		p, s := publishBy(t, session, jobs)
		if !reflect.DeepEqual(p, public) || !reflect.DeepEqual(s, sealed) {
			t.Errorf("%d jobs give other bytes", jobs)
		}
	}
	d := read(t, public)
	truth := unseal(t, d, sealed)
	scenes, err := record.Scenes(mapFS(public), &d.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	labels := truth.Episodes()
	tasks := append(bib.Evaluation(), bib.Background()...)
	if len(scenes) != each*len(tasks) || len(labels) != len(scenes) || d.Items.Len() != len(scenes) || len(record.SceneShards(&d.Manifest)) != shards {
		t.Fatalf("%d scenes, %d labels, %d items in %d shards of %d episodes", len(scenes), len(labels), d.Items.Len(), len(record.SceneShards(&d.Manifest)), each*len(tasks))
	}
	if truth.Root != "3" || !strings.Contains(truth.Scenario, "[bib]") || !bytes.Contains(truth.Published, []byte(`"hbtom"`)) {
		t.Errorf("the truth has root %s, published %.60s", truth.Root, truth.Published)
	}
	few := min(each, 5) // as many of each task are made anew
	anew := generatetest.Episodes(t, scenario.Episodes{Design: bib.Design{Episodes: few, Tasks: tasks}}, 3)
	swapped := 0
	for i, l := range labels {
		task := slices.Index(tasks, l.Task)
		e, err := session.Scene(task*each + l.Index)
		if err != nil {
			t.Fatal(err)
		}
		if l.Index < few {
			e = anew[task*few+l.Index]
		}
		unexpected := len(l.Outcome) > 1 && l.Outcome[0] == battery.Unexpected
		w, want := e.Blind(d.Items.ID[i], unexpected)
		if !reflect.DeepEqual(l, want) || !same(&scenes[i], &w) {
			t.Fatalf("item %s: label %+v, want %+v, or other scenes", l.Item, l, want)
		}
		if unexpected {
			swapped++
		}
	}
	if n := each * len(bib.Evaluation()); !testing.Short() && (swapped < n/2-2*each || swapped > n/2+2*each) { // z = 5.7 for 200 pairs
		t.Errorf("video a is the unexpected one in %d of %d", swapped, n)
	}
}

// same returns whether a and b give the same bytes when they are written.
func same(a, b *record.Watched) bool {
	_, x, err := record.EncodeSceneShard(0, []record.Watched{*a})
	_, y, err2 := record.EncodeSceneShard(0, []record.Watched{*b})
	return err == nil && err2 == nil && reflect.DeepEqual(x, y)
}

// unzip returns the text of a public file.
func unzip(t *testing.T, name string, data []byte) string {
	t.Helper()
	if !strings.HasSuffix(name, ".gz") {
		return string(data)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestScenesAreRedacted checks that no word of the sealed data is public: names of tasks and episodes, variants,
// outcomes, names of imported files, the scenario.
func TestScenesAreRedacted(t *testing.T) {
	s := watchedSession(t, 5, "episodes=4")
	variants := map[string]bool{}
	for i := range s.Battery.Items.Len() {
		e, err := s.Scene(i)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Variant) > 1 { // A and B are too short to search for
			variants[e.Variant] = true
		}
	}
	forbidden := []string{"expected", "canary", "bib.toml", "published", "hbtom"}
	for _, task := range append(bib.Evaluation(), bib.Background()...) {
		forbidden = append(forbidden, string(task))
	}
	for v := range variants {
		forbidden = append(forbidden, v)
	}
	scene := s.Scene
	s.Scene = func(i int) (bib.Episode, error) {
		e, err := scene(i)
		e.Source = s.Battery.Items.Name(i)
		return e, err
	}
	for i := range s.Battery.Items.Len() {
		batterytest.Edit(&s.Battery.Items, i, func(it *battery.Item) { it.Name = fmt.Sprintf("canary/%06dloe", i) })
	}
	public, sealed := publishBy(t, s, 2)
	for name, data := range public {
		text := unzip(t, name, data)
		for _, word := range forbidden {
			if strings.Contains(text, word) {
				t.Errorf("%s has the word %q", name, word)
			}
		}
	}
	for _, l := range unseal(t, read(t, public), sealed).Episodes() {
		if !strings.HasPrefix(l.Source, "canary/") {
			t.Errorf("item %s has no source", l.Item)
		}
	}
}

// TestSealedFieldsOfScenes changes the fields of watched episodes that are tagged sealed, one at a time. No public byte
// except the commitment may change, and the sealed files must change. A field without a tag is an error. The two
// outcomes are left out (TestCoinHidesOutcome checks them). TestRedaction does the same for the other fields of a
// session.
func TestSealedFieldsOfScenes(t *testing.T) {
	public, sealed := publishBy(t, watchedSession(t, 5, "episodes=1"), 1)
	check := func(name string, s *generate.Session) {
		p, x := publishBy(t, s, 1)
		if !maps.EqualFunc(public, p, equalButCommitment) {
			t.Errorf("%s is sealed, yet changing it changes the public files", name)
		}
		if reflect.DeepEqual(sealed, x) {
			t.Errorf("%s is sealed, yet the sealed files do not have it", name)
		}
	}
	alter := func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			v.SetString(v.String() + " and more")
		case reflect.Int:
			v.SetInt(v.Int() + 77)
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		default:
			t.Fatalf("the test does not know how to change a %s", v.Type())
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[bib.Episode]()) {
		if _, tagged := f.Tag.Lookup("sealed"); !tagged {
			t.Errorf("Episode.%s is neither sealed nor known to be published", f.Name)
		}
		if f.Name == "Expected" || f.Name == "Unexpected" {
			continue
		}
		s := watchedSession(t, 5, "episodes=1")
		scene := s.Scene
		s.Scene = func(i int) (bib.Episode, error) {
			e, err := scene(i)
			alter(reflect.ValueOf(&e).Elem().FieldByIndex(f.Index))
			return e, err
		}
		check("Episode."+f.Name, s)
	}
}

// TestCoinHidesOutcome checks that nothing in the videos reveals which outcome is the expected one: an episode with its
// outcomes exchanged gives the same videos with the other side of the coin.
func TestCoinHidesOutcome(t *testing.T) {
	s := watchedSession(t, 6, "episodes=4")
	for i := range s.Battery.Items.Len() {
		e, err := s.Scene(i)
		if err != nil {
			t.Fatal(err)
		}
		if !e.Paired() {
			continue
		}
		other := e
		other.Expected, other.Unexpected = e.Unexpected, e.Expected
		a, _ := e.Blind("i", false)
		b, _ := other.Blind("i", true)
		if !same(&a, &b) {
			t.Errorf("%s: the videos say which is expected", s.Battery.Items.Name(i))
		}
	}
}

// TestFormOfScenesSaysNothing checks that the form of the public directory, such as ids and their order, does not
// predict the task of an item, or which of its videos is the expected one. A planted label that does depend on the id
// must be found. A right program fails on one of a million root seeds (leaktest.Alpha).
func TestFormOfScenesSaysNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundreds of episodes take a second or two")
	}
	each := 16
	if longtest.On() {
		each = 48
	}
	public, sealed := publishBy(t, watchedSession(t, 7, fmt.Sprint("episodes=", each)), 2)
	truth := unseal(t, read(t, public), sealed)
	task, first, planted := map[string]string{}, map[string]string{}, map[string]string{}
	for _, l := range truth.Episodes() {
		task[l.Item] = string(l.Task)
		if len(l.Outcome) == 2 {
			first[l.Item] = l.Outcome[0].String()
		}
		planted[l.Item] = fmt.Sprint(l.Item[len(l.Item)-1]%2 == 0)
	}
	for name, labels := range map[string]map[string]string{"task": task, "first outcome": first, "planted": planted} {
		r, err := leaktest.Probe(mapFS(public), nil, labels)
		if err != nil {
			t.Fatal(err)
		}
		if found := len(r.Findings) > 0; found != (name == "planted") || len(r.Checks) < 20 {
			t.Errorf("%s: %d checks, findings %v", name, len(r.Checks), r.Findings)
		}
	}
}
