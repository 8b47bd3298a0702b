package viewer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/render/format"
	"achilles/render/picture"
	"achilles/render/replay"
	"achilles/sim/num"
)

// An opened is an open episode with values that are stored, because computing them for every frame would take too long.
type opened struct {
	*replay.Episode
	densities []density                  // by parameter of the profile
	absent    map[picture.Overlay]string // by overlay that has nothing to show: the reason
	notes     []string                   // the notes that the archive had after the episode was opened
}

// openEpisode opens the episode of a row.
func openEpisode(a *replay.Archive, row int) (*opened, error) {
	e, err := a.Episode(row)
	if err != nil {
		return nil, err
	}
	o := newOpened(e, a.Unsealed)
	o.notes = slices.Clone(a.Notes)
	return o, nil
}

func newOpened(e *replay.Episode, unsealed bool) *opened {
	o := &opened{Episode: e, absent: absent(e, unsealed)}
	if e.Profile != nil {
		for i := range e.Profile.Parameters {
			o.densities = append(o.densities, newDensity(&e.Profile.Parameters[i]))
		}
	}
	return o
}

// absent returns the overlays that have nothing to show in an episode, with the reasons.
func absent(e *replay.Episode, unsealed bool) map[picture.Overlay]string {
	why := map[picture.Overlay]string{}
	if w := e.Watched; w != nil {
		why[picture.Sight] = "no field of view is recorded for observer episodes"
		why[picture.Belief] = "see the goals overlay for the observer's beliefs"
		why[picture.Prediction] = "no paths are predicted for observer episodes"
		why[picture.Others] = "no subject acts in observer episodes"
		if !slices.ContainsFunc(w.Videos, func(v replay.Video) bool { return len(v.Beliefs) > 0 }) {
			why[picture.Goals] = "what an observer thinks of this episode was not inferred"
		}
		return why
	}
	why[picture.Goals] = "no observers: a subject acts in this episode"
	if len(e.Others) == 0 {
		why[picture.Others] = "no other subject took this item"
	}
	switch {
	case e.Trajectory.HasBeliefs():
	case !unsealed:
		why[picture.Belief] = "sealed until the result is scored"
	case e.Trajectory.Eyes != nil:
		why[picture.Belief] = "the body never had a belief about the reward"
	default:
		why[picture.Belief] = "beliefs are recorded only for embodied subjects"
	}
	switch {
	case e.Predicted != nil:
	case e.Profile == nil:
		why[picture.Prediction] = "no profile was inferred for this subject"
	default:
		why[picture.Prediction] = "the layout has no [walking], or the reward is unreachable in this world"
	}
	return why
}

// title returns the title of an episode.
func title(e *replay.Episode) string {
	text := e.Paradigm
	if e.Task != e.Paradigm {
		text += " · " + e.Task
	}
	if e.Subject != "" {
		text = e.Subject + " · " + text
	}
	return text + " · " + e.Item
}

// A fact is a line about an episode, with a name and a value.
type fact struct{ name, value string }

// percentOr returns the share x in per cent. If x is NaN, it returns the text otherwise.
func percentOr(x float64, otherwise string) string {
	if math.IsNaN(x) {
		return otherwise
	}
	return format.Percent(x)
}

// numberOr returns a number with its unit, or a dash if the number is NaN.
func numberOr(x float64, unit string) string {
	if math.IsNaN(x) {
		return "–"
	}
	return format.Number(x, 2) + unit
}

// facts returns the outcome of the episode, the predictions about the episode, and the features of the item. One
// prediction depends on the tick.
func facts(e *replay.Episode, tick int) (list []fact) {
	add := func(name, value string) { list = append(list, fact{name, value}) }
	add("outcome", e.Outcome)
	if e.Cause != "" {
		add("cause", e.Cause)
	}
	if e.Took > 0 {
		value := fmt.Sprintf("%s of %s", num.Count(e.Passed), num.Count(e.Took))
		if n := len(e.Others); n < e.Took {
			value += fmt.Sprintf("; %d drawn", n)
		}
		add("others who passed", value)
	}
	if p := e.Predicted; p != nil {
		add("p(success), paths", format.Percent(p.Success))
		if tick < len(p.Chance) {
			add("… so far", percentOr(p.Chance[tick], "no matching path"))
		}
		add("predicted path", fmt.Sprintf("medoid of %d", p.Samples))
		add("sampled like it", fmt.Sprintf("%d of %d", int(math.Round(p.Share*float64(p.Samples))), p.Samples))
		add("RMSE, predicted", format.Number(p.RMSE, 2)+" cells")
		add("mean RMSE, sampled", format.Number(p.FanRMSE, 2)+" cells")
	}
	if h := e.HeldOut; h != nil {
		if !math.IsNaN(h.P) {
			add("p, held out", numberOr(h.P, ""))
		}
		if !math.IsNaN(h.Truth) {
			add("p under the truth", numberOr(h.Truth, ""))
		}
		if h.Residual != nil {
			add("residual", h.Residual.String())
		}
		add("RMSE, held-out fit", numberOr(h.RMSE, " cells"))
		add("−log p, held out", numberOr(h.Surprise, " nats"))
	}
	if w := e.Watched; w != nil {
		for i := range w.Videos {
			if v := &w.Videos[i]; !math.IsNaN(v.Surprise) {
				add("surprise, "+v.Title(), format.Short(math.Round(v.Surprise*1e6)/1e6)+" "+replay.Unit(w.Observer))
			}
		}
		if w.Observer != "" {
			add("observer", w.Observer)
		}
	}
	for _, f := range e.Features {
		add(f.Name, strings.TrimSuffix(f.Value+" "+f.Unit, " "))
	}
	return list
}
