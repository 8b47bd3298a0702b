package battery

import (
	"fmt"
	"slices"
	"strings"
)

// A battery of questions has two text features by these names: what is asked, and the options with spaces between them.
const (
	QuestionFeature = "question"
	OptionsFeature  = "options"
)

// Question returns what item i asks and the options to answer with; false where it is no question.
func (b *Battery) Question(i int) (text string, options []string, ok bool) {
	q, hasText := b.Feature(QuestionFeature)
	o, hasOptions := b.Feature(OptionsFeature)
	if b.Items[i].Answer == "" || !hasText || !hasOptions {
		return "", nil, false
	}
	return b.Items[i].Values[q].Text, strings.Fields(b.Items[i].Values[o].Text), true
}

// checkQuestion says what is wrong with an item that has an answer: it asks nothing, or the answer is not one of at
// least two different options.
func (b *Battery) checkQuestion(i int) error {
	if b.Items[i].Answer == "" {
		return nil
	}
	text, options, ok := b.Question(i)
	switch {
	case !ok || text == "":
		return fmt.Errorf("it has an answer, and no features %s and %s", QuestionFeature, OptionsFeature)
	case len(options) < 2 || !slices.Contains(options, b.Items[i].Answer):
		return fmt.Errorf("options %q: want two or more with spaces between, and the answer %q among them", options, b.Items[i].Answer)
	}
	for k, o := range options {
		if slices.Contains(options[:k], o) {
			return fmt.Errorf("options: %q stands twice", o)
		}
	}
	return nil
}
