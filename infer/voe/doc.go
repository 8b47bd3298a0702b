// Package voe watches episodes and says how surprised it is: observers for violation of expectation. An observer sees
// eight familiarisation trials and a test trial, and neither a label, nor a name, nor the other outcome of the item.
// Observers are response models and not agents: they act in no environment.
//
// The observer called achilles is hierarchical Bayesian inverse planning in pixels; hbtom is the observer of Zhi-Xuan
// et al. (2022), for comparison; the others are degenerate on purpose: each stands for a way of being right for the
// wrong reason. docs/theory/bib.md has the mathematics and the sources.
package voe
