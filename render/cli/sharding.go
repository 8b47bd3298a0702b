package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/sim/expr"
)

// ErrStopped is the cause of a context that ends because the time is over, or because the system wants the program to
// end. The exit code is then stoppedCode.
var ErrStopped = errors.New("stopped")

// stoppedCode is the exit code of a command that stopped before its end and can go on (EX_TEMPFAIL of sysexits.h).
const stoppedCode = 75

// A sharding has the flags of commands of which several processes can do a share each.
type sharding struct {
	shard     string
	shards    int
	stopAfter time.Duration
}

func (s *sharding) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&s.shard, "shard", "", "run one shard, as I/N with I from 0; combine shards with achilles merge (default: ACHILLES_SHARD)")
	f.IntVar(&s.shards, "shards", 0, "number of shards of an array job; SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX selects the shard")
	f.DurationVar(&s.stopAfter, stopAfterFlag, 0, fmt.Sprintf("stop after a time such as 55m, with exit code %d and progress saved; rerun the command to resume", stoppedCode))
}

// arrayIndexes are the environment variables in which array jobs tell a task its number.
var arrayIndexes = []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"}

// share returns the share that the flags and the environment ask for. ok is false if they ask for the whole.
func (s *sharding) share() (share infer.Share, ok bool, err error) {
	text := s.shard
	if s.shards != 0 && text != "" {
		return share, false, usagef("--shard already gives the number of shards; omit --shards")
	}
	if s.shards == 0 && text == "" {
		text = os.Getenv("ACHILLES_SHARD")
	}
	switch {
	case s.shards != 0:
		for _, name := range arrayIndexes {
			if i := os.Getenv(name); i != "" {
				return parseShare(name, i, strconv.Itoa(s.shards))
			}
		}
		return share, false, usagef("--shards %d: neither %s is set; rerun with --shard I/N", s.shards, strings.Join(arrayIndexes, " nor "))
	case text == "":
		return share, false, nil
	}
	i, n, found := strings.Cut(text, "/")
	if !found {
		return share, false, usagef("shard %q: want I/N, such as 0/20 for the first of twenty", text)
	}
	return parseShare("shard", i, n)
}

func parseShare(what, i, n string) (share infer.Share, ok bool, err error) {
	index, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if err1 != nil || err2 != nil || index < 0 || of < 1 || index >= of || of > results.MaxShards {
		return share, false, usagef("%s %s of %s: want a number from 0 to N−1, of N shards, at most %d", what, i, n, results.MaxShards)
	}
	return infer.Share{Index: index, Of: of}, true, nil
}

// within calls f with a context that ends after --stop-after. It returns ErrStopped if f ended because of that.
func (s *sharding) within(ctx context.Context, f func(ctx context.Context) error) error {
	if s.stopAfter < 0 {
		return usagef("--stop-after %v: want more than 0", s.stopAfter)
	}
	if s.stopAfter > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.stopAfter, ErrStopped)
		defer cancel()
	}
	err := f(ctx)
	if err != nil && errors.Is(context.Cause(ctx), ErrStopped) {
		return ErrStopped
	}
	return err
}

// inShard opens the directory of a share below the results directory dir, and calls f, which makes the pieces that are not
// there yet. f returns the names of all pieces and what else the shard says of them; inShard then completes the share.
func inShard(a *app, dir, stage string, share infer.Share, f func(d *results.Dir) (names []string, s results.Shard, err error)) error {
	a.say("shard %d of shards 0 to %d", share.Index, share.Of-1)
	return results.Write(results.ShardDir(dir, share.Index, share.Of), func(d *results.Dir) error {
		if err := d.BeginShard(); err != nil {
			return err
		}
		names, s, err := f(d)
		if err != nil {
			return err
		}
		s.Stage, s.Index, s.Of = stage, share.Index, share.Of
		if err := d.PutShard(s, names); err != nil {
			return err
		}
		a.say("complete, %d pieces in %s\nnext, when all shards are complete: achilles merge %s", len(names), d, expr.Quote(dir))
		return nil
	})
}

// errDrawn says why a share of a scenario with a drawn seed cannot begin.
func errDrawn(dir string) error {
	return results.Hinted(errors.New("every shard would draw a root seed of its own"), "achilles generate draws it once; then achilles infer %s --shard I/N", expr.Quote(dir))
}

// checkShards returns an error if a run cannot have n shards.
func checkShards(n int) error {
	if n < 1 || n > results.MaxShards {
		return usagef("--shards %d: want a number of shards from 1 to %d", n, results.MaxShards)
	}
	return nil
}

// divisible returns the reason why a run of a scenario has no shares, or nil if it has. dir is its results directory.
func divisible(s *scenario.Scenario, in *infer.Job, dir string) error {
	if s.Drawn {
		return errDrawn(dir)
	}
	programs, err := generate.HasPrograms(s, s.Seed)
	if err != nil {
		return err
	}
	if programs {
		return results.Hinted(errors.New("all subjects' programs must finish before inference can begin"),
			"run achilles generate --shard I/N for every shard, then merge, generate, and infer --shard I/N")
	}
	return undivided(in.CheckDivisible())
}

// undivided adds a hint to the error of an inference that has no shares.
func undivided(err error) error {
	if err == nil {
		return nil
	}
	return results.Hinted(err, "run without shards; to use more processors for the single fit, set --jobs")
}

// inferShare infers a share of the results directory dir.
func (in *measuring) inferShare(ctx context.Context, a *app, dir string, share infer.Share) error {
	from, err := results.Open(dir)
	if err != nil {
		return err
	}
	defer from.Close()
	j, err := in.inferringFrom(a, from)
	if err != nil {
		return err
	}
	if err := undivided(j.CheckDivisible()); err != nil {
		return err
	}
	return inShard(a, dir, results.InferStage, share, func(d *results.Dir) ([]string, results.Shard, error) {
		return j.inferPieces(ctx, a, from, d, share)
	})
}

// actShare lets the programs of a share of the subjects act.
func (m *making) actShare(ctx context.Context, a *app, s *scenario.Scenario, share infer.Share) error {
	if s.Drawn {
		return errDrawn(m.Out)
	}
	programs, err := generate.HasPrograms(s, s.Seed)
	if err != nil {
		return err
	}
	if !programs {
		return results.Hinted(fmt.Errorf("no subject of %s is a program, so generation cannot be sharded", s.Name),
			"to shard the inference, run achilles run --shard I/N")
	}
	return inShard(a, m.Out, results.ActStage, share, func(d *results.Dir) ([]string, results.Shard, error) {
		c, err := m.generating(ctx, a, s, s.Seed)
		if err != nil {
			return nil, results.Shard{}, err
		}
		c.Journal = d.Acted()
		names, key, err := generate.Act(ctx, s, c, share.Index, share.Of)
		return names, results.Shard{Key: key}, err
	})
}

func mergeCommand(a *app) *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "merge DIR [SHARD...]",
		Short: "Merge the shards of a run",
		Long: `Merge copies the output of the shards of a run into DIR. It takes the shards below DIR/shards, or the directories that
are named. It rejects missing or duplicate shards and shards of different runs. Afterwards, rerun the command of the shards without
--shard to finish; the output is byte-identical to that of an unsharded run.`,
		Example: `  achilles merge results/quickstart --check
  achilles merge results/quickstart results/quickstart/shards/0-of-1`,
		Args: cobra.MinimumNArgs(1),
	}
	c.Flags().BoolVar(&check, "check", false, "read all shards, and say which are missing or damaged, in the syntax of array jobs")
	c.RunE = a.do(func(_ context.Context, args []string) error { return mergeShards(a, args[0], args[1:], check) })
	return c
}

// mergeShards unites the shards in the named directories, or those below dir if none are named.
func mergeShards(a *app, dir string, named []string, check bool) error {
	shards, err := results.OpenShards(dir, named)
	for _, d := range shards {
		defer d.Close()
	}
	if err != nil {
		return err
	}
	list, err := results.CheckShards(shards)
	var incomplete *results.Incomplete
	if check && errors.As(err, &incomplete) {
		fmt.Fprintln(a.stdout, results.Array(incomplete.Missing))
	}
	if err != nil {
		return err
	}
	if check {
		a.say("all %d shards are complete\nMerkle root %s", len(list), results.Root(list))
		return nil
	}
	return results.Write(dir, func(d *results.Dir) error {
		n, err := d.Merge(list)
		if err != nil {
			return err
		}
		a.say("%d shards, %d pieces; next, in %s: the command of the shards, without --shard\nMerkle root %s", len(list), n, d, results.Root(list))
		return nil
	})
}
