package battery

import (
	"fmt"
	"slices"
	"strings"
)

// QuestionFeature and OptionsFeature are the names of two text features of a battery of questions: the question, and its
// options separated by spaces.
const (
	QuestionFeature = "question"
	OptionsFeature  = "options"
)

// Question returns the question of item i and its options. ok is false if the item has no answer, or the schema lacks
// one of the two features.
func (b *Battery) Question(i int) (text string, options []string, ok bool) {
	q, hasText := b.Feature(QuestionFeature)
	o, hasOptions := b.Feature(OptionsFeature)
	if !hasText || !hasOptions {
		return "", nil, false
	}
	it := b.Items.At(i)
	if it.Answer == "" {
		return "", nil, false
	}
	return it.Values.At(q).Text, strings.Fields(it.Values.At(o).Text), true
}

// checkQuestion returns an error if an item with an answer has a fault: question text or options are missing, there are
// fewer than two options, one occurs twice, or the answer is not among them. It does not check items without an answer.
func (b *Battery) checkQuestion(i int, answer string) error {
	if answer == "" {
		return nil
	}
	text, options, ok := b.Question(i)
	switch {
	case !ok || text == "":
		return fmt.Errorf("it has an answer, and no features %s and %s", QuestionFeature, OptionsFeature)
	case len(options) < 2 || !slices.Contains(options, answer):
		return fmt.Errorf("options %q: want two or more with spaces between, and the answer %q among them", options, answer)
	}
	for k, o := range options {
		if slices.Contains(options[:k], o) {
			return fmt.Errorf("options: %q appears twice", o)
		}
	}
	return nil
}
