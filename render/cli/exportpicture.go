package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"achilles/render/canvas"
	"achilles/render/picture"
	"achilles/render/replay"
	"achilles/scenarios/results"
	"achilles/sim/expr"
	"achilles/sim/store"
)

// A pictureOrder has the values of the flags that all pictures of an episode share.
type pictureOrder struct {
	subject, item, out string
	trial, repetition  int
	width, height      int
	without            []string
	force              bool
}

// pictureCommands returns the subcommands of export that draw an episode: as a moment, a film or a strip.
func pictureCommands(a *app) []*cobra.Command {
	return []*cobra.Command{momentCommand(a), filmCommand(a), stripCommand(a), playerCommand(a)}
}

// pictureCommand adds to c the flags that the three commands share, and a function that opens the episode and writes
// the file. draw returns the content of the file.
func pictureCommand(a *app, c *cobra.Command, extension string, width, height int, draw func(e *replay.Episode, o *pictureOrder) ([]byte, error)) *cobra.Command {
	var o pictureOrder
	c.Args = cobra.ExactArgs(1)
	c.Flags().StringVar(&o.subject, "subject", "", "subject of the episode, by name or id (not for observer episodes)")
	c.Flags().StringVar(&o.item, "item", "", "item of the episode, by name or id (required)")
	c.Flags().IntVar(&o.trial, "trial", 0, "which of the item's trials, where it has several")
	c.Flags().IntVar(&o.repetition, "repetition", 0, "which repetition, where trials were taken several times")
	c.Flags().StringVar(&o.out, "out", "", "file to write, "+strings.ReplaceAll(extension, " ", " or ")+" (required)")
	c.Flags().IntVar(&o.width, "width", width, "width of a picture in pixels")
	c.Flags().IntVar(&o.height, "height", height, "height of a picture in pixels")
	c.Flags().StringSliceVar(&o.without, "without", nil, "overlays to leave out: sight, belief, goals, prediction")
	c.Flags().BoolVar(&o.force, "force", false, "overwrite existing output")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if err := o.check(c.Name(), extension); err != nil {
			return err
		}
		e, err := o.openEpisode(a, args[0])
		if err != nil {
			return err
		}
		b, err := draw(e, &o)
		if err != nil {
			return err
		}
		if err := store.WriteFile(o.out, b, o.force); err != nil {
			return err
		}
		a.say("%s, %d kB", o.out, (len(b)+999)/1000)
		return nil
	})
	return c
}

// maxSide is the largest width and height of a picture, in pixels.
const maxSide = 8192

func (o *pictureOrder) check(name, extension string) error {
	switch {
	case !slices.ContainsFunc(strings.Fields(extension), func(x string) bool { return strings.HasSuffix(o.out, x) }):
		return usagef("export %s needs --out: a file that ends in %s", name, strings.ReplaceAll(extension, " ", " or "))
	case o.item == "":
		return usagef("export %s needs --item: the item of the episode", name)
	case o.width < 200 || o.height < 150 || o.width > maxSide || o.height > maxSide:
		return usagef("a picture of %d × %d pixels; it must be at least 200 × 150 and at most %d × %d", o.width, o.height, maxSide, maxSide)
	}
	_, err := o.show()
	return err
}

// show returns the overlays that --without does not leave out.
func (o *pictureOrder) show() (picture.Overlays, error) {
	show := picture.All()
	for _, name := range o.without {
		overlay, ok := picture.ParseOverlay(name)
		if !ok {
			return show, usagef("--without %s; overlays are sight, belief, goals, prediction", name)
		}
		show[overlay] = false
	}
	return show, nil
}

// openEpisode opens the episode that the flags name, and prints the archive's notes.
func (o *pictureOrder) openEpisode(a *app, dir string) (e *replay.Episode, err error) {
	archive, dir, err := openArchive(dir)
	if errors.Is(err, replay.ErrNoEpisodes) {
		return nil, results.Hinted(fmt.Errorf("%s has %w", dir, err), "achilles run embodied --out results/embodied makes some")
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, n := range archive.Notes {
			a.note("%s: %s", dir, n)
		}
		err = errors.Join(err, archive.Close())
	}()
	row, err := o.find(archive, dir)
	if err != nil {
		return nil, err
	}
	return archive.Episode(row)
}

// find returns the row of the episode that the flags name.
func (o *pictureOrder) find(archive *replay.Archive, dir string) (int, error) {
	first, err := archive.Find(o.subject, o.item)
	if err != nil {
		return 0, results.Hinted(fmt.Errorf("%s has %w", dir, err), "achilles view %s lists them", expr.Quote(dir))
	}
	if o.subject == "" && archive.Key(first).Subject != "" {
		return 0, usagef("item %s was taken by several subjects: name one, such as --subject %s", o.item, archive.Rows[first].Subject)
	}
	for row := first; row < len(archive.Rows); row++ {
		r := &archive.Rows[row]
		if r.Item == archive.Rows[first].Item && r.Subject == archive.Rows[first].Subject && r.Trial == o.trial && r.Repetition == o.repetition {
			return row, nil
		}
	}
	return 0, usagef("%s has no trial %d, repetition %d of that item; both count from 0", dir, o.trial, o.repetition)
}

// tickOf returns the tick that a word stands for. The word is a number, start, end, or the name of an event; a name
// stands for the first event that has it.
func tickOf(word string, e *replay.Episode) (int, error) {
	switch word {
	case "start":
		return 0, nil
	case "end":
		return e.Last, nil
	}
	if n, err := strconv.Atoi(word); err == nil {
		if n < 0 || n > e.Last {
			return 0, usagef("tick %d: want 0 to %d", n, e.Last)
		}
		return n, nil
	}
	names := []string{"start", "end"}
	for _, v := range e.Events {
		name := v.Name()
		if name == word {
			return v.Tick, nil
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return 0, usagef("tick %q: want a number up to %d, or one of %s", word, e.Last, strings.Join(names, ", "))
}

func momentCommand(a *app) *cobra.Command {
	var tick string
	c := &cobra.Command{
		Use:   "png DIR",
		Short: "Draw a moment of an episode",
		Long: `Export png draws a moment of an episode: the world, what was in sight, the path so far and, where a profile was
inferred, the predicted path. A moment is a tick, start, end, or the name of an event on the timeline.`,
		Example: `  achilles export png results/embodied --subject body-007 --item worlds-000012 --tick 20 --out moment.png`,
	}
	c.Flags().StringVar(&tick, "tick", "end", "which moment: a tick, start, end, or the name of an event")
	return pictureCommand(a, c, ".png", 1280, 720, func(e *replay.Episode, o *pictureOrder) ([]byte, error) {
		at, err := tickOf(tick, e)
		if err != nil {
			return nil, err
		}
		show, _ := o.show()
		var b bytes.Buffer
		err = canvas.EncodePNG(&b, canvas.Render(picture.Moment{Episode: e, Tick: at, Show: show}.Annotated(float32(o.width), float32(o.height))))
		return b.Bytes(), err
	})
}

func filmCommand(a *app) *cobra.Command {
	var from, to string
	var speed float64
	c := &cobra.Command{
		Use:     "gif DIR",
		Short:   "Draw an episode as a film",
		Long:    `Export gif writes an episode as a looping animation of at most 15 seconds by default, cropped to the world.`,
		Example: `  achilles export gif results/embodied --subject body-007 --item worlds-000012 --out episode.gif`,
	}
	c.Flags().StringVar(&from, "from", "start", "first moment: a tick, start, end, or the name of an event")
	c.Flags().StringVar(&to, "to", "end", "last moment, likewise")
	c.Flags().Float64Var(&speed, "speed", 0, "how many times faster than in the viewer (default: so that it takes 15 seconds at most)")
	return pictureCommand(a, c, ".gif", 960, 540, func(e *replay.Episode, o *pictureOrder) ([]byte, error) {
		first, err := tickOf(from, e)
		if err != nil {
			return nil, err
		}
		last, err := tickOf(to, e)
		if err != nil {
			return nil, err
		}
		if last < first || speed < 0 {
			return nil, usagef("a film from tick %d to %d at speed %g: want --from not after --to, and a --speed that is not negative", first, last, speed)
		}
		show, _ := o.show()
		var b bytes.Buffer
		err = canvas.EncodeGIF(&b, picture.Animation(e, show, float32(o.width), float32(o.height), first, last, speed))
		return b.Bytes(), err
	})
}

func stripCommand(a *app) *cobra.Command {
	var frames, columns int
	c := &cobra.Command{
		Use:   "strip DIR",
		Short: "Draw the key moments of an episode side by side",
		Long: `Export strip draws the moments at which something happens in an episode, side by side in one picture, as PNG or SVG. Width
and height are those of one moment.`,
		Example: `  achilles export strip results/embodied --subject body-007 --item worlds-000012 --out strip.png`,
	}
	c.Flags().IntVar(&frames, "frames", 6, "how many moments at most")
	c.Flags().IntVar(&columns, "columns", 3, "how many of them side by side")
	return pictureCommand(a, c, ".png .svg", 480, 320, func(e *replay.Episode, o *pictureOrder) ([]byte, error) {
		if most := maxSide * maxSide / (o.width * o.height); frames < 1 || columns < 1 || frames > most {
			return nil, usagef("a strip of %d moments, %d side by side; want 1 to %d moments of %d × %d pixels, and at least 1 side by side", frames, columns, most, o.width, o.height)
		}
		show, _ := o.show()
		if strings.HasSuffix(o.out, ".svg") {
			return picture.StripSVG(e, show, float32(o.width), float32(o.height), frames, columns), nil
		}
		var b bytes.Buffer
		err := canvas.EncodePNG(&b, picture.Strip(e, show, float32(o.width), float32(o.height), frames, min(columns, frames)))
		return b.Bytes(), err
	})
}
