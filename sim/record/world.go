package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"achilles/sim/part"
)

// A Movement says how an actor may move in a world.
type Movement string

const (
	// FourHeading is movement to the four neighbours of a cell, by turning and going forward.
	FourHeading Movement = "4-heading"
	// EightNeighbour is movement to the eight neighbours of a cell, never cutting a corner.
	EightNeighbour Movement = "8-neighbour"
)

// A World is the world in which a trial of an item starts. It is enough to replay the trial.
type World struct {
	Item     string
	Trial    int // 0 … 32767
	Movement Movement
	Text     string // text form of the world with its schedule; complete lines, each ended by a line break
}

// worldHeader is the first line of every shard of worlds. Its number is the version of the format.
const worldHeader = "achilles-worlds 1\n"

// worldsPerShard is the number of worlds in every shard except the last. It is fixed, so that a shard's name says
// nothing about its content.
const worldsPerShard = 256

// A WorldWriter writes worlds in text shards. It holds one shard in memory.
//
// A shard is a header line, then for every world a line "world ITEM trial N movement M lines K", its K lines of text
// and an empty line.
type WorldWriter struct {
	create Create
	files  []part.File
	shard  bytes.Buffer
	worlds int   // number of worlds in the shard
	last   World // the last world, without its text
}

// NewWorldWriter returns a writer that calls create to create its files. Their paths are relative to the public directory.
func NewWorldWriter(create Create) *WorldWriter { return &WorldWriter{create: create} }

// Write appends a world. Worlds must come sorted by item and trial, without duplicates. After an error neither Write nor Close may
// be called.
func (w *WorldWriter) Write(x *World) error {
	if err := x.check(); err != nil {
		return fmt.Errorf("world of item %s, trial %d: %w", x.Item, x.Trial, err)
	}
	if w.last.Item != "" && compareWorlds(w.last, *x) >= 0 {
		return fmt.Errorf("world of item %s, trial %d: worlds are not sorted, or one is listed twice", x.Item, x.Trial)
	}
	w.last = World{Item: x.Item, Trial: x.Trial}
	if w.worlds == 0 {
		w.shard.Reset()
		w.shard.WriteString(worldHeader)
	}
	w.shard.WriteString("world " + x.Item + " trial " + strconv.Itoa(x.Trial) + " movement " + string(x.Movement) + " lines " + strconv.Itoa(strings.Count(x.Text, "\n")) + "\n")
	w.shard.WriteString(x.Text)
	w.shard.WriteByte('\n')
	if w.worlds++; w.worlds < worldsPerShard {
		return nil
	}
	return w.end()
}

// end writes the file of the shard.
func (w *WorldWriter) end() error {
	path := fmt.Sprintf("%s%06d.txt", worldFolder, len(w.files))
	out, err := w.create(path)
	if err != nil {
		return err
	}
	_, err = out.Write(w.shard.Bytes())
	w.files, w.worlds = append(w.files, part.NewFile(path, w.shard.Bytes())), 0
	return errors.Join(err, out.Close())
}

// Close writes the last shard, and returns the files for Write. There are none if no world was written.
func (w *WorldWriter) Close() ([]part.File, error) {
	if w.worlds == 0 {
		return w.files, nil
	}
	err := w.end()
	return w.files, err
}

func compareWorlds(a, b World) int {
	if c := strings.Compare(a.Item, b.Item); c != 0 {
		return c
	}
	return a.Trial - b.Trial
}

func (w World) check() error {
	switch {
	case CheckName(w.Item) != nil || strings.Contains(w.Item, " "):
		return errors.New("an item id has no spaces and only characters that print")
	case w.Trial < 0 || w.Trial > maxTrial:
		return fmt.Errorf("trial is not in 0 … %d", maxTrial)
	case !w.Movement.known():
		return fmt.Errorf("movement %q is not one of %s, %s", w.Movement, FourHeading, EightNeighbour)
	case !strings.HasSuffix(w.Text, "\n"):
		return errors.New("the text does not end in a line break")
	case !utf8.ValidString(w.Text) || strings.IndexByte(w.Text, '\r') >= 0 || strings.IndexByte(w.Text, 0) >= 0:
		return errors.New("the text is not UTF-8 in lines ended by \\n")
	}
	return nil
}

func (m Movement) known() bool { return m == FourHeading || m == EightNeighbour }

// Worlds reads all worlds of a public directory, sorted by item and trial, and verifies their files.
func Worlds(fsys fs.FS, m *Manifest) ([]World, error) {
	var all []World
	for _, f := range m.below(worldFolder) {
		w, err := readShard(fsys, f)
		if err != nil {
			return nil, err
		}
		if len(all) > 0 && len(w) > 0 && compareWorlds(all[len(all)-1], w[0]) >= 0 {
			return nil, fmt.Errorf("%s: worlds are not sorted", f.Path)
		}
		all = append(all, w...)
	}
	return all, nil
}

// FindWorld reads one world of a public directory, and opens only a few shards to find it. The error wraps
// fs.ErrNotExist if the directory has no such world.
func FindWorld(fsys fs.FS, m *Manifest, item string, trial int) (World, error) {
	want := World{Item: item, Trial: trial}
	files := m.below(worldFolder)
	var failed error
	// n is the first shard that starts after the wanted world, so that the world can only be in shard n−1.
	n := sort.Search(len(files), func(i int) bool {
		w, err := readShard(fsys, files[i])
		if err != nil || len(w) == 0 {
			failed = err
			return true
		}
		return compareWorlds(w[0], want) > 0
	})
	if failed != nil {
		return World{}, failed
	}
	if n > 0 {
		w, err := readShard(fsys, files[n-1])
		if err != nil {
			return World{}, err
		}
		if i, ok := slices.BinarySearchFunc(w, want, compareWorlds); ok {
			return w[i], nil
		}
	}
	return World{}, fmt.Errorf("world of item %s, trial %d: %w", item, trial, fs.ErrNotExist)
}

// below returns the files in a folder, in order.
func (m *Manifest) below(folder string) []part.File {
	var files []part.File
	for _, f := range m.Files {
		if strings.HasPrefix(f.Path, folder) {
			files = append(files, f)
		}
	}
	return files
}

func readShard(fsys fs.FS, f part.File) ([]World, error) {
	b, err := f.Content(fsys)
	if err != nil {
		return nil, err
	}
	w, err := decodeWorlds(string(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return w, nil
}

func decodeWorlds(text string) ([]World, error) {
	rest, ok := strings.CutPrefix(text, worldHeader)
	if !ok {
		first, _, _ := strings.Cut(text, "\n")
		return nil, fmt.Errorf("line 1: %q is not %q, the only version that this reader knows", first, worldHeader[:len(worldHeader)-1])
	}
	var worlds []World
	for line := 2; rest != ""; {
		w, after, used, err := cutWorld(rest)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if n := len(worlds); n > 0 && compareWorlds(worlds[n-1], w) >= 0 {
			return nil, fmt.Errorf("line %d: worlds are not sorted, or one is listed twice", line)
		}
		worlds, rest, line = append(worlds, w), after, line+used
	}
	return worlds, nil
}

// cutWorld reads the first world of the text. It returns the rest of the text, and the number of lines that the world
// took.
func cutWorld(text string) (w World, rest string, used int, err error) {
	head, body, _ := strings.Cut(text, "\n")
	p := strings.Split(head, " ")
	if len(p) != 8 || p[0] != "world" || p[2] != "trial" || p[4] != "movement" || p[6] != "lines" {
		return w, "", 0, fmt.Errorf("%q is not \"world ITEM trial N movement M lines K\"", head)
	}
	trial, err1 := strconv.Atoi(p[3])
	lines, err2 := strconv.Atoi(p[7])
	if err1 != nil || err2 != nil || lines < 1 || strconv.Itoa(trial) != p[3] || strconv.Itoa(lines) != p[7] {
		return w, "", 0, fmt.Errorf("%q: trial and lines are whole numbers, lines at least 1", head)
	}
	end := 0
	for range lines {
		k := strings.IndexByte(body[end:], '\n')
		if k < 0 {
			return w, "", 0, errors.New("truncated world")
		}
		end += k + 1
	}
	w = World{Item: p[1], Trial: trial, Movement: Movement(p[5]), Text: body[:end]}
	if err := w.check(); err != nil {
		return w, "", 0, err
	}
	rest, ok := strings.CutPrefix(body[end:], "\n")
	if !ok {
		return w, "", 0, errors.New("an empty line must follow the world")
	}
	return w, rest, lines + 2, nil
}
