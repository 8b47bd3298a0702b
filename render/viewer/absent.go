package viewer

import (
	"slices"

	"achilles/render/picture"
	"achilles/render/replay"
)

// absent says, for every overlay, why there is nothing to lay over the picture; nothing where there is. The profile is nil
// where nothing was inferred.
func absent(unsealed bool, g *picture.Stage, p *Profile) (why [Overlays]string) {
	const sees, believes, goals, routes = 0, 1, 2, 3 // the order of screen.Show
	if w := g.Episode.Watch; w != nil {
		why[sees], why[believes], why[routes] = "here nobody's sight is known", "here the observer has beliefs, which are its goals", "nobody predicts routes in what is watched"
		if !thoughtful(w) {
			why[goals] = "what an observer thinks of this episode was not inferred"
		}
		return why
	}
	why[goals] = "observers think about what is watched, and here a subject acts"
	if !g.Believes() {
		why[believes] = disbelief(unsealed, g.Episode.Film)
	}
	switch {
	case g.Predicted != nil:
	case p == nil:
		why[routes] = "nothing was inferred of this subject"
	default:
		why[routes] = "the layout says nothing about walking, or this world has no way to a reward"
	}
	return why
}

// disbelief says why no belief of an actor is shown.
func disbelief(unsealed bool, f *replay.Film) string {
	switch {
	case !unsealed:
		return "sealed until the result is graded"
	case f.Eyes != nil:
		return "it never held anything about the reward"
	}
	return "only bodies have beliefs that are recorded"
}

// thoughtful reports whether it is known what an observer thinks of any trial.
func thoughtful(w *replay.Watch) bool {
	return slices.ContainsFunc(w.Videos, func(v replay.Video) bool { return len(v.Minds) > 0 })
}
