// Package opiaagets has the object-permanence battery of O-PIAAGETS (Kinds-of-Intelligence-CFI, MIT licence) in the
// 2188 instances that Burden et al. (2023) measured their agents with, in two codings of the meta-features, and
// designed batteries over the same features in which nothing is confounded.
//
// Every instance is made by rule: paradigm × size × side × row × distance × colour × occluder. The rules were read
// off the suite's file names, its YAML files and the table that the paper released. Released is that table with its
// mistakes, for comparison with the paper; Corrected has what the YAML files say and leaves out what they do not.
package opiaagets

import (
	"achilles/battery"
	"achilles/sim/record"
)

// Suite names the suite of every item.
const Suite = "opiaagets"

// Released returns the 2188 instances in the coding of the paper's released table, in the order of that table.
func Released() battery.Battery {
	return code(func(in instance) meta { return in.released }, released)
}

// Corrected returns the same instances with the values of their YAML files: 360 basic controls, of which no file is
// known, lack most values. It has further features of the geometry.
func Corrected() battery.Battery {
	return code(func(in instance) meta { return in.corrected }, corrected)
}

// An instance is one file of the suite: what its name says, and its meta-features in both codings.
type instance struct {
	name, paradigm, task string
	released, corrected  meta
}

// instances has all 2188 in the order of the released table.
func instances() []instance {
	var all []instance
	for _, some := range [][]instance{
		hiddenChicks(), hiddenCups(), hiddenGrids(), basics(), visibleGrids(), visibleCups(), visibleChicks(),
	} {
		all = append(all, some...)
	}
	return all
}

func code(choose func(instance) meta, in codings) battery.Battery {
	b := battery.Battery{Suite: Suite, Measure: Measures()}
	cols := columns(in)
	for _, c := range cols {
		b.Schema = append(b.Schema, c.Feature)
	}
	for _, inst := range instances() {
		m := choose(inst)
		it := battery.Item{Name: inst.name, Suite: Suite, Paradigm: inst.paradigm, Task: inst.task}
		for _, c := range cols {
			it.Values = append(it.Values, c.value(&m))
		}
		b.Items = append(b.Items, it)
	}
	return b
}

// Schema returns the features of the released coding. Every coding has them, under the same names.
func Schema() []record.Feature {
	var schema []record.Feature
	for _, c := range columns(released) {
		schema = append(schema, c.Feature)
	}
	return schema
}

// Measures returns what is measured on an item of any coding: success.
func Measures() []record.Measure {
	return []record.Measure{{Name: "success", Family: record.Binary, Doc: "whether the subject reached the reward in time"}}
}
