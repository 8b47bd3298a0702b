package score

import (
	"slices"
	"strings"

	"achilles/agents/accuracy"
	"achilles/battery"
	"achilles/battery/ctest"
	"achilles/sim/record"
)

// An answers has the scored responses of a subject to one measure: the items, whether each response is right, and its
// weight.
type answers struct {
	items   []int32
	right   []bool
	weights []float64
}

// share returns the weighted share of right responses, or 0 if there are none.
func (a answers) share() float64 {
	return a.mean(func(j int) float64 {
		if a.right[j] {
			return 1
		}
		return 0
	})
}

// mean returns the weighted mean of a number over the responses, or 0 if there are none. of returns the number for the
// j-th response.
func (a answers) mean(of func(j int) float64) float64 {
	sum, all := 0.0, 0.0
	for j, w := range a.weights {
		sum += float64(w * of(j))
		all += w
	}
	if all == 0 {
		return 0
	}
	return sum / all
}

// answersOf returns the scored responses of a subject, given by its opaque id, to the first binary measure. The weight of a
// response is the complexity of its series if all items are tasks of the C-test, else 1.
func answersOf(d *record.Dataset, id string, tasks []accuracy.Task) (a answers) {
	subject, ok := slices.BinarySearch(d.Subjects, id)
	if !ok {
		return a
	}
	binary := firstBinary(d)
	for _, r := range d.Responses.Of(subject) {
		if int(r.Measure) != binary || r.Unscored != 0 {
			continue
		}
		w := 1.0
		if tasks != nil {
			w = tasks[r.Item].Difficulty
		}
		a = answers{append(a.items, r.Item), append(a.right, r.Value == 1), append(a.weights, w)}
	}
	return a
}

// firstBinary returns the index of the first binary measure, or −1 if there is none.
func firstBinary(d *record.Dataset) int {
	return slices.IndexFunc(d.Manifest.Measures, func(m record.Measure) bool { return m.Family == record.Binary })
}

// optionsOf returns the number of possible answers of each item: the number of options of a question; 2 (passed or
// not) for any other item.
func optionsOf(items *record.Items) []int {
	out := slices.Repeat([]int{2}, items.Len())
	if c, ok := items.Column(battery.OptionsFeature); ok && c.Kind == record.Text {
		for i, text := range c.Text {
			out[i] = max(2, len(strings.Fields(text)))
		}
	}
	return out
}

// seriesTasks returns the items of a C-test as tasks, whose difficulty is the complexity. It returns nil if any item is
// not a series of the C-test.
func seriesTasks(items *record.Items) (out []accuracy.Task) {
	k, hasK := items.Column("k")
	answers, hasAnswers := items.Column("answers")
	if !hasK || !hasAnswers || k.Kind != record.Number || answers.Kind != record.Number {
		return nil
	}
	for i, suite := range items.Suite {
		if suite != ctest.Suite || !(k.Number[i] > 0) || !(answers.Number[i] >= 2) {
			return nil
		}
		out = append(out, accuracy.Task{Difficulty: k.Number[i], Answers: int(answers.Number[i])})
	}
	return out
}

// weighted returns the mean of the function chance, a probability of success, over tasks weighted by their difficulty.
func weighted(tasks []accuracy.Task, chance func(accuracy.Task) float64) *float64 {
	sum, all := 0.0, 0.0
	for _, t := range tasks {
		sum += float64(t.Difficulty * chance(t))
		all += t.Difficulty
	}
	sum /= all
	return &sum
}
