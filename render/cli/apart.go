package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"achilles/agents/external/process"
	"achilles/infer"
	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/infer/voe"
	"achilles/render/tabular"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/store"
)

// Where processes can be confined, inference has one of its own, which can read the public part and the system, and write what it
// infers. It is told an assignment, and nothing else.

// An assignment is what a process that infers is told, in one line of JSON: complete settings and the texts that they name, and where
// it reads and writes.
type assignment struct {
	Settings  infer.Settings
	Jobs      int
	Layout    *compare.Text   // nil without one
	Bank      *compare.Source // nil without one
	Surprises [][]voe.Surprise
	Calls     [][]voe.Asked
	Share     *infer.Share // nil: all of it

	Public, Pieces string
	Out            string // empty for a share
}

// A notice is a line of what a process that infers says: one of these.
type notice struct {
	Progress []int         `json:",omitempty"` // done and total
	Doubt    string        `json:",omitempty"`
	Shared   *infer.Shared `json:",omitempty"` // what was done of a share
	Error    string        `json:",omitempty"` // why it failed; there is nothing more then
	Done     bool          `json:",omitempty"` // there is nothing more
}

// inferArgument is the argument of a process that is to infer.
const inferArgument = "infer-apart"

// passed names the variables on which the time and the memory of an inference depend, and no result.
var passed = []string{"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GODEBUG"}

// errTogether says that there is no process for the inference.
var errTogether = errors.New("inference does not run in a process of its own")

// apart lets a process of its own do an inference of the public part in a results directory, or a share of it, and write it to out and, in
// pieces, to d. The error wraps errTogether if processes cannot be
// confined here: nothing has happened then.
func apart(ctx context.Context, a *app, from, d *results.Dir, j *infer.Job, share *infer.Share, out *store.Draft) (*infer.Shared, error) {
	if a.InProcess || a.Launcher == "" || a.unconfined(ctx) != nil {
		return nil, errTogether
	}
	pieces, err := d.PiecesPlace()
	if err != nil {
		return nil, err
	}
	as := assignment{Settings: j.Settings, Jobs: j.Jobs, Bank: j.Bank, Share: share, Public: from.Path(seal.PublicPart), Pieces: pieces}
	if j.Layout != nil {
		as.Layout = &compare.Text{File: j.Layout.File, Text: j.Layout.Text}
	}
	for _, o := range j.Outside {
		as.Surprises, as.Calls = append(as.Surprises, o.Surprises), append(as.Calls, o.Calls)
	}
	own := []string{pieces}
	if out != nil {
		as.Out = out.Place()
		own = append(own, as.Out)
	}
	if err := absolute(&as.Public, &as.Pieces, &as.Out); err != nil {
		return nil, err
	}
	seat := process.Seat{Launcher: a.Launcher, Allow: []string{as.Public}, Own: own, Pass: passed}
	p, err := seat.Start(ctx, []string{a.Launcher, inferArgument}, a.stderr)
	if err != nil {
		return nil, err
	}
	defer p.End()
	shared, err := converse(p, &as, j)
	_ = p.In.Close() // it ends then, if it has not
	ended := p.Wait()
	switch {
	case err == nil:
		return shared, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF) && ended != nil:
		return nil, fmt.Errorf("inference process: %w", ended)
	}
	return nil, err
}

// absolute makes paths absolute, unless they are empty.
func absolute(paths ...*string) (err error) {
	for _, p := range paths {
		if *p == "" {
			continue
		}
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
	}
	return nil
}

// converse tells a process its assignment, and hears its notices to the end. The error wraps io.ErrUnexpectedEOF if the process ended
// without one.
func converse(p *process.Process, as *assignment, j *infer.Job) (shared *infer.Shared, err error) {
	if err := json.NewEncoder(p.In).Encode(as); err != nil {
		return nil, fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	for notices := json.NewDecoder(p.Out); ; {
		var r notice
		if err := notices.Decode(&r); err != nil {
			return nil, fmt.Errorf("inference process: %w", io.ErrUnexpectedEOF)
		}
		switch {
		case r.Error != "":
			return nil, errors.New(r.Error)
		case r.Done:
			return shared, nil
		case r.Shared != nil:
			shared = r.Shared
		case r.Doubt != "" && j.Doubt != nil:
			j.Doubt(r.Doubt)
		case len(r.Progress) == 2 && j.Progress != nil:
			j.Progress(r.Progress[0], r.Progress[1])
		}
	}
}

// inferApart does the assignment that it reads, and gives notice. If in ends before, nobody waits for it: the process ends.
func inferApart(in io.Reader, out io.Writer) {
	SaveMemory()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM) // the process that waits for this one hears of them, too, and ends it
	lines := json.NewDecoder(in)
	var as assignment
	err := lines.Decode(&as)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	var mu sync.Mutex
	say := func(r notice) {
		mu.Lock()
		defer mu.Unlock()
		if json.NewEncoder(out).Encode(r) != nil {
			os.Exit(1)
		}
	}
	var shared *infer.Shared
	if err == nil {
		shared, err = as.do(say)
	}
	if err != nil {
		say(notice{Error: err.Error()})
		return
	}
	say(notice{Shared: shared})
	say(notice{Done: true})
}

// do does the assignment.
func (as *assignment) do(say func(notice)) (*infer.Shared, error) {
	j := infer.Job{Settings: as.Settings, Bank: as.Bank}
	j.Jobs, j.CSV, j.Scratch = as.Jobs, tabular.CSV, store.Scratch{}
	j.Doubt = func(text string) { say(notice{Doubt: text}) }
	j.Progress = func(done, total int) { say(notice{Progress: []int{done, total}}) }
	for i := range j.Outside {
		j.Outside[i].Surprises, j.Outside[i].Calls = as.Surprises[i], as.Calls[i]
	}
	var err error
	if as.Layout != nil {
		if j.Layout, err = new(layout.Library).Read(as.Layout.File, as.Layout.Text); err != nil { // once more, because a layout cannot be handed to another process
			return nil, err
		}
	}
	public, done, err := results.Published(as.Public)
	if err != nil {
		return nil, err
	}
	defer done()
	at, err := store.Open(as.Pieces)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	pieces := at.Pieces(".")
	if as.Share != nil {
		return infer.RunShare(context.Background(), public, j, *as.Share, pieces)
	}
	out, err := store.Fill(as.Out)
	if err != nil {
		return nil, err
	}
	_, err = infer.Run(context.Background(), public, j, pieces, out)
	return nil, errors.Join(err, out.Close())
}
