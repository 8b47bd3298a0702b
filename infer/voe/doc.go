// Package voe has observers for violation of expectation: they watch episodes and say how surprised they are. An
// observer sees eight familiarisation trials and a test trial, and neither a label, nor a name, nor the other outcome of
// the item. Observers are response models and not agents: they do not act in an environment.
//
// The observer called achilles is hierarchical Bayesian inverse planning in pixels. The observer hbtom is that of
// Zhi-Xuan et al. (2022), for comparison. The others are degenerate on purpose: each stands for a way of being right for
// the wrong reason. docs/theory/bib.md has the mathematics and the sources.
package voe
