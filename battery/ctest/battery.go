package ctest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"achilles/battery"
	"achilles/sim/record"
)

// Suite names the suite of every item.
const Suite = "ctest"

// columns returns the features. The first three measure how hard a problem is. They rank short series differently; a
// layout or a rule may take any of them as its demand.
func columns() []battery.Column[*Problem] {
	return []battery.Column[*Problem]{
		battery.Number("k", record.Demand, "bits", 1, 22, "complexity: length of the cheapest program that explains the series, plus log2 of its time up to letter 7, rounded down",
			func(p *Problem) float64 { return float64(p.K) }),
		battery.Number("phrases", record.Demand, "phrases", 1, maxSeries, "phrases in the history of the series (Lempel and Ziv 1976)",
			func(p *Problem) float64 { return float64(Phrases(p.Series)) }),
		battery.Number("phraseRate", record.Demand, "of a random series", 0, 3, "phrases as a proportion of n / log n to base 26, which a random series has in the limit",
			func(p *Problem) float64 { return PhraseRate(p.Series) }),
		battery.Number("letters", record.Condition, "letters", 1, maxSeries, "letters shown",
			func(p *Problem) float64 { return float64(len(p.Series)) }),
		battery.Number("answers", record.Condition, "letters", 2, Letters, "letters to choose the answer from",
			func(p *Problem) float64 { return float64(len(p.Options)) }),
		battery.Text(battery.QuestionFeature, record.Condition, "the series to be continued", func(p *Problem) string { return p.Series }),
		battery.Text(battery.OptionsFeature, record.Condition, "the letters to choose from", func(p *Problem) string { return strings.Join(strings.Split(p.Options, ""), " ") }),
	}
}

// Of returns the battery of the problems, with one item each.
func Of(problems []Problem) battery.Battery {
	all := columns()
	b := battery.Battery{
		Suite:   Suite,
		Schema:  battery.SchemaOf(all),
		Measure: []record.Measure{{Name: "success", Family: record.Binary, Doc: "whether the subject gave the letter that comes next"}},
	}
	for i := range problems {
		p := &problems[i]
		it := battery.Item{
			Name: "series-" + p.Series, Suite: Suite, Paradigm: "series", Task: fmt.Sprintf("k%d", p.K), Answer: string(p.Answer),
			Brief: "Which letter comes next? After z comes a.", Values: battery.ValuesOf(all, p),
		}
		b.Items.Append(&it)
	}
	return b
}

// Factors returns the factors of a design with their default levels.
func Factors() []battery.Factor {
	k := battery.Factor{Name: "k"}
	for x := MinK; x <= MaxK; x++ {
		k.Number = append(k.Number, float64(x))
	}
	return []battery.Factor{k, {Name: "answers", Number: []float64{5}}}
}

// Design returns a battery of generated problems. Every level is used equally often, as far as there are series. The error says
// that a level is wrong, that r.Items is 0, or that too few series were found, or it is that of the context.
func Design(ctx context.Context, r battery.Request) (battery.Battery, error) {
	bounds := [][2]int{{MinK, MaxK}, {2, Letters}}
	factors, err := battery.WithLevels(Factors(), r.Levels, func(f int, x float64) error {
		if b := bounds[f]; x != float64(int(x)) || int(x) < b[0] || int(x) > b[1] {
			return fmt.Errorf("not a whole number from %d to %d", b[0], b[1])
		}
		return nil
	})
	if err != nil {
		return battery.Battery{}, err
	}
	if r.Items == 0 {
		return battery.Battery{}, errors.New("ctest: there are infinitely many series: set the number of items")
	}
	problems, err := Generate(ctx, Request{Count: r.Items, K: whole(factors[0].Number), Answers: whole(factors[1].Number), Root: r.Root})
	if err != nil {
		return battery.Battery{}, err
	}
	return Of(problems), nil
}

func whole(list []float64) []int {
	out := make([]int, len(list))
	for i, x := range list {
		out[i] = int(x)
	}
	return out
}
