package cli

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"achilles/battery/bib"
	"achilles/battery/bib/format"
	"achilles/scenarios/generate"
)

func (a *app) importEpisodesCommand() *cobra.Command {
	m := &making{}
	var skip bool
	c := &cobra.Command{
		Use:   "bib FOLDER --out DIR",
		Short: "Make a results directory of episodes in the format of the Baby Intuitions Benchmark",
		Long: `Import bib reads a folder of the benchmark's own files, one a video, six digits, two letters, e or u and .json, and
writes DIR/public, where episodes have opaque ids, and DIR/sealed, which has what the names say: the task and which
outcome is expected. Faults that files of the benchmark are known to have are put right and reported. The task is told
by the name of a folder around the files, as the benchmark and its archives have them, or by the two letters.`,
		Example: `  achilles import bib episodes --out results/real`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&m.out, "out", "", "results directory to write (required)")
	c.Flags().IntVar(&m.jobs, "jobs", 0, "shards of episodes at a time (default: one a processor); no result depends on it")
	c.Flags().BoolVar(&skip, "skip-broken", false, "leave out episodes whose files cannot be read, and report them")
	c.Flags().BoolVar(&m.force, "force", false, "overwrite what is there")
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if m.out == "" {
			return usagef("import bib needs --out: where to write")
		}
		if err := m.checkJobs(); err != nil {
			return err
		}
		return writing(m.out, func() error { return a.importEpisodes(ctx, args[0], skip, m) })
	})
	return c
}

func (a *app) importEpisodes(ctx context.Context, folder string, skip bool, m *making) error {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is no folder", folder)
	}
	fsys := os.DirFS(folder)
	stems, err := format.Files(fsys)
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	r := &reader{fsys: fsys, folder: folderName(folder), stems: stems}
	if skip {
		if err := r.leaveOut(ctx, a); err != nil {
			return err
		}
		stems = r.stems
	}
	r.faults, r.tasks = make([][]format.Fault, len(stems)), make([]bib.Task, len(stems))
	root, err := digestOf(fsys, stems)
	if err != nil {
		return err
	}
	shipped, err := loadScenario("bib", nil) // has what was published on these files
	if err != nil {
		return err
	}
	s := &generate.Session{Battery: bib.Battery(stems), Scene: r.read, Root: root, Published: shipped.Published}
	public, sealed, err := a.publish(ctx, s, m.jobs)
	if err != nil {
		return r.hint(err)
	}
	r.report(a)
	if err := a.replacePublic("import", m.out, public, sealed, m.force); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%d episodes of %d tasks; public and sealed in %s\n", len(stems), r.countTasks(), m.out)
	return nil
}

// digestOf is a root seed that only who has the files can know: of the names and the content of all of them. A smaller
// secret, such as a seed that the command line shows, would let anybody who guesses the names undo the coin.
func digestOf(fsys fs.FS, stems []string) (uint64, error) {
	h := sha256.New()
	for _, stem := range stems {
		for _, letter := range []string{"e", "u"} {
			f, err := fsys.Open(stem + letter + ".json")
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return 0, err
			}
			fmt.Fprintf(h, "%s%s\x00", stem, letter)
			_, err = io.Copy(h, f)
			if err = errors.Join(err, f.Close()); err != nil {
				return 0, err
			}
		}
	}
	return binary.LittleEndian.Uint64(h.Sum(nil)), nil
}

// A reader reads episodes from the benchmark's files.
type reader struct {
	fsys   fs.FS
	folder string // its name
	stems  []string

	mu     sync.Mutex
	faults [][]format.Fault // by stem
	tasks  []bib.Task
}

func (r *reader) read(i int) (bib.Episode, error) {
	it, err := format.Open(r.fsys, r.folder, r.stems[i])
	if err != nil {
		return bib.Episode{}, &unreadable{err}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[i], r.tasks[i] = it.Faults, it.Task
	e := it.Episode()
	e.Source = r.stems[i]
	e.Index, err = strconv.Atoi(path.Base(e.Source)[:6])
	return e, err
}

// An unreadable error is about the content of a file.
type unreadable struct{ error }

func (u *unreadable) Unwrap() error { return u.error }

// hint tells the user what to do about a file that cannot be read.
func (r *reader) hint(err error) error {
	var u *unreadable
	if errors.As(err, &u) {
		return hinted(err, "--skip-broken leaves such episodes out")
	}
	return err
}

// leaveOut takes the episodes that cannot be read off the list, and reports them.
func (r *reader) leaveOut(ctx context.Context, a *app) error {
	var good []string
	for _, stem := range r.stems {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := format.Open(r.fsys, r.folder, stem); err != nil {
			a.note("left out: %v", err)
			continue
		}
		good = append(good, stem)
	}
	r.stems = good
	return nil
}

// folderName is the name of a folder, also of one that is given as . or ..
func folderName(folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	return filepath.Base(folder)
}

// report tells the user what was put right, by file.
func (r *reader) report(a *app) {
	for i, faults := range r.faults {
		for _, f := range faults {
			a.note("%s: %s", r.stems[i], f)
		}
	}
}

func (r *reader) countTasks() int {
	seen := map[bib.Task]bool{}
	for _, t := range r.tasks {
		seen[t] = true
	}
	return len(seen)
}
