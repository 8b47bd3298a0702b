package generate_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/battery"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// An undoing converts a public directory to one in which nothing may depend on the root seed or on names. Subjects and
// items have no opaque ids, but names that say their places in the session; the two outcomes of a pair are in the
// session's order, not in that of the keyed coin; and no response is held out.
type undoing struct {
	s     *generate.Session
	d     *record.Dataset
	truth *seal.Truth
	files map[string][]byte // converted files, path → content
	names map[string]string // opaque id → name by place
}

// undone returns the converted files of a public directory. s has the same subjects and items in the same places as the
// session that was published; in the published session names may have `canary` at their end.
func undone(t testing.TB, s *generate.Session, public, sealed map[string][]byte) map[string][]byte {
	t.Helper()
	d := read(t, public)
	u := &undoing{s: s, d: d, truth: unseal(t, d, sealed), files: map[string][]byte{}, names: map[string]string{}}
	u.isAllThatIsRead(t, public)
	for id, x := range u.truth.Subjects {
		u.names[id] = place("subject", slices.IndexFunc(s.Subjects, func(y agents.Spec) bool { return plainName(y.Name) == plainName(x.Name) }))
	}
	for id, x := range u.truth.Items {
		u.names[id] = place("item", u.item(x.Name))
	}
	u.coins(t)
	others := slices.Concat(u.worlds(t, public), u.trajectories(t, public), u.scenes(t, public))
	u.responses(t)
	u.items()
	d.Manifest.Parents = nil
	tables, err := record.Encode(d, others...)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(u.files, tables)
	return u.files
}

// coins checks that a random bit computed from the key decides which outcome of an item comes first, so that nobody
// without the key can compute it.
func (u *undoing) coins(t testing.TB) {
	t.Helper()
	key := seal.NewKey(rootOf(t, u.truth))
	for id, x := range u.truth.Items {
		var first string
		pair := 1
		switch {
		case x.Episode != nil && len(x.Episode.Outcome) == 2:
			first = x.Episode.Outcome[0].String()
		case len(x.Labels) == 2:
			first, pair = x.Labels[0].Outcome, x.Labels[0].Pair
		default:
			continue
		}
		coin := key.Rand("outcome", id, fmt.Sprint(pair))
		if coin.Bernoulli(0.5) != (first == battery.Unexpected.String()) {
			t.Errorf("item %s: the coin is not that of the key", id)
		}
	}
}

// item returns the index of an item in the session.
func (u *undoing) item(name string) int {
	for i, it := range u.s.Battery.Items.All() {
		if plainName(it.Name) == plainName(name) {
			return i
		}
	}
	return -1
}

// plainName returns a name without `canary` at its end.
func plainName(name string) string { return strings.TrimSuffix(name, canary) }

func place(what string, i int) string { return fmt.Sprintf("%s-%06d", what, i) }

// isAllThatIsRead checks that files have nothing except what their readers read: if the data that were read are written
// again, the bytes must be the same.
func (u *undoing) isAllThatIsRead(t testing.TB, public map[string][]byte) {
	t.Helper()
	again, err := record.Encode(u.d, u.d.Manifest.Files...)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range again {
		if !bytes.Equal(data, public[name]) {
			t.Errorf("%s says more than its reader reads", name)
		}
	}
	if n := len(u.d.Manifest.All()) + 1; n != len(public) {
		t.Errorf("the manifest names %d files of %d", n, len(public))
	}
}

// sessionTrial returns the index, in the session, of the trial of an item that has a public number.
func (u *undoing) sessionTrial(item string, public int) int {
	x := u.truth.Items[item]
	for _, l := range x.Labels {
		if l.Trial != public {
			continue
		}
		return slices.IndexFunc(u.s.Battery.Items.At(u.item(x.Name)).Trials, func(tr battery.Trial) bool { return tr.Pair == l.Pair && tr.Outcome.String() == l.Outcome })
	}
	return public
}

func (u *undoing) worlds(t testing.TB, public map[string][]byte) []part.File {
	t.Helper()
	worlds, err := record.Worlds(mapFS(public), &u.d.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	u.same(t, public, "worlds/", func() map[string][]byte { return must(generatetest.EncodeWorlds(worlds))(t) })
	for i := range worlds {
		w := &worlds[i]
		w.Item, w.Trial = u.names[w.Item], u.sessionTrial(w.Item, w.Trial)
	}
	slices.SortFunc(worlds, func(a, b record.World) int {
		return strings.Compare(fmt.Sprintf("%s %06d", a.Item, a.Trial), fmt.Sprintf("%s %06d", b.Item, b.Trial))
	})
	return u.keep(must(generatetest.EncodeWorlds(worlds))(t))
}

func (u *undoing) trajectories(t testing.TB, public map[string][]byte) []part.File {
	t.Helper()
	if public["trajectories/index.parquet"] == nil {
		return nil
	}
	r, err := record.OpenTrajectories(mapFS(public), &u.d.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	var all []*record.Trajectory
	for tr, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tr)
	}
	u.same(t, public, "trajectories/", func() map[string][]byte { return writeTrajectories(t, all) })
	for _, tr := range all {
		tr.Item, tr.Trial, tr.Subject = u.names[tr.Item], u.sessionTrial(tr.Item, tr.Trial), u.names[tr.Subject]
	}
	slices.SortFunc(all, func(a, b *record.Trajectory) int {
		key := func(k record.Key) string {
			return fmt.Sprintf("%s %06d %s %06d", k.Item, k.Trial, k.Subject, k.Repetition)
		}
		return strings.Compare(key(a.Key), key(b.Key))
	})
	return u.keep(writeTrajectories(t, all))
}

func writeTrajectories(t testing.TB, all []*record.Trajectory) map[string][]byte {
	t.Helper()
	files, create := generatetest.InMemory()
	w := record.NewTrajectoryWriter(func(path string) (io.WriteCloser, error) { return create(seal.PublicPart, path) })
	for _, tr := range all {
		if err := w.Write(tr); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return files[seal.PublicPart]
}

func (u *undoing) scenes(t testing.TB, public map[string][]byte) []part.File {
	t.Helper()
	items, err := record.Scenes(mapFS(public), &u.d.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	u.same(t, public, "scenes/", func() map[string][]byte { return writeScenes(t, items) })
	for i := range items {
		w := &items[i]
		if l := u.truth.Items[w.Item].Episode; l.Outcome[0] == battery.Unexpected {
			w.Videos[0], w.Videos[1] = w.Videos[1], w.Videos[0]
		}
		w.Item = u.names[w.Item]
	}
	slices.SortFunc(items, func(a, b record.Watched) int { return strings.Compare(a.Item, b.Item) })
	return u.keep(writeScenes(t, items))
}

func writeScenes(t testing.TB, items []record.Watched) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for shard := range slices.Chunk(items, record.ScenesPerShard) {
		path, data, err := record.EncodeSceneShard(len(files), shard)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = data
	}
	return files
}

// same checks that the files that `written` returns lie in the folder and are equal to the public files.
func (u *undoing) same(t testing.TB, public map[string][]byte, folder string, written func() map[string][]byte) {
	t.Helper()
	for name, data := range written() {
		if !strings.HasPrefix(name, folder) || !bytes.Equal(data, public[name]) {
			t.Errorf("%s says more than its reader reads", name)
		}
	}
}

// keep adds files and returns their descriptions.
func (u *undoing) keep(files map[string][]byte) (list []part.File) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		u.files[name] = files[name]
		list = append(list, part.NewFile(name, files[name]))
	}
	return list
}

// responses checks that the split is determined by the key, removes it, and sorts the responses by the places in the
// session. It must run before items, because it finds the subjects and items of responses by their ids.
func (u *undoing) responses(t testing.TB) {
	t.Helper()
	share, key := u.s.HoldOut, seal.NewKey(rootOf(t, u.truth))
	if share == 0 {
		share = generate.DefaultHoldOut
	}
	_, subjects := sorted(u.d.Subjects, u.names)
	_, items := sorted(u.d.Items.ID, u.names)
	list := u.d.Responses.List()
	for i := range list {
		r := &list[i]
		subject, item := u.d.Subjects[r.Subject], u.d.Items.ID[r.Item]
		coin := rng.Stream(key.Seed("split", subject), item)
		if held := coin.Bernoulli(share); held != (r.Split == record.HeldOut) {
			t.Errorf("subject %s, item %s: the split is not that of the key", subject, item)
		}
		r.Split, r.Trial = record.Fit, int16(u.sessionTrial(item, int(r.Trial)))
		r.Subject, r.Item = subjects[r.Subject], items[r.Item]
	}
	record.Sort(list)
	u.d.Responses = record.PackResponses(list)
}

// items gives items and subjects their names by place, and sorts them.
func (u *undoing) items() {
	subjects, _ := sorted(u.d.Subjects, u.names)
	at, _ := sorted(u.d.Items.ID, u.names)
	u.d.Subjects = named(picked(u.d.Subjects, subjects), u.names)
	it := u.d.Items.Part(0, u.d.Items.Len())
	it.ID, it.Suite, it.Paradigm, it.Task = named(picked(it.ID, at), u.names), picked(it.Suite, at), picked(it.Paradigm, at), picked(it.Task, at)
	for k := range it.Columns {
		c := &it.Columns[k]
		c.Number, c.Text, c.Missing = picked(c.Number, at), picked(c.Text, at), picked(c.Missing, at)
	}
	u.d.Items = *it
}

// sorted returns the order of ids by their names: at[row] is the index of the id at place `row`; row is the inverse of
// at.
func sorted(ids []string, names map[string]string) (at []int, row []int32) {
	for i := range ids {
		at = append(at, i)
	}
	slices.SortFunc(at, func(a, b int) int { return strings.Compare(names[ids[a]], names[ids[b]]) })
	row = make([]int32, len(ids))
	for r, i := range at {
		row[i] = int32(r)
	}
	return at, row
}

func picked[T any](list []T, at []int) (out []T) {
	if list == nil {
		return nil
	}
	for _, i := range at {
		out = append(out, list[i])
	}
	return out
}

func named(ids []string, names map[string]string) (out []string) {
	for _, id := range ids {
		out = append(out, names[id])
	}
	return out
}

// must returns a function that returns x, or ends the test if err is not nil.
func must[T any](x T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

func rootOf(t testing.TB, x *seal.Truth) (root uint64) {
	t.Helper()
	if _, err := fmt.Sscan(x.Root, &root); err != nil {
		t.Fatal(err)
	}
	return root
}
