package tables

import (
	"slices"
	"strings"
)

// shown are words for what a subject is shown or told in a trial.
func shown() []string {
	return []string{"stimulus", "stim", "word", "sentence", "picture", "image", "photo", "video", "movie", "clip", "film", "scene", "sound", "question", "item", "problem", "prob"}
}

// isShown reports whether a column's name is a word for what is shown, alone or with a word for a name before or after it: word, movieID, image_name.
func isShown(name string) bool {
	name = plain(name)
	return slices.ContainsFunc(shown(), func(what string) bool {
		after, first := strings.CutPrefix(name, what)
		before, last := strings.CutSuffix(name, what)
		return name == what || first && slices.Contains(labels(), after) || last && slices.Contains(labels(), before)
	})
}

// shownOnce returns the column that says what each subject was shown in each of several rows, and never twice: that is the item. It is "" if there is none.
func shownOnce(s *surveyed, who string) string {
	if !isPerson(who) || !s.again([]string{who}) {
		return ""
	}
	for _, c := range s.columns {
		if c.name != who && s.used[c.name] == "" && c.gone == 0 && isShown(c.name) && s.again([]string{c.name}) && !s.again([]string{who, c.name}) {
			return c.name
		}
	}
	return ""
}

// suchAs is an example of a column that may say what was tested, for a question; it is empty if no column is called so.
func suchAs(s *surveyed) string {
	name := s.named(slices.Concat(conditionNames(), itemNames()), varies)
	for _, c := range s.columns {
		if name == "" && s.used[c.name] == "" && isShown(c.name) && varies(c) {
			name = c.name
		}
	}
	if name == "" {
		name = s.named(trialNames(), varies)
	}
	if name == "" {
		return ""
	}
	return ", such as --item " + shellWord(name)
}
