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
	"testing"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/scenarios/generate"
	"achilles/scenarios/leaktest"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// screen publishes the shipped episodes, changed by settings.
func screen(t testing.TB, root uint64, jobs int, settings ...string) (public, sealed map[string][]byte) {
	t.Helper()
	s, err := generate.Screen(open(t, "bib", settings...), root)
	if err != nil {
		t.Fatal(err)
	}
	return publishScreening(t, s, jobs)
}

func publishScreening(t testing.TB, s *generate.Screening, jobs int) (public, sealed map[string][]byte) {
	t.Helper()
	files, create := generate.InMemory()
	if err := generate.PublishScreening(context.Background(), s, jobs, nil, create); err != nil {
		t.Fatal(err)
	}
	return files[seal.PublicPart], files[seal.SealedPart]
}

// TestScreening checks that every episode of the shipped scenario is published, with a label that fits, whatever the
// number of goroutines.
func TestScreening(t *testing.T) {
	each, shards := 20, 2 // with all tasks more than one shard
	if testing.Short() {
		each, shards = 2, 1
	}
	setting := fmt.Sprintf("episodes=%d", each)
	public, sealed := screen(t, 3, 1, setting)
	for _, jobs := range []int{2, 5} {
		p, s := screen(t, 3, jobs, setting)
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
	plan := generate.Plan{Design: bib.Design{Episodes: each, Tasks: tasks}}
	all, err := generate.Make(context.Background(), plan, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	swapped := 0
	for i, l := range labels {
		e := &all[slices.Index(tasks, l.Task)*each+l.Index]
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

// same compares by what is written.
func same(a, b *record.Watched) bool {
	x, err := record.EncodeScenes([]record.Watched{*a})
	y, err2 := record.EncodeScenes([]record.Watched{*b})
	return err == nil && err2 == nil && reflect.DeepEqual(x, y)
}

// unzip is the text of a public file.
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

// TestScreeningIsRedacted checks that no word of what is sealed is public: names of tasks and episodes, variants,
// outcomes, names of imported files, the scenario.
func TestScreeningIsRedacted(t *testing.T) {
	s, err := generate.Screen(open(t, "bib", "episodes=4"), 5)
	if err != nil {
		t.Fatal(err)
	}
	variants := map[string]bool{}
	for i := range s.Names {
		e, err := s.Episode(i)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Variant) > 1 { // A and B are too short to be looked for
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
	for i := range s.Names {
		s.Names[i] = fmt.Sprintf("canary/%06dloe", i)
	}
	s.Imported = true
	public, sealed := publishScreening(t, s, 2)
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

// TestSealedFieldsOfScreening changes what is tagged sealed of a screening and of its episodes, field by field: no public
// byte but the commitment changes, and the sealed files do. Root and names, which key the ids, are left out, and so are
// the two outcomes (TestCoinHidesOutcome). A field without a tag must be listed here.
func TestSealedFieldsOfScreening(t *testing.T) {
	prepare := func() *generate.Screening {
		s, err := generate.Screen(open(t, "bib", "episodes=1"), 5)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	public, sealed := publishScreening(t, prepare(), 1)
	check := func(name string, s *generate.Screening) {
		p, x := publishScreening(t, s, 1)
		if !maps.EqualFunc(public, p, equalButCommitment) {
			t.Errorf("%s is sealed, yet changing it changes the public files", name)
		}
		if reflect.DeepEqual(sealed, x) {
			t.Errorf("%s is sealed, yet the sealed files do not have it", name)
		}
	}
	fields := func(of any, untagged, apart string) (names []string) {
		for i := range reflect.TypeOf(of).NumField() {
			f := reflect.TypeOf(of).Field(i)
			switch _, tagged := f.Tag.Lookup("sealed"); {
			case !tagged && f.Name != untagged:
				t.Errorf("%T.%s is neither sealed nor known to be published", of, f.Name)
			case tagged && !strings.Contains(apart, f.Name):
				names = append(names, f.Name)
			}
		}
		return names
	}
	alter := func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.String:
			v.SetString(v.String() + " and more")
		case reflect.Int:
			v.SetInt(v.Int() + 77)
		default: // published values
			v.SetBytes([]byte(`{"source": "another"}`))
		}
	}
	for _, name := range fields(generate.Screening{}, "Episode", "Names Root") {
		s := prepare()
		alter(reflect.ValueOf(s).Elem().FieldByName(name))
		check("Screening."+name, s)
	}
	for _, name := range fields(bib.Episode{}, "", "Expected Unexpected") {
		s := prepare()
		episode := s.Episode
		s.Episode = func(i int) (bib.Episode, error) {
			e, err := episode(i)
			alter(reflect.ValueOf(&e).Elem().FieldByName(name))
			return e, err
		}
		check("Episode."+name, s)
	}
}

// TestCoinHidesOutcome checks that nothing in what is watched says which outcome is the expected one: of an episode with
// its outcomes exchanged the other toss of the coin gives the same videos.
func TestCoinHidesOutcome(t *testing.T) {
	s, err := generate.Screen(open(t, "bib", "episodes=4"), 6)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Names {
		e, err := s.Episode(i)
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
			t.Errorf("%s: the videos say which is expected", s.Names[i])
		}
	}
}

// TestScreeningFormSaysNothing holds the form of the public directory against tasks and against which video is expected;
// a label that does hang on the form must be found. It fails once in a million root seeds (leak.Alpha).
func TestScreeningFormSaysNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundreds of episodes take a second or two")
	}
	public, sealed := screen(t, 7, 2, "episodes=48")
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
