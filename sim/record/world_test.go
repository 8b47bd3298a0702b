package record_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"achilles/sim/part"
	"achilles/sim/record"
)

func someWorlds(n int) []record.World {
	w := make([]record.World, n)
	for i := range w {
		w[i] = record.World{
			Item: fmt.Sprintf("i-%08x", i/2), Trial: i % 2,
			Movement: []record.Movement{record.FourHeading, record.EightNeighbour}[i/2%2],
			Text:     fmt.Sprintf("#####\n#a.o#\n#####\n\nat 3: lights out until %d\n", i),
		}
	}
	return w
}

// worldManifest returns a manifest that lists the files.
func worldManifest(files map[string][]byte) *record.Manifest {
	m := new(record.Manifest)
	for name, data := range files {
		m.Files = append(m.Files, part.NewFile(name, data))
	}
	slices.SortFunc(m.Files, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	return m
}

func TestWorldsRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 256, 257, 1000} {
		worlds := someWorlds(n)
		files, err := record.EncodeWorlds(worlds)
		if err != nil {
			t.Fatal(err)
		}
		m := worldManifest(files)
		got, err := record.Worlds(mapFS(files), m)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, worlds) {
			t.Errorf("%d worlds come back different", n)
		}
		for i := 0; i < n; i += 37 {
			w, err := record.FindWorld(mapFS(files), m, worlds[i].Item, worlds[i].Trial)
			if err != nil || w != worlds[i] {
				t.Errorf("FindWorld(%s, %d) = %v, %v", worlds[i].Item, worlds[i].Trial, w, err)
			}
		}
		if _, err := record.FindWorld(mapFS(files), m, "i-99999999", 0); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an absent world gives %v", err)
		}
	}
}

// TestWorldTextIsOpaque checks that the text of a world may look like the header of the next world.
func TestWorldTextIsOpaque(t *testing.T) {
	w := []record.World{{Item: "a", Movement: record.FourHeading, Text: "world b trial 0 movement 4-heading lines 1\n\n\n"}, {Item: "b", Movement: record.FourHeading, Text: "x\n"}}
	files, err := record.EncodeWorlds(w)
	if err != nil {
		t.Fatal(err)
	}
	got, err := record.Worlds(mapFS(files), worldManifest(files))
	if err != nil || !slices.Equal(got, w) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBadWorlds(t *testing.T) {
	ok := record.World{Item: "a", Movement: record.FourHeading, Text: "x\n"}
	for _, c := range []struct {
		why    string
		change func(w *record.World)
		want   string
	}{
		{"empty text", func(w *record.World) { w.Text = "" }, "line break"},
		{"unended line", func(w *record.World) { w.Text = "x" }, "line break"},
		{"carriage return", func(w *record.World) { w.Text = "x\r\n" }, "lines ended by"},
		{"space in the id", func(w *record.World) { w.Item = "a b" }, "no spaces"},
		{"unknown movement", func(w *record.World) { w.Movement = "jumping" }, "movement"},
		{"negative trial", func(w *record.World) { w.Trial = -1 }, "trial"},
	} {
		w := ok
		c.change(&w)
		_, err := record.EncodeWorlds([]record.World{w})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not mention %q", c.why, err, c.want)
		}
	}
	if _, err := record.EncodeWorlds([]record.World{ok, ok}); err == nil {
		t.Error("a world listed twice is accepted")
	}
	for _, c := range []struct{ why, text, want string }{
		{"another version", "achilles-worlds 2\n", "line 1"},
		{"no header", "", "line 1"},
		{"nonsense", "achilles-worlds 1\nhello\n", "line 2"},
		{"truncated", "achilles-worlds 1\nworld a trial 0 movement 4-heading lines 5\nx\n", "truncated"},
		{"no empty line", "achilles-worlds 1\nworld a trial 0 movement 4-heading lines 1\nx\ny\n", "empty line"},
		{"twice", "achilles-worlds 1\n" + strings.Repeat("world a trial 0 movement 4-heading lines 1\nx\n\n", 2), "line 5: worlds are not sorted"},
	} {
		files := map[string][]byte{"worlds/000000.txt": []byte(c.text)}
		_, err := record.Worlds(mapFS(files), worldManifest(files))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not mention %q", c.why, err, c.want)
		}
	}
}
