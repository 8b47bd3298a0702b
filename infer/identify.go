package infer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// Identify simulates subjects and says how much their responses tell about their parameters. It draws each subject from
// the prior, draws its response to every item once, and fits it. It uses the items of the public directory and none of
// its responses, but for the positions of the first subject's if the layout names them.
func Identify(ctx context.Context, public fs.FS, c Job, subjects int) (*Identifiability, error) {
	if subjects < 1 || subjects > maxSimulated {
		return nil, fmt.Errorf("%d simulated subjects; want 1 to %d", subjects, maxSimulated)
	}
	data, err := c.simulable(public)
	if err != nil {
		return nil, err
	}
	l := c.Layout
	if l.Joint() {
		return c.identifyTable(ctx, data, l, subjects)
	}
	design, err := l.Bind(&data.Items, data.Manifest.Measures)
	if err != nil {
		return nil, err
	}
	return identify(ctx, design, c, subjects)
}

// maxSimulated is the largest number of subjects that are drawn from a layout's prior.
const maxSimulated = 100_000

// simulable checks the settings, and reads a public directory. If the layout names the position of a response, the items
// are the trials of the first subject.
func (c *Job) simulable(public fs.FS) (*record.Dataset, error) {
	if err := c.Check(true, false); err != nil {
		return nil, err
	}
	data, err := record.Read(public)
	if err == nil && c.Layout.ByPosition(&data.Items) {
		err = oneSequence(data)
	}
	return data, err
}

// oneSequence replaces the items by the trials of the first subject: simulated subjects take the items in its order.
func oneSequence(data *record.Dataset) error {
	own := data.Responses.Of(0)
	if len(own) == 0 {
		return errors.New("the layout uses the position of a response, and the first subject has no positions, so the item order of simulated subjects is undefined")
	}
	if slices.ContainsFunc(own, unordered) {
		return errUnordered
	}
	items, _ := data.Items.ByPosition(own)
	data.Items = *items
	return nil
}

func identify(ctx context.Context, design *layout.Design, c Job, n int) (*Identifiability, error) {
	all := make([]*moments, n)
	err := parallel(ctx, n, c.Jobs, c.Progress, func(ctx context.Context, i int) (err error) {
		all[i], err = simulateAndFit(ctx, design, c, strconv.Itoa(i))
		return err
	})
	if err != nil {
		return nil, err
	}
	return identifiability(design, all), nil
}

// simulateAndFit simulates one subject and fits it. It returns nil if the chains disagree in both engines.
func simulateAndFit(ctx context.Context, design *layout.Design, c Job, name string) (*moments, error) {
	random := rng.Stream(c.Seed, "identify", name)
	theta, use := simulateSubject(design, &random)
	post, _, err := c.fitSubject(ctx, design, use, "identify", name)
	if post == nil || err != nil {
		return nil, err
	}
	t := momentsOf("", post.Draws)
	for k, x := range theta {
		t.miss = append(t.miss, post.Summaries[k].Mean-x)
	}
	return t, nil
}
