package irt

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer/mml"
	"achilles/sim/num"
	"achilles/sim/table"
)

// groups returns the groups of subjects.
func (a *Analysis) groups() *table.Table {
	if a.Groups == nil && a.drift == nil {
		return nil
	}
	names := a.Groups
	if names == nil {
		names = []string{"all"}
	}
	rows := num.Indices(len(names))
	fields := []table.Field[int]{text("group", "", func(g int) string { return names[g] })}
	fields = append(fields, estimate("mean", "of ability; the first group is the unit unless there are anchors", func(g int) (float64, float64) { return a.Fit.Groups[g].Mean, a.Fit.Groups[g].MeanSE })...)
	fields = append(fields, estimate("sd", "standard deviation of ability", func(g int) (float64, float64) { return a.Fit.Groups[g].SD, a.Fit.Groups[g].SDSE })...)
	return table.Of(table.Table{Name: "groups", Title: "Abilities of groups", Key: []string{"group"}, Foot: []string{"In parentheses: standard errors. Groups are on one scale by the items that they have in common."}}, rows, fields)
}

// functioning returns the tests of differential item functioning.
func (a *Analysis) functioning() *table.Table {
	if a.dif == nil {
		return nil
	}
	t := a.differences(a.dif, "dif", fmt.Sprintf("Differential item functioning by %s", a.Settings.By), "group")
	t.Foot = append(t.Foot, fmt.Sprintf("Likelihood ratio: the item's parameters differ between groups, against the same for all; %s. Effects are expected responses in a group less those in %s, as proportions of the highest category, over that group's abilities: up to 0.05 is negligible, from 0.1 large.", a.rest(), a.Groups[0]))
	return t
}

// rest says with what items were compared.
func (a *Analysis) rest() string {
	if len(a.dif) > 0 && slices.ContainsFunc(a.dif, func(x mml.Difference) bool { return x.Purified }) {
		return "the other items are the same for all, but for those that differ"
	}
	return "the other items are the same for all"
}

// drifting returns the tests of anchors.
func (a *Analysis) drifting() *table.Table {
	if a.drift == nil {
		return nil
	}
	t := a.differences(a.drift, "drift", "Anchors: have they changed?", "")
	t.Foot = append(t.Foot, "Likelihood ratio: the item's parameters estimated here, against those of the anchor, lowered by the share that the anchor's own standard errors have in the difference; anchors without them are taken as exact, and too many change. Effects are expected responses here less those by the anchor, as proportions of the highest category.")
	return t
}

func (a *Analysis) differences(list []mml.Difference, name, title, group string) *table.Table {
	p := make([]float64, len(list))
	names := make([]string, len(list))
	for k := range list {
		p[k], names[k] = list[k].P, a.Data.Items.ID[a.in.items[list[k].Item]]
	}
	rows := natural(names)
	corrected := a.corrected(p)
	there := func(k int, x float64) float64 {
		if list[k].Impossible != "" {
			return math.NaN()
		}
		return x
	}
	fields := []table.Field[int]{text("item", "", func(k int) string { return names[k] })}
	if group != "" {
		fields = append(fields, text(group, "that differs most", func(k int) string {
			if list[k].Impossible != "" || list[k].Group == 0 {
				return ""
			}
			return a.Groups[list[k].Group]
		}))
	}
	fields = append(fields,
		headed("LR", number("lr", "likelihood ratio: twice the difference of log likelihoods", 2, func(k int) float64 { return there(k, list[k].LR) })),
		weighing(1, number("df", "degrees of freedom", 0, func(k int) float64 { return there(k, float64(list[k].DF)) })),
		weighing(2, pvalue("p", "its p-value", 4, func(k int) float64 { return list[k].P })),
		headed("corrected p", pvalue("corrected", "the p-value, corrected for the number of items: "+a.correction(), 3, func(k int) float64 { return corrected[k] })),
		number("effect", "mean difference of expected responses, signed", 3, func(k int) float64 { return there(k, list[k].Signed) }),
		number("size", "mean absolute difference of expected responses", 3, func(k int) float64 { return there(k, list[k].Unsigned) }))
	t := table.Of(table.Table{Name: name, Title: title, Key: []string{"item"}, Worst: []string{"corrected"}}, rows, fields)
	for row, k := range rows {
		if x := list[k]; x.Impossible != "" {
			t.Note(row, "item", "not tested: "+x.Impossible)
		}
	}
	return t
}
